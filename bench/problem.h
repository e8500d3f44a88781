// SPDX-License-Identifier: MIT
/* Initial value problems y' = f(t, y), y = (q, q'), that Pawl and SUNDIALS both solve, with
 * reference solutions at equidistant samples. */
#ifndef PW_BENCH_PROBLEM_H
#define PW_BENCH_PROBLEM_H

#include <stdbool.h>

#include "bench.h"
#include "mech/mech.h"

enum { BENCH_SAMPLES = 20, BENCH_STATES = 4 };

typedef struct bench_problem {
  const char *title, *csv, *model;
  const char *start[2]; /* overrides of a and b, or NULL */
  int n;                /* states */
  double end;
  void (*hand)(double t, const double *y, double side, double *dy);
  void (*hand_long)(long double t, const long double *y, double side, long double *dy);
  bool switches; /* the field changes where x changes its sign: restart there */
  int roots;     /* watched: x = 0, x' = 0 */
  double strobe; /* period of a strobe, 0: none */
  bool ida;      /* compare with SUNDIALS' ways to hold a constraint, too */
} bench_problem;

/* One solution, prepared before the clock starts. */
typedef struct bench_job {
  const bench_problem *p;
  bench_system open;
  pw_mech *mech;
  double start[BENCH_STATES], start_side;
  double reference[BENCH_SAMPLES][BENCH_STATES];
  /* the run now going on */
  bool by_hand; /* right-hand side in C, else Pawl's own */
  double side;
  long calls, events;
  double y[BENCH_SAMPLES][BENCH_STATES];
} bench_job;

extern const bench_problem bench_problems[];
extern const int bench_problem_count;

void bench_job_open(bench_job *job, const bench_problem *p);
void bench_job_close(bench_job *job);
void bench_job_reset(bench_job *job, bool by_hand);
/* False where the field has no value. */
bool bench_job_rhs(bench_job *job, double t, const double *y, double *dy);
double bench_sample_time(const bench_job *job, int i);
/* max |y - reference| over samples and components, in units of the component's largest value. */
double bench_job_error(const bench_job *job);

/* The times at which SUNDIALS is to stop, in order: samples and strobes. Begin with zeros. */
typedef struct bench_stops {
  int sample;  /* the next one */
  long strobe; /* the last one */
} bench_stops;
/* False at the end. *sample: index of the sample at *t, or -1 at a strobe. */
bool bench_next_stop(const bench_job *job, bench_stops *s, double *t, int *sample);

/* ---- solvers: false if they gave up. Results are in job: y, calls, events ---- */

bool bench_pawl(bench_job *job, int method, double tol);     /* PAWL_METHOD_... */
bool bench_cvode(bench_job *job, int multistep, double tol); /* CV_ADAMS 1, CV_BDF 2 */
bool bench_cvode_project(bench_job *job, int unused, double tol);
bool bench_arkode(bench_job *job, int order, double tol); /* 5 or 8 */
bool bench_ida(bench_job *job, int unused, double tol);

#endif
