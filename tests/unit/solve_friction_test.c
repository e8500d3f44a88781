// SPDX-License-Identifier: MIT
/* Many contacts with friction: redundant boxes, other solvers on special cases, honest outcomes. */
#include "check.h"

#include "base/real.h"
#include "solve/box_qp.h"
#include "solve/cone_point.h"
#include "solve/friction_factor.h"
#include "solve/lemke.h"
#include "solve/nsgs.h"
#include "solve/prox_newton.h"
#include "unit/solve_friction_support.h"

static generated g;

/* The law of every contact by cases, relative to the largest entries. */
static double law_error(const pw_friction *p, const double *r) {
  double u[MOST_ROWS], worst = 0, size = pw_norm_inf(p->q, 3 * p->nc);
  double big = pw_max(pw_norm_inf(r, 3 * p->nc), size); /* W is of the order of 1 */
  pw_friction_velocity(p, r, u);
  for (int i = 0; i < p->nc; i++) {
    const double *f = r + 3 * i, *v = u + 3 * i;
    double mu = p->contact[i].bound, slip = hypot(v[1], v[2]);
    worst = pw_max(worst, pw_max(-f[0], hypot(f[1], f[2]) - mu * f[0]) / big);
    worst = pw_max(worst, pw_max(-v[0], fabs(f[0] / big * v[0])) / size);
    worst = pw_max(worst, fabs(f[1] * v[1] + f[2] * v[2] + mu * f[0] * slip) / (big * size));
  }
  return worst;
}

static void boxes_with_four_corners(void) {
  static const int boxes[5] = {1, 2, 3, 4, 4}, floors[5] = {1, 2, 3, 4, 1};
  for (int kind = 0; kind < 5; kind++) {
    for (uint64_t seed = 1; seed <= 120; seed++) {
      double r[MOST_ROWS], mu = 0.1 + 0.3 * (double)(seed % 4);
      pw_friction_info info;
      random_boxes(&g, seed, boxes[kind], floors[kind], mu);
      pw_friction p = packed(&g);
      pw_outcome outcome = solve_with_memory(&p, (pw_friction_opts){.tol = 1e-10}, r, &info);
      CHECK_SEED(outcome == PW_SOLVED && info.check.residual <= 1e-10, seed);
      CHECK_SEED(law_error(&p, r) <= 1e-8, seed);
      CHECK_INT(info.groups, boxes[kind] / floors[kind]);
    }
  }
}

static void tall_stack(void) {
  double r[MOST_ROWS];
  pw_friction_info info;
  random_boxes(&g, 3, 12, 12, 0.5);
  pw_friction p = packed(&g);
  CHECK(solve_with_memory(&p, (pw_friction_opts){.tol = 1e-10}, r, &info) == PW_SOLVED);
  CHECK(law_error(&p, r) <= 1e-8);
}

static void random_contacts_of_full_rank(void) {
  for (uint64_t seed = 1; seed <= 150; seed++) {
    double r[MOST_ROWS], scratch[4 * MOST_CONTACTS];
    int nc = 2 + (int)(seed % 12);
    pw_friction_info info;
    random_contacts(&g, seed, nc, 3, 3 * nc + 2, 0.6);
    pw_friction p = packed(&g);
    CHECK_SEED(solve_with_memory(&p, (pw_friction_opts){0}, r, &info) == PW_SOLVED, seed);
    CHECK_SEED(pw_friction_residual(&p, r, scratch, NULL) <= 1e-11, seed);
    CHECK_SEED(law_error(&p, r) <= 1e-9 && info.check.cone <= 1e-11, seed);
    CHECK_SEED(info.check.normal <= 1e-10 && info.check.angle <= 1e-4, seed);
  }
}

/* Redundant directions and mu up to 3 may have no solution, or one that is not found: whatever is
 * called solved must be. */
