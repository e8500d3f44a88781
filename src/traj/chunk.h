// SPDX-License-Identifier: MIT
/* A stretch of a trajectory as it goes into one block: rows, events and segments. */
#ifndef PW_TRAJ_CHUNK_H
#define PW_TRAJ_CHUNK_H

#include <stdint.h>

#include "traj/event.h"
#include "traj/segment.h"

typedef struct pw_chunk {
  const pw_shape *shape;
  int64_t n_row, n_event, n_segment, n_touch, n_stroke;
  pw_buf rows, events, segments, touches, strokes;
} pw_chunk;

/* A point at which shapes press on each other, at the time of a row. */
typedef struct pw_touch_row {
  int64_t row; /* of its chunk */
  const char *contact, *first, *second;
  int point;
  int mode;              /* pawl_meets */
  const double *numbers; /* PW_TOUCH_REALS: place, normal, force along it, friction */
} pw_touch_row;
enum { PW_TOUCH_REALS = 10 };

void pw_chunk_row(pw_chunk *c, const double *values);
void pw_chunk_event(pw_chunk *c, const pawl_run_event *event);
void pw_chunk_segment(pw_chunk *c, const pw_segment *segment);
/* A segment that is bytes already (pw_segment_put). */
void pw_chunk_stored_segment(pw_chunk *c, const pw_buf *bytes);
/* Belongs to the row that was added last. */
void pw_chunk_touch(pw_chunk *c, const pw_touch_row *touch);
/* Impulses of the instant (traj/strokes.h) whose later side is the row that was added last. */
void pw_chunk_strokes(pw_chunk *c, const pw_buf *bytes);
size_t pw_chunk_bytes(const pw_chunk *c);
void pw_chunk_clear(pw_chunk *c);
void pw_chunk_free(pw_chunk *c);

/* A chunk that is read: pointers go into the bytes. */
typedef struct pw_chunk_view {
  const pw_shape *shape;
  int64_t n_row, n_event, n_segment, n_touch, n_stroke;
  const double *rows; /* n_row times pw_shape_columns */
  pw_reader events, segments, touches, strokes;
} pw_chunk_view;

/* To bytes, and back; false: the bytes are no such chunk. */
void pw_chunk_put(pw_buf *out, const pw_chunk *c);
bool pw_chunk_get(pw_reader *in, const pw_shape *shape, pw_chunk_view *out);
/* A copy that can grow; false: no memory. */
bool pw_chunk_take(pw_chunk *c, const pw_chunk_view *view);
bool pw_chunk_failed(const pw_chunk *c); /* memory ran out */
/* The next one; false after the last, or where the bytes are wrong (`bad` of the reader). */
bool pw_chunk_next_event(pw_chunk_view *view, pawl_run_event *out);
bool pw_chunk_next_touch(pw_chunk_view *view, pw_touch_row *out);
bool pw_chunk_next_segment(pw_chunk_view *view, pw_segment *out);
/* The impulses of the instant that ends with this row; false: none are kept. Rows must ascend. */
bool pw_chunk_strokes_at(pw_chunk_view *view, int64_t row, pw_reader *out);

#endif
