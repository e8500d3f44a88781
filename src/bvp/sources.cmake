set(PW_SOURCES_BVP bvp.c bvp_json.c certify_path.c collocate.c direct.c directions.c fold.c joint.c outlook.c path.c plane.c ritz.c search.c seeds.c
  shoot.c solutions.c sweep.c)
