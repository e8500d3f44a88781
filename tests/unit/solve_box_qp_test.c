// SPDX-License-Identifier: MIT
/* The active set against enumeration of all patterns on seeded random problems. */
#include "solve/box_qp.h"

#include <stdlib.h>

#include "check.h"
#include "linalg/lu.h"
#include "unit/solve_support.h"

enum { MAX_M = 8, MAX_N = 8 };

typedef struct problem {
  double A[MAX_N * MAX_M], c[MAX_N], z[MAX_M], lo[MAX_M], hi[MAX_M];
  double D[MAX_M * MAX_M], b[MAX_M];
  pw_box_qp qp;
  double scale;
} problem;

typedef struct answer {
  double x[MAX_M], y[MAX_M];
  pw_box_info info;
  pw_outcome outcome;
} answer;

static void finish(problem *p, int n, int m) {
  gram(p->A, n, m, p->c, p->z, p->D, p->b);
  p->qp = (pw_box_qp){.n = n, .m = m, .A = p->A, .c = p->c, .z = p->z, .lo = p->lo, .hi = p->hi};
  p->scale = 0;
  for (int i = 0; i < m; i++) {
    double a = fabs(pw_dot(p->A + i * n, p->c, n)) + fabs(p->z[i]);
    p->scale = fmax(p->scale, fmax(a, fabs(clamped(0, p->lo[i], p->hi[i]))));
  }
}

static void solve(const problem *p, const bool *hint, answer *a) {
  double real[2 * MAX_N + 3 * (MAX_M + 1) + MAX_N * (MAX_M + 1) + (MAX_M + 1) * (MAX_M + 1)];
  int whole[2 * MAX_M + 1];
  CHECK(pw_box_qp_doubles(p->qp.n, p->qp.m) <= sizeof real / sizeof *real);
  CHECK(pw_box_qp_ints(p->qp.m) <= sizeof whole / sizeof *whole);
  a->outcome = pw_box_qp_solve(&p->qp, a->x, a->y, hint, real, whole, &a->info);
}

/* One pattern: digit 0 inside, 1 at lo (an unbounded row: at zero), 2 at hi. False: singular. */
static bool pattern(const problem *p, long code, double *x) {
  int m = p->qp.m, count = 0, inside[MAX_M], pivot[MAX_M];
  double G[MAX_M * MAX_M], rhs[MAX_M];
  for (int i = 0; i < m; i++, code /= 3) {
    double at = code % 3 == 1 ? p->lo[i] : p->hi[i];
    x[i] = 0;
    if (code % 3 == 0) {
      inside[count++] = i;
    } else if (isfinite(at)) {
      x[i] = at;
    } else if (code % 3 == 2 || isfinite(p->hi[i])) {
      return false;
    }
  }
  for (int k = 0; k < count; k++) {
    rhs[k] = -p->b[inside[k]];
    for (int j = 0; j < m; j++) {
      rhs[k] -= p->D[j * m + inside[k]] * x[j];
    }
    for (int l = 0; l < count; l++) {
      G[l * count + k] = p->D[inside[l] * m + inside[k]];
    }
  }
  if (count > 0 && pw_lu(G, count, pivot) != 0) {
    return false;
  }
  pw_lu_solve(G, count, pivot, rhs);
  for (int k = 0; k < count; k++) {
    x[inside[k]] = clamped(rhs[k], p->lo[inside[k]], p->hi[inside[k]]);
  }
  return true;
}

/* Least natural-map residual over all patterns, and its x. */
static double enumerate(const problem *p, double *best_x) {
  long patterns = 1;
  double best = INFINITY, x[MAX_M];
  for (int i = 0; i < p->qp.m; i++) {
    patterns *= 3;
  }
  for (long code = 0; code < patterns; code++) {
    if (pattern(p, code, x)) {
      double r = natural_residual(p->D, p->b, p->lo, p->hi, p->qp.m, x);
      if (r < best) {
        best = r;
        memcpy(best_x, x, sizeof x);
      }
    }
  }
  return best;
}

static void evaluate(const problem *p, const double *x, double *y) {
  for (int i = 0; i < p->qp.m; i++) {
    y[i] = p->b[i];
    for (int j = 0; j < p->qp.m; j++) {
      y[i] += p->D[j * p->qp.m + i] * x[j];
    }
  }
}

