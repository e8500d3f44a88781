// SPDX-License-Identifier: MIT
/* What the certificate costs: whole runs of examples, files included, with and without it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

typedef struct job {
  const pawl_model *model;
  pawl_diags *diags;
  char dir[1024];
  int no_certificate;
  long rows;
} job;

static void run(void *ctx) {
  job *j = ctx;
  pawl_run_opts opts = {.dir = j->dir, .no_certificate = j->no_certificate};
  pawl_run *r = NULL;
  bench_check(pawl_run_new(j->model, &opts, j->diags, &r), j->diags, "run");
  bench_check(pawl_run_go(r, j->diags), j->diags, "go");
  j->rows = pawl_run_result_get(r).rows;
  pawl_run_free(r);
}

static const struct {
  const char *name, *kind;
} examples[] = {{"double-pendulum", "smooth"},
                {"slider-crank", "equalities"},
                {"bouncing-ball", "impacts"},
                {"belt-stribeck", "dry friction"},
                {"woodpecker", "contacts with friction"},
                {"spring-with-play", "spring with play"},
                {"sleigh-one-sided", "one-sided velocity"},
                {"chain-on-table", "many contacts"}};

int main(int argc, char **argv) {
  static const char *const heads[] = {"example", "kind",   "rows", "ms without",
                                      "ms with", "us/row", "share"};
  static bench_table table;
  bench_init(argc, argv);
  printf(
      "## Certificates\n\n"
      "Runs of examples as `pawl run` does them, at default output and with all files, with and\n"
      "without `--certify=off`: processor time, and what the certificate adds to the run "
      "without.\n\n");
  bench_table_begin(&table, "certificate", 7, heads);
  double worst = 0;
  for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
    job j = {0};
    char path[1200];
    pawl_model *model = NULL;
    bench_check(pawl_diags_new(&j.diags), NULL, "diagnostics");
    snprintf(j.dir, sizeof j.dir, "%s/certificate.out", argv[1]);
    snprintf(path, sizeof path, BENCH_MODELS "/../../examples/%s.pawl", examples[i].name);
    bench_check(pawl_model_load(path, j.diags, &model), j.diags, path);
    j.model = model;
    double time[2] = {1e9, 1e9};
    for (int round = 0; round < 6; round++) { /* in turns, so that both see the same machine */
      for (j.no_certificate = 0; j.no_certificate < 2; j.no_certificate++) {
        double t = bench_best(run, &j, 1, 0.05);
        time[j.no_certificate] = t < time[j.no_certificate] ? t : time[j.no_certificate];
      }
    }
    double share = time[0] / time[1] - 1;
    worst = share > worst ? share : worst;
    bench_cell(&table, "%s", examples[i].name);
    bench_cell(&table, "%s", examples[i].kind);
    bench_cell(&table, "%ld", j.rows);
    bench_cell(&table, "%.2f", time[1] * 1e3);
    bench_cell(&table, "%.2f", time[0] * 1e3);
    bench_cell(&table, "%.2f", (time[0] - time[1]) * 1e6 / (double)j.rows);
    bench_cell(&table, "%.0f %%", 100 * share);
    pawl_model_free(model);
    pawl_diags_free(j.diags);
  }
  bench_table_end(&table);
  bench_target("certificate: largest share of a run at default output", worst, 0.2, "");
  return 0;
}
