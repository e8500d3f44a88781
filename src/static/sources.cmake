set(PW_SOURCES_STATIC explain_static.c balance.c cone_min.c descent.c equilibria.c equilibria_json.c gauss.c gauss_cone.c gauss_corner.c gauss_coupled.c gauss_disks.c gauss_json.c gauss_least.c
  gauss_list.c gauss_potentials.c gauss_rays.c gauss_rows.c gauss_solve.c gauss_top.c gauss_trial.c principles.c reservoir.c rest_set.c rest_stability.c
  rest_starts.c still.c)