/* A direction along which the objective falls without end. */
static bool certified(const problem *p, const double *d) {
  int n = p->qp.n, m = p->qp.m;
  double size = 0, slope = 0, worst = 0;
  for (int i = 0; i < m; i++) {
    size = fmax(size, fabs(d[i]));
    slope += d[i] * p->z[i];
    if ((d[i] > 0 && isfinite(p->hi[i])) || (d[i] < 0 && isfinite(p->lo[i]))) {
      return false;
    }
  }
  for (int k = 0; k < n; k++) {
    double s = 0;
    for (int i = 0; i < m; i++) {
      s += p->A[i * n + k] * d[i];
    }
    worst = fmax(worst, fabs(s));
  }
  return size > 0 && worst <= 1e-8 * size && slope < -1e-12 * p->scale;
}

typedef struct tally {
  int solved, infeasible, undecided;
  long iterations;
} tally;

static void agree(const problem *p, uint64_t seed, tally *t) {
  answer a;
  double x[MAX_M], y[MAX_M];
  solve(p, NULL, &a);
  double best = enumerate(p, x);
  t->iterations += a.info.iterations;
  if (best <= 1e-9 * p->scale) {
    t->solved++;
    evaluate(p, x, y);
    if (CHECK_SEED(a.outcome == PW_SOLVED, seed)) {
      CHECK_SEED(a.info.residual <= 1e-11 * p->scale, seed);
      CHECK_SEED(natural_residual(p->D, p->b, p->lo, p->hi, p->qp.m, a.x) <= 2e-11 * p->scale,
                 seed);
      for (int i = 0; i < p->qp.m; i++) {
        CHECK_SEED(fabs(a.y[i] - y[i]) <= 1e-7 * p->scale, seed);
        CHECK_SEED(a.x[i] >= p->lo[i] && a.x[i] <= p->hi[i], seed);
      }
    }
  } else if (best > 1e-6 * p->scale) {
    t->infeasible++;
    CHECK_SEED(a.outcome == PW_INFEASIBLE && certified(p, a.y), seed);
  } else {
    t->undecided++;
  }
}

static void make_generic(problem *p, uint64_t *s, int n, int m) {
  random_fill(p->A, n * m, s);
  normalise_columns(p->A, n, m);
  random_fill(p->c, n, s);
  random_fill(p->z, m, s);
  random_bounds(s, m, 1, p->lo, p->hi);
}

/* Columns that repeat, with either sign, or are a sum of two others; `consistent`: z of the form
 * A^T v, so that no combination contradicts another. */
static void make_redundant(problem *p, uint64_t *s, int n, int m, bool consistent) {
  make_generic(p, s, n, m);
  for (int j = 1; j < m; j++) {
    int kind = random_int(s, 0, 3), from = random_int(s, 0, j - 1), also = random_int(s, 0, j - 1);
    double f = kind == 1 ? 1 : 3.7 * random_real(s), g = kind == 3 ? random_real(s) : 0;
    for (int k = 0; k < n && kind > 0; k++) {
      p->A[j * n + k] = f * p->A[from * n + k] + g * p->A[also * n + k];
    }
    if (kind == 1) {
      p->z[j] = p->z[from];
    }
  }
  normalise_columns(p->A, n, m);
  if (consistent) {
    double v[MAX_N];
    random_fill(v, n, s);
    pw_gemv_t(p->A, n, m, v, p->z);
  }
}

/* Small whole numbers: ties, zero violations and zero steps everywhere. */
static void make_degenerate(problem *p, uint64_t *s, int n, int m) {
  make_generic(p, s, n, m);
  for (int k = 0; k < n * m; k++) {
    p->A[k] = random_int(s, -1, 1);
  }
  normalise_columns(p->A, n, m);
  for (int k = 0; k < n; k++) {
    p->c[k] = random_int(s, -1, 1);
  }
  double v[MAX_N];
  for (int k = 0; k < n; k++) {
    v[k] = random_int(s, -1, 1) + random_int(s, 0, 1) * -p->c[k];
  }
  pw_gemv_t(p->A, n, m, v, p->z);
  for (int i = 0; i < m; i++) {
    p->lo[i] = isfinite(p->lo[i]) ? random_int(s, -1, 0) : p->lo[i];
    p->hi[i] = isfinite(p->hi[i]) ? random_int(s, 0, 1) : p->hi[i];
  }
}

