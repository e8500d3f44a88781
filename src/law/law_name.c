// SPDX-License-Identifier: MIT
#include "law/law_name.h"

void pw_force_column(pw_buf *out, const char *law, int component, int components) {
  pw_buf_printf(out, "force(%s)", law);
  if (components > 1) {
    pw_buf_printf(out, "[%d]", component);
  }
}

void pw_law_json_open(pw_buf *out, bool first, const pawl_law_info *law) {
  pw_buf_puts(out, first ? "" : ",");
  if (law->component == 1) {
    pw_buf_json(out, law->column);
    pw_buf_puts(out, law->components > 1 ? ":[" : ":");
  }
}

void pw_law_json_close(pw_buf *out, const pawl_law_info *law) {
  pw_buf_puts(out, law->components > 1 && law->component == law->components ? "]" : "");
}

void pw_force_json(pw_buf *out, bool first, const pawl_law_info *law, double force) {
  pw_law_json_open(out, first, law);
  pw_buf_json_real(out, force);
  pw_law_json_close(out, law);
}
