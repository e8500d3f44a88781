// SPDX-License-Identifier: MIT
/* `pawl orbit`: periodic motions, their multipliers, and branches of them along a parameter. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "certificate_line.h"
#include "progress.h"

static const char help[] =
    "usage: pawl orbit M.pawl [NAME=VALUE ...] [--period T | --at EVENT] [--returns N]\n"
    "                  [--along NAME=A:B] [-o F.csv] [--plot F.svg] [--tol X] [--json]\n"
    "       pawl orbit M.pawl --exponents N\n\n"
    "A motion that comes back to where it started, through impacts, stick and slip: found by\n"
    "Newton's method on the return map, with its Floquet multipliers. Cyclic\n"
    "positions, which no force depends on, may drift. Exit code 3 if none is found.\n\n"
    "  --period T        the orbit closes after the time T\n"
    "  --at EVENT        the orbit closes at the next event of this name or kind; for an event\n"
    "                    `every T` of the model, after T (default: the only such event)\n"
    "  --returns N       the orbit closes after N of these (default: 1)\n"
    "  --along NAME=A:B  follow it while the parameter goes from A to B; folds, flips,\n"
    "                    Neimark-Sacker, grazing and sliding bifurcations are located\n"
    "  -o, --output F.csv  the branch as a table\n"
    "  --plot F.svg      the branch as a picture\n"
    "  --exponents N     instead: the N largest Lyapunov exponents of the motion of the model\n"
    "  --tol X           tolerance of the motions (default: 1e-12)\n"
    "  --json            print the result as one JSON object\n";

enum { PERIOD, AT, RETURNS, ALONG, OUT, PLOT, EXPONENTS, TOL, JSON, N_OPTIONS };
static const cli_option options[N_OPTIONS] = {
    {"period", 0, true},    {"at", 0, true},       {"returns", 0, true},
    {"along", 0, true},     {"output", 'o', true}, {"plot", 0, true},
    {"exponents", 0, true}, {"tol", 0, true},      {"json", 0, false}};

typedef struct problem {
  pawl_diags *diags;
  pawl_model *model;
  pawl_orbit *orbit;
  pawl_orbit_opts opts;
  char along[256];
  cli_progress progress;
  int64_t asked;
} problem;

static int on_motion(void *payload) {
  problem *x = payload;
  return progress_count(&x->progress, ++x->asked, "steps");
}

/* ---- for people ---- */

static void print_multipliers(const pawl_orbit_point *p) {
  for (int i = 0; i < p->n_multiplier; i++) {
    const double *z = p->multipliers + 2 * (size_t)i;
    printf("%s%.10g", i == 0 ? "" : ", ", z[0]);
    if (z[1] != 0) {
      printf(" %c %.10g i", z[1] < 0 ? '-' : '+', fabs(z[1]));
    }
  }
}

static void print_orbit(const problem *x) {
  const pawl_system *sys = pawl_orbit_system(x->orbit);
  pawl_orbit_point p = pawl_orbit_get(x->orbit, 0);
  pawl_certificate c = pawl_orbit_certificate(x->orbit);
  int nq = pawl_system_positions(sys), nv = pawl_system_velocities(sys);
  printf("period       %.12g\nstate       ", p.period);
  for (int i = 0; i < nq + nv; i++) {
    printf(" %s %.10g", i < nq ? pawl_position_name(sys, i) : pawl_velocity_name(sys, i - nq),
           p.state[i]);
  }
  for (int i = 0; i < nq; i++) {
    if (p.drift[i] != 0) {
      printf("\ndrift        %s %.12g", pawl_position_name(sys, i), p.drift[i]);
    }
  }
  printf("\nmultipliers  ");
  print_multipliers(&p);
  printf("   %s\n", p.stable ? "stable" : p.neutral ? "neutral" : "unstable");
  for (int i = 0; i < p.n_event; i++) {
    printf("  %-14.12g %-8s %s\n", p.events[i].t, p.events[i].kind, p.events[i].at);
  }
  printf("certificate  %s\n", pawl_verdict_text(c.verdict));
}

static void print_branch(const problem *x) {
  int n = pawl_orbit_points(x->orbit);
  pawl_orbit_point a = pawl_orbit_get(x->orbit, 0), b = pawl_orbit_get(x->orbit, n - 1);
  printf("branch       %d orbits, %s = %.9g to %.9g\n", n, x->along, a.value, b.value);
  for (int i = 0; i < n; i++) {
    pawl_orbit_point p = pawl_orbit_get(x->orbit, i);
    if (p.kind[0] != '\0') {
      printf("  %-10s %s = %.12g   multipliers ", p.kind, x->along, p.value);
      print_multipliers(&p);
      putchar('\n');
    }
  }
}

static void print_exponents(const problem *x) {
  for (int i = 0; i < pawl_orbit_exponents(x->orbit); i++) {
    printf("exponent     %.6g\n", pawl_orbit_exponent(x->orbit, i));
  }
  printf("over         %.6g s\n", pawl_orbit_exponent_time(x->orbit));
}

/* ---- the command ---- */

