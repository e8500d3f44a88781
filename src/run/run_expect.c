// SPDX-License-Identifier: MIT
/* Expectations: |left - right| <= tol at a time, at an event or at the end of the run. The plan has
 * them in the order in which they are due, so that a row or an event costs no search over all. */
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "law/scale_run.h"
#include "run/run.h"

/* ---- the plan: which expectation is due when, made once ---- */

/* A time meant to be the end of the run, up to rounding, is its end. */
static double due_time(const pawl_run *run, double time) {
  const pawl_sim_opts *sim = &run->opts.sim;
  double close = PW_SCALE(EXPECTED_AT_END) * (sim->to - sim->from + fabs(sim->to));
  return fabs(time - sim->to) <= close ? sim->to : time;
}

static int by_time(const void *a, const void *b) {
  const pw_due *x = a, *y = b;
  return x->time != y->time ? (x->time < y->time ? -1 : 1) : x->i - y->i;
}

/* Expectations of the same events stand together, in the order of their counts. */
static int by_event(const void *a, const void *b) {
  const pw_due *x = a, *y = b;
  int of = strcmp(x->of, y->of), kind = of != 0 ? of : strcmp(x->kind, y->kind);
  return kind != 0 ? kind : x->count != y->count ? (x->count < y->count ? -1 : 1) : x->i - y->i;
}

static bool same_events(const pw_due *x, const pw_due *y) {
  return strcmp(x->of, y->of) == 0 && strcmp(x->kind, y->kind) == 0;
}

bool pw_expect_plan_new(pawl_run *run) {
  pw_expect_plan *plan = &run->plan;
  size_t n = (size_t)run->n_expect;
  plan->time = calloc(n + 1, sizeof *plan->time);
  plan->event = calloc(n + 1, sizeof *plan->event);
  plan->tol = calloc(n + 1, sizeof *plan->tol);
  if (plan->time == NULL || plan->event == NULL || plan->tol == NULL) {
    return false;
  }

  for (int i = 0; i < run->n_expect; i++) {
    pawl_expectation_info info = pawl_expectation_get(run->sys, i);
    pw_due due = {.i = i, .time = due_time(run, info.time), .of = info.of, .kind = info.kind};
    due.count = info.count;
    plan->tol[i] = info.tol;
    if (info.at == 1 && due.time >= run->opts.sim.from) {
      plan->time[plan->n_time++] = due;
    } else if (info.at == 2) {
      plan->event[plan->n_event++] = due;
    }
  }
  qsort(plan->time, (size_t)plan->n_time, sizeof *plan->time, by_time);
  qsort(plan->event, (size_t)plan->n_event, sizeof *plan->event, by_event);

  /* The last of a group counts its events. */
  for (int k = plan->n_event - 1; k >= 0; k--) {
    bool last = k == plan->n_event - 1 || !same_events(&plan->event[k], &plan->event[k + 1]);
    plan->event[k].last = last ? k : plan->event[k + 1].last;
  }
  return true;
}

void pw_expect_plan_free(pawl_run *run) {
  free(run->plan.time);
  free(run->plan.event);
  free(run->plan.tol);
}

/* ---- on the way ---- */

static pawl_status evaluate(pawl_run *run, int i, double t) {
  pw_expect *e = &run->expect[i];
  pawl_status status = pawl_sim_expect(run->sim, i, &e->value, &e->wanted);
  if (status != PAWL_OK) {
    return status;
  }
  e->done = true;
  e->t = t;
  double off = fabs(e->value - e->wanted);
  e->ok = off <= run->plan.tol[i]; /* false for NaN */
  if (!e->ok) {
    snprintf(e->reason, sizeof e->reason, "is %.12g at t = %.9g, off by %.3g", e->value, t, off);
  }
  return PAWL_OK;
}

/* The next that is due by time, or NULL. Those that are done, also by the part of the run before it
 * was resumed, are passed for good. */
static const pw_due *next_due(pawl_run *run) {
  pw_expect_plan *plan = &run->plan;
  while (plan->next < plan->n_time && run->expect[plan->time[plan->next].i].done) {
    plan->next++;
  }
  return plan->next < plan->n_time ? &plan->time[plan->next] : NULL;
}

double pw_expect_next(pawl_run *run, double until) {
  const pw_due *due = next_due(run);
  return due != NULL && due->time < until ? due->time : until;
}

