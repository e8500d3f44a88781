// SPDX-License-Identifier: MIT
/* Seeded random problems for the solvers of local problems. */
#ifndef PW_TESTS_SOLVE_SUPPORT_H
#define PW_TESTS_SOLVE_SUPPORT_H

#include <math.h>
#include <stdint.h>

#include "linalg/dense.h"
#include "unit/linalg_random.h"

static inline int random_int(uint64_t *state, int from, int to) {
  double u = 0.5 * (random_real(state) + 1);
  int k = from + (int)(u * (double)(to - from + 1));
  return k > to ? to : k;
}

static inline void normalise_columns(double *A, int n, int m) {
  for (int j = 0; j < m; j++) {
    double *a = A + (size_t)j * (size_t)n;
    double length = pw_norm2(a, n);
    for (int i = 0; i < n && length > 0; i++) {
      a[i] /= length;
    }
  }
}

/* Bilateral, unilateral of either side, box, shifted and fixed rows. */
static inline void random_bounds(uint64_t *s, int m, double size, double *lo, double *hi) {
  for (int i = 0; i < m; i++) {
    int kind = random_int(s, 0, 11);
    lo[i] = kind <= 2 || kind == 7 ? -INFINITY : 0;
    hi[i] = kind == 7 ? 0 : INFINITY;
    if (kind >= 8) {
      lo[i] = -size * fabs(random_real(s));
      hi[i] = size * fabs(random_real(s));
    }
    if (kind == 10) {
      lo[i] += size;
      hi[i] += size;
    } else if (kind == 11) {
      hi[i] = lo[i];
    }
  }
}

/* D = A^T A,  b = A^T c + z */
static inline void gram(const double *A, int n, int m, const double *c, const double *z, double *D,
                        double *b) {
  for (int i = 0; i < m; i++) {
    for (int j = 0; j < m; j++) {
      D[j * m + i] = pw_dot(A + i * n, A + j * n, n);
    }
    b[i] = pw_dot(A + i * n, c, n) + z[i];
  }
}

static inline double clamped(double x, double lo, double hi) {
  return x < lo ? lo : x > hi ? hi : x;
}

/* Natural map of  y = D x + b  over the box. */
static inline double natural_residual(const double *D, const double *b, const double *lo,
                                      const double *hi, int m, const double *x) {
  double worst = 0;
  for (int i = 0; i < m; i++) {
    double y = b[i];
    for (int j = 0; j < m; j++) {
      y += D[j * m + i] * x[j];
    }
    double r = fabs(x[i] - clamped(x[i] - y, lo[i], hi[i]));
    worst = r > worst || isnan(r) ? r : worst;
  }
  return worst;
}

#endif
