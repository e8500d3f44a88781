// SPDX-License-Identifier: MIT
/* What the three SUNDIALS solvers share. */
#ifndef PW_BENCH_SUNDIALS_JOB_H
#define PW_BENCH_SUNDIALS_JOB_H

#include <nvector/nvector_serial.h>
#include <string.h>
#include <sundials/sundials_context.h>

#include "problem.h"

static inline void bench_ignore_message(int code, const char *module, const char *function,
                                        char *message, void *ctx) {
  (void)code, (void)module, (void)function, (void)message, (void)ctx;
}

static inline int bench_sundials_rhs(realtype t, N_Vector y, N_Vector dy, void *ctx) {
  bool ok = bench_job_rhs(ctx, t, N_VGetArrayPointer(y), N_VGetArrayPointer(dy));
  return ok ? 0 : 1; /* 1: try a smaller step */
}

static inline int bench_sundials_roots(realtype t, N_Vector y, realtype *g, void *ctx) {
  const bench_job *job = ctx;
  (void)t;
  for (int i = 0; i < job->p->roots; i++) {
    g[i] = N_VGetArrayPointer(y)[i];
  }
  return 0;
}

/* At a switching point x goes to the side of its velocity. SUNDIALS returns it there, or 0; it
 * would find the same root again if x were left on the old side. */
static inline void bench_switch(bench_job *job, N_Vector y) {
  double *v = N_VGetArrayPointer(y);
  job->side = v[1] > 0 ? 1 : -1;
  v[0] = v[0] * job->side > 0 ? v[0] : 0;
}

static inline void bench_keep(bench_job *job, N_Vector y, int sample) {
  if (sample >= 0) {
    memcpy(job->y[sample], N_VGetArrayPointer(y), (size_t)job->p->n * sizeof(double));
  } else {
    job->events++; /* a strobe */
  }
}

static inline void bench_need(bool ok, const char *call) {
  if (!ok) {
    bench_die("SUNDIALS: %s failed", call);
  }
}

#endif
