// SPDX-License-Identifier: MIT
/* Many bodies and contacts: whole runs, files and certificate included, each in a process of its
 * own whose processor time and memory are counted. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"

typedef struct job {
  const char *name, *what;
  double limit;  /* seconds, or microseconds per event */
  int per_event; /* the limit is per event */
} job;

typedef struct cost {
  double seconds, megabytes;
  long events;
} cost;

static long run(const char *name, const char *folder) {
  pawl_diags *diags = NULL;
  pawl_model *model = NULL;
  pawl_run *r = NULL;
  char path[1024], dir[1024];
  snprintf(path, sizeof path, "%s/%s.pawl", BENCH_MODELS, name);
  snprintf(dir, sizeof dir, "%s/many.out", folder);
  pawl_run_opts opts = {.dir = dir};
  bench_check(pawl_diags_new(&diags), NULL, "diagnostics");
  bench_check(pawl_model_load(path, diags, &model), diags, path);
  bench_check(pawl_run_new(model, &opts, diags, &r), diags, "run");
  bench_check(pawl_run_go(r, diags), diags, "go");
  long events = pawl_run_result_get(r).events;
  pawl_run_free(r);
  pawl_model_free(model);
  pawl_diags_free(diags);
  return events;
}

/* Of this process. */
static cost own_cost(long events) {
  struct rusage use;
  getrusage(RUSAGE_SELF, &use);
  return (cost){.seconds = (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
                           1e-6 * (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec),
                .megabytes = (double)use.ru_maxrss / 1024,
                .events = events};
}

static cost measure(const char *name, const char *folder) {
  int to[2], status = 1;
  cost c;
  if (pipe(to) != 0) {
    bench_die("no pipe");
  }
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    c = own_cost(run(name, folder));
    _exit(write(to[1], &c, sizeof c) == (ssize_t)sizeof c ? 0 : 1);
  }
  close(to[1]);
  if (child < 0 || read(to[0], &c, sizeof c) != (ssize_t)sizeof c ||
      waitpid(child, &status, 0) != child || status != 0) {
    bench_die("%s does not run", name);
  }
  close(to[0]);
  return c;
}

static double per_event(cost c) {
  return 1e6 * c.seconds / (double)(c.events > 0 ? c.events : 1);
}

int main(int argc, char **argv) {
  static const job jobs[] = {{"many-blocks", "20 planar blocks at rest", 0.2, 0},
                             {"many-boxes", "12 boxes land flat", 1, 0},
                             {"many-balls", "100 balls that rub on floors of their own", 60, 1},
                             {"many-dominoes", "12 dominoes", 2, 0},
                             {"many-chain", "chain of 40 beads on a table", 3, 0},
                             {"many-disks", "8 disks settle in a box", 3, 0},
                             {"many-cradle-50", "cradle of 50 balls", 0, 0},
                             {"many-cradle-200", "cradle of 200 balls", 0, 0}};
  static const char *const heads[] = {"run", "seconds", "events", "us/event", "MB"};
  enum { N = sizeof jobs / sizeof *jobs };
  static bench_table table;
  cost cost_of[N];
  bench_init(argc, argv);
  printf("## Many contacts\n\n"
         "Whole runs as `pawl run` does them, with all files and the certificate.\n\n");
  bench_table_begin(&table, "many", 5, heads);
  for (int i = 0; i < N; i++) {
    cost c = cost_of[i] = measure(jobs[i].name, argv[1]);
    bench_cell(&table, "%s", jobs[i].what);
    bench_cell(&table, "%.2f", c.seconds);
    bench_cell(&table, "%ld", c.events);
    bench_cell(&table, "%.0f", per_event(c));
    bench_cell(&table, "%.0f", c.megabytes);
  }
  bench_table_end(&table);
  char what[100];
  for (int i = 0; i < N; i++) {
    snprintf(what, sizeof what, "many contacts: %s", jobs[i].what);
    if (jobs[i].limit > 0) {
      bench_target(what, jobs[i].per_event ? per_event(cost_of[i]) : cost_of[i].seconds,
                   jobs[i].limit, jobs[i].per_event ? "us/event" : "s");
    }
  }
  bench_target("many contacts: power of N in the time per event of a cradle, 50 to 200 balls",
               log(per_event(cost_of[N - 1]) / per_event(cost_of[N - 2])) / log(4), 1.5, "");
  bench_target("many contacts: 12 boxes", cost_of[1].megabytes, 20, "MB");
  bench_target("many contacts: 100 balls, for each", 1024 * cost_of[2].megabytes / 100, 100, "kB");
  return 0;
}
