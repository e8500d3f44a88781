// SPDX-License-Identifier: MIT
/* `pawl run`: the motion, its summary and its results folder. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "certificate_line.h"
#include "progress.h"
#include "summary.h"

static const char help[] =
    "usage: pawl run M.pawl [NAME=VALUE ...] [options]\n"
    "       pawl run --resume DIR\n\n"
    "Computes the motion and writes a results folder. NAME=VALUE replaces a parameter or a start\n"
    "value (`e=0.8`, `\"y'=2\"` or `d.y=2`).\n\n"
    "  -t A..B             time span instead of the run statement's\n"
    "  --tol 1e-9          error per step, relative\n"
    "  --every DT          time between rows (default: a 2000th of the span)\n"
    "  --method event      event (chosen by the tolerance), dp5, dop853, moreau, variational\n"
    "  --step H            largest step; of moreau and variational: every step\n"
    "  --max-steps N       stop after N steps; --max-events N after N events\n"
    "  --max-seconds N     stop after N seconds of wall time\n"
    "  -o DIR              results folder (default: the model's name with .out)\n"
    "  --force             replace a results folder even if it holds a run that was killed\n"
    "  --save csv,npz,h5   formats of the trajectory (csv is always written)\n"
    "  --json              the result as one JSON object on standard output\n"
    "  --watch             run again whenever the model file changes\n"
    "  --resume DIR        go on with a run that was killed\n"
    "  --certify=off       no certificate\n"
    "  --realise NAME=HOW  the constraint NAME, or member NAME[2], realised in another way:\n"
    "                      nonholonomic (or ideal), vakonomic, viscous:N, viscous:N:STIFFNESS,\n"
    "                      inertia:PHI, servo:x or servo:(x:a,y:b) (also for check and gauss)\n"
    "  --impacts sequential        contacts hit at one instant one after the other\n"
    "  --energy-gain stop          end at an impact that gains energy\n"
    "  --start-impact allow        an inward velocity at the start is an impact\n"
    "  --restitution-above-one allow\n"
    "  --paradox strict            end where friction leaves no motion, or several; iwc: stop the\n"
    "                              slip by an impact; enumerate: list the motions, go on with "
    "one\n";

enum {
  SPAN,
  TOL,
  EVERY,
  METHOD,
  STEP,
  MAX_STEPS,
  MAX_EVENTS,
  MAX_SECONDS,
  DIR,
  FORCE,
  SAVE,
  JSON,
  WATCH,
  RESUME,
  CERTIFY,
  NO_REPORT,
  IMPACTS,
  ENERGY_GAIN,
  PARADOX,
  START_IMPACT,
  ABOVE_ONE,
  REALISE,
  N_OPTIONS
};
static const cli_option options[N_OPTIONS] = {[SPAN] = {"time", 't', true},
                                              [TOL] = {"tol", 0, true},
                                              [EVERY] = {"every", 0, true},
                                              [METHOD] = {"method", 0, true},
                                              [STEP] = {"step", 0, true},
                                              [MAX_STEPS] = {"max-steps", 0, true},
                                              [MAX_EVENTS] = {"max-events", 0, true},
                                              [MAX_SECONDS] = {"max-seconds", 0, true},
                                              [DIR] = {"output", 'o', true},
                                              [FORCE] = {"force", 0, false},
                                              [SAVE] = {"save", 0, true},
                                              [JSON] = {"json", 0, false},
                                              [WATCH] = {"watch", 0, false},
                                              [RESUME] = {"resume", 0, true},
                                              [CERTIFY] = {"certify", 0, true},
                                              [NO_REPORT] = {"no-report", 0, false},
                                              [IMPACTS] = {"impacts", 0, true},
                                              [ENERGY_GAIN] = {"energy-gain", 0, true},
                                              [PARADOX] = {"paradox", 0, true},
                                              [START_IMPACT] = {"start-impact", 0, true},
                                              [ABOVE_ONE] = {"restitution-above-one", 0, true},
                                              [REALISE] = {"realise", 0, CLI_MANY}};

static const double most_time = 1e100; /* beyond it squares of times overflow */

typedef struct session {
  cli_args args;
  pawl_run_opts opts;
  cli_changes changes;
  char dir[4096]; /* the default folder */
  pawl_diags *diags;
  int shown; /* diagnostics printed */
  cli_progress progress;
} session;

/* ---- options ---- */

