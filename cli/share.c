// SPDX-License-Identifier: MIT
/* Reading models and printing what every command prints. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli.h"

static const unsigned long most_bytes = 256ul << 20;

static bool read_stream(FILE *file, cli_text *out) {
  unsigned long cap = 0;
  for (;;) {
    if (out->count + 1 >= cap) {
      cap = cap == 0 ? 1 << 14 : 2 * cap;
      char *bytes = cap > most_bytes ? NULL : realloc(out->bytes, cap);
      if (bytes == NULL) {
        errno = cap > most_bytes ? EFBIG : ENOMEM;
        return false;
      }
      out->bytes = bytes;
    }
    size_t n = fread(out->bytes + out->count, 1, cap - out->count - 1, file);
    out->count += n;
    out->bytes[out->count] = '\0';
    if (n == 0) {
      return !ferror(file);
    }
  }
}

bool cli_is_special(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
}

void cli_help_unfinished(const char *dir) {
  struct stat info;
  char partial[4200];
  snprintf(partial, sizeof partial, "%s/.partial", dir);
  if (stat(partial, &info) == 0 && S_ISDIR(info.st_mode)) {
    fprintf(stderr,
            "  = help: `%s` holds a run that did not come to its end: `pawl run --resume %s` takes "
            "it up; `pawl report %s` shows what there is\n",
            dir, dir, dir);
  }
}

bool cli_read(const char *path, cli_text *out) {
  *out = (cli_text){0};
  bool is_input = strcmp(path, "-") == 0;
  if (!is_input && cli_is_special(path)) {
    fprintf(stderr, "error: cannot read `%s`: it is not a regular file\n", path);
    return false;
  }
  FILE *file = is_input ? stdin : fopen(path, "rb");
  bool ok = file != NULL && read_stream(file, out);
  if (!ok) {
    fprintf(stderr, "error: cannot read `%s`: %s\n", cli_model_name(path), strerror(errno));
    free(out->bytes);
    out->bytes = NULL;
  }
  if (file != NULL && !is_input) {
    fclose(file);
  }
  return ok;
}

const char *cli_model_name(const char *path) {
  return strcmp(path, "-") == 0 ? "stdin" : path;
}

pawl_status cli_load(const char *path, pawl_diags *diags, pawl_model **out) {
  if (strcmp(path, "-") != 0) {
    return pawl_model_load(path, diags, out);
  }
  cli_text text;
  if (!cli_read(path, &text)) {
    return PAWL_E_FILE;
  }
  pawl_model_opts opts = {.name = "stdin"};
  pawl_status status = pawl_model_parse(text.bytes, text.count, &opts, diags, out);
  free(text.bytes);
  return status;
}

int cli_to_stream(void *stream, const char *bytes, unsigned long count) {
  return fwrite(bytes, 1, count, stream) != count;
}

void cli_show(const pawl_diags *diags, const cli_args *args, int *shown) {
  int n = pawl_diags_count(diags);
  for (; *shown < n; ++*shown) {
    const pawl_diag *d = pawl_diags_get(diags, *shown);
    bool skip = args->quiet && d->severity != PAWL_ERROR;
    if (!skip && pawl_diag_write(d, args->color, cli_to_stream, stderr) == PAWL_E_MEMORY) {
      fprintf(stderr, "%s[%s]: %s (out of memory to show the place)\n",
              d->severity == PAWL_ERROR ? "error" : "warning", d->code, d->message);
    }
  }
  int dropped = pawl_diags_dropped(diags);
  if (dropped > 0) {
    fprintf(stderr, "and %d more not shown\n", dropped);
  }
}

void *cli_enough(void *memory) {
  if (memory == NULL) {
    exit(cli_fail(PAWL_E_MEMORY, NULL));
  }
  return memory;
}

pawl_diags *cli_diags(void) {
  pawl_diags *diags = NULL;
  return pawl_diags_new(&diags) == PAWL_OK ? diags : cli_enough(NULL);
}

int cli_fail(pawl_status status, const pawl_diags *diags) {
  const pawl_diag *last = pawl_diags_get(diags, pawl_diags_count(diags) - 1);
  bool said = pawl_diags_errors(diags) > 0 &&
              (status != PAWL_E_MEMORY || (last != NULL && strcmp(last->code, "E0192") == 0));
  if (!said && status != PAWL_E_FILE) {
    fprintf(stderr, "error: %s\n", pawl_status_text(status));
  }
  return status == PAWL_E_FILE          ? CLI_FILE
         : status == PAWL_E_UNSUPPORTED ? CLI_USAGE
         : status == PAWL_E_ARGUMENT    ? CLI_USAGE
         : status == PAWL_E_NO_MOTION   ? CLI_EARLY
                                        : CLI_MODEL;
}

/* A stream that failed is told about at the end of the program. One that could not get its buffer
 * shows no failure later. */
