set(PW_SOURCES_IMPORT
  explain_import.c
  import.c
  mjcf.c
  robot.c
  robot_write.c
  urdf.c
  xml.c)
