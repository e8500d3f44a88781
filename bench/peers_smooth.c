// SPDX-License-Identifier: MIT
/* A chain of rods and an elastic ball by engines with fixed steps, by SciPy and by Pawl. Each of
 * them is measured in this run; those that are not installed are left out. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "peers_smooth.h"

static const double ANGLE = 1, CHAIN_TO = 2, BALL_TO = 10, G = 9.81;

typedef struct peer {
  const char *name;
  peer_chain *chain;
  peer_ball *ball;
} peer;

static const peer peers[] = {
#ifdef BENCH_ODE
    {"Open Dynamics Engine", ode_chain, ode_ball},
#endif
#ifdef BENCH_BOX2D
    {"Box2D", box2d_chain, box2d_ball},
#endif
#ifdef BENCH_BULLET
    {"Bullet", bullet_chain, bullet_ball},
#endif
    {NULL, NULL, NULL}};

/* ---- Pawl ---- */

typedef struct result {
  double end[2], seconds;
  long steps;
} result;

/* Values of the outputs, or of the first coordinate if there are none. */
static result by_pawl(const char *model, const char *word, const char *value, double to,
                      double tol) {
  bench_system s;
  pawl_override over = {word, value};
  result r = {.seconds = INFINITY};
  bench_open(&s, model, &(pawl_system_opts){.overrides = &over, .n_override = word != NULL});
  for (int round = 0; round < 5; round++) {
    pawl_sim_opts opts = {.use_span = 1, .to = to, .tol = tol};
    pawl_sim *sim = NULL;
    pawl_stop why = PAWL_AT_EVENT;
    pawl_point p;
    bench_check(pawl_sim_new(s.system, &opts, s.diags, &sim), s.diags, model);
    double begun = bench_now();
    while (why == PAWL_AT_EVENT) {
      bench_check(pawl_sim_advance(sim, to, s.diags, &why), s.diags, model);
    }
    r.seconds = fmin(r.seconds, bench_now() - begun);
    bench_check(pawl_sim_point(sim, PAWL_AFTER, &p), s.diags, model);
    bool shown = pawl_system_outputs(s.system) >= 2;
    r.end[0] = shown ? p.output[0] : p.q[0];
    r.end[1] = shown ? p.output[1] : 0;
    r.steps = pawl_sim_statistics(sim).steps;
    pawl_sim_free(sim);
  }
  bench_close(&s);
  return r;
}

/* ---- tables ---- */

static void row(bench_table *t, const char *task, const char *who, long steps, double error,
                double seconds) {
  bench_cell(t, "%s", task);
  bench_cell(t, "%s", who);
  bench_cell(t, "%ld", steps);
  bench_cell(t, "%.1e", error);
  bench_cell(t, "%.3f", seconds * 1e3);
}

static double apart(const double a[2], const double b[2]) {
  return hypot(a[0] - b[0], a[1] - b[1]);
}

/* A line "seconds steps x y" for each of two tolerances, from bench/peers_smooth_scipy.py. */
static void by_scipy(bench_table *t, const char *task, int n, const double exact[2]) {
  char command[1024], who[64];
  snprintf(
      command, sizeof command,
      "for p in python3 /usr/bin/python3; do $p '%s' %d %.17g %.17g 2>/dev/null && exit; done; "
      "exit 1",
      BENCH_SCIPY, n, ANGLE, CHAIN_TO);
  FILE *out = popen(command, "r");
  double seconds, end[2], tol;
  long steps;
  while (out != NULL &&
         fscanf(out, "%lf %lf %ld %lf %lf", &tol, &seconds, &steps, &end[0], &end[1]) == 5) {
    snprintf(who, sizeof who, "SciPy, DOP853, %.0e", tol);
    row(t, task, who, steps, apart(end, exact), seconds);
  }
  if (out != NULL && pclose(out) != 0) {
    printf("SciPy is not installed.\n\n");
  }
}

static void chain(bench_table *t, int n) {
  static const double steps[] = {1e-3, 1e-4};
  char links[16], task[32], who[64];
  snprintf(links, sizeof links, "%d", n);
  snprintf(task, sizeof task, "chain of %d rods", n);
  result exact = by_pawl("rod-chain", "N", links, CHAIN_TO, 1e-13);
  for (const peer *p = peers; p->name != NULL; p++) {
    for (int k = 0; k < 2; k++) {
      double end[2], seconds;
      p->chain(n, ANGLE, steps[k], CHAIN_TO, end, &seconds);
      snprintf(who, sizeof who, "%s, h = %g", p->name, steps[k]);
      row(t, task, who, lround(CHAIN_TO / steps[k]), apart(end, exact.end), seconds);
    }
  }
  by_scipy(t, task, n, exact.end);
  for (double tol = 1e-4; tol > 1e-10; tol *= 1e-4) {
    result r = by_pawl("rod-chain", "N", links, CHAIN_TO, tol);
    snprintf(who, sizeof who, "Pawl, %.0e", tol);
    row(t, task, who, r.steps, apart(r.end, exact.end), r.seconds);
  }
}

static void ball(bench_table *t) {
  static const double steps[] = {1e-3, 1e-4};
  char who[64];
  double fall = sqrt(2 / G), since = fmod(BALL_TO + fall, 2 * fall);
  double exact = G / 2 * since * (2 * fall - since);
  for (const peer *p = peers; p->name != NULL; p++) {
    for (int k = 0; k < 2; k++) {
      double height, seconds;
      p->ball(steps[k], BALL_TO, &height, &seconds);
      snprintf(who, sizeof who, "%s, h = %g", p->name, steps[k]);
      row(t, "elastic ball", who, lround(BALL_TO / steps[k]), fabs(height - exact), seconds);
    }
  }
  result r = by_pawl("ball", "e", "1", BALL_TO, 1e-8);
  row(t, "elastic ball", "Pawl, 1e-08", r.steps, fabs(r.end[0] - exact), r.seconds);
}

int main(int argc, char **argv) {
  static const char *const heads[] = {"task", "by", "steps", "error, m", "ms"};
  static bench_table table;
  bench_init(argc, argv);
  printf("## Peers on smooth motions and impacts\n\n"
         "A chain of rods on hinges that falls from an angle of 1 rad, 2 s, and an elastic ball\n"
         "dropped from 1 m, 10 s. Errors are those of the free end, or of the ball, at the end of\n"
         "the run: against Pawl with tolerance 1e-13, and against the closed form. Engines with\n"
         "fixed steps are made for many bodies and pictures; Box2D and Bullet compute in single\n"
         "precision here.\n\n");
  bench_table_begin(&table, "peers_smooth", 5, heads);
  chain(&table, 2);
  chain(&table, 20);
  ball(&table);
  bench_table_end(&table);
  return 0;
}
