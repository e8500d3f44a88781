// SPDX-License-Identifier: MIT
/* Functions of the state that are watched for roots along the steps of a motion, and the polishing
 * of these roots to the full order of the method. */
#ifndef PW_SIM_WATCH_H
#define PW_SIM_WATCH_H

#include "base/layout.h"
#include "sim/scan.h"
#include "sim/step.h"

typedef pawl_status (*pw_watch_at)(void *owner, pw_stepper *s, double t, const double *y,
                                   double *w);

typedef struct pw_watch {
  pw_scan scan;
  pw_stepper *s;
  pw_watch_at at;
  void *owner;    /* given to `at` */
  double *y;      /* n: scratch */
  double *values; /* m: scratch */
  double *v;      /* nv + nq: scratch */
} pw_watch;

/* For m functions. */
void pw_watch_lay_out(pw_watch *w, const pw_system *sys, int m, pw_layout *l);
void pw_watch_init(pw_watch *w, pw_stepper *s, pw_watch_at at, void *owner);

/* Time h after the start of the step, and state y there, of a root of function i: found by steps of
 * their own, so that both have the order of the method. */
PAWL_NODISCARD pawl_status pw_watch_polish(pw_watch *w, int i, const pw_root *root, double *h,
                                           double *y);

/* What rounding of the state alone can do to each function at (t, y). */
PAWL_NODISCARD pawl_status pw_watch_noise(pw_watch *w, double t, const double *y, double *noise);

#endif
