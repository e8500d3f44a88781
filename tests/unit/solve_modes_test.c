// SPDX-License-Identifier: MIT
/* The search over the modes of contacts: solutions against their residual, proofs against plain
 * enumeration of the same problem, and wrong claims refused. */
#include "solve/mode_tree.h"

#include "check.h"
#include "solve/enumerate.h"
#include "solve/mode_proof.h"
#include "solve/mode_walk.h"
#include "unit/solve_support.h"

enum { N = 6, CONTACTS = 3, K = 2 * CONTACTS, ROOM = 60000, TRIALS = 300 };

typedef struct problem {
  double A[N * K], B[N * K], z[K], lo[K], hi[K], mu[K];
  int normal[K];
  pw_stick_rows rows;
} problem;

static double real[ROOM];
static int whole[ROOM];

/* Contacts 0 .. c - 1, then their slips; columns of unit length. */
static void draw(problem *t, int contacts, uint64_t *seed, double mu) {
  int k = 2 * contacts;
  for (int i = 0; i < k; i++) {
    double length = 0;
    for (int j = 0; j < N; j++) {
      t->A[i * N + j] = random_real(seed);
      length = hypot(length, t->A[i * N + j]);
    }
    for (int j = 0; j < N; j++) {
      t->A[i * N + j] /= length;
    }
    t->z[i] = random_real(seed);
    for (int j = 0; j < N; j++) { /* contacts with another slip that goes on */
      bool slides = i < contacts && mu > 1 && isfinite(mu);
      t->B[i * N + j] = t->A[i * N + j] + (slides ? random_real(seed) : 0);
    }
    t->lo[i] = 0;
    t->hi[i] = i < contacts ? INFINITY : 0;
    t->mu[i] = mu;
    t->normal[i] = i < contacts ? -1 : i - contacts;
  }
  t->rows = (pw_stick_rows){.n = N,
                            .k = k,
                            .A = t->A,
                            .B = t->B,
                            .z = t->z,
                            .lo = t->lo,
                            .hi = t->hi,
                            .mu = t->mu,
                            .normal = t->normal};
}

static pw_outcome search(const problem *t, double *x, pw_mode_info *info) {
  CHECK(pw_mode_tree_doubles(t->rows.k) <= ROOM && pw_mode_tree_ints(t->rows.k) <= ROOM);
  return pw_mode_tree(&t->rows, x, real, whole, info);
}

/* Whether the complementarity problem of the same rows has a solution, by all of its pieces. */
static pw_outcome enumerate(const problem *t) {
  static double D[9 * CONTACTS * CONTACTS], b[3 * CONTACTS], lo[3 * CONTACTS], hi[3 * CONTACTS];
  static double x[12 * CONTACTS], y[12 * CONTACTS];
  static int piece[12 * CONTACTS];
  pw_branch branch[4];
  pw_branches out = {.capacity = 4, .branch = branch, .x = x, .y = y, .piece = piece};
  pw_enumerate_info info;
  int m = pw_stick_unknowns(t->rows.k, t->normal);
  pw_stick_assemble(&t->rows, m, D, b, lo, hi);
  pw_box_lcp lcp = {.m = m, .D = D, .b = b, .lo = lo, .hi = hi};
  CHECK(pw_enumerate_doubles(m) <= ROOM);
  return pw_enumerate(&lcp, &(pw_enumerate_opts){0}, &out, real, whole, &info);
}

static void random_problems_are_decided_alike(void) {
  uint64_t seed = 7;
  int none = 0;
  for (int trial = 0; trial < TRIALS; trial++) {
    problem t;
    double x[K];
    pw_mode_info info;
    draw(&t, 1 + trial % CONTACTS, &seed, trial % 2 == 0 ? 0.5 : 3);
    pw_outcome wanted = enumerate(&t), got = search(&t, x, &info);
    CHECK(got == wanted);
    CHECK(got != PW_SOLVED || pw_stick_residual(&t.rows, x) <= 1e-10);
    none += got == PW_INFEASIBLE;
  }
  CHECK(none > 3 && none < TRIALS / 2);
}

/* Closed it would have to pull, open it would close. */
static void a_rough_contact_that_would_pull_is_refuted(void) {
  problem t;
  double x[K];
  pw_mode_info info;
  uint64_t seed = 3;
  draw(&t, 1, &seed, INFINITY);
  for (int j = 0; j < N; j++) {
    t.A[j] = j == 0;
    t.A[N + j] = j == 0 ? 0.8 : j == 1 ? 0.6 : 0;
    t.B[j] = t.A[j];
    t.B[N + j] = t.A[N + j];
  }
  t.z[0] = -1;
  t.z[1] = -2; /* sticking: x_T = 1.2/0.36, x_N = 1 - 0.8 x_T < 0; open: it closes */
  CHECK(search(&t, x, &info) == PW_INFEASIBLE);
  CHECK(info.doubtful == 0 && info.nodes <= 3);
  t.z[1] = 0.2;
  CHECK(search(&t, x, &info) == PW_SOLVED && pw_stick_residual(&t.rows, x) <= 1e-10);
}

