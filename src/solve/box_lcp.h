// SPDX-License-Identifier: MIT
/* Local problems theory (45) with a general matrix: find x with
 *   y = D x + b,   x_i inside its bounds: y_i = 0;  x_i = lo_i: y_i >= 0;  x_i = hi_i: y_i <= 0.
 * D need not be symmetric; none, one or many solutions may exist. lo = 0, hi = inf: the LCP. */
#ifndef PW_SOLVE_BOX_LCP_H
#define PW_SOLVE_BOX_LCP_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct pw_box_lcp {
  int m;
  const double *D;       /* m x m, column-major */
  const double *b;       /* m */
  const double *lo, *hi; /* m; -INFINITY and INFINITY allowed; NULL: 0 and INFINITY */
} pw_box_lcp;

static inline double pw_box_lcp_lo(const pw_box_lcp *p, int i) {
  return p->lo == NULL ? 0 : p->lo[i];
}

static inline double pw_box_lcp_hi(const pw_box_lcp *p, int i) {
  return p->hi == NULL ? (double)INFINITY : p->hi[i];
}

/* Finite data and lo <= hi. */
bool pw_box_lcp_well_posed(const pw_box_lcp *p);

/* Units: with x_i s_i and y_i / s_i all rows have one unit and D_ij / (s_i s_j) has diagonal 1
 * where D_ii != 0; a row without diagonal takes the unit of the rows it couples to. */
void pw_box_lcp_scale(const pw_box_lcp *p, double *s);

/* Natural map |x - proj(x - y)| in these units, relative to the largest |b_i| / s_i (or bound next
 * to zero, if that is more), computed from scratch. NaN if anything is. */
double pw_box_lcp_residual(const pw_box_lcp *p, const double *s, const double *x);

#endif
