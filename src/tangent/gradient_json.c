// SPDX-License-Identifier: MIT
#include <math.h>
#include <string.h>

#include "pawl/system.h"
#include "tangent/gradient.h"

static void put_number(pw_buf *out, bool first, const char *name, double value) {
  pw_buf_puts(out, first ? "" : ",");
  pw_buf_json(out, name);
  pw_buf_puts(out, ":");
  if (isfinite(value)) {
    pw_buf_json_real(out, value);
  } else {
    pw_buf_puts(out, "null");
  }
}

static void put_end(pw_buf *out, const pawl_gradient *g, const double *end) {
  const pawl_system *sys = pawl_gradient_system(g);
  int nq = pawl_system_positions(sys), nv = pawl_system_velocities(sys);
  pw_buf_puts(out, "{");
  for (int i = 0; i < nq; i++) {
    put_number(out, i == 0, pawl_position_name(sys, i), end[i]);
  }
  for (int i = 0; i < nv; i++) {
    put_number(out, nq + i == 0, pawl_velocity_name(sys, i), end[nq + i]);
  }
  for (int i = 0; i < pawl_system_outputs(sys); i++) {
    put_number(out, false, pawl_output_name(sys, i), end[nq + nv + i]);
  }
  pw_buf_puts(out, "}");
}

static void put_why(pw_buf *out, const char *why) {
  if (why != NULL && why[0] != '\0') {
    pw_buf_puts(out, ",\"why\":");
    pw_buf_json(out, why);
  }
  pw_buf_puts(out, "}");
}

void pw_gradient_json(pw_buf *out, const pawl_gradient *g) {
  const char *why = "";
  pw_buf_puts(out, "\"gradient\":{");
  for (int i = 0; i < pawl_gradient_count(g); i++) {
    const double *end = pawl_gradient_end(g, i);
    pw_buf_puts(out, i == 0 ? "" : ",");
    pw_buf_json(out, pawl_gradient_name(g, i));
    pw_buf_puts(out, ":");
    if (end != NULL) {
      put_end(out, g, end);
    } else {
      pw_buf_puts(out, "null");
      why = pawl_gradient_why(g, i);
    }
  }
  put_why(out, why);
}

void pw_gradient_event_json(pw_buf *out, const pawl_gradient *g, int event) {
  const char *why = "";
  pw_buf_puts(out, "\"gradient\":{");
  for (int i = 0; i < pawl_gradient_count(g); i++) {
    double value = pawl_gradient_event(g, event, i);
    put_number(out, i == 0, pawl_gradient_name(g, i), value);
    why = isfinite(value) ? why : pawl_gradient_event_why(g, event, i);
  }
  put_why(out, why);
}
