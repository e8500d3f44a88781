// SPDX-License-Identifier: MIT
/* Whole motions of small systems: Pawl against C written for each of them, with the same method and
 * at the same error. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench.h"
#include "race_hand.h"

enum { ROUNDS = 9, RUNGS = 60 };

typedef struct subject {
  const char *name, *model, *word, *value; /* word = value in the model */
  double to, limit;
  int n, first, count; /* of y by hand; components of it that are compared */
  double y[HAND_MOST];
  hand_motion *hand;
  double bracket; /* the ratio that was first measured, before anything was done */
} subject;

typedef struct race {
  const subject *s;
  bench_system open;
  double tol, hand_tol;
  double y[HAND_MOST], reference[HAND_MOST];
  long steps, events, hand_steps, hand_events;
} race;

static void by_hand(race *r, double tol) {
  memcpy(r->y, r->s->y, sizeof r->y);
  r->hand_events = 0;
  r->hand_steps = r->s->hand(r->s->to, tol, r->y, &r->hand_events);
}

static void by_pawl(race *r, pawl_sim *sim) {
  pawl_stop why = PAWL_AT_EVENT;
  while (why == PAWL_AT_EVENT) {
    bench_check(pawl_sim_advance(sim, r->s->to, r->open.diags, &why), r->open.diags, r->s->name);
  }
}

static pawl_sim *new_sim(const race *r) {
  pawl_sim_opts opts = {.use_span = 1,
                        .to = r->s->to,
                        .tol = r->tol,
                        .method = PAWL_METHOD_DP5,
                        .validate = PAWL_VALIDATE_OFF};
  pawl_sim *sim;
  bench_check(pawl_sim_new(r->open.system, &opts, r->open.diags, &sim), r->open.diags, r->s->name);
  return sim;
}

static double time_pawl(race *r) {
  pawl_sim *sim = new_sim(r);
  double begun = bench_now();
  by_pawl(r, sim);
  double took = bench_now() - begun;
  pawl_point p;
  bench_check(pawl_sim_point(sim, PAWL_AFTER, &p), r->open.diags, r->s->name);
  int nq = pawl_system_positions(r->open.system);
  memcpy(r->y, p.q, (size_t)nq * sizeof *p.q);
  memcpy(r->y + nq, p.u, (size_t)(r->s->n - nq) * sizeof *p.u);
  pawl_sim_stats stats = pawl_sim_statistics(sim);
  r->steps = stats.steps + stats.rejected;
  r->events = stats.events;
  pawl_sim_free(sim);
  return took;
}

static double time_hand(race *r) {
  double begun = bench_now();
  by_hand(r, r->hand_tol);
  return bench_now() - begun;
}

/* The run of the driver, with validation and certificate. */
static double time_whole(race *r) {
  pawl_override over = {r->s->word, r->s->value};
  pawl_run_opts opts = {
      .overrides = &over,
      .n_override = r->s->word != NULL,
      .every = r->s->to / 10,
      .sim = {.use_span = 1, .to = r->s->to, .tol = r->tol, .method = PAWL_METHOD_DP5}};
  pawl_run *run = NULL;
  bench_check(pawl_run_new(r->open.model, &opts, r->open.diags, &run), r->open.diags, r->s->name);
  double begun = bench_now();
  bench_check(pawl_run_go(run, r->open.diags), r->open.diags, r->s->name);
  double took = bench_now() - begun;
  pawl_run_free(run);
  return took;
}

/* An elastic ball dropped from 1 m, by the time since its last impact. */
static double ball_height(double t) {
  double fall = sqrt(2 / 9.81), since = fmod(t + fall, 2 * fall);
  return 9.81 / 2 * since * (2 * fall - since);
}

static double error_of(const race *r) {
  double worst = 0;
  for (int i = r->s->first; i < r->s->first + r->s->count; i++) {
    worst = fmax(worst, fabs(r->y[i] - r->reference[i]));
  }
  return worst;
}

