// SPDX-License-Identifier: MIT
/* A stretch of a trajectory: rows of numbers and events with the states on both sides. */
#ifndef PW_TRAJ_SEGMENT_H
#define PW_TRAJ_SEGMENT_H

#include "traj/bytes.h"

typedef struct pw_traj_event {
  double t;
  const char *kind, *at;
  long cluster; /* number of the instant, from 1 */
  int n_impulse;
  const double *impulse;
  double dE;
  const char *flag;               /* or NULL */
  double rate_before, rate_after; /* of what the law measures; NAN: no jump */
  double force;                   /* of the law, after the event; NAN: not of a law */
  const double *before, *after;   /* n_state numbers each: positions, velocities */
} pw_traj_event;

typedef struct pw_segment {
  int n_col, n_state; /* numbers in a row; in a state */
  long n_row, n_event;
  pw_buf rows, events;
} pw_segment;

void pw_segment_row(pw_segment *s, const double *values);
void pw_segment_event(pw_segment *s, const pw_traj_event *event);
void pw_segment_clear(pw_segment *s);
void pw_segment_free(pw_segment *s);

/* To bytes; and back as a view that is read with the two functions below. */
void pw_segment_put(pw_buf *out, const pw_segment *s);

typedef struct pw_segment_view {
  int n_state;
  long n_row, n_event;
  const double *rows; /* n_row times n_col */
  pw_reader events;
} pw_segment_view;

/* false: the bytes are no such segment. */
bool pw_segment_get(pw_reader *r, int n_col, int n_state, pw_segment_view *out);
/* The next event; false after the last. Pointers go into the bytes. */
bool pw_segment_next(pw_segment_view *view, pw_traj_event *out);

#endif
