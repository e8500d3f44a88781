// SPDX-License-Identifier: MIT
/* What the commands share: exit codes, reading, printing. */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include <pawl/pawl.h>
#include <stdio.h>

#include "options.h"

enum {
  CLI_DONE = 0,
  CLI_MODEL = 1,       /* the model has errors */
  CLI_USAGE = 2,       /* the command line is wrong */
  CLI_EARLY = 3,       /* stopped early, partial results saved */
  CLI_EXPECT = 4,      /* finished, but an expectation failed */
  CLI_FILE = 5,        /* a file cannot be read or written */
  CLI_INTERRUPT = 130, /* Ctrl-C */
  CLI_DIFFERENT = 1    /* `fmt --check` */
};

int cmd_check(int argc, char **argv);
int cmd_run(int argc, char **argv);
int cmd_test(int argc, char **argv);
int cmd_explain(int argc, char **argv);
int cmd_fmt(int argc, char **argv);
int cmd_new(int argc, char **argv);
int cmd_examples(int argc, char **argv);
int cmd_dump(int argc, char **argv);
int cmd_events(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_bvp(int argc, char **argv);
int cmd_converge(int argc, char **argv);
int cmd_realise(int argc, char **argv);
int cmd_orbit(int argc, char **argv);
int cmd_gauss(int argc, char **argv);
int cmd_equilibria(int argc, char **argv);
int cmd_certify(int argc, char **argv);
int cmd_plot(int argc, char **argv);
int cmd_sweep(int argc, char **argv);
int cmd_export(int argc, char **argv);
int cmd_import(int argc, char **argv);
int cmd_past(int argc, char **argv);
int cmd_distance(int argc, char **argv);
int cmd_vary(int argc, char **argv);
int cmd_lsp(int argc, char **argv);

typedef struct cli_text { /* bytes of a file, with a NUL behind them */
  char *bytes;
  unsigned long count;
} cli_text;

/* Reads a file, or standard input for "-"; on failure says why and returns false. */
bool cli_read(const char *path, cli_text *out);
/* After a file of a results folder could not be read: a help line if a run in it was killed. */
void cli_help_unfinished(const char *dir);
/* A pipe or a device: reading it would block, or never end. */
bool cli_is_special(const char *path);

typedef struct cli_file { /* being written; takes the place of an old one at the end */
  FILE *stream;
  const char *path;
  char *temporary; /* NULL: the stream is the file itself */
} cli_file;
/* On failure they say why and return false; nothing is left then. */
bool cli_file_begin(cli_file *file, const char *path);
bool cli_file_end(cli_file *file, pawl_status status);
/* Whether the output, which may be NULL, is the input itself, or a file that the model was read
 * from; says so. */
bool cli_is_same(const char *command, const char *input, const char *output);
bool cli_is_input(const char *command, const pawl_model *model, const char *path);
void cli_file_drop(cli_file *file); /* nothing is written after all */

/* The name a model goes by in messages: the path, or "stdin" for "-". */
const char *cli_model_name(const char *path);
/* A model with syntax errors is handed out too: compiling it reports its other errors. */
pawl_status cli_load(const char *path, pawl_diags *diags, pawl_model **out);

/* Prints the diagnostics from number *shown on, and how many were left out. */
void cli_show(const pawl_diags *diags, const cli_args *args, int *shown);

/* The pointer; ends the program with a message if it is NULL, that is, out of memory. */
void *cli_enough(void *memory);

/* Diagnostics for a command; ends the program if there is no memory for them. */
pawl_diags *cli_diags(void);

/* Exit code for a call that failed before anything was computed. Says so if no message has. */
int cli_fail(pawl_status status, const pawl_diags *diags);

/* Exit code for the status of a result that was written to standard output. Says why it failed; a
 * stream that is gone is told by main. */
int cli_written(pawl_status status);
/* The errors as one JSON object on standard output: CLI_DONE or CLI_FILE. */
int cli_errors_json(const char *file, const pawl_diags *diags);

int cli_to_stream(void *stream, const char *bytes, unsigned long count); /* a pawl_sink */

/* NAME=VALUE words behind the model, and `--realise NAME=HOW`. The memory is the caller's. */
typedef struct cli_changes {
  pawl_override *items;
  int n;
  char *names;
} cli_changes;

/* -1 or an exit code. */
int cli_overrides(const char *command, const cli_args *args, cli_changes *out);
void cli_changes_free(cli_changes *changes);
/* A command on one model with such words: parses the line, runs, frees the changes. */
int cli_on_model(const cli_spec *spec, int argc, char **argv,
                 int (*run)(const cli_args *args, const cli_changes *changes));

/* "12.3 ms", "4.56 s". */
void cli_print_time(FILE *out, double seconds);
/* "3 holonomic constraints" with a count, by the kind of law. */
void cli_print_kinds(FILE *out, const pawl_system *system);

#endif
