set(PW_SOURCES_STUDY
  converge.c
  explain_study.c
  instant.c
  study.c
  study_json.c
  ways.c)
