// SPDX-License-Identifier: MIT
/* `pawl bvp`: motions between two positions in a given time. */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "progress.h"

static const char help[] =
    "usage: pawl bvp M.pawl [NAME=VALUE ...] [-t A..B] [--bounces A..B] [--all] [--mesh N]\n"
    "                [--degree P] [--converge] [--ends natural] [--end-time free] [-o DIR]\n"
    "                [--json]\n\n"
    "Motions that join the `start` positions to the `end` positions in the time of the run\n"
    "statement. Pawl searches for start velocities and for the multipliers of vakonomic laws;\n"
    "impacts follow the laws of the model. Coordinates that `end` does not mention end at 0;\n"
    "`~` leaves them free. Exit code 3 if no motion is found.\n\n"
    "  -t, --time A..B   time span (default: that of the run statement)\n"
    "  --bounces A..B    numbers of impacts to search for (default: 0..5)\n"
    "  --all             a finer search, over higher speeds, up to 20 impacts\n"
    "  --mesh N          elements of the direct method, about N in all (default: adapted)\n"
    "  --degree P        degree of its polynomials, 1 to 10 (default: 6); the order is 2 P\n"
    "  --converge        a table of its errors, each line with twice the elements\n"
    "  --ends natural    coordinates that `~` leaves free end without momentum: the action is\n"
    "                    stationary also if they are varied there\n"
    "  --end-time free   the end time is free, too: the energy H vanishes there. The search\n"
    "                    begins with the given span\n"
    "  -o, --output DIR  the motions as tables, DIR/1.csv and so on, which `pawl certify` reads\n"
    "  --json            print the result as one JSON object\n";

enum { SPAN, BOUNCES, ALL, MESH, DEGREE, CONVERGE, ENDS, END_TIME, OUT, JSON, N_OPTIONS };
static const cli_option options[N_OPTIONS] = {
    {"time", 't', true},   {"bounces", 0, true},   {"all", 0, false}, {"mesh", 0, true},
    {"degree", 0, true},   {"converge", 0, false}, {"ends", 0, true}, {"end-time", 0, true},
    {"output", 'o', true}, {"json", 0, false}};

typedef struct problem {
  pawl_diags *diags;
  pawl_model *model;
  pawl_system *system;
  pawl_bvp *bvp;
  pawl_bvp_opts opts;
  cli_progress progress;
  int64_t trials;
  bool ended; /* by the user */
} problem;

static int on_trial(void *payload) {
  problem *x = payload;
  return progress_count(&x->progress, ++x->trials, "trial motions");
}

/* ---- for people ---- */

/* Without the digits that are below the errors: rounded to the next power of ten above them. */
static double known_digits(const pawl_bvp_solution *s, int i, double value) {
  double unit = pow(10, ceil(log10(s->known * s->u_size[i])));
  return unit > 0 && isfinite(unit) ? unit * nearbyint(value / unit) + 0.0 : value;
}

static void print_state(const char *title, const problem *x, const pawl_bvp_solution *s,
                        const double *q, const double *u) {
  const pawl_system *sys = x->system;
  printf("     %-10s", title);
  for (int i = 0; i < pawl_system_velocities(sys); i++) {
    printf("%s%s = %.9g", i == 0 ? "" : ", ", pawl_velocity_name(sys, i), known_digits(s, i, u[i]));
  }
  for (int i = 0; i < pawl_bvp_multipliers(x->bvp); i++) {
    printf(", force(%s) = %.9g", pawl_bvp_multiplier(x->bvp, i), q[pawl_system_positions(sys) + i]);
  }
  putchar('\n');
}

/* The direct method on the meshes that were asked for. */
static void print_levels(const pawl_bvp_solution *s) {
  if (s->n_level > 0) {
    printf("     %-10s%-10s%-8s%-12s%-8s%s\n", "direct", "elements", "degree", "error", "order",
           "action");
  }
  for (int i = 0; i < s->n_level; i++) {
    const pawl_bvp_level *l = &s->levels[i];
    printf("     %-10s%-10d%-8d", "", l->elements, l->degree);
    if (!l->solved) {
      printf("%s\n", l->why);
      continue;
    }
    printf("%-12.2e", l->error);
    if (isnan(l->order)) {
      printf("%-8s", "");
    } else {
      printf("%-8.2f", l->order);
    }
    printf("%.12g\n", l->action);
  }
}

