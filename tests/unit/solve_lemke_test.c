// SPDX-License-Identifier: MIT
/* Lemke's method against enumeration of all complementary patterns, and on larger problems. */
#include "solve/lemke.h"

#include <stdbool.h>
#include <stdlib.h>

#include "check.h"
#include "linalg/lu.h"
#include "unit/solve_support.h"

enum { MAX = 9, ROOM = 500 };

typedef struct problem {
  int n;
  double M[MAX * MAX], q[MAX], z[MAX];
  pw_outcome outcome;
  pw_lcp_info info;
} problem;

static pw_lcp lcp(const problem *p) {
  return (pw_lcp){.n = p->n, .M = p->M, .q = p->q};
}

static void solve(problem *p) {
  double real[ROOM];
  int whole[ROOM];
  pw_lcp l = lcp(p);
  CHECK(pw_lcp_doubles(p->n) <= ROOM && pw_lcp_ints(p->n) <= ROOM);
  p->outcome = pw_lcp_lemke(&l, p->z, real, whole, &p->info);
}

/* The least residual over all patterns with a regular matrix. */
static double enumerate(const problem *p) {
  int n = p->n, row[MAX], pivot[MAX];
  double best = INFINITY, scratch[MAX];
  pw_lcp l = lcp(p);
  for (int code = 0; code < 1 << n; code++) {
    double G[MAX * MAX], rhs[MAX], z[MAX] = {0};
    int k = 0;
    for (int i = 0; i < n; i++) {
      if (code >> i & 1) {
        row[k++] = i;
      }
    }
    for (int j = 0; j < k; j++) {
      rhs[j] = -p->q[row[j]];
      for (int i = 0; i < k; i++) {
        G[j * k + i] = p->M[row[j] * n + row[i]];
      }
    }
    if (k > 0 && pw_lu(G, k, pivot) != 0) {
      continue;
    }
    pw_lu_solve(G, k, pivot, rhs);
    for (int i = 0; i < k; i++) {
      z[row[i]] = rhs[i];
    }
    best = fmin(best, pw_lcp_residual(&l, z, scratch));
  }
  return best;
}

/* M = B^T B of given rank plus `skew` times a skew matrix. */
static void make_psd(problem *p, uint64_t *s, int n, int rank, double skew) {
  double B[MAX * MAX];
  p->n = n;
  random_fill(B, rank * n, s);
  for (int j = 0; j < n; j++) {
    for (int i = 0; i < n; i++) {
      p->M[j * n + i] = pw_dot(B + i * rank, B + j * rank, rank);
    }
  }
  for (int j = 0; j < n; j++) {
    for (int i = 0; i < j; i++) {
      double k = skew * random_real(s);
      p->M[j * n + i] += k;
      p->M[i * n + j] -= k;
    }
  }
  random_fill(p->q, n, s);
}

/* Planar contacts in the form of Stewart and Trinkle: for each contact (N, T+, T-, slack) with
 * w = (u_N, u_T+ + sigma, -u_T + sigma, mu N - T+ - T-). */
static void make_coulomb(problem *p, uint64_t *s, int contacts) {
  double W[3 * 4];
  int n = 4 * contacts;
  p->n = n;
  memset(p->M, 0, sizeof p->M);
  memset(p->q, 0, sizeof p->q);
  double J[MAX * 3];
  for (int c = 0; c < contacts; c++) {
    random_fill(W, 6, s);
    double mu = 0.8 * fabs(random_real(s));
    for (int k = 0; k < 3; k++) {
      J[(4 * c) * 3 + k] = W[k];
      J[(4 * c + 1) * 3 + k] = W[3 + k];
      J[(4 * c + 2) * 3 + k] = -W[3 + k];
      J[(4 * c + 3) * 3 + k] = 0;
    }
    p->M[(4 * c + 3) * n + 4 * c + 1] = p->M[(4 * c + 3) * n + 4 * c + 2] = 1;
    p->M[(4 * c + 1) * n + 4 * c + 3] = p->M[(4 * c + 2) * n + 4 * c + 3] = -1;
    p->M[(4 * c) * n + 4 * c + 3] = mu;
  }
  double v[3];
  random_fill(v, 3, s);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      p->M[j * n + i] += pw_dot(J + 3 * i, J + 3 * j, 3);
    }
    p->q[i] += pw_dot(J + 3 * i, v, 3);
  }
}

/* z >= 0, M^T z <= 0, q.z < 0: no w, z >= 0 exist. */
static bool proves_infeasible(const problem *p) {
  double slope = 0, size = 0;
  for (int j = 0; j < p->n; j++) {
    slope += p->q[j] * p->z[j];
    size = fmax(size, fabs(p->z[j]));
  }
  for (int j = 0; j < p->n; j++) {
    if (!(p->z[j] >= 0) || pw_dot(p->M + j * p->n, p->z, p->n) > 1e-9 * size) {
      return false;
    }
  }
  return slope < -1e-10 * size;
}

