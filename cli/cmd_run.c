// SPDX-License-Identifier: MIT
/* `pawl run`: the motion, its summary and its results folder. */
#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "certificate_line.h"
#include "event_memory.h"
#include "gradient_table.h"
#include "option_help.h"
#include "progress.h"
#include "run_backward.h"
#include "run_option.h"
#include "summary.h"

static const char help[] =
    "usage: pawl run M.pawl [NAME=VALUE ...] [options]\n"
    "       pawl run --resume DIR\n\n"
    "Computes the motion and writes a results folder. NAME=VALUE replaces a parameter or a start\n"
    "value (`e=0.8`, `\"y'=2\"` or `d.y=2`).\n\n";

typedef struct session {
  cli_option options[CLI_MOST_OPTIONS]; /* those of the table, in its order */
  int n_option;
  cli_args args;
  pawl_run_opts opts;
  cli_changes changes;
  char dir[4096]; /* the default folder */
  pawl_diags *diags;
  int shown; /* diagnostics printed */
  cli_progress progress;
  gradient_names gradient;
  event_memory memory; /* events of a run without a folder; sizes of states of any */
  int64_t runs;        /* done so far, while watching; 0: not watching */
} session;

/* ---- options ---- */

static void list_options(session *s) {
  const pawl_option *o;
  for (int i = 0; (o = pawl_option_get(i)) != NULL; i++) {
    bool many = strcmp(o->word, "realise") == 0;
    int has_value = o->type == PAWL_OPTION_FLAG ? 0 : many ? CLI_MANY : 1;
    s->options[s->n_option++] = (cli_option){o->word, o->letter, has_value};
  }
}

/* The text given for an option of the table, or NULL. */
static const char *given(const session *s, const char *word) {
  for (int i = 0; i < s->n_option; i++) {
    if (strcmp(s->options[i].name, word) == 0) {
      return s->args.value[i];
    }
  }
  return NULL;
}

static int parse_save(const char *text, pawl_run_opts *opts) {
  while (*text != '\0') {
    size_t len = strcspn(text, ",");
    if (len == 3 && strncmp(text, "npz", len) == 0) {
      opts->save |= PAWL_SAVE_NPZ;
    } else if (len == 2 && strncmp(text, "h5", len) == 0) {
      opts->save |= PAWL_SAVE_H5;
    } else if (len != 3 || strncmp(text, "csv", len) != 0) {
      return cli_usage_error("run", "cannot save `%.*s`; the formats are csv, npz and h5", (int)len,
                             text);
    }
    text += len + (text[len] == ',');
  }
  return -1;
}

static int read_options(session *s) {
  const char *span = given(s, "time"), *save = given(s, "save");
  int code = span == NULL ? -1 : run_option_span("run", span, &s->opts.sim);
  const pawl_option *o;
  for (int i = 0; code < 0 && (o = pawl_option_get(i)) != NULL; i++) {
    code = run_option_set("run", o, s->args.value[i], &s->opts);
  }
  s->opts.force = given(s, "force") != NULL;
  s->opts.no_report = given(s, "no-report") != NULL;
  const char *by = given(s, "gradient");
  if (code < 0 && by != NULL) {
    if (gradient_names_read(&s->gradient, by) != 0) {
      return cli_usage_error("run", "--gradient needs names with commas between, at most %d",
                             GRADIENT_MOST);
    }
    s->opts.gradient = s->gradient.name;
    s->opts.n_gradient = s->gradient.n;
  }
  return code < 0 && save != NULL ? parse_save(save, &s->opts) : code;
}

/* "models/ball.pawl" is written to "ball.out". */
static int choose_folder(session *s) {
  const char *dir = given(s, "output");
  if (given(s, "no-save") != NULL) {
    bool other = dir != NULL || given(s, "save") != NULL || given(s, "force") != NULL;
    s->opts.keep_events = given(s, "json") != NULL;
    return other
               ? cli_usage_error("run", "--no-save writes no folder: -o, --save and --force do not "
                                        "go with it")
               : -1;
  }
  if (dir != NULL) {
    if (dir[0] == '\0') {
      return cli_usage_error("run", "-o needs the name of a folder");
    }
    s->opts.dir = dir;
    return -1;
  }
  const char *name = cli_model_name(s->args.words[0]);
  const char *slash = strrchr(name, '/');
  name = slash == NULL ? name : slash + 1;
  size_t len = strlen(name);
  if (len > 5 && strcmp(name + len - 5, ".pawl") == 0) {
    len -= 5;
  }
  snprintf(s->dir, sizeof s->dir, "%.*s.out", (int)len, name);
  s->opts.dir = s->dir;
  return -1;
}

