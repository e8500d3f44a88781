// SPDX-License-Identifier: MIT
/* LU by columns (left-looking), so that the size of each column of A is available when its pivot is
 * judged. pivot[k] is the row exchanged with row k. */
#include "linalg/lu.h"

#include <math.h>
#include <stddef.h>

#include "base/assert.h"
#include "base/entries.h"
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

/* A column without the zeros at its ends, which blocks that do not touch leave. */
typedef struct stretch {
  int from, end;
} stretch;

static stretch stretch_of(const double *col, int n) {
  stretch x = {pw_next_entry(col, 0, n), n};
  while (x.end > x.from && col[x.end - 1] == 0) {
    x.end--;
  }
  return x;
}

/* Subtracts the columns before column j. Returns where its entries end then. */
static int eliminate(const double *A, int n, int j, stretch x, double *col) {
  for (int k = pw_next_entry(col, x.from, j); k < j && k < x.end;
       k = pw_next_entry(col, k + 1, j)) {
    const double *other = A + (size_t)k * (size_t)n;
    int end = stretch_of(other, n).end;
    if (end > k + 1) {
      pw_axpy(-col[k], other + k + 1, col + k + 1, end - k - 1);
    }
    x.end = end > x.end ? end : x.end;
  }
  return x.end;
}

int pw_lu(double *A, int n, int *pivot) {
  int swapped = 0; /* no rows were exchanged from here on */
  for (int j = 0; j < n; j++) {
    double *col = A + (size_t)j * (size_t)n;
    stretch x = swapped > 0 ? (stretch){0, n} : stretch_of(col, n);
    double scale = pw_norm_inf(col + x.from, x.end - x.from);
    for (int k = 0; k < swapped; k++) {
      swap(col, k, pivot[k]);
    }
    x.end = eliminate(A, n, j, x, col);
    if (!pw_all_finite(col + x.from, x.end - x.from)) {
      return j + 1;
    }
    pivot[j] = largest(col, j, x.end);
    swapped = pivot[j] != j ? j + 1 : swapped;
    for (int k = 0; k <= j && pivot[j] != j; k++) {
      swap(A + (size_t)k * (size_t)n, j, pivot[j]);
    }
    if (!(fabs(col[j]) > PW_SCALE(LU_PIVOT) * scale)) {
      return j + 1;
    }
    for (int i = j + 1; i < x.end; i++) {
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
