set(PW_SOURCES_STATIC gauss.c gauss_json.c gauss_list.c gauss_rows.c gauss_solve.c principles.c
  reservoir.c)
