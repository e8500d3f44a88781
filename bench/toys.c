// SPDX-License-Identifier: MIT
/* A toy with impacts, friction and rest: event-driven to 1e-8 against Siconos' time stepping to
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

static const double period = 0.145976065144, range[] = {0.0194453793 * 20, 0.21, 0.6};

typedef struct motion {
  double q[3];
  double seconds;
  long steps, events;
} motion;

static motion run_pawl(const bench_system *s, double tol) {
  motion best = {.seconds = INFINITY};
  for (int k = 0; k < 5; k++) {
    pawl_sim *sim = NULL;
    pawl_stop why = PAWL_AT_TARGET;
    pawl_sim_opts opts = {.tol = tol};
    bench_check(pawl_sim_new(s->system, &opts, s->diags, &sim), s->diags, "woodpecker");
    pawl_sim_stats stats = pawl_sim_statistics(sim);
    double start = bench_now();
    while (why != PAWL_AT_END) {
      bench_check(pawl_sim_advance(sim, stats.to, s->diags, &why), s->diags, "woodpecker");
    }
    double seconds = bench_now() - start;
    pawl_point p;
    bench_check(pawl_sim_point(sim, PAWL_AFTER, &p), s->diags, "woodpecker");
    stats = pawl_sim_statistics(sim);
    best.seconds = fmin(best.seconds, seconds);
    best.steps = stats.steps;
    best.events = stats.events;
    memcpy(best.q, p.q, sizeof best.q);
    pawl_sim_free(sim);
  }
  return best;
}

static double error_of(const double *q, const double *reference) {
  double worst = 0;
  for (int i = 0; i < 3; i++) {
    worst = fmax(worst, fabs(q[i] - reference[i]) / range[i]);
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
static double pawl_rows(bench_table *t, const bench_system *s, const motion *reference) {
  for (double tol = 1e-8; tol > 5e-13; tol /= 10) {
    motion m = run_pawl(s, tol);
    double error = error_of(m.q, reference->q);
    add_row(t, "Pawl, event", tol, m.seconds, m.steps, error);
    if (error <= 1e-8) {
      return m.seconds;
    }
  }
  return NAN;
}

#ifdef BENCH_SICONOS
/* The first of two steps, halved from 1e-4, with an error of at most 1e-4: a single one may be
 * luck. If there is none, the last: what is asked for takes longer. */
static double siconos_rows(bench_table *t, const motion *reference) {
  double found = NAN, seconds = NAN;
  for (double h = 1e-4; h > 3e-6; h /= 2) {
    double q[3];
    if (!siconos_woodpecker(h, 20 * period, q, &seconds)) {
      printf("SKIPPED: Siconos fails with step %g\n", h);
      return NAN;
    }
    double error = error_of(q, reference->q);
    add_row(t, "Siconos, Moreau", h, seconds, (long)(20 * period / h), error);
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

int main(int argc, char **argv) {
  static const char *const heads[] = {"woodpecker", "tol or step", "ms", "steps", "error"};
  static bench_table t;
  bench_system s;
  bench_init(argc, argv);
  printf("## Woodpecker, 20 periods\n\n");
#ifdef BENCH_SICONOS
  printf("Siconos %s: MoreauJeanOSI on its classes for linear Lagrangian systems, as in its "
         "tutorials;\nits event-driven methods have no friction.\n\n",
         BENCH_SICONOS);
#endif
  bench_open(&s, "woodpecker", NULL);
  bench_table_begin(&t, "toys", 5, heads);
  motion reference = run_pawl(&s, 1e-13);
  double own = pawl_rows(&t, &s, &reference), peer = NAN;
#ifdef BENCH_SICONOS
  peer = siconos_rows(&t, &reference);
#endif
  bench_table_end(&t);
  printf("\n");
  if (!isnan(peer)) {
    bench_target("woodpecker to 1e-8, time over Siconos to 1e-4", own / peer, 0.2, "");
  }
  bench_close(&s);
  return 0;
}
