set(PW_SOURCES_BASE
  arena.c
  buf.c
  decimal.c
  diag.c
  diag_render.c
  explain_base.c
  file.c
  glyph.c
  inertia.c
  intern.c
  layout.c
  least.c
  option_table.c
  source.c
  status.c
  suggest.c)

if(PAWL_POSIX)
  list(APPEND PW_SOURCES_BASE file_posix.c module_posix.c thread_posix.c)
else()
  list(APPEND PW_SOURCES_BASE file_plain.c module_plain.c thread_plain.c)
endif()
