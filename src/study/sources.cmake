set(PW_SOURCES_STUDY
  converge.c
  explain_study.c
  reached.c
  study.c
  study_json.c
  ways.c)