static void solved_means_solved(void) {
  int solved = 0;
  for (uint64_t seed = 1; seed <= 300; seed++) {
    double r[MOST_ROWS];
    pw_friction_info info;
    random_contacts(&g, seed, 8, 3, 10, 0.2 * (double)(seed % 15));
    pw_friction p = packed(&g);
    if (solve_with_memory(&p, (pw_friction_opts){.tol = 1e-10, .rounds = 4}, r, &info) ==
        PW_SOLVED) {
      CHECK_SEED(law_error(&p, r) <= 1e-8, seed);
      solved++;
    }
  }
  CHECK(solved > 270);
}

/* ---- other solvers ---- */

/* Columns of unit length, W = A^T A, q = A^T c. */
static void from_columns(const double *A, int n, int m, const double *c) {
  for (int i = 0; i < m; i++) {
    g.q[i] = pw_dot(A + i * n, c, n);
    for (int j = 0; j < m; j++) {
      g.W[j * m + i] = pw_dot(A + i * n, A + j * n, n);
    }
  }
}

static void no_friction_is_a_box_problem(void) {
  enum { N = 7, M = 5 };
  static double A[N * 3 * M], B[N * M], real[2000];
  static int whole[200];
  CHECK(pw_box_qp_doubles(N, M) <= 2000 && pw_box_qp_ints(M) <= 200);
  for (uint64_t seed = 1; seed <= 100; seed++) {
    uint64_t s = seed;
    double c[N], z[M] = {0}, lo[M] = {0}, hi[M], x[M], y[M], r[3 * M], u[3 * M];
    random_fill(A, N * 3 * M, &s);
    normalise_columns(A, N, 3 * M);
    random_fill(c, N, &s);
    for (int i = 0; i < M; i++) {
      hi[i] = (double)INFINITY;
      memcpy(B + N * i, A + 3 * N * i, N * sizeof *B);
      g.contact[i] = (pw_contact){PW_CONTACT, 3, 0};
    }
    g.nc = M;
    from_columns(A, N, 3 * M, c);
    pw_friction p = packed(&g);
    pw_friction_info info;
    pw_box_info box;
    pw_box_qp b = {.n = N, .m = M, .A = B, .c = c, .z = z, .lo = lo, .hi = hi};
    CHECK_SEED(pw_box_qp_solve(&b, x, y, NULL, real, whole, &box) == PW_SOLVED, seed);
    CHECK_SEED(solve_with_memory(&p, (pw_friction_opts){0}, r, &info) == PW_SOLVED, seed);
    pw_friction_velocity(&p, r, u);
    for (int i = 0; i < M; i++) {
      CHECK_NEAR(r[3 * i], x[i], 1e-8);
      CHECK_NEAR(u[3 * i], y[i], 1e-9);
    }
  }
}

/* One-dimensional rows of three kinds: unilateral, given bound, bilateral. Redundant: compare y. */
static void rows_are_a_box_problem(void) {
  enum { N = 5, M = 8 };
  static double A[N * M], real[2000];
  static int whole[200];
  CHECK(pw_box_qp_doubles(N, M) <= 2000 && pw_box_qp_ints(M) <= 200);
  for (uint64_t seed = 1; seed <= 200; seed++) {
    uint64_t s = seed;
    double c[N], z[M] = {0}, lo[M], hi[M], x[M], y[M], r[3 * M], u[3 * M];
    random_fill(A, N * M, &s);
    normalise_columns(A, N, M);
    random_fill(c, N, &s);
    for (int i = 0; i < M; i++) {
      double bound = i < 2 ? (double)INFINITY : fabs(random_real(&s));
      g.contact[i] = (pw_contact){i < 5 ? PW_BALL : PW_CONTACT, 1, i < 5 ? bound : 0};
      lo[i] = i < 5 ? -bound : 0;
      hi[i] = i < 5 ? bound : (double)INFINITY;
    }
    g.nc = M;
    from_columns(A, N, M, c);
    pw_friction p = packed(&g);
    pw_friction_info info;
    pw_box_info box;
    pw_box_qp b = {.n = N, .m = M, .A = A, .c = c, .z = z, .lo = lo, .hi = hi};
    CHECK_SEED(pw_box_qp_solve(&b, x, y, NULL, real, whole, &box) == PW_SOLVED, seed);
    CHECK_SEED(solve_with_memory(&p, (pw_friction_opts){0}, r, &info) == PW_SOLVED, seed);
    pw_friction_velocity(&p, r, u);
    for (int i = 0; i < M; i++) {
      CHECK_NEAR(u[3 * i], y[i], 1e-8);
    }
  }
}