typedef struct tally {
  int solved, ray, none, missed, broken;
  long pivots;
} tally;

/* A reported solution is one; a ray proves that there is none if `convex`. */
static void judge(problem *p, bool convex, uint64_t seed, tally *t) {
  solve(p);
  double best = enumerate(p), scratch[MAX];
  pw_lcp l = lcp(p);
  t->pivots += p->info.iterations;
  t->solved += p->outcome == PW_SOLVED;
  t->ray += p->outcome == PW_INFEASIBLE;
  t->none += best > 1e-7;
  t->missed += best <= 1e-10 && p->outcome != PW_SOLVED;
  t->broken += p->outcome == PW_BREAKDOWN || p->outcome == PW_MAX_ITER;
  if (p->outcome == PW_SOLVED) {
    CHECK_SEED(pw_lcp_residual(&l, p->z, scratch) <= 1e-12, seed);
    CHECK_SEED(best <= 1e-7, seed);
  }
  if (convex) {
    CHECK_SEED(p->outcome == PW_SOLVED || p->outcome == PW_INFEASIBLE, seed);
    CHECK_SEED((p->outcome == PW_SOLVED) == (best <= 1e-8), seed);
    CHECK_SEED(p->outcome == PW_SOLVED || proves_infeasible(p), seed);
  }
}

static void report(const char *name, const tally *t, int count) {
  printf("  %-10s solved %d, rays %d (no solution: %d), missed %d, broken %d, mean pivots %.2f\n",
         name, t->solved, t->ray, t->none, t->missed, t->broken, (double)t->pivots / count);
}

static void positive_definite(void) {
  tally t = {0};
  for (uint64_t seed = 1; seed <= 1500; seed++) {
    uint64_t s = seed * 31;
    problem p;
    int n = random_int(&s, 1, 8);
    make_psd(&p, &s, n, n + 1 > MAX ? MAX : n + 1, seed % 2 == 0 ? 1 : 0);
    judge(&p, true, seed, &t);
  }
  report("definite", &t, 1500);
  CHECK(t.solved == 1500);
}

static void semidefinite_and_redundant(void) {
  tally t = {0};
  for (uint64_t seed = 1; seed <= 2000; seed++) {
    uint64_t s = seed * 37;
    problem p;
    int n = random_int(&s, 1, 8);
    make_psd(&p, &s, n, random_int(&s, 1, n), seed % 4 == 0 ? 0.5 : 0);
    if (n > 1 && seed % 3 == 0) { /* a contact twice */
      for (int k = 0; k < n; k++) {
        p.M[(n - 1) * n + k] = p.M[k];
      }
      for (int k = 0; k < n; k++) {
        p.M[k * n + n - 1] = p.M[k * n];
      }
      p.q[n - 1] = p.q[0];
    }
    judge(&p, true, seed, &t);
  }
  report("semidef.", &t, 2000);
  CHECK(t.solved > 1000 && t.ray > 100);
}

/* Small whole numbers: ties in almost every ratio test. */
static void degenerate(void) {
  tally t = {0};
  for (uint64_t seed = 1; seed <= 2000; seed++) {
    uint64_t s = seed * 41;
    problem p;
    int n = random_int(&s, 1, 8), B[MAX * MAX], rank = random_int(&s, 1, n);
    p.n = n;
    for (int k = 0; k < rank * n; k++) {
      B[k] = random_int(&s, -1, 1);
    }
    for (int j = 0; j < n; j++) {
      p.q[j] = random_int(&s, -1, 1);
      for (int i = 0; i < n; i++) {
        p.M[j * n + i] = 0;
        for (int k = 0; k < rank; k++) {
          p.M[j * n + i] += B[i * rank + k] * B[j * rank + k];
        }
      }
    }
    judge(&p, true, seed, &t);
  }
  report("degenerate", &t, 2000);
  CHECK(t.broken == 0);
}

/* Velocity level with u_N- free of sign: a solution always exists and Lemke finds one. */
static void planar_coulomb(void) {
  tally t = {0};
  for (uint64_t seed = 1; seed <= 1500; seed++) {
    uint64_t s = seed * 43;
    problem p;
    make_coulomb(&p, &s, 1 + (int)(seed % 2));
    judge(&p, false, seed, &t);
  }
  report("coulomb", &t, 1500);
  CHECK(t.solved == 1500);
}

