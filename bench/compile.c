// SPDX-License-Identifier: MIT
/* From model text in memory to a running system: pawl_model_parse, pawl_system_new, pawl_sim_new,
 * for planar pendulums of n links in angles. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "mech/handle.h"

static const int links[] = {1, 2, 4, 8, 16, 24, 32, 40};
enum { CASES = sizeof links / sizeof links[0], ROUNDS = 5 };

typedef struct stages {
  double parse, system, sim, whole; /* seconds */
  int instructions;
} stages;

static stages once(const char *text, size_t size, int n) {
  char value[16];
  snprintf(value, sizeof value, "%d", n);
  pawl_override over = {"N", value};
  pawl_system_opts opts = {.overrides = &over, .n_override = 1};
  pawl_sim_opts sim_opts = {0};
  pawl_diags *diags;
  pawl_model *model;
  pawl_system *system;
  pawl_sim *sim;
  stages s;
  bench_check(pawl_diags_new(&diags), NULL, "diagnostics");
  double t0 = bench_now();
  bench_check(pawl_model_parse(text, size, NULL, diags, &model), diags, "parse");
  double t1 = bench_now();
  bench_check(pawl_system_new(model, &opts, diags, &system), diags, "system");
  double t2 = bench_now();
  bench_check(pawl_sim_new(system, &sim_opts, diags, &sim), diags, "sim");
  double t3 = bench_now();
  s = (stages){t1 - t0, t2 - t1, t3 - t2, t3 - t0, pw_tape_length(system->sys->tape.motion)};
  if (pawl_system_positions(system) != n) {
    bench_die("%d links were asked for, %d came", n, pawl_system_positions(system));
  }
  pawl_sim_free(sim);
  pawl_system_free(system);
  pawl_model_free(model);
  pawl_diags_free(diags);
  return s;
}

/* Slope of the least-squares line through (log n, log t). */
static double slope(const stages *s, int from, int count) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (int i = from; i < from + count; i++) {
    double x = log(links[i]), y = log(s[i].whole);
    sx += x;
    sy += y;
    sxx += x * x;
    sxy += x * y;
  }
  return (count * sxy - sx * sy) / (count * sxx - sx * sx);
}

int main(int argc, char **argv) {
  static const char *const heads[] = {"n",      "parse ms", "system ms",         "sim ms",
                                      "all ms", "growth",   "tape instructions", "per n^2"};
  static bench_table table;
  bench_init(argc, argv);
  size_t size;
  char *text = bench_text("n-pendulum", &size);
  stages best[CASES];
  printf("## From model text to running system\n\n"
         "Planar pendulum of n links in angles, one text for every n. Least of %d runs. Growth is\n"
         "the exponent from one row to the next.\n\n",
         ROUNDS);
  bench_table_begin(&table, "compile", 8, heads);
  for (int i = 0; i < CASES; i++) {
    best[i] = once(text, size, links[i]);
    for (int k = 1; k < ROUNDS; k++) {
      stages s = once(text, size, links[i]);
      best[i] = s.whole < best[i].whole ? s : best[i];
    }
    const stages *s = &best[i];
    bench_cell(&table, "%d", links[i]);
    bench_cell(&table, "%.3f", s->parse * 1e3);
    bench_cell(&table, "%.3f", s->system * 1e3);
    bench_cell(&table, "%.3f", s->sim * 1e3);
    bench_cell(&table, "%.3f", s->whole * 1e3);
    if (i == 0) {
      bench_cell(&table, "-");
    } else {
      bench_cell(&table, "%.2f", slope(best, i - 1, 2));
    }
    bench_cell(&table, "%d", s->instructions);
    bench_cell(&table, "%.1f", s->instructions / (double)(links[i] * links[i]));
  }
  bench_table_end(&table);
  int at8 = 3, last = CASES - 1;
  double growth = slope(best, at8, CASES - at8);
  printf("Growth from n = %d to n = %d (least squares): n^%.2f\n\n", links[at8], links[last],
         growth);
  bench_target("text to running system, n = 8", best[at8].whole * 1e3, 20, "ms");
  bench_target("text to running system, n = 40", best[last].whole * 1e3, 500, "ms");
  bench_target("growth exponent from n = 8 to n = 40", growth, 2.5, "");
  free(text);
  return 0;
}
