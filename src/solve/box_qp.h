// SPDX-License-Identifier: MIT
/* Gauss' principle in its dual form (numerics B.1): the forces of perfect monotone laws.
 *   minimise 1/2 |A x + c|^2 + z.x  over  lo <= x <= hi,     y = A^T (A x + c) + z,
 *   x_i inside its bounds: y_i = 0;  x_i = lo_i: y_i >= 0;  x_i = hi_i: y_i <= 0.
 * A = L^-1 W with columns of unit length. A x is unique, x only if the columns are independent. */
#ifndef PW_SOLVE_BOX_QP_H
#define PW_SOLVE_BOX_QP_H

#include <stdbool.h>
#include <stddef.h>

#include "solve/outcome.h"

typedef struct pw_box_qp {
  int n, m;
  const double *A;       /* n x m, column-major, unit columns (or zero) */
  const double *c;       /* n */
  const double *z;       /* m */
  const double *lo, *hi; /* m; -INFINITY, INFINITY allowed, lo <= 0 <= hi not required */
  double tol;            /* on y, relative to the scale of A^T c + z; 0: 1e-11 */
} pw_box_qp;

typedef struct pw_box_info {
  int iterations;
  double residual; /* largest violation of the conditions above, in units of y */
  int row;         /* INFEASIBLE: the row that cannot be satisfied; its combination is in y:
                      sum_i y_i column_i = 0 although sum_i y_i z_i != 0 (bounds permitting) */
} pw_box_info;

/* Work memory in doubles and ints. */
size_t pw_box_qp_doubles(int n, int m);
size_t pw_box_qp_ints(int m);

/* x: start (projected on the bounds) and result, y: result. `hint`: rows expected to be inside
 * their bounds, or NULL. */
pw_outcome pw_box_qp_solve(const pw_box_qp *p, double *x, double *y, const bool *hint,
                           double *real, int *whole, pw_box_info *info);

/* Largest violation of the conditions for given x, computed from scratch: shares nothing with the
 * solver. NaN if anything is. scratch: n. */
double pw_box_qp_residual(const pw_box_qp *p, const double *x, double *scratch);

#endif
