// SPDX-License-Identifier: MIT
/* A pendulum of six links by hand, for fields of doubles; BENCH_G is the user's. */
#ifndef BENCH_SIX_LINKS_H
#define BENCH_SIX_LINKS_H

#include <math.h>

enum { BENCH_LINKS = 6 };

/* M_ij = (n - max(i, j)) cos(th_i - th_j), by Cholesky's factors in place. */
static inline void six_links(const double *y, double *dy) {
  enum { n = BENCH_LINKS };
  double s[n], c[n], M[n][n], r[n];
  for (int i = 0; i < n; i++) {
    s[i] = sin(y[i]);
    c[i] = cos(y[i]);
    r[i] = -BENCH_G * (n - i) * s[i];
  }
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      double sine = (n - i) * (s[i] * c[j] - c[i] * s[j]);
      M[i][j] = (n - i) * (c[i] * c[j] + s[i] * s[j]);
      r[i] -= sine * y[n + j] * y[n + j];
      r[j] += sine * y[n + i] * y[n + i];
    }
    M[i][i] = n - i;
  }
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++) {
      double sum = M[i][j];
      for (int k = 0; k < j; k++) {
        sum -= M[i][k] * M[j][k];
      }
      M[i][j] = i == j ? sqrt(sum) : sum / M[j][j];
    }
    for (int k = 0; k < i; k++) {
      r[i] -= M[i][k] * r[k];
    }
    r[i] /= M[i][i];
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int k = i + 1; k < n; k++) {
      r[i] -= M[k][i] * r[k];
    }
    r[i] /= M[i][i];
    dy[i] = y[n + i];
    dy[n + i] = r[i];
  }
}

#endif