/* Unknowns r_N, the two parts of r_T, and the slip speed, of each contact. */
static void planar_lcp(int nc, double mu, double *M, double *q) {
  int n = 4 * nc, rows = 2 * nc;
  memset(M, 0, (size_t)n * (size_t)n * sizeof *M);
  for (int i = 0; i < nc; i++) {
    for (int j = 0; j < nc; j++) {
      for (int a = 0; a < 3; a++) { /* rows u_N, u_T, -u_T; columns r_N, r_T+, r_T- */
        for (int b = 0; b < 3; b++) {
          double sign = (a == 2 ? -1 : 1) * (b == 2 ? -1 : 1);
          M[(4 * j + b) * n + 4 * i + a] = sign * g.W[(2 * j + (b > 0)) * rows + 2 * i + (a > 0)];
        }
      }
    }
    M[(4 * i + 3) * n + 4 * i + 1] = M[(4 * i + 3) * n + 4 * i + 2] = 1;
    M[4 * i * n + 4 * i + 3] = mu;
    M[(4 * i + 1) * n + 4 * i + 3] = M[(4 * i + 2) * n + 4 * i + 3] = -1;
    q[4 * i] = g.q[2 * i];
    q[4 * i + 1] = g.q[2 * i + 1];
    q[4 * i + 2] = -g.q[2 * i + 1];
    q[4 * i + 3] = 0;
  }
}

static void planar_contacts_agree_with_lemke(void) {
  enum { NC = 5, N = 4 * NC };
  static double M[N * N], real[20000];
  static int whole[2000];
  CHECK(pw_lcp_doubles(N) <= 20000 && pw_lcp_ints(N) <= 2000);
  for (uint64_t seed = 1; seed <= 200; seed++) {
    double q[N], z[N], r[3 * NC], other[3 * NC], scratch[4 * NC], mu = 0.3;
    pw_lcp_info lcp;
    pw_friction_info info;
    random_contacts(&g, seed, NC, 2, 2 * NC + 2, mu);
    pw_friction p = packed(&g);
    planar_lcp(NC, mu, M, q);
    CHECK_SEED(pw_lcp_lemke(&(pw_lcp){.n = N, .M = M, .q = q}, z, real, whole, &lcp) == PW_SOLVED,
               seed);
    CHECK_SEED(solve_with_memory(&p, (pw_friction_opts){0}, r, &info) == PW_SOLVED, seed);
    for (int i = 0; i < NC; i++) {
      other[3 * i] = z[4 * i];
      other[3 * i + 1] = z[4 * i + 1] - z[4 * i + 2];
      other[3 * i + 2] = 0;
    }
    CHECK_SEED(pw_friction_residual(&p, other, scratch, NULL) <= 1e-9, seed);
    for (int i = 0; i < 3 * NC; i++) {
      CHECK_NEAR(r[i], other[i], 1e-7 * (1 + pw_norm_inf(other, 3 * NC)));
    }
  }
}

/* ---- the driver ---- */

static void start_from_the_answer(void) {
  double r[MOST_ROWS], again[MOST_ROWS];
  pw_friction_info info;
  random_boxes(&g, 11, 4, 4, 0.4);
  pw_friction p = packed(&g);
  CHECK(solve_with_memory(&p, (pw_friction_opts){0}, r, &info) == PW_SOLVED);
  memcpy(again, r, sizeof r);
  CHECK(solve_with_memory(&p, (pw_friction_opts){.warm = true}, again, &info) == PW_SOLVED);
  CHECK_INT(info.sweeps + info.newton, 0);
  CHECK(memcmp(again, r, 3 * (size_t)p.nc * sizeof *r) == 0);
  for (int i = 0; i < p.nc; i++) {
    again[3 * i] *= 1.001;
  }
  CHECK(solve_with_memory(&p, (pw_friction_opts){.warm = true}, again, &info) == PW_SOLVED);
}

