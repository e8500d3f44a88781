// SPDX-License-Identifier: MIT
/* `pawl import`: a robot in another format as a model. */
#include "cli.h"
#include "pawl/import.h"

static const char help[] =
    "usage: pawl import robot.urdf|robot.xml [-o M.pawl]\n\n"
    "Writes the model of a robot: links become bodies, joints stay joints, with limits, damping,\n"
    "friction, springs and joints that follow others. Reads URDF and, of MJCF, bodies with one\n"
    "joint each, inertias given or made from simple geoms, and defaults. Parts that cannot be\n"
    "converted are listed here and in comments at the head of the model.\n\n"
    "  -o, --output F   write a file; else standard output\n";

enum { OUTPUT, N_OPTIONS };
static const cli_option options[N_OPTIONS] = {{"output", 'o', true}};

static pawl_status write_out(const char *from, const char *path, pawl_diags *diags, int *code) {
  if (path == NULL) {
    return pawl_import(from, diags, cli_to_stream, stdout);
  }
  cli_file file;
  if (!cli_file_begin(&file, path)) {
    *code = CLI_FILE;
    return PAWL_E_FILE;
  }
  pawl_status status = pawl_import(from, diags, cli_to_stream, file.stream);
  if (status != PAWL_OK) {
    cli_file_drop(&file);
  } else if (!cli_file_end(&file, status)) {
    *code = CLI_FILE;
  }
  return status;
}

int cmd_import(int argc, char **argv) {
  const cli_spec spec = {"import", help, options, N_OPTIONS, 1, 1, "the file of the robot", NULL};
  cli_args args;
  int code = cli_parse(&spec, argc, argv, &args), shown = 0;
  if (code >= 0) {
    return code;
  }
  if (cli_is_same("import", args.words[0], args.value[OUTPUT])) {
    return CLI_USAGE;
  }
  pawl_diags *diags = cli_diags();
  pawl_status status = write_out(args.words[0], args.value[OUTPUT], diags, &code);
  cli_show(diags, &args, &shown);
  if (code < 0) {
    code = status == PAWL_OK ? CLI_DONE : cli_fail(status, diags);
  }
  pawl_diags_free(diags);
  return code;
}
