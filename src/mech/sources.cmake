set(PW_SOURCES_MECH
  accel.c discrete.c frame.c handle.c law_report.c mech.c observe.c project.c report.c segment.c series.c
  start.c start_check.c start_report.c start_solve.c)
