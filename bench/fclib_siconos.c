// SPDX-License-Identifier: MIT
#include "fclib_siconos.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <LinearComplementarityProblem.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>
#include <fc3d_compute_error.h>
#include <lcp_cst.h>

#include "bench.h"

/* ---- its problem ---- */

typedef struct peer_problem {
  FrictionContactProblem problem;
  NumericsMatrix *M;
  double *q, *mu;
} peer_problem;

static SparseBlockStructuredMatrix *blocks_of(const fclib_problem *p) {
  size_t nc = (size_t)p->nc, count = (size_t)p->start[nc];
  SparseBlockStructuredMatrix *m = SBM_new();
  m->nbblocks = (unsigned)count;
  m->blocknumber0 = m->blocknumber1 = (unsigned)nc;
  m->blocksize0 = malloc(nc * sizeof *m->blocksize0);
  m->blocksize1 = malloc(nc * sizeof *m->blocksize1);
  m->filled1 = nc + 1;
  m->filled2 = count;
  m->index1_data = malloc((nc + 1) * sizeof *m->index1_data);
  m->index2_data = malloc(count * sizeof *m->index2_data);
  m->block = malloc(count * sizeof *m->block);
  m->diagonal_blocks = NULL;
  for (size_t i = 0; i < nc; i++) {
    m->blocksize0[i] = m->blocksize1[i] = 3 * (unsigned)(i + 1);
  }
  for (size_t i = 0; i <= nc; i++) {
    m->index1_data[i] = (size_t)p->start[i];
  }
  for (size_t k = 0; k < count; k++) {
    m->index2_data[k] = (size_t)p->col[k];
    m->block[k] = malloc(9 * sizeof **m->block);
    for (int a = 0; a < 9; a++) { /* by columns */
      m->block[k][3 * (a % 3) + a / 3] = p->W[9 * k + (size_t)a];
    }
  }
  return m;
}

static void make_problem(const fclib_problem *p, peer_problem *s) {
  size_t n = 3 * (size_t)p->nc;
  s->M = NM_create_from_data(NM_SPARSE_BLOCK, (int)n, (int)n, blocks_of(p));
  s->q = malloc(n * sizeof *s->q);
  s->mu = malloc((size_t)p->nc * sizeof *s->mu);
  memcpy(s->q, p->q, n * sizeof *s->q);
  for (int i = 0; i < p->nc; i++) {
    s->mu[i] = p->contact[i].bound;
  }
  s->problem = (FrictionContactProblem){3, p->nc, s->M, s->q, s->mu};
}

/* ---- runs ---- */

enum { REPEATS = 2000 };

typedef struct peer_run {
  peer_problem s;
  SolverOptions *options;
} peer_run;

static void make_run(const fclib_problem *p, fclib_method method, double tol, peer_run *run) {
  make_problem(p, &run->s);
  run->options = solver_options_create(method == FCLIB_NSGS ? SICONOS_FRICTION_3D_NSGS
                                                            : SICONOS_FRICTION_3D_PROX);
  run->options->dparam[SICONOS_DPARAM_TOL] = tol;
  run->options->iparam[SICONOS_IPARAM_MAX_ITER] = method == FCLIB_NSGS ? 100000000 : 1000;
}

/* Mean over `count` runs (the clock of a child may be coarse), each with a problem of its own:
 * solvers keep data in them. */
static fclib_peer time_runs(const fclib_problem *p, fclib_method method, double tol, int count,
                            double *r, double *u) {
  static peer_run run[REPEATS];
  int info = 0;
  for (int k = 0; k < count; k++) {
    make_run(p, method, tol, &run[k]);
  }
  double start = bench_now();
  for (int k = 0; k < count; k++) {
    memset(r, 0, 3 * (size_t)p->nc * sizeof *r);
    info = fc3d_driver(&run[k].s.problem, r, u, run[k].options);
  }
  return (fclib_peer){true, info == 0, (bench_now() - start) / count};
}

