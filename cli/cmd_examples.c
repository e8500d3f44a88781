// SPDX-License-Identifier: MIT
/* `pawl examples`: the models that come with the program. */
#include "examples.h"

#include <string.h>

#include "cli.h"

static const char help[] = "usage: pawl examples [NAME]\n\n"
                           "Lists the example models, or prints one:\n"
                           "  pawl examples pendulum > pendulum.pawl\n";

/* The text of the first comment says what the model is. */
static void print_about(const cli_example *e) {
  const char *text = (const char *)e->bytes;
  int len = 0;
  if (text[0] == '#') {
    text += 1 + strspn(text + 1, "# ");
    len = (int)strcspn(text, "\n");
  }
  printf("%-24s %.*s\n", e->name, len, text);
}

static const char *name_at(const void *payload, int i) {
  const cli_example *examples = payload;
  return examples[i].name;
}

int cmd_examples(int argc, char **argv) {
  const cli_spec spec = {"examples", help, NULL, 0, 0, 1, "the name", NULL};
  cli_args args;
  int code = cli_parse(&spec, argc, argv, &args);
  if (code >= 0) {
    return code;
  }
  for (const cli_example *e = cli_examples; e->name != NULL; e++) {
    if (args.n_word == 0) {
      print_about(e);
    } else if (strncmp(args.words[0], e->name, strlen(e->name)) == 0 &&
               (strcmp(args.words[0] + strlen(e->name), ".pawl") == 0 ||
                args.words[0][strlen(e->name)] == '\0')) {
      fwrite(e->bytes, 1, e->count, stdout);
      return CLI_DONE;
    }
  }
  if (args.n_word == 0) {
    return CLI_DONE;
  }
  const char *near = cli_nearest(args.words[0], name_at, cli_examples);
  return near == NULL ? cli_usage_error("examples",
                                        "there is no example `%s`; `pawl examples` lists "
                                        "them",
                                        args.words[0])
                      : cli_usage_error("examples", "there is no example `%s`; did you mean `%s`?",
                                        args.words[0], near);
}
