set(PW_SOURCES_MECH mech.c accel.c project.c observe.c report.c start.c start_solve.c start_report.c handle.c)
