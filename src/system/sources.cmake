set(PW_SOURCES_SYSTEM switches.c lagrange.c ledger.c build.c dump_system.c)
