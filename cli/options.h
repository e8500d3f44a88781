// SPDX-License-Identifier: MIT
/* A table-driven option parser: `--name value`, `--name=value`, `-x value`, `--`, and words. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct cli_option {
  const char *name; /* without the dashes */
  char letter;      /* 0: none */
  int has_value;    /* or CLI_MANY: may be given more than once, see cli_args */
} cli_option;
enum { CLI_MANY = 2 };

enum { CLI_MOST_OPTIONS = 48, CLI_MOST_MANY = 32 };

typedef struct cli_spec {
  const char *command;
  const char *help; /* the text of --help */
  const cli_option *options;
  int n_option;
  int min_words, max_words;   /* max < 0: any number */
  const char *missing;        /* what is missing if there are too few words */
  void (*help_options)(void); /* prints more of it; NULL: that is all */
} cli_spec;

typedef struct cli_args {
  const char *value[CLI_MOST_OPTIONS]; /* by index in the table; NULL: not given, flags "" */
  const char *many[CLI_MOST_MANY];     /* values of the option that may be repeated */
  int n_many;
  char **words;
  int n_word;
  bool quiet, verbose;
  bool color, color_out; /* of standard error, of standard output */
} cli_args;

/* Returns -1 to go on, else the exit code: help was asked for, or the usage is wrong. */
int cli_parse(const cli_spec *spec, int argc, char **argv, cli_args *out);
/* Words behind the first are formulas, which may begin with `-`. */
int cli_parse_formulas(const cli_spec *spec, int argc, char **argv, cli_args *out);

/* A finite number, all of the text. */
bool cli_number(const char *text, double *out);
/* Two of them: "0..10". */
bool cli_span(const char *text, double *from, double *to);
bool cli_count(const char *text, int64_t *out); /* at least 1 */

/* The candidate nearest to the text if it is near enough, else NULL. */
typedef const char *(*cli_candidate)(const void *payload, int i);
const char *cli_nearest(const char *text, cli_candidate candidate, const void *payload);

/* "pawl run: ..." to standard error; returns the exit code for wrong usage. */
int cli_usage_error(const char *command, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

#endif
