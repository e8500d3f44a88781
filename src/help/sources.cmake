set(PW_SOURCES_HELP explain.c)
