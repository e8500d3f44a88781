// SPDX-License-Identifier: MIT
/* IDA on the pendulum in x, y in the stabilised index-2 form of Gear, Gupta and Leimkuhler:
 *   q' = v + 2 q mu,  v' = 2 q lambda - (0, g),  q.q = 1,  q.v = 0,
 * unknowns x, y, vx, vy, lambda, mu; the algebraic ones are left out of the error test. */
#include <ida/ida.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include "sundials_job.h"

enum { N = 6 };

static int residual(realtype t, N_Vector state, N_Vector rate, N_Vector out, void *ctx) {
  (void)t;
  const double *y = N_VGetArrayPointer(state), *dy = N_VGetArrayPointer(rate);
  double *r = N_VGetArrayPointer(out);
  ((bench_job *)ctx)->calls++;
  r[0] = dy[0] - y[2] - 2 * y[0] * y[5];
  r[1] = dy[1] - y[3] - 2 * y[1] * y[5];
  r[2] = dy[2] - 2 * y[0] * y[4];
  r[3] = dy[3] - 2 * y[1] * y[4] + 9.81;
  r[4] = y[0] * y[0] + y[1] * y[1] - 1;
  r[5] = y[0] * y[2] + y[1] * y[3];
  return 0;
}

static void consistent_start(const bench_job *job, double *y, double *dy) {
  memcpy(y, job->start, 4 * sizeof *y);
  job->p->hand(0, y, 1, dy);
  y[4] = (9.81 * y[1] - y[2] * y[2] - y[3] * y[3]) / 2;
  y[5] = dy[4] = dy[5] = 0;
}

static bool go(void *mem, bench_job *job, N_Vector y, N_Vector dy) {
  double t;
  for (int i = 0; i < BENCH_SAMPLES; i++) {
    if (IDASolve(mem, bench_sample_time(job, i), &t, y, dy, IDA_NORMAL) < 0) {
      return false;
    }
    bench_keep(job, y, i);
  }
  return true;
}

bool bench_ida(bench_job *job, int unused, double tol) {
  SUNContext context;
  (void)unused;
  bench_need(SUNContext_Create(NULL, &context) == 0, "SUNContext_Create");
  N_Vector y = N_VNew_Serial(N, context), dy = N_VClone(y), id = N_VClone(y);
  consistent_start(job, N_VGetArrayPointer(y), N_VGetArrayPointer(dy));
  for (int i = 0; i < N; i++) {
    N_VGetArrayPointer(id)[i] = i < 4;
  }
  void *mem = IDACreate(context);
  bench_need(mem != NULL && IDAInit(mem, residual, 0, y, dy) == 0, "IDAInit");
  IDASetErrHandlerFn(mem, bench_ignore_message, NULL);
  IDASetUserData(mem, job);
  IDASetMaxNumSteps(mem, 100000);
  bench_need(IDASStolerances(mem, tol, tol) == 0, "IDASStolerances");
  bench_need(IDASetId(mem, id) == 0 && IDASetSuppressAlg(mem, 1) == 0, "IDASetSuppressAlg");
  SUNMatrix matrix = SUNDenseMatrix(N, N, context);
  SUNLinearSolver linear = SUNLinSol_Dense(y, matrix, context);
  bench_need(IDASetLinearSolver(mem, linear, matrix) == 0, "IDASetLinearSolver");
  bool ok = go(mem, job, y, dy);
  IDAFree(&mem);
  SUNLinSolFree(linear);
  SUNMatDestroy(matrix);
  N_VDestroy(y);
  N_VDestroy(dy);
  N_VDestroy(id);
  SUNContext_Free(&context);
  return ok;
}
