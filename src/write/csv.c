// SPDX-License-Identifier: MIT
/* trajectory.csv and events.csv: 17 digits, so that every number reads back as it was. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "write/formats.h"

void pw_csv_field(pw_buf *out, const char *text) {
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

/* ---- rows ---- */

/* Forces of contacts between shapes, "force(pile:d[1]-floor)", are in contacts.csv. Names in a
 * model contain no colon. */
static bool is_shown(const pw_shape *shape, int column) {
  return strchr(shape->column[column], ':') == NULL;
}

static pawl_status begin_rows(pw_sheet *s) {
  const pw_shape *shape = s->record->shape;
  for (int i = 0; i < pw_shape_columns(shape); i++) {
    if (is_shown(shape, i)) {
      pw_buf_puts(&s->out.buf, i == 0 ? "" : ",");
      pw_csv_field(&s->out.buf, shape->column[i]);
    }
  }
  pw_buf_puts(&s->out.buf, "\n");
  return PAWL_OK;
}

static pawl_status take_rows(pw_sheet *s, pw_chunk_view view) {
  int n = pw_shape_columns(view.shape);
  pawl_status status = PAWL_OK;
  const double *at = view.rows;
  for (int64_t i = 0; i < view.n_row && status == PAWL_OK; i++) {
    for (int j = 0; j < n; j++, at++) {
      if (is_shown(view.shape, j)) {
        pw_buf_puts(&s->out.buf, j == 0 ? "" : ",");
        pw_buf_real_17(&s->out.buf, *at);
      }
    }
    pw_buf_puts(&s->out.buf, "\n");
    status = pw_writer_check(&s->out);
  }
  return status;
}

const pw_format pw_format_csv = {.streams = true, .begin = begin_rows, .take = take_rows};

/* ---- events ---- */

static pawl_status begin_events(pw_sheet *s) {
  static const char *const sides[] = {"before", "after"};
  const pw_shape *shape = s->record->shape;
  pw_buf *buf = &s->out.buf;
  for (int i = 0; i < pw_event_fields(); i++) {
    pw_buf_puts(buf, i == 0 ? "" : ",");
    pw_buf_puts(buf, pw_event_field_at(i)->name);
  }
  for (int side = 0; side < 2; side++) {
    for (int i = 0; i < shape->nq + shape->nv && shape->bare != PW_BARE_EVENTS; i++) {
      pw_buf_printf(buf, ",%s(%s)", sides[side], shape->column[1 + i]);
    }
  }
  pw_buf_puts(buf, "\n");
  return PAWL_OK;
}

static void put_numbers(pw_buf *out, const char *before, const double *x, int n) {
  for (int i = 0; i < n; i++) {
    pw_buf_puts(out, before);
    pw_buf_real_17(out, x[i]);
  }
}

/* A vector: components with blanks between. */
static void put_impulse(pw_buf *out, const pawl_event *e) {
  for (int i = 0; i < e->n_impulse; i++) {
    pw_buf_puts(out, i == 0 ? "" : " ");
    pw_buf_real_17(out, e->impulse[i]);
  }
}

static void put_event_field(pw_buf *out, const pw_shape *shape, const pawl_event *e,
                            const pw_event_field *f) {
  const char *text;
  switch (f->type) {
  case PW_FIELD_REAL: pw_buf_real_17(out, pw_event_real(e, f)); break;
  case PW_FIELD_KNOWN: /* empty where there is none */
    if (!isnan(pw_event_real(e, f))) {
      pw_buf_real_17(out, pw_event_real(e, f));
    }
    break;
  case PW_FIELD_COUNT: pw_write_count(out, pw_event_count(e, f)); break;
  case PW_FIELD_TEXT:
  case PW_FIELD_MARK:
    text = pw_event_text(e, f);
    pw_csv_field(out, text == NULL ? "" : text);
    break;
  case PW_FIELD_IMPULSE: put_impulse(out, e); break;
  case PW_FIELD_TIED: pw_event_tied_text(out, e, shape->column + 1 + shape->nq + shape->nv); break;
  }
}

static pawl_status take_events(pw_sheet *s, pw_chunk_view view) {
  pw_buf *buf = &s->out.buf;
  pawl_status status = PAWL_OK;
  pawl_run_event e;
  while (status == PAWL_OK && pw_chunk_next_event(&view, &e)) {
    for (int i = 0; i < pw_event_fields(); i++) {
      pw_buf_puts(buf, i == 0 ? "" : ",");
      put_event_field(buf, view.shape, &e.event, pw_event_field_at(i));
    }
    if (view.shape->bare != PW_BARE_EVENTS) {
      put_numbers(buf, ",", e.q_before, view.shape->nq);
      put_numbers(buf, ",", e.u_before, view.shape->nv);
      put_numbers(buf, ",", e.q_after, view.shape->nq);
      put_numbers(buf, ",", e.u_after, view.shape->nv);
    }
    pw_buf_puts(buf, "\n");
    status = pw_writer_check(&s->out);
  }
  return status;
}

const pw_format pw_format_events_csv = {
    .streams = true, .begin = begin_events, .take = take_events};
