// SPDX-License-Identifier: MIT
/* Cholesky factor of a symmetric positive definite matrix, in the caller's memory. */
#ifndef PW_LINALG_CHOL_H
#define PW_LINALG_CHOL_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "law/scale_mech.h"

/* False for NaN and for infinite diagonals. */
static inline bool pw_chol_pivot_ok(double pivot, double diagonal) {
  return pivot > 0 && pivot > PW_SCALE(CHOL_PIVOT) * diagonal && diagonal < INFINITY;
}

/* A = L L^T in place. Reads and writes the lower triangle of the n x n column-major A only.
 * Returns 0, or i + 1 for the first pivot i that is not above CHOL_PIVOT A_ii (also if it is NaN):
 * the ratio pivot / A_ii does not change when coordinates are rescaled. */
int pw_chol(double *A, int n);

/* For assertions: the diagonal of a factor is positive. */
static inline bool pw_chol_is_factor(const double *L, int n) {
  bool positive = true;
  for (int j = 0; j < n; j++) {
    positive = positive && L[(size_t)j * (size_t)(n + 1)] > 0;
  }
  return positive;
}

void pw_chol_forward(const double *L, int n, double *b);  /* b <- L^-1 b */
void pw_chol_backward(const double *L, int n, double *b); /* b <- L^-T b */
/* The same where column j of L ends at row extent[j]; NULL: at the last. */
void pw_chol_forward_in(const double *L, int n, const int *extent, double *b);
void pw_chol_backward_in(const double *L, int n, const int *extent, double *b);
/* out <- L^T v */
void pw_chol_lift_in(const double *L, int n, const int *extent, const double *v, double *out);
/* out <- L^-1 b, where b has entries only in the list, which is ascending and contains everything
 * that L couples with them; out (n) must be zero elsewhere. Returns its length. */
double pw_chol_forward_list(const double *L, int n, const int *at, int count, const double *b,
                            double *out);
/* b <- L^-1 b / |L^-1 b|, a covector of unit length in the metric of A. Returns the length, zero if
 * it has none; b is zero then. */
double pw_chol_unit(const double *L, int n, double *b);

#endif
