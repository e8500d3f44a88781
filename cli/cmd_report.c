// SPDX-License-Identifier: MIT
/* `pawl report`: the page of a results folder. */
#include <string.h>

#include "cli.h"

static const char help[] =
    "usage: pawl report DIR [-o F.html]\n\n"
    "Writes the report of a results folder: one page for a browser with animation, events, plots,\n"
    "certificate and model. It needs no network and no other file.\n\n"
    "  -o, --output F.html   where to write it (default: report.html in the folder)\n";

enum { OUTPUT, N_OPTIONS };
static const cli_option options[N_OPTIONS] = {{"output", 'o', true}};

int cmd_report(int argc, char **argv) {
  const cli_spec spec = {"report", help, options, N_OPTIONS, 1, 1, "the results folder", NULL};
  cli_args args;
  int code = cli_parse(&spec, argc, argv, &args);
  if (code >= 0) {
    return code;
  }
  if (args.value[OUTPUT] != NULL && args.value[OUTPUT][0] == '\0') {
    return cli_usage_error("report", "-o needs the name of a file");
  }
  pawl_diags *diags = cli_diags();
  int shown = 0;
  pawl_status status = pawl_report_write(args.words[0], args.value[OUTPUT], diags);
  cli_show(diags, &args, &shown);
  code = CLI_DONE;
  if (status != PAWL_OK) {
    code = cli_fail(status, diags);
    code = status == PAWL_E_FILE ? CLI_FILE : code;
  } else if (!args.quiet) {
    size_t len = strlen(args.words[0]);
    const char *slash = len > 0 && args.words[0][len - 1] == '/' ? "" : "/";
    bool own = args.value[OUTPUT] == NULL;
    printf("wrote        %s%s%s\n", own ? args.words[0] : args.value[OUTPUT], own ? slash : "",
           own ? "report.html" : "");
  }
  pawl_diags_free(diags);
  return code;
}
