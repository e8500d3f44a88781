// SPDX-License-Identifier: MIT
/* `pawl events`: the events of a results folder as a table. */
#include "cli.h"
#include "event_table.h"

static const char help[] = "usage: pawl events DIR [--at NAME] [--kind KIND]\n\n"
                           "Lists the events of a results folder.\n\n"
                           "  --at NAME     those of one law or event\n"
                           "  --kind KIND   those of one kind: impact, strobe, user, stop, ...\n";

enum { AT, KIND, N_OPTIONS };
static const cli_option options[N_OPTIONS] = {{"at", 0, true}, {"kind", 0, true}};

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
  const event_source from = {.dir = args.words[0]};
  return event_table_print(&from, &filter, false, &flags) ? CLI_DONE : CLI_FILE;
}
