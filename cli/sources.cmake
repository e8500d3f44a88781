set(PW_SOURCES_CLI
  certificate_line.c
  cmd_certify.c
  cmd_check.c
  cmd_dump.c
  cmd_converge.c
  cmd_distance.c
  cmd_equilibria.c
  cmd_realise.c
  cmd_events.c
  cmd_examples.c
  cmd_explain.c
  cmd_fmt.c
  cmd_bvp.c
  cmd_gauss.c
  cmd_export.c
  cmd_import.c
  cmd_lsp.c
  cmd_new.c
  cmd_past.c
  cmd_orbit.c
  cmd_plot.c
  cmd_report.c
  cmd_run.c
  cmd_sweep.c
  study_table.c
  cmd_test.c
  cmd_vary.c
  event_file.c
  event_filter.c
  event_memory.c
  gradient_table.c
  event_series.c
  event_table.c
  event_units.c
  examples_data.c # generated below
  lsp_hover.c
  lsp_json.c
  lsp_text.c
  main.c
  option_help.c
  options.c
  output.c
  progress.c
  run_backward.c
  run_option.c
  share.c
  summary.c)

# The example models are part of the program, so that they are there wherever it is.
file(GLOB pw_examples CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/examples/*.pawl")
file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/cli")
add_custom_command(OUTPUT cli/examples_data.c
  COMMAND "${CMAKE_COMMAND}" "-DFROM=${PROJECT_SOURCE_DIR}/examples"
    "-DTO=${PROJECT_BINARY_DIR}/cli/examples_data.c" -P "${PROJECT_SOURCE_DIR}/cli/embed.cmake"
  DEPENDS ${pw_examples} "${PROJECT_SOURCE_DIR}/cli/embed.cmake")
set_source_files_properties(cli/examples_data.c PROPERTIES
  INCLUDE_DIRECTORIES "${PROJECT_SOURCE_DIR}/cli")
