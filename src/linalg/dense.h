// SPDX-License-Identifier: MIT
/* Small dense kernels. Matrices are column-major with the number of rows as leading dimension;
 * all memory is the caller's. The order of sums is fixed, so results are reproducible. */
#ifndef PW_LINALG_DENSE_H
#define PW_LINALG_DENSE_H

#include <math.h>
#include <stddef.h>
#include <string.h>

/* As memcpy, whose call costs more than the few numbers that most vectors here have. */
static inline void pw_copy(double *restrict to, const double *restrict from, int n) {
  if (n > 4) {
    memcpy(to, from, (size_t)n * sizeof *to);
    return;
  }
  for (int i = 0; i < 4; i++) {
    if (i >= n) {
      return;
    }
    to[i] = from[i];
  }
}

static inline void pw_zero(double *x, int n) {
  if (n > 4) {
    memset(x, 0, (size_t)n * sizeof *x);
    return;
  }
  for (int i = 0; i < 4; i++) {
    if (i >= n) {
      return;
    }
    x[i] = 0;
  }
}

/* Four partial sums, which do not wait for each other; short vectors in the order of the index. */
static inline double pw_dot(const double *x, const double *y, int n) {
  double s = 0;
  int i = 0;
  if (n >= 8) {
    double a = 0, b = 0, c = 0, d = 0;
    for (; i + 4 <= n; i += 4) {
      a += x[i] * y[i];
      b += x[i + 1] * y[i + 1];
      c += x[i + 2] * y[i + 2];
      d += x[i + 3] * y[i + 3];
    }
    s = (a + b) + (c + d);
  }
  for (; i < n; i++) {
    s += x[i] * y[i];
  }
  return s;
}

/* y += a x; x and y are different vectors. */
static inline void pw_axpy(double a, const double *restrict x, double *restrict y, int n) {
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    y[i] += a * x[i];
    y[i + 1] += a * x[i + 1];
    y[i + 2] += a * x[i + 2];
    y[i + 3] += a * x[i + 3];
  }
  for (; i < n; i++) {
    y[i] += a * x[i];
  }
}

/* |x|_2 without overflow or underflow of the squares; NaN stays NaN. */
static inline double pw_norm2(const double *x, int n) {
  double s = pw_dot(x, x, n);
  if (s > 1e-280 && s < 1e280) {
    return sqrt(s);
  }
  double big = 0;
  for (int i = 0; i < n; i++) {
    double a = fabs(x[i]);
    big = isnan(big) || big >= a ? big : a;
  }
  if (!(big > 0) || isinf(big)) {
    return big;
  }
  s = 0;
  for (int i = 0; i < n; i++) {
    s += (x[i] / big) * (x[i] / big);
  }
  return big * sqrt(s);
}

/* y = A x,  A is n x m */
static inline void pw_gemv(const double *A, int n, int m, const double *x, double *y) {
  for (int i = 0; i < n; i++) {
    y[i] = 0;
  }
  for (int j = 0; j < m; j++) {
    pw_axpy(x[j], A + (size_t)j * (size_t)n, y, n);
  }
}

/* y = A^T x,  A is n x m */
static inline void pw_gemv_t(const double *A, int n, int m, const double *x, double *y) {
  for (int j = 0; j < m; j++) {
    y[j] = pw_dot(A + (size_t)j * (size_t)n, x, n);
  }
}

#endif
