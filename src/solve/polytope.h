// SPDX-License-Identifier: MIT
/* The set { x : A x = g, lo <= x <= hi }: a point of it and the exact range of each x_i, by a dense
 * simplex method in which every variable has two bounds and any feasible point may be the start. */
#ifndef PW_SOLVE_POLYTOPE_H
#define PW_SOLVE_POLYTOPE_H

#include <stddef.h>

#include "solve/outcome.h"

typedef struct pw_polytope {
  int n, m, rank;
  const double *lo, *hi; /* m */
  double *QR, *tau;      /* n x m, min(n, m): factor of A */
  double *work;          /* n + 2 m */
  double *T, *T0;        /* rank x (m - rank): x_basic = const - T x_other; now and at the start */
  double *x, *x0;        /* m */
  int *order, *order0;   /* m: the basic variables, then the others */
} pw_polytope;

size_t pw_polytope_doubles(int n, int m);
size_t pw_polytope_ints(int m);

/* Factorises A (n x m). rank_tol as in linalg/qr.h. BREAKDOWN: A is not finite. */
pw_outcome pw_polytope_init(pw_polytope *s, int n, int m, const double *A, const double *lo,
                            const double *hi, double rank_tol, double *real, int *whole);

/* Takes a point of the set as start; g = A x. */
void pw_polytope_start(pw_polytope *s, const double *x);

/* Looks for a start with A x = g up to tol. INFEASIBLE: there is none. */
pw_outcome pw_polytope_find(pw_polytope *s, const double *A, const double *g, double tol);

/* Largest (sign 1) or least (sign -1) x_i over the set: infinite where nothing stops it, NaN if
 * the simplex method gave up. s->x is a point where it is reached, if it is finite. */
double pw_polytope_end(pw_polytope *s, int i, double sign);

#endif
