// SPDX-License-Identifier: MIT
/* Friction in space and linear complementarity: time and true residual on generated problems and on
 * published ones (a folder given as second argument or by PAWL_FCLIB), against Siconos. */
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/real.h"
#include "bench.h"
#include "fclib_read.h"
#include "solve/friction_solve.h"
#include "solve/lemke.h"
#ifdef BENCH_SICONOS
#include "fclib_siconos.h"
#endif

static const double tolerance = 1e-8;
enum { LIMIT = 5, FILES = 200, NAME = 128, SAMPLES = 10, ROUNDS = 60, SLOWEST = 200 };

/* ---- one solve ---- */

typedef struct job {
  fclib_problem *source;
  pw_friction p;
  pw_friction_opts opts;
  pw_friction_memory memory;
  double *r;
  pw_friction_info info;
  pw_outcome outcome;
} job;

static double true_residual(const fclib_problem *p, const double *r) {
  pw_friction view = fclib_view(p);
  double *scratch = malloc((4 * (size_t)p->nc + 1) * sizeof *scratch);
  double residual = scratch == NULL ? (double)NAN : pw_friction_residual(&view, r, scratch, NULL);
  free(scratch);
  return residual;
}

/* With rolling the bounds of moments are those of the last normal forces, until these agree. */
static void solve(void *context) {
  job *j = context;
  const fclib_problem *p = j->source;
  j->opts.warm = false;
  for (int k = 0; k < SLOWEST; k++) {
    if (p->arm != NULL) {
      memset(j->r, 0, k == 0 ? 3 * (size_t)p->nc * sizeof *j->r : 0);
      fclib_bounds(j->source, j->r);
    }
    j->outcome = pw_friction_solve(&j->p, &j->opts, j->r, &j->memory, &j->info);
    if (p->arm == NULL || j->outcome != PW_SOLVED) {
      return;
    }
    fclib_bounds(j->source, j->r);
    if (true_residual(p, j->r) <= tolerance) {
      return;
    }
    j->opts.warm = true;
  }
  j->outcome = PW_MAX_ITER;
}

static void job_open(job *j, fclib_problem *p) {
  size_t nc = (size_t)p->nc, blocks = (size_t)p->start[p->nc];
  *j = (job){
      .source = p, .p = fclib_view(p), .opts = {.tol = tolerance, .path = true, .rounds = ROUNDS}};
  int *work = malloc((pw_friction_fill_ints(p->nc, blocks) + 1) * sizeof *work);
  if (work == NULL) {
    bench_die("out of memory");
  }
  j->opts.fill = pw_friction_fill(&j->p, work);
  free(work);
  size_t reals = pw_friction_solve_doubles(p->nc, blocks, j->opts.fill);
  size_t ints = pw_friction_solve_ints(p->nc, blocks, j->opts.fill);
  j->memory =
      (pw_friction_memory){malloc((nc + 1) * sizeof(pw_contact)),
                           malloc((reals + 1) * sizeof(double)), malloc((ints + 1) * sizeof(int))};
  j->r = calloc(3 * nc + 1, sizeof *j->r);
  if (j->memory.contact == NULL || j->memory.real == NULL || j->memory.whole == NULL ||
      j->r == NULL) {
    bench_die("out of memory");
  }
}

static void job_close(job *j) {
  free(j->memory.contact);
  free(j->memory.real);
  free(j->memory.whole);
  free(j->r);
}

/* ---- the table ---- */

typedef struct tally {
  int problems, solved;     /* in space */
  int lies;                 /* called solved with a residual above the tolerance */
  int claimed[2], true_[2]; /* Siconos: says so, and is so in the unit-free residual */
} tally;

static void add_peer(bench_table *t, const fclib_problem *p, int method, tally *sum) {
#ifdef BENCH_SICONOS
  double *r = calloc(3 * (size_t)p->nc + 1, sizeof *r);
  fclib_peer peer = fclib_siconos(p, method == 0 ? FCLIB_NSGS : FCLIB_PROX, tolerance, LIMIT, r);
  double residual = peer.ended ? true_residual(p, r) : (double)NAN;
  if (!peer.ended) {
    bench_cell(t, peer.seconds > 0 ? "> %.0f" : "abort", 1e3 * peer.seconds);
    bench_cell(t, "-");
  } else {
    bench_cell(t, "%.3g%s", 1e3 * peer.seconds, peer.claimed ? "" : " (fails)");
    bench_cell(t, "%.1e", residual);
  }
  sum->claimed[method] += peer.claimed;
  sum->true_[method] += peer.claimed && residual <= tolerance;
  free(r);
#else
  (void)p;
  (void)method;
  (void)sum;
  bench_cell(t, "-");
  bench_cell(t, "-");
#endif
}

