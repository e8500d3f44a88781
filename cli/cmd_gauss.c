// SPDX-License-Identifier: MIT
/* `pawl gauss`: accelerations, forces and force sets at one instant. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

static const char help[] =
    "usage: pawl gauss M.pawl [NAME=VALUE ...] [--at T] [--past] [--try \"x''=NUMBER, ...\"]\n"
    "                  [--cones] [--json]\n\n"
    "Accelerations, forces and the sets the forces come from at the start, or after running to T.\n"
    "Finding none, or several, is a valid result: all of them are listed.\n\n"
    "  --at T        run to time T first\n"
    "  --past        also the accelerations before the instant\n"
    "  --try \"x''=A, y''=B\"   tests these accelerations against the principles of d'Alembert,\n"
    "                Jourdain and Gauss; accelerations not given are those of the motion\n"
    "  --cones       generators: the generalised force of each law, and the lines and rays of the\n"
    "                tangent cones\n"
    "  --realise NAME=HOW   another realisation of a constraint, as for `pawl run`\n"
    "  --json        the result as one JSON object\n";

enum { AT, PAST, TRY, CONES, JSON, REALISE, N_OPTIONS };
static const cli_option options[N_OPTIONS] = {{"at", 0, true},    {"past", 0, false},
                                              {"try", 0, true},   {"cones", 0, false},
                                              {"json", 0, false}, {"realise", 0, CLI_MANY}};

typedef struct look {
  pawl_diags *diags;
  pawl_model *model;
  pawl_run *run;             /* to the instant; NULL: it is the start */
  pawl_system *own;          /* without a run */
  const pawl_system *system; /* that of the run, or own */
  pawl_gauss *gauss;
  double *trial; /* accelerations of the user */
  bool misread;
  double at;
} look;

/* ---- the instant ---- */

/* With all options of the run statement but its span. */
static pawl_status run_to(look *x, const cli_changes *changes) {
  double from = pawl_start_time(x->own);
  pawl_run_opts opts = {.overrides = changes->items,
                        .n_override = changes->n,
                        .no_certificate = 1,
                        .sim = {.use_span = 1, .from = from, .to = x->at}};
  pawl_status status = pawl_run_new(x->model, &opts, NULL, &x->run); /* warnings were given */
  if (status != PAWL_OK) {
    status = pawl_run_new(x->model, &opts, x->diags, &x->run);
  }
  if (status == PAWL_OK) {
    x->system = pawl_run_system(x->run);
    status = pawl_run_go(x->run, x->diags);
  }
  return status;
}

/* ---- accelerations of the user ---- */

static int velocity_of(const pawl_system *sys, const char *name, size_t len) {
  for (int i = 0; i < pawl_system_velocities(sys); i++) {
    const char *own = pawl_velocity_name(sys, i);
    if (len == strlen(own) + 1 && name[len - 1] == '\'' && strncmp(own, name, len - 1) == 0) {
      return i;
    }
  }
  return -1;
}

static const char *trimmed(const char *from, const char **to) {
  while (from < *to && (*from == ' ' || *from == '\t')) {
    from++;
  }
  while (*to > from && ((*to)[-1] == ' ' || (*to)[-1] == '\t')) {
    (*to)--;
  }
  return from;
}

/* "x'' = 1, y'' = 2" into a (nv); false after a message. */
static bool read_trial(const look *x, const char *text, double *a) {
  for (const char *at = text; at != NULL;) {
    const char *end = strchr(at, ','), *stop = end == NULL ? at + strlen(at) : end;
    const char *equal = memchr(at, '=', (size_t)(stop - at)), *left = equal == NULL ? stop : equal;
    const char *name = trimmed(at, &left);
    int i = velocity_of(x->system, name, (size_t)(left - name));
    if (i < 0) {
      (void)cli_usage_error(
          "gauss", "--try has no acceleration `%.*s`: the first is `%s'`", (int)(left - name), name,
          pawl_system_velocities(x->system) > 0 ? pawl_velocity_name(x->system, 0) : "");
      return false;
    }
    char number[64];
    const char *value = equal == NULL ? stop : trimmed(equal + 1, &stop);
    snprintf(number, sizeof number, "%.*s", (int)(stop - value), value);
    if ((size_t)(stop - value) >= sizeof number || !cli_number(number, &a[i])) {
      (void)cli_usage_error("gauss", "--try needs a number for `%.*s`, not `%s`",
                            (int)(left - name), name, number);
      return false;
    }
    at = end == NULL ? NULL : end + 1;
  }
  return true;
}

/* ---- for people ---- */

static const char *const columns[] = {"displacement", "velocity", "acceleration"};

