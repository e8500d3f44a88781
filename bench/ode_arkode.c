// SPDX-License-Identifier: MIT
/* ARKODE's explicit Runge-Kutta methods: Dormand-Prince 5(4) and Fehlberg 7(8). Steps end at the
 * samples, because its dense output has at most order 5. */
#include <arkode/arkode_erkstep.h>

#include "sundials_job.h"

static void at_root(void *mem, bench_job *job, N_Vector y, double t) {
  int found[2];
  bench_need(ERKStepGetRootInfo(mem, found) == 0, "ERKStepGetRootInfo");
  for (int i = 0; i < job->p->roots; i++) {
    job->events += found[i] != 0;
  }
  if (job->p->switches) { /* a reset keeps the step size and controller */
    bench_switch(job, y);
    bench_need(ERKStepReset(mem, t, y) == 0, "ERKStepReset");
  }
}

static bool go(void *mem, bench_job *job, N_Vector y) {
  bench_stops stops = {0, 0};
  double target, t;
  int sample, ahead = 0;
  ERKStepSetStopTime(mem, bench_sample_time(job, 0));
  while (bench_next_stop(job, &stops, &target, &sample)) {
    if (stops.sample > ahead) {
      ahead = stops.sample;
      ERKStepSetStopTime(mem, bench_sample_time(job, ahead - 1));
    }
    int flag;
    while ((flag = ERKStepEvolve(mem, target, y, &t, ARK_NORMAL)) == ARK_ROOT_RETURN) {
      at_root(mem, job, y, t);
    }
    if (flag < 0) {
      return false;
    }
    bench_keep(job, y, sample);
  }
  return true;
}

bool bench_arkode(bench_job *job, int order, double tol) {
  SUNContext context;
  bench_need(SUNContext_Create(NULL, &context) == 0, "SUNContext_Create");
  N_Vector y = N_VNew_Serial(job->p->n, context);
  memcpy(N_VGetArrayPointer(y), job->start, (size_t)job->p->n * sizeof(double));
  void *mem = ERKStepCreate(bench_sundials_rhs, 0, y, context);
  bench_need(mem != NULL, "ERKStepCreate");
  ERKStepSetErrHandlerFn(mem, bench_ignore_message, NULL);
  ERKStepSetUserData(mem, job);
  ERKStepSetMaxNumSteps(mem, 10000000);
  bench_need(ERKStepSStolerances(mem, tol, tol) == 0, "ERKStepSStolerances");
  ARKODE_ERKTableID table = order == 8 ? ARKODE_FEHLBERG_13_7_8 : ARKODE_DORMAND_PRINCE_7_4_5;
  bench_need(ERKStepSetTableNum(mem, table) == 0, "ERKStepSetTableNum");
  if (job->p->roots > 0) {
    bench_need(ERKStepRootInit(mem, job->p->roots, bench_sundials_roots) == 0, "ERKStepRootInit");
  }
  bool ok = go(mem, job, y);
  ERKStepFree(&mem);
  N_VDestroy(y);
  SUNContext_Free(&context);
  return ok;
}
