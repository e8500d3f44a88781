// SPDX-License-Identifier: MIT
/* The search over pieces against plain enumeration, and continua of known dimension. */
#include "solve/enumerate.h"

#include "check.h"
#include "linalg/lu.h"
#include "unit/solve_support.h"

enum { MAX = 8, ROOM = 4000, MANY = 64 };

typedef struct search {
  int m;
  double D[MAX * MAX], b[MAX], lo[MAX], hi[MAX];
  pw_enumerate_opts opts;
  double x[MANY * MAX], y[MANY * MAX];
  int piece[MANY * MAX];
  pw_branch branch[MANY];
  pw_branches out;
  pw_enumerate_info info;
} search;

static pw_outcome run(search *t, int capacity) {
  static double real[ROOM];
  static int whole[ROOM];
  CHECK(pw_enumerate_doubles(t->m) <= ROOM && pw_enumerate_ints(t->m) <= ROOM);
  t->out = (pw_branches){
      .capacity = capacity, .branch = t->branch, .x = t->x, .y = t->y, .piece = t->piece};
  pw_box_lcp p = {.m = t->m, .D = t->D, .b = t->b, .lo = t->lo, .hi = t->hi};
  return pw_enumerate(&p, &t->opts, &t->out, real, whole, &t->info);
}

static void unilateral(search *t, int m) {
  *t = (search){.m = m};
  for (int i = 0; i < m; i++) {
    t->hi[i] = INFINITY;
  }
}

/* All isolated solutions by plain enumeration; MANY at most. Returns their number. */
static int reference(const search *t, double *found) {
  int m = t->m, count = 0, inside[MAX], pivot[MAX];
  long codes = 1;
  for (int i = 0; i < m; i++) {
    codes *= 3;
  }
  for (long code = 0; code < codes; code++) {
    double x[MAX] = {0}, G[MAX * MAX], rhs[MAX];
    int k = 0;
    bool valid = true;
    long rest = code;
    for (int i = 0; i < m; i++, rest /= 3) {
      if (rest % 3 == 0) {
        inside[k++] = i;
      } else {
        x[i] = rest % 3 == 1 ? t->lo[i] : t->hi[i];
        valid = valid && isfinite(x[i]);
      }
    }
    for (int a = 0; a < k && valid; a++) {
      rhs[a] = -t->b[inside[a]];
      for (int j = 0; j < m; j++) {
        rhs[a] -= t->D[j * m + inside[a]] * x[j];
      }
      for (int c = 0; c < k; c++) {
        G[c * k + a] = t->D[inside[c] * m + inside[a]];
      }
    }
    if (!valid || pw_lu(G, k, pivot) != 0) {
      continue;
    }
    pw_lu_solve(G, k, pivot, rhs);
    for (int a = 0; a < k; a++) {
      x[inside[a]] = rhs[a];
    }
    if (natural_residual(t->D, t->b, t->lo, t->hi, m, x) > 1e-9) {
      continue;
    }
    bool known = false;
    for (int f = 0; f < count && !known; f++) {
      double far = 0;
      for (int i = 0; i < m; i++) {
        far = fmax(far, fabs(found[f * m + i] - x[i]));
      }
      known = far < 1e-7;
    }
    if (!known && count < MANY) {
      memcpy(found + m * count++, x, (size_t)m * sizeof *x);
    }
  }
  return count;
}

static void random_search(search *t, uint64_t seed) {
  uint64_t s = seed * 2654435761u;
  *t = (search){.m = random_int(&s, 1, 7)};
  random_fill(t->D, t->m * t->m, &s);
  random_fill(t->b, t->m, &s);
  random_bounds(&s, t->m, 1, t->lo, t->hi);
  for (int i = 0; i < t->m && seed % 4 == 0; i++) { /* no diagonal: no pivots of one row */
    t->D[i * t->m + i] = 0;
  }
  for (int i = 0; i < t->m && seed % 3 == 0; i++) {
    t->lo[i] = 0;
    t->hi[i] = INFINITY;
  }
}

