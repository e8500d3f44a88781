// SPDX-License-Identifier: MIT
#include "share.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

enum { SHOWN = 12, ROUNDS = 20, MOST = BENCH_ROWS };

typedef struct job {
  const pawl_model *model;
  pawl_diags *diags;
  char dir[1024];
  const bench_share *part;
  int without;
  long rows;
  int counts;
} job;

static void run(void *ctx) {
  job *j = ctx;
  pawl_run_opts opts = {.dir = j->dir, .force = 1}; /* one that was killed is no hindrance */
  j->part->set(&opts, !j->without);
  pawl_run *r = NULL;
  bench_check(pawl_run_new(j->model, &opts, j->diags, &r), j->diags, "run");
  bench_check(pawl_run_go(r, j->diags), j->diags, "go");
  j->rows = pawl_run_result_get(r).rows;
  j->counts = j->part->counts == NULL || j->part->counts(r);
  pawl_run_free(r);
}

typedef struct cost {
  char name[BENCH_CELL];
  long rows;
  double with, without, share;
} cost;

static int dearer(const void *a, const void *b) {
  double x = ((const cost *)a)->share, y = ((const cost *)b)->share;
  return (x < y) - (x > y);
}

/* In turns, so that both see the same machine. False: this run does not count. */
static int measure(const bench_share *part, const char *path, const char *folder, cost *out) {
  job j = {.part = part};
  pawl_model *model = NULL;
  double time[2] = {1e9, 1e9};
  snprintf(j.dir, sizeof j.dir, "%s/share.out", folder);
  bench_check(pawl_diags_new(&j.diags), NULL, "diagnostics");
  bench_check(pawl_model_load(path, j.diags, &model), j.diags, path);
  j.model = model;
  run(&j);
  for (int round = 0; j.counts && round < 2 * ROUNDS; round++) {
    j.without = round % 2;
    double t = bench_best(run, &j, 1, 0.008);
    time[round % 2] = t < time[round % 2] ? t : time[round % 2];
    j.counts = 1;
  }
  const char *name = strrchr(path, '/');
  snprintf(out->name, sizeof out->name, "%.*s", (int)strcspn(name + 1, "."), name + 1);
  out->rows = j.rows;
  out->with = time[0];
  out->without = time[1];
  out->share = 1 - time[1] / time[0]; /* of the processor time of the run */
  pawl_model_free(model);
  pawl_diags_free(j.diags);
  return j.counts;
}

static void print(const bench_share *part, const cost *all, int n) {
  static const char *const heads[] = {"example", "rows",   "ms without",
                                      "ms with", "us/row", "share"};
  static bench_table table;
  printf("## %s\n\n%s The dearest of %d; half of them are below %.0f %%.\n\n", part->title,
         part->text, n, 100 * all[n / 2].share);
  bench_table_begin(&table, part->name, 6, heads);
  table.shown = SHOWN;
  for (int i = 0; i < n; i++) {
    bench_cell(&table, "%s", all[i].name);
    bench_cell(&table, "%ld", all[i].rows);
    bench_cell(&table, "%.2f", all[i].without * 1e3);
    bench_cell(&table, "%.2f", all[i].with * 1e3);
    bench_cell(&table, "%.2f", (all[i].with - all[i].without) * 1e6 / (double)all[i].rows);
    bench_cell(&table, "%.1f %%", 100 * all[i].share);
  }
  bench_table_end(&table);
}

/* All examples, or those named after the folder. */
static int is_asked_for(int argc, char **argv, const char *path) {
  const char *name = strrchr(path, '/') + 1;
  int asked = argc == 2;
  for (int i = 2; i < argc && !asked; i++) {
    asked = strlen(argv[i]) == strcspn(name, ".") && strncmp(name, argv[i], strlen(argv[i])) == 0;
  }
  return asked;
}

int bench_shares(int argc, char **argv, const bench_share *part) {
  static cost all[MOST];
  glob_t found;
  int n = 0;
  bench_init(argc, argv);
  if (glob(BENCH_MODELS "/../../examples/*.pawl", 0, NULL, &found) != 0) {
    bench_die("there are no examples");
  }
  for (size_t i = 0; i < found.gl_pathc && n < MOST; i++) {
    if (is_asked_for(argc, argv, found.gl_pathv[i])) {
      n += measure(part, found.gl_pathv[i], argv[1], &all[n]);
    }
  }
  globfree(&found);
  if (n == 0) {
    bench_die("none of the examples counts");
  }
  qsort(all, (size_t)n, sizeof *all, dearer);
  print(part, all, n);
  bench_target(part->target, all[0].share, part->limit, "");
  return 0;
}
