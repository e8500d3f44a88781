// SPDX-License-Identifier: MIT
/* Steps across a singular position, where constraints lose rank for an instant. The motion itself
 * is smooth there, but only on the constraints: off them by e, at a distance d from the position,
 * accelerations are wrong by e/d. So the step is a collocation whose nodes all lie on the
 * constraints and on both sides of the position, none of them near it. */
#ifndef PW_SIM_PASS_H
#define PW_SIM_PASS_H

#include <stdbool.h>
#include <stddef.h>

struct pw_stepper;

enum { PW_PASS_ORDER = 12 }; /* the error grows with this power of the length */

typedef struct pw_pass {
  bool on;         /* the last step was one */
  double length;   /* of the collocation; the step may end before it */
  double reach;    /* the longest that the errors met so far allow */
  bool centred;    /* the singular position is near the middle; if not, */
  double middle;   /* it seems to be at this part of the length */
  double rounding; /* what round-off may add to the error, in tolerances */
  int n;
  double *y, *f; /* nodes x n: states and derivatives at the nodes */
  double *c;     /* nodes x n: Legendre coefficients of the derivative */
  double *bend;  /* n: estimate of y'' at the start */
} pw_pass;

size_t pw_pass_size(int n);
void pw_pass_init(pw_pass *p, int n, double *memory);

/* y at the part x of the length after the start y0. */
void pw_pass_eval(const pw_pass *p, double x, const double *y0, double *y);

/* Tries the length s->pass.length from (s->rk.t, s->rk.y0) with the derivative s->rk.k; the error
 * in tolerances, INFINITY after a fault or if it is not centred. */
double pw_pass_try(struct pw_stepper *s);

#endif
