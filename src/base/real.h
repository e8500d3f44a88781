// SPDX-License-Identifier: MIT
/* Reductions that keep NaN: a value that is not a number never looks converged. */
#ifndef PW_BASE_REAL_H
#define PW_BASE_REAL_H

#include <math.h>
#include <stdbool.h>

/* Larger of two, NaN if either is NaN (fmax drops it). */
static inline double pw_max(double a, double b) {
  return isnan(a) || a >= b ? a : b;
}

static inline double pw_min(double a, double b) {
  return isnan(a) || a <= b ? a : b;
}

/* As fmax and fmin, which drop NaN, without a call. */
static inline double pw_larger(double a, double b) {
  return a > b || isnan(b) ? a : b;
}

static inline double pw_smaller(double a, double b) {
  return a < b || isnan(b) ? a : b;
}

/* max_i |x_i|, NaN if any is NaN. */
static inline double pw_norm_inf(const double *x, int n) {
  double m = 0;
  for (int i = 0; i < n; i++) {
    m = pw_max(m, fabs(x[i]));
  }
  return m;
}

/* Length of a vector of few components, without overflow. */
static inline double pw_length(const double *x, int n) {
  double length = n > 0 ? fabs(x[0]) : 0;
  for (int i = 1; i < n; i++) {
    length = hypot(length, x[i]);
  }
  return length;
}

/* Product of two of them. */
static inline double pw_along(const double *a, const double *b, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    sum += a[i] * b[i];
  }
  return sum;
}

static inline bool pw_all_finite(const double *x, int n) {
  for (int i = 0; i < n; i++) {
    if (!isfinite(x[i])) {
      return false;
    }
  }
  return true;
}

#endif