static void print_solution(const problem *x, int number, const pawl_bvp_solution *s) {
  printf("%3d  %d bounce%s", number, s->bounces, s->bounces == 1 ? "" : "s");
  for (int i = 0; i < s->bounces; i++) {
    printf("%s%s at t = %.9g", i == 0 ? ": " : ", ", s->labels[i], s->times[i]);
  }
  for (int i = 0; i < s->n_segment; i++) {
    printf("%s%s %.9g..%.9g", i == 0 ? "; held by " : ", ", s->segments[i].law, s->segments[i].from,
           s->segments[i].to);
  }
  if (x->opts.free_time) {
    printf("; ends at t = %.9g", s->to);
  }
  putchar('\n');
  print_state("start", x, s, s->q_start, s->u_start);
  print_state("end", x, s, s->q_end, s->u_end);
  printf("     action    %.12g", s->action);
  if (s->direct.solved) {
    printf("   (solved anew as a whole: %s %.1e)",
           s->direct.agrees ? "velocities agree to" : "the solution DIFFERS by", s->direct.defect);
  } else {
    printf("   (not solved anew: %s)", s->direct.why);
  }
  printf("\n     verdict   %s\n", pawl_verdict_text(s->verdict));
  print_levels(s);
  if (s->family > 0) {
    printf("     one of a family with %d parameter%s: the slowest of those found\n", s->family,
           s->family == 1 ? "" : "s");
  }
}

static void print_all(const problem *x) {
  int n = pawl_bvp_count(x->bvp), d = pawl_bvp_freedom(x->bvp);
  printf("%s: %d motion%s found, %d free direction%s, %" PRId64 " trial motions\n",
         pawl_system_file(x->system), n, n == 1 ? "" : "s", d, d == 1 ? "" : "s",
         pawl_bvp_trials(x->bvp));
  for (int i = 0; i < n; i++) {
    pawl_bvp_solution s = pawl_bvp_get(x->bvp, i);
    print_solution(x, i + 1, &s);
  }
  printf("%s\n", x->ended ? "the search was interrupted"
                 : pawl_bvp_complete(x->bvp)
                     ? n == 0 ? "no motion with these numbers of bounces is expected"
                              : "no other motions with these numbers of bounces are expected"
                 : n == 0 ? "there may be some; `--all` searches more"
                          : "there may be others; `--all` searches more");
}

/* ---- tables ---- */

static bool write_table(pawl_bvp *bvp, int i, const char *path) {
  FILE *file = fopen(path, "w");
  bool ok = file != NULL && pawl_bvp_csv(bvp, i, cli_to_stream, file) == PAWL_OK;
  ok = (file == NULL || fclose(file) == 0) && ok;
  if (!ok) {
    fprintf(stderr, "error: cannot write `%s`: %s\n", path, strerror(errno));
  }
  return ok;
}

/* 1.csv, 12.csv, ... */
static bool is_table(const char *name) {
  size_t digits = strspn(name, "0123456789");
  return digits > 0 && strcmp(name + digits, ".csv") == 0;
}

