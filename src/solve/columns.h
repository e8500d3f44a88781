// SPDX-License-Identifier: MIT
/* Products with a column-major matrix, four columns at a time: the sums of one column still run in
 * index order, but four of them overlap, which hides the latency of the additions. */
#ifndef PW_SOLVE_COLUMNS_H
#define PW_SOLVE_COLUMNS_H

#include <stddef.h>

#include "linalg/dense.h"

/* y = A^T x,  A is n x m */
static inline void pw_columns_dot(const double *A, int n, int m, const double *x, double *y) {
  int j = 0;
  for (; j + 4 <= m; j += 4) {
    const double *a = A + (size_t)j * (size_t)n, *b = a + n, *c = b + n, *d = c + n;
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    for (int i = 0; i < n; i++) {
      s0 += a[i] * x[i];
      s1 += b[i] * x[i];
      s2 += c[i] * x[i];
      s3 += d[i] * x[i];
    }
    y[j] = s0;
    y[j + 1] = s1;
    y[j + 2] = s2;
    y[j + 3] = s3;
  }
  for (; j < m; j++) {
    y[j] = pw_dot(A + (size_t)j * (size_t)n, x, n);
  }
}

/* y += f A x,  A is n x m */
static inline void pw_columns_add(const double *A, int n, int m, double f, const double *x,
                                  double *y) {
  int j = 0;
  for (; j + 4 <= m; j += 4) {
    const double *a = A + (size_t)j * (size_t)n, *b = a + n, *c = b + n, *d = c + n;
    double x0 = f * x[j], x1 = f * x[j + 1], x2 = f * x[j + 2], x3 = f * x[j + 3];
    for (int i = 0; i < n; i++) {
      y[i] += (a[i] * x0 + b[i] * x1) + (c[i] * x2 + d[i] * x3);
    }
  }
  for (; j < m; j++) {
    pw_axpy(f * x[j], A + (size_t)j * (size_t)n, y, n);
  }
}

#endif