/* Forces in other units: lengths by 1e3, forces by 1e-6. */
static void units_do_not_matter(void) {
  double r[MOST_ROWS], other[MOST_ROWS];
  pw_friction_info info;
  random_boxes(&g, 21, 3, 3, 0.4);
  pw_friction p = packed(&g);
  CHECK(solve_with_memory(&p, (pw_friction_opts){0}, r, &info) == PW_SOLVED);
  double residual = info.check.residual;
  for (int i = 0; i < g.n * g.n; i++) {
    g.W[i] *= 1024.0 * 1048576;
  }
  for (int i = 0; i < g.n; i++) {
    g.q[i] *= 1024;
  }
  p = packed(&g);
  CHECK(solve_with_memory(&p, (pw_friction_opts){0}, other, &info) == PW_SOLVED);
  CHECK_NEAR(info.check.residual, residual, 1e-12);
  for (int i = 0; i < 3 * p.nc; i++) {
    CHECK_NEAR(other[i] * 1048576, r[i], 1e-9);
  }
}

static void bad_problems_are_named(void) {
  double r[6], scratch[8];
  pw_friction_info info;
  pw_contact c = {PW_CONTACT, 3, 0.5};
  int start[2] = {0, 1}, col[1] = {0};
  double W[9] = {0}, q[3] = {-1, 0, 0};
  pw_friction p = {1, &c, start, col, W, q};
  /* no force can stop the approach */
  CHECK(solve_with_memory(&p, (pw_friction_opts){0}, r, &info) == PW_MAX_ITER);
  CHECK(info.check.residual > 0.1);
  W[0] = W[4] = W[8] = 1;
  CHECK(solve_with_memory(&p, (pw_friction_opts){0}, r, &info) == PW_SOLVED);
  CHECK_NEAR(r[0], 1, 1e-12);
  r[1] = (double)NAN;
  CHECK(isnan(pw_friction_residual(&p, r, scratch, NULL)));
  CHECK(solve_with_memory(&p, (pw_friction_opts){.warm = true}, r, &info) != PW_SOLVED);
  q[2] = (double)NAN;
  CHECK(solve_with_memory(&p, (pw_friction_opts){0}, r, &info) == PW_BREAKDOWN);
  q[2] = 0;
  c.bound = -0.1;
  CHECK(solve_with_memory(&p, (pw_friction_opts){0}, r, &info) == PW_BREAKDOWN);
  c.bound = 0.5;
  col[0] = 1;
  CHECK(solve_with_memory(&p, (pw_friction_opts){0}, r, &info) == PW_BREAKDOWN);
  start[1] = 0;
  p.nc = 0;
  CHECK(solve_with_memory(&p, (pw_friction_opts){0}, r, &info) == PW_SOLVED);
}

