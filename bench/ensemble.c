// SPDX-License-Identifier: MIT
/* Sweeps: an ensemble of pendulums with a stop by one and by two threads, what of it is not the
 * motion, and the memory of a long table. Threads are measured by the wall clock: this means little
 * while other programs run. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "bench.h"

enum { MEMBERS = 4000, LONG_TABLE = 1000000, ROUNDS = 3 };

static double wall(void) {
  struct timespec now;
  return clock_gettime(CLOCK_MONOTONIC, &now) == 0 ? (double)now.tv_sec + 1e-9 * (double)now.tv_nsec
                                                   : 0;
}

static int swallow(void *payload, const char *bytes, unsigned long count) {
  unsigned long *sum = payload;
  for (unsigned long i = 0; i < count; i++) {
    *sum = *sum * 31 + (unsigned char)bytes[i];
  }
  return 0;
}

typedef struct sweeping {
  double wall, processor; /* seconds */
  unsigned long sum;      /* of the bytes of the table */
} sweeping;

static sweeping once(const bench_system *s, const char *design, int threads, int certified,
                     double to) {
  sweeping r = {0};
  pawl_sweep *sweep = NULL;
  pawl_sweep_opts opts = {.vary = &design,
                          .n_vary = 1,
                          .threads = threads,
                          .sink = swallow,
                          .payload = &r.sum,
                          .run = {.no_certificate = !certified}};
  if (to > 0) {
    opts.run.sim = (pawl_sim_opts){.use_span = 1, .from = 0, .to = to};
  }
  bench_check(pawl_sweep_new(s->model, &opts, s->diags, &sweep), s->diags, "sweep");
  double begun = wall(), used = bench_now();
  bench_check(pawl_sweep_go(sweep, s->diags), s->diags, "members");
  r.wall = wall() - begun;
  r.processor = bench_now() - used;
  pawl_sweep_free(sweep);
  return r;
}

static sweeping best_of(const bench_system *s, const char *design, int threads, int certified,
                        double to) {
  sweeping best = once(s, design, threads, certified, to);
  for (int i = 1; i < ROUNDS; i++) {
    sweeping r = once(s, design, threads, certified, to);
    if (r.sum != best.sum) {
      bench_die("two sweeps of one design differ");
    }
    best.wall = r.wall < best.wall ? r.wall : best.wall;
    best.processor = r.processor < best.processor ? r.processor : best.processor;
  }
  return best;
}

static void row(bench_table *t, const char *what, long members, const sweeping *r) {
  bench_cell(t, "%s", what);
  bench_cell(t, "%ld", members);
  bench_cell(t, "%.1f", r->processor / (double)members * 1e6);
  bench_cell(t, "%.0f", (double)members / r->wall);
}

int main(int argc, char **argv) {
  static const char *const heads[] = {"sweep", "members", "us of processor each", "members/s"};
  static bench_table table;
  char design[64], long_design[64];
  bench_system s;
  bench_init(argc, argv);
  bench_open(&s, "stop-pendulum", NULL);
  snprintf(design, sizeof design, "a=0.05:0.6:%d", MEMBERS);
  snprintf(long_design, sizeof long_design, "a=0.05:0.6:%d", LONG_TABLE);
  printf(
      "## Sweeps\n\n"
      "Pendulums with a stop, 10 s at tolerance 1e-8, over the place of the stop. Every member is\n"
      "compiled with its values: a run of 1 us is what that costs. Threads by the wall clock.\n\n");
  bench_table_begin(&table, "ensemble", 4, heads);
  sweeping one = best_of(&s, design, 1, 0, 0), two = best_of(&s, design, 2, 0, 0);
  sweeping certified = best_of(&s, design, 1, 1, 0), nothing = best_of(&s, design, 1, 0, 1e-6);
  row(&table, "one thread", MEMBERS, &one);
  row(&table, "two threads", MEMBERS, &two);
  row(&table, "with certificates", MEMBERS, &certified);
  row(&table, "1 us each", MEMBERS, &nothing);
  sweeping many = once(&s, long_design, 2, 0, 1e-6);
  row(&table, "1 us each, a long table", LONG_TABLE, &many);
  bench_table_end(&table);
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  if (one.sum != two.sum) {
    bench_die("the table depends on the number of threads");
  }
  printf("Two threads: %.2f times one by the wall clock, %.2f of its processor time.\n\n",
         one.wall / two.wall, two.processor / one.processor);
  bench_target("sweep, wall time of two threads in that of one", two.wall / one.wall, 1 / 1.9, "");
  bench_target("sweep, processor time of two threads in that of one", two.processor / one.processor,
               1.1, "");
  bench_target("sweep, memory", (double)usage.ru_maxrss / 1e3, 200, "MB");
  bench_close(&s);
  return 0;
}
