// SPDX-License-Identifier: MIT
/* `pawl explain`: more about the code of a message. */
#include <ctype.h>
#include <string.h>

#include "cli.h"

static const char help[] = "usage: pawl explain [CODE]\n\n"
                           "Explains the code of a message, such as E0101; without one, lists all "
                           "codes.\n";

static const char *code_at(const void *payload, int i) {
  (void)payload;
  return pawl_explain_code(i);
}

/* The first sentence of each explanation. */
static void list_codes(void) {
  for (int i = 0; pawl_explain_code(i) != NULL; i++) {
    const char *text = pawl_explain(pawl_explain_code(i));
    printf("%s  ", pawl_explain_code(i));
    bool whole = false;
    for (; !whole && *text != '\0' && strncmp(text, "\n\n", 2) != 0; text++) {
      bool stop = *text == ':' || (*text == '.' && text[1] != '.' && text[-1] != '.');
      whole = stop && (text[1] == ' ' || text[1] == '\n');
      putchar(whole ? '.' : *text == '\n' ? ' ' : *text);
    }
    putchar('\n');
  }
}

int cmd_explain(int argc, char **argv) {
  const cli_spec spec = {"explain", help, NULL, 0, 0, 1, "the code", NULL};
  cli_args args;
  int exit_code = cli_parse(&spec, argc, argv, &args);
  if (exit_code >= 0) {
    return exit_code;
  }
  if (args.n_word == 0) {
    list_codes();
    return CLI_DONE;
  }
  char code[16];
  snprintf(code, sizeof code, "%s", args.words[0]);
  code[0] = (char)toupper((unsigned char)code[0]);
  const char *text = pawl_explain(code);
  if (text == NULL) {
    const char *near = cli_nearest(code, code_at, NULL);
    return near == NULL ? cli_usage_error("explain", "there is no code `%s`", args.words[0])
                        : cli_usage_error("explain", "there is no code `%s`; did you mean `%s`?",
                                          args.words[0], near);
  }
  size_t len = strlen(text);
  printf("%s: %s%s", code, text, len > 0 && text[len - 1] == '\n' ? "" : "\n");
  return CLI_DONE;
}
