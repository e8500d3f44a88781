// SPDX-License-Identifier: MIT
/* `pawl dump`: a stage between model text and numbers. */
#include "cli.h"

static const char help[] = "usage: pawl dump M.pawl --tokens|--ast|--dag|--system|--tape\n\n"
                           "Shows one stage of the compilation, for bug reports.\n";

enum { TOKENS, AST, DAG, SYSTEM, TAPE, N_OPTIONS };
static const cli_option options[N_OPTIONS] = {{"tokens", 0, false},
                                              {"ast", 0, false},
                                              {"dag", 0, false},
                                              {"system", 0, false},
                                              {"tape", 0, false}};

static pawl_status dump(const char *path, int stage, pawl_diags *diags) {
  static const pawl_stage stages[] = {PAWL_TOKENS, PAWL_AST, PAWL_DAG, PAWL_SYSTEM, PAWL_TAPE};
  pawl_model *model = NULL;
  pawl_system *system = NULL;
  pawl_status status = cli_load(path, diags, &model);
  if (status == PAWL_OK && (stage == TOKENS || stage == AST)) {
    status = pawl_model_dump(model, stages[stage], cli_to_stream, stdout);
  } else if (model != NULL) {
    status = pawl_system_new(model, &(pawl_system_opts){0}, diags, &system);
    status =
        status == PAWL_OK ? pawl_system_dump(system, stages[stage], cli_to_stream, stdout) : status;
  }
  pawl_system_free(system);
  pawl_model_free(model);
  return status;
}

int cmd_dump(int argc, char **argv) {
  const cli_spec spec = {"dump", help, options, N_OPTIONS, 1, 1, "the MODEL file", NULL};
  cli_args args;
  int code = cli_parse(&spec, argc, argv, &args);
  if (code >= 0) {
    return code;
  }
  int stage = -1, given = 0;
  for (int i = 0; i < N_OPTIONS; i++) {
    if (args.value[i] != NULL) {
      stage = i;
      given++;
    }
  }
  if (given != 1) {
    return cli_usage_error("dump", "choose one of --tokens, --ast, --dag, --system, --tape");
  }
  pawl_diags *diags = cli_diags();
  int shown = 0;
  pawl_status status = dump(args.words[0], stage, diags);
  cli_show(diags, &args, &shown);
  code = status == PAWL_OK ? CLI_DONE : cli_fail(status, diags);
  pawl_diags_free(diags);
  return code;
}
