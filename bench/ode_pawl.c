// SPDX-License-Identifier: MIT
#include <string.h>

#include "problem.h"

static void keep(bench_job *job, pawl_sim *sim, int sample) {
  pawl_point at;
  size_t nq = (size_t)job->p->n / 2;
  bench_check(pawl_sim_point(sim, PAWL_AFTER, &at), NULL, job->p->title);
  memcpy(job->y[sample], at.q, nq * sizeof(double));
  memcpy(job->y[sample] + nq, at.u, nq * sizeof(double));
}

bool bench_pawl(bench_job *job, int method, double tol) {
  pawl_sim_opts opts = {.tol = tol, .method = (pawl_method)method};
  pawl_sim *sim;
  bench_check(pawl_sim_new(job->open.system, &opts, job->open.diags, &sim), job->open.diags,
              job->p->title);
  pawl_status status = PAWL_OK;
  for (int i = 0; i < BENCH_SAMPLES && status == PAWL_OK; i++) {
    pawl_stop why = PAWL_AT_EVENT;
    while (why == PAWL_AT_EVENT && status == PAWL_OK) {
      status = pawl_sim_advance(sim, bench_sample_time(job, i), job->open.diags, &why);
    }
    keep(job, sim, i);
  }
  pawl_sim_stats stats = pawl_sim_statistics(sim);
  job->calls = stats.evaluations;
  job->events = stats.events;
  pawl_sim_free(sim);
  return status == PAWL_OK;
}
