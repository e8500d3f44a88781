set(PW_SOURCES_LAW
  law_name.c
  phase.c
  kind.c
  row.c
  scale.c
  set.c
  zero.c)
