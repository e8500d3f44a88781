// SPDX-License-Identifier: MIT
#include "options.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

/* Every command has these, after its own. */
enum { HELP, QUIET, VERBOSE, COLOR, N_COMMON };
static const cli_option common[N_COMMON] = {
    {"help", 'h', false}, {"quiet", 'q', false}, {"verbose", 'v', false}, {"color", 0, true}};

int cli_usage_error(const char *command, const char *fmt, ...) {
  va_list args;
  fprintf(stderr, "pawl%s%s: ", command[0] == '\0' ? "" : " ", command);
  va_start(args, fmt);
  vfprintf(stderr, fmt, args);
  va_end(args);
  fprintf(stderr, "\n(`pawl %s%s--help` shows the usage)\n", command,
          command[0] == '\0' ? "" : " ");
  return CLI_USAGE;
}

static const cli_option *option_at(const cli_spec *spec, int i) {
  return i < spec->n_option              ? &spec->options[i]
         : i < spec->n_option + N_COMMON ? &common[i - spec->n_option]
                                         : NULL;
}

static const char *option_name(const void *payload, int i) {
  const cli_option *o = option_at(payload, i);
  return o == NULL ? NULL : o->name;
}

/* Index of `--name...` or `-x...`; *inside is the value that stands in the same word, or NULL. */
static int find(const cli_spec *spec, const char *word, const char **inside) {
  *inside = NULL;
  for (int i = 0; option_at(spec, i) != NULL; i++) {
    const cli_option *o = option_at(spec, i);
    size_t len = strlen(o->name);
    if (word[1] == '-' && strncmp(word + 2, o->name, len) == 0 &&
        (word[2 + len] == '\0' || word[2 + len] == '=')) {
      *inside = word[2 + len] == '=' ? word + 3 + len : NULL;
      return i;
    }
    if (word[1] != '-' && o->letter != 0 && word[1] == o->letter &&
        (word[2] == '\0' || o->has_value)) {
      *inside = word[2] == '\0' ? NULL : word + 2;
      return i;
    }
  }
  return -1;
}

static int unknown(const cli_spec *spec, const char *word) {
  char name[64];
  snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
  const char *near = word[1] == '-' ? cli_nearest(name + 2, option_name, spec) : NULL;
  return near == NULL ? cli_usage_error(spec->command, "unknown option `%s`", name)
                      : cli_usage_error(spec->command, "unknown option `%s`; did you mean `--%s`?",
                                        name, near);
}

static int set_color(const cli_spec *spec, const char *choice, cli_args *out) {
  const char *no_color = getenv("NO_COLOR");
  const char *term = getenv("TERM");
  bool may =
      (no_color == NULL || no_color[0] == '\0') && (term == NULL || strcmp(term, "dumb") != 0);
  out->color = may && isatty(STDERR_FILENO);
  out->color_out = may && isatty(STDOUT_FILENO);
  if (choice != NULL && strcmp(choice, "always") == 0) {
    out->color = out->color_out = true;
  } else if (choice != NULL && strcmp(choice, "never") == 0) {
    out->color = out->color_out = false;
  } else if (choice != NULL && strcmp(choice, "auto") != 0) {
    return cli_usage_error(spec->command, "--color is auto, always or never, not `%s`", choice);
  }
  return -1;
}

static int check_words(const cli_spec *spec, const cli_args *args) {
  if (args->n_word < spec->min_words) {
    return cli_usage_error(spec->command, "%s is missing", spec->missing);
  }
  if (spec->max_words >= 0 && args->n_word > spec->max_words) {
    return cli_usage_error(spec->command, "`%s` is one word too many",
                           args->words[spec->max_words]);
  }
  return -1;
}

/* One option at argv[i]; returns -1 or an exit code. */
static int take_option(const cli_spec *spec, int argc, char **argv, int *i, const char **values,
                       cli_args *out) {
  const char *inside;
  int at = find(spec, argv[*i], &inside);
  if (at < 0) {
    return unknown(spec, argv[*i]);
  }
  const cli_option *o = option_at(spec, at);
  if (!o->has_value && inside != NULL) {
    return cli_usage_error(spec->command, "option `--%s` takes no value", o->name);
  }

  /* the next word is its value, unless that is an option, too */
  if (o->has_value && inside == NULL) {
    if (*i + 1 >= argc) {
      return cli_usage_error(spec->command, "option `%s` needs a value", argv[*i]);
    }
    inside = argv[++*i];
    const char *more;
    if (inside[0] == '-' && inside[1] != '\0' && find(spec, inside, &more) >= 0) {
      return cli_usage_error(spec->command, "option `%s` needs a value; `%s` is an option itself",
                             argv[*i - 1], inside);
    }
  }

  values[at] = inside == NULL ? "" : inside;
  if (o->has_value == CLI_MANY && out->n_many == CLI_MOST_MANY) {
    return cli_usage_error(spec->command, "option `--%s` is given too often", o->name);
  }
  if (o->has_value == CLI_MANY) {
    out->many[out->n_many++] = values[at];
  }
  return -1;
}

