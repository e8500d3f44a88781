# SPDX-License-Identifier: MIT
# cmake -DFROM=examples -DTO=examples_data.c -P embed.cmake
# Writes the models in FROM as byte arrays; their order is that of their names.
file(GLOB models "${FROM}/*.pawl")
list(SORT models)
set(arrays "")
set(table "")
set(number 0)
foreach(model IN LISTS models)
  get_filename_component(name "${model}" NAME_WE)
  file(READ "${model}" hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  string(APPEND arrays "static const unsigned char example_${number}[] = {${bytes}0};\n")
  string(APPEND table
    "    {\"${name}\", example_${number}, sizeof example_${number} - 1},\n")
  math(EXPR number "${number} + 1")
endforeach()
file(WRITE "${TO}" "// SPDX-License-Identifier: MIT\n#include \"examples.h\"\n\n#include <stddef.h>\n\n"
  "${arrays}\nconst cli_example cli_examples[] = {\n${table}    {NULL, NULL, 0}};\n")
