// SPDX-License-Identifier: MIT
/* Cholesky by columns (left-looking): column j of L is column j of A minus the earlier columns of
 * L times their entry in row j, divided by the root of its pivot. Sizes 1 to 3 are written out. */
#include "linalg/chol.h"

#include "linalg/dense.h"

static int chol_1(double *A) {
  if (!pw_chol_pivot_ok(A[0], A[0])) {
    return 1;
  }
  A[0] = sqrt(A[0]);
  return 0;
}

static int chol_2(double *A) {
  if (!pw_chol_pivot_ok(A[0], A[0])) {
    return 1;
  }
  A[0] = sqrt(A[0]);
  A[1] /= A[0];
  double p = A[3] - A[1] * A[1];
  if (!pw_chol_pivot_ok(p, A[3])) {
    return 2;
  }
  A[3] = sqrt(p);
  return 0;
}

static int chol_3(double *A) {
  if (!pw_chol_pivot_ok(A[0], A[0])) {
    return 1;
  }
  A[0] = sqrt(A[0]);
  A[1] /= A[0];
  A[2] /= A[0];
  double p = A[4] - A[1] * A[1];
  if (!pw_chol_pivot_ok(p, A[4])) {
    return 2;
  }
  A[4] = sqrt(p);
  A[5] = (A[5] - A[2] * A[1]) / A[4];
  p = A[8] - A[2] * A[2] - A[5] * A[5];
  if (!pw_chol_pivot_ok(p, A[8])) {
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
    if (!pw_chol_pivot_ok(col[j], diagonal)) {
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

void pw_chol_forward_in(const double *L, int n, const int *extent, double *b) {
  if (n == 1) {
    b[0] /= L[0];
    return;
  }
  for (int j = 0; j < n; j++) {
    const double *col = L + (size_t)j * (size_t)n;
    if (b[j] != 0) { /* constraints have few entries */
      int last = extent == NULL ? n - 1 : extent[j];
      b[j] /= col[j];
      if (last > j) {
        pw_axpy(-b[j], col + j + 1, b + j + 1, last - j);
      }
    }
  }
}

/* Terms of a product of n of which only the first `some` are not zero: as many as give the same to
 * the last bit, as pw_dot has four sums from 8 terms on. */
static int enough_terms(int some, int n) {
  int whole = some <= 8 ? 8 : (some + 3) / 4 * 4;
  return some == 0 ? 0 : n < 8 || some > n / 4 * 4 ? n : whole;
}

void pw_chol_backward_in(const double *L, int n, const int *extent, double *b) {
  if (n == 1) {
    b[0] /= L[0];
    return;
  }
  for (int j = n - 1; j >= 0; j--) {
    const double *col = L + (size_t)j * (size_t)n;
    if (extent != NULL && extent[j] == j) { /* a body of its own */
      b[j] /= col[j];
      continue;
    }
    int rest = n - j - 1, some = extent == NULL ? rest : enough_terms(extent[j] - j, rest);
    b[j] = (b[j] - pw_dot(col + j + 1, b + j + 1, some)) / col[j];
  }
}

void pw_chol_lift_in(const double *L, int n, const int *extent, const double *v, double *out) {
  for (int j = 0; j < n; j++) {
    if (extent != NULL && extent[j] == j) {
      out[j] = L[(size_t)j * (size_t)(n + 1)] * v[j];
      continue;
    }
    int rest = n - j, some = extent == NULL ? rest : enough_terms(extent[j] - j + 1, rest);
    out[j] = pw_dot(L + (size_t)j * (size_t)(n + 1), v + j, some);
  }
}

double pw_chol_forward_list(const double *L, int n, const int *at, int count, const double *b,
                            double *out) {
  double sum = 0;
  for (int i = 0; i < count; i++) {
    out[at[i]] = b[at[i]];
  }
  for (int i = 0; i < count; i++) {
    const double *col = L + (size_t)at[i] * (size_t)n;
    double x = out[at[i]];
    if (x != 0) {
      out[at[i]] = x /= col[at[i]];
      for (int k = i + 1; k < count; k++) {
        out[at[k]] -= x * col[at[k]];
      }
    }
    sum += x * x;
  }
  return sum > 1e-280 && sum < 1e280 ? sqrt(sum) : pw_norm2(out, n);
}

void pw_chol_forward(const double *L, int n, double *b) {
  pw_chol_forward_in(L, n, NULL, b);
}

void pw_chol_backward(const double *L, int n, double *b) {
  pw_chol_backward_in(L, n, NULL, b);
}

double pw_chol_unit(const double *L, int n, double *b) {
  pw_chol_forward(L, n, b);
  double length = pw_norm2(b, n);
  for (int i = 0; length != 0 && i < n; i++) {
    b[i] /= length;
  }
  return length;
}
