// SPDX-License-Identifier: MIT
/* Cholesky by columns (left-looking): column j of L is column j of A minus the earlier columns of
 * L times their entry in row j, divided by the root of its pivot. Sizes 1 to 3 are written out. */
#include "linalg/chol.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "law/scale_mech.h"
#include "linalg/dense.h"

/* False for NaN and for infinite diagonals. */
static bool pivot_ok(double pivot, double diagonal) {
  return pivot > 0 && pivot > PW_SCALE(CHOL_PIVOT) * diagonal && diagonal < INFINITY;
}

static int chol_1(double *A) {
  if (!pivot_ok(A[0], A[0])) {
    return 1;
  }
  A[0] = sqrt(A[0]);
  return 0;
}

static int chol_2(double *A) {
  if (!pivot_ok(A[0], A[0])) {
    return 1;
  }
  A[0] = sqrt(A[0]);
  A[1] /= A[0];
  double p = A[3] - A[1] * A[1];
  if (!pivot_ok(p, A[3])) {
    return 2;
  }
  A[3] = sqrt(p);
  return 0;
}

static int chol_3(double *A) {
  if (!pivot_ok(A[0], A[0])) {
    return 1;
  }
  A[0] = sqrt(A[0]);
  A[1] /= A[0];
  A[2] /= A[0];
  double p = A[4] - A[1] * A[1];
  if (!pivot_ok(p, A[4])) {
    return 2;
  }
  A[4] = sqrt(p);
  A[5] = (A[5] - A[2] * A[1]) / A[4];
  p = A[8] - A[2] * A[2] - A[5] * A[5];
  if (!pivot_ok(p, A[8])) {
    return 3;
  }
  A[8] = sqrt(p);
  return 0;
}

int pw_chol(double *A, int n) {
  switch (n) {
  case 1: return chol_1(A);
  case 2: return chol_2(A);
  case 3: return chol_3(A);
  default: break;
  }
  for (int j = 0; j < n; j++) {
    double *col = A + (size_t)j * (size_t)n;
    double diagonal = col[j];
    for (int k = 0; k < j; k++) {
      const double *prev = A + (size_t)k * (size_t)n;
      if (prev[j] != 0) { /* bodies that M does not couple */
        pw_axpy(-prev[j], prev + j, col + j, n - j);
      }
    }
    if (!pivot_ok(col[j], diagonal)) {
      return j + 1;
    }
    double root = sqrt(col[j]);
    col[j] = root;
    for (int i = j + 1; i < n; i++) {
      col[i] /= root;
    }
  }
  return 0;
}

void pw_chol_forward(const double *L, int n, double *b) {
  if (n == 1) {
    b[0] /= L[0];
    return;
  }
  for (int j = 0; j < n; j++) {
    const double *col = L + (size_t)j * (size_t)n;
    if (b[j] != 0) { /* constraints have few entries */
      b[j] /= col[j];
      pw_axpy(-b[j], col + j + 1, b + j + 1, n - j - 1);
    }
  }
}

void pw_chol_backward(const double *L, int n, double *b) {
  if (n == 1) {
    b[0] /= L[0];
    return;
  }
  for (int j = n - 1; j >= 0; j--) {
    const double *col = L + (size_t)j * (size_t)n;
    b[j] = (b[j] - pw_dot(col + j + 1, b + j + 1, n - j - 1)) / col[j];
  }
}

double pw_chol_unit(const double *L, int n, double *b) {
  pw_chol_forward(L, n, b);
  double length = pw_norm2(b, n);
  for (int i = 0; length != 0 && i < n; i++) {
    b[i] /= length;
  }
  return length;
}
