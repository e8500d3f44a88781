// SPDX-License-Identifier: MIT
/* `pawl export`: a model as mathematics in print. */
#include <stdlib.h>

#include "cli.h"

static const char help[] = "usage: pawl export M.pawl [NAME=VALUE ...] --latex|--typst [-o F]\n\n"
                           "Writes the mathematics of a model as a document: energies, equations "
                           "of motion with the names\n"
                           "of the parameters kept, constraints, laws and impact laws.\n\n"
                           "  --latex          a LaTeX document\n"
                           "  --typst          a Typst document\n"
                           "  -o, --output F   write a file; else standard output\n";

enum { LATEX, TYPST, OUTPUT, N_OPTIONS };
static const cli_option options[N_OPTIONS] = {
    {"latex", 0, false}, {"typst", 0, false}, {"output", 'o', true}};

static pawl_status write_out(const pawl_model *model, const pawl_export_opts *opts,
                             const char *path, pawl_diags *diags, int *code) {
  if (path == NULL) {
    return pawl_model_export(model, opts, diags, cli_to_stream, stdout);
  }
  cli_file file;
  if (!cli_file_begin(&file, path)) {
    *code = CLI_FILE;
    return PAWL_E_FILE;
  }
  pawl_status status = pawl_model_export(model, opts, diags, cli_to_stream, file.stream);
  if (status == PAWL_E_MODEL || status == PAWL_E_LIMIT) {
    cli_file_drop(&file);
  } else if (!cli_file_end(&file, status)) {
    *code = CLI_FILE;
  }
  return status;
}

static int export_model(const cli_args *args, const cli_changes *changes) {
  if ((args->value[LATEX] != NULL) == (args->value[TYPST] != NULL)) {
    return cli_usage_error("export", "choose one of --latex, --typst");
  }
  pawl_diags *diags = cli_diags();
  pawl_model *model = NULL;
  int shown = 0, code = -1;
  pawl_export_opts opts = {.format = args->value[LATEX] != NULL ? PAWL_LATEX : PAWL_TYPST,
                           .overrides = changes->items,
                           .n_override = changes->n};
  pawl_status status = cli_load(args->words[0], diags, &model);
  if (model != NULL) {
    status = write_out(model, &opts, args->value[OUTPUT], diags, &code);
  }
  cli_show(diags, args, &shown);
  if (code < 0) {
    code = status == PAWL_OK ? CLI_DONE : cli_fail(status, diags);
  }
  pawl_model_free(model);
  pawl_diags_free(diags);
  return code;
}

int cmd_export(int argc, char **argv) {
  const cli_spec spec = {"export", help, options, N_OPTIONS, 1, -1, "the MODEL file", NULL};
  return cli_on_model(&spec, argc, argv, export_model);
}