static void finds_all_solutions(void) {
  int tally[4] = {0};
  long leaves = 0, patterns = 0;
  for (uint64_t seed = 1; seed <= 3000; seed++) {
    search t;
    static double found[MANY * MAX];
    random_search(&t, seed);
    pw_outcome o = run(&t, MANY);
    int count = reference(&t, found);
    CHECK_SEED(t.info.complete && !t.out.overflow, seed);
    CHECK_SEED(t.out.count == count, seed);
    CHECK_SEED(o == (count > 0 ? PW_SOLVED : PW_INFEASIBLE), seed);
    tally[count > 3 ? 3 : count]++;
    leaves += t.info.leaves;
    patterns += 1L << t.m;
    for (int b = 0; b < t.out.count; b++) {
      const double *x = t.x + b * t.m;
      double near = INFINITY;
      for (int f = 0; f < count; f++) {
        double far = 0;
        for (int i = 0; i < t.m; i++) {
          far = fmax(far, fabs(found[f * t.m + i] - x[i]));
        }
        near = fmin(near, far);
      }
      CHECK_SEED(near <= 1e-7, seed);
      CHECK_SEED(natural_residual(t.D, t.b, t.lo, t.hi, t.m, x) <= 1e-10, seed);
      CHECK_SEED(t.branch[b].dimension == 0 && t.branch[b].strict, seed);
      CHECK_SEED(b == 0 || t.branch[b - 1].norm <= t.branch[b].norm, seed);
    }
  }
  printf("  solutions 0: %d, 1: %d, 2: %d, more: %d; leaves tried %ld of at least %ld\n", tally[0],
         tally[1], tally[2], tally[3], leaves, patterns);
  CHECK(tally[0] > 100 && tally[1] > 100 && tally[2] > 100 && tally[3] > 100);
  CHECK(2 * leaves < patterns);
}

/* Rods and blocks: L.6 and L.8. */
static void painleve_and_friction(void) {
  search t;
  unilateral(&t, 1);
  t.D[0] = -0.5;
  t.b[0] = 1;
  CHECK(run(&t, MANY) == PW_SOLVED && t.out.count == 2);
  CHECK_NEAR(t.x[0], 0, 0);
  CHECK_NEAR(t.x[1], 2, 1e-15);
  t.b[0] = -1;
  CHECK(run(&t, MANY) == PW_INFEASIBLE && t.info.complete);
  const double h[4] = {0, 0.5, 1, 2};
  const int pasts[4] = {3, 3, 2, 1};
  for (int k = 0; k < 4; k++) { /* reversed graph: D and b change sign */
    t = (search){.m = 1, .D = {-1}, .b = {-h[k]}, .lo = {-1}, .hi = {1}};
    CHECK(run(&t, MANY) == PW_SOLVED);
    CHECK_INT(t.out.count, pasts[k]);
  }
  t = (search){.m = 1, .D = {-1}, .b = {-1}, .lo = {-1}, .hi = {1}};
  run(&t, MANY);
  CHECK_INT(t.branch[0].strict + t.branch[1].strict, 1); /* h at the bound: one is degenerate */
}

/* Coupled by the off-diagonal only: the pivots of single rows vanish. */
static void zero_diagonal(void) {
  search t;
  unilateral(&t, 2);
  t.D[1] = t.D[2] = 1;
  t.b[0] = -2;
  t.b[1] = -3;
  CHECK(run(&t, MANY) == PW_SOLVED && t.out.count == 1);
  CHECK_NEAR(t.x[0], 3, 1e-14);
  CHECK_NEAR(t.x[1], 2, 1e-14);
  CHECK(t.branch[0].strict && t.branch[0].dimension == 0);
}

