// SPDX-License-Identifier: MIT
/* Lemke's method for the LCP  w = M z + q,  w, z >= 0,  w_i z_i = 0,  with lexicographic pivots, so
 * that degenerate problems do not cycle. O(n^2) per pivot. */
#ifndef PW_SOLVE_LEMKE_H
#define PW_SOLVE_LEMKE_H

#include <stddef.h>

#include "solve/outcome.h"

typedef struct pw_lcp {
  int n;
  const double *M;     /* n x n, column-major */
  const double *q;     /* n */
  const double *cover; /* n positive weights of the artificial variable, in the units of w / s of
                          box_lcp.h; NULL: ones. Another one may lead to another solution. */
  int max_iter;        /* 0: 50 + 20 n */
  double tol;          /* on the residual; 0: 1e-10 */
} pw_lcp;

typedef struct pw_lcp_info {
  int iterations;
  double residual; /* pw_lcp_residual of the result; NaN without one */
} pw_lcp_info;

size_t pw_lcp_doubles(int n);
size_t pw_lcp_ints(int n);

/* z: the solution, or for INFEASIBLE the direction z >= 0 of the ray on which the method ended. If
 * M is copositive plus (positive semidefinite, for one), M^T z <= 0 and q.z < 0 then prove that no
 * w, z >= 0 exist at all; for other matrices a solution may exist that this path does not reach.
 * BREAKDOWN: data that are not finite, or a residual above tol. */
pw_outcome pw_lcp_lemke(const pw_lcp *p, double *z, double *real, int *whole, pw_lcp_info *info);

/* max |min(z_i, w_i)| in unit-free form, see pw_box_lcp_residual. scratch: n */
double pw_lcp_residual(const pw_lcp *p, const double *z, double *scratch);

#endif
