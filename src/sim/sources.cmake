set(PW_SOURCES_SIM
  dop853.c
  dp5.c
  rk.c)
