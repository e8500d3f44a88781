// SPDX-License-Identifier: MIT
/* The `event` statements of a model: periodic ones and roots. They watch the motion and never
 * change it. */
#ifndef PW_SIM_EVENTS_H
#define PW_SIM_EVENTS_H

#include <stdint.h>

#include "base/layout.h"
#include "sim/watch.h"

typedef struct pw_events {
  pw_watch watch;
  int n;           /* event statements */
  double from, to; /* strobes fall on from + k period, k = 1, 2, ..., not beyond `to` */
  int64_t *tick;   /* n: next k of the periodic ones */
  double *when;    /* n_root: polished time after the start of the step, NAN: none */
  double *noise;   /* n_root: scratch */
  double *before;  /* n_root: functions before a jump */
  bool found;      /* the next instant in the step is known: */
  double t, *y;    /* its time and state */
  double *trial;   /* n: scratch */
  int *now;        /* n_now: its events, in the order of the model */
  int n_now;
} pw_events;

void pw_events_lay_out(pw_events *e, const pw_system *sys, pw_layout *l);
void pw_events_init(pw_events *e, pw_stepper *s);
void pw_events_reset(pw_events *e, double from, double to);

/* A new step; joined: sides did not change since the last one. turned: they did, and functions were
 * looked at before (pw_events_before_jump); those that jumped through their roots happen at the
 * start of the step (e->found). */
PAWL_NODISCARD pawl_status pw_events_step(pw_events *e, bool joined, bool turned);
/* Finds the next instant of the step with events, if there is one (e->found). */
PAWL_NODISCARD pawl_status pw_events_seek(pw_events *e);

/* Around a jump: the functions before it, then those that changed their side in it happen now. */
PAWL_NODISCARD pawl_status pw_events_before_jump(pw_events *e, double t, const double *y);
PAWL_NODISCARD pawl_status pw_events_after_jump(pw_events *e, double t, const double *y);

#endif
