set(PW_SOURCES_VARY
  explain_vary.c
  lab.c
  lab_carried.c
  lab_json.c
  lab_rows.c
  lab_search.c
  lab_user.c)
