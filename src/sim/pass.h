// SPDX-License-Identifier: MIT
/* Steps across a singular position, where constraints lose rank for an instant. The motion itself
 * is smooth there, but only on the constraints: off them by e, at a distance d from the position,
 * accelerations are wrong by e/d. So the step is a collocation whose nodes all lie on the
 * constraints and on both sides of the position, none of them near it. */
#ifndef PW_SIM_PASS_H
#define PW_SIM_PASS_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/mix.h"

struct pw_stepper;

enum { PW_PASS_ORDER = 12 }; /* the error grows with this power of the length */

typedef struct pw_pass {
  bool on;         /* the last step was one */
  double length;   /* of the collocation; the step may end before it */
  double reach;    /* the longest that the errors met so far allow */
  bool centred;    /* the singular position is near the middle; if not, */
  double middle;   /* it seems to be at this part of the length */
  double rounding; /* what round-off may add to the error, in tolerances */
  int n, nv;
  double *y, *f;          /* nodes x n: states and derivatives at the nodes */
  double *c;              /* nodes x n: Legendre coefficients of the derivative */
  double *bend;           /* n: estimate of y'' at the start */
  double *looked, *found; /* nodes x nv: accelerations that the states come from, that these have */
  pw_mix mix;
  double *start; /* n: where the step began before it was aimed at the singular position */
  double *way;   /* nv */
  bool aimed;
} pw_pass;

/* n: of the state, nv: of the velocities. */
size_t pw_pass_size(int n, int nv);
void pw_pass_init(pw_pass *p, int n, int nv, double *memory);

/* y at the part x of the length after the start y0. */
void pw_pass_eval(const pw_pass *p, double x, const double *y0, double *y);

/* Tries the length s->pass.length from (s->rk.t, s->rk.y0) with the derivative s->rk.k; the error
 * in tolerances, INFINITY after a fault or if it is not centred. Moves s->rk.y0 by less than the
 * error of the state where the motion would miss the singular position by that, theory (94). */
double pw_pass_try(struct pw_stepper *s);
/* The reach after one with this error, where `allowed` was. */
double pw_pass_reach(const pw_pass *p, double error, double allowed);
/* The last one is not taken: s->rk.y0 is what it was. */
void pw_pass_drop(struct pw_stepper *s);

#endif