static void add_row(bench_table *t, const char *name, fclib_problem *p, bool peers, tally *sum) {
  job j;
  job_open(&j, p);
  solve(&j);
  double seconds = bench_best(solve, &j, 3, 0.02), residual = true_residual(p, j.r);
  bool solved = j.outcome == PW_SOLVED;
  sum->lies += solved && !(residual <= tolerance);
  bench_cell(t, "%s", name);
  bench_cell(t, "%d", p->arm != NULL ? p->nc / 2 : p->nc);
  bench_cell(t, "%.3g%s", 1e3 * seconds, solved ? "" : " (fails)");
  bench_cell(t, "%.1e", residual);
  if (p->dim != 2) {
    sum->problems++;
    sum->solved += solved;
  }
  if (peers && p->dim == 3) {
#ifdef BENCH_SICONOS
    bench_cell(t, "%.1e", fclib_siconos_error(p, j.r));
#else
    bench_cell(t, "-");
#endif
    add_peer(t, p, 0, sum);
    add_peer(t, p, 1, sum);
  } else {
    for (int k = 0; k < 5; k++) {
      bench_cell(t, "-");
    }
  }
  job_close(&j);
}

static void table_begin(bench_table *t, const char *name) {
  static const char *const heads[] = {
      "problem", "contacts", "Pawl ms", "residual", "in Siconos' measure",
      "NSGS ms", "residual", "PROX ms", "residual"};
  bench_table_begin(t, name, 9, heads);
}

/* ---- published problems ---- */

static int by_name(const void *a, const void *b) {
  return strcmp(a, b);
}

static int list_files(const char *folder, char (*names)[NAME]) {
  DIR *dir = opendir(folder);
  int count = 0;
  for (struct dirent *e = dir == NULL ? NULL : readdir(dir); e != NULL; e = readdir(dir)) {
    size_t n = strlen(e->d_name);
    bool wanted = n > 4 && n < NAME &&
                  (strcmp(e->d_name + n - 4, ".dat") == 0 ||
                   (n > 5 && strcmp(e->d_name + n - 5, ".hdf5") == 0));
    if (wanted && count < FILES) {
      memcpy(names[count++], e->d_name, n + 1);
    }
  }
  if (dir != NULL) {
    closedir(dir);
  }
  qsort(names, (size_t)count, sizeof *names, by_name);
  return count;
}

static bool read_any(const char *path, fclib_problem *p, const char **reason) {
  size_t n = strlen(path);
  return strcmp(path + n - 4, ".dat") == 0 ? fclib_read_text(path, p, reason)
                                           : fclib_read_hdf5(path, p, reason);
}

static void published(const char *folder) {
  static char names[FILES][NAME];
  static bench_table t;
  char left_out[1024] = "";
  int count = list_files(folder, names);
  tally sum = {0};
  table_begin(&t, "fclib");
  for (int k = 0; k < count && t.rows < BENCH_ROWS; k++) {
    char path[1024], shown[NAME];
    fclib_problem p;
    const char *reason;
    snprintf(path, sizeof path, "%s/%.127s", folder, names[k]);
    snprintf(shown, sizeof shown, "%.*s", (int)strcspn(names[k], "."), names[k]);
    shown[BENCH_CELL - 1] = '\0';
    if (read_any(path, &p, &reason)) {
      add_row(&t, shown, &p, true, &sum);
      fclib_free(&p);
    } else {
      size_t used = strlen(left_out);
      snprintf(left_out + used, sizeof left_out - used, "Left out: %s: %s.\n", shown, reason);
    }
  }
  bench_table_end(&t);
  printf("\n%sOf %d problems in space Pawl solves %d and calls %d solved that are not.\n", left_out,
         sum.problems, sum.solved, sum.lies);
#ifdef BENCH_SICONOS
  printf("Siconos says solved: NSGS %d (%d of them in the residual used here), PROX %d (%d).\n",
         sum.claimed[0], sum.true_[0], sum.claimed[1], sum.true_[1]);
#endif
  printf("\n");
  bench_target("friction in space, not solved", sum.problems - sum.solved, 0, "");
  bench_target("friction, called solved but not", sum.lies, 0, "");
}

