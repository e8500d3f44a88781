// SPDX-License-Identifier: MIT
/* Gauss' principle, theory (15), (43), in its dual form, theory (44)-(46): the forces of perfect
 * monotone laws. minimise 1/2 |A x + c|^2 + z.x  over  lo <= x <= hi,     y = A^T (A x + c) + z,
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
  double tol;            /* on y, relative to the scale below; 0: 1e-11 */
  double rank_tol;       /* a column nearer than this to the span of others depends on them;
                            0: 1e-9 */
} pw_box_qp;

typedef struct pw_box_info {
  int iterations;
  double residual; /* largest violation of the conditions above, in units of y */
  double scale;    /* largest |a_i.c| + |z_i|, and of x where it starts at a bound */
  double rounding; /* error of evaluating y: residuals below it mean nothing */
  double accepted; /* largest violation left because its column depends on others up to rank_tol */
  int rank;        /* rows of the last independent set: the first `rank` of the work ints */
  int row;         /* INFEASIBLE: the row that cannot be satisfied, else -1. y is then a direction
                      that no bound stops: sum y_i column_i = 0 and sum y_i z_i < 0 */
} pw_box_info;

/* Work memory in doubles and ints. */
size_t pw_box_qp_doubles(int n, int m);
size_t pw_box_qp_ints(int m);

/* x: start and result, y: result. `hint`: rows expected inside their bounds; the other rows start
 * at the bound nearest to x. NULL: cold start, x is not read. SOLVED means
 * residual <= tol scale, or, where rows are nearly dependent and x is large, <= rounding or
 * accepted but never above 1e-8 scale. BREAKDOWN: it is more, or the data are not finite. */
pw_outcome pw_box_qp_solve(const pw_box_qp *p, double *x, double *y, const bool *hint, double *real,
                           int *whole, pw_box_info *info);

/* Largest violation of the conditions for given x, computed from scratch: shares nothing with the
 * solver. NaN if anything is. scratch: n. */
double pw_box_qp_residual(const pw_box_qp *p, const double *x, double *scratch);

#endif
