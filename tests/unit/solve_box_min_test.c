// SPDX-License-Identifier: MIT
/* The representative of redundant forces and their ranges, against enumeration of faces. */
#include "solve/box_min.h"

#include "check.h"
#include "linalg/qr.h"
#include "solve/box_range.h"
#include "solve/polytope.h"
#include "unit/solve_support.h"

enum { MAX = 8, ROOM = 2000 };

typedef struct problem {
  double A[MAX * MAX], c[MAX], z[MAX], lo[MAX], hi[MAX], x[MAX], y[MAX];
  double least[MAX], largest[MAX];
  pw_box_qp qp;
  pw_box_min_info min;
} problem;

static void set_up(problem *p, int n, int m) {
  p->qp = (pw_box_qp){.n = n, .m = m, .A = p->A, .c = p->c, .z = p->z, .lo = p->lo, .hi = p->hi};
}

static pw_outcome solve(problem *p) {
  double real[ROOM];
  int whole[ROOM];
  pw_box_info info;
  return pw_box_qp_solve(&p->qp, p->x, p->y, NULL, real, whole, &info);
}

static const double y_tol = 1e-9;

static pw_outcome least_norm(problem *p) {
  double real[ROOM];
  int whole[ROOM];
  CHECK(pw_box_min_doubles(p->qp.n, p->qp.m) <= ROOM);
  return pw_box_min(&p->qp, p->y, y_tol, p->x, real, whole, &p->min);
}

static pw_outcome ranges(problem *p) {
  double real[ROOM];
  int whole[ROOM];
  CHECK(pw_box_range_doubles(p->qp.n, p->qp.m) <= ROOM);
  return pw_box_range(&p->qp, p->x, p->y, y_tol, p->least, p->largest, real, whole);
}

/* Table of mass 2 on legs (+-1, +-1), inertias 0.5 and 0.7, torques (0.3, -0.2). M = L L^T is
 * diagonal; `factor` rescales the gap of the first leg. Physical forces in legs. */
static void table(double factor, double *legs, problem *p) {
  const double lx[4] = {-1, -1, 1, 1}, ly[4] = {-1, 1, -1, 1};
  const double root[3] = {sqrt(2), sqrt(0.5), sqrt(0.7)};
  double length[4];
  for (int i = 0; i < 4; i++) {
    double f = i == 0 ? factor : 1;
    double w[3] = {f, f * ly[i], -f * lx[i]};
    for (int k = 0; k < 3; k++) {
      p->A[3 * i + k] = w[k] / root[k];
    }
    length[i] = pw_norm2(p->A + 3 * i, 3);
    p->z[i] = p->lo[i] = 0;
    p->hi[i] = INFINITY;
  }
  normalise_columns(p->A, 3, 4);
  const double h[3] = {-2 * 9.81, -0.3, 0.2};
  for (int k = 0; k < 3; k++) {
    p->c[k] = h[k] / root[k];
  }
  set_up(p, 3, 4);
  CHECK(solve(p) == PW_SOLVED && least_norm(p) == PW_SOLVED && ranges(p) == PW_SOLVED);
  CHECK_INT(p->min.rank, 3);
  CHECK_INT(p->min.open, 4);
  for (int i = 0; i < 4; i++) {
    double f = i == 0 ? factor : 1;
    legs[i] = p->x[i] / length[i] * f;
    p->least[i] *= f / length[i];
    p->largest[i] *= f / length[i];
  }
}

static void four_legged_table(void) {
  double legs[4], scaled[4];
  problem p;
  table(1, legs, &p);
  double low = legs[0], high = legs[3];
  CHECK_NEAR(low < high ? low : high, 4.78, 1e-12);
  CHECK_NEAR(low < high ? high : low, 5.03, 1e-12);
  CHECK_NEAR(legs[1] < legs[2] ? legs[1] : legs[2], 4.88, 1e-12);
  CHECK_NEAR(legs[1] < legs[2] ? legs[2] : legs[1], 4.93, 1e-12);
  int first = low < high ? 0 : 3;
  CHECK_NEAR(p.least[first], 0, 1e-12);
  CHECK_NEAR(p.largest[first], 9.66, 1e-12);
  table(10, scaled, &p);
  for (int i = 0; i < 4; i++) {
    CHECK_NEAR(scaled[i], legs[i], 1e-12);
  }
  CHECK_NEAR(p.largest[first], 9.66, 1e-12);
}

