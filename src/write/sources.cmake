set(PW_SOURCES_WRITE
  arrays.c
  check_json.c
  csv.c
  event_json.c
  hdf5.c
  npz.c
  writer.c)
