// SPDX-License-Identifier: MIT
/* LU by columns (left-looking), so that the size of each column of A is available when its pivot is
 * judged. pivot[k] is the row exchanged with row k. */
#include "linalg/lu.h"

#include <math.h>
#include <stddef.h>

#include "base/assert.h"
#include "base/real.h"
#include "law/scale_mech.h"
#include "linalg/dense.h"

static void swap(double *x, int i, int k) {
  double keep = x[i];
  x[i] = x[k];
  x[k] = keep;
}

static int largest(const double *x, int from, int n) {
  int best = from;
  for (int i = from + 1; i < n; i++) {
    if (fabs(x[i]) > fabs(x[best])) {
      best = i;
    }
  }
  return best;
}

int pw_lu(double *A, int n, int *pivot) {
  for (int j = 0; j < n; j++) {
    double *col = A + (size_t)j * (size_t)n;
    double scale = pw_norm_inf(col, n);
    for (int k = 0; k < j; k++) {
      swap(col, k, pivot[k]);
    }
    for (int k = 0; k < j; k++) {
      if (col[k] != 0) { /* blocks that do not touch */
        pw_axpy(-col[k], A + (size_t)k * (size_t)n + k + 1, col + k + 1, n - k - 1);
      }
    }
    if (!pw_all_finite(col, n)) {
      return j + 1;
    }
    pivot[j] = largest(col, j, n);
    for (int k = 0; k <= j; k++) {
      swap(A + (size_t)k * (size_t)n, j, pivot[j]);
    }
    if (!(fabs(col[j]) > PW_SCALE(LU_PIVOT) * scale)) {
      return j + 1;
    }
    for (int i = j + 1; i < n; i++) {
      col[i] /= col[j];
    }
  }
  return 0;
}

void pw_lu_solve(const double *LU, int n, const int *pivot, double *b) {
  for (int k = 0; k < n; k++) {
    PW_ASSERT(pivot[k] >= k && pivot[k] < n);
    swap(b, k, pivot[k]);
  }
  for (int k = 0; k < n; k++) {
    pw_axpy(-b[k], LU + (size_t)k * (size_t)n + k + 1, b + k + 1, n - k - 1);
  }
  for (int k = n - 1; k >= 0; k--) {
    b[k] /= LU[(size_t)k * (size_t)n + (size_t)k];
    pw_axpy(-b[k], LU + (size_t)k * (size_t)n, b, k);
  }
}