static void make_scaled(problem *p, uint64_t *s, int n, int m) {
  double size = pow(10, random_int(s, -8, 8));
  make_redundant(p, s, n, m, true);
  random_bounds(s, m, size * pow(10, random_int(s, -5, 5)), p->lo, p->hi);
  for (int k = 0; k < n; k++) {
    p->c[k] *= size * pow(10, random_int(s, -4, 0));
  }
  for (int i = 0; i < m; i++) {
    p->z[i] *= size;
  }
}

static void report(const char *name, const tally *t, int count) {
  printf("  %-12s solved %d, infeasible %d, undecided %d, mean iterations %.2f\n", name, t->solved,
         t->infeasible, t->undecided, (double)t->iterations / count);
}

enum { GENERIC, CONSISTENT, CONTRADICTING, DEGENERATE, ZERO_COLUMNS, SCALED };

static void family(int kind, const char *name, int count, int max_n, tally *t) {
  *t = (tally){0};
  for (int k = 1; k <= count; k++) {
    uint64_t seed = (uint64_t)(1000 * kind + k), s = seed * 7919;
    problem p;
    int n = random_int(&s, 1, max_n), m = random_int(&s, 1, 6);
    switch (kind) {
    case GENERIC: make_generic(&p, &s, n, m); break;
    case DEGENERATE: make_degenerate(&p, &s, n, m); break;
    case SCALED: make_scaled(&p, &s, n, m); break;
    default: make_redundant(&p, &s, n, m, kind == CONSISTENT); break;
    }
    if (kind == ZERO_COLUMNS) {
      memset(p.A + random_int(&s, 0, m - 1) * n, 0, (size_t)n * sizeof *p.A);
    }
    finish(&p, n, m);
    agree(&p, seed * 100000u + (uint64_t)kind, t);
  }
  report(name, t, count);
}

static void generic_rows_agree_with_enumeration(void) {
  tally t;
  family(GENERIC, "generic", 1500, 8, &t);
  CHECK(t.solved > 1000 && t.undecided < 20);
  family(GENERIC, "low rank", 1000, 2, &t);
  CHECK(t.infeasible > 100 && t.undecided < 20);
}

static void redundant_rows_agree_with_enumeration(void) {
  tally t;
  family(CONSISTENT, "consistent", 1500, 6, &t);
  CHECK(t.solved == 1500);
  family(CONTRADICTING, "contradict", 1500, 6, &t);
  CHECK(t.infeasible > 200 && t.undecided < 20);
  family(ZERO_COLUMNS, "zero column", 500, 6, &t);
  CHECK(t.infeasible > 50 && t.undecided < 20);
}

static void degenerate_rows_agree_with_enumeration(void) {
  tally t;
  family(DEGENERATE, "degenerate", 2000, 5, &t);
  CHECK(t.solved > 1500 && t.undecided < 20);
  CHECK(t.iterations < 6 * 2000);
}

static void badly_scaled_rows_agree_with_enumeration(void) {
  tally t;
  family(SCALED, "scaled", 1500, 6, &t);
  CHECK(t.solved > 1300);
}

/* Any hint and any start give the same forces A x and the same y. */
static void hints_do_not_change_the_result(void) {
  long cold = 0, warm = 0;
  for (uint64_t seed = 1; seed <= 1000; seed++) {
    uint64_t s = seed * 104729;
    problem p;
    int n = random_int(&s, 1, 7), m = random_int(&s, 1, 8);
    make_redundant(&p, &s, n, m, true);
    finish(&p, n, m);
    answer a, b;
    bool hint[MAX_M];
    solve(&p, NULL, &a);
    for (int i = 0; i < m; i++) {
      hint[i] = random_real(&s) > 0;
      b.x[i] = seed % 5 == 0 ? NAN : 3 * random_real(&s);
    }
    solve(&p, hint, &b);
    CHECK_SEED(a.outcome == PW_SOLVED && b.outcome == PW_SOLVED, seed);
    for (int i = 0; i < m; i++) {
      CHECK_SEED(fabs(a.y[i] - b.y[i]) <= 1e-10 * p.scale, seed);
      hint[i] = a.x[i] > p.lo[i] && a.x[i] < p.hi[i];
    }
    memcpy(b.x, a.x, sizeof b.x);
    solve(&p, hint, &b);
    cold += a.info.iterations;
    warm += b.info.iterations;
    CHECK_SEED(b.outcome == PW_SOLVED && b.info.iterations <= 1 + m, seed);
  }
  printf("  mean iterations cold %.2f, warm %.2f\n", (double)cold / 1000, (double)warm / 1000);
  CHECK(warm < 1100);
}

