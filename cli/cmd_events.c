// SPDX-License-Identifier: MIT
/* `pawl events`: the events of a results folder as a table. */
#include <stdlib.h>
#include <string.h>

#include "cli.h"

static const char help[] = "usage: pawl events DIR [--at NAME] [--kind KIND]\n\n"
                           "Lists the events of a results folder.\n\n"
                           "  --at NAME     those of one law or event\n"
                           "  --kind KIND   those of one kind: impact, strobe, user, stop, ...\n";

enum { AT, KIND, N_OPTIONS };
static const cli_option options[N_OPTIONS] = {{"at", 0, true}, {"kind", 0, true}};

/* The first columns of events.csv; none of them holds a quoted field but `at`. */
enum { COL_T, COL_KIND, COL_AT, COL_CLUSTER, COL_IMPULSE, COL_DE, COL_FLAG, N_COLUMNS };
static const char header[] = "t,kind,at,cluster,impulse,dE,flag";

/* Cuts the line into its fields; a quoted one loses its quotes. */
static int split(char *line, char **fields, int most) {
  int n = 0;
  while (n < most) {
    fields[n++] = line;
    if (*line == '"') {
      fields[n - 1] = ++line;
      line += strcspn(line, "\"");
      if (*line == '"') {
        *line++ = '\0';
      }
    }
    line += strcspn(line, ",\n");
    if (*line != ',') {
      break;
    }
    *line++ = '\0';
  }
  line[strcspn(line, "\n")] = '\0';
  return n;
}

static bool wanted(const cli_args *args, char **fields) {
  return (args->value[AT] == NULL || strcmp(args->value[AT], fields[COL_AT]) == 0) &&
         (args->value[KIND] == NULL || strcmp(args->value[KIND], fields[COL_KIND]) == 0);
}

static int print_table(const cli_args *args, char *text, const char *path) {
  if (strncmp(text, header, sizeof header - 1) != 0) {
    fprintf(stderr, "error: `%s` is not a list of events\n", path);
    return CLI_FILE;
  }
  printf("%-16s %-8s %-12s %7s %14s %14s\n", "t", "event", "at", "cluster", "impulse", "energy");
  char *line = strchr(text, '\n');
  while (line != NULL && line[1] != '\0') {
    char *begin = line + 1;
    line = strchr(begin, '\n');
    if (line != NULL) {
      *line = '\0';
    }
    char *fields[N_COLUMNS];
    if (split(begin, fields, N_COLUMNS) == N_COLUMNS && wanted(args, fields)) {
      printf("%-16.12g %-8s %-12s %7s %14.9s %14.6g%s%s\n", strtod(fields[COL_T], NULL),
             fields[COL_KIND], fields[COL_AT], fields[COL_CLUSTER], fields[COL_IMPULSE],
             strtod(fields[COL_DE], NULL), fields[COL_FLAG][0] == '\0' ? "" : "  ",
             fields[COL_FLAG]);
    }
  }
  return CLI_DONE;
}

int cmd_events(int argc, char **argv) {
  const cli_spec spec = {"events", help, options, N_OPTIONS, 1, 1};
  cli_args args;
  int code = cli_parse(&spec, argc, argv, &args);
  if (code >= 0) {
    return code;
  }
  size_t size = strlen(args.words[0]) + sizeof "/events.csv";
  char *path = malloc(size);
  if (path == NULL) {
    return cli_fail(PAWL_E_MEMORY, NULL);
  }
  snprintf(path, size, "%s/events.csv", args.words[0]);
  cli_text text;
  code = cli_read(path, &text) ? print_table(&args, text.bytes, path) : CLI_FILE;
  free(text.bytes);
  free(path);
  return code;
}
