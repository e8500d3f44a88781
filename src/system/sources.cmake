set(PW_SOURCES_SYSTEM switches.c ties.c kinks.c lagrange.c ledger.c nature.c first_integral.c scene_frames.c build.c guards.c dump_system.c sparsity.c moved.c view.c)