static void print_numbers(const char *title, const pawl_system *sys, const double *x, int n,
                          const char *(*name)(const pawl_system *, int), const char *prime) {
  int column = printf("%-16s", title);
  for (int i = 0; i < n; i++) {
    char item[200];
    int len = snprintf(item, sizeof item, "%s%s = %.9g", name(sys, i), prime, x[i] == 0 ? 0 : x[i]);
    if (i > 0 && column + len + 2 > 96) {
      printf(",\n");
      column = printf("%-16s", "");
    } else if (i > 0) {
      column += printf(", ");
    }
    column += printf("%s", item);
  }
  putchar('\n');
}

static void print_why(const look *x, pawl_when when) {
  pawl_gauss_info info = pawl_gauss_get(x->gauss, when);
  const char *law = info.law >= 0 ? pawl_law_get(x->system, info.law).name : "";
  bool left = when == PAWL_LEFT;
  printf("%-16s", left ? "past" : "acceleration");
  if (info.why == PAWL_GAUSS_IMPACT) {
    printf("none: the velocities jump at the instant, because of `%s`", law);
  } else if (info.why == PAWL_GAUSS_UNDECIDED) {
    printf("not decided: the search was too large, or slips in a plane leave too much open");
  } else if (left) {
    printf("none: no motion leads to this state");
  } else {
    printf("none satisfies the laws%s%s%s", info.law >= 0 ? "; `" : "", law,
           info.law >= 0 ? "` cannot be satisfied" : "");
  }
  putchar('\n');
}

static void print_side(const look *x, pawl_when when) {
  pawl_gauss_info info = pawl_gauss_get(x->gauss, when);
  const char *title = when == PAWL_LEFT ? "past" : "acceleration";
  if (info.count == 0) {
    print_why(x, when);
    return;
  }
  for (int k = 0; k < info.count; k++) {
    char numbered[32];
    snprintf(numbered, sizeof numbered, "%s %d", title, k + 1);
    print_numbers(info.count == 1 ? title : numbered, x->system,
                  pawl_gauss_accelerations(x->gauss, when, k), pawl_system_velocities(x->system),
                  pawl_velocity_name, "'");
  }
  if (!info.complete) {
    printf("%-16sthere may be others\n", "");
  }
}

static void interval(char *text, size_t room, double lo, double hi) {
  if (isnan(lo)) {
    snprintf(text, room, "empty");
  } else if (lo == hi) {
    snprintf(text, room, "%.6g", lo);
  } else {
    snprintf(text, room, "[%.6g, %.6g]", lo, hi);
  }
}

static void print_law(const look *x, int solution, int law, int width) {
  pawl_gauss_force f = pawl_gauss_force_get(x->gauss, PAWL_RIGHT, solution, law);
  char force[40], range[64], set[3][64];
  snprintf(force, sizeof force, isnan(f.force) ? "-" : "%.9g", f.force);
  interval(range, sizeof range, f.least, f.largest);
  for (int k = 0; k < 3; k++) {
    pawl_interval s = pawl_gauss_set(x->gauss, solution, law, (pawl_level)k);
    interval(set[k], sizeof set[k], s.lo, s.hi);
  }
  bool open = !f.unique && !isnan(f.force);
  printf("%-*s  %-14s %-18s %-18s ", width, pawl_law_get(x->system, law).name, force, set[0],
         set[1]);
  if (open) {
    printf("%-18s %s%s\n", set[2], range, f.outer ? " at most" : "");
  } else {
    printf("%s\n", set[2]);
  }
}

static bool is_unique(const look *x, int solution) {
  bool known = solution < pawl_gauss_get(x->gauss, PAWL_RIGHT).count;
  for (int i = 0; known && i < pawl_system_laws(x->system); i++) {
    if (!pawl_gauss_force_get(x->gauss, PAWL_RIGHT, solution, i).unique) {
      return false;
    }
  }
  return true;
}

/* Friction ties the bounds of forces to others: then they are not the smallest ones. */
static bool is_coupled(const look *x, int solution) {
  for (int i = 0; i < pawl_system_laws(x->system); i++) {
    if (pawl_gauss_force_get(x->gauss, PAWL_RIGHT, solution, i).outer) {
      return true;
    }
  }
  return false;
}

static void print_laws(const look *x, int solution) {
  int n = pawl_system_laws(x->system), width = 3;
  for (int i = 0; i < n; i++) {
    int len = (int)strlen(pawl_law_get(x->system, i).name);
    width = len > width ? len : width;
  }
  if (n == 0) {
    return;
  }
  if (pawl_gauss_get(x->gauss, PAWL_RIGHT).count > 1) {
    printf("\nforces of acceleration %d\n", solution + 1);
  } else {
    printf("\n");
  }
  bool open = !is_unique(x, solution);
  printf("%-*s  %-14s %-18s %-18s ", width, "law", "force", columns[0], columns[1]);
  printf(open ? "%-18s not unique, in\n" : "%s\n", columns[2]);
  for (int i = 0; i < n; i++) {
    print_law(x, solution, i, width);
  }
}