static void general_matrices(void) {
  tally t = {0};
  for (uint64_t seed = 1; seed <= 3000; seed++) {
    uint64_t s = seed * 47;
    problem p = {.n = random_int(&s, 1, 8)};
    random_fill(p.M, p.n * p.n, &s);
    random_fill(p.q, p.n, &s);
    if (seed % 3 == 0) { /* strong diagonal: P-matrices */
      for (int i = 0; i < p.n; i++) {
        p.M[i * p.n + i] = p.n + fabs(random_real(&s));
      }
    }
    int missed = t.missed;
    judge(&p, false, seed, &t);
    CHECK_SEED(seed % 3 != 0 || t.missed == missed, seed);
  }
  report("general", &t, 3000);
  CHECK(t.broken == 0);
}

/* Units of a row: w_i -> k w_i, z_i -> z_i / k changes neither the path nor the residual. */
static void units_do_not_matter(void) {
  for (uint64_t seed = 1; seed <= 300; seed++) {
    uint64_t s = seed * 53;
    problem p, r;
    double k[MAX];
    if (seed % 2 == 0) {
      make_coulomb(&p, &s, 2);
    } else {
      make_psd(&p, &s, 7, 5, 0);
    }
    int n = p.n;
    r = p;
    for (int i = 0; i < n; i++) {
      k[i] = pow(10, random_int(&s, -6, 6));
    }
    for (int i = 0; i < n; i++) {
      r.q[i] *= k[i];
      for (int j = 0; j < n; j++) {
        r.M[j * n + i] *= k[i] * k[j];
      }
    }
    solve(&p);
    solve(&r);
    CHECK_SEED(p.outcome == r.outcome, seed);
    double worst = 0, size = 1e-300;
    for (int i = 0; i < n && p.outcome == PW_SOLVED && seed % 2 == 1; i++) {
      worst = fmax(worst, fabs(r.z[i] * k[i] - p.z[i]));
      size = fmax(size, fabs(p.z[i]));
    }
    CHECK_SEED(worst <= 1e-9 * size, seed);
    CHECK_SEED(p.outcome != PW_SOLVED || r.info.residual <= 1e-12, seed);
  }
}

/* Contact-like: M = B^T B with n columns of `rank` entries; q inside the range, so solvable. */
static int large_case(int n, int rank, uint64_t seed) {
  uint64_t s = seed;
  size_t k = (size_t)n;
  double *B = malloc(k * (size_t)rank * sizeof *B), *M = malloc(k * k * sizeof *M);
  double *q = malloc(k * sizeof *q), *z = malloc(k * sizeof *z);
  double *real = malloc(pw_lcp_doubles(n) * sizeof *real), *c = malloc((size_t)rank * sizeof *c);
  int *whole = malloc(pw_lcp_ints(n) * sizeof *whole);
  random_fill(B, n * rank, &s);
  random_fill(c, rank, &s);
  for (int j = 0; j < n; j++) {
    q[j] = pw_dot(B + j * rank, c, rank);
    for (int i = 0; i < n; i++) {
      M[j * n + i] = pw_dot(B + i * rank, B + j * rank, rank);
    }
  }
  pw_lcp_info info;
  pw_lcp l = {.n = n, .M = M, .q = q};
  CHECK_SEED(pw_lcp_lemke(&l, z, real, whole, &info) == PW_SOLVED, seed);
  CHECK_SEED(pw_lcp_residual(&l, z, real) <= 1e-12, seed);
  free(B);
  free(M);
  free(q);
  free(z);
  free(real);
  free(c);
  free(whole);
  return info.iterations;
}

static void large_problems(void) {
  const int size[3] = {10, 50, 200}, count[3] = {100, 100, 6};
  for (int k = 0; k < 3; k++) {
    for (int rank = size[k] / 2; rank <= size[k] + 10; rank += size[k] / 4) {
      long pivots = 0;
      for (int seed = 1; seed <= count[k]; seed++) {
        pivots += large_case(size[k], rank, (uint64_t)seed);
      }
      printf("  n = %d, rank %d: mean pivots %.1f\n", size[k], rank, (double)pivots / count[k]);
    }
  }
}

static void bad_data(void) {
  problem p = {.n = 2, .M = {1, 0, 0, 1}, .q = {-1, NAN}};
  solve(&p);
  CHECK(p.outcome == PW_BREAKDOWN && isnan(p.info.residual));
  p.q[1] = 1;
  p.M[2] = INFINITY;
  solve(&p);
  CHECK(p.outcome == PW_BREAKDOWN);
  p = (problem){.n = 0};
  solve(&p);
  CHECK(p.outcome == PW_SOLVED);
}

CHECK_MAIN({"positive_definite", positive_definite},
           {"semidefinite_and_redundant", semidefinite_and_redundant}, {"degenerate", degenerate},
           {"planar_coulomb", planar_coulomb}, {"general_matrices", general_matrices},
           {"units_do_not_matter", units_do_not_matter}, {"large_problems", large_problems},
           {"bad_data", bad_data})