/* The largest tolerance with which the C is not less exact than Pawl was. */
static double match(race *r, double error) {
  double tol = 100 * r->tol;
  for (int i = 0; i < RUNGS; i++) {
    by_hand(r, tol);
    if (error_of(r) <= error) {
      break;
    }
    tol /= 1.25;
  }
  return tol;
}

static void race_run(const subject *s, bench_table *table) {
  static race all;
  race *r = &all;
  *r = (race){.s = s, .tol = 1e-9};
  pawl_override over = {s->word, s->value};
  bench_open(&r->open, s->model,
             &(pawl_system_opts){.overrides = &over, .n_override = s->word != NULL});
  by_hand(r, 1e-13);
  memcpy(r->reference, r->y, sizeof r->y);
  r->reference[0] = s->hand == hand_ball ? ball_height(s->to) : r->y[0];
  (void)time_pawl(r);
  double error = error_of(r), pawl = INFINITY, hand = INFINITY, whole = INFINITY;
  r->hand_tol = match(r, error);
  double hand_error = error_of(r);
  for (int i = 0; i < ROUNDS; i++) { /* by turns, so that a busy machine disturbs all alike */
    pawl = fmin(pawl, time_pawl(r));
    hand = fmin(hand, time_hand(r));
    whole = fmin(whole, time_whole(r));
  }
  bench_cell(table, "%s", s->name);
  bench_cell(table, "%ld", r->steps);
  bench_cell(table, "%ld", r->hand_steps);
  bench_cell(table, "%ld", r->events);
  bench_cell(table, "%.1e", error);
  bench_cell(table, "%.1e", hand_error);
  bench_cell(table, "%.3f", pawl * 1e3);
  bench_cell(table, "%.3f", hand * 1e3);
  bench_cell(table, "%.1f", s->bracket);
  bench_cell(table, "%.2f", pawl / hand);
  bench_cell(table, "%.2f", whole / hand);
  char what[100];
  snprintf(what, sizeof what, "%s: time / C by hand at the same error", s->name);
  bench_target(what, pawl / hand, s->limit, "");
  bench_close(&r->open);
}

int main(int argc, char **argv) {
  static const double deg = 3.14159265358979323846 / 180;
  const subject subjects[] = {
      {"double pendulum",
       "n-pendulum",
       "N",
       "2",
       100,
       1.3,
       4,
       0,
       2,
       {31 * deg, 32 * deg},
       hand_double_pendulum,
       5.9},
      {"pendulum of 6 links",
       "n-pendulum",
       "N",
       "6",
       10,
       1.3,
       12,
       0,
       6,
       {31 * deg, 32 * deg, 33 * deg, 34 * deg, 35 * deg, 36 * deg},
       hand_six_links,
       3.8},
      {"free body",
       "race-body",
       NULL,
       NULL,
       200,
       2,
       7,
       0,
       4,
       {1, 0, 0, 0, 1.2, 0.1, 0.9},
       hand_body,
       3.9},
      {"ball", "ball", "e", "1", 1000, 2, 2, 0, 1, {1}, hand_ball, 13},
      {"pendulum with a stop", "stop-pendulum", "e", "1", 200, 2, 2, 0, 1, {1}, hand_stop, 10},
      {"stick-slip on a belt", "race-belt", NULL, NULL, 400, 2, 2, 0, 1, {0, 0.2}, hand_belt, 8}};
  static const char *const heads[] = {"motion",
                                      "steps",
                                      "C steps",
                                      "events",
                                      "error",
                                      "C error",
                                      "ms",
                                      "C ms",
                                      "first ratio",
                                      "ratio now",
                                      "with validation, certificate"};
  static bench_table table;
  bench_init(argc, argv);
  printf(
      "## Small systems\n\n"
      "Whole motions at tolerance 1e-9 by Dormand and Prince's method of order 5, against C that\n"
      "was written for each of them with the same method: its tolerance is the largest with which\n"
      "it is not less exact. Pawl without validation and certificate, and with both.\n\n");
  bench_table_begin(&table, "race", 11, heads);
  for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++) {
    race_run(&subjects[i], &table);
  }
  bench_table_end(&table);
  return 0;
}
