// SPDX-License-Identifier: MIT
/* Toys with impacts, friction and rest: event-driven to 1e-8 against Siconos' time stepping to
 * 1e-4. Errors are those of the positions at the end, as parts of their ranges, against a run of
 * Pawl with tolerance 1e-13. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "bench.h"
#ifdef BENCH_SICONOS
#include "toys_siconos.h"
#endif

typedef struct toy {
  const char *name, *title; /* name: also the model's */
  double span, range[3];
  double coarse, fine; /* the peer's steps */
#ifdef BENCH_SICONOS
  int (*peer)(double h, double span, double q[3], double *seconds);
#endif
} toy;

#ifdef BENCH_SICONOS
#define PEER(x) , x
#else
#define PEER(x)
#endif

static const toy toys[] = {
    {"woodpecker",
     "Woodpecker, 20 periods",
     20 * 0.145976065144,
     {20 * 0.0194453793, 0.21, 0.6},
     1e-4,
     3e-6 PEER(siconos_woodpecker)},
    {"slider-crank",
     "Slider-crank with clearance, 10 turns",
     0.72382,
     {62.83, 1.05, 0.04},
     1e-4,
     1.5e-6 PEER(siconos_slider_crank)},
};

typedef struct motion {
  double q[3];
  double seconds;
  long steps, events;
} motion;

static motion run_pawl(const bench_system *s, const char *name, double tol) {
  motion best = {.seconds = INFINITY};
  for (int k = 0; k < 5; k++) {
    pawl_sim *sim = NULL;
    pawl_stop why = PAWL_AT_TARGET;
    pawl_sim_opts opts = {.tol = tol};
    bench_check(pawl_sim_new(s->system, &opts, s->diags, &sim), s->diags, name);
    pawl_sim_stats stats = pawl_sim_statistics(sim);
    double start = bench_now();
    while (why != PAWL_AT_END) {
      bench_check(pawl_sim_advance(sim, stats.to, s->diags, &why), s->diags, name);
    }
    double seconds = bench_now() - start;
    pawl_point p;
    bench_check(pawl_sim_point(sim, PAWL_AFTER, &p), s->diags, name);
    stats = pawl_sim_statistics(sim);
    best.seconds = fmin(best.seconds, seconds);
    best.steps = stats.steps;
    best.events = stats.events;
    memcpy(best.q, p.q, sizeof best.q);
    pawl_sim_free(sim);
  }
  return best;
}

static double error_of(const toy *x, const double *q, const double *reference) {
  double worst = 0;
  for (int i = 0; i < 3; i++) {
    worst = fmax(worst, fabs(q[i] - reference[i]) / x->range[i]);
  }
  return worst;
}

static void add_row(bench_table *t, const char *name, double setting, double seconds, long steps,
                    double error) {
  bench_cell(t, "%s", name);
  bench_cell(t, "%.3g", setting);
  bench_cell(t, "%.3g", 1e3 * seconds);
  bench_cell(t, "%ld", steps);
  bench_cell(t, "%.1e", error);
}

/* The first tolerance, from loose to tight, with an error of at most 1e-8. */
static double pawl_rows(bench_table *t, const toy *x, const bench_system *s,
                        const motion *reference) {
  for (double tol = 1e-8; tol > 5e-13; tol /= 10) {
    motion m = run_pawl(s, x->name, tol);
    double error = error_of(x, m.q, reference->q);
    add_row(t, "Pawl, event", tol, m.seconds, m.steps, error);
    if (error <= 1e-8) {
      return m.seconds;
    }
  }
  return NAN;
}

#ifdef BENCH_SICONOS
/* The first of two steps, halved again and again, with an error of at most 1e-4: a single one may
 * be luck. If there is none, the last: what is asked for takes longer. */
static double siconos_rows(bench_table *t, const toy *x, const motion *reference) {
  double found = NAN, seconds = NAN;
  for (double h = x->coarse; h > x->fine; h /= 2) {
    double q[3];
    if (!x->peer(h, x->span, q, &seconds)) {
      printf("SKIPPED: Siconos fails with step %g\n", h);
      return NAN;
    }
    double error = error_of(x, q, reference->q);
    add_row(t, "Siconos, Moreau", h, seconds, (long)(x->span / h), error);
    if (error <= 1e-4 && !isnan(found)) {
      return found;
    }
    found = error <= 1e-4 ? seconds : NAN;
  }
  printf(
      "No step here brings time stepping to 1e-4: its time there is more than the last one.\n\n");
  return seconds;
}
#endif

static void compare(const toy *x) {
  const char *const heads[] = {x->name, "tol or step", "ms", "steps", "error"};
  static bench_table t;
  char target[80];
  bench_system s;
  printf("## %s\n\n", x->title);
  bench_open(&s, x->name, NULL);
  bench_table_begin(&t, x->name, 5, heads);
  motion reference = run_pawl(&s, x->name, 1e-13);
  double own = pawl_rows(&t, x, &s, &reference), peer = NAN;
#ifdef BENCH_SICONOS
  printf("Siconos %s: MoreauJeanOSI on its classes for Lagrangian systems, as in its "
         "tutorials;\nits event-driven methods have no friction.\n\n",
         BENCH_SICONOS);
  peer = siconos_rows(&t, x, &reference);
#endif
  bench_table_end(&t);
  printf("\n");
  if (!isnan(peer)) {
    snprintf(target, sizeof target, "%s to 1e-8, time over Siconos to 1e-4", x->name);
    bench_target(target, own / peer, 0.2, "");
  }
  bench_close(&s);
}

int main(int argc, char **argv) {
  bench_init(argc, argv);
  for (size_t i = 0; i < sizeof toys / sizeof *toys; i++) {
    compare(&toys[i]);
  }
  return 0;
}
