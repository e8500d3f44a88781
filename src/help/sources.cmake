set(PW_SOURCES_HELP explain.c explain_play.c)
