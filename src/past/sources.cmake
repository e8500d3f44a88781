set(PW_SOURCES_PAST
  backward.c
  explain_past.c
  past_impact.c
  past_json.c
  past_momenta.c
  tree.c)
