// SPDX-License-Identifier: MIT
/* CVODE: Adams with fixed-point iteration, BDF with Newton and a dense Jacobian by differences, and
 * BDF with projection on position and velocity constraint of the pendulum. */
#include <cvode/cvode.h>
#include <math.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "sundials_job.h"

typedef struct solver {
  SUNContext context;
  N_Vector y;
  SUNMatrix matrix;
  SUNLinearSolver linear;
  SUNNonlinearSolver fixed;
  void *mem;
} solver;

static void set_up(solver *s, bench_job *job, int multistep, double tol) {
  memset(s, 0, sizeof *s);
  bench_need(SUNContext_Create(NULL, &s->context) == 0, "SUNContext_Create");
  s->y = N_VNew_Serial(job->p->n, s->context);
  memcpy(N_VGetArrayPointer(s->y), job->start, (size_t)job->p->n * sizeof(double));
  s->mem = CVodeCreate(multistep, s->context);
  bench_need(s->mem != NULL, "CVodeCreate");
  CVodeSetErrHandlerFn(s->mem, bench_ignore_message, NULL);
  bench_need(CVodeInit(s->mem, bench_sundials_rhs, 0, s->y) == 0, "CVodeInit");
  bench_need(CVodeSStolerances(s->mem, tol, tol) == 0, "CVodeSStolerances");
  CVodeSetUserData(s->mem, job);
  CVodeSetMaxNumSteps(s->mem, 10000000);
  if (multistep == CV_ADAMS) {
    s->fixed = SUNNonlinSol_FixedPoint(s->y, 0, s->context);
    bench_need(CVodeSetNonlinearSolver(s->mem, s->fixed) == 0, "CVodeSetNonlinearSolver");
  } else {
    s->matrix = SUNDenseMatrix(job->p->n, job->p->n, s->context);
    s->linear = SUNLinSol_Dense(s->y, s->matrix, s->context);
    bench_need(CVodeSetLinearSolver(s->mem, s->linear, s->matrix) == 0, "CVodeSetLinearSolver");
  }
  if (job->p->roots > 0) {
    bench_need(CVodeRootInit(s->mem, job->p->roots, bench_sundials_roots) == 0, "CVodeRootInit");
  }
}

static void tear_down(solver *s) {
  CVodeFree(&s->mem);
  if (s->fixed != NULL) {
    SUNNonlinSolFree(s->fixed);
  } else {
    SUNLinSolFree(s->linear);
    SUNMatDestroy(s->matrix);
  }
  N_VDestroy(s->y);
  SUNContext_Free(&s->context);
}

static void at_root(solver *s, bench_job *job, double t) {
  int found[2];
  bench_need(CVodeGetRootInfo(s->mem, found) == 0, "CVodeGetRootInfo");
  for (int i = 0; i < job->p->roots; i++) {
    job->events += found[i] != 0;
  }
  if (job->p->switches) {
    bench_switch(job, s->y);
    bench_need(CVodeReInit(s->mem, t, s->y) == 0, "CVodeReInit");
  }
}

static bool go(solver *s, bench_job *job) {
  bench_stops stops = {0, 0};
  double target, t;
  int sample;
  while (bench_next_stop(job, &stops, &target, &sample)) {
    int flag;
    while ((flag = CVode(s->mem, target, s->y, &t, CV_NORMAL)) == CV_ROOT_RETURN) {
      at_root(s, job, t);
    }
    if (flag < 0) {
      return false;
    }
    bench_keep(job, s->y, sample);
  }
  return true;
}

bool bench_cvode(bench_job *job, int multistep, double tol) {
  solver s;
  set_up(&s, job, multistep, tol);
  bool ok = go(&s, job);
  tear_down(&s);
  return ok;
}

/* Nearest point of the circle, velocity along its tangent; the error loses its normal part. */
static int project(realtype t, N_Vector now, N_Vector correction, realtype eps, N_Vector error,
                   void *ctx) {
  (void)t, (void)eps, (void)ctx;
  const double *y = N_VGetArrayPointer(now);
  double *c = N_VGetArrayPointer(correction);
  double r = sqrt(y[0] * y[0] + y[1] * y[1]), x0 = y[0] / r, x1 = y[1] / r;
  double normal = y[2] * x0 + y[3] * x1;
  c[0] = x0 - y[0];
  c[1] = x1 - y[1];
  c[2] = -normal * x0;
  c[3] = -normal * x1;
  if (error != NULL) {
    double *e = N_VGetArrayPointer(error);
    for (int i = 0; i < 4; i += 2) {
      double part = e[i] * x0 + e[i + 1] * x1;
      e[i] -= part * x0;
      e[i + 1] -= part * x1;
    }
  }
  return 0;
}

bool bench_cvode_project(bench_job *job, int unused, double tol) {
  solver s;
  (void)unused;
  set_up(&s, job, CV_BDF, tol);
  bench_need(CVodeSetProjFn(s.mem, project) == 0, "CVodeSetProjFn");
  bool ok = go(&s, job);
  tear_down(&s);
  return ok;
}
