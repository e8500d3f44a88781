// SPDX-License-Identifier: MIT
/* Contacts: a bouncing ball to rest against Siconos and the closed form, the cost of an impact, the
 * growth with the number of simultaneous contacts, and allocations. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "alloc_wrap.h"
#include "bench.h"
#ifdef BENCH_SICONOS
#include "contact_siconos.h"
#endif

enum { MOST = 30000, REPEATS = 30 };
static const double g = 9.81;

typedef struct bounce {
  double seconds;       /* of advancing, least over the repeats */
  long instants, steps; /* instants with an impact */
  long before_rest;     /* of them, before the first rest event */
  double rest;          /* its time; NAN: none */
  double time[MOST];    /* of the instants */
  double y, rate;       /* worst errors between impacts against the closed form */
  long allocations;     /* while advancing */
} bounce;

/* ---- the ball, closed form ---- */

static double impact_time(double e, long k) { /* k = 0: the first */
  double first = sqrt(2 / g);
  return e == 1 ? first * (double)(2 * k + 1)
                : first * (1 + 2 * e * (1 - pow(e, (double)k)) / (1 - e));
}

static double rest_time(double e) {
  return sqrt(2 / g) * (1 + e) / (1 - e);
}

/* Position and velocity at t, given the number of impacts so far. */
static void exact(double e, double t, long k, double *y, double *v) {
  if (t >= rest_time(e)) {
    *y = *v = 0;
  } else if (k == 0) {
    *y = 1 - g / 2 * t * t;
    *v = -g * t;
  } else {
    double since = t - impact_time(e, k - 1), v0 = sqrt(2 * g) * pow(e, (double)k);
    *y = v0 * since - g / 2 * since * since;
    *v = v0 - g * since;
  }
}

static long impacts_before(double e, double t) {
  double x = 1 - (t / sqrt(2 / g) - 1) * (1 - e) / (2 * e);
  return t < sqrt(2 / g) ? 0 : x <= 0 ? MOST : 1 + (long)floor(log(x) / log(e));
}

/* ---- runs ---- */

static bool advance(pawl_sim *sim, double target, const bench_system *s, bounce *b) {
  pawl_stop why;
  bench_check(pawl_sim_advance(sim, target, s->diags, &why), s->diags, "advance");
  if (why != PAWL_AT_EVENT) {
    return false;
  }
  pawl_event e = pawl_sim_event(sim, 0);
  if (e.kind[0] == 'i') {
    if (b->instants < MOST) {
      b->time[b->instants] = e.t;
    }
    b->instants++;
  } else if (strcmp(e.kind, "rest") == 0 && isnan(b->rest)) {
    b->rest = e.t;
    b->before_rest = b->instants;
  }
  return true;
}

static void once(const bench_system *s, const pawl_sim_opts *opts, bounce *b) {
  pawl_sim *sim;
  double least = b->seconds;
  b->instants = b->before_rest = 0;
  b->rest = NAN;
  bench_check(pawl_sim_new(s->system, opts, s->diags, &sim), s->diags, "sim");
  long before = alloc_calls();
  double start = bench_now();
  while (advance(sim, opts->to, s, b)) {
  }
  double took = bench_now() - start;
  b->allocations = alloc_calls() - before;
  b->seconds = took < least ? took : least;
  b->steps = pawl_sim_statistics(sim).steps;
  pawl_sim_free(sim);
}

/* The least time of as many runs as fit into a second, at most REPEATS. */
static void measure(const bench_system *s, double span, double max_step, bounce *b) {
  pawl_sim_opts opts = {.use_span = 1, .to = span, .max_step = max_step};
  double begun = bench_now();
  b->seconds = INFINITY;
  for (int i = 0; i < REPEATS && (i == 0 || bench_now() - begun < 1); i++) {
    once(s, &opts, b);
  }
}

static void compare_at(pawl_sim *sim, const bench_system *s, double e, double t, bounce *b) {
  static bounce unused;
  pawl_point p;
  double y, v;
  while (advance(sim, t, s, &unused)) {
  }
  bench_check(pawl_sim_point(sim, PAWL_AFTER, &p), s->diags, "point");
  exact(e, t, impacts_before(e, t), &y, &v);
  b->y = fmax(b->y, fabs(p.q[0] - y));
  if (impacts_before(e, t - 1e-9) == impacts_before(e, t + 1e-9) || t > rest_time(e)) {
    b->rate = fmax(b->rate, fabs(p.u[0] - v));
  }
}

/* Deviation from the closed form at 2000 points, and at 200 among the impacts that are left out;
 * velocities not within 1e-9 s of an impact. */