static int parse_span(const char *text, pawl_sim_opts *sim) {
  if (!cli_span(text, &sim->from, &sim->to)) {
    return cli_usage_error("run", "-t needs a span of two plain numbers such as 0..6.28, not `%s`",
                           text);
  }
  if (!(sim->from < sim->to)) {
    return cli_usage_error("run",
                           sim->from > sim->to ? "the span %s does not go forward in time"
                                               : "the span %s has no length",
                           text);
  }
  if (fmax(fabs(sim->from), fabs(sim->to)) > most_time) {
    return cli_usage_error("run", "times of a span go up to 1e100, not `%s`", text);
  }
  sim->use_span = 1;
  return -1;
}

static int parse_method(const char *text, pawl_run_opts *opts) {
  const char *name;
  opts->use_method = 1;
  for (int i = 0; (name = pawl_method_name((pawl_method)i)) != NULL; i++) {
    if (strcmp(text, name) == 0) {
      opts->sim.method = (pawl_method)i;
      return -1;
    }
  }
  return cli_usage_error("run",
                         "there is no method `%s`; choose event, dp5, dop853, moreau or "
                         "variational",
                         text);
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

/* Numbers above 0. */
static int parse_numbers(const cli_args *args, pawl_run_opts *opts) {
  const struct {
    int option;
    double *out;
  } numbers[] = {{TOL, &opts->sim.tol},
                 {EVERY, &opts->every},
                 {STEP, &opts->sim.max_step},
                 {MAX_SECONDS, &opts->max_seconds}};
  for (int i = 0; i < 4; i++) {
    const char *text = args->value[numbers[i].option];
    if (text != NULL && (!cli_number(text, numbers[i].out) || !(*numbers[i].out > 0))) {
      return cli_usage_error("run", "--%s needs a number above 0, not `%s`",
                             options[numbers[i].option].name, text);
    }
  }
  const struct {
    int option;
    long *out;
  } counts[] = {{MAX_STEPS, &opts->sim.max_steps}, {MAX_EVENTS, &opts->sim.max_events}};
  for (int i = 0; i < 2; i++) {
    const char *text = args->value[counts[i].option];
    if (text != NULL && !cli_count(text, counts[i].out)) {
      return cli_usage_error("run", "--%s needs a whole number from 1 on, not `%s`",
                             options[counts[i].option].name, text);
    }
  }
  return -1;
}

/* The words have been checked. */
static void choose_impacts(const cli_args *args, pawl_sim_opts *sim) {
  const char *impacts = args->value[IMPACTS], *gain = args->value[ENERGY_GAIN];
  if (impacts != NULL) {
    sim->impacts =
        strcmp(impacts, "sequential") == 0 ? PAWL_IMPACTS_SEQUENTIAL : PAWL_IMPACTS_SIMULTANEOUS;
  }
  if (gain != NULL) {
    sim->energy_gain = strcmp(gain, "stop") == 0 ? PAWL_GAIN_STOP : PAWL_GAIN_ALLOW;
  }
  const char *paradox = args->value[PARADOX];
  if (paradox != NULL) {
    sim->paradox = strcmp(paradox, "iwc") == 0         ? PAWL_PARADOX_IWC
                   : strcmp(paradox, "enumerate") == 0 ? PAWL_PARADOX_ENUMERATE
                                                       : PAWL_PARADOX_STRICT;
  }
  sim->start_impact = args->value[START_IMPACT] != NULL;
  sim->restitution_above_one = args->value[ABOVE_ONE] != NULL;
}

/* Options with a choice of words. Those of laws with impacts change nothing without such laws. */
static int check_choices(const cli_args *args) {
  static const struct {
    int option;
    const char *choices[4];
  } words[] = {{CERTIFY, {"on", "off"}},         {IMPACTS, {"sequential", "simultaneous"}},
               {ENERGY_GAIN, {"allow", "stop"}}, {PARADOX, {"strict", "iwc", "enumerate"}},
               {START_IMPACT, {"allow"}},        {ABOVE_ONE, {"allow"}}};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    const char *text = args->value[words[i].option];
    bool known = text == NULL;
    for (int k = 0; k < 4 && !known && words[i].choices[k] != NULL; k++) {
      known = strcmp(text, words[i].choices[k]) == 0;
    }
    if (!known) {
      return cli_usage_error("run", "--%s is not `%s` but for example `%s`",
                             options[words[i].option].name, text, words[i].choices[0]);
    }
  }
  return -1;
}

