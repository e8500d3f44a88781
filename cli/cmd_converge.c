// SPDX-License-Identifier: MIT
/* `pawl converge`: errors and orders of the methods. */
#include <string.h>

#include "study_table.h"

static const char help[] =
    "usage: pawl converge M.pawl [NAME=VALUE ...] [-t A..B] [--method M] [--by tol|step] "
    "[--json]\n\n"
    "Motions of a model by every method that takes it, at smaller and smaller tolerances or\n"
    "steps, against one at the smallest tolerance that can be reached; a table for each method\n"
    "with errors and the fitted order. Positions: the largest error at 400 times, in parts of\n"
    "the range of each; velocities: the mean error, because those that jump are off for a\n"
    "moment near an impact.\n\n"
    "  -t, --time A..B   time span (default: that of the run statement)\n"
    "  --method M        one method only\n"
    "  --by tol|step     what varies from row to row (default: the step of methods with steps of "
    "one\n"
    "                    size, else the tolerance, and the order is that in the mean step)\n"
    "  --json            print the result as one JSON object\n";

enum { SPAN, METHOD, BY, JSON, N_OPTIONS };
static const cli_option options[N_OPTIONS] = {
    {"time", 't', true}, {"method", 0, true}, {"by", 0, true}, {"json", 0, false}};

static pawl_status make(const pawl_model *model, const void *payload, const pawl_study_opts *opts,
                        pawl_diags *diags, pawl_study **out) {
  (void)payload;
  return pawl_converge_new(model, opts, diags, out);
}

static int read_method(const char *text, pawl_study_opts *opts) {
  if (text == NULL) {
    return -1;
  }
  const char *name;
  for (int i = 0; (name = pawl_method_name((pawl_method)i)) != NULL; i++) {
    if (strcmp(name, text) == 0) {
      opts->method = (pawl_method)i;
      opts->one_method = 1;
      return -1;
    }
  }
  char legal[160];
  pawl_option_legal(pawl_option_find("method"), legal, sizeof legal);
  return cli_usage_error("converge", "--method needs %s, not `%s`", legal, text);
}

static int read_by(const char *text, pawl_study_opts *opts) {
  if (text == NULL) {
    return -1;
  }
  opts->by = strcmp(text, "tol") == 0 ? PAWL_BY_TOL : PAWL_BY_STEP;
  bool known = opts->by == PAWL_BY_TOL || strcmp(text, "step") == 0;
  return known ? -1 : cli_usage_error("converge", "--by needs `tol` or `step`, not `%s`", text);
}

static int run(const cli_args *args, const cli_changes *changes) {
  pawl_study_opts opts = {.overrides = changes->items, .n_override = changes->n};
  int code = study_span("converge", args->value[SPAN], &opts);
  code = code < 0 ? read_method(args->value[METHOD], &opts) : code;
  code = code < 0 ? read_by(args->value[BY], &opts) : code;
  return code >= 0 ? code
                   : study_run(args, args->value[JSON] != NULL, args->words[0], &opts, make, NULL);
}

int cmd_converge(int argc, char **argv) {
  const cli_spec spec = {"converge", help, options, N_OPTIONS, 1, -1, "the MODEL file", NULL};
  return cli_on_model(&spec, argc, argv, run);
}
