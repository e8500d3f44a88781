set(PW_SOURCES_LAW kind.c)