/* Redundant problem with a solution: few directions, many rows. */
static void random_problem(problem *p, uint64_t seed) {
  uint64_t s = seed * 6364136223846793005u;
  int n = random_int(&s, 1, 4), m = random_int(&s, 1, 6);
  for (int k = 0; k < n * m; k++) {
    p->A[k] = seed % 3 == 0 ? random_int(&s, -1, 1) : random_real(&s);
  }
  normalise_columns(p->A, n, m);
  random_fill(p->c, n, &s);
  memset(p->z, 0, sizeof p->z);
  random_bounds(&s, m, 1, p->lo, p->hi);
  set_up(p, n, m);
}

static bool open_row(const problem *p, int i) {
  return fabs(p->y[i]) <= y_tol && p->lo[i] < p->hi[i];
}

/* Point of the face `code` (0 inside, 1 lo, 2 hi) with the force of x0 and least norm. False if
 * there is none within the bounds. */
static bool face(const problem *p, const double *x0, long code, double *x, int *freedom) {
  int n = p->qp.n, m = p->qp.m, inside[MAX], count = 0;
  double rhs[MAX] = {0}, xf[MAX], real[ROOM];
  int whole[ROOM];
  for (int i = 0; i < m; i++, code /= 3) {
    x[i] = code % 3 == 1 ? p->lo[i] : p->hi[i];
    if (!open_row(p, i)) {
      if (code % 3 != 1) {
        return false;
      }
      x[i] = x0[i];
    } else if (code % 3 == 0) {
      inside[count++] = i;
    }
    double known = code % 3 == 0 ? 0 : x[i];
    if (isinf(known)) {
      return false;
    }
    pw_axpy(x0[i] - known, p->A + i * n, rhs, n);
  }
  pw_qr f;
  pw_qr_init(&f, n, count, real, whole);
  for (int k = 0; k < count; k++) {
    memcpy(f.A + k * n, p->A + inside[k] * n, (size_t)n * sizeof *rhs);
  }
  pw_qr_decompose(&f, 1e-9);
  *freedom = count - f.rank;
  pw_qr_least_squares(&f, rhs, xf);
  for (int k = 0; k < count; k++) {
    int i = inside[k];
    pw_axpy(-xf[k], p->A + i * n, rhs, n);
    x[i] = xf[k];
    if (!(x[i] >= p->lo[i] - 1e-10 && x[i] <= p->hi[i] + 1e-10)) {
      return false;
    }
  }
  return pw_norm2(rhs, n) <= 1e-10;
}

static long faces(int m) {
  long count = 1;
  for (int i = 0; i < m; i++) {
    count *= 3;
  }
  return count;
}

static void least_norm_agrees_with_all_faces(void) {
  int checked = 0, redundant = 0, held = 0;
  long iterations = 0;
  for (uint64_t seed = 1; seed <= 2000; seed++) {
    problem p;
    random_problem(&p, seed);
    if (solve(&p) != PW_SOLVED) {
      continue;
    }
    double x0[MAX], x[MAX], best[MAX], least = INFINITY;
    int freedom, m = p.qp.m;
    memcpy(x0, p.x, sizeof x0);
    if (!CHECK_SEED(least_norm(&p) == PW_SOLVED, seed)) {
      continue;
    }
    for (long code = 0; code < faces(m); code++) {
      if (face(&p, x0, code, x, &freedom) && pw_dot(x, x, m) < least) {
        least = pw_dot(x, x, m);
        memcpy(best, x, sizeof x);
      }
    }
    checked++;
    redundant += p.min.open > p.min.rank;
    iterations += p.min.iterations;
    for (int i = 0; i < m; i++) {
      CHECK_SEED(fabs(p.x[i] - best[i]) <= 1e-8, seed);
      CHECK_SEED(p.x[i] >= p.lo[i] && p.x[i] <= p.hi[i], seed);
      held +=
          open_row(&p, i) && p.min.open > p.min.rank && (p.x[i] == p.lo[i] || p.x[i] == p.hi[i]);
    }
    double scratch[MAX];
    CHECK_SEED(pw_box_qp_residual(&p.qp, p.x, scratch) <= 1e-11, seed);
  }
  printf("  %d problems, %d redundant, %d open rows held, mean iterations %.2f\n", checked,
         redundant, held, (double)iterations / checked);
  CHECK(checked > 1500 && redundant > 500 && held > 100);
}