typedef struct large {
  double *A, *c, *z, *lo, *hi, *x, *y, *real;
  int *whole;
  pw_box_qp qp;
} large;

static double *reals(size_t n) {
  return calloc(n, sizeof(double));
}

static large large_new(int n, int m) {
  large g = {.A = reals((size_t)(n * m)), .c = reals((size_t)n), .z = reals((size_t)m)};
  g.lo = reals((size_t)m);
  g.hi = reals((size_t)m);
  g.x = reals((size_t)m);
  g.y = reals((size_t)m);
  g.real = reals(pw_box_qp_doubles(n, m));
  g.whole = calloc(pw_box_qp_ints(m), sizeof *g.whole);
  g.qp = (pw_box_qp){.n = n, .m = m, .A = g.A, .c = g.c, .z = g.z, .lo = g.lo, .hi = g.hi};
  for (int i = 0; i < m; i++) {
    g.hi[i] = INFINITY;
  }
  return g;
}

static void large_free(large *g) {
  free(g->A);
  free(g->c);
  free(g->z);
  free(g->lo);
  free(g->hi);
  free(g->x);
  free(g->y);
  free(g->real);
  free(g->whole);
}

/* Forty copies of three contacts, some without any violation: each entry must pay. */
static void identical_contacts_do_not_cycle(void) {
  for (uint64_t seed = 1; seed <= 200; seed++) {
    uint64_t s = seed;
    int n = 4, m = 40;
    large g = large_new(n, m);
    random_fill(g.A, n * 3, &s);
    normalise_columns(g.A, n, 3);
    for (int j = 3; j < m; j++) {
      memcpy(g.A + j * n, g.A + (j % 3) * n, (size_t)n * sizeof *g.A);
    }
    random_fill(g.c, seed % 4 == 0 ? 0 : n, &s);
    pw_box_info info;
    CHECK_SEED(pw_box_qp_solve(&g.qp, g.x, g.y, NULL, g.real, g.whole, &info) == PW_SOLVED, seed);
    CHECK_SEED(info.iterations <= 8 && info.residual <= 1e-12, seed);
    large_free(&g);
  }
}

/* Work per solution is iterations x O(n m + n k + k^2), so cubic if iterations grow like m. */
static void iterations_grow_at_most_linearly(void) {
  for (int m = 10; m <= 160; m *= 2) {
    int worst = 0;
    long sum = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
      uint64_t s = seed;
      int n = seed % 2 == 0 ? m / 2 : 2 * m;
      large g = large_new(n, m);
      random_fill(g.A, n * m, &s);
      normalise_columns(g.A, n, m);
      random_fill(g.c, n, &s);
      for (int i = 0; i < m; i += 3) {
        g.lo[i] = -0.02;
        g.hi[i] = 0.02;
      }
      pw_box_info info;
      CHECK_SEED(pw_box_qp_solve(&g.qp, g.x, g.y, NULL, g.real, g.whole, &info) == PW_SOLVED, seed);
      CHECK_SEED(info.residual <= 1e-11 * info.scale, seed);
      worst = info.iterations > worst ? info.iterations : worst;
      sum += info.iterations;
      large_free(&g);
    }
    printf("  m = %3d: iterations mean %.1f, most %d\n", m, (double)sum / 20, worst);
    CHECK(worst <= 2 * m + 10);
  }
}

static void bad_data_is_a_breakdown(void) {
  problem p;
  uint64_t s = 5;
  make_generic(&p, &s, 3, 3);
  finish(&p, 3, 3);
  answer a;
  double keep = p.c[1];
  p.c[1] = NAN;
  solve(&p, NULL, &a);
  CHECK(a.outcome == PW_BREAKDOWN && isnan(a.info.residual));
  p.c[1] = keep;
  p.lo[0] = 1;
  p.hi[0] = -1;
  solve(&p, NULL, &a);
  CHECK(a.outcome == PW_BREAKDOWN);
  double x[3] = {NAN, 0, 0}, scratch[3];
  p.lo[0] = -INFINITY;
  CHECK(isnan(pw_box_qp_residual(&p.qp, x, scratch)));
}

