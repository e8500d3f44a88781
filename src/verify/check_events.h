// SPDX-License-Identifier: MIT
/* The list of events of a run beside its rows. Every cluster of events stands at two rows of one
 * time, which are its states before and after; their jump is that of the impulses in the list; and
 * the laws named are where events of their kind can be. Both files are read once, side by side. */
#ifndef PW_VERIFY_CHECK_EVENTS_H
#define PW_VERIFY_CHECK_EVENTS_H

#include <stdint.h>

#include "verify/checker.h"
#include "verify/table.h"

typedef struct pw_event { /* the next one of the list */
  double t;
  const char *kind, *at;
  int law; /* first model row of that name, or -1 */
  int64_t cluster;
  const char *impulse;
  double *before, *after; /* n_state */
} pw_event;

typedef struct pw_verify_events {
  pawl_certifier *c;
  pawl_diags *diags;
  pw_table table, lines; /* the list, and the same list as lines of JSON */
  bool has_lines, more, failed;
  int n_state;  /* positions and velocities */
  int *column;  /* t, kind, at, cluster, impulse, states before, after */
  char **field; /* of the present line */
  pw_event e;
  double *real; /* row: the newest; most: largest sizes; given: impulses (rows of the model) */
  double *row, *most, *given, *speeds;
  double row_t;
  double speed;   /* largest, in the metric */
  char here[160]; /* the event that is looked at, in words */
  bool any_row;
  bool alike, told; /* at the present time: two rows without an event; some event */
} pw_verify_events;

/* lines: path of the list in JSON, or NULL. most (n_state): largest size of each column. */
PAWL_NODISCARD pawl_status pw_events_open(pw_verify_events *x, pawl_certifier *c, const char *path,
                                          const char *lines, const double *most, pawl_diags *diags);
/* A row of the trajectory as it is written: positions and velocities. */
PAWL_NODISCARD pawl_status pw_events_row(pw_verify_events *x, double t, const double *state);
void pw_events_end(pw_verify_events *x);
void pw_events_close(pw_verify_events *x);

#endif