/* ---- generated problems ---- */

static double random_real(unsigned long long *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (double)(*state >> 11) / 4503599627370496.0 - 1;
}

/* A tower of boxes with four corners each: 12 forces for 6 freedoms. */
static void tower(fclib_problem *p, int floors, unsigned long long seed) {
  static const int axis[3] = {2, 0, 1};
  int n = 12 * floors, dof = 6 * floors;
  fclib_matrix M = {dof, dof, 0, 0, NULL}, H = {dof, n, 0, 0, NULL};
  double *f = calloc((size_t)dof, sizeof *f), *w = calloc((size_t)n, sizeof *w);
  double *mu = calloc((size_t)n, sizeof *mu);
  if (f == NULL || w == NULL || mu == NULL) {
    bench_die("out of memory");
  }
  for (int b = 0; b < floors; b++) {
    for (int k = 0; k < 6; k++) {
      fclib_add(&M, 6 * b + k, 6 * b + k, k < 3 ? 1 : 0.5);
      f[6 * b + k] = 0.2 * random_real(&seed) - (k == 2 ? 1 : 0);
    }
    for (int c = 0; c < 4; c++) {
      double at[3] = {c & 1 ? 1 : -1, c & 2 ? 1 : -1, -0.5};
      mu[4 * b + c] = 0.5 + 0.2 * random_real(&seed);
      for (int k = 0; k < 6; k++) { /* three axes, upper and lower body */
        int a = axis[k % 3], d = (a + 1) % 3, e = (a + 2) % 3, body = k < 3 ? b : b - 1;
        double sign = k < 3 ? 1 : -1, x[3] = {at[0], at[1], sign * at[2]};
        if (body >= 0) {
          int column = 3 * (4 * b + c) + k % 3;
          fclib_add(&H, 6 * body + a, column, sign);
          fclib_add(&H, 6 * body + 3 + d, column, sign * x[e]);
          fclib_add(&H, 6 * body + 3 + e, column, -sign * x[d]);
        }
      }
    }
  }
  if (!fclib_global(p, 3, 4 * floors, &M, &H, f, w, mu, NULL)) {
    bench_die("the tower is no problem");
  }
  fclib_matrix_free(&M);
  fclib_matrix_free(&H);
  free(f);
  free(w);
  free(mu);
}

/* Balls of mass and radius 1, inertia 2/5, on slopes: their velocity after a step without friction
 * is (down, across), and each stays where it is if mu normal >= down and arm normal >= down radius.
 */
static void slopes(fclib_problem *p, double mu, double arm) {
  enum { BALLS = 3 };
  static const double down[BALLS] = {0.05, 0.2, 0.4};
  static const double inertia = 0.4;
  fclib_matrix W = {5 * BALLS, 5 * BALLS, 0, 0, NULL};
  double q[5 * BALLS] = {0}, mus[BALLS], arms[BALLS];
  for (int b = 0; b < BALLS; b++) {
    int n = 5 * b;
    q[n] = -1; /* it falls */
    q[n + 1] = down[b];
    mus[b] = mu;
    arms[b] = arm;

    /* forces at the contact (0, 0, -1) of the centre, moments about both tangents: the first turns
     * with rate -y, the second with x */
    fclib_add(&W, n, n, 1);
    for (int k = 1; k <= 2; k++) {
      int turn = n + 5 - k;
      double sign = k == 1 ? -1 : 1;
      fclib_add(&W, n + k, n + k, 1 + 1 / inertia);
      fclib_add(&W, n + k, turn, sign / inertia);
      fclib_add(&W, turn, n + k, sign / inertia);
      fclib_add(&W, turn, turn, 1 / inertia);
    }
  }
  if (!fclib_local(p, 5, BALLS, &W, q, mus, arms)) {
    bench_die("the slopes are no problem");
  }
  fclib_matrix_free(&W);
}

/* Friction does not slip, so that the moment R = min(arm, down) holds the ball by the force F:
 * 7/2 F + 5/2 (-R) = -down without slip, and it rolls where R = arm. */
