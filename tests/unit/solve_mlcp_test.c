// SPDX-License-Identifier: MIT
/* Mixed problems by Lemke's method against the search over pieces. */
#include "solve/mlcp.h"

#include "check.h"
#include "solve/enumerate.h"
#include "unit/solve_support.h"

enum { MAX = 8, ROOM = 6000, MANY = 64 };

typedef struct problem {
  int m;
  double D[MAX * MAX], b[MAX], lo[MAX], hi[MAX], x[MAX];
  pw_mlcp_info info;
} problem;

static pw_box_lcp box(const problem *p) {
  return (pw_box_lcp){.m = p->m, .D = p->D, .b = p->b, .lo = p->lo, .hi = p->hi};
}

static pw_outcome solve(problem *p) {
  static double real[ROOM];
  static int whole[ROOM];
  pw_box_lcp l = box(p);
  CHECK(pw_mlcp_doubles(p->m) <= ROOM && pw_mlcp_ints(p->m) <= ROOM);
  return pw_mlcp_solve(&l, NULL, p->x, real, whole, &p->info);
}

/* Number of solutions; the first one in x. */
static int search(const problem *p, double *x) {
  static double real[ROOM], xs[MANY * MAX], ys[MANY * MAX];
  static int whole[ROOM], piece[MANY * MAX];
  pw_branch branch[MANY];
  pw_branches out = {.capacity = MANY, .branch = branch, .x = xs, .y = ys, .piece = piece};
  pw_enumerate_info info;
  pw_box_lcp l = box(p);
  pw_enumerate(&l, &(pw_enumerate_opts){0}, &out, real, whole, &info);
  CHECK(info.complete);
  memcpy(x, xs, (size_t)p->m * sizeof *x);
  return out.count;
}

/* M = B^T B of given rank, plus a skew part. */
static void random_matrix(problem *p, uint64_t *s, int rank, double skew) {
  double A[MAX * MAX], c[MAX] = {0}, z[MAX] = {0};
  random_fill(A, rank * p->m, s);
  gram(A, rank, p->m, c, z, p->D, p->b);
  for (int j = 0; j < p->m; j++) {
    for (int i = 0; i < j; i++) {
      double k = skew * random_real(s);
      p->D[j * p->m + i] += k;
      p->D[i * p->m + j] -= k;
    }
  }
}

static double distance(const double *a, const double *b, int m) {
  double far = 0;
  for (int i = 0; i < m; i++) {
    far = fmax(far, fabs(a[i] - b[i]));
  }
  return far;
}

static void definite_problems_have_their_one_solution(void) {
  for (uint64_t seed = 1; seed <= 2000; seed++) {
    uint64_t s = seed * 59;
    problem p = {.m = random_int(&s, 1, 7)};
    double x[MAX];
    random_matrix(&p, &s, p.m + 1, seed % 2 == 0 ? 1 : 0);
    random_fill(p.b, p.m, &s);
    random_bounds(&s, p.m, 1, p.lo, p.hi);
    CHECK_SEED(solve(&p) == PW_SOLVED, seed);
    CHECK_SEED(search(&p, x) == 1, seed);
    CHECK_SEED(distance(p.x, x, p.m) <= 1e-7 * (1 + fabs(x[0])), seed);
    CHECK_SEED(p.info.residual <= 1e-11, seed);
  }
}

/* Redundant rows, also among the unbounded ones: solved if and only if a solution exists. Where
 * rounding makes a contradiction look like forces of 1e12, it is told as a breakdown. */
static void semidefinite_problems_are_decided(void) {
  int solved = 0, none = 0, broken = 0;
  for (uint64_t seed = 1; seed <= 1500; seed++) {
    uint64_t s = seed * 61;
    problem p = {.m = random_int(&s, 1, 6)};
    double x[MAX];
    random_matrix(&p, &s, random_int(&s, 1, p.m), 0);
    random_fill(p.b, p.m, &s);
    if (seed % 2 == 0) { /* b in the range of D */
      double v[MAX];
      memcpy(v, p.b, sizeof v);
      pw_gemv(p.D, p.m, p.m, v, p.b);
    }
    random_bounds(&s, p.m, 1, p.lo, p.hi);
    pw_outcome o = solve(&p);
    int count = search(&p, x);
    CHECK_SEED((o == PW_SOLVED) == (count > 0), seed);
    CHECK_SEED(count > 0 || o == PW_INFEASIBLE || ++broken <= 2, seed);
    solved += o == PW_SOLVED;
    none += o == PW_INFEASIBLE;
  }
  printf("  %d solved, %d without solution\n", solved, none);
  CHECK(solved > 800 && none > 120);
}

/* Whatever the matrix: what is reported as a solution is one that the search finds too. */
static void general_problems_never_lie(void) {
  int solved = 0, missed = 0;
  for (uint64_t seed = 1; seed <= 2000; seed++) {
    uint64_t s = seed * 67;
    problem p = {.m = random_int(&s, 1, 6)};
    double x[MAX];
    random_fill(p.D, p.m * p.m, &s);
    random_fill(p.b, p.m, &s);
    random_bounds(&s, p.m, 1, p.lo, p.hi);
    pw_outcome o = solve(&p);
    int count = search(&p, x);
    CHECK_SEED(o != PW_SOLVED || count > 0, seed);
    CHECK_SEED(o != PW_SOLVED ||
                   natural_residual(p.D, p.b, p.lo, p.hi, p.m, p.x) <= 1e-9 * (1 + fabs(p.x[0])),
               seed);
    solved += o == PW_SOLVED;
    missed += o != PW_SOLVED && count > 0;
  }
  printf("  %d solved, %d missed\n", solved, missed);
  CHECK(solved > 800);
}

/* y_1 = x_2 - 1 = 0 fixes x_2, which no LCP in x_2 alone can say. */
static void singular_bilateral_rows_are_told(void) {
  problem p = {.m = 2, .D = {0, -1, 1, 1}, .b = {-1, 0}, .lo = {-INFINITY, 0}};
  p.hi[0] = p.hi[1] = INFINITY;
  CHECK(solve(&p) == PW_BREAKDOWN);
  p = (problem){.m = 2, .D = {1, 1, 1, 1}, .b = {0, 1}, .lo = {-INFINITY, -INFINITY}};
  p.hi[0] = p.hi[1] = INFINITY;
  CHECK(solve(&p) == PW_INFEASIBLE);
  p.b[1] = NAN;
  CHECK(solve(&p) == PW_BREAKDOWN);
  p = (problem){.m = 0};
  CHECK(solve(&p) == PW_SOLVED);
}

CHECK_MAIN({"definite_problems_have_their_one_solution", definite_problems_have_their_one_solution},
           {"semidefinite_problems_are_decided", semidefinite_problems_are_decided},
           {"general_problems_never_lie", general_problems_never_lie},
           {"singular_bilateral_rows_are_told", singular_bilateral_rows_are_told})
