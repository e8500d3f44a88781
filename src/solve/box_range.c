// SPDX-License-Identifier: MIT
/* The solutions are { x : A x = A x*, lo <= x <= hi, x_i = x*_i where y_i != 0 }: a polytope. */
#include "solve/box_range.h"

#include <math.h>
#include <string.h>

#include "base/strip.h"
#include "law/scale_mech.h"
#include "solve/polytope.h"

typedef struct parts {
  double *A, *lo, *hi, *start; /* of the rows that are open */
  int *row;
  double *real; /* of the polytope */
  int *whole;
} parts;

static parts lay_out(int n, int m, pw_strip *to) {
  size_t k = (size_t)m;
  return (parts){.A = pw_strip_real(to, (size_t)n * k),
                 .lo = pw_strip_real(to, k),
                 .hi = pw_strip_real(to, k),
                 .start = pw_strip_real(to, k),
                 .row = pw_strip_whole(to, k),
                 .real = pw_strip_real(to, pw_polytope_doubles(n, m)),
                 .whole = pw_strip_whole(to, pw_polytope_ints(m))};
}

size_t pw_box_range_doubles(int n, int m) {
  pw_strip to = {0};
  (void)lay_out(n, m, &to);
  return to.n_real;
}

size_t pw_box_range_ints(int m) {
  pw_strip to = {0};
  (void)lay_out(0, m, &to);
  return to.n_whole;
}

pw_outcome pw_box_range(const pw_box_qp *p, const double *x, const double *y, double y_tol,
                        double *least, double *largest, double *real, int *whole) {
  size_t n = (size_t)p->n;
  parts at = lay_out(p->n, p->m, &(pw_strip){.real = real, .whole = whole});
  int *row = at.row, count = 0;
  for (int i = 0; i < p->m; i++) {
    least[i] = largest[i] = x[i];
    if (!(fabs(y[i]) > y_tol) && p->lo[i] < p->hi[i]) {
      memcpy(at.A + (size_t)count * n, p->A + (size_t)i * n, n * sizeof *at.A);
      at.lo[count] = p->lo[i];
      at.hi[count] = p->hi[i];
      at.start[count] = x[i];
      row[count++] = i;
    }
  }
  pw_polytope s;
  double rank_tol = p->rank_tol > 0 ? p->rank_tol : PW_SCALE(RANK_ROWS);
  pw_outcome o = pw_polytope_init(&s, p->n, count, at.A, at.lo, at.hi, rank_tol, at.real, at.whole);
  pw_polytope_start(&s, at.start);
  for (int k = 0; k < count && o != PW_BREAKDOWN; k++) {
    least[row[k]] = pw_polytope_end(&s, k, -1);
    largest[row[k]] = pw_polytope_end(&s, k, 1);
    if (isnan(least[row[k]]) || isnan(largest[row[k]])) {
      o = PW_MAX_ITER;
    }
  }
  return o;
}