static double slopes_error(fclib_problem *p, double arm) {
  static const double down[] = {0.05, 0.2, 0.4};
  double worst = 0;
  job j;
  job_open(&j, p);
  solve(&j);
  for (int b = 0; b < p->nc / 2; b++) {
    double moment = fmin(arm, down[b]), force = (5.0 / 2 * moment + down[b]) / (7.0 / 2);
    worst = fmax(worst, fabs(j.r[6 * b] - 1));
    worst = fmax(worst, fabs(fabs(j.r[6 * b + 1]) - force));
    worst = fmax(worst, fabs(fabs(j.r[6 * b + 4]) - moment));
  }
  job_close(&j);
  return j.outcome == PW_SOLVED ? worst : (double)INFINITY;
}

static void towers(void) {
  static const int floors[] = {1, 4, 12};
  static bench_table t;
  tally sum = {0};
  table_begin(&t, "tower");
  for (int k = 0; k < 3; k++) {
    char name[32];
    fclib_problem p;
    tower(&p, floors[k], (unsigned long long)k + 1);
    snprintf(name, sizeof name, "tower of %d", floors[k]);
    add_row(&t, name, &p, true, &sum);
    fclib_free(&p);
  }
  fclib_problem rolls;
  static const double arm = 0.1;
  slopes(&rolls, 1, arm);
  add_row(&t, "three balls that roll", &rolls, true, &sum);
  double error = slopes_error(&rolls, arm);
  fclib_free(&rolls);
  bench_table_end(&t);
  printf("\n");
  bench_target("friction, towers and balls not solved", sum.problems - sum.solved, 0, "");
  bench_target("rolling friction, error of forces", error, tolerance, "");
}

/* ---- linear complementarity ---- */

typedef struct lcp_job {
  pw_lcp p;
  double *z, *real;
  int *whole;
  pw_lcp_info info;
  pw_outcome outcome;
} lcp_job;

static void solve_lcp(void *context) {
  lcp_job *j = context;
  j->outcome = pw_lcp_lemke(&j->p, j->z, j->real, j->whole, &j->info);
}

static void lcp_open(lcp_job *j, const fclib_lcp *p) {
  *j = (lcp_job){.p = {.n = p->n, .M = p->M, .q = p->q}};
  j->z = calloc((size_t)p->n + 1, sizeof *j->z);
  j->real = malloc((pw_lcp_doubles(p->n) + 1) * sizeof *j->real);
  j->whole = malloc((pw_lcp_ints(p->n) + 1) * sizeof *j->whole);
  if (j->z == NULL || j->real == NULL || j->whole == NULL) {
    bench_die("out of memory");
  }
}

static void lcp_close(lcp_job *j) {
  free(j->z);
  free(j->real);
  free(j->whole);
}

static double lcp_residual(const fclib_lcp *p, const double *z) {
  double *scratch = malloc(((size_t)p->n + 1) * sizeof *scratch);
  double residual = scratch == NULL
                        ? (double)NAN
                        : pw_lcp_residual(&(pw_lcp){.n = p->n, .M = p->M, .q = p->q}, z, scratch);
  free(scratch);
  return residual;
}

/* Nearest velocity to c that opens no contact: M = A^T A, q = A^T c, with n / 2 or n freedoms. */
static void generate_lcp(fclib_lcp *p, int n, int dof, unsigned long long seed) {
  double *A = malloc((size_t)n * (size_t)dof * sizeof *A), *c = malloc((size_t)dof * sizeof *c);
  p->n = n;
  p->M = malloc((size_t)n * (size_t)n * sizeof *p->M);
  p->q = malloc((size_t)n * sizeof *p->q);
  if (A == NULL || c == NULL || p->M == NULL || p->q == NULL) {
    bench_die("out of memory");
  }
  for (int k = 0; k < n * dof; k++) {
    A[k] = random_real(&seed);
  }
  for (int k = 0; k < dof; k++) {
    c[k] = random_real(&seed);
  }
  for (int i = 0; i < n; i++) {
    p->q[i] = 0;
    for (int k = 0; k < dof; k++) {
      p->q[i] += A[i * dof + k] * c[k];
    }
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int k = 0; k < dof; k++) {
        sum += A[i * dof + k] * A[j * dof + k];
      }
      p->M[j * n + i] = sum;
    }
  }
  free(A);
  free(c);
}

