// SPDX-License-Identifier: MIT
/* `pawl certify`: whether a trajectory is a motion. */
#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "certificate_line.h"
#include "pawl/traj.h"
#include "progress.h"

static const char help[] =
    "usage: pawl certify DIR [--tol X] [--variations=off] [--json]\n"
    "       pawl certify M.pawl FILE.csv [NAME=VALUE ...] [--impacts open] [--tol X]\n"
    "                    [--variations=off] [--json]\n\n"
    "Checks every row of a results folder, or of a file by any other program, against the laws of\n"
    "the model. The checker shares no code with the integrator. The file needs the columns `t` and "
    "all\n"
    "positions; velocities (x') and forces (force(c)) are used if present.\n\n"
    "  --tol 1e-5    relative error above which the check fails (for a folder 1e-6)\n"
    "  --variations=off   do not try the action of varied curves, which takes most of the time\n"
    "                and does not change the verdict\n"
    "  --impacts open   for a FILE: impact laws are not checked, and the model needs none. The\n"
    "                curve is judged by Hamilton's principle alone: weak if impulses push along\n"
    "                normals, strong if impacts keep the energy\n"
    "  --json        the certificate as one JSON object\n\n"
    "Exit code 0 for STRONG and WEAK, 4 for NOT A MOTION, 3 for UNDECIDED.\n";

enum { TOL, VARIATIONS, IMPACTS, JSON, N_OPTIONS };
static const cli_option options[N_OPTIONS] = {
    {"tol", 0, true}, {"variations", 0, true}, {"impacts", 0, true}, {"json", 0, false}};

typedef struct session {
  cli_args args;
  pawl_diags *diags;
  pawl_model *model;
  pawl_system *system;
  pawl_certifier *certifier;
  pawl_certify_opts opts;
  cli_progress progress;
  bool fixed_steps;      /* the folder is of a method with fixed steps: rows do not show these */
  pawl_traj_match match; /* of a folder: its tables and its motion.pwt */
  const char *dir;       /* the folder, if its motion.pwt is judged */
} session;

/* The text behind a key of summary.json, which `run` has written in one form. */
static const char *value_of(const char *text, const char *key) {
  const char *at = strstr(text, key);
  return at == NULL ? NULL : at + strlen(key);
}

/* The name of a method stands before a quote. `auto` is the name of runs that took steps in part.
 */
static bool has_fixed_steps(const char *text) {
  const char *name;
  for (int i = 0; (name = pawl_method_name((pawl_method)i)) != NULL; i++) {
    size_t len = strlen(name);
    if (strncmp(text, name, len) == 0 && text[len] == '"') {
      return pawl_method_is_fixed((pawl_method)i) || i == PAWL_METHOD_BY_SIZE;
    }
  }
  return false;
}

/* Intervals in which the run may have missed something: a list of {"from": ...}. */
static void read_unseen(session *s, const char *text) {
  const char *from = value_of(text, "\"unseen\": [{\"from\": ");
  const char *end = from == NULL ? NULL : strchr(from, ']');
  if (from == NULL || end == NULL) {
    return;
  }
  s->opts.unseen_t = strtod(from, NULL);
  for (; from != NULL && from < end; from = strstr(from, "{\"from\": ")) {
    s->opts.unseen++;
    from++;
  }
}

static bool read_summary(session *s, const char *path) {
  cli_text text;
  if (!cli_read(path, &text)) {
    return false;
  }
  const char *tol = value_of(text.bytes, "\"tol\": ");
  const char *impacts = value_of(text.bytes, "\"impacts\": \"");
  const char *steps = value_of(text.bytes, "\"steps\": ");
  const char *rows = value_of(text.bytes, "\"rows\": ");
  const char *method = value_of(text.bytes, "\"integrator\": \"");
  s->opts.noise = tol == NULL ? 0 : strtod(tol, NULL);
  double n = rows == NULL ? 0 : strtod(rows, NULL);
  s->opts.steps = steps == NULL || !(n > 0) ? 0 : strtod(steps, NULL) / n;
  s->opts.tol = s->opts.tol > 0 ? s->opts.tol : 1e-6;
  s->opts.sequential = impacts != NULL && strncmp(impacts, "sequential", 10) == 0;
  s->fixed_steps = method != NULL && has_fixed_steps(method);
  read_unseen(s, text.bytes);
  free(text.bytes);
  return true;
}

