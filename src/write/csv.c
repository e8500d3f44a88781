// SPDX-License-Identifier: MIT
/* trajectory.csv and events.csv: 17 digits, so that every number reads back as it was. */
#include <math.h>
#include <string.h>

#include "write/formats.h"

static void put_field(pw_buf *out, const char *text) {
  if (strpbrk(text, ",\"\n\r") == NULL) {
    pw_buf_puts(out, text);
    return;
  }
  pw_buf_puts(out, "\"");
  for (; *text != '\0'; text++) {
    pw_buf_add(out, *text == '"' ? "\"\"" : text, *text == '"' ? 2 : 1);
  }
  pw_buf_puts(out, "\"");
}

typedef struct csv {
  const pw_record *record;
  pw_writer *out;
} csv;

static pawl_status put_rows(void *payload, pw_segment_view *view) {
  const csv *c = payload;
  pawl_status status = PAWL_OK;
  const double *at = view->rows;
  for (long i = 0; i < view->n_row && status == PAWL_OK; i++) {
    for (int j = 0; j < c->record->n_col; j++) {
      pw_buf_puts(&c->out->buf, j == 0 ? "" : ",");
      pw_buf_real_17(&c->out->buf, *at++);
    }
    pw_buf_puts(&c->out->buf, "\n");
    status = pw_writer_check(c->out);
  }
  return status;
}

pawl_status pw_write_trajectory_csv(const pw_record *record, pw_writer *out) {
  for (int i = 0; i < record->n_col; i++) {
    pw_buf_puts(&out->buf, i == 0 ? "" : ",");
    put_field(&out->buf, record->column[i]);
  }
  pw_buf_puts(&out->buf, "\n");
  return record->visit(record->source, put_rows, &(csv){record, out});
}

static void put_state(pw_buf *out, const double *state, int n) {
  for (int i = 0; i < n; i++) {
    pw_buf_puts(out, ",");
    pw_buf_real_17(out, state[i]);
  }
}

/* Empty where there is none. */
static void put_known(pw_buf *out, double x) {
  pw_buf_puts(out, ",");
  if (!isnan(x)) {
    pw_buf_real_17(out, x);
  }
}

static pawl_status put_events(void *payload, pw_segment_view *view) {
  const csv *c = payload;
  pw_buf *buf = &c->out->buf;
  pawl_status status = PAWL_OK;
  pw_traj_event e;
  while (status == PAWL_OK && pw_segment_next(view, &e)) {
    pw_buf_real_17(buf, e.t);
    pw_buf_printf(buf, ",%s,", e.kind);
    put_field(buf, e.at);
    pw_buf_printf(buf, ",%ld,", e.cluster);
    for (int i = 0; i < e.n_impulse; i++) { /* a vector: components with blanks between */
      pw_buf_puts(buf, i == 0 ? "" : " ");
      pw_buf_real_17(buf, e.impulse[i]);
    }
    pw_buf_puts(buf, ",");
    pw_buf_real_17(buf, e.dE);
    pw_buf_puts(buf, ",");
    put_field(buf, e.flag == NULL ? "" : e.flag);
    put_known(buf, e.rate_before);
    put_known(buf, e.rate_after);
    put_known(buf, e.force);
    put_state(buf, e.before, c->record->n_state);
    put_state(buf, e.after, c->record->n_state);
    pw_buf_puts(buf, "\n");
    status = pw_writer_check(c->out);
  }
  return status;
}

pawl_status pw_write_events_csv(const pw_record *record, pw_writer *out) {
  static const char *const sides[] = {"before", "after"};
  pw_buf_puts(&out->buf, "t,kind,at,cluster,impulse,dE,flag,rate_before,rate_after,force");
  for (int side = 0; side < 2; side++) {
    for (int i = 0; i < record->n_state; i++) {
      pw_buf_printf(&out->buf, ",%s(%s)", sides[side], record->column[1 + i]);
    }
  }
  pw_buf_puts(&out->buf, "\n");
  return record->visit(record->source, put_events, &(csv){record, out});
}