static void wrong_claims_are_refused(void) {
  const double a[2] = {1, -1}, b[2] = {1, 0}; /* x >= 1, -x >= 0 */
  const int equal[2] = {0, 0};
  pw_conditions_list list = {1, 2, a, b, equal};
  const double right[2] = {1, 1}, weak[2] = {1, 0.999}, negative[2] = {1, -1}, none[2] = {0, 0};
  CHECK(pw_conditions_refuted(&list, right, 1e6));
  CHECK(!pw_conditions_refuted(&list, weak, 1e6) && pw_conditions_refuted(&list, weak, 100));
  CHECK(!pw_conditions_refuted(&list, negative, 1) && !pw_conditions_refuted(&list, none, 1));

  problem t;
  double x[K];
  pw_mode_info info;
  uint64_t seed = 11;
  draw(&t, 2, &seed, 0.3);
  for (int trial = 0; trial < TRIALS && (search(&t, x, &info) != PW_SOLVED || x[0] == 0); trial++) {
    draw(&t, 2, &seed, 0.3);
  }
  CHECK(x[0] > 0);
  x[0] *= 1.001;
  CHECK(pw_stick_residual(&t.rows, x) > 1e-6);
  x[0] = NAN;
  CHECK(!(pw_stick_residual(&t.rows, x) <= 1));
}

/* From a guess of the modes: nearly every problem with small coefficients, and never a wrong one.
 */
static void a_walk_over_modes_solves_or_gives_up(void) {
  uint64_t seed = 5;
  int found = 0, tried = 0;
  for (int trial = 0; trial < TRIALS; trial++) {
    problem t;
    double x[K];
    draw(&t, 1 + trial % CONTACTS, &seed, trial % 3 == 0 ? 3 : 0.3);
    CHECK(pw_mode_walk_doubles(t.rows.k) <= ROOM && pw_mode_walk_ints(t.rows.k) <= ROOM);
    pw_outcome o = pw_mode_walk(&t.rows, x, real, whole);
    CHECK(o == PW_SOLVED || o == PW_MAX_ITER);
    CHECK(o != PW_SOLVED || (pw_stick_residual(&t.rows, x) <= 1e-10 && enumerate(&t) == PW_SOLVED));
    found += trial % 3 != 0 && o == PW_SOLVED;
    tried += trial % 3 != 0;
  }
  CHECK(found >= tried * 95 / 100);
}

/* A contact that just touches, with a slip that goes on: nothing happens, and it jams. The walk
 * leaves the slip as it is. */
static void a_walk_does_not_jam(void) {
  problem t;
  double x[K];
  uint64_t seed = 3;
  draw(&t, 1, &seed, 3);
  for (int j = 0; j < N; j++) {
    t.A[j] = t.B[j] = j == 0;
    t.A[N + j] = t.B[N + j] = j == 0 ? 0.8 : j == 1 ? 0.6 : 0;
  }
  t.z[0] = 1e-9; /* y_N = x_N + 0.8 x_T + z_N, y_T = 0.8 x_N + x_T + z_T */
  t.z[1] = 1;    /* it jams with x_T = -1/0.36, x_N = 0.8/0.36 */
  CHECK(pw_mode_walk(&t.rows, x, real, whole) == PW_SOLVED);
  CHECK(x[0] == 0 && x[1] == 0);
  const double jam[K] = {0.8 / 0.36, -1 / 0.36};
  t.z[0] = 0;
  CHECK(pw_stick_residual(&t.rows, jam) <= 1e-10);
}

static void large_problems_prove_nothing(void) {
  static problem t;
  double x[K];
  pw_mode_info info;
  t.rows = (pw_stick_rows){.k = PW_MODE_ROWS + 1};
  CHECK(pw_mode_tree(&t.rows, x, real, whole, &info) == PW_MAX_ITER);
}

CHECK_MAIN({"random", random_problems_are_decided_alike},
           {"rough", a_rough_contact_that_would_pull_is_refuted},
           {"claims", wrong_claims_are_refused}, {"large", large_problems_prove_nothing},
           {"walk", a_walk_over_modes_solves_or_gives_up}, {"walk_jam", a_walk_does_not_jam})