/* A table that is not the one of the run says nothing about its accuracy: it is judged as one by
 * any other program. Folders of older versions have no motion.pwt to compare with. */
static bool compare_tables(session *s, const char *dir) {
  if (pawl_traj_compare(dir, &s->match) != PAWL_OK) {
    return false;
  }
  bool same = s->match.trajectory && s->match.events;
  s->opts.tables = s->match.damaged ? "damaged" : !s->match.known ? NULL : same ? "run" : "foreign";
  s->dir = s->match.known && s->match.trajectory ? dir : NULL;
  if (s->match.known && !s->match.trajectory) {
    s->opts.noise = s->opts.steps = 0;
    s->opts.tol = s->args.value[TOL] == NULL ? 0 : s->opts.tol;
  }
  return true;
}

static void print_match(const session *s) {
  const pawl_traj_match *m = &s->match;
  if (m->known && m->trajectory && m->events) {
    puts("stored       trajectory.csv and events.csv are those of motion.pwt");
  } else if (m->known) {
    printf("stored       %s not of motion.pwt: judged as of another program\n",
           m->events       ? "trajectory.csv is"
           : m->trajectory ? "events.csv is"
                           : "trajectory.csv and events.csv are");
  } else if (m->damaged) {
    puts("stored       motion.pwt is damaged: it cannot be told whether the tables are its own");
  }
}

static int exit_code(pawl_verdict verdict) {
  switch (verdict) {
  case PAWL_STRONG:
  case PAWL_WEAK: return CLI_DONE;
  case PAWL_NOT_A_MOTION: return CLI_EXPECT;
  default: return CLI_EARLY;
  }
}

static int print(session *s) {
  pawl_certificate k = pawl_certify_get(s->certifier);
  if (s->fixed_steps && s->dir == NULL) {
    k.sentence = "rows do not show the steps of a method with fixed steps, and there is no "
                 "motion.pwt that belongs to them";
  }
  if (s->args.value[JSON] != NULL) {
    int written = cli_written(pawl_certify_json(s->certifier, 0, cli_to_stream, stdout));
    putchar('\n');
    return written == CLI_DONE ? exit_code(k.verdict) : written;
  }
  if (!s->args.quiet) {
    print_match(s);
    certificate_line(&k, s->certifier, stdout);
    certificate_table(s->certifier, s->args.verbose, stdout);
  } else if (exit_code(k.verdict) != CLI_DONE) { /* a failure is always told */
    certificate_line(&k, s->certifier, stderr);
  }
  return exit_code(k.verdict);
}

static int on_rows(void *payload, int64_t rows, int64_t all) {
  session *s = payload;
  char what[40] = "rows read";
  if (all > 0) {
    snprintf(what, sizeof what, "of %" PRId64 " rows checked", all);
  }
  return progress_count(&s->progress, rows, what);
}

static pawl_status check(session *s, const char *model, const char *file,
                         const pawl_override *overrides, int n) {
  pawl_system_opts opts = {.overrides = overrides, .n_override = n, .no_start = 1};
  s->opts.variations = s->args.value[VARIATIONS] == NULL;
  pawl_status status = cli_load(model, s->diags, &s->model);
  status = s->model != NULL ? pawl_system_new(s->model, &opts, s->diags, &s->system) : status;
  if (status == PAWL_OK && s->fixed_steps && s->dir == NULL) {
    return pawl_certify_new(s->system, &s->opts, &s->certifier);
  }
  if (status == PAWL_OK) {
    s->opts.progress = on_rows;
    s->opts.payload = s;
    progress_begin(&s->progress, s->args.quiet);
    status = s->dir != NULL
                 ? pawl_certify_motion(s->system, s->dir, &s->opts, s->diags, &s->certifier)
                 : pawl_certify_file(s->system, file, &s->opts, s->diags, &s->certifier);
    progress_wipe(&s->progress);
  }
  return status;
}

static bool has_warning(const pawl_diags *diags) {
  for (int i = 0; i < pawl_diags_count(diags); i++) {
    if (pawl_diags_get(diags, i)->severity == PAWL_WARNING) {
      return true;
    }
  }
  return false;
}

