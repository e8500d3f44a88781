// SPDX-License-Identifier: MIT
/* `pawl sweep`: one model run many times, and a table of what came out. */
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "gradient_table.h"
#include "option_help.h"
#include "progress.h"
#include "run_option.h"
#include "sweep_team.h"

static const char help[] =
    "usage: pawl sweep M.pawl NAME=A:B:N | NAME=a,b,c | NAME~A:B ... [options]\n\n"
    "Runs the model for every member of a design and writes a table: the varied names, verdict,\n"
    "ending, records. NAME is a parameter or start value. Grids A:B:N (N values, both ends) and\n"
    "lists are combined, the last varies fastest; NAME~A:B is sampled. NAME=::N and NAME~ take "
    "the\n"
    "range that the model states with `in`.\n\n"
    "  --samples N            members of the sampled names (default: 256)\n"
    "  --design sobol|random  how they are spread (default: sobol, scrambled by the seed)\n"
    "  --seed N               another choice of samples (default: 0)\n"
    "  --follow               each member starts from the end of the one before, along NAME 1\n"
    "  --at EVENT             a row for every event of this name, law or kind, not one at the end\n"
    "  --after T              only events after time T\n"
    "  --last N               only the last N events of each member\n"
    "  --record a,b           columns to keep: x, d.x, force(LAW), outputs, t, min(x), max(x),\n"
    "                         count(EVENT), before(x) (default: the state, and t at events)\n"
    "  --gradient a,b         derivatives of the records by these parameters and start values, as\n"
    "                         further columns d(x)/d(a); at events those of their times\n"
    "  -j, --jobs N           threads; the table does not depend on it (default: 1)\n"
    "  --shard i/n            the i-th of n parts, counted from 1; together they are the table\n"
    "  -o, --output F.csv     the table, F.csv or F.h5 (default: csv to standard output)\n"
    "  --plot F.svg           a picture of it, F.svg or F.png: records over the name that varies, "
    "or\n"
    "                         the first record as a colour over two names\n"
    "  --resume               continue the unfinished sweep in F.csv\n"
    "  --force                replace an unfinished sweep\n\n"
    "Options of every member, as for `pawl run`:\n\n";

enum {
  SAMPLES,
  DESIGN,
  SEED,
  FOLLOW,
  AT,
  AFTER,
  LAST,
  RECORD,
  GRADIENT,
  JOBS,
  SHARD,
  OUTPUT,
  RESUME,
  FORCE,
  PLOT,
  N_OWN
};
static const cli_option own[N_OWN] = {
    {"samples", 0, 1}, {"design", 0, 1},   {"seed", 0, 1},   {"follow", 0, 0},   {"at", 0, 1},
    {"after", 0, 1},   {"last", 0, 1},     {"record", 0, 1}, {"gradient", 0, 1}, {"jobs", 'j', 1},
    {"shard", 0, 1},   {"output", 'o', 1}, {"resume", 0, 0}, {"force", 0, 0},    {"plot", 0, 1}};

typedef struct session {
  cli_option options[CLI_MOST_OPTIONS]; /* own ones, then those of the table that members have */
  const pawl_option *shared[CLI_MOST_OPTIONS];
  int n_option;
  cli_args args;
  pawl_sweep_opts opts;
  pawl_override realise[CLI_MOST_MANY];
  char names[CLI_MOST_MANY][128];
  gradient_names gradient;
  pawl_diags *diags;
  int shown;
  cli_progress progress;
} session;

/* ---- options ---- */

/* Folders and formats are of a single run. */
static bool is_of_member(const pawl_option *o) {
  static const char *const single[] = {"output", "force", "save",         "no-report", "no-save",
                                       "json",   "watch", "motion-bytes", "resume",    "jobs"};
  for (size_t i = 0; i < sizeof single / sizeof *single; i++) {
    if (strcmp(o->word, single[i]) == 0) {
      return false;
    }
  }
  return o->type != PAWL_OPTION_TEXT || strcmp(o->word, "time") == 0 ||
         strcmp(o->word, "realise") == 0;
}

static void print_shared_options(void) {
  print_options(is_of_member);
}

static void list_options(session *s) {
  const pawl_option *o;
  memcpy(s->options, own, sizeof own);
  s->n_option = N_OWN;
  for (int i = 0; (o = pawl_option_get(i)) != NULL && s->n_option < CLI_MOST_OPTIONS; i++) {
    if (is_of_member(o)) {
      bool many = strcmp(o->word, "realise") == 0;
      int has_value = o->type == PAWL_OPTION_FLAG ? 0 : many ? CLI_MANY : 1;
      s->shared[s->n_option] = o;
      s->options[s->n_option++] = (cli_option){o->word, o->letter, has_value};
    }
  }
}