static void no_rows_are_solved(void) {
  problem p = {.c = {1, 2, 3}};
  finish(&p, 3, 0);
  answer a;
  solve(&p, NULL, &a);
  CHECK(a.outcome == PW_SOLVED && a.info.residual == 0);
}

/* Two rows 1e-5 apart that contradict each other by a finite amount: huge but finite forces. Two
 * rows 1e-12 apart count as one: contradiction. */
static void nearly_dependent_rows(void) {
  problem p = {.A = {1, 0, 1, 1e-5}, .z = {0, 1}, .lo = {-INFINITY, -INFINITY}};
  p.hi[0] = p.hi[1] = INFINITY;
  p.c[0] = 1;
  finish(&p, 2, 2);
  answer a;
  solve(&p, NULL, &a);
  CHECK(a.outcome == PW_SOLVED);
  CHECK_NEAR(a.x[1] * 1e-10, -1, 1e-4);
  p.A[3] = 1e-12;
  finish(&p, 2, 2);
  solve(&p, NULL, &a);
  CHECK(a.outcome == PW_INFEASIBLE && certified(&p, a.y));
  CHECK_INT(a.info.row, 1);
}

/* Columns 1e-3 to 1e-14 apart, conditions consistent: never called a contradiction, and what is
 * called solved is so to 1e-8 even where forces of 1e8 hide the last digits. */
static void nearly_dependent_rows_are_judged_honestly(void) {
  int solved = 0, sharp = 0;
  for (uint64_t seed = 1; seed <= 1000; seed++) {
    uint64_t s = seed * 8191;
    int n = random_int(&s, 1, 20), m = random_int(&s, 2, 30);
    large g = large_new(n, m);
    random_fill(g.A, n * m, &s);
    for (int j = 1; j < m; j++) {
      int from = random_int(&s, 0, j - 1);
      double apart = pow(10, -random_int(&s, 3, 14)), sign = random_int(&s, 0, 1) ? 1 : -1;
      for (int k = 0; k < n && j % 2 == 1; k++) {
        g.A[j * n + k] = sign * g.A[from * n + k] + apart * random_real(&s);
      }
    }
    normalise_columns(g.A, n, m);
    random_fill(g.c, n, &s);
    pw_gemv_t(g.A, n, m, g.c, g.z);
    random_bounds(&s, m, 1, g.lo, g.hi);
    pw_box_info info;
    pw_outcome o = pw_box_qp_solve(&g.qp, g.x, g.y, NULL, g.real, g.whole, &info);
    CHECK_SEED(o == PW_SOLVED || o == PW_BREAKDOWN, seed);
    CHECK_SEED(o != PW_SOLVED || info.residual <= 1e-8 * info.scale, seed);
    solved += o == PW_SOLVED;
    sharp += info.residual <= 1e-11 * info.scale;
    large_free(&g);
  }
  printf("  solved %d of 1000, %d of them to 1e-11\n", solved, sharp);
  CHECK(solved > 700 && sharp > 500);
}

CHECK_MAIN({"generic_rows_agree_with_enumeration", generic_rows_agree_with_enumeration},
           {"redundant_rows_agree_with_enumeration", redundant_rows_agree_with_enumeration},
           {"degenerate_rows_agree_with_enumeration", degenerate_rows_agree_with_enumeration},
           {"badly_scaled_rows_agree_with_enumeration", badly_scaled_rows_agree_with_enumeration},
           {"hints_do_not_change_the_result", hints_do_not_change_the_result},
           {"identical_contacts_do_not_cycle", identical_contacts_do_not_cycle},
           {"iterations_grow_at_most_linearly", iterations_grow_at_most_linearly},
           {"bad_data_is_a_breakdown", bad_data_is_a_breakdown},
           {"no_rows_are_solved", no_rows_are_solved},
           {"nearly_dependent_rows", nearly_dependent_rows},
           {"nearly_dependent_rows_are_judged_honestly", nearly_dependent_rows_are_judged_honestly})