static int run(session *s, const char *model, const char *file, const pawl_override *overrides,
               int n) {
  s->diags = cli_diags();
  pawl_status status = check(s, model, file, overrides, n);
  int shown = 0, code;
  cli_args told = s->args;
  told.quiet = told.quiet || !has_warning(s->diags); /* notes are for those who write the model */
  cli_show(s->diags, &told, &shown);
  if (progress_interrupted()) {
    code = CLI_INTERRUPT;
  } else if (status == PAWL_OK) {
    code = print(s);
  } else {
    code = cli_fail(status, s->diags);
    if (s->args.value[JSON] != NULL &&
        cli_errors_json(cli_model_name(model), s->diags) != CLI_DONE) {
      code = CLI_FILE;
    }
  }
  pawl_certify_free(s->certifier);
  pawl_system_free(s->system);
  pawl_model_free(s->model);
  pawl_diags_free(s->diags);
  return code;
}

static int run_folder(session *s, const char *dir) {
  char model[4200], file[4200], summary[4200], events[4200], lines[4200];
  snprintf(model, sizeof model, "%s/model.pawl", dir);
  snprintf(file, sizeof file, "%s/trajectory.csv", dir);
  snprintf(summary, sizeof summary, "%s/summary.json", dir);
  snprintf(events, sizeof events, "%s/events.csv", dir);
  snprintf(lines, sizeof lines, "%s/events.jsonl", dir);
  s->opts.events = events;
  s->opts.events_json = lines;
  if (!read_summary(s, summary)) {
    cli_help_unfinished(dir);
    return CLI_FILE;
  }
  if (!compare_tables(s, dir)) {
    fprintf(stderr, "error: %s\n", pawl_status_text(PAWL_E_MEMORY));
    return CLI_FILE;
  }
  return run(s, model, file, NULL, 0);
}

/* Impact laws left open, besides the changes. */
static int run_open(session *s, const cli_changes *changes) {
  pawl_override *all = cli_enough(calloc((size_t)changes->n + 1, sizeof *all));
  for (int i = 0; i < changes->n; i++) {
    all[i] = changes->items[i];
  }
  all[changes->n] = (pawl_override){"impact laws", "open"};
  s->opts.any_impact_law = 1;
  int code = run(s, s->args.words[0], s->args.words[1], all, changes->n + 1);
  free(all);
  return code;
}

/* The words behind the file. */
static int run_file(session *s) {
  cli_args behind = s->args;
  behind.words++;
  behind.n_word--;
  cli_changes changes = {0};
  int code = cli_overrides("certify", &behind, &changes);
  if (code < 0 && s->args.value[IMPACTS] != NULL) {
    code = run_open(s, &changes);
  } else if (code < 0) {
    code = run(s, s->args.words[0], s->args.words[1], changes.items, changes.n);
  }
  cli_changes_free(&changes);
  return code;
}

int cmd_certify(int argc, char **argv) {
  const cli_spec spec = {
      "certify", help, options, N_OPTIONS, 1, -1, "the results folder, or MODEL and FILE,", NULL};
  session s = {0};
  int code = cli_parse(&spec, argc, argv, &s.args);
  if (code >= 0) {
    return code;
  }

  const char *tol = s.args.value[TOL];
  if (tol != NULL && (!cli_number(tol, &s.opts.tol) || !(s.opts.tol > 0 && s.opts.tol < 1))) {
    return cli_usage_error("certify", "--tol needs a number between 0 and 1, not `%s`", tol);
  }
  const char *varied = s.args.value[VARIATIONS];
  if (varied != NULL && strcmp(varied, "off") != 0) {
    return cli_usage_error("certify", "--variations can only be `off`, not `%s`", varied);
  }
  const char *impacts = s.args.value[IMPACTS];
  if (impacts != NULL && strcmp(impacts, "open") != 0) {
    return cli_usage_error("certify", "--impacts can only be `open`, not `%s`", impacts);
  }
  if (impacts != NULL && s.args.n_word == 1) {
    return cli_usage_error("certify", "--impacts is for MODEL and FILE: a run has impact laws");
  }

  const char *first = s.args.words[0];
  size_t len = strlen(first);
  if (s.args.n_word == 1 && len > 5 && strcmp(first + len - 5, ".pawl") == 0) {
    return cli_usage_error("certify", "the FILE with the trajectory is missing");
  }
  return s.args.n_word == 1 ? run_folder(&s, first) : run_file(&s);
}
