// SPDX-License-Identifier: MIT
/* `pawl past`: what can have led to the start. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "cli.h"

static const char help[] =
    "usage: pawl past M.pawl [NAME=VALUE ...] [--depth N] [--json]\n\n"
    "The tree of pasts of the start: every acceleration that the laws admit before it, every\n"
    "impact that could have led to its velocities, and along each back to the instant before.\n\n"
    "  --depth N     instants to go back through (default 2)\n"
    "  --realise NAME=HOW   another realisation of a constraint, as for `pawl run`\n"
    "  --json        the result as one JSON object\n";

enum { DEPTH, JSON, REALISE, N_OPTIONS };
static const cli_option options[N_OPTIONS] = {
    {"depth", 0, true}, {"json", 0, false}, {"realise", 0, CLI_MANY}};

static void print_numbers(const pawl_system *system, const double *x, const char *mark) {
  for (int i = 0; i < pawl_system_velocities(system); i++) {
    printf("%s%s%s = %.9g", i == 0 ? "" : ", ", pawl_velocity_name(system, i), mark, x[i]);
  }
}

static void print_pasts(const pawl_system *system, const pawl_past *past, int parent, int indent) {
  for (int i = parent + 1; i < pawl_past_count(past); i++) {
    pawl_past_info x = pawl_past_get(past, i);
    if (x.parent != parent) {
      continue;
    }
    printf("%*st = %-12.9g ", indent, "", x.t);
    if (x.impact) {
      printf("impact at %s, before it ", x.law);
      print_numbers(system, x.u, "");
    } else {
      print_numbers(system, x.acceleration, "'");
      if (x.law[0] != '\0') {
        printf("  (%s %s)", x.law, x.how);
      }
      if (x.followed) {
        printf("  since t = %.9g%s", x.since, x.ends ? "" : " and before");
      }
    }
    printf("\n");
    print_pasts(system, past, i, indent + 2);
  }
}

static int show(const pawl_system *system, const pawl_past *past, const cli_args *args) {
  if (args->value[JSON] != NULL) {
    return cli_written(pawl_past_json(past, cli_to_stream, stdout));
  }
  print_pasts(system, past, -1, 0);
  if (pawl_past_count(past) == 0) {
    printf("no motion leads here\n");
  }
  printf("complete     %s%s\n", pawl_past_complete(past) ? "yes" : "no; ", pawl_past_why(past));
  return CLI_DONE;
}

static int past_of(const cli_args *args, const cli_changes *changes) {
  pawl_diags *diags = cli_diags();
  pawl_model *model = NULL;
  pawl_system *system = NULL;
  pawl_past *past = NULL;
  int64_t depth = 0;
  int shown = 0;
  if (args->value[DEPTH] != NULL &&
      (!cli_count(args->value[DEPTH], &depth) || depth < 1 || depth > 100)) {
    pawl_diags_free(diags);
    return cli_usage_error("past", "--depth takes a number from 1 to 100, not `%s`",
                           args->value[DEPTH]);
  }
  pawl_system_opts opts = {.overrides = changes->items, .n_override = changes->n};
  pawl_status status = cli_load(args->words[0], diags, &model);
  if (model != NULL) {
    status = pawl_system_new(model, &opts, diags, &system);
  }
  if (status == PAWL_OK) {
    status = pawl_past_new(system, &(pawl_past_opts){.depth = (int)depth}, diags, &past);
  }
  cli_show(diags, args, &shown);
  int code = status == PAWL_OK ? show(system, past, args) : cli_fail(status, diags);
  pawl_past_free(past);
  pawl_system_free(system);
  pawl_model_free(model);
  pawl_diags_free(diags);
  return code;
}

int cmd_past(int argc, char **argv) {
  const cli_spec spec = {"past", help, options, N_OPTIONS, 1, -1, "the model", NULL};
  return cli_on_model(&spec, argc, argv, past_of);
}
