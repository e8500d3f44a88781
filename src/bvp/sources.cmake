set(PW_SOURCES_BVP bvp.c bvp_json.c certify_path.c collocate.c directions.c path.c search.c shoot.c solutions.c
  sweep.c)