static int read_count(const char *text, const char *word, int64_t *out) {
  return text == NULL || cli_count(text, out)
             ? -1
             : cli_usage_error("sweep", "--%s needs a whole number from 1 on, not `%s`", word,
                               text);
}

static int read_seed(const char *text, unsigned long long *out) {
  char *end;
  if (text == NULL) {
    return -1;
  }
  bool digits = text[0] >= '0' && text[0] <= '9' && strlen(text) <= 19;
  *out = digits ? strtoull(text, &end, 10) : 0;
  return digits && *end == '\0'
             ? -1
             : cli_usage_error("sweep", "--seed needs a whole number from 0 on, not `%s`", text);
}

static int read_shard(const char *text, pawl_sweep_opts *opts) {
  int64_t i = 0, n = 0;
  char rest;
  if (text == NULL) {
    return -1;
  }
  if (sscanf(text, "%" SCNd64 "/%" SCNd64 "%c", &i, &n, &rest) != 2 || i < 1 || n < i ||
      n > INT32_MAX) {
    return cli_usage_error("sweep", "--shard needs i/n with i from 1 to n, such as 1/4, not `%s`",
                           text);
  }
  opts->shard = (int)i;
  opts->shards = (int)n;
  return -1;
}

static int read_design(const char *text, pawl_sweep_opts *opts) {
  if (text == NULL || strcmp(text, "sobol") == 0) {
    return -1;
  }
  opts->design = PAWL_DESIGN_RANDOM;
  return strcmp(text, "random") == 0
             ? -1
             : cli_usage_error("sweep", "--design is sobol or random, not `%s`", text);
}

static int read_after(const char *text, pawl_sweep_opts *opts) {
  if (text == NULL) {
    return -1;
  }
  opts->use_after = 1;
  return cli_number(text, &opts->after)
             ? opts->at != NULL ? -1 : cli_usage_error("sweep", "--after needs --at")
             : cli_usage_error("sweep", "--after needs a time, not `%s`", text);
}

static int read_gradient(session *s, const char *text) {
  if (text == NULL) {
    return -1;
  }
  if (gradient_names_read(&s->gradient, text) != 0) {
    return cli_usage_error("sweep", "--gradient needs names with commas between, at most %d",
                           GRADIENT_MOST);
  }
  s->opts.run.gradient = s->gradient.name;
  s->opts.run.n_gradient = s->gradient.n;
  return -1;
}

static int read_jobs(const char *text, pawl_sweep_opts *opts) {
  int64_t n = 1;
  int code = read_count(text, "jobs", &n);
  enum { MOST_THREADS = 1024 };
  opts->threads = n < MOST_THREADS ? (int)n : MOST_THREADS;
  return code;
}

typedef pawl_status (*painter)(pawl_sweep *sweep, pawl_sink sink, void *payload);

/* NULL: neither. */
static painter painter_for(const char *path) {
  size_t n = strlen(path);
  const char *ending = n > 4 ? path + n - 4 : "";
  return strcmp(ending, ".svg") == 0   ? pawl_sweep_svg
         : strcmp(ending, ".png") == 0 ? pawl_sweep_png
                                       : NULL;
}

static int read_own(session *s) {
  const char *const *v = s->args.value;
  pawl_sweep_opts *opts = &s->opts;
  opts->follow = v[FOLLOW] != NULL;
  opts->at = v[AT];
  opts->record = v[RECORD];
  opts->path = v[OUTPUT];
  opts->resume = v[RESUME] != NULL;
  opts->force = v[FORCE] != NULL;
  opts->keep_rows = v[PLOT] != NULL;

  int code = read_count(v[SAMPLES], "samples", &opts->samples);
  code = code < 0 ? read_design(v[DESIGN], opts) : code;
  code = code < 0 ? read_seed(v[SEED], &opts->seed) : code;
  code = code < 0 ? read_after(v[AFTER], opts) : code;
  code = code < 0 ? read_count(v[LAST], "last", &opts->last) : code;
  code = code < 0 ? read_gradient(s, v[GRADIENT]) : code;
  code = code < 0 ? read_jobs(v[JOBS], opts) : code;
  code = code < 0 ? read_shard(v[SHARD], opts) : code;

  /* what does not go together */
  if (code < 0 && opts->last > 0 && opts->at == NULL) {
    return cli_usage_error("sweep", "--last needs --at");
  }
  if (code < 0 && opts->path != NULL && opts->path[0] == '\0') {
    return cli_usage_error("sweep", "-o needs the name of a file");
  }
  if (code < 0 && v[PLOT] != NULL && painter_for(v[PLOT]) == NULL) {
    return cli_usage_error("sweep", "--plot needs a file name that ends in .svg or .png, not `%s`",
                           v[PLOT]);
  }
  if (code < 0 && opts->path == NULL && opts->resume) {
    return cli_usage_error("sweep", "--resume needs the table: -o F.csv");
  }
  return code;
}

