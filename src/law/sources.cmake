set(PW_SOURCES_LAW
  phase.c
  kind.c
  row.c
  scale.c
  set.c
  zero.c)
