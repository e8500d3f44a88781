// SPDX-License-Identifier: MIT
/* The result of `pawl converge --json` and `pawl realise --json`. */
#include <inttypes.h>

#include "study/study.h"

static void real(pw_buf *out, const char *before, double value) {
  pw_buf_puts(out, before);
  pw_buf_json_real(out, value);
}

static void put_row(pw_buf *out, const pawl_study_row *r) {
  real(out, "{\"value\":", r->value);
  pw_buf_printf(out, ",\"steps\":%" PRId64 ",\"events\":%" PRId64, r->steps, r->events);
  real(out, ",\"positions\":", r->positions);
  real(out, ",\"velocities\":", r->velocities);
  real(out, ",\"end\":", r->end);
  pw_buf_puts(out, ",\"why\":");
  pw_buf_json(out, r->why);
  pw_buf_puts(out, "}");
}

static void put_series(pw_buf *out, const pawl_study *s, int i) {
  pawl_study_series x = pawl_study_get(s, i);
  pw_buf_puts(out, i == 0 ? "{\"name\":" : ",{\"name\":");
  pw_buf_json(out, x.name);
  pw_buf_puts(out, ",\"by\":");
  pw_buf_json(out, x.by);
  pw_buf_puts(out, ",\"refused\":");
  pw_buf_json(out, x.refused);
  real(out, ",\"order\":{\"positions\":", x.order_positions);
  real(out, ",\"velocities\":", x.order_velocities);
  real(out, ",\"end\":", x.order_end);
  pw_buf_puts(out, "},\"rows\":[");
  for (int k = 0; k < x.rows; k++) {
    pawl_study_row row = pawl_study_row_get(s, i, k);
    pw_buf_puts(out, k == 0 ? "" : ",");
    put_row(out, &row);
  }
  pw_buf_puts(out, "]}");
}

pawl_status pawl_study_json(const pawl_study *s, pawl_sink sink, void *payload) {
  if (s == NULL || sink == NULL) {
    return PAWL_E_ARGUMENT;
  }
  pw_buf out = {0};
  pw_buf_puts(&out, "{\"model\":");
  pw_buf_json(&out, s->file);
  if (s->law[0] != '\0') {
    pw_buf_puts(&out, ",\"law\":");
    pw_buf_json(&out, s->law);
  }
  pw_buf_puts(&out, ",\"against\":");
  pw_buf_json(&out, s->against);
  real(&out, ",\"floor\":", pawl_study_floor(s));
  pw_buf_puts(&out, ",\"series\":[");
  for (int i = 0; i < s->n; i++) {
    put_series(&out, s, i);
  }
  pw_buf_puts(&out, "]}\n");
  pawl_status status = pw_buf_flush(&out, sink, payload);
  pw_buf_free(&out);
  return status;
}
