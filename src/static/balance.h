// SPDX-License-Identifier: MIT
/* Positions (and velocities of cyclic coordinates) where all forces balance. Unknowns in the metric
 * of M = L L^T and free of units: positions by `length`, forces by `force`, velocities by `speed`;
 * residuals are the forces and, for each law, its natural map  x - proj(x - s), which is zero if
 * and only if (s, x) lies on the graph. Levenberg and Marquardt: where solutions form a set, the
 * steps are the shortest. */
#ifndef PW_STATIC_BALANCE_H
#define PW_STATIC_BALANCE_H

#include "linalg/qr.h"
#include "static/still.h"

typedef struct pw_spot { /* positions, velocities and forces: nq, nv, nr */
  double *q, *u, *lambda;
} pw_spot;

typedef struct pw_balance_task { /* conditions on one solution; zeros: a balance nearby */
  bool smooth;                   /* friction at rest counts as none */
  bool stay;                     /* positions do not move: are there forces that balance here? */
  bool pinned;                   /* a coordinate is to have a value: */
  int pin;                       /* its velocity index */
  double goal;
  const signed char *fixed; /* nr, or NULL: -1, 1: the force is the lower, upper bound */
} pw_balance_task;

typedef struct pw_balance {
  pw_still *x;
  double length, force, speed; /* units in the metric */
  int cyclic;                  /* velocities that may move: */
  int *which;                  /* cyclic */
  double *lambda;              /* nr: start and result, the forces */
  double residual;             /* largest of the last call */
  double work;                 /* operations so far, roughly */
  /* work */
  int n, rows;         /* unknowns, equations */
  double *L, *a, *len; /* metric; nv x nr unit columns along forces; nr */
  double *g, *g_len;   /* unit columns along gradients; nr */
  double *R, *D, *R_try, *D_try, *step, *moved, *stack;
  pw_spot old;
  double *way; /* nv x nv: L^-T in units of length */
  double *real;
  int *whole;
} pw_balance;

pw_spot pw_spot_new(pw_arena *arena, const pw_system *sys);
void pw_spot_copy(const pw_system *sys, pw_spot to, pw_spot from);
/* Where a balance starts, and where it ends. */
pw_spot pw_balance_spot(const pw_balance *b);

void pw_balance_init(pw_balance *b, pw_arena *arena, pw_still *x, const int *which, int cyclic);
/* The metric at the position of b->x. False: not finite. */
bool pw_balance_metric(pw_balance *b);
/* Moves x->q, x->u and b->lambda. True if all conditions hold to rounding. */
bool pw_balance_solve(pw_balance *b, pw_balance_task task);
/* Follows the forces downhill for some steps: a good start where contacts close. Fills lambda. */
void pw_balance_descend(pw_balance *b, pw_arena *arena, int steps);

#endif
