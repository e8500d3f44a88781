// SPDX-License-Identifier: MIT
/* Box problems with a general matrix by Lemke's method: unbounded rows are eliminated first, the
 * others become an LCP (a row with two finite bounds takes two unknowns). */
#ifndef PW_SOLVE_MLCP_H
#define PW_SOLVE_MLCP_H

#include <stddef.h>

#include "solve/box_lcp.h"
#include "solve/outcome.h"

typedef struct pw_mlcp_info {
  int iterations;
  int size;        /* of the LCP */
  double residual; /* pw_box_lcp_residual of x; NaN without a result */
} pw_mlcp_info;

size_t pw_mlcp_doubles(int m);
size_t pw_mlcp_ints(int m);

/* cover: weights for pw_lcp, or NULL; at least 2 m of them. SOLVED: the residual of x is at most
 * 1e-10. INFEASIBLE: the unbounded rows contradict each other, or Lemke's method ended on a ray
 * (see lemke.h for what that proves). BREAKDOWN: not finite, or the unbounded rows leave a
 * condition on the others, which no LCP can express: enumerate then. */
pw_outcome pw_mlcp_solve(const pw_box_lcp *p, const double *cover, double *x, double *real,
                         int *whole, pw_mlcp_info *info);

#endif