/* ---- a run ---- */

static int on_progress(void *payload, const pawl_progress *now) {
  session *s = payload;
  return progress_step(&s->progress, now);
}

static void on_row(void *payload, const double *values) {
  session *s = payload;
  event_memory_row(&s->memory, values);
}

static void on_event(void *payload, const pawl_run_event *event) {
  session *s = payload;
  event_memory_add(&s->memory, event);
}

static int exit_code(pawl_status status, const pawl_run_result *r) {
  if (status == PAWL_E_FILE) {
    return CLI_FILE;
  }
  if (r->ending == PAWL_STOPPED_EARLY) {
    return r->saved || r->rows > 0 ? CLI_EARLY : CLI_MODEL;
  }
  if (r->ending == PAWL_INTERRUPTED) {
    return CLI_INTERRUPT;
  }
  return status != PAWL_OK ? CLI_EARLY : r->failed > 0 || r->not_a_motion ? CLI_EXPECT : CLI_DONE;
}

static int print_errors(const session *s, const char *file) {
  if (given(s, "json") != NULL) {
    return cli_errors_json(file, s->diags);
  }
  return 0;
}

static int print_result(session *s, pawl_run *run, int code) {
  pawl_run_result r = pawl_run_result_get(run);
  bool kept = r.saved || (pawl_run_dir(run) == NULL && r.ending != PAWL_NOT_ENDED);
  if (!kept) {
    print_errors(s, pawl_system_file(pawl_run_system(run)));
    return code;
  }
  if (r.ending == PAWL_ENDED || r.ending == PAWL_ENDED_BY_EVENT) {
    summary_expectations(run, stderr, "");
  }
  if (given(s, "json") != NULL) {
    int written = cli_written(pawl_run_json(run, s->diags, cli_to_stream, stdout));
    if (written != CLI_DONE) {
      return written;
    }
  } else if (!s->args.quiet) {
    bool whole = given(s, "resume") == NULL; /* rows from before were not seen */
    const summary_opts opts = {s->args.verbose, s->args.color_out, whole ? &s->memory : NULL};
    if (s->runs > 0) {
      summary_line(run, s->runs, s->args.color_out);
    } else {
      summary_print(run, &opts);
    }
    gradient_print(pawl_run_gradient(run), stdout);
  } else if (r.not_a_motion) { /* a failure is always told */
    pawl_certificate k = pawl_run_certificate(run);
    certificate_line(&k, pawl_run_certifier(run), stderr);
  }
  return code;
}

static int go(session *s, pawl_run *run) {
  cli_show(s->diags, &s->args, &s->shown);
  event_memory_begin(&s->memory, pawl_run_system(run));
  pawl_status status = pawl_run_go(run, s->diags);
  progress_wipe(&s->progress);
  pawl_run_result r = pawl_run_result_get(run);
  cli_show(s->diags, &s->args, &s->shown);
  if (status != PAWL_OK) {
    cli_fail(status, s->diags);
  }
  return print_result(s, run, exit_code(status, &r));
}

static int run_once(session *s) {
  const char *resume = given(s, "resume");
  pawl_model *model = NULL;
  pawl_run *run = NULL;
  s->diags = cli_diags();
  s->shown = 0;
  progress_begin(&s->progress, s->args.quiet);
  pawl_status status;
  if (resume != NULL) {
    status = pawl_run_resume(resume, &s->opts, s->diags, &run);
  } else {
    status = cli_load(s->args.words[0], s->diags, &model);
    status = model != NULL ? pawl_run_new(model, &s->opts, s->diags, &run) : status;
  }
  int code;
  if (status == PAWL_OK) {
    code = go(s, run);
  } else {
    cli_show(s->diags, &s->args, &s->shown);
    code = cli_fail(status, s->diags);
    print_errors(s, resume != NULL ? resume : cli_model_name(s->args.words[0]));
  }
  event_memory_free(&s->memory);
  pawl_run_free(run);
  pawl_model_free(model);
  pawl_diags_free(s->diags);
  return code;
}

