// SPDX-License-Identifier: MIT
/* `pawl events`: the events of a results folder as a table. */
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "event_table.h"

static const char help[] = "usage: pawl events DIR [--at NAME] [--kind KIND]\n\n"
                           "Lists the events of a results folder.\n\n"
                           "  --at NAME     those of one law or event\n"
                           "  --kind KIND   those of one kind: impact, strobe, user, stop, ...\n";

enum { AT, KIND, N_OPTIONS };
static const cli_option options[N_OPTIONS] = {{"at", 0, true}, {"kind", 0, true}};

/* What its model says about units; one that cannot be compiled says nothing. */
typedef struct origin {
  pawl_model *model;
  pawl_system *system;
} origin;

static origin origin_of(const char *dir) {
  origin of = {0};
  size_t size = strlen(dir) + sizeof "/model.pawl";
  char *path = cli_enough(malloc(size));
  snprintf(path, size, "%s/model.pawl", dir);
  pawl_status status = cli_is_special(path) ? PAWL_E_FILE : pawl_model_load(path, NULL, &of.model);
  if (status == PAWL_OK) {
    status = pawl_system_new(of.model, &(pawl_system_opts){.no_start = 1}, NULL, &of.system);
  }
  free(path);
  if (status == PAWL_E_MEMORY) {
    cli_enough(NULL);
  }
  return of;
}

int cmd_events(int argc, char **argv) {
  const cli_spec spec = {"events", help, options, N_OPTIONS, 1, 1, "the results folder", NULL};
  cli_args args;
  int code = cli_parse(&spec, argc, argv, &args);
  if (code >= 0) {
    return code;
  }
  const event_filter filter = {.at = args.value[AT], .kind = args.value[KIND]};
  event_flags flags;
  code = event_filter_check(args.words[0], &filter);
  if (code >= 0) {
    return code;
  }
  origin of = origin_of(args.words[0]);
  const event_source from = {.dir = args.words[0], .system = of.system};
  code = event_table_print(&from, &filter, false, &flags) ? CLI_DONE : CLI_FILE;
  pawl_system_free(of.system);
  pawl_model_free(of.model);
  return code;
}
