# SPDX-License-Identifier: MIT
# cmake -DFROM=web/page.html -DTO=page_data.c -P embed_page.cmake
# Writes the page as a byte array.
file(READ "${FROM}" hex HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
file(WRITE "${TO}" "// SPDX-License-Identifier: MIT\n#include \"report/page.h\"\n\n"
  "const unsigned char pw_page[] = {${bytes}0};\n")