static void continua_have_their_dimension(void) {
  search t;
  for (int copies = 2; copies <= 5; copies++) { /* x_1 + ... = 1 */
    unilateral(&t, copies);
    for (int k = 0; k < copies * copies; k++) {
      t.D[k] = 1;
    }
    for (int i = 0; i < copies; i++) {
      t.b[i] = -1;
    }
    CHECK(run(&t, MANY) == PW_SOLVED);
    CHECK_INT(t.out.count, 1);
    CHECK_INT(t.branch[0].dimension, copies - 1);
    CHECK(t.branch[0].strict);
    for (int i = 0; i < copies; i++) {
      t.b[i] = 0; /* x_1 + ... = 0: a point although the matrix is singular */
    }
    CHECK(run(&t, MANY) == PW_SOLVED);
    CHECK_INT(t.out.count, 1);
    CHECK_INT(t.branch[0].dimension, 0);
    CHECK(!t.branch[0].strict);
  }
  unilateral(&t, 1); /* nothing moves it: a half line */
  CHECK(run(&t, MANY) == PW_SOLVED && t.out.count == 1 && t.branch[0].dimension == 1);
}

/* With K x as measure of sameness redundant contacts have one motion. */
static void redundant_forces_are_one_motion(void) {
  int open = 0;
  for (uint64_t seed = 1; seed <= 500; seed++) {
    uint64_t s = seed * 97;
    double A[3 * MAX], c[3], z[MAX] = {0};
    search t;
    int m = random_int(&s, 1, 6);
    unilateral(&t, m);
    for (int k = 0; k < 3 * m; k++) {
      A[k] = random_int(&s, -1, 1);
    }
    random_fill(c, 3, &s);
    gram(A, 3, m, c, z, t.D, t.b);
    t.opts = (pw_enumerate_opts){.K = A, .k = 3};
    CHECK_SEED(run(&t, MANY) == PW_SOLVED && t.info.complete, seed);
    CHECK_SEED(t.out.count == 1, seed);
    open += t.branch[0].dimension > 0;
    CHECK_SEED(natural_residual(t.D, t.b, t.lo, t.hi, m, t.x) <= 1e-9, seed);
  }
  printf("  %d of 500 with forces that are not unique\n", open);
  CHECK(open > 50);
}

/* Row order and units change neither number nor kind. */
static void order_and_units_do_not_matter(void) {
  for (uint64_t seed = 1; seed <= 500; seed++) {
    search t, u;
    random_search(&t, seed);
    uint64_t s = seed;
    int m = t.m, from[MAX];
    u = t;
    double k[MAX];
    for (int i = 0; i < m; i++) {
      from[i] = m - 1 - i;
      k[i] = seed % 4 == 0 ? 1 : pow(10, random_int(&s, -5, 5)); /* without diagonal: no unit */
    }
    for (int i = 0; i < m; i++) {
      u.b[i] = t.b[from[i]] * k[i];
      u.lo[i] = t.lo[from[i]] / k[i];
      u.hi[i] = t.hi[from[i]] / k[i];
      for (int j = 0; j < m; j++) {
        u.D[j * m + i] = t.D[from[j] * m + from[i]] * k[i] * k[j];
      }
    }
    CHECK_SEED(run(&t, MANY) == run(&u, MANY), seed);
    CHECK_SEED(t.out.count == u.out.count, seed);
  }
}

static void limits_are_told(void) {
  search t;
  unilateral(&t, 8);
  for (int i = 0; i < 8; i++) {
    t.D[i * 9] = -1;
    t.b[i] = 1;
  }
  CHECK(run(&t, MANY) == PW_SOLVED && t.out.overflow && t.out.count == MANY);
  CHECK(t.info.complete);
  t.opts.budget = 10;
  CHECK(run(&t, MANY) == PW_SOLVED && !t.info.complete && !t.out.overflow);
  CHECK_INT(t.info.leaves, 10);
  t.b[3] = NAN;
  CHECK(run(&t, MANY) == PW_BREAKDOWN);
  unilateral(&t, 0);
  CHECK(run(&t, MANY) == PW_SOLVED && t.out.count == 1);
}

CHECK_MAIN({"finds_all_solutions", finds_all_solutions},
           {"painleve_and_friction", painleve_and_friction}, {"zero_diagonal", zero_diagonal},
           {"continua_have_their_dimension", continua_have_their_dimension},
           {"redundant_forces_are_one_motion", redundant_forces_are_one_motion},
           {"order_and_units_do_not_matter", order_and_units_do_not_matter},
           {"limits_are_told", limits_are_told})
