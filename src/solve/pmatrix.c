// SPDX-License-Identifier: MIT
/* D is a P-matrix iff d_11 > 0 and both the matrix without row and column 1 and the Schur
 * complement of d_11 are P-matrices (Tsatsomeros and Li). */
#include "solve/pmatrix.h"

#include <math.h>
#include <stdbool.h>

#include "base/real.h"
#include "linalg/chol.h"

static const double border = 1e-8;

size_t pw_pmatrix_doubles(int m) {
  size_t k = (size_t)m, levels = m <= PW_P_LARGEST ? k + 1 : 1;
  return levels * k * k + k;
}

/* Works on the k x k matrix A; what follows it in memory holds the complements. A pivot that is
 * not clearly positive ends the search. */
static bool minors(double *A, int k, double *margin) {
  if (k == 0) {
    return true;
  }
  double pivot = A[0];
  *margin = pw_min(*margin, pivot);
  if (!(pivot > border)) {
    return false;
  }
  int rest = k - 1;
  double *B = A + (size_t)k * (size_t)k;
  for (int schur = 0; schur < 2; schur++) {
    for (int j = 0; j < rest; j++) {
      for (int i = 0; i < rest; i++) {
        double sub = schur == 0 ? 0 : A[i + 1] * A[(j + 1) * k] / pivot;
        B[j * rest + i] = A[(j + 1) * k + i + 1] - sub;
      }
    }
    if (!minors(B, rest, margin)) {
      return false;
    }
  }
  return true;
}

static pw_p_answer judge(bool all, double margin) {
  return all ? PW_P_YES : margin < -border ? PW_P_NO : PW_P_BORDER;
}

/* 2 x 2 minors of the matrix with unit diagonal. */
static bool pairs(const double *A, int m, double *margin) {
  for (int j = 0; j < m; j++) {
    for (int i = 0; i < j; i++) {
      double minor =
          1 - A[(size_t)j * (size_t)m + (size_t)i] * A[(size_t)i * (size_t)m + (size_t)j];
      *margin = pw_min(*margin, minor);
    }
  }
  return *margin > border;
}

static bool symmetric_part_positive(double *A, int m) {
  for (int j = 0; j < m; j++) {
    for (int i = j; i < m; i++) {
      double *low = &A[(size_t)j * (size_t)m + (size_t)i];
      *low = 0.5 * (*low + A[(size_t)i * (size_t)m + (size_t)j]);
    }
  }
  return pw_chol(A, m) == 0;
}

pw_p_answer pw_pmatrix(const double *D, int m, double *margin, double *real) {
  double *s = real, *A = real + m;
  *margin = INFINITY;
  for (int i = 0; i < m; i++) {
    double d = D[(size_t)i * (size_t)m + (size_t)i];
    if (!(d > 0)) {
      *margin = isnan(d) ? NAN : d < 0 ? -1 : 0;
      return d < 0 ? PW_P_NO : d == 0 ? PW_P_BORDER : PW_P_UNKNOWN;
    }
    s[i] = sqrt(d);
  }
  for (int j = 0; j < m; j++) {
    for (int i = 0; i < m; i++) {
      size_t at = (size_t)j * (size_t)m + (size_t)i;
      A[at] = i == j ? 1 : D[at] / (s[i] * s[j]);
      if (!isfinite(A[at])) {
        *margin = NAN;
        return PW_P_UNKNOWN;
      }
    }
  }
  if (m <= PW_P_LARGEST) {
    bool all = minors(A, m, margin);
    return judge(all, *margin);
  }
  if (!pairs(A, m, margin)) {
    return judge(false, *margin);
  }
  return symmetric_part_positive(A, m) ? PW_P_YES : PW_P_UNKNOWN;
}
