set(PW_SOURCES_FMU
  describe.c
  explain_fmu.c
  fmu_variables.c
  fmu_write.c)