/* `-x vs y` and `-omega` are formulas where formulas are words; `-o F` and `-t0..1` are options. */
static bool is_formula(const cli_spec *spec, const char *word) {
  const char *inside;
  bool option = find(spec, word, &inside) >= 0;
  return word[1] != '-' && (!option || (inside != NULL && strstr(inside, "..") == NULL));
}

static int parse(const cli_spec *spec, bool formulas, int argc, char **argv, cli_args *out) {
  const char *values[CLI_MOST_OPTIONS + N_COMMON] = {0};
  *out = (cli_args){.words = argv}; /* words move to the front of argv */
  bool only_words = false;
  int code = -1;
  for (int i = 0; i < argc && code < 0; i++) {
    if (!only_words && strcmp(argv[i], "--") == 0) {
      only_words = true;
    } else if (only_words || argv[i][0] != '-' || argv[i][1] == '\0' ||
               (formulas && out->n_word > 0 && is_formula(spec, argv[i]))) {
      argv[out->n_word++] = argv[i];
    } else {
      code = take_option(spec, argc, argv, &i, values, out);
    }
  }
  const char **shared = values + spec->n_option;
  if (code < 0 && shared[HELP] != NULL) {
    fputs(spec->help, stdout);
    if (spec->help_options != NULL) {
      spec->help_options();
    }
    return CLI_DONE;
  }
  memcpy(out->value, values, (size_t)spec->n_option * sizeof *values);
  out->quiet = shared[QUIET] != NULL;
  out->verbose = shared[VERBOSE] != NULL;
  if (code < 0) {
    code = set_color(spec, shared[COLOR], out);
  }
  return code < 0 ? check_words(spec, out) : code;
}

int cli_parse(const cli_spec *spec, int argc, char **argv, cli_args *out) {
  return parse(spec, false, argc, argv, out);
}

int cli_parse_formulas(const cli_spec *spec, int argc, char **argv, cli_args *out) {
  return parse(spec, true, argc, argv, out);
}

bool cli_number(const char *text, double *out) {
  char *end;
  if (text[0] == '\0' || isspace((unsigned char)text[0])) {
    return false;
  }
  *out = strtod(text, &end);
  return *end == '\0' && isfinite(*out);
}

bool cli_span(const char *text, double *from, double *to) {
  const char *dots = strstr(text, ".."); /* the first: a number does not end in a point here */
  char first[64];
  if (dots == NULL || dots == text || (size_t)(dots - text) >= sizeof first) {
    return false;
  }
  snprintf(first, sizeof first, "%.*s", (int)(dots - text), text);
  return cli_number(first, from) && cli_number(dots + 2, to);
}

bool cli_count(const char *text, int64_t *out) {
  double number;
  if (!cli_number(text, &number) || number < 1 || number > 1e15 || number != floor(number)) {
    return false;
  }
  *out = number < INT32_MAX ? (int64_t)number : INT32_MAX; /* the same on every system */
  return true;
}

/* Letters to insert, delete or replace, over one row of the table; long words are not alike. */
static int distance(const char *a, const char *b) {
  int row[40];
  int na = (int)strlen(a), nb = (int)strlen(b);
  if (na > 38 || nb > 38) {
    return 99;
  }
  for (int j = 0; j <= nb; j++) {
    row[j] = j;
  }
  for (int i = 1; i <= na; i++) {
    int diagonal = row[0];
    row[0] = i;
    for (int j = 1; j <= nb; j++) {
      int best = diagonal + (a[i - 1] != b[j - 1]);
      best = row[j] + 1 < best ? row[j] + 1 : best;
      best = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
      diagonal = row[j];
      row[j] = best;
    }
  }
  return row[nb];
}

const char *cli_nearest(const char *text, cli_candidate candidate, const void *payload) {
  const char *best = NULL;
  int least = strlen(text) < 4 ? 2 : 3;
  for (int i = 0; candidate(payload, i) != NULL; i++) {
    int d = distance(text, candidate(payload, i));
    if (d < least) {
      least = d;
      best = candidate(payload, i);
    }
  }
  return best;
}