/* Means over `count` problems of one size; the worst residuals. */
static void lcp_row(bench_table *t, const char *name, const fclib_lcp *p, int count,
                    double *ratio) {
  double seconds = 0, residual = 0;
  int solved = 0;
  lcp_job j;
  for (int k = 0; k < count; k++) {
    lcp_open(&j, &p[k]);
    seconds += bench_best(solve_lcp, &j, 3, 0.01) / count;
    solved += j.outcome == PW_SOLVED;
    residual = pw_max(residual, lcp_residual(&p[k], j.z));
    lcp_close(&j);
  }
  bench_cell(t, "%s", name);
  bench_cell(t, "%d", p->n);
  bench_cell(t, "%.3g%s", 1e6 * seconds, solved == count ? "" : " (fails)");
  bench_cell(t, solved == count ? "%.1e" : "-", residual);
#ifdef BENCH_SICONOS
  fclib_peer peer = {true, true, 0};
  residual = 0;
  for (int k = 0; k < count; k++) {
    lcp_open(&j, &p[k]);
    fclib_peer one = fclib_siconos_lemke(&p[k], j.z);
    peer.claimed = peer.claimed && one.claimed;
    peer.seconds += one.seconds / count;
    residual = pw_max(residual, lcp_residual(&p[k], j.z));
    lcp_close(&j);
  }
  bench_cell(t, "%.3g%s", 1e6 * peer.seconds, peer.claimed ? "" : " (fails)");
  bench_cell(t, "%.1e", residual);
  *ratio = pw_max(*ratio, seconds / peer.seconds);
#else
  (void)ratio;
  bench_cell(t, "-");
  bench_cell(t, "-");
#endif
}

static void complementarity(const char *folder) {
  static const int size[] = {10, 50, 200};
  static const char *const heads[] = {"LCP",     "n", "Pawl us", "residual", "Siconos Lemke us",
                                      "residual"};
  static bench_table t;
  static char names[FILES][NAME];
  char path[1024];
  double ratio = 0, unused = 0;
  int count = 0;
  bench_table_begin(&t, "lcp", 6, heads);
  for (int k = 0; k < 6; k++) {
    fclib_lcp p[SAMPLES];
    int n = size[k / 2];
    for (int i = 0; i < SAMPLES; i++) {
      generate_lcp(&p[i], n, k % 2 == 0 ? n : n / 2, (unsigned long long)(SAMPLES * k + i));
    }
    lcp_row(&t, k % 2 == 0 ? "contacts" : "redundant contacts", p, SAMPLES, &ratio);
    for (int i = 0; i < SAMPLES; i++) {
      free(p[i].M);
      free(p[i].q);
    }
  }
  if (folder != NULL) {
    snprintf(path, sizeof path, "%s/lcp", folder);
    count = list_files(path, names);
  }
  for (int k = 0; k < count && t.rows < BENCH_ROWS; k++) {
    fclib_lcp p;
    const char *reason;
    snprintf(path, sizeof path, "%s/lcp/%.127s", folder, names[k]);
    names[k][strcspn(names[k], ".")] = '\0';
    names[k][BENCH_CELL - 1] = '\0';
    if (fclib_read_lcp(path, &p, &reason)) {
      lcp_row(&t, names[k], &p, 1, &unused);
      free(p.M);
      free(p.q);
    }
  }
  bench_table_end(&t);
  printf("\n");
#ifdef BENCH_SICONOS
  bench_target("LCP 10/50/200, time over Siconos' Lemke", ratio, 0.5, "");
#endif
}

int main(int argc, char **argv) {
  const char *folder = argc > 2 ? argv[2] : getenv("PAWL_FCLIB");
  bench_init(argc > 2 ? 2 : argc, argv);
  printf("## Friction in space\n\n");
#ifdef BENCH_SICONOS
  printf("Residuals are the unit-free one of `src/solve/friction.h`, limit 1e-8; Siconos %s, its\n"
         "tolerance 1e-8 in its own measure, %d s at most.\n\n",
         BENCH_SICONOS, LIMIT);
#endif
  towers();
  if (folder != NULL && folder[0] != '\0') {
    published(folder);
  } else {
    printf("SKIPPED: published problems: no folder given (PAWL_FCLIB=FOLDER bench/run)\n\n");
  }
  complementarity(folder);
#ifndef BENCH_SICONOS
  printf("SKIPPED: Siconos is not installed (scripts/setup bench)\n\n");
#endif
  return 0;
}