int cli_written(pawl_status status) {
  bool told = status == PAWL_OK || (status == PAWL_E_FILE && ferror(stdout));
  if (!told) {
    const char *why = status == PAWL_E_FILE ? strerror(errno) : pawl_status_text(status);
    fprintf(stderr, "error: cannot write the result: %s\n", why);
  }
  return status == PAWL_OK ? CLI_DONE : CLI_FILE;
}

int cli_errors_json(const char *file, const pawl_diags *diags) {
  return cli_written(pawl_check_json(NULL, file, diags, cli_to_stream, stdout));
}

static const char *find_value(const char *command, const char *word, int *code) {
  const char *equals = strchr(word, '=');
  if (equals == NULL || equals == word) {
    *code = cli_usage_error(command, "`%s` is not of the form NAME=VALUE", word);
  } else if (equals[1] == '\0') {
    *code = cli_usage_error(command, "`%s` has no value", word);
  }
  return *code < 0 ? equals + 1 : NULL;
}

/* Realisations first: the values on the command line are those of the model that they give. */
int cli_overrides(const char *command, const cli_args *args, cli_changes *out) {
  int words = args->n_word - 1, n = words + args->n_many, code = -1;
  size_t bytes = 1;
  for (int i = 0; i < n; i++) {
    bytes += strlen(i < args->n_many ? args->many[i] : args->words[1 + i - args->n_many]) + 16;
  }
  *out = (cli_changes){.items = calloc((size_t)n + 1, sizeof *out->items), .n = n};
  out->names = malloc(bytes);
  if (out->items == NULL || out->names == NULL) {
    return cli_fail(PAWL_E_MEMORY, NULL);
  }
  char *at = out->names;
  for (int i = 0; i < n; i++) {
    bool realises = i < args->n_many;
    const char *word = realises ? args->many[i] : args->words[1 + i - args->n_many];
    const char *value = find_value(command, word, &code);
    if (value == NULL) {
      return code;
    }
    out->items[i] = (pawl_override){.name = at, .value = value};
    at += sprintf(at, "%s%.*s", realises ? "realise " : "", (int)(value - 1 - word), word) + 1;
  }
  return -1;
}

void cli_changes_free(cli_changes *changes) {
  free(changes->items);
  free(changes->names);
}

int cli_on_model(const cli_spec *spec, int argc, char **argv,
                 int (*run)(const cli_args *args, const cli_changes *changes)) {
  cli_args args;
  int code = cli_parse(spec, argc, argv, &args);
  if (code >= 0) {
    return code;
  }
  cli_changes changes = {0};
  code = cli_overrides(spec->command, &args, &changes);
  if (code < 0) {
    code = run(&args, &changes);
  }
  cli_changes_free(&changes);
  return code;
}

void cli_print_time(FILE *out, double seconds) {
  if (seconds < 0.9995) {
    fprintf(out, "%.3g ms", 1000 * seconds);
  } else if (seconds < 600) {
    fprintf(out, "%.3g s", seconds);
  } else {
    fprintf(out, "%.0f min", seconds / 60);
  }
}

static const struct {
  const char *kind, *one, *many;
} kinds[] = {
    {"holonomic", "holonomic constraint", "holonomic constraints"},
    {"rheonomic", "rheonomic constraint", "rheonomic constraints"},
    {"nonholonomic", "nonholonomic constraint", "nonholonomic constraints"},
    {"unilateral", "unilateral constraint", "unilateral constraints"},
    {"one-sided-velocity", "one-sided velocity constraint", "one-sided velocity constraints"},
    {"friction", "friction", "frictions"},
    {"rough", "rough contact", "rough contacts"},
    {"spring", "spring", "springs"},
    {"law", "law", "laws"},
    {"servo", "servo", "servos"},
    {"vakonomic", "vakonomic constraint", "vakonomic constraints"},
    {"inertia", "inertia constraint", "inertia constraints"},
    {"viscous", "viscous constraint", "viscous constraints"}};

void cli_print_kinds(FILE *out, const pawl_system *system) {
  int n = pawl_system_velocities(system);
  fprintf(out, "%d coordinate%s", n, n == 1 ? "" : "s");
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    int count = 0;
    for (int i = 0; i < pawl_system_laws(system); i++) {
      pawl_law_info law = pawl_law_get(system, i);
      count += law.component == 1 && strcmp(law.kind, kinds[k].kind) == 0;
    }
    if (count > 0) {
      fprintf(out, ", %d %s", count, count == 1 ? kinds[k].one : kinds[k].many);
    }
  }
}
