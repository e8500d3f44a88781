// SPDX-License-Identifier: MIT
/* Expectations: |left - right| <= tol at a time, at an event or at the end of the run. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "run/run.h"

/* A time meant to be the end of the run, up to rounding, is its end. */
static double due_time(const pawl_run *run, double time) {
  const pawl_sim_opts *sim = &run->opts.sim;
  double close = 1e-12 * (sim->to - sim->from + fabs(sim->to));
  return fabs(time - sim->to) <= close ? sim->to : time;
}

static pawl_status evaluate(pawl_run *run, int i, double t) {
  pw_expect *e = &run->expect[i];
  double tol = pawl_expectation_get(run->sys, i).tol;
  pawl_status status = pawl_sim_expect(run->sim, i, &e->value, &e->wanted);
  if (status != PAWL_OK) {
    return status;
  }
  e->done = true;
  e->t = t;
  double off = fabs(e->value - e->wanted);
  e->ok = off <= tol; /* false for NaN */
  if (!e->ok) {
    snprintf(e->reason, sizeof e->reason, "is %.12g at t = %.9g, off by %.3g", e->value, t, off);
  }
  return PAWL_OK;
}

double pw_expect_next(const pawl_run *run, double until) {
  for (int i = 0; i < run->n_expect; i++) {
    pawl_expectation_info info = pawl_expectation_get(run->sys, i);
    double time = due_time(run, info.time);
    if (info.at == 1 && !run->expect[i].done && time >= run->opts.sim.from && time < until) {
      until = time;
    }
  }
  return until;
}

pawl_status pw_expect_time(pawl_run *run, double t) {
  pawl_status status = PAWL_OK;
  for (int i = 0; i < run->n_expect && status == PAWL_OK; i++) {
    pawl_expectation_info info = pawl_expectation_get(run->sys, i);
    double time = due_time(run, info.time);
    if (info.at == 1 && !run->expect[i].done && time >= run->opts.sim.from && time <= t) {
      status = evaluate(run, i, t);
    }
  }
  return status;
}

pawl_status pw_expect_event(pawl_run *run, const pw_traj_event *event) {
  pawl_status status = PAWL_OK;
  for (int i = 0; i < run->n_expect && status == PAWL_OK; i++) {
    pawl_expectation_info info = pawl_expectation_get(run->sys, i);
    pw_expect *e = &run->expect[i];
    if (info.at != 2 || e->done || strcmp(info.of, event->at) != 0 ||
        (strcmp(info.kind, "event") != 0 && strcmp(info.kind, event->kind) != 0)) {
      continue;
    }
    e->seen++;
    if (e->seen == info.count) {
      status = evaluate(run, i, event->t);
    }
  }
  return status;
}

static void never_came(pawl_run *run, int i) {
  pawl_expectation_info info = pawl_expectation_get(run->sys, i);
  pw_expect *e = &run->expect[i];
  if (info.at == 2) {
    snprintf(e->reason, sizeof e->reason, "there were only %ld events `%s` of `%s`", e->seen,
             info.kind, info.of);
  } else if (info.at == 1) {
    snprintf(e->reason, sizeof e->reason, "t = %.9g is not part of the run %.9g..%.9g", info.time,
             run->opts.sim.from, run->result.t);
  } else {
    snprintf(e->reason, sizeof e->reason, "the run did not come to its end");
  }
}

pawl_status pw_expect_finish(pawl_run *run) {
  bool complete = run->result.ending == PAWL_ENDED || run->result.ending == PAWL_ENDED_BY_EVENT;
  run->result.failed = 0;
  for (int i = 0; i < run->n_expect; i++) {
    pw_expect *e = &run->expect[i];
    if (!e->done && complete && pawl_expectation_get(run->sys, i).at == 0) {
      pawl_status status = evaluate(run, i, run->result.t);
      if (status != PAWL_OK) {
        return status;
      }
    }
    if (!e->done) {
      never_came(run, i);
    }
    run->result.failed += !e->ok;
  }
  return PAWL_OK;
}

pawl_outcome pawl_run_outcome(const pawl_run *run, int expectation) {
  if (run == NULL || expectation < 0 || expectation >= run->n_expect) {
    return (pawl_outcome){.t = NAN, .value = NAN, .wanted = NAN, .tol = NAN, .reason = ""};
  }
  const pw_expect *e = &run->expect[expectation];
  return (pawl_outcome){.reached = e->done,
                        .ok = e->ok,
                        .t = e->done ? e->t : NAN,
                        .value = e->done ? e->value : NAN,
                        .wanted = e->done ? e->wanted : NAN,
                        .tol = pawl_expectation_get(run->sys, expectation).tol,
                        .reason = e->reason};
}