static int read_shared(session *s) {
  int code = -1;
  for (int i = N_OWN; i < s->n_option && code < 0; i++) {
    const char *text = s->args.value[i];
    bool span = strcmp(s->options[i].name, "time") == 0;
    code = span && text != NULL ? run_option_span("sweep", text, &s->opts.run.sim)
                                : run_option_set("sweep", s->shared[i], text, &s->opts.run);
  }
  return code;
}

static int read_realise(session *s) {
  for (int i = 0; i < s->args.n_many; i++) {
    const char *word = s->args.many[i], *equals = strchr(word, '=');
    if (equals == NULL || equals == word || equals[1] == '\0') {
      return cli_usage_error("sweep", "`%s` is not of the form NAME=HOW", word);
    }
    snprintf(s->names[i], sizeof s->names[i], "realise %.*s", (int)(equals - word), word);
    s->realise[i] = (pawl_override){s->names[i], equals + 1};
  }
  s->opts.run.overrides = s->realise;
  s->opts.run.n_override = s->args.n_many;
  return -1;
}

static int read_options(session *s) {
  if (s->args.n_word == 0) {
    return cli_usage_error("sweep", "the MODEL file is missing");
  }
  if (s->args.n_word == 1) {
    return cli_usage_error("sweep", "no name varies: write NAME=A:B:N, NAME=a,b,c or NAME~A:B");
  }
  s->opts.vary = (const char *const *)(s->args.words + 1);
  s->opts.n_vary = s->args.n_word - 1;
  int code = read_own(s);
  code = code < 0 ? read_shared(s) : code;
  return code < 0 ? read_realise(s) : code;
}

/* ---- progress and results ---- */

static void print_remaining(double seconds) {
  if (isnan(seconds)) {
    return;
  }
  if (seconds < 100) {
    fprintf(stderr, "  eta %.0f s", seconds);
  } else if (seconds < 6000) {
    fprintf(stderr, "  eta %.0f min", seconds / 60);
  } else {
    fprintf(stderr, "  eta %.1f h", seconds / 3600);
  }
}

static int on_progress(void *payload, const pawl_sweep_progress *now) {
  session *s = payload;
  enum { WIDTH = 24 };
  if (s->progress.draws && now->wall - (s->progress.drawn < 0 ? 0 : s->progress.drawn) > 0.2) {
    char bar[WIDTH + 1];
    int filled = now->members > 0 ? (int)((double)now->done / (double)now->members * WIDTH) : 0;
    memset(bar, '-', WIDTH);
    memset(bar, '#', (size_t)(filled > WIDTH ? WIDTH : filled));
    bar[WIDTH] = '\0';
    s->progress.drawn = now->wall;
    fprintf(stderr, "\r[%s] %" PRId64 "/%" PRId64 " members  %.3g/s", bar, now->done, now->members,
            now->rate);
    if (now->failed > 0) {
      fprintf(stderr, "  %" PRId64 " failed", now->failed);
    }
    print_remaining(now->remaining);
    fputs("\033[K", stderr);
    fflush(stderr);
  }
  return progress_interrupted();
}

static int to_output(void *payload, const char *bytes, unsigned long count) {
  (void)payload;
  return cli_to_stream(stdout, bytes, count);
}

/* Beside a table on standard output the summary would be part of it. */
static void print_result(const session *s, const pawl_sweep *sweep) {
  pawl_sweep_result r = pawl_sweep_result_get(sweep);
  if (r.failed > 0) {
    fprintf(stderr, "%" PRId64 " of %" PRId64 " members failed: see `ending` in the table\n",
            r.failed, r.done);
  }
  if (r.not_a_motion > 0) {
    fprintf(stderr,
            "%" PRId64 " of %" PRId64 " members are not a motion: see `verdict` in the table\n",
            r.not_a_motion, r.done);
  }

  if (s->opts.path == NULL || s->args.quiet) {
    return;
  }
  printf("sweep        %s, %" PRId64 " member%s of %" PRId64, cli_model_name(s->args.words[0]),
         r.done, r.done == 1 ? "" : "s", pawl_sweep_members(sweep));
  if (r.before > 0) {
    printf(", %" PRId64 " of them before", r.before);
  }
  printf("\ntable        %s, %" PRId64 " row%s of %d columns\n", s->opts.path, r.rows,
         r.rows == 1 ? "" : "s", pawl_sweep_columns(sweep));
  if (r.interrupted) {
    printf("interrupted  --resume goes on\n");
  }
  fputs("time         ", stdout);
  cli_print_time(stdout, r.wall);
  if (r.wall > 0 && r.done > r.before) {
    printf(", %.3g members/s", (double)(r.done - r.before) / r.wall);
  }
  putchar('\n');
}

