set(PW_SOURCES_REPORT
  about.c
  autodraw.c
  autoforce.c
  contacts_csv.c
  dictionary.c
  encode.c
  gather.c
  meetings.c
  page.c
  place.c)

# The page of a report is part of the library.
file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/report")
add_custom_command(OUTPUT "${PROJECT_BINARY_DIR}/report/page_data.c"
  COMMAND "${CMAKE_COMMAND}" "-DFROM=${PROJECT_SOURCE_DIR}/web/page.html"
    "-DTO=${PROJECT_BINARY_DIR}/report/page_data.c"
    -P "${PROJECT_SOURCE_DIR}/src/report/embed_page.cmake"
  DEPENDS "${PROJECT_SOURCE_DIR}/web/page.html"
    "${PROJECT_SOURCE_DIR}/src/report/embed_page.cmake")
list(APPEND pw_sources "${PROJECT_BINARY_DIR}/report/page_data.c")
