// SPDX-License-Identifier: MIT
/* `pawl realise`: ways to realise a constraint, and how fast they go to the ideal one. */
#include <stdlib.h>
#include <string.h>

#include "study_table.h"

static const char help[] =
    "usage: pawl realise M.pawl LAW [NAME=VALUE ...] [-t A..B] [--json]\n\n"
    "Motions with the constraint LAW realised by viscosity, by springs, by dry friction across\n"
    "it and by servos, against the motion with the ideal constraint: a table for each way with\n"
    "errors, and the fitted order in 1/N or 1/K. Coefficients follow from force, speed and path "
    "of\n"
    "the ideal motion.\n\n"
    "  -t, --time A..B   time span (default: that of the run statement)\n"
    "  --json            print the result as one JSON object\n";

enum { SPAN, JSON, N_OPTIONS };
static const cli_option options[N_OPTIONS] = {{"time", 't', true}, {"json", 0, false}};

static pawl_status make(const pawl_model *model, const void *law, const pawl_study_opts *opts,
                        pawl_diags *diags, pawl_study **out) {
  return pawl_realise_new(model, law, opts, diags, out);
}

int cmd_realise(int argc, char **argv) {
  const cli_spec spec = {"realise", help, options, N_OPTIONS, 2, -1, "the MODEL file and the LAW",
                         NULL};
  cli_args args;
  cli_changes changes = {0};
  int code = cli_parse(&spec, argc, argv, &args);
  if (code >= 0) {
    return code;
  }
  cli_args values = args; /* NAME=VALUE words stand behind the law */
  values.words = args.words + 1;
  values.n_word = args.n_word - 1;
  code = cli_overrides("realise", &values, &changes);
  pawl_study_opts opts = {.overrides = changes.items, .n_override = changes.n};
  code = code < 0 ? study_span("realise", args.value[SPAN], &opts) : code;
  if (code < 0) {
    code = study_run(&args, args.value[JSON] != NULL, args.words[0], &opts, make, args.words[1]);
  }
  cli_changes_free(&changes);
  return code;
}
