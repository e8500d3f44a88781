// SPDX-License-Identifier: MIT
/* `pawl vary`: variations of the action of a motion. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli.h"

static const char help[] =
    "usage: pawl vary DIR|M.pawl [NAME=VALUE ...] [--by \"x: EXPR, ...\"] [--shift EXPR]\n"
    "                 [--columns FILE.csv] [--ends free] [-t A..B] [--json]\n\n"
    "Variations of the action of a motion that `pawl run` has written to DIR, or of a model:\n"
    "-delta s by differences of actions and by reactions and jumps, and whether Hamilton's and\n"
    "Hoelder's principles hold. A weak variation displaces positions by w(t); a strong one also\n"
    "shifts the time by tau(t).\n\n"
    "  --by \"x: EXPR, y: EXPR\"   your own w(t), functions of t and the model's parameters\n"
    "  --shift EXPR    your own tau(t)\n"
    "  --columns FILE.csv   a table with the columns t,w,...; --by and --shift may use w(t)\n"
    "  --ends free     variations need not vanish at the ends; shows momenta and energy there\n"
    "  -t, --time A..B only this part of the motion\n"
    "  --json          the result as one JSON object\n"
    "exit code 4: a weak variation shows that this is not a motion of the model\n";

enum { BY, SHIFT, COLUMNS, ENDS, TIME, JSON, N_OPTIONS };
static const cli_option options[N_OPTIONS] = {{"by", 0, true},      {"shift", 0, true},
                                              {"columns", 0, true}, {"ends", 0, true},
                                              {"time", 't', true},  {"json", 0, false}};

static const char *holds_text(const pawl_lab_family *f) {
  return f->holds < 0   ? "not allowed by the constraints"
         : f->holds > 0 ? "holds"
         : f->at_end    ? "free ends: not stationary"
                        : "FAILS";
}

/* Digits far below the tolerance are errors of sums. */
static double seen(double value, double tolerance) {
  double grid = tolerance / 10;
  return grid > 0 && isfinite(value) ? grid * round(value / grid) + 0.0 : value;
}

static void print_family(const char *name, const pawl_lab_family *f) {
  printf("%-12s %13.6g %13.6g %11.3g  %s 0  %-7s %s\n", name, seen(f->value, f->tolerance),
         seen(f->by_formula, f->tolerance), f->tolerance, f->equality ? "= " : ">=", holds_text(f),
         f->along);
}

/* Of one kind: how many, and the one that is nearest to failing. */
static void print_kind(const pawl_lab *lab, const char *kind, bool at_end, const char *label) {
  int n = 0, fail = 0, worst = -1;
  double least = INFINITY;
  for (int i = 0; i < pawl_lab_families(lab); i++) {
    pawl_lab_family f = pawl_lab_family_get(lab, i);
    if (strcmp(f.kind, kind) != 0 || (f.at_end != 0) != at_end || f.holds < 0) {
      continue;
    }
    double value = fmin(f.value, f.by_formula);
    value = (f.equality ? -fmax(fabs(f.value), fabs(f.by_formula)) : value) / f.tolerance;
    n++;
    fail += f.holds == 0;
    if (worst < 0 || value < least) {
      least = value;
      worst = i;
    }
  }
  if (worst >= 0) {
    pawl_lab_family f = pawl_lab_family_get(lab, worst);
    print_family(label, &f);
    printf("%-12s %d of %d hold; %s\n", "", n - fail, n, f.principle);
  }
}

static void print_ends(const pawl_lab *lab) {
  for (int end = 0; end < 2; end++) {
    const double *p = pawl_lab_momentum(lab, end);
    char name[200];
    printf("%-12s", end == 0 ? "start" : "end");
    pawl_lab_name(lab, 0, name, sizeof name);
    for (int i = 0; name[0] != '\0'; i++, pawl_lab_name(lab, i, name, sizeof name)) {
      printf(" p(%s) = %.6g", name, p[i]);
    }
    printf("  H = %.6g\n", pawl_lab_energy(lab, end));
  }
}

