// SPDX-License-Identifier: MIT
#include "traj/chunk.h"

#include <limits.h>
#include <stdint.h>

void pw_chunk_row(pw_chunk *c, const double *values) {
  pw_put_reals(&c->rows, values, pw_shape_columns(c->shape));
  c->n_row++;
}

void pw_chunk_event(pw_chunk *c, const pawl_run_event *event) {
  bool bare = c->shape->bare == PW_BARE_EVENTS;
  pw_event_put(&c->events, bare ? 0 : c->shape->nq, bare ? 0 : c->shape->nv, event);
  c->n_event++;
}

void pw_chunk_segment(pw_chunk *c, const pw_segment *segment) {
  pw_segment_put(&c->segments, c->shape, segment);
  c->n_segment++;
}

void pw_chunk_stored_segment(pw_chunk *c, const pw_buf *bytes) {
  pw_buf_add(&c->segments, bytes->text, bytes->len);
  c->n_segment++;
}

void pw_chunk_touch(pw_chunk *c, const pw_touch_row *touch) {
  pw_put_int(&c->touches, c->n_row - 1);
  pw_put_text(&c->touches, touch->contact);
  pw_put_text(&c->touches, touch->first);
  pw_put_text(&c->touches, touch->second);
  pw_put_int(&c->touches, touch->point);
  pw_put_int(&c->touches, touch->mode);
  pw_put_reals(&c->touches, touch->numbers, PW_TOUCH_REALS);
  c->n_touch++;
}

void pw_chunk_strokes(pw_chunk *c, const pw_buf *bytes) {
  pw_put_int(&c->strokes, c->n_row - 1);
  pw_put_blob(&c->strokes, bytes->text, bytes->len);
  c->n_stroke++;
}

size_t pw_chunk_bytes(const pw_chunk *c) {
  return c->rows.len + c->events.len + c->segments.len + c->touches.len + c->strokes.len;
}

void pw_chunk_clear(pw_chunk *c) {
  c->n_row = c->n_event = c->n_segment = c->n_touch = c->n_stroke = 0;
  c->rows.len = c->events.len = c->segments.len = c->touches.len = c->strokes.len = 0;
}

void pw_chunk_free(pw_chunk *c) {
  pw_buf_free(&c->rows);
  pw_buf_free(&c->events);
  pw_buf_free(&c->segments);
  pw_buf_free(&c->touches);
  pw_buf_free(&c->strokes);
}

void pw_chunk_put(pw_buf *out, const pw_chunk *c) {
  const struct {
    int64_t n;
    const pw_buf *bytes;
  } parts[] = {{c->n_row, &c->rows},
               {c->n_event, &c->events},
               {c->n_segment, &c->segments},
               {c->n_touch, &c->touches},
               {c->n_stroke, &c->strokes}};
  for (int i = 0; i < 5; i++) {
    pw_put_int(out, parts[i].n);
    pw_put_blob(out, parts[i].bytes->text, parts[i].bytes->len);
    out->failed = out->failed || parts[i].bytes->failed;
  }
}

static int64_t get_part(pw_reader *in, pw_reader *out) {
  size_t bytes;
  int64_t n = pw_get_count(in, INT_MAX);
  out->at = pw_get_blob(in, &bytes);
  out->end = out->at == NULL ? NULL : out->at + bytes;
  out->bad = false;
  return n;
}

bool pw_chunk_get(pw_reader *in, const pw_shape *shape, pw_chunk_view *out) {
  pw_reader rows;
  *out = (pw_chunk_view){.shape = shape};
  out->n_row = get_part(in, &rows);
  out->n_event = get_part(in, &out->events);
  out->n_segment = get_part(in, &out->segments);
  out->n_touch = get_part(in, &out->touches);
  out->n_stroke = get_part(in, &out->strokes);
  size_t bytes = rows.at == NULL ? 0 : (size_t)(rows.end - rows.at);
  out->rows = pw_get_reals(&rows, (int)(bytes / sizeof(double)));
  return !in->bad && bytes == (size_t)out->n_row * (size_t)pw_shape_columns(shape) * sizeof(double);
}

static void take_part(pw_buf *out, const void *bytes, size_t count) {
  out->len = 0;
  if (count > 0) {
    pw_buf_add(out, bytes, count);
  }
}

static size_t left_in(const pw_reader *r) {
  return r->at == NULL ? 0 : (size_t)(r->end - r->at);
}

bool pw_chunk_take(pw_chunk *c, const pw_chunk_view *view) {
  size_t row = (size_t)pw_shape_columns(c->shape) * sizeof(double);
  c->n_row = view->n_row;
  c->n_event = view->n_event;
  c->n_segment = view->n_segment;
  c->n_touch = view->n_touch;
  c->n_stroke = view->n_stroke;
  take_part(&c->rows, view->rows, (size_t)view->n_row * row);
  take_part(&c->events, view->events.at, left_in(&view->events));
  take_part(&c->segments, view->segments.at, left_in(&view->segments));
  take_part(&c->touches, view->touches.at, left_in(&view->touches));
  take_part(&c->strokes, view->strokes.at, left_in(&view->strokes));
  return !pw_chunk_failed(c);
}

bool pw_chunk_failed(const pw_chunk *c) {
  return c->rows.failed || c->events.failed || c->segments.failed || c->touches.failed ||
         c->strokes.failed;
}

bool pw_chunk_next_event(pw_chunk_view *view, pawl_run_event *out) {
  pw_reader *in = &view->events;
  const pw_shape *shape = view->shape;
  bool bare = shape->bare == PW_BARE_EVENTS;
  if (in->at == in->end || in->bad ||
      !pw_event_get(in, bare ? 0 : shape->nq, bare ? 0 : shape->nv, out)) {
    return false;
  }
  if (bare) {
    out->q_before = out->u_before = out->q_after = out->u_after = NULL;
  }
  for (int i = 0; i < out->event.n_tied; i++) {
    long long law = out->event.tied[i].law;
    in->bad = in->bad || law < 0 || law >= shape->n_law;
  }
  return !in->bad;
}

bool pw_chunk_next_touch(pw_chunk_view *view, pw_touch_row *out) {
  pw_reader *in = &view->touches;
  if (in->at == in->end || in->bad) {
    return false;
  }
  out->row = pw_get_count(in, INT_MAX);
  out->contact = pw_get_text(in);
  out->first = pw_get_text(in);
  out->second = pw_get_text(in);
  out->point = pw_get_count(in, INT_MAX);
  out->mode = pw_get_count(in, PAWL_MEETS_SLIDES);
  out->numbers = pw_get_reals(in, PW_TOUCH_REALS);
  in->bad = in->bad || out->contact == NULL || out->first == NULL || out->second == NULL;
  return !in->bad;
}

bool pw_chunk_next_segment(pw_chunk_view *view, pw_segment *out) {
  pw_reader *in = &view->segments;
  if (in->at == in->end || in->bad) {
    return false;
  }
  in->bad = !pw_segment_get(in, view->shape, out);
  return !in->bad;
}

bool pw_chunk_strokes_at(pw_chunk_view *view, int64_t row, pw_reader *out) {
  pw_reader *in = &view->strokes, ahead = *in;
  while (ahead.at != ahead.end && !ahead.bad) {
    size_t bytes;
    int64_t of = pw_get_count(&ahead, INT_MAX);
    const char *at = pw_get_blob(&ahead, &bytes);
    if (of > row || ahead.bad) {
      return false;
    }
    *in = ahead;
    if (of == row) {
      *out = (pw_reader){.at = at, .end = at == NULL ? NULL : at + bytes};
      return true;
    }
  }
  return false;
}
