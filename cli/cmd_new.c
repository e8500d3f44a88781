// SPDX-License-Identifier: MIT
/* `pawl new`: a first model to start from. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

static const char help[] =
    "usage: pawl new NAME\n\n"
    "Writes NAME.pawl, a small model to start from; never overwrites a file.\n";

static const char starter[] = "# A pendulum: a mass on a rod, written in the angle of the rod.\n"
                              "parameter m = 1 [kg], l = 0.5 [m], g = 9.81 [m/s^2]\n"
                              "coordinates th\n"
                              "let P = (l*sin(th), -l*cos(th))\n"
                              "kinetic T = 1/2*m*dot(P', P')\n"
                              "potential V = m*g*P[2]\n"
                              "start th = 1 [rad], th' = 0\n"
                              "event bottom: th = 0\n"
                              "output x = P[1], y = P[2]\n"
                              "run 0..10\n"
                              "expect energy.total = -m*g*l*cos(1) +- 1e-6\n";

/* As a word of the shell: in quotes unless it holds nothing that the shell takes for its own. */
static void put_word(const char *word) {
  static const char plain[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./+,=@%-";
  bool quote = word[strspn(word, plain)] != '\0';
  fputs(quote ? "'" : "", stdout);
  for (; *word != '\0'; word++) {
    fputs(*word == '\'' ? "'\\''" : (char[]){*word, '\0'}, stdout);
  }
  fputs(quote ? "'" : "", stdout);
}

int cmd_new(int argc, char **argv) {
  const cli_spec spec = {"new", help, NULL, 0, 1, 1, "the NAME of the model", NULL};
  cli_args args;
  int code = cli_parse(&spec, argc, argv, &args);
  if (code >= 0) {
    return code;
  }

  const char *name = args.words[0];
  size_t len = strlen(name);
  bool ends = len >= 5 && strcmp(name + len - 5, ".pawl") == 0;
  char *path = malloc(len + sizeof ".pawl");
  if (path == NULL) {
    return cli_fail(PAWL_E_MEMORY, NULL);
  }
  snprintf(path, len + sizeof ".pawl", "%s%s", name, ends ? "" : ".pawl");

  /* a file that is there already stays */
  int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  FILE *file = fd < 0 ? NULL : fdopen(fd, "wb");
  bool ok = file != NULL && fputs(starter, file) >= 0;
  if (file != NULL) {
    ok = fclose(file) == 0 && ok;
  }
  if (!ok) {
    fprintf(stderr, "error: cannot write `%s`: %s\n", path, strerror(errno));
  } else if (!args.quiet) {
    printf("wrote %s; try `pawl run ", path);
    put_word(path);
    puts("`");
  }
  free(path);
  return ok ? CLI_DONE : CLI_FILE;
}
