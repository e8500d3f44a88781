set(PW_SOURCES_BVP explain_bvp.c bvp.c bvp_json.c certify_path.c chart.c collocate.c direct.c directions.c fold.c glide.c joint.c natural.c outlook.c path.c plane.c polish.c ritz.c search.c seeds.c
  shoot.c solutions.c sweep.c)
