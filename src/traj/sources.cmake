set(PW_SOURCES_TRAJ
  explain_traj.c block.c
  bytes.c
  chunk.c
  distance.c
  event.c
  motion_file.c
  segment.c
  shape.c
  strokes.c
  traj.c)
