// SPDX-License-Identifier: MIT
/* References: in closed form for the bilinear spring, else Gragg's extrapolated midpoint rule of
 * order 16 in long double with small steps. */
#include "problem.h"

#include <math.h>
#include <string.h>

#include "mech/handle.h"

#define BENCH_REAL double
#define BENCH_SIN sin
#define BENCH_COS cos
#define BENCH_G 9.81
#define FIELD(name) name
#include "fields.h"
#undef BENCH_REAL
#undef BENCH_SIN
#undef BENCH_COS
#undef FIELD
#define BENCH_REAL long double
#define BENCH_SIN sinl
#define BENCH_COS cosl
#define FIELD(name) name##_long
#include "fields.h"

#define FIELDS(name) .hand = name, .hand_long = name##_long

const bench_problem bench_problems[] = {
    {"pendulum, 100 s", "ode-pendulum", "pendulum", .n = 2, .end = 100, FIELDS(pendulum)},
    {"double pendulum, regular motion, 100 s", "ode-double-pendulum", "double-pendulum",
     .start = {"0.5", "0.4"}, .n = 4, .end = 100, FIELDS(double_pendulum)},
    {"pendulum in x, y with a constraint, 100 s", "ode-constraint", "pendulum-xy", .n = 4,
     .end = 100, FIELDS(pendulum_xy), .ida = true},
    {"forced oscillator, 400 s, no events", "ode-forced", "duffing", .n = 2, .end = 400,
     FIELDS(duffing)},
    {"forced oscillator, 400 s, watched (x = 0, x' = 0, strobe)", "ode-watched", "duffing-events",
     .n = 2, .end = 400, FIELDS(duffing), .roots = 2, .strobe = 2 * 3.14159265358979323846 / 1.3},
    {"bilinear spring, 100 s, switching at x = 0", "ode-switching", "bilinear", .n = 2, .end = 100,
     FIELDS(bilinear), .roots = 1, .switches = true},
};
const int bench_problem_count = sizeof bench_problems / sizeof bench_problems[0];

double bench_sample_time(const bench_job *job, int i) {
  return job->p->end * (i + 1) / BENCH_SAMPLES;
}

bool bench_next_stop(const bench_job *job, bench_stops *s, double *t, int *sample) {
  if (s->sample == BENCH_SAMPLES) {
    return false;
  }
  double next = bench_sample_time(job, s->sample);
  double strobe = job->p->strobe * (double)(s->strobe + 1);
  if (strobe > 0 && strobe < next) {
    s->strobe++;
    *t = strobe;
    *sample = -1;
  } else {
    *t = next;
    *sample = s->sample++;
  }
  return true;
}

/* ---- references ---- */

enum { LEVELS = 8 };

static void midpoint(const bench_problem *p, long double t, long double h, const long double *y,
                     int parts, long double *out) {
  long double a[BENCH_STATES], b[BENCH_STATES], f[BENCH_STATES], step = h / parts;
  memcpy(a, y, sizeof a);
  p->hand_long(t, y, 1, f);
  for (int k = 0; k < p->n; k++) {
    b[k] = y[k] + step * f[k];
  }
  for (int i = 1; i < parts; i++) {
    p->hand_long(t + i * step, b, 1, f);
    for (int k = 0; k < p->n; k++) {
      long double next = a[k] + 2 * step * f[k];
      a[k] = b[k];
      b[k] = next;
    }
  }
  memcpy(out, b, sizeof b);
}

/* y(t + h) by extrapolation in (h / parts)^2, parts = 2, 4, ..., 16. */
static void extrapolate(const bench_problem *p, long double t, long double h, long double *y) {
  long double T[LEVELS][BENCH_STATES] = {{0}};
  for (int j = 0; j < LEVELS; j++) {
    midpoint(p, t, h, y, 2 * (j + 1), T[j]);
    for (int i = j - 1; i >= 0; i--) {
      long double ratio = (long double)(j + 1) / (i + 1);
      for (int k = 0; k < p->n; k++) {
        T[i][k] = T[i + 1][k] + (T[i + 1][k] - T[i][k]) / (ratio * ratio - 1);
      }
    }
  }
  memcpy(y, T[0], sizeof T[0]);
}