static void compare(const bench_system *s, double e, double span, bounce *b) {
  pawl_sim_opts opts = {.use_span = 1, .to = span};
  pawl_sim *sim;
  bench_check(pawl_sim_new(s->system, &opts, s->diags, &sim), s->diags, "sim");
  b->y = b->rate = 0;
  double last = b->time[b->instants > 0 && b->instants <= MOST ? b->instants - 1 : 0];
  double end = rest_time(e), t = 0;
  for (int i = 1; i <= 2000; i++) {
    double next = span * i / 2000;
    for (int k = 1; k < 200 && t < end && next > end && last < end; k++) {
      double from = fmax(last, t);
      compare_at(sim, s, e, from + (end - from) * k / 200, b);
    }
    compare_at(sim, s, e, next, b);
    t = next;
  }
  pawl_sim_free(sim);
}

static void open_ball(bench_system *s, const char *e, const char *low) {
  pawl_override over[] = {{"e", e}, {"low", low}};
  bench_open(s, "ball", &(pawl_system_opts){.overrides = over, .n_override = 2});
}

static double worst_time(double e, const double *time, long n) {
  double worst = 0;
  for (long k = 0; k < n && k < MOST; k++) {
    worst = fmax(worst, fabs(time[k] - impact_time(e, k)));
  }
  return worst;
}

/* ---- the ball to rest ---- */

static void peer(bench_table *table, double pawl_seconds) {
#ifdef BENCH_SICONOS
  static siconos_ball ball;
  double least = INFINITY;
  for (int i = 0; i < REPEATS; i++) {
    if (!siconos_ball_run(0.9, 9, &ball)) {
      printf("SKIPPED: Siconos failed on the ball\n\n");
      return;
    }
    least = fmin(least, ball.seconds);
  }
  long kept = ball.impacts < 100 ? ball.impacts : 100; /* later ones are below its resolution */
  bench_cell(table, "Siconos " BENCH_SICONOS);
  bench_cell(table, "0.9");
  bench_cell(table, "9");
  bench_cell(table, "%d", ball.impacts);
  bench_cell(table, "%.1e", worst_time(0.9, ball.time, kept));
  bench_cell(table, "-");
  bench_cell(table, "%.1e", fabs(ball.y));
  bench_cell(table, "%.1e", fabs(ball.rate));
  bench_cell(table, "%.2f", least * 1e3);
  bench_target("ball to rest e = 0.9: time / event-driven Siconos", pawl_seconds / least, 1.0 / 3,
               "");
#else
  (void)table;
  (void)pawl_seconds;
#endif
}

static void rest_row(bench_table *table, const char *text, double e, double span, long limit,
                     bounce *b) {
  bench_system s;
  char what[120];
  open_ball(&s, text, "0");
  measure(&s, span, 0, b);
  compare(&s, e, span, b);
  double off = worst_time(e, b->time, b->instants);
  bench_cell(table, "Pawl");
  bench_cell(table, "%s", text);
  bench_cell(table, "%g", span);
  bench_cell(table, "%ld", b->before_rest);
  bench_cell(table, "%.1e", off);
  bench_cell(table, "%.1e", fabs(b->rest - rest_time(e)));
  bench_cell(table, "%.1e", b->y);
  bench_cell(table, "%.1e", b->rate);
  bench_cell(table, "%.2f", b->seconds * 1e3);
  if (limit > 0) {
    snprintf(what, sizeof what, "ball to rest e = %s: impacts before rest", text);
    bench_target(what, isnan(b->rest) ? INFINITY : (double)b->before_rest, (double)limit, "");
    snprintf(what, sizeof what, "ball to rest e = %s: error of the position", text);
    bench_target(what, b->y, 1e-9, "m");
    snprintf(what, sizeof what, "ball to rest e = %s: error of the velocity", text);
    bench_target(what, b->rate, 1e-9 * 2 * sqrt(2 * g), "m/s");
  } else {
    bench_target("ball to rest e = 0.9: error of the impact times", off, 1e-11, "s");
  }
  bench_close(&s);
}

