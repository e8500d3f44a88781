// SPDX-License-Identifier: MIT
/* Seeded random numbers and plain matrix products for the tests of the kernels. */
#ifndef PW_TESTS_LINALG_RANDOM_H
#define PW_TESTS_LINALG_RANDOM_H

#include <stddef.h>
#include <stdint.h>

/* Uniform in (-1, 1): splitmix64. */
static inline double random_real(uint64_t *state) {
  *state += 0x9e3779b97f4a7c15u;
  uint64_t z = *state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  z ^= z >> 31;
  return (double)(z >> 11) / 4503599627370496.0 - 1;
}

static inline void random_fill(double *x, int n, uint64_t *state) {
  for (int i = 0; i < n; i++) {
    x[i] = random_real(state);
  }
}

/* C (n x m) = A (n x k) B (k x m), columns stored one after the other. */
static inline void multiply(const double *A, const double *B, int n, int k, int m, double *C) {
  for (int j = 0; j < m; j++) {
    for (int i = 0; i < n; i++) {
      double s = 0;
      for (int p = 0; p < k; p++) {
        s += A[p * n + i] * B[j * k + p];
      }
      C[j * n + i] = s;
    }
  }
}

static inline void transpose(const double *A, int n, int m, double *T) {
  for (int j = 0; j < m; j++) {
    for (int i = 0; i < n; i++) {
      T[i * m + j] = A[j * n + i];
    }
  }
}

#endif
