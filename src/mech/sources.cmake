set(PW_SOURCES_MECH
  accel.c frame.c handle.c mech.c observe.c project.c report.c series.c start.c start_report.c
  start_solve.c)
