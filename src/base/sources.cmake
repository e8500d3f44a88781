set(PW_SOURCES_BASE
  arena.c
  buf.c
  decimal.c
  diag.c
  diag_render.c
  explain.c
  explain_model.c
  explain_run.c
  explain_start.c
  explain_syntax.c
  explain_units.c
  file.c
  glyph.c
  intern.c
  law_name.c
  layout.c
  option_table.c
  source.c
  status.c
  suggest.c)

if(PAWL_POSIX)
  list(APPEND PW_SOURCES_BASE file_posix.c)
else()
  list(APPEND PW_SOURCES_BASE file_plain.c)
endif()
