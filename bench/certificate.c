// SPDX-License-Identifier: MIT
/* What the certificate costs: whole runs of all examples, files included, with and without it. */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

enum { SHOWN = 12, ROUNDS = 12, MOST = 400 };

typedef struct job {
  const pawl_model *model;
  pawl_diags *diags;
  char dir[1024];
  int no_certificate;
  long rows;
  int checked;
} job;

static void run(void *ctx) {
  job *j = ctx;
  pawl_run_opts opts = {.dir = j->dir, .no_certificate = j->no_certificate};
  pawl_run *r = NULL;
  bench_check(pawl_run_new(j->model, &opts, j->diags, &r), j->diags, "run");
  bench_check(pawl_run_go(r, j->diags), j->diags, "go");
  j->rows = pawl_run_result_get(r).rows;
  j->checked = pawl_run_certificate(r).verdict != PAWL_NOT_CHECKED;
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

/* In turns, so that both see the same machine. False: this run has no certificate. */
static int measure(const char *path, const char *folder, cost *out) {
  job j = {0};
  pawl_model *model = NULL;
  double time[2] = {1e9, 1e9};
  snprintf(j.dir, sizeof j.dir, "%s/certificate.out", folder);
  bench_check(pawl_diags_new(&j.diags), NULL, "diagnostics");
  bench_check(pawl_model_load(path, j.diags, &model), j.diags, path);
  j.model = model;
  run(&j);
  for (int round = 0; j.checked && round < 2 * ROUNDS; round++) {
    j.no_certificate = round % 2;
    double t = bench_best(run, &j, 1, 0.008);
    time[round % 2] = t < time[round % 2] ? t : time[round % 2];
    j.checked = 1;
  }
  const char *name = strrchr(path, '/');
  snprintf(out->name, sizeof out->name, "%.*s", (int)strcspn(name + 1, "."), name + 1);
  out->rows = j.rows;
  out->with = time[0];
  out->without = time[1];
  out->share = time[0] / time[1] - 1;
  pawl_model_free(model);
  pawl_diags_free(j.diags);
  return j.checked;
}

static void print(const cost *all, int n) {
  static const char *const heads[] = {"example", "rows",   "ms without",
                                      "ms with", "us/row", "share"};
  static bench_table table;
  printf(
      "## Certificates\n\n"
      "Runs of all examples as `pawl run` does them, at default output and with all files, with\n"
      "and without `--certify=off`: processor time within one process, in turns, and what the\n"
      "certificate adds to the run without it. The dearest of %d; half of them are below %.0f "
      "%%.\n\n",
      n, 100 * all[n / 2].share);
  bench_table_begin(&table, "certificate", 6, heads);
  for (int i = 0; i < n && i < SHOWN; i++) {
    bench_cell(&table, "%s", all[i].name);
    bench_cell(&table, "%ld", all[i].rows);
    bench_cell(&table, "%.2f", all[i].without * 1e3);
    bench_cell(&table, "%.2f", all[i].with * 1e3);
    bench_cell(&table, "%.2f", (all[i].with - all[i].without) * 1e6 / (double)all[i].rows);
    bench_cell(&table, "%.0f %%", 100 * all[i].share);
  }
  bench_table_end(&table);
}

int main(int argc, char **argv) {
  static cost all[MOST];
  glob_t found;
  int n = 0;
  bench_init(argc, argv);
  if (glob(BENCH_MODELS "/../../examples/*.pawl", 0, NULL, &found) != 0) {
    bench_die("there are no examples");
  }
  for (size_t i = 0; i < found.gl_pathc && n < MOST; i++) {
    n += measure(found.gl_pathv[i], argv[1], &all[n]);
  }
  globfree(&found);
  qsort(all, (size_t)n, sizeof *all, dearer);
  print(all, n);
  bench_target("certificate: largest share of a run at default output", all[0].share, 0.2, "");
  return 0;
}
