// SPDX-License-Identifier: MIT
/* Samples and delays along a motion: what they change to at their instants, and the past that
 * delays need (signals, sections 3 and 4). */
#ifndef PW_SIM_SIGNALS_H
#define PW_SIM_SIGNALS_H

#include <stdint.h>

#include "base/layout.h"
#include "sim/step.h"

enum {
  PW_PAST_NODES = 10,   /* Chebyshev points of a step at which the past is kept */
  PW_PAST_STEPS = 16384 /* that are kept at most */
};

typedef struct pw_past { /* of all delays, step by step, in a ring */
  int n;                 /* delays */
  int *tick;             /* n: which of the signals of the system */
  double *from, *to;     /* PW_PAST_STEPS */
  double *value;         /* PW_PAST_STEPS x n x PW_PAST_NODES */
  unsigned char *breaks; /* PW_PAST_STEPS: the motion is not smooth where the step begins */
  int64_t first, count;  /* steps that are kept, by their numbers since the start */
} pw_past;

typedef struct pw_signals {
  pw_stepper *s;
  double *value;      /* n_tick: expressions at the instant */
  double *slots;      /* nq: what slots change to */
  unsigned char *due; /* n_tick */
  double *y;          /* scratch: a state */
  pw_past past;
  double start;  /* time */
  double *first; /* n_tick: values there */
  bool broken;   /* the motion is not smooth at the end of the last step */
  int lost;      /* signal whose past was needed and no longer kept, or -1 */
  int undefined; /* signal whose value is not a number, or -1 */
} pw_signals;

void pw_signals_lay_out(pw_signals *x, const pw_system *sys, pw_layout *l);
void pw_signals_init(pw_signals *x, pw_stepper *s);
/* A new motion begins at s->t in s->y. */
void pw_signals_begin(pw_signals *x);

/* Finds what signals change to at the end of the step, with `flip` (n_switch) the surfaces that are
 * met. False: a past is not known any more. */
bool pw_signals_find(pw_signals *x, const unsigned char *flip);
/* Exchanges the present slots and those found. */
void pw_signals_turn(pw_signals *x);
/* Counts turns at the start of a step, in methods that do not look for instants in their steps. */
void pw_signals_count(pw_signals *x);
/* Keeps the step just made, as the past of delays. */
PAWL_NODISCARD pawl_status pw_signals_keep(pw_signals *x);

#endif
