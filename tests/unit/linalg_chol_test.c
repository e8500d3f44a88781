// SPDX-License-Identifier: MIT
#include "linalg/chol.h"

#include "check.h"
#include "linalg/dense.h"
#include "linalg_random.h"

enum { MAX = 12 };

/* A = B B^T + I/10 */
static void random_spd(double *A, int n, uint64_t *state) {
  double B[MAX * MAX], T[MAX * MAX];
  random_fill(B, n * n, state);
  transpose(B, n, n, T);
  multiply(B, T, n, n, n, A);
  for (int i = 0; i < n; i++) {
    A[i * n + i] += 0.1;
  }
}

static void solves(void) {
  for (uint64_t seed = 1; seed <= 60; seed++) {
    uint64_t state = seed;
    int n = 1 + (int)(seed % MAX);
    double A[MAX * MAX], L[MAX * MAX], b[MAX], x[MAX], Ax[MAX];
    random_spd(A, n, &state);
    random_fill(b, n, &state);
    memcpy(L, A, sizeof A);
    CHECK_SEED(pw_chol(L, n) == 0, seed);
    memcpy(x, b, sizeof b);
    pw_chol_forward(L, n, x);
    pw_chol_backward(L, n, x);
    pw_gemv(A, n, n, x, Ax);
    for (int i = 0; i < n; i++) {
      CHECK_SEED(fabs(Ax[i] - b[i]) <= 1e-12, seed);
    }
  }
}

/* L L^T gives A back, and the strict upper triangle is neither read nor written. */
static void factor_of_lower_triangle(void) {
  for (int n = 1; n <= MAX; n++) {
    uint64_t state = (uint64_t)n;
    double A[MAX * MAX], L[MAX * MAX];
    random_spd(A, n, &state);
    for (int j = 0; j < n; j++) {
      for (int i = 0; i < n; i++) {
        L[j * n + i] = i < j ? NAN : A[j * n + i];
      }
    }
    CHECK(pw_chol(L, n) == 0);
    for (int j = 0; j < n; j++) {
      for (int i = 0; i < n; i++) {
        double s = 0;
        for (int k = 0; k <= j && i >= j; k++) {
          s += L[k * n + i] * L[k * n + j];
        }
        CHECK(i < j ? isnan(L[j * n + i]) : fabs(s - A[j * n + i]) <= 1e-13 * n);
      }
    }
  }
}

static void known_factor(void) {
  double A[9] = {4, 2, 6, 0, 10, 9, 0, 0, 26}; /* L = [2; 1 3; 3 2 sqrt(13)] */
  CHECK(pw_chol(A, 3) == 0);
  CHECK_NEAR(A[0], 2, 0);
  CHECK_NEAR(A[1], 1, 0);
  CHECK_NEAR(A[2], 3, 0);
  CHECK_NEAR(A[4], 3, 0);
  CHECK_NEAR(A[5], 2, 0);
  CHECK_NEAR(A[8], sqrt(13.0), 1e-15);
  double b[3] = {2, 7, 3};
  pw_chol_forward(A, 3, b);
  CHECK_NEAR(b[0], 1, 1e-15);
  CHECK_NEAR(b[1], 2, 1e-15);
  CHECK_NEAR(b[2], -4 / sqrt(13.0), 1e-15);
}

/* With a zero pivot planted at each place, also after scaling by 1e+-8 the same pivot is named. */
static void names_the_first_bad_pivot(void) {
  for (int n = 1; n <= 6; n++) {
    for (int bad = 0; bad < n; bad++) {
      for (int scaled = 0; scaled < 2; scaled++) {
        uint64_t state = (uint64_t)(n * 10 + bad);
        double L[36] = {0}, T[36], A[36];
        for (int j = 0; j < n; j++) {
          for (int i = j; i < n; i++) {
            L[j * n + i] = i == j ? (j == bad ? 0 : 1) : random_real(&state);
          }
        }
        transpose(L, n, n, T);
        multiply(L, T, n, n, n, A);
        for (int j = 0; j < n && scaled; j++) {
          for (int i = 0; i < n; i++) {
            A[j * n + i] *= (i % 2 ? 1e8 : 1e-8) * (j % 2 ? 1e8 : 1e-8);
          }
        }
        CHECK_INT(pw_chol(A, n), bad + 1);
      }
    }
  }
}

