// SPDX-License-Identifier: MIT
#include "linalg/lu.h"

#include "check.h"
#include "linalg/dense.h"
#include "linalg_random.h"

enum { MAX = 10 };

static void solves(void) {
  for (uint64_t seed = 1; seed <= 60; seed++) {
    uint64_t state = seed;
    int n = 1 + (int)(seed % MAX), pivot[MAX];
    double A[MAX * MAX], F[MAX * MAX], x[MAX], b[MAX];
    random_fill(A, n * n, &state);
    random_fill(x, n, &state);
    pw_gemv(A, n, n, x, b);
    memcpy(F, A, sizeof A);
    CHECK_SEED(pw_lu(F, n, pivot) == 0, seed);
    pw_lu_solve(F, n, pivot, b);
    for (int i = 0; i < n; i++) {
      CHECK_SEED(fabs(b[i] - x[i]) <= 1e-11, seed);
    }
  }
}

/* Blocks that do not touch, in any order, and columns with few entries: zeros are passed over. */
static void solves_sparse(void) {
  for (uint64_t seed = 1; seed <= 200; seed++) {
    uint64_t state = seed;
    int n = 1 + (int)(seed % MAX), pivot[MAX], blocks = 1 + (int)(seed % 4);
    double A[MAX * MAX], F[MAX * MAX], x[MAX], b[MAX];
    random_fill(A, n * n, &state);
    random_fill(x, n, &state);
    for (int j = 0; j < n; j++) {
      for (int i = 0; i < n; i++) {
        A[j * n + i] = i % blocks != j % blocks ? 0 : A[j * n + i] + (i == j ? 4 : 0);
      }
    }
    for (int j = 0; j + 1 < n && seed % 2 == 0; j += 2) { /* columns that need exchanges */
      for (int i = 0; i < n; i++) {
        double keep = A[j * n + i];
        A[j * n + i] = A[(j + 1) * n + i];
        A[(j + 1) * n + i] = keep;
      }
    }
    pw_gemv(A, n, n, x, b);
    memcpy(F, A, sizeof A);
    CHECK_SEED(pw_lu(F, n, pivot) == 0, seed);
    pw_lu_solve(F, n, pivot, b);
    for (int i = 0; i < n; i++) {
      CHECK_SEED(fabs(b[i] - x[i]) <= 1e-12, seed);
    }
  }
}

static void needs_exchanges(void) {
  double A[9] = {0, 0, 2, 3, 0, 0, 0, 4, 0}; /* a permuted diagonal */
  double b[3] = {6, 12, 4};
  int pivot[3];
  CHECK_INT(pw_lu(A, 3, pivot), 0);
  pw_lu_solve(A, 3, pivot, b);
  CHECK_NEAR(b[0], 2, 1e-15);
  CHECK_NEAR(b[1], 2, 1e-15);
  CHECK_NEAR(b[2], 3, 1e-15);
}

static void dependent_column_is_named(void) {
  for (uint64_t seed = 1; seed <= 40; seed++) {
    uint64_t state = seed;
    int n = 2 + (int)(seed % (MAX - 1)), pivot[MAX];
    int bad = 1 + (int)(seed % (uint64_t)(n - 1));
    double A[MAX * MAX];
    random_fill(A, n * n, &state);
    for (int i = 0; i < n; i++) {
      A[bad * n + i] = 0;
      for (int k = 0; k < bad; k++) {
        A[bad * n + i] += (k + 1) * A[k * n + i];
      }
      A[bad * n + i] *= 1e-6;
    }
    CHECK_SEED(pw_lu(A, n, pivot) == bad + 1, seed);
  }
}

static void badly_scaled_columns_are_regular(void) {
  double A[4] = {1e-12, 2e-12, 3e9, 1e9}, b[2] = {1, 2};
  int pivot[2];
  CHECK_INT(pw_lu(A, 2, pivot), 0);
  pw_lu_solve(A, 2, pivot, b); /* x = (1e12, 0) */
  CHECK_NEAR(b[0], 1e12, 1e-2);
  CHECK_NEAR(b[1], 0, 1e-22);
}

static void not_a_number(void) {
  for (int at = 0; at < 9; at++) {
    double A[9] = {1, 2, 3, 4, 5, 7, 8, 9, 1};
    int pivot[3];
    A[at] = NAN;
    CHECK_INT(pw_lu(A, 3, pivot), at / 3 + 1);
    A[at] = INFINITY;
    CHECK(pw_lu(A, 3, pivot) != 0);
  }
  double zero[1] = {0};
  int pivot[1];
  CHECK_INT(pw_lu(zero, 1, pivot), 1);
  CHECK_INT(pw_lu(zero, 0, pivot), 0);
}

CHECK_MAIN({"solves", solves}, {"solves_sparse", solves_sparse},
           {"needs_exchanges", needs_exchanges},
           {"dependent_column_is_named", dependent_column_is_named},
           {"badly_scaled_columns_are_regular", badly_scaled_columns_are_regular},
           {"not_a_number", not_a_number})
