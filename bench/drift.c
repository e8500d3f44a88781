// SPDX-License-Identifier: MIT
/* Energy drift of a double pendulum with large swings: 100 s at the default and other tolerances.
 */
#include <math.h>
#include <stdio.h>

#include "bench.h"

typedef struct drift {
  double worst, scale, seconds;
  pawl_sim_stats stats;
} drift;

static drift run(const bench_system *s, double tol, pawl_method method) {
  pawl_sim_opts opts = {.tol = tol, .method = method};
  pawl_sim *sim;
  pawl_energy e;
  drift d = {0};
  bench_check(pawl_sim_new(s->system, &opts, s->diags, &sim), s->diags, "sim");
  double start = bench_now();
  for (int i = 1; i <= 1000; i++) {
    pawl_stop why;
    bench_check(pawl_sim_advance(sim, 0.1 * i, s->diags, &why), s->diags, "advance");
    bench_check(pawl_sim_energy(sim, &e, NULL), s->diags, "energy");
    d.worst = fmax(d.worst, fabs(e.kinetic + e.potential - e.start));
    d.scale = e.scale;
  }
  d.seconds = bench_now() - start;
  d.stats = pawl_sim_statistics(sim);
  pawl_sim_free(sim);
  return d;
}

int main(int argc, char **argv) {
  static const char *const heads[] = {"tolerance", "method",    "steps", "rejected",
                                      "rhs calls", "us / step", "ms",    "drift"};
  static const double tols[] = {0, 1e-6, 1e-9, 1e-11, 1e-13};
  static bench_table table;
  bench_system s;
  bench_init(argc, argv);
  bench_open(&s, "double-pendulum", NULL);
  printf("## Energy drift\n\n"
         "Double pendulum released from the horizontal, 100 s: largest |T + V - start| at 1000\n"
         "instants, relative to the largest T + |V - V(start)|.\n\n");
  bench_table_begin(&table, "drift", 8, heads);
  for (int i = 0; i < 5; i++) {
    drift d = run(&s, tols[i], PAWL_METHOD_AUTO);
    bench_cell(&table, i == 0 ? "%.0e (default)" : "%.0e", d.stats.tol);
    bench_cell(&table, "%s", d.stats.method == PAWL_METHOD_DOP853 ? "dop853" : "dp5");
    bench_cell(&table, "%ld", d.stats.steps);
    bench_cell(&table, "%ld", d.stats.rejected);
    bench_cell(&table, "%ld", d.stats.evaluations);
    bench_cell(&table, "%.2f", d.seconds * 1e6 / (double)d.stats.steps);
    bench_cell(&table, "%.1f", d.seconds * 1e3);
    bench_cell(&table, "%.1e", d.worst / d.scale);
    if (i == 0) {
      bench_target("energy drift of the double pendulum, 100 s, default tolerance",
                   d.worst / d.scale, 1e-7, "");
    }
  }
  bench_table_end(&table);
  bench_close(&s);
  return 0;
}