static void to_rest(bounce *b) {
  static const char *const heads[] = {"program", "e",    "span, s", "impacts", "impact times, s",
                                      "rest, s", "y, m", "y', m/s", "ms"};
  static bench_table table;
  printf(
      "## Bouncing ball to rest\n\n"
      "Dropped from 1 m. Largest errors against the closed form: of the impact times, of the "
      "limit\n"
      "of their accumulation, of position and velocity at 2000 instants (Siconos: at the end; its\n"
      "first 100 impacts). Time of the run without setting up; no output but events.\n\n");
#ifndef BENCH_SICONOS
  printf("SKIPPED: Siconos is not here; only Pawl's own figures follow.\n\n");
#endif
  bench_table_begin(&table, "contact-rest", 9, heads);
  rest_row(&table, "0.9", 0.9, 9, 0, b);
  bench_target("allocations while the ball bounces and comes to rest", (double)b->allocations, 0,
               "");
  peer(&table, b->seconds);
  rest_row(&table, "0.98", 0.98, 50, 1100, b);
  rest_row(&table, "0.99", 0.99, 100, 2200, b);
  rest_row(&table, "0.999", 0.999, 1000, 20000, b);
  bench_table_end(&table);
}

/* ---- the cost of an impact ---- */

typedef struct cost {
  double impact, flight; /* microseconds for each instant */
  long instants, steps, allocations;
} cost;

/* The same number of steps of the same length in free flight: the floor far below. */
static cost cost_of(bench_system *bouncing, bench_system *falling, double span, bounce *b) {
  measure(bouncing, span, 0, b);
  cost c = {.instants = b->instants, .steps = b->steps, .allocations = b->allocations};
  double all = b->seconds;
  measure(falling, span, span / (double)b->steps, b);
  c.flight = b->seconds * 1e6 / (double)c.instants;
  c.impact = (all - b->seconds) * 1e6 / (double)c.instants;
  return c;
}

static void one_contact(bounce *b) {
  static const char *const heads[] = {"impacts", "steps", "flight, us", "impact, us"};
  static bench_table table;
  bench_system bouncing, falling;
  open_ball(&bouncing, "1", "0");
  open_ball(&falling, "1", "-1e9");
  cost c = cost_of(&bouncing, &falling, 1000, b);
  printf(
      "## Cost of an impact\n\n"
      "An elastic ball for 1000 s. \"flight\": time between two impacts, as that of a free fall\n"
      "in equally many steps; \"impact\": the rest.\n\n");
  bench_table_begin(&table, "contact-impact", 4, heads);
  bench_cell(&table, "%ld", c.instants);
  bench_cell(&table, "%ld", c.steps);
  bench_cell(&table, "%.2f", c.flight);
  bench_cell(&table, "%.2f", c.impact);
  bench_table_end(&table);
  bench_target("cost of an impact above the flight", c.impact, 2, "us");
  bench_target("allocations while the elastic ball bounces", (double)c.allocations, 0, "");
  bench_close(&bouncing);
  bench_close(&falling);
}

static void open_landing(bench_system *s, int n, const char *low) {
  char text[16];
  snprintf(text, sizeof text, "%d", n);
  pawl_override over[] = {{"N", text}, {"low", low}};
  bench_open(s, "landing", &(pawl_system_opts){.overrides = over, .n_override = 2});
}

static void many_contacts(bounce *b) {
  static const char *const heads[] = {"contacts",   "instants",   "steps",
                                      "flight, us", "impact, us", "impact, us / contact"};
  static const int sizes[] = {1, 2, 5, 10, 20, 35, 50};
  static bench_table table;
  double before = 0, growth = 0;
  int smaller = 0;
  printf("## Simultaneous contacts\n\n"
         "N masses with coupled inertia land on a floor at one instant, again and again (elastic,\n"
         "100 s). Times for each such instant.\n\n");
  bench_table_begin(&table, "contact-many", 6, heads);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    bench_system bouncing, falling;
    open_landing(&bouncing, sizes[i], "0");
    open_landing(&falling, sizes[i], "-1e9");
    cost c = cost_of(&bouncing, &falling, 100, b);
    bench_cell(&table, "%d", sizes[i]);
    bench_cell(&table, "%ld", c.instants);
    bench_cell(&table, "%ld", c.steps);
    bench_cell(&table, "%.1f", c.flight);
    bench_cell(&table, "%.1f", c.impact);
    bench_cell(&table, "%.2f", c.impact / sizes[i]);
    if (sizes[i] == 10) {
      before = c.impact;
      smaller = sizes[i];
    }
    growth = smaller > 0 && c.impact > 0 && before > 0
                 ? log(c.impact / before) / log((double)sizes[i] / smaller)
                 : NAN;
    bench_close(&bouncing);
    bench_close(&falling);
  }
  bench_table_end(&table);
  bench_target("simultaneous contacts: growth exponent from 10 to 50", growth, 3, "");
}

int main(int argc, char **argv) {
  static bounce b;
  bench_init(argc, argv);
  to_rest(&b);
  one_contact(&b);
  many_contacts(&b);
  return 0;
}