static void print_potentials(const look *x) {
  pawl_gauss_potentials p = pawl_gauss_potentials_get(x->gauss, 0);
  printf("%-16sV = %.9g, Phi = %.9g, Psi = %.9g, cost = %.9g\n", "potentials", p.V,
         p.Phi == 0 ? 0 : p.Phi, p.Psi == 0 ? 0 : p.Psi, p.cost == 0 ? 0 : p.cost);
}

static void print_trial(const look *x) {
  static const char *const names[] = {"d'Alembert", "Jourdain", "Gauss"};
  pawl_gauss_trial p = pawl_gauss_trial_get(x->gauss);
  if (!p.given) {
    return;
  }
  putchar('\n');
  print_numbers("tried", x->system, x->trial, pawl_system_velocities(x->system), pawl_velocity_name,
                "'");
  printf("%-16s", "");
  if (!p.allowed) {
    printf("not allowed by `%s`: Psi is infinite\n", pawl_law_get(x->system, p.law).name);
  } else {
    printf("1/2 |a - a_free|^2 = %.9g, Psi = %.9g, cost = %.9g\n", p.measure,
           p.Psi == 0 ? 0 : p.Psi, p.cost);
  }
  for (int k = 0; k < 3; k++) {
    printf("%-16s%-11s ", "", names[k]);
    if (isnan(p.far[k])) {
      printf("no forces are left\n");
    } else {
      printf("%.1e  %s\n", p.far[k], p.holds[k] ? "holds" : "FAILS");
    }
  }
}

static void print_cones(const look *x) {
  int n = pawl_system_velocities(x->system);
  printf("\nforces per force of a law\n");
  for (int i = 0; i < pawl_system_laws(x->system); i++) {
    char title[80];
    snprintf(title, sizeof title, "along %s ", pawl_law_get(x->system, i).name);
    print_numbers(title, x->system, pawl_gauss_along(x->gauss, i), n, pawl_velocity_name, "");
  }
  for (int k = 0; k < 3; k++) {
    int lines, all = pawl_gauss_cone(x->gauss, (pawl_level)k, &lines);
    printf("tangent cone, %s: ", columns[k]);
    if (all < 0) {
      printf("more than 256 rays\n");
      continue;
    }
    printf("%d %s, %d %s\n", lines, lines == 1 ? "line" : "lines", all - lines,
           all - lines == 1 ? "ray" : "rays");
    for (int i = 0; i < all; i++) {
      print_numbers(i < lines ? "line" : "ray", x->system,
                    pawl_gauss_cone_ray(x->gauss, (pawl_level)k, i), n, pawl_velocity_name, "");
    }
  }
}

static void print_rest(const look *x) {
  const pawl_gauss *g = x->gauss;
  pawl_gauss_info info = pawl_gauss_get(g, PAWL_RIGHT);
  if (info.count == 0) {
    return;
  }
  for (int k = 0; k < info.count; k++) {
    if (!is_unique(x, k)) {
      printf("\nforces are not unique: %s given, with the range of each\n",
             is_coupled(x, k) ? "one choice is" : "the smallest ones are");
      break;
    }
  }
  for (int i = 0; i < pawl_system_laws(x->system); i++) {
    if (!isnan(pawl_gauss_disk(g, 0, i, PAWL_DISPLACEMENT).axis[0])) {
      printf("\nslips of several components have disks, ellipses or balls of forces: the intervals "
             "are those of the components\n");
      break;
    }
  }
  printf("\n%-16s", "constraint");
  for (int k = 0; k < info.count; k++) {
    printf("%s%.9g", k == 0 ? "1/2 |a - a_free|^2 = " : ", ", pawl_gauss_measure(g, PAWL_RIGHT, k));
  }
  printf("\n%-16sd'Alembert %.1e, Jourdain %.1e, Gauss %.1e (holds if <= 0, up to rounding)\n",
         "principles", pawl_gauss_principle(g, PAWL_DISPLACEMENT),
         pawl_gauss_principle(g, PAWL_VELOCITY), pawl_gauss_principle(g, PAWL_ACCELERATION));
  print_potentials(x);
}

