// SPDX-License-Identifier: MIT
/* One right-hand side: the tape of M, h and J, the whole of pw_mech_rates (tape, factorisation,
 * constraint forces, checks for NaN, rates of the energy ledger), and C written by hand. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "mech/handle.h"
#include "mech/work.h"

#define BENCH_REAL double
#define BENCH_SIN sin
#define BENCH_COS cos
#define BENCH_G 9.81
#define FIELD(name) name
#include "fields.h"
#include "six_links.h"

enum { ROUNDS = 15, STATES = 64, MOST = 2 * BENCH_LINKS };

typedef void field(const double *y, double *dy);

static void two_links(const double *y, double *dy) {
  double_pendulum(0, y, 1, dy);
}

/* Reduced by hand to tilt, heading and spin; the forces of the constraints are m x'', m y''. */
static void disk(const double *y, double *dy) {
  const double R = 0.5;
  double s = sin(y[2]), c = cos(y[2]), sp = sin(y[3]), cp = cos(y[3]);
  double th1 = y[7], ph1 = y[8], w3 = y[9] + ph1 * c;
  double w3_rate = ph1 * th1 * s * 2 / 3;
  double th2 = (ph1 * ph1 * s * c / 4 - 1.5 * w3 * ph1 * s - BENCH_G / R * c) * 4 / 5;
  double ph2 = 2 * (w3 - ph1 * c) * th1 / s;
  memcpy(dy, y + 5, 5 * sizeof *dy);
  double across = th2 * s + th1 * th1 * c + ph1 * w3, along = th1 * s * ph1 - w3_rate;
  dy[5] = R * (across * sp + along * cp);
  dy[6] = R * (along * sp - across * cp);
  dy[7] = th2;
  dy[8] = ph2;
  dy[9] = w3_rate - ph2 * c + ph1 * th1 * s;
}

/* ---- timing ---- */

typedef struct subject {
  const char *name, *model, *links;
  field *hand;
} subject;

typedef struct race {
  const subject *s;
  bench_system open;
  const pw_system *sys;
  pw_mech *mech;
  double y[STATES][MOST], dy[MOST];
  double sum; /* keeps the compiler from leaving out the work */
} race;

static void run_hand(void *ctx) {
  race *r = ctx;
  for (int i = 0; i < STATES; i++) {
    r->s->hand(r->y[i], r->dy);
    r->sum += r->dy[r->sys->nq];
  }
}

static void run_tape(void *ctx) {
  race *r = ctx;
  for (int i = 0; i < STATES; i++) {
    pw_mech_input(r->mech, 0, r->y[i], r->y[i] + r->sys->nq, NULL);
    pw_program_run(r->mech, &r->mech->w->tape.motion);
    r->sum += r->mech->w->tape.motion.out[0];
  }
}

static void rates(race *r, int i) {
  const double *y = r->y[i];
  bench_check(pw_mech_rates(r->mech, 0, y, y + r->sys->nq, NULL), NULL, r->s->name);
}

static void run_rates(void *ctx) {
  race *r = ctx;
  for (int i = 0; i < STATES; i++) {
    rates(r, i);
    r->sum += r->mech->a[0];
  }
}

/* Scattered states without a random generator: fractional parts of multiples of sqrt(2). */
static void scatter(race *r) {
  int nq = r->sys->nq, n = 2 * nq;
  for (int i = 0; i < STATES; i++) {
    double *y = r->y[i];
    for (int k = 0; k < n; k++) {
      y[k] = 0.4 + fmod((i * n + k + 1) * sqrt(2), 1);
    }
    if (r->s->hand == disk) { /* on its constraints */
      double w3 = y[9] + y[8] * cos(y[2]), s = y[7] * sin(y[2]);
      y[5] = 0.5 * (s * sin(y[3]) - w3 * cos(y[3]));
      y[6] = 0.5 * (-s * cos(y[3]) - w3 * sin(y[3]));
    }
  }
}

static void compare(race *r) {
  int n = r->sys->nq;
  for (int i = 0; i < STATES; i++) {
    rates(r, i);
    r->s->hand(r->y[i], r->dy);
    for (int k = 0; k < n; k++) {
      double miss = fabs(r->dy[n + k] - r->mech->a[k]);
      if (!(miss < 1e-10 * (1 + fabs(r->dy[n + k])))) {
        bench_die("%s: acceleration %d is %.17g by hand, %.17g by Pawl", r->s->name, k,
                  r->dy[n + k], r->mech->a[k]);
      }
    }
  }
}

static double race_run(const subject *s, bench_table *table) {
  race *r = calloc(1, sizeof *r);
  if (r == NULL) {
    bench_die("out of memory");
  }
  r->s = s;
  pawl_override links = {"N", s->links};
  pawl_system_opts opts = {.overrides = &links, .n_override = s->links != NULL};
  bench_open(&r->open, s->model, &opts);
  r->sys = r->open.system->sys;
  bench_check(pw_mech_new(r->sys, &r->mech), NULL, s->name);
  scatter(r);
  compare(r);
  double hand = INFINITY, tape = INFINITY, whole = INFINITY;
  for (int i = 0; i < ROUNDS; i++) { /* by turns, so that a busy machine disturbs all alike */
    hand = fmin(hand, bench_best(run_hand, r, 1, 0.004) / STATES);
    tape = fmin(tape, bench_best(run_tape, r, 1, 0.004) / STATES);
    whole = fmin(whole, bench_best(run_rates, r, 1, 0.004) / STATES);
  }
  bench_cell(table, "%s", s->name);
  bench_cell(table, "%d", pw_tape_length(r->sys->tape.motion));
  bench_cell(table, "%.0f", hand * 1e9);
  bench_cell(table, "%.0f", tape * 1e9);
  bench_cell(table, "%.0f", whole * 1e9);
  bench_cell(table, "%.1f", tape / hand);
  bench_cell(table, "%.1f", whole / hand);
  pw_mech_free(r->mech);
  bench_close(&r->open);
  free(r);
  return whole / hand;
}

int main(int argc, char **argv) {
  static const subject subjects[] = {
      {"double pendulum", "n-pendulum", "2", two_links},
      {"pendulum of 6 links", "n-pendulum", "6", six_links},
      {"rolling disk, 2 nonholonomic rows", "rolling-disk", NULL, disk},
  };
  static const char *const heads[] = {
      "model", "tape instructions", "C ns", "tape ns", "whole rhs ns", "tape / C", "whole rhs / C"};
  static bench_table table;
  bench_init(argc, argv);
  printf(
      "## One right-hand side\n\n"
      "The same accelerations (compared first) from C written by hand, from the tape of M, h and\n"
      "J alone, and from all of Pawl's right-hand side: tape, factorisation, constraint forces,\n"
      "checks for NaN, rates of the energy ledger. The C of the disk is reduced to three degrees\n"
      "of freedom with pencil and paper; Pawl solves for five accelerations and two forces.\n\n");
  bench_table_begin(&table, "rhs", 7, heads);
  double first = 0;
  for (int i = 0; i < 3; i++) {
    double ratio = race_run(&subjects[i], &table);
    first = i == 0 ? ratio : first;
  }
  bench_table_end(&table);
  bench_target("right-hand side of the double pendulum / C by hand", first, 8, "");
  return 0;
}