static void the_judge_knows_the_law(void) {
  pw_contact c = {PW_CONTACT, 3, 0.5};
  int start[2] = {0, 1}, col[1] = {0};
  double W[9] = {4, 0, 0, 0, 4, 0, 0, 0, 4}, q[3] = {-2, 0, 0}, r[3] = {0, 0, 0}, scratch[4];
  pw_friction p = {1, &c, start, col, W, q};
  pw_friction_check check;
  CHECK_NEAR(pw_friction_residual(&p, r, scratch, &check), 1, 1e-15); /* approaching, no force */
  CHECK_NEAR(check.normal, 1, 1e-15);
  CHECK_NEAR(check.scale, 1, 1e-15);
  r[0] = 0.5; /* u = 0 */
  CHECK_NEAR(pw_friction_residual(&p, r, scratch, &check), 0, 1e-15);
  r[1] = 0.3; /* outside of the cone by 0.05, times s = 2 */
  pw_friction_residual(&p, r, scratch, &check);
  CHECK_NEAR(check.cone, 0.1, 1e-15);
  r[1] = 0.25;
  q[1] = 2; /* slides along the force instead of against it */
  CHECK(pw_friction_residual(&p, r, scratch, &check) > 0.1);
  CHECK_NEAR(check.angle, 3.14159265358979, 1e-12);
  q[1] = -3;
  CHECK_NEAR(pw_friction_residual(&p, r, scratch, &check), 0, 1e-15);
  CHECK_NEAR(check.angle, 0, 1e-12);
  q[0] = 2;
  CHECK(pw_friction_residual(&p, r, scratch, &check) > 0.1); /* a force at an opening contact */
}

/* Sweeps keep what was zero and change what must change. */
static void sweeps_converge(void) {
  double r[MOST_ROWS] = {0};
  pw_nsgs_info info;
  random_contacts(&g, 4, 6, 3, 20, 0.3);
  pw_friction p = packed(&g);
  CHECK(pw_nsgs(&p, &(pw_nsgs_opts){.sweeps = 2000, .tol = 1e-13}, r, &info) == PW_SOLVED);
  CHECK(law_error(&p, r) <= 1e-10);
  CHECK_INT(info.stuck, 0);
}

static void factor_solves(void) {
  static int plan_memory[20000], work[40000];
  static double real[200000];
  for (uint64_t seed = 1; seed <= 20; seed++) {
    double x[MOST_ROWS], b[MOST_ROWS], y[MOST_ROWS], scratch[MOST_ROWS];
    uint64_t s = seed;
    pw_block_plan plan;
    random_boxes(&g, seed, 8, seed % 2 == 0 ? 8 : 4, 0.5);
    for (int i = 0; i < g.nc * 3; i++) {
      g.W[i * 3 * g.nc + i] += 0.5;
    }
    pw_friction p = packed(&g);
    int fill = pw_block_order(&p, &plan, plan_memory, work);
    CHECK(fill <= g.nc * (g.nc - 1) / 2);
    CHECK(pw_block_plan_ints(g.nc, (size_t)fill) <= 20000 &&
          pw_block_work_ints(g.nc, (size_t)p.start[g.nc]) <= 40000);
    CHECK(pw_block_factor_doubles(g.nc, (size_t)fill) <= 200000);
    pw_block_lists(&p, &plan, plan_memory, work);
    CHECK_INT(pw_block_factor(&p, &plan, p.W, real), 0);
    random_fill(b, 3 * g.nc, &s);
    memcpy(x, b, sizeof b);
    pw_block_solve(&plan, real, x, scratch);
    memset(g.q3, 0, sizeof g.q3);
    pw_friction_velocity(&p, x, y);
    for (int i = 0; i < 3 * g.nc; i++) {
      CHECK_NEAR(y[i], b[i], 1e-11);
    }
    memset(g.blocks, 0, sizeof g.blocks);
    CHECK(pw_block_factor(&p, &plan, p.W, real) != 0);
  }
}

/* The memory of a sparse problem follows its pattern, not the square of its size. */
static void fill_follows_the_pattern(void) {
  static int work[40000];
  random_boxes(&g, 2, 12, 1, 0.5);
  pw_friction p = packed(&g);
  CHECK(pw_friction_fill_ints(g.nc, (size_t)p.start[g.nc]) <= 40000);
  CHECK_INT((long long)pw_friction_fill(&p, work), 12 * 6);
}

/* The pattern of a square of n x n nodes with four neighbours each: by least degree its factor has
 * some n^2 log n blocks, by rows n^3. */