static void reference_by_steps(bench_job *job) {
  enum { STEPS = 200 }; /* per sample */
  long double y[BENCH_STATES] = {0}, h = (long double)job->p->end / BENCH_SAMPLES / STEPS;
  for (int k = 0; k < job->p->n; k++) {
    y[k] = job->start[k];
  }
  for (int i = 0; i < BENCH_SAMPLES; i++) {
    for (int s = 0; s < STEPS; s++) {
      extrapolate(job->p, (i * STEPS + s) * h, h, y);
    }
    for (int k = 0; k < job->p->n; k++) {
      job->reference[i][k] = (double)y[k];
    }
  }
}

/* x = cos 20 t to the first zero; then 2 sin 10 s down and sin 20 s up, by turns. */
static void reference_bilinear(bench_job *job) {
  const long double pi = 3.14159265358979323846264L;
  for (int i = 0; i < BENCH_SAMPLES; i++) {
    long double s = fmodl(bench_sample_time(job, i) + pi / 40, pi / 20 + pi / 10);
    bool up = s < pi / 20;
    s -= up ? 0 : pi / 20;
    job->reference[i][0] = (double)(up ? sinl(20 * s) : -2 * sinl(10 * s));
    job->reference[i][1] = (double)(up ? 20 * cosl(20 * s) : -20 * cosl(10 * s));
  }
}

/* ---- jobs ---- */

/* Both right-hand sides must say the same at the start. */
static void compare_fields(bench_job *job) {
  double a[BENCH_STATES], b[BENCH_STATES];
  bench_job_reset(job, false);
  bool ok = bench_job_rhs(job, 0.1, job->start, a);
  bench_job_reset(job, true);
  ok = bench_job_rhs(job, 0.1, job->start, b) && ok;
  for (int k = 0; k < job->p->n; k++) {
    if (!ok || !(fabs(a[k] - b[k]) < 1e-10 * (1 + fabs(b[k])))) {
      bench_die("%s: y'[%d] is %.17g by Pawl, %.17g by hand", job->p->title, k, a[k], b[k]);
    }
  }
}

void bench_job_open(bench_job *job, const bench_problem *p) {
  memset(job, 0, sizeof *job);
  job->p = p;
  const pawl_override over[] = {{"a", p->start[0]}, {"b", p->start[1]}};
  pawl_system_opts opts = {.overrides = over, .n_override = p->start[0] != NULL ? 2 : 0};
  bench_open(&job->open, p->model, &opts);
  const pawl_system *system = job->open.system;
  bench_check(pw_mech_new(system->sys, &job->mech), NULL, p->title);
  int nq = p->n / 2;
  memcpy(job->start, pawl_start_positions(system), (size_t)nq * sizeof(double));
  memcpy(job->start + nq, pawl_start_velocities(system), (size_t)nq * sizeof(double));
  job->start_side = 1;
  compare_fields(job);
  if (p->switches) {
    reference_bilinear(job);
  } else {
    reference_by_steps(job);
  }
}

void bench_job_close(bench_job *job) {
  pw_mech_free(job->mech);
  bench_close(&job->open);
}

void bench_job_reset(bench_job *job, bool by_hand) {
  job->by_hand = by_hand;
  job->side = job->start_side;
  job->calls = job->events = 0;
}

bool bench_job_rhs(bench_job *job, double t, const double *y, double *dy) {
  int nq = job->p->n / 2;
  job->calls++;
  if (job->by_hand) {
    job->p->hand(t, y, job->side, dy);
    return true;
  }
  if (pw_mech_rates(job->mech, t, y, y + nq, &job->side) != PAWL_OK) {
    return false;
  }
  memcpy(dy, job->mech->q_rate, (size_t)nq * sizeof *dy);
  memcpy(dy + nq, job->mech->a, (size_t)nq * sizeof *dy);
  return true;
}

double bench_job_error(const bench_job *job) {
  double worst = 0;
  for (int k = 0; k < job->p->n; k++) {
    double size = 0, miss = 0;
    for (int i = 0; i < BENCH_SAMPLES; i++) {
      double d = fabs(job->y[i][k] - job->reference[i][k]);
      size = fmax(size, fabs(job->reference[i][k]));
      miss = d <= miss ? miss : d; /* NaN stays */
    }
    worst = miss / size <= worst ? worst : miss / size;
  }
  return worst;
}
