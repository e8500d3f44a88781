// SPDX-License-Identifier: MIT
/* Pawl's integrators against SUNDIALS: calls of the right-hand side and time at equal measured
 * error. Every method runs down a ladder of tolerances; work at a given error is interpolated
 * between two rungs (linear in the logarithms). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "problem.h"

enum { RUNGS = 12, GOALS = 2, REPEATS = 3 };
static const double goals[GOALS] = {1e-6, 1e-9};

typedef struct method {
  const char *name;
  bool (*run)(bench_job *job, int variant, double tol);
  int variant;
  bool own_rhs; /* Pawl's right-hand side or none at choice: no second run with C */
  bool constraint_only;
} method;

static const method methods[] = {
    {"Pawl dp5", bench_pawl, PAWL_METHOD_DP5, true, false},
    {"Pawl dop853", bench_pawl, PAWL_METHOD_DOP853, true, false},
#ifdef BENCH_SUNDIALS
    {"CVODE Adams", bench_cvode, 1, false, false},
    {"CVODE BDF", bench_cvode, 2, false, false},
    {"ARKODE Dormand-Prince 5(4)", bench_arkode, 5, false, false},
    {"ARKODE Fehlberg 7(8)", bench_arkode, 8, false, false},
    {"CVODE BDF with projection", bench_cvode_project, 0, false, true},
    {"IDA, GGL (residual in C)", bench_ida, 0, true, true},
#endif
};
enum { METHOD_COUNT = sizeof methods / sizeof methods[0] };

typedef struct rung {
  bool ok;
  double error, calls, seconds;
  long events;
} rung;

typedef struct work { /* at a given error; calls 0: not reached */
  double calls, seconds;
} work;

static rung climb(bench_job *job, const method *m, bool by_hand, double tol) {
  rung r = {.seconds = INFINITY};
  double spent = 0;
  for (int i = 0; i < REPEATS && spent < 0.06; i++) {
    bench_job_reset(job, by_hand);
    double start = bench_now();
    r.ok = m->run(job, m->variant, tol);
    double took = bench_now() - start;
    r.seconds = took < r.seconds ? took : r.seconds;
    spent += took;
  }
  r.error = bench_job_error(job);
  r.calls = (double)job->calls;
  r.events = job->events;
  return r;
}

static double between(double x, double x0, double x1, double y0, double y1) {
  return exp(log(y0) + (log(y1) - log(y0)) * (log(x) - log(x0)) / (log(x1) - log(x0)));
}

/* Between the last rung that misses the goal and the next one, which meets it. */
static work at_error(const rung *r, int count, double goal) {
  for (int i = count - 1; i > 0; i--) {
    if (r[i].error <= goal && r[i - 1].error > goal) {
      return (work){between(goal, r[i - 1].error, r[i].error, r[i - 1].calls, r[i].calls),
                    between(goal, r[i - 1].error, r[i].error, r[i - 1].seconds, r[i].seconds)};
    }
  }
  bool loose = count > 0 && r[0].error <= goal;
  return loose ? (work){r[0].calls, r[0].seconds} : (work){0, 0};
}

static void measure(bench_job *job, const method *m, bool by_hand, FILE *csv, work *out,
                    long *events) {
  rung ladder[RUNGS];
  int count = 0; /* of those that came to the end */
  for (int i = 0; i < RUNGS; i++) {
    double tol = pow(10, -3 - i * 10.5 / (RUNGS - 1));
    rung r = climb(job, m, by_hand, tol);
    fprintf(csv, "\"%s\",\"%s\",%s,%.3g,%.3g,%.0f,%ld,%.3g\n", job->p->title, m->name,
            by_hand ? "C" : "Pawl", tol, r.ok ? r.error : NAN, r.calls, r.events, r.seconds * 1e3);
    if (r.ok) {
      ladder[count++] = r;
      *events = r.events;
    }
  }
  for (int g = 0; g < GOALS; g++) {
    out[g] = at_error(ladder, count, goals[g]);
  }
}

static void number(bench_table *t, int digits, double value) {
  if (value > 0) {
    bench_cell(t, "%.*f", digits, value);
  } else {
    bench_cell(t, "-");
  }
}

static void compare(const bench_problem *p, FILE *csv) {
  static const char *const heads[] = {"method",    "events",    "calls, 1e-6", "ms",
                                      "ms, C rhs", "ms / Pawl", "calls, 1e-9", "ms",
                                      "ms, C rhs", "ms / Pawl"};
  static bench_job job;
  static bench_table table;
  double best[GOALS] = {INFINITY, INFINITY};
  bench_job_open(&job, p);
  bench_table_begin(&table, p->csv, 10, heads);
  for (int i = 0; i < METHOD_COUNT; i++) {
    const method *m = &methods[i];
    if (m->constraint_only && !p->ida) {
      continue;
    }
    work own[GOALS], by_hand[GOALS] = {{0, 0}};
    long events = 0;
    measure(&job, m, false, csv, own, &events);
    if (!m->own_rhs) {
      measure(&job, m, true, csv, by_hand, &events);
    }
    bench_cell(&table, "%s", m->name);
    number(&table, 0, (double)events);
    for (int g = 0; g < GOALS; g++) {
      if (m->run == bench_pawl && own[g].seconds > 0) {
        best[g] = fmin(best[g], own[g].seconds);
      }
      number(&table, 0, own[g].calls);
      number(&table, 2, own[g].seconds * 1e3);
      number(&table, 2, by_hand[g].seconds * 1e3);
      number(&table, 1, m->run == bench_pawl ? 0 : own[g].seconds / best[g]);
    }
  }
  printf("### %s\n\n", p->title);
  bench_table_end(&table);
  bench_job_close(&job);
}

int main(int argc, char **argv) {
  bench_init(argc, argv);
  printf("## Integration at equal error\n\n");
#ifdef BENCH_SUNDIALS
  printf("SUNDIALS %s.\n\n", BENCH_SUNDIALS);
#else
  printf("SKIPPED: SUNDIALS is not here; only Pawl's own figures follow.\n\n");
#endif
  printf(
      "Calls of the right-hand side and milliseconds where the measured error (largest deviation\n"
      "from a reference at %d samples, relative to the largest value of the component) is 1e-6 "
      "and\n"
      "1e-9, interpolated between tolerances from 1e-3 to 3e-14. \"ms\": every method calls "
      "Pawl's\n"
      "right-hand side, so that only the integrators differ; \"ms, C rhs\": the same with a\n"
      "right-hand side in C, as a user of SUNDIALS would write it. Pawl also integrates action "
      "and\n"
      "energy ledger, isolates the roots of events without missing one, and projects on\n"
      "constraints. \"ms / Pawl\" compares with the faster of Pawl's two methods. In the last "
      "problem\n"
      "the right-hand side changes at x = 0: SUNDIALS stops at the root and is restarted. Its\n"
      "absolute tolerance equals the relative one; with a thousandth of it SUNDIALS was slower, "
      "but\n"
      "for Fehlberg's method in the last problem, which then reached 1e-9 as well.\n"
      "A dash: this error was not reached, or not applicable.\n\n",
      BENCH_SAMPLES);
  char path[1024];
  snprintf(path, sizeof path, "%s/ode-ladder.csv", argv[1]);
  FILE *csv = fopen(path, "w");
  if (csv == NULL) {
    bench_die("cannot write %s", path);
  }
  fprintf(csv, "problem,method,rhs,tol,error,calls,events,ms\n");
  for (int i = 0; i < bench_problem_count; i++) {
    compare(&bench_problems[i], csv);
  }
  fclose(csv);
  return 0;
}