static void fill_of_a_grid(void) {
  enum { SIDE = 60, N = SIDE * SIDE };
  static int start[N + 1], col[5 * N];
  int at = 0;
  for (int i = 0; i < N; i++) {
    int x = i % SIDE, y = i / SIDE;
    const int near[5] = {y > 0 ? i - SIDE : -1, x > 0 ? i - 1 : -1, i, x + 1 < SIDE ? i + 1 : -1,
                         y + 1 < SIDE ? i + SIDE : -1};
    for (int k = 0; k < 5; k++) {
      col[at] = near[k];
      at += near[k] >= 0;
    }
    start[i + 1] = at;
  }
  pw_friction p = {.nc = N, .start = start, .col = col};
  int *work = malloc(pw_friction_fill_ints(N, (size_t)at) * sizeof *work);
  CHECK(pw_friction_fill_ints(N, (size_t)at) <= (size_t)120 * N);
  size_t fill = pw_friction_fill(&p, work);
  CHECK(fill > (size_t)2 * N - 2 * SIDE && fill < (size_t)20 * N);
  free(work);
}

/* The central path from nothing: boxes on four corners, whose W is singular, and others. Where a
 * slip changes its sign near the end it may crawl; Newton's method goes on from there. */
static void path_solves(void) {
  int far = 0;
  for (uint64_t seed = 1; seed <= 40; seed++) {
    double r[MOST_ROWS], u[MOST_ROWS];
    pw_block_plan plan;
    pw_cone_point_info info;
    random_boxes(&g, seed, 6, seed % 3 == 0 ? 1 : 4, seed % 5 == 0 ? 0 : 0.1 * (double)(seed % 7));
    pw_friction p = packed(&g);
    double s[MOST_ROWS];
    pw_friction_scale(&p, s);
    for (int i = 0; i < g.nc; i++) { /* the units of friction.h */
      for (int e = p.start[i]; e < p.start[i + 1]; e++) {
        for (int k = 0; k < 9; k++) {
          g.blocks[9 * e + k] /= s[i] * s[p.col[e]];
        }
      }
      for (int k = 0; k < 3; k++) {
        g.q3[3 * i + k] /= s[i];
      }
    }
    double unit = pw_norm_inf(g.q3, 3 * p.nc);
    for (int k = 0; k < 3 * p.nc; k++) {
      g.q3[k] /= unit > 0 ? unit : 1;
    }
    size_t blocks = (size_t)p.start[p.nc];
    int *work = malloc((pw_friction_fill_ints(p.nc, blocks) + 1) * sizeof *work);
    size_t fill = pw_friction_fill(&p, work);
    int *whole = malloc((pw_block_plan_ints(p.nc, fill) + 1) * sizeof *whole);
    double *real = malloc((pw_cone_point_doubles(p.nc, blocks, fill) + 1) * sizeof *real);
    pw_block_order(&p, &plan, whole, work);
    pw_block_lists(&p, &plan, whole, work);
    CHECK(pw_cone_point_takes(&p));
    pw_cone_point(&p, &plan, 1e-7, r, real, &info);
    CHECK(info.residual <= 1e-3);
    far += info.residual > 1e-4;
    CHECK_NEAR(pw_natural_map(&p, r, u), info.residual, 1e-15);
    free(work);
    free(whole);
    free(real);
  }
  CHECK(far <= 4);
}

CHECK_MAIN({"boxes with four corners", boxes_with_four_corners}, {"tall stack", tall_stack},
           {"random contacts of full rank", random_contacts_of_full_rank},
           {"solved means solved", solved_means_solved},
           {"no friction is a box problem", no_friction_is_a_box_problem},
           {"rows are a box problem", rows_are_a_box_problem},
           {"planar contacts agree with Lemke", planar_contacts_agree_with_lemke},
           {"start from the answer", start_from_the_answer},
           {"units do not matter", units_do_not_matter},
           {"bad problems are named", bad_problems_are_named},
           {"the judge knows the law", the_judge_knows_the_law},
           {"sweeps converge", sweeps_converge}, {"factor solves", factor_solves},
           {"fill follows the pattern", fill_follows_the_pattern},
           {"fill of a grid", fill_of_a_grid}, {"the central path solves", path_solves})