static void print_all(const look *x, bool past, bool cones) {
  const pawl_system *sys = x->system;
  const char *title = pawl_system_title(sys);
  printf("%s: t = %.9g s%s%s\n", pawl_system_file(sys), pawl_gauss_time(x->gauss),
         title == NULL ? "" : "; ", title == NULL ? "" : title);
  print_numbers("positions", sys, pawl_gauss_positions(x->gauss), pawl_system_positions(sys),
                pawl_position_name, "");
  const double *before = pawl_gauss_before(x->gauss);
  if (before != NULL) {
    print_numbers("before impact", sys, before, pawl_system_velocities(sys), pawl_velocity_name,
                  "");
  }
  print_numbers(before == NULL ? "velocities" : "after impact", sys,
                pawl_gauss_velocities(x->gauss), pawl_system_velocities(sys), pawl_velocity_name,
                "");
  print_side(x, PAWL_RIGHT);
  if (past) {
    print_side(x, PAWL_LEFT);
  }
  int count = pawl_gauss_get(x->gauss, PAWL_RIGHT).count;
  for (int k = 0; k < count || k == 0; k++) {
    print_laws(x, k);
  }
  print_rest(x);
  print_trial(x);
  if (cones) {
    print_cones(x);
  }
}

/* ---- the command ---- */

static pawl_status look_at(look *x, const pawl_gauss_opts *opts) {
  pawl_gauss_free(x->gauss);
  x->gauss = NULL;
  pawl_sim *sim = x->run == NULL ? NULL : pawl_run_sim(x->run);
  return pawl_gauss_reached(x->system, sim, opts, x->diags, &x->gauss);
}

/* Accelerations that the user leaves out are those of the motion, or zero. */
static pawl_status try_own(look *x, const char *text, pawl_gauss_opts *opts) {
  int n = pawl_system_velocities(x->system);
  const double *a = pawl_gauss_accelerations(x->gauss, PAWL_RIGHT, 0);
  x->trial = calloc((size_t)n + 1, sizeof *x->trial);
  if (x->trial == NULL) {
    return PAWL_E_MEMORY;
  }
  for (int i = 0; a != NULL && i < n; i++) {
    x->trial[i] = a[i];
  }
  x->misread = !read_trial(x, text, x->trial);
  opts->trial = x->trial;
  return x->misread ? PAWL_OK : look_at(x, opts);
}

static pawl_status make(look *x, const cli_args *args, const cli_changes *changes) {
  pawl_system_opts opts = {.overrides = changes->items, .n_override = changes->n};
  pawl_gauss_opts gauss = {.past = args->value[PAST] != NULL};
  pawl_status status = cli_load(args->words[0], x->diags, &x->model);
  if (status == PAWL_OK) {
    status = pawl_system_new(x->model, &opts, x->diags, &x->own);
    x->system = x->own;
  }
  if (status == PAWL_OK && args->value[AT] != NULL && x->at > pawl_start_time(x->own)) {
    status = run_to(x, changes);
  }
  if (status == PAWL_OK) {
    status = look_at(x, &gauss);
  }
  return status == PAWL_OK && args->value[TRY] != NULL ? try_own(x, args->value[TRY], &gauss)
                                                       : status;
}

static int report(look *x, pawl_status status, const cli_args *args) {
  int shown = 0;
  cli_show(x->diags, args, &shown);
  bool json = args->value[JSON] != NULL;
  if (status != PAWL_OK) {
    int written = json ? cli_errors_json(cli_model_name(args->words[0]), x->diags) : CLI_DONE;
    if (written != CLI_DONE) {
      return written;
    }
    int code = cli_fail(status, x->diags);
    return x->run != NULL && code == CLI_MODEL ? CLI_EARLY : code;
  }
  if (json) {
    return cli_written(pawl_gauss_json(x->gauss, cli_to_stream, stdout));
  }
  if (!args->quiet) {
    print_all(x, args->value[PAST] != NULL, args->value[CONES] != NULL);
  }
  return CLI_DONE;
}

static int run(const cli_args *args, const cli_changes *changes) {
  look x = {0};
  if (args->value[AT] != NULL && !cli_number(args->value[AT], &x.at)) {
    return cli_usage_error("gauss", "--at needs a time, not `%s`", args->value[AT]);
  }
  x.diags = cli_diags();
  pawl_status status = make(&x, args, changes);
  int code;
  if (status == PAWL_OK && args->value[AT] != NULL && x.at < pawl_start_time(x.own)) {
    code = cli_usage_error("gauss", "the motion begins at %.9g, after %s", pawl_start_time(x.own),
                           args->value[AT]);
  } else {
    code = x.misread ? CLI_USAGE : report(&x, status, args);
  }
  free(x.trial);
  pawl_gauss_free(x.gauss);
  pawl_run_free(x.run);
  pawl_system_free(x.own);
  pawl_model_free(x.model);
  pawl_diags_free(x.diags);
  return code;
}

int cmd_gauss(int argc, char **argv) {
  const cli_spec spec = {"gauss", help, options, N_OPTIONS, 1, -1, "the MODEL file", NULL};
  return cli_on_model(&spec, argc, argv, run);
}
