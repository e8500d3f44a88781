// SPDX-License-Identifier: MIT
/* One representative of all solutions of a box QP, as in theory (18): the least sum of x_i^2 with
 * A x and the complementarity pattern kept. Columns have unit length, so in physical multipliers
 * this is the least sum of D_ii lambda_i^2, which no rescaling of a constraint changes. */
#ifndef PW_SOLVE_BOX_MIN_H
#define PW_SOLVE_BOX_MIN_H

#include "solve/box_qp.h"

typedef struct pw_box_min_info {
  int iterations;
  int open;   /* rows with y_i = 0, whose x_i may differ between solutions */
  int rank;   /* of their columns; open - rank is the degree of static indeterminacy */
  double gap; /* how far optimality is missed, in units of x */
} pw_box_min_info;

size_t pw_box_min_doubles(int n, int m);
size_t pw_box_min_ints(int n, int m);

/* x: a solution with its y on entry, the representative on return. Rows with |y_i| > y_tol stay.
 * MAX_ITER: x is a solution still, but not shown to be the least. */
pw_outcome pw_box_min(const pw_box_qp *p, const double *y, double y_tol, double *x, double *real,
                      int *whole, pw_box_min_info *info);

#endif