/* Short runs are repeated; all memory goes with the process. */
static void child(const fclib_problem *p, fclib_method method, double tol, int limit, double *r,
                  int out) {
  double *u = calloc(3 * (size_t)p->nc + 1, sizeof *u);
  setrlimit(RLIMIT_CPU, &(struct rlimit){(rlim_t)limit, (rlim_t)limit});
  setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
  if (freopen("/dev/null", "w", stdout) == NULL || freopen("/dev/null", "w", stderr) == NULL) {
    _exit(1);
  }
  fclib_peer peer = time_runs(p, method, tol, 1, r, u);
  if (peer.seconds < 0.1) {
    int count = peer.seconds > 0.002 ? 10 : p->nc > 20 ? REPEATS / 20 : REPEATS;
    peer = time_runs(p, method, tol, count, r, u);
  }
  size_t bytes = 3 * (size_t)p->nc * sizeof *r;
  bool fine = write(out, &peer, sizeof peer) == (ssize_t)sizeof peer;
  for (size_t done = 0; done < bytes && fine;) {
    ssize_t part = write(out, (const char *)r + done, bytes - done);
    fine = part > 0;
    done += fine ? (size_t)part : 0;
  }
  _exit(fine ? 0 : 1);
}

static bool read_all(int in, void *data, size_t bytes) {
  for (size_t done = 0; done < bytes;) {
    ssize_t part = read(in, (char *)data + done, bytes - done);
    if (part <= 0) {
      return false;
    }
    done += (size_t)part;
  }
  return true;
}

fclib_peer fclib_siconos(const fclib_problem *p, fclib_method method, double tol, int limit,
                         double *r) {
  int ends[2], status;
  fclib_peer peer = {0};
  fflush(NULL);
  if (pipe(ends) != 0) {
    bench_die("no pipe");
  }
  pid_t id = fork();
  if (id < 0) {
    bench_die("no process");
  }
  if (id == 0) {
    close(ends[0]);
    child(p, method, tol, limit, r, ends[1]);
  }
  close(ends[1]);
  bool fine =
      read_all(ends[0], &peer, sizeof peer) && read_all(ends[0], r, 3 * (size_t)p->nc * sizeof *r);
  close(ends[0]);
  waitpid(id, &status, 0);
  if (!fine) {
    peer =
        (fclib_peer){false, false, WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT ? 0 : limit};
  }
  return peer;
}

double fclib_siconos_error(const fclib_problem *p, const double *r) {
  peer_problem s;
  size_t n = 3 * (size_t)p->nc;
  double *z = malloc(n * sizeof *z), *w = calloc(n, sizeof *w), error = NAN, norm = 0;
  SolverOptions *options = solver_options_create(SICONOS_FRICTION_3D_NSGS);
  make_problem(p, &s);
  memcpy(z, r, n * sizeof *z);
  for (size_t i = 0; i < n; i++) {
    norm += p->q[i] * p->q[i];
  }
  fc3d_compute_error(&s.problem, z, w, 1e-8, options, sqrt(norm), &error);
  solver_options_delete(options);
  NM_clear(s.M);
  free(s.M);
  free(s.q);
  free(s.mu);
  free(z);
  free(w);
  return error;
}

/* ---- linear complementarity ---- */

fclib_peer fclib_siconos_lemke(const fclib_lcp *p, double *z) {
  double *w = calloc((size_t)p->n + 1, sizeof *w);
  NumericsMatrix *M = NM_create_from_data(NM_DENSE, p->n, p->n, p->M);
  LinearComplementarityProblem problem = {p->n, M, p->q};
  SolverOptions *options = solver_options_create(SICONOS_LCP_LEMKE);
  fclib_peer best = {true, false, 0};
  double start = bench_now(), spent = 0;
  int calls = 0;
  for (int batch = 1; spent < 0.05; batch *= 2) {
    for (int k = 0; k < batch; k++, calls++) {
      memset(z, 0, (size_t)p->n * sizeof *z);
      best.claimed = linearComplementarity_driver(&problem, z, w, options) == 0;
    }
    spent = bench_now() - start;
  }
  best.seconds = spent / calls;
  solver_options_delete(options);
  free(M);
  free(w);
  return best;
}