pawl_status pw_expect_time(pawl_run *run, double t) {
  pawl_status status = PAWL_OK;
  for (const pw_due *due = next_due(run); due != NULL && due->time <= t && status == PAWL_OK;
       due = next_due(run)) {
    status = evaluate(run, due->i, t);
  }
  return status;
}

/* Order of a name and the first `len` characters of another. */
static int order_of(const char *name, const char *other, size_t len) {
  int order = strncmp(name, other, len);
  return order != 0 ? order : name[len] != '\0';
}

/* The first expectation of events of `of`, len characters, or n_event. */
static int first_of(const pw_expect_plan *plan, const char *of, size_t len) {
  int lo = 0, hi = plan->n_event;
  while (lo < hi) {
    int mid = lo + (hi - lo) / 2;
    if (order_of(plan->event[mid].of, of, len) < 0) {
      lo = mid + 1;
    } else {
      hi = mid;
    }
  }
  return lo;
}

/* Counts one more event of the group from `k` to its last, and evaluates those it has come to. */
static pawl_status count_event(pawl_run *run, int k, double t) {
  const pw_due *group = run->plan.event;
  int last = group[k].last;
  pw_expect *counts = &run->expect[group[last].i];
  int64_t seen = ++counts->seen;
  pawl_status status = PAWL_OK;

  /* the first with this count, by bisection: counts rise within the group */
  int lo = k, hi = last + 1;
  while (lo < hi) {
    int mid = lo + (hi - lo) / 2;
    if (group[mid].count < seen) {
      lo = mid + 1;
    } else {
      hi = mid;
    }
  }
  for (; lo <= last && group[lo].count == seen && status == PAWL_OK; lo++) {
    status = run->expect[group[lo].i].done ? PAWL_OK : evaluate(run, group[lo].i, t);
  }
  return status;
}

/* Expectations of events of a name with `len` characters. */
static pawl_status count_named(pawl_run *run, const pawl_event *event, size_t len) {
  const pw_expect_plan *plan = &run->plan;
  pawl_status status = PAWL_OK;
  int k = first_of(plan, event->at, len);
  while (k < plan->n_event && order_of(plan->event[k].of, event->at, len) == 0 &&
         status == PAWL_OK) {
    const char *kind = plan->event[k].kind;
    if (strcmp(kind, "event") == 0 || strcmp(kind, event->kind) == 0) {
      status = count_event(run, k, event->t);
    }
    k = plan->event[k].last + 1;
  }
  return status;
}

/* Of the law called `event->at`, of the law whose component "c[2]" is, and of a contact "pile"
 * those at "pile:d[1]-floor". */
pawl_status pw_expect_event(pawl_run *run, const pawl_event *event) {
  size_t len = strcspn(event->at, ":");
  pawl_status status = count_named(run, event, len);
  while (status == PAWL_OK && len > 0 && event->at[len - 1] == ']') {
    while (len > 0 && event->at[--len] != '[') {
    }
    status = count_named(run, event, len);
  }
  return status;
}

/* ---- at the end ---- */

static void never_came(pawl_run *run, int i) {
  pawl_expectation_info info = pawl_expectation_get(run->sys, i);
  pw_expect *e = &run->expect[i];
  if (info.at == 2) {
    snprintf(e->reason, sizeof e->reason, "there were only %" PRId64 " events `%s` of `%s`",
             e->seen, info.kind, info.of);
  } else if (info.at == 1) {
    snprintf(e->reason, sizeof e->reason, "t = %.9g is not part of the run %.9g..%.9g", info.time,
             run->opts.sim.from, run->result.t);
  } else {
    snprintf(e->reason, sizeof e->reason, "the run did not come to its end");
  }
}

pawl_status pw_expect_finish(pawl_run *run, int *failed) {
  bool complete = run->result.ending == PAWL_ENDED || run->result.ending == PAWL_ENDED_BY_EVENT;
  const pw_expect_plan *plan = &run->plan;
  *failed = 0;
  for (int k = 0; k < plan->n_event; k++) { /* every member knows the count of its group */
    const pw_due *last = &plan->event[plan->event[k].last];
    pw_expect *e = &run->expect[plan->event[k].i];
    e->seen = run->expect[last->i].seen;
  }
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
    *failed += !e->ok;
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
                        .tol = run->plan.tol[expectation],
                        .reason = e->reason};
}
