// SPDX-License-Identifier: MIT
/* The program: finds the command and runs it. */
#include <signal.h>
#include <string.h>

#include "cli.h"

static const struct command {
  const char *name;
  int (*run)(int argc, char **argv);
  const char *about;
} commands[] = {
    {"check", cmd_check, "parse a model, infer what its laws are, solve its start"},
    {"run", cmd_run, "compute the motion and write a results folder"},
    {"sweep", cmd_sweep, "run a model for many values and write a table"},
    {"bvp", cmd_bvp, "motions that join the start to the end in a given time"},
    {"orbit", cmd_orbit, "periodic motions, their multipliers, branches of them"},
    {"gauss", cmd_gauss, "accelerations, forces and force sets at an instant"},
    {"equilibria", cmd_equilibria, "where a system stays at rest, and steady motions"},
    {"past", cmd_past, "what can have led to the start: the tree of pasts"},
    {"vary", cmd_vary, "variations of the action of a motion"},
    {"distance", cmd_distance, "how far two motions are apart, in the weak and strong norm"},
    {"converge", cmd_converge, "errors and orders of the methods for a model"},
    {"realise", cmd_realise, "ways to realise a constraint, and how fast they reach it"},
    {"certify", cmd_certify, "check a trajectory, from Pawl or any other program"},
    {"test", cmd_test, "run models and check their expectations"},
    {"plot", cmd_plot, "plot a motion, as a file or in the terminal"},
    {"export", cmd_export, "write a model as LaTeX, Typst, C or a unit of FMI"},
    {"import", cmd_import, "write the model of a robot in URDF or MJCF"},
    {"events", cmd_events, "list the events of a results folder"},
    {"report", cmd_report, "write the page that shows a results folder in a browser"},
    {"explain", cmd_explain, "explain the code of a message"},
    {"fmt", cmd_fmt, "format a model"},
    {"new", cmd_new, "write a first model to start from"},
    {"examples", cmd_examples, "list the example models, find or print one"},
    {"lsp", cmd_lsp, "serve an editor: messages, hover, completion, places, format"},
    {"dump", cmd_dump, "show a stage of the compilation"}};
enum { N_COMMANDS = sizeof commands / sizeof *commands };

static const char *command_name(const void *payload, int i) {
  (void)payload;
  return i < N_COMMANDS ? commands[i].name : NULL;
}

static void print_help(void) {
  puts("Pawl computes the motion of mechanical systems described, as on paper, by energies and\n"
       "constraints.\n\n"
       "usage: pawl COMMAND ...\n");
  for (int i = 0; i < N_COMMANDS; i++) {
    printf("  %-10s %s\n", commands[i].name, commands[i].about);
  }
  puts("\nAll commands take --help, -q (less), -v (more) and --color=auto|always|never.\n"
       "A model named `-` is read from standard input.\n"
       "exit codes: 0 done, 1 model error, 2 usage, 3 stopped early, 4 expectation failed,\n"
       "            5 file error, 130 interrupted\n\n"
       "first steps: pawl new pendulum; pawl run pendulum.pawl");
}

static int find_command(const char *name) {
  for (int i = 0; i < N_COMMANDS; i++) {
    if (strcmp(commands[i].name, name) == 0) {
      return i;
    }
  }
  return -1;
}

/* Options of all commands may stand before the command: `pawl -q run M` is `pawl run -q M`. */
static void move_options(int argc, char **argv) {
  int n = 1;
  while (n < argc && (strcmp(argv[n], "-q") == 0 || strcmp(argv[n], "-v") == 0 ||
                      strcmp(argv[n], "--quiet") == 0 || strcmp(argv[n], "--verbose") == 0 ||
                      strncmp(argv[n], "--color", 7) == 0)) {
    n += strcmp(argv[n], "--color") == 0 && n + 2 < argc ? 2 : 1;
  }
  if (n > 1 && n < argc && argv[n][0] != '-') {
    char *command = argv[n];
    memmove(argv + 2, argv + 1, (size_t)(n - 1) * sizeof *argv);
    argv[1] = command;
  }
}

static int dispatch(int argc, char **argv) {
  move_options(argc, argv);
  if (argc < 2) {
    return cli_usage_error("", "no command given");
  }
  if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
      (strcmp(argv[1], "help") == 0 && argc == 2)) {
    print_help();
    return CLI_DONE;
  }
  if (strcmp(argv[1], "--version") == 0) {
    printf("pawl %s (model language %d)\n", PAWL_VERSION, PAWL_LANGUAGE_VERSION);
    return CLI_DONE;
  }
  if (argv[1][0] == '-') {
    return cli_usage_error("", "unknown option `%s`", argv[1]);
  }
  static char help[] = "--help";
  bool asks = strcmp(argv[1], "help") == 0; /* `pawl help run` */
  int i = find_command(argv[asks ? 2 : 1]);
  if (i >= 0) {
    return asks ? commands[i].run(1, (char *[]){help, NULL}) : commands[i].run(argc - 2, argv + 2);
  }
  const char *word = argv[asks ? 2 : 1];
  const char *near = cli_nearest(word, command_name, NULL);
  return near == NULL ? cli_usage_error("", "unknown command `%s`", word)
                      : cli_usage_error("", "unknown command `%s`; did you mean `%s`?", word, near);
}

int main(int argc, char **argv) {
  signal(SIGXFSZ, SIG_IGN); /* a file at its size limit is an error like a full disk */
  int code = dispatch(argc, argv);
  if (fflush(stdout) != 0 || ferror(stdout)) {
    fputs("error: cannot write to standard output\n", stderr);
    return CLI_FILE;
  }
  return code;
}