static void print_lab(const pawl_lab *lab, bool free_ends) {
  pawl_lab_info info = pawl_lab_info_get(lab);
  printf("motion       %g .. %g s, %" PRId64 " steps, %" PRId64 " corner%s\n", info.from, info.to,
         info.steps, info.corners, info.corners == 1 ? "" : "s");
  printf("action       %.9g\n", info.action);
  printf("%-12s %13s %13s %11s\n", "", "-delta s", "by formula", "tolerance");
  for (int i = 0; i < pawl_lab_families(lab); i++) {
    pawl_lab_family f = pawl_lab_family_get(lab, i);
    if (strcmp(f.kind, "user") == 0) {
      print_family("user", &f);
    }
  }
  print_kind(lab, "weak", false, "weak");
  print_kind(lab, "strong", false, "strong");
  if (free_ends) {
    print_kind(lab, "weak", true, "weak, end");
    print_kind(lab, "strong", true, "strong, end");
    print_ends(lab);
  }

  pawl_lab_family worst = pawl_lab_worst(lab);
  if (worst.kind[0] != '\0') {
    print_family("worst", &worst);
    printf("%-12s found between %.6g and %.6g s\n", "", worst.from, worst.to);
  }
  printf("norms        weak %.6g, strong %.6g  (of %s)\n", info.weak_norm, info.strong_norm,
         info.user_holds >= -1 && pawl_lab_families(lab) > 0 &&
                 strcmp(pawl_lab_family_get(lab, 0).kind, "user") == 0
             ? "your variation"
             : "the worst");

  for (int i = 0; i < pawl_lab_conserved_count(lab); i++) {
    pawl_lab_conserved c = pawl_lab_conserved_get(lab, i);
    printf("conserved    %s = %.9g, up to %.1e\n", c.text, c.start, c.drift);
  }
  printf("principle    %s\n", !info.weak_holds ? "weak FAILS: this is not a motion of the model"
                              : info.strong_holds
                                  ? "strong: stationary also if the time is varied"
                                  : "weak: the energy jumps, so the time may not be varied");
}

static int show(const pawl_lab *lab, const cli_args *args) {
  int code = CLI_DONE;
  if (args->value[JSON] != NULL) {
    code = cli_written(pawl_lab_json(lab, cli_to_stream, stdout));
  } else if (!args->quiet) {
    print_lab(lab, args->value[ENDS] != NULL);
  }
  return code == CLI_DONE && !pawl_lab_info_get(lab).weak_holds ? CLI_EXPECT : code;
}

static bool is_folder(const char *path) {
  struct stat s;
  return stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

/* The model of a results folder, and its motion. */
static pawl_status from_folder(const char *dir, const pawl_lab_opts *opts, pawl_diags *diags,
                               pawl_lab **out) {
  size_t size = strlen(dir) + sizeof "/model.pawl";
  char *path = cli_enough(malloc(size));
  pawl_model *model = NULL;
  pawl_system *system = NULL;
  snprintf(path, size, "%s/model.pawl", dir);
  pawl_status status = cli_load(path, diags, &model);
  if (status == PAWL_OK) {
    status = pawl_system_new(model, NULL, diags, &system);
  }
  if (status == PAWL_OK) {
    status = pawl_lab_new(system, dir, opts, diags, out);
  }
  pawl_system_free(system);
  pawl_model_free(model);
  free(path);
  return status;
}

static pawl_status from_model(const char *path, const cli_changes *changes,
                              const pawl_lab_opts *opts, pawl_diags *diags, pawl_lab **out) {
  pawl_model *model = NULL;
  pawl_run_opts run = {.overrides = changes->items, .n_override = changes->n};
  pawl_status status = cli_load(path, diags, &model);
  if (status == PAWL_OK) {
    status = pawl_lab_run(model, &run, opts, diags, out);
  }
  pawl_model_free(model);
  return status;
}

static int vary(const cli_args *args, const cli_changes *changes) {
  pawl_lab_opts opts = {.by = args->value[BY], .shift = args->value[SHIFT]};
  const char *ends = args->value[ENDS], *span = args->value[TIME];
  bool folder = is_folder(args->words[0]);
  if (ends != NULL && strcmp(ends, "free") != 0) {
    return cli_usage_error("vary", "--ends takes `free`, not `%s`", ends);
  }
  if (folder && changes->n > 0) {
    return cli_usage_error("vary", "the motion in a folder is there already: no `%s=`",
                           changes->items[0].name);
  }

  opts.free_ends = ends != NULL;
  if (span != NULL) {
    opts.use_span = 1;
    if (!cli_span(span, &opts.from, &opts.to) || !(opts.from < opts.to)) {
      return cli_usage_error("vary", "-t needs a span such as 0..2.5, not `%s`", span);
    }
  }
  cli_text columns = {0};
  if (args->value[COLUMNS] != NULL && !cli_read(args->value[COLUMNS], &columns)) {
    return CLI_FILE;
  }
  opts.columns = columns.bytes;

  pawl_diags *diags = cli_diags();
  pawl_lab *lab = NULL;
  int shown = 0;
  pawl_status status = folder ? from_folder(args->words[0], &opts, diags, &lab)
                              : from_model(args->words[0], changes, &opts, diags, &lab);
  cli_show(diags, args, &shown);
  int code = status == PAWL_OK ? show(lab, args) : cli_fail(status, diags);
  pawl_lab_free(lab);
  pawl_diags_free(diags);
  free(columns.bytes);
  return code;
}

int cmd_vary(int argc, char **argv) {
  const cli_spec spec = {"vary", help, options, N_OPTIONS, 1, -1, "the results folder or model",
                         NULL};
  return cli_on_model(&spec, argc, argv, vary);
}