/* ---- watching ---- */

static bool same_time(const struct stat *a, const struct stat *b) {
  return a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec &&
         a->st_size == b->st_size && a->st_ino == b->st_ino;
}

/* Whether a run has left results: errors of the model and of files leave none. */
static bool has_results(int code) {
  return code == CLI_DONE || code == CLI_EARLY || code == CLI_EXPECT || code == CLI_INTERRUPT;
}

/* After an error the folder still holds what a version before has left. */
static void tell_watching(const session *s, int64_t last) {
  if (s->args.quiet) {
    return;
  }
  if (last > 0 && last < s->runs && s->opts.dir != NULL) {
    fprintf(stderr, "%s still has the results of run %" PRId64 ", the last good version\n",
            s->opts.dir, last);
  }
  if (s->runs == 1) {
    fprintf(stderr, "watching %s, Ctrl-C ends\n", s->args.words[0]);
  }
}

static int watch(session *s) {
  const char *path = s->args.words[0];
  const struct timespec pause = {.tv_nsec = 200 * 1000 * 1000};
  struct stat before = {0}, now;
  int64_t last = 0; /* the last run that left results */
  for (;;) {
    if (stat(path, &before) != 0) {
      before = (struct stat){0};
    }
    s->runs++;
    last = has_results(run_once(s)) ? s->runs : last;
    progress_idle();
    fflush(stdout);
    tell_watching(s, last);
    do {
      if (progress_interrupted()) {
        return CLI_INTERRUPT;
      }
      nanosleep(&pause, NULL);
    } while (stat(path, &now) != 0 || same_time(&before, &now));
  }
}

static int start(session *s) {
  const cli_args *args = &s->args;
  if (given(s, "resume") != NULL) {
    bool other = args->n_word > 0;
    for (int i = 0; i < s->n_option; i++) {
      const char *name = s->options[i].name;
      other = other ||
              (args->value[i] != NULL && strcmp(name, "resume") != 0 && strcmp(name, "json") != 0);
    }
    return other ? cli_usage_error("run", "--resume takes model and options from the folder alone")
                 : run_once(s);
  }
  if (args->n_word == 0) {
    return cli_usage_error("run", "the MODEL file is missing");
  }
  int code = cli_overrides("run", args, &s->changes);
  double from, to;
  if (code < 0 && given(s, "time") != NULL && cli_span(given(s, "time"), &from, &to) && from > to) {
    return run_backward(args, &s->changes, from, to, given(s, "json") != NULL);
  }
  if (code < 0) {
    code = read_options(s);
  }
  if (code < 0) {
    code = choose_folder(s);
  }
  if (code >= 0) {
    return code;
  }
  s->opts.row = on_row;
  s->opts.event = s->opts.dir == NULL ? on_event : NULL;
  if (given(s, "input") != NULL) { /* there is room for one more */
    s->changes.items[s->changes.n++] = (pawl_override){"input file", given(s, "input")};
  }
  s->opts.overrides = s->changes.items;
  s->opts.n_override = s->changes.n;
  if (given(s, "watch") != NULL && strcmp(args->words[0], "-") == 0) {
    return cli_usage_error("run", "standard input cannot be watched");
  }
  return given(s, "watch") != NULL ? watch(s) : run_once(s);
}

int cmd_run(int argc, char **argv) {
  session s = {.opts = {.progress = on_progress, .payload = &s}};
  list_options(&s);
  const cli_spec spec = {.command = "run",
                         .help = help,
                         .help_options = print_run_options,
                         .options = s.options,
                         .n_option = s.n_option,
                         .max_words = -1,
                         .missing = "the MODEL file"};
  int code = cli_parse(&spec, argc, argv, &s.args);
  if (code >= 0) {
    return code;
  }
  code = start(&s);
  cli_changes_free(&s.changes);
  return code;
}
