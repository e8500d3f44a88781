// SPDX-License-Identifier: MIT
/* Many bodies in constraint form: chains, trees and rods in space. One evaluation is the whole of
 * pw_mech_rates: tape, factors, forces. Beside it C written by hand for the chain, whose forces
 * solve a tridiagonal system. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "mech/handle.h"

enum { ROUNDS = 7, TEXT = 600000, MOST = 1000 };

static char text[TEXT];
static size_t length;

static void add(const char *format, ...) {
  va_list args;
  va_start(args, format);
  length += (size_t)vsnprintf(text + length, TEXT - length, format, args);
  va_end(args);
  if (length >= TEXT) {
    bench_die("the model is too long");
  }
}

/* ---- models; bead 1 hangs on the origin ---- */

static double place[MOST + 1][2];

static void beads(int n) {
  length = 0;
  add("coordinates x[1..%d], y[1..%d]\n", n, n);
  add("kinetic T = sum(i in 1..%d: 1/2*(x[i]'^2 + y[i]'^2))\n", n);
  add("potential V = sum(i in 1..%d: 9.81*y[i])\n", n);
  add("constraint first: x[1]^2 + y[1]^2 = 1\n");
}

static void hang(int i, int on, double angle) {
  place[i][0] = place[on][0] + cos(angle);
  place[i][1] = place[on][1] - sin(angle);
  if (on > 0) {
    add("constraint l%d: (x[%d] - x[%d])^2 + (y[%d] - y[%d])^2 = 1\n", i, i, on, i, on);
  }
  add("start x[%d] = %.17g, y[%d] = %.17g\n", i, place[i][0], i, place[i][1]);
}

static void chain(int n) {
  beads(n);
  for (int i = 1; i <= n; i++) {
    hang(i, i - 1, 0.9);
  }
}

static void tree(int n) {
  beads(n);
  for (int i = 1; i <= n; i++) {
    hang(i, i / 2, i % 2 == 0 ? 2.2 : 0.9);
  }
}

static void rods(int n) {
  length = 0;
  for (int i = 1; i <= n; i++) {
    add("body b%d: mass 1, inertia (1/12, 1/12, 1/1000)\n", i);
    add("potential V%d = 9.81*b%d.p[3]\n", i, i);
    add("start b%d.p = (%.1f, 0, 0)\n", i, i - 0.5);
    add("constraint j%d: b%d.p - b%d.R*(1/2, 0, 0) = ", i, i, i);
    if (i == 1) {
      add("(0, 0, 0)\n");
    } else {
      add("b%d.p + b%d.R*(1/2, 0, 0)\n", i - 1, i - 1);
    }
  }
}

/* ---- one evaluation ---- */

typedef struct world {
  pawl_diags *diags;
  pawl_model *model;
  pawl_system *system;
  pw_mech *mech;
} world;

static world open_world(void) {
  world w = {0};
  bench_check(pawl_diags_new(&w.diags), NULL, "diagnostics");
  bench_check(pawl_model_parse(text, length, NULL, w.diags, &w.model), w.diags, "model");
  bench_check(pawl_system_new(w.model, NULL, w.diags, &w.system), w.diags, "system");
  bench_check(pw_mech_new(w.system->sys, &w.mech), w.diags, "mech");
  return w;
}

static void close_world(world *w) {
  pw_mech_free(w->mech);
  pawl_system_free(w->system);
  pawl_model_free(w->model);
  pawl_diags_free(w->diags);
}

static void evaluate(void *ctx) {
  const world *w = ctx;
  const pw_start *s = &w->system->start;
  if (pw_mech_rates(w->mech, s->t, s->q, s->u, s->side) != PAWL_OK) {
    bench_die("no accelerations");
  }
}

/* ---- the chain by hand ---- */

typedef struct hand {
  int n;
  const double *q, *u;
  double a[2 * MOST];
} hand;

/* With d_i = r_i - r_(i-1) and tensions T_i per length, a_i = g - T_i d_i + T_(i+1) d_(i+1), and
 * d_i.(a_i - a_(i-1)) + |d_i'|^2 = 0. */
static void by_hand(void *ctx) {
  hand *h = ctx;
  static double dx[MOST + 1], dy[MOST + 1], diagonal[MOST + 1], off[MOST + 1], r[MOST + 1];
  int n = h->n;
  const double *x = h->q, *y = h->q + n, *vx = h->u, *vy = h->u + n;
  for (int i = 0; i < n; i++) {
    double px = i > 0 ? x[i - 1] : 0, py = i > 0 ? y[i - 1] : 0;
    double wx = vx[i] - (i > 0 ? vx[i - 1] : 0), wy = vy[i] - (i > 0 ? vy[i - 1] : 0);
    dx[i] = x[i] - px;
    dy[i] = y[i] - py;
    diagonal[i] = (i > 0 ? 2 : 1) * (dx[i] * dx[i] + dy[i] * dy[i]);
    off[i] = i > 0 ? -(dx[i] * dx[i - 1] + dy[i] * dy[i - 1]) : 0;
    r[i] = wx * wx + wy * wy + (i > 0 ? 0 : -9.81 * dy[i]);
  }
  for (int i = 1; i < n; i++) {
    double factor = off[i] / diagonal[i - 1];
    diagonal[i] -= factor * off[i];
    r[i] -= factor * r[i - 1];
  }
  for (int i = n - 1; i >= 0; i--) {
    r[i] = (r[i] - (i + 1 < n ? off[i + 1] * r[i + 1] : 0)) / diagonal[i];
  }
  for (int i = 0; i < n; i++) {
    double next = i + 1 < n ? r[i + 1] : 0;
    h->a[i] = -r[i] * dx[i] + next * (i + 1 < n ? dx[i + 1] : 0);
    h->a[n + i] = -9.81 - r[i] * dy[i] + next * (i + 1 < n ? dy[i + 1] : 0);
  }
}

