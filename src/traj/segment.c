// SPDX-License-Identifier: MIT
#include "traj/segment.h"

#include <limits.h>

void pw_segment_row(pw_segment *s, const double *values) {
  pw_put_reals(&s->rows, values, s->n_col);
  s->n_row++;
}

void pw_segment_event(pw_segment *s, const pw_traj_event *event) {
  pw_buf *out = &s->events;
  pw_put_real(out, event->t);
  pw_put_text(out, event->kind);
  pw_put_text(out, event->at);
  pw_put_int(out, event->cluster);
  pw_put_int(out, event->n_impulse);
  pw_put_reals(out, event->impulse, event->n_impulse);
  pw_put_real(out, event->dE);
  pw_put_text(out, event->flag);
  pw_put_real(out, event->rate_before);
  pw_put_real(out, event->rate_after);
  pw_put_real(out, event->force);
  pw_put_reals(out, event->before, s->n_state);
  pw_put_reals(out, event->after, s->n_state);
  s->n_event++;
}

void pw_segment_clear(pw_segment *s) {
  s->n_row = s->n_event = 0;
  s->rows.len = s->events.len = 0;
}

void pw_segment_free(pw_segment *s) {
  pw_buf_free(&s->rows);
  pw_buf_free(&s->events);
}

void pw_segment_put(pw_buf *out, const pw_segment *s) {
  pw_put_int(out, s->n_row);
  pw_put_blob(out, s->rows.text, s->rows.len);
  pw_put_int(out, s->n_event);
  pw_put_blob(out, s->events.text, s->events.len);
  out->failed = out->failed || s->rows.failed || s->events.failed;
}

bool pw_segment_get(pw_reader *r, int n_col, int n_state, pw_segment_view *out) {
  size_t bytes;
  *out = (pw_segment_view){.n_state = n_state};
  out->n_row = pw_get_count(r, INT_MAX);
  out->rows = pw_get_blob(r, &bytes);
  if (r->bad || bytes != (size_t)out->n_row * (size_t)n_col * sizeof(double)) {
    return false;
  }
  out->n_event = pw_get_count(r, INT_MAX);
  out->events.at = pw_get_blob(r, &bytes);
  out->events.end = out->events.at == NULL ? NULL : out->events.at + bytes;
  return !r->bad;
}

bool pw_segment_next(pw_segment_view *view, pw_traj_event *out) {
  pw_reader *r = &view->events;
  if (r->at == r->end || r->bad) {
    return false;
  }
  out->t = pw_get_real(r);
  out->kind = pw_get_text(r);
  out->at = pw_get_text(r);
  out->cluster = (long)pw_get_int(r);
  out->n_impulse = pw_get_count(r, INT_MAX);
  out->impulse = pw_get_reals(r, out->n_impulse);
  out->dE = pw_get_real(r);
  out->flag = pw_get_text(r);
  out->rate_before = pw_get_real(r);
  out->rate_after = pw_get_real(r);
  out->force = pw_get_real(r);
  out->before = pw_get_reals(r, view->n_state);
  out->after = pw_get_reals(r, view->n_state);
  return !r->bad && out->kind != NULL && out->at != NULL;
}