static void not_a_number_is_never_accepted(void) {
  for (int n = 1; n <= 5; n++) {
    for (int j = 0; j < n; j++) {
      for (int i = j; i < n; i++) {
        for (int infinite = 0; infinite < 2; infinite++) {
          double A[25] = {0};
          for (int k = 0; k < n; k++) {
            A[k * n + k] = 1;
          }
          A[j * n + i] = infinite ? INFINITY : NAN;
          CHECK_INT(pw_chol(A, n), i + 1);
        }
      }
    }
  }
}

static void negative_and_empty(void) {
  double A[1] = {-1};
  CHECK_INT(pw_chol(A, 1), 1);
  A[0] = 0;
  CHECK_INT(pw_chol(A, 1), 1);
  CHECK_INT(pw_chol(A, 0), 0);
  A[0] = 1e-300; /* small is not singular */
  CHECK_INT(pw_chol(A, 1), 0);
  CHECK_NEAR(A[0], 1e-150, 1e-165);
}

/* Bodies that M does not couple: the same numbers, to the last bit, as without knowing of them. */
static void bodies_apart(void) {
  enum { BODIES = 7, EACH = 4, ALL = BODIES * EACH };
  for (uint64_t seed = 1; seed <= 40; seed++) {
    uint64_t state = seed;
    double L[ALL * ALL] = {0}, one[EACH * EACH], b[ALL], x[ALL], y[ALL], some[ALL] = {0}, z[ALL];
    int extent[ALL], at[EACH];
    for (int k = 0; k < BODIES; k++) {
      random_spd(one, EACH, &state);
      for (int j = 0; j < EACH; j++) {
        extent[k * EACH + j] = k * EACH + EACH - 1;
        for (int i = j; i < EACH; i++) {
          L[(k * EACH + j) * ALL + k * EACH + i] = one[j * EACH + i];
        }
      }
    }
    CHECK_SEED(pw_chol(L, ALL) == 0, seed);
    random_fill(b, ALL, &state);
    memcpy(x, b, sizeof b);
    memcpy(y, b, sizeof b);
    pw_chol_forward(L, ALL, x);
    pw_chol_forward_in(L, ALL, extent, y);
    CHECK_SEED(memcmp(x, y, sizeof x) == 0, seed);
    pw_chol_backward(L, ALL, x);
    pw_chol_backward_in(L, ALL, extent, y);
    CHECK_SEED(memcmp(x, y, sizeof x) == 0, seed);
    pw_chol_lift_in(L, ALL, NULL, b, x);
    pw_chol_lift_in(L, ALL, extent, b, y);
    CHECK_SEED(memcmp(x, y, sizeof x) == 0, seed);

    int body = (int)(seed % BODIES);
    for (int i = 0; i < EACH; i++) {
      at[i] = body * EACH + i;
      some[at[i]] = b[at[i]];
    }
    memcpy(x, some, sizeof x);
    memset(z, 0, sizeof z);
    double length = pw_chol_forward_list(L, ALL, at, EACH, b, z);
    CHECK_NEAR(length, pw_chol_unit(L, ALL, x), 1e-14 * length);
    for (int i = 0; i < ALL; i++) {
      CHECK_NEAR(z[i] / length, x[i], 1e-14);
    }
    for (int i = 0; i < EACH; i++) {
      some[at[i]] *= 1e-170;
    }
    double tiny = pw_chol_forward_list(L, ALL, at, EACH, some, z);
    CHECK_NEAR(tiny * 1e170, length, 1e-13 * length);
  }
}

CHECK_MAIN({"solves", solves}, {"factor_of_lower_triangle", factor_of_lower_triangle},
           {"known_factor", known_factor}, {"names_the_first_bad_pivot", names_the_first_bad_pivot},
           {"not_a_number_is_never_accepted", not_a_number_is_never_accepted},
           {"negative_and_empty", negative_and_empty}, {"bodies_apart", bodies_apart})