static int read_options(session *s) {
  const cli_args *args = &s->args;
  int code = args->value[SPAN] == NULL ? -1 : parse_span(args->value[SPAN], &s->opts.sim);
  if (code < 0) {
    code = parse_numbers(args, &s->opts);
  }
  if (code < 0 && args->value[METHOD] != NULL) {
    code = parse_method(args->value[METHOD], &s->opts);
  }
  if (code < 0 && args->value[SAVE] != NULL) {
    code = parse_save(args->value[SAVE], &s->opts);
  }
  if (code < 0) {
    code = check_choices(args);
    choose_impacts(args, &s->opts.sim);
    s->opts.no_certificate =
        args->value[CERTIFY] != NULL && strcmp(args->value[CERTIFY], "off") == 0;
  }
  return code;
}

/* "models/ball.pawl" is written to "ball.out". */
static int choose_folder(session *s) {
  if (s->args.value[DIR] != NULL) {
    if (s->args.value[DIR][0] == '\0') {
      return cli_usage_error("run", "-o needs the name of a folder");
    }
    s->opts.dir = s->args.value[DIR];
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

static int exit_code(pawl_status status, const pawl_run_result *r) {
  if (status == PAWL_E_FILE) {
    return CLI_FILE;
  }
  if (r->ending == PAWL_STOPPED_EARLY) {
    return r->saved ? CLI_EARLY : CLI_MODEL;
  }
  if (r->ending == PAWL_INTERRUPTED) {
    return CLI_INTERRUPT;
  }
  return status != PAWL_OK ? CLI_EARLY : r->failed > 0 || r->not_a_motion ? CLI_EXPECT : CLI_DONE;
}

static int print_errors(const session *s, const char *file) {
  if (s->args.value[JSON] != NULL) {
    return cli_errors_json(file, s->diags);
  }
  return 0;
}

static int print_result(session *s, pawl_run *run, int code) {
  pawl_run_result r = pawl_run_result_get(run);
  if (!r.saved) {
    print_errors(s, pawl_system_file(pawl_run_system(run)));
    return code;
  }
  if (r.ending == PAWL_ENDED || r.ending == PAWL_ENDED_BY_EVENT) {
    summary_expectations(run, stderr, "");
  }
  if (s->args.value[JSON] != NULL) {
    int written = cli_written(pawl_run_json(run, s->diags, cli_to_stream, stdout));
    if (written != CLI_DONE) {
      return written;
    }
  } else if (!s->args.quiet) {
    summary_print(run, s->args.verbose);
  } else if (r.not_a_motion) { /* a failure is always told */
    pawl_certificate k = pawl_run_certificate(run);
    certificate_line(&k, pawl_run_certifier(run), stderr);
  }
  return code;
}

static int go(session *s, pawl_run *run) {
  cli_show(s->diags, &s->args, &s->shown);
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
  const char *resume = s->args.value[RESUME];
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

static int watch(session *s) {
  const char *path = s->args.words[0];
  const struct timespec pause = {.tv_nsec = 200 * 1000 * 1000};
  struct stat before = {0}, now;
  for (;;) {
    if (stat(path, &before) != 0) {
      before = (struct stat){0};
    }
    run_once(s);
    fflush(stdout);
    fprintf(stderr, "watching %s, Ctrl-C ends\n", path);
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
  if (args->value[RESUME] != NULL) {
    bool other = args->n_word > 0;
    for (int i = 0; i < N_OPTIONS; i++) {
      other = other || (args->value[i] != NULL && i != RESUME && i != JSON);
    }
    return other ? cli_usage_error("run", "--resume takes model and options from the folder alone")
                 : run_once(s);
  }
  if (args->n_word == 0) {
    return cli_usage_error("run", "the MODEL file is missing");
  }
  int code = cli_overrides("run", args, &s->changes);
  if (code < 0) {
    code = read_options(s);
  }
  if (code < 0) {
    code = choose_folder(s);
  }
  if (code >= 0) {
    return code;
  }
  s->opts.overrides = s->changes.items;
  s->opts.n_override = s->changes.n;
  s->opts.force = args->value[FORCE] != NULL;
  if (args->value[WATCH] != NULL && strcmp(args->words[0], "-") == 0) {
    return cli_usage_error("run", "standard input cannot be watched");
  }
  return args->value[WATCH] != NULL ? watch(s) : run_once(s);
}

int cmd_run(int argc, char **argv) {
  const cli_spec spec = {"run", help, options, N_OPTIONS, 0, -1, "the MODEL file"};
  session s = {.opts = {.progress = on_progress, .payload = &s}};
  int code = cli_parse(&spec, argc, argv, &s.args);
  if (code >= 0) {
    return code;
  }
  code = start(&s);
  cli_changes_free(&s.changes);
  return code;
}
