// SPDX-License-Identifier: MIT
/* The solutions are { x : A x = A x*, lo <= x <= hi, x_i = x*_i where y_i != 0 }: a polytope. */
#include "solve/box_range.h"

#include <math.h>
#include <string.h>

#include "law/scale_mech.h"
#include "solve/polytope.h"

size_t pw_box_range_doubles(int n, int m) {
  return pw_polytope_doubles(n, m) + (size_t)n * (size_t)m + 3 * (size_t)m;
}

size_t pw_box_range_ints(int m) {
  return pw_polytope_ints(m) + (size_t)m;
}

pw_outcome pw_box_range(const pw_box_qp *p, const double *x, const double *y, double y_tol,
                        double *least, double *largest, double *real, int *whole) {
  size_t n = (size_t)p->n, m = (size_t)p->m;
  double *A = real, *lo = A + n * m, *hi = lo + m, *start = hi + m;
  int *row = whole, count = 0;
  for (int i = 0; i < p->m; i++) {
    least[i] = largest[i] = x[i];
    if (!(fabs(y[i]) > y_tol) && p->lo[i] < p->hi[i]) {
      memcpy(A + (size_t)count * n, p->A + (size_t)i * n, n * sizeof *A);
      lo[count] = p->lo[i];
      hi[count] = p->hi[i];
      start[count] = x[i];
      row[count++] = i;
    }
  }
  pw_polytope s;
  double rank_tol = p->rank_tol > 0 ? p->rank_tol : PW_SCALE(RANK_ROWS);
  pw_outcome o = pw_polytope_init(&s, p->n, count, A, lo, hi, rank_tol, start + m, whole + p->m);
  pw_polytope_start(&s, start);
  for (int k = 0; k < count && o != PW_BREAKDOWN; k++) {
    least[row[k]] = pw_polytope_end(&s, k, -1);
    largest[row[k]] = pw_polytope_end(&s, k, 1);
    if (isnan(least[row[k]]) || isnan(largest[row[k]])) {
      o = PW_MAX_ITER;
    }
  }
  return o;
}
