set(PW_SOURCES_TRAJ
  block.c
  bytes.c
  segment.c)