static int parse_along(problem *x, const char *text) {
  const char *equal = strchr(text, '='), *colon = equal != NULL ? strchr(equal, ':') : NULL;
  char number[64];
  bool ok = colon != NULL && (size_t)(equal - text) < sizeof x->along &&
            (size_t)(colon - equal) < sizeof number;
  if (ok) {
    snprintf(x->along, sizeof x->along, "%.*s", (int)(equal - text), text);
    snprintf(number, sizeof number, "%.*s", (int)(colon - equal - 1), equal + 1);
    ok = cli_number(number, &x->opts.begin) && cli_number(colon + 1, &x->opts.end);
  }
  x->opts.along = x->along;
  return ok ? -1
            : cli_usage_error("orbit", "--along needs a name and a range, as in w=2.5:3, not `%s`",
                              text);
}

static int read_options(problem *x, const cli_args *args) {
  pawl_orbit_opts *o = &x->opts;
  const char *const *value = args->value;
  int64_t count;
  if (value[PERIOD] != NULL && (!cli_number(value[PERIOD], &o->period) || !(o->period > 0))) {
    return cli_usage_error("orbit", "--period needs a time above zero, not `%s`", value[PERIOD]);
  }
  if (value[TOL] != NULL && (!cli_number(value[TOL], &o->tol) || !(o->tol >= PAWL_TOL_LEAST) ||
                             !(o->tol <= PAWL_TOL_MOST))) {
    return cli_usage_error("orbit", "--tol needs a number from %g to %g, not `%s`", PAWL_TOL_LEAST,
                           PAWL_TOL_MOST, value[TOL]);
  }

  const int counts[] = {RETURNS, EXPONENTS};
  int *to[] = {&o->returns, &o->exponents};
  for (int i = 0; i < 2; i++) {
    const char *text = value[counts[i]];
    if (text != NULL && (!cli_count(text, &count) || count > 100000)) {
      return cli_usage_error("orbit", "--%s needs a whole number above zero, not `%s`",
                             options[counts[i]].name, text);
    }
    *to[i] = text != NULL ? (int)count : 0;
  }

  /* what does not go together */
  if (value[PERIOD] != NULL && value[AT] != NULL) {
    return cli_usage_error("orbit", "--period and --at exclude each other");
  }
  if (value[ALONG] == NULL && (value[OUT] != NULL || value[PLOT] != NULL)) {
    return cli_usage_error("orbit", "tables and pictures are of branches: --along NAME=A:B");
  }
  o->at = value[AT];
  return value[ALONG] != NULL ? parse_along(x, value[ALONG]) : -1;
}

typedef pawl_status (*writer)(const pawl_orbit *orbit, pawl_sink sink, void *payload);

static bool write_file(const problem *x, const char *path, writer write) {
  cli_file file;
  return path == NULL || (cli_file_begin(&file, path) &&
                          cli_file_end(&file, write(x->orbit, cli_to_stream, file.stream)));
}

static int report(const problem *x, pawl_status status, const cli_args *args) {
  int shown = 0;
  cli_show(x->diags, args, &shown);
  if (status != PAWL_OK) {
    int code = status == PAWL_E_TIME ? CLI_INTERRUPT : cli_fail(status, x->diags);
    int written = args->value[JSON] == NULL
                      ? CLI_DONE
                      : cli_errors_json(cli_model_name(args->words[0]), x->diags);
    return written == CLI_DONE ? code : written;
  }
  if (!write_file(x, args->value[OUT], pawl_orbit_csv) ||
      !write_file(x, args->value[PLOT], pawl_orbit_svg)) {
    return CLI_FILE;
  }
  if (args->value[JSON] != NULL) {
    return cli_written(pawl_orbit_json(x->orbit, cli_to_stream, stdout));
  }
  if (!args->quiet && pawl_orbit_exponents(x->orbit) > 0) {
    print_exponents(x);
  } else if (!args->quiet) {
    print_orbit(x);
    if (x->opts.along != NULL) {
      print_branch(x);
    }
  }
  return CLI_DONE;
}

static int run(const cli_args *args, const cli_changes *changes) {
  problem x = {0};
  int code = read_options(&x, args);
  if (code >= 0) {
    return code;
  }
  x.opts.overrides = changes->items;
  x.opts.n_override = changes->n;
  x.opts.ask = on_motion;
  x.opts.payload = &x;
  x.diags = cli_diags();
  progress_begin(&x.progress, args->quiet);
  pawl_status status = cli_load(args->words[0], x.diags, &x.model);
  bool refused = cli_is_input("orbit", x.model, args->value[OUT]) ||
                 cli_is_input("orbit", x.model, args->value[PLOT]);
  if (status == PAWL_OK && !refused) {
    status = pawl_orbit_new(x.model, &x.opts, x.diags, &x.orbit);
  }
  progress_wipe(&x.progress);
  code = refused ? CLI_USAGE : report(&x, status, args);
  pawl_orbit_free(x.orbit);
  pawl_model_free(x.model);
  pawl_diags_free(x.diags);
  return code;
}

int cmd_orbit(int argc, char **argv) {
  const cli_spec spec = {"orbit", help, options, N_OPTIONS, 1, -1, "the MODEL file", NULL};
  return cli_on_model(&spec, argc, argv, run);
}