static int exit_code(const pawl_sweep_result *r) {
  return r->interrupted                          ? CLI_INTERRUPT
         : r->not_a_motion > 0                   ? CLI_EXPECT
         : r->failed > 0 && r->failed == r->done ? CLI_EARLY
                                                 : CLI_DONE;
}

static int draw(const session *s, pawl_sweep *sweep) {
  const char *path = s->args.value[PLOT];
  pawl_sweep_result r = pawl_sweep_result_get(sweep);
  cli_file file;
  if (path == NULL || r.interrupted || (s->opts.team != NULL && s->opts.team->rank > 0)) {
    return CLI_DONE;
  }
  if (!cli_file_begin(&file, path)) {
    return CLI_FILE;
  }
  pawl_status status = painter_for(path)(sweep, cli_to_stream, file.stream);
  if (status == PAWL_E_ARGUMENT) {
    fprintf(stderr, "error: a table in HDF5 that was complete before cannot be drawn; "
                    "write a .csv, or use --force without --resume\n");
  }
  if (!cli_file_end(&file, status)) {
    return CLI_FILE;
  }
  if (s->opts.path != NULL && !s->args.quiet) {
    printf("picture      %s\n", path);
  }
  return CLI_DONE;
}

/* ---- the sweep ---- */

/* A process of a team that cannot begin tells the others, who wait for it. */
static void give_up(const pawl_team *team, pawl_status status) {
  if (team != NULL && team->begin(team->payload, &status, 0) != 0) {
    fputs("error: the other processes cannot be reached\n", stderr);
  }
}

static int run(session *s) {
  pawl_model *model = NULL;
  pawl_sweep *sweep = NULL;
  s->diags = cli_diags();
  progress_begin(&s->progress, s->args.quiet || (s->opts.team != NULL && s->opts.team->rank > 0));
  s->opts.sink = to_output;
  s->opts.progress = on_progress;
  s->opts.payload = s;

  pawl_status status = cli_load(s->args.words[0], s->diags, &model);
  bool refused = cli_is_input("sweep", model, s->opts.path);
  status = refused         ? PAWL_E_ARGUMENT
           : model != NULL ? pawl_sweep_new(model, &s->opts, s->diags, &sweep)
                           : status;
  if (status != PAWL_OK) {
    give_up(s->opts.team, status);
  } else {
    status = pawl_sweep_go(sweep, s->diags);
  }

  progress_wipe(&s->progress);
  cli_show(s->diags, &s->args, &s->shown);
  int code;
  if (status != PAWL_OK) {
    code = refused ? CLI_USAGE : cli_fail(status, s->diags);
  } else {
    pawl_sweep_result r = pawl_sweep_result_get(sweep);
    print_result(s, sweep);
    code = draw(s, sweep);
    code = code == CLI_DONE ? exit_code(&r) : code;
  }
  pawl_sweep_free(sweep);
  pawl_model_free(model);
  pawl_diags_free(s->diags);
  return code;
}

static int go(session *s, int argc, char **argv) {
  list_options(s);
  const cli_spec spec = {.command = "sweep",
                         .help = help,
                         .help_options = print_shared_options,
                         .options = s->options,
                         .n_option = s->n_option,
                         .max_words = -1,
                         .missing = "the MODEL file"};
  int code = cli_parse(&spec, argc, argv, &s->args);
  code = code < 0 ? read_options(s) : code;
  if (code < 0 && s->opts.team != NULL && strcmp(s->args.words[0], "-") == 0) {
    code = cli_usage_error("sweep", "several processes cannot read the model from standard input");
  }
  return code < 0 ? run(s) : code;
}

int cmd_sweep(int argc, char **argv) {
  static session s;
  int code = sweep_team_begin(argc, argv, &s.opts.team);
  if (code >= 0) {
    return code;
  }
  code = go(&s, argc, argv);
  bool told = s.opts.team == NULL || s.opts.team->rank == 0;
  sweep_team_end();
  return told ? code : CLI_DONE;
}