static bool is_dots(const char *name) {
  return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

/* A folder that is there already is replaced only if it holds nothing but such tables. */
static bool may_replace(const char *dir) {
  DIR *list = opendir(dir);
  if (list == NULL && errno == ENOENT) {
    return true;
  }
  bool ok = list != NULL;
  for (struct dirent *d = NULL; ok && (d = readdir(list)) != NULL;) {
    ok = is_dots(d->d_name) || is_table(d->d_name);
  }
  if (list != NULL) {
    closedir(list);
  }
  if (!ok) {
    fprintf(stderr,
            "error[E0611]: `%s` is there already and is no folder with tables of `pawl bvp`\n"
            "  = help: choose another folder with `-o DIR`\n",
            dir);
  }
  return ok;
}

static void remove_tables(const char *dir) {
  char path[4096];
  DIR *list = opendir(dir);
  for (struct dirent *d = NULL; list != NULL && (d = readdir(list)) != NULL;) {
    int n = snprintf(path, sizeof path, "%s/%s", dir, d->d_name);
    if (is_table(d->d_name) && n > 0 && n < (int)sizeof path) {
      (void)unlink(path);
    }
  }
  if (list != NULL) {
    closedir(list);
  }
}

static bool write_tables(const problem *x, const char *dir) {
  char path[4096];
  bool ok = mkdir(dir, 0777) == 0 || errno == EEXIST;
  if (!ok) {
    fprintf(stderr, "error: cannot make the folder `%s`: %s\n", dir, strerror(errno));
    return false;
  }
  remove_tables(dir);
  for (int i = 0; ok && i < pawl_bvp_count(x->bvp); i++) {
    int n = snprintf(path, sizeof path, "%s/%d.csv", dir, i + 1);
    ok = n > 0 && n < (int)sizeof path && write_table(x->bvp, i, path);
  }
  return ok;
}

/* ---- the command ---- */

static int parse_bounces(const char *text, pawl_bvp_opts *o) {
  double a, b;
  if (!cli_span(text, &a, &b) || a < 0 || b < a || a != floor(a) || b != floor(b) || b > 60) {
    return cli_usage_error(
        "bvp", "--bounces needs two whole numbers up to 60, as in 0..3, not `%s`", text);
  }
  o->use_bounces = 1;
  o->least = (int)a;
  o->most = (int)b;
  return -1;
}

/* A whole number from 1 on; -1: it is one. */
static int parse_whole(const char *option, const char *text, int most, int *out) {
  char *end;
  double x = text == NULL ? 0 : strtod(text, &end);
  if (text == NULL) {
    return -1;
  }
  if (end == text || *end != '\0' || !(x >= 1 && x <= most) || x != floor(x)) {
    return cli_usage_error("bvp", "--%s needs a whole number from 1 to %d, not `%s`", option, most,
                           text);
  }
  *out = (int)x;
  return -1;
}

static int read_division(const cli_args *args, pawl_bvp_opts *o) {
  o->converge = args->value[CONVERGE] != NULL;
  int code = parse_whole("mesh", args->value[MESH], 10000, &o->mesh);
  return code >= 0 ? code : parse_whole("degree", args->value[DEGREE], 10, &o->degree);
}

/* An option that can have one value only. */
static int parse_word(const char *option, const char *text, const char *only, int *out) {
  *out = text != NULL;
  return text == NULL || strcmp(text, only) == 0
             ? -1
             : cli_usage_error("bvp", "--%s can only be `%s`, not `%s`", option, only, text);
}

static int read_options(const cli_args *args, pawl_bvp_opts *o) {
  o->all = args->value[ALL] != NULL;
  int code = read_division(args, o);
  code = code >= 0 ? code : parse_word("ends", args->value[ENDS], "natural", &o->natural);
  code = code >= 0 ? code : parse_word("end-time", args->value[END_TIME], "free", &o->free_time);
  if (code >= 0) {
    return code;
  }
  if (args->value[SPAN] != NULL) {
    if (!cli_span(args->value[SPAN], &o->from, &o->to)) {
      return cli_usage_error("bvp", "-t needs a time span, as in 0..5, not `%s`",
                             args->value[SPAN]);
    }
    o->use_span = 1;
  }
  return args->value[BOUNCES] == NULL ? -1 : parse_bounces(args->value[BOUNCES], o);
}

static int report(problem *x, pawl_status status, const cli_args *args) {
  int shown = 0;
  cli_show(x->diags, args, &shown);
  x->ended = x->bvp != NULL && status == PAWL_E_TIME;
  if (status != PAWL_OK && !x->ended) {
    int code = cli_fail(status, x->diags);
    int written = args->value[JSON] == NULL
                      ? CLI_DONE
                      : cli_errors_json(cli_model_name(args->words[0]), x->diags);
    return written == CLI_DONE ? code : written;
  }
  if (args->value[OUT] != NULL && !write_tables(x, args->value[OUT])) {
    return CLI_FILE;
  }
  if (args->value[JSON] != NULL) {
    int written = cli_written(pawl_bvp_json(x->bvp, cli_to_stream, stdout));
    if (written != CLI_DONE) {
      return written;
    }
  } else if (!args->quiet) {
    print_all(x);
  } else if (pawl_bvp_count(x->bvp) == 0 && !x->ended) { /* a failure is always told */
    fprintf(stderr, "%s: no motion joins the start to the end\n", cli_model_name(args->words[0]));
  }
  return x->ended ? CLI_INTERRUPT : pawl_bvp_count(x->bvp) > 0 ? CLI_DONE : CLI_EARLY;
}

static int run(const cli_args *args, const cli_changes *changes) {
  problem x = {0};
  int code = read_options(args, &x.opts);
  if (code >= 0) {
    return code;
  }
  if (args->value[OUT] != NULL && !may_replace(args->value[OUT])) {
    return CLI_FILE;
  }
  pawl_system_opts opts = {.overrides = changes->items, .n_override = changes->n, .between = 1};
  x.diags = cli_diags();
  pawl_status status = cli_load(args->words[0], x.diags, &x.model);
  if (status == PAWL_OK) {
    status = pawl_system_new(x.model, &opts, x.diags, &x.system);
  }
  if (status == PAWL_OK) {
    x.opts.ask = on_trial;
    x.opts.payload = &x;
    progress_begin(&x.progress, args->quiet);
    status = pawl_bvp_new(x.system, &x.opts, x.diags, &x.bvp);
    progress_wipe(&x.progress);
  }
  code = report(&x, status, args);
  pawl_bvp_free(x.bvp);
  pawl_system_free(x.system);
  pawl_model_free(x.model);
  pawl_diags_free(x.diags);
  return code;
}

int cmd_bvp(int argc, char **argv) {
  const cli_spec spec = {"bvp", help, options, N_OPTIONS, 1, -1, "the MODEL file", NULL};
  return cli_on_model(&spec, argc, argv, run);
}