/* Vertices of the set with infinite bounds moved to +-1e5: an end beyond 200 is infinite. */
static void ranges_agree_with_all_vertices(void) {
  int wide = 0, infinite = 0;
  for (uint64_t seed = 1; seed <= 1500; seed++) {
    problem p;
    random_problem(&p, seed);
    if (solve(&p) != PW_SOLVED) {
      continue;
    }
    CHECK_SEED(ranges(&p) == PW_SOLVED, seed);
    int m = p.qp.m, freedom;
    double x[MAX], low[MAX], high[MAX];
    for (int i = 0; i < m; i++) {
      low[i] = INFINITY;
      high[i] = -INFINITY;
      p.lo[i] = fmax(p.lo[i], -1e5);
      p.hi[i] = fmin(p.hi[i], 1e5);
    }
    for (long code = 0; code < faces(m); code++) {
      if (face(&p, p.x, code, x, &freedom) && freedom == 0) {
        for (int i = 0; i < m; i++) {
          low[i] = fmin(low[i], x[i]);
          high[i] = fmax(high[i], x[i]);
        }
      }
    }
    for (int i = 0; i < m; i++) {
      double a = low[i] < -200 ? -INFINITY : low[i], b = high[i] > 200 ? INFINITY : high[i];
      CHECK_SEED(a == p.least[i] || fabs(a - p.least[i]) <= 1e-8, seed);
      CHECK_SEED(b == p.largest[i] || fabs(b - p.largest[i]) <= 1e-8, seed);
      wide += b > a;
      infinite += isinf(b - a) ? 1 : 0;
    }
  }
  printf("  %d rows not determined, %d of them without end\n", wide, infinite);
  CHECK(wide > 500 && infinite > 100);
}

/* The set is found to be empty exactly if no vertex of it exists. */
static void polytope_is_found_or_empty(void) {
  int found = 0, empty = 0;
  for (uint64_t seed = 1; seed <= 2000; seed++) {
    problem p;
    random_problem(&p, seed);
    int n = p.qp.n, m = p.qp.m, freedom;
    uint64_t s = seed;
    double g[MAX] = {0}, x0[MAX], x[MAX], real[ROOM];
    int whole[ROOM];
    for (int i = 0; i < m; i++) {
      p.y[i] = 0;
      p.lo[i] = fmax(p.lo[i], -4);
      p.hi[i] = fmin(p.hi[i], 4) + 0.1;
      x0[i] = 1.5 * random_real(&s);
      pw_axpy(x0[i], p.A + i * n, g, n);
    }
    bool exists = false;
    for (long code = 0; code < faces(m) && !exists; code++) {
      exists = face(&p, x0, code, x, &freedom);
    }
    pw_polytope t;
    CHECK(pw_polytope_init(&t, n, m, p.A, p.lo, p.hi, 1e-9, real, whole) == PW_SOLVED);
    pw_outcome o = pw_polytope_find(&t, p.A, g, 1e-9);
    CHECK_SEED(o == (exists ? PW_SOLVED : PW_INFEASIBLE), seed);
    found += exists;
    empty += !exists;
    for (int i = 0; i < m && exists; i++) {
      CHECK_SEED(t.x[i] >= p.lo[i] && t.x[i] <= p.hi[i], seed);
      pw_axpy(-t.x[i], p.A + i * n, g, n);
    }
    CHECK_SEED(!exists || pw_norm2(g, n) <= 1e-11, seed);
  }
  printf("  %d found, %d empty\n", found, empty);
  CHECK(found > 500 && empty > 200);
}

static void many_equal_supports_share_equally(void) {
  problem p = {.c = {-6}};
  for (int i = 0; i < 6; i++) {
    p.A[i] = 1;
    p.hi[i] = i < 2 ? 0.25 : INFINITY;
  }
  set_up(&p, 1, 6);
  CHECK(solve(&p) == PW_SOLVED && least_norm(&p) == PW_SOLVED && ranges(&p) == PW_SOLVED);
  for (int i = 0; i < 6; i++) {
    CHECK_NEAR(p.x[i], i < 2 ? 0.25 : 5.5 / 4, 1e-14);
    CHECK_NEAR(p.largest[i], i < 2 ? 0.25 : 6, 1e-14);
  }
  problem none = {.c = {1}};
  set_up(&none, 1, 0);
  CHECK(least_norm(&none) == PW_SOLVED && ranges(&none) == PW_SOLVED);
}

CHECK_MAIN({"four_legged_table", four_legged_table},
           {"least_norm_agrees_with_all_faces", least_norm_agrees_with_all_faces},
           {"ranges_agree_with_all_vertices", ranges_agree_with_all_vertices},
           {"polytope_is_found_or_empty", polytope_is_found_or_empty},
           {"many_equal_supports_share_equally", many_equal_supports_share_equally})