static double time_by_hand(const world *w, int n) {
  static hand h;
  h.n = n;
  h.q = w->system->start.q;
  h.u = w->system->start.u;
  by_hand(&h);
  for (int i = 0; i < 2 * n; i++) {
    if (!(fabs(h.a[i] - w->mech->a[i]) < 1e-8)) {
      bench_die("the two chains differ: %g and %g", h.a[i], w->mech->a[i]);
    }
  }
  return bench_best(by_hand, &h, ROUNDS, 0.01);
}

/* ---- tables ---- */

typedef struct job {
  const char *name;
  void (*write)(int n);
  double us[8];
} job;

static const int sizes[] = {20, 40, 80, 160, 320, 640, 1000};
enum { SIZES = sizeof sizes / sizeof *sizes };

/* Slope of a straight line through the logarithms. */
static double power_of(const double *us) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (int i = 0; i < SIZES; i++) {
    double x = log(sizes[i]), y = log(us[i]);
    sx += x;
    sy += y;
    sxx += x * x;
    sxy += x * y;
  }
  return (SIZES * sxy - sx * sy) / (SIZES * sxx - sx * sx);
}

static void table_of(job *jobs, int count) {
  static const char *const heads[] = {
      "system", "N", "velocities", "rows", "compile ms", "us/evaluation", "us by hand", "ratio"};
  static bench_table table;
  bench_table_begin(&table, "scale", 8, heads);
  for (int k = 0; k < count; k++) {
    for (int i = 0; i < SIZES; i++) {
      int n = sizes[i];
      jobs[k].write(n);
      double begin = bench_now();
      world w = open_world();
      double compiled = bench_now() - begin, us, own = 0;
      evaluate(&w);
      us = jobs[k].us[i] = 1e6 * bench_best(evaluate, &w, ROUNDS, 0.01);
      own = k == 0 ? 1e6 * time_by_hand(&w, n) : 0;
      bench_cell(&table, "%s", jobs[k].name);
      bench_cell(&table, "%d", n);
      bench_cell(&table, "%d", w.system->sys->nv);
      bench_cell(&table, "%d", w.system->sys->nc);
      bench_cell(&table, "%.1f", 1e3 * compiled);
      bench_cell(&table, "%.1f", us);
      bench_cell(&table, own > 0 ? "%.2f" : "-", own);
      bench_cell(&table, own > 0 ? "%.1f" : "-", us / own);
      close_world(&w);
    }
  }
  bench_table_end(&table);
}

static double run_rods(void) {
  rods(40);
  add("run 0..0.5, tol 1e-9\n");
  world w = open_world();
  pawl_sim *sim = NULL;
  bench_check(pawl_sim_new(w.system, NULL, w.diags, &sim), w.diags, "sim");
  double begin = bench_now();
  pawl_stop why = PAWL_AT_EVENT;
  while (why == PAWL_AT_EVENT) {
    bench_check(pawl_sim_advance(sim, 0.5, w.diags, &why), w.diags, "advance");
  }
  double seconds = bench_now() - begin;
  pawl_sim_free(sim);
  close_world(&w);
  return seconds;
}

int main(int argc, char **argv) {
  job jobs[] = {{.name = "chain", .write = chain},
                {.name = "tree", .write = tree},
                {.name = "rods in space", .write = rods}};
  bench_init(argc, argv);
  printf("## Many bodies\n\n"
         "Beads on links in the plane, as a chain and as a binary tree, and rods in space on ball\n"
         "joints, all in constraint form. An evaluation gives all accelerations and forces. The\n"
         "C by hand knows that it is a chain, and that the forces solve a tridiagonal system.\n\n");
  table_of(jobs, 3);
  double seconds = run_rods();
  printf("40 rods in space, 0.5 s at tolerance 1e-9: %.2f s\n\n", seconds);
  bench_target("many bodies: power of N in the time of an evaluation, chain, 20 to 1000",
               power_of(jobs[0].us), 1.15, "");
  bench_target("many bodies: power of N in the time of an evaluation, tree, 20 to 1000",
               power_of(jobs[1].us), 1.15, "");
  bench_target("many bodies: chain of 160, one evaluation", jobs[0].us[3], 60, "us");
  bench_target("many bodies: 40 rods in space, 0.5 s", seconds, 2, "s");
  return 0;
}
