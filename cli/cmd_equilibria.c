// SPDX-License-Identifier: MIT
/* `pawl equilibria`: where a system stays at rest. */
#include <math.h>
#include <stdlib.h>

#include "cli.h"

static const char help[] =
    "usage: pawl equilibria M.pawl [NAME=VALUE ...] [--at T] [--starts N] [--json]\n\n"
    "Positions in which the system stays at rest: points, and whole sets where friction holds.\n"
    "Also steady motions, in which cyclic coordinates have constant rates.\n"
    "The search begins at many positions; others may exist that it does not find.\n\n"
    "  --at T        forces and laws as they are at time T\n"
    "  --starts N    begin at N positions\n"
    "  --json        the result as one JSON object\n";

enum { AT, STARTS, JSON, N_OPTIONS };
static const cli_option options[N_OPTIONS] = {
    {"at", 0, true}, {"starts", 0, true}, {"json", 0, false}};

typedef struct job {
  pawl_diags *diags;
  pawl_model *model;
  pawl_system *system;
  pawl_equilibria *list;
} job;

/* ---- for people ---- */

static const char *const words[] = {"undecided", "stable", "unstable"};

typedef struct line { /* items that go on in the next line where they do not fit */
  int column;
  bool first;
} line;

static void begin(line *l, const char *title) {
  l->column = printf("  %-10s", title);
  l->first = true;
}

static void put(line *l, const char *item, int len) {
  if (!l->first && l->column + len + 2 > 96) {
    printf(",\n");
    l->column = printf("%-12s", "");
  } else if (!l->first) {
    l->column += printf(", ");
  }
  l->column += printf("%s", item);
  l->first = false;
}

static void print_state(const job *x, int i) {
  pawl_equilibrium e = pawl_equilibrium_get(x->list, i);
  char item[200];
  line l;
  begin(&l, e.steady ? "moving" : "at");
  for (int k = 0; k < pawl_system_positions(x->system); k++) {
    int len = snprintf(item, sizeof item, "%s = %.9g", pawl_position_name(x->system, k), e.q[k]);
    put(&l, item, len);
  }
  for (int k = 0; e.steady && k < pawl_system_velocities(x->system); k++) {
    if (e.u[k] != 0) {
      int len = snprintf(item, sizeof item, "%s = %.9g", pawl_velocity_name(x->system, k), e.u[k]);
      put(&l, item, len);
    }
  }
  putchar('\n');
}

static void print_set(const job *x, int i) {
  char item[200];
  line l;
  if (!pawl_equilibrium_get(x->list, i).is_set) {
    return;
  }
  begin(&l, "set");
  for (int k = 0; k < pawl_system_positions(x->system); k++) {
    pawl_interval r = pawl_equilibrium_range(x->list, i, k);
    if (r.lo < r.hi) {
      int len = snprintf(item, sizeof item, "%s in [%.9g, %.9g]", pawl_position_name(x->system, k),
                         r.lo, r.hi);
      put(&l, item, len);
    }
  }
  putchar('\n');
}

static void print_forces(const job *x, int i) {
  char item[200];
  line l;
  if (pawl_system_laws(x->system) == 0) {
    return;
  }
  begin(&l, "force");
  for (int k = 0; k < pawl_system_laws(x->system); k++) {
    int len = snprintf(item, sizeof item, "%s = %.9g", pawl_law_get(x->system, k).name,
                       pawl_equilibrium_force(x->list, i, k));
    put(&l, item, len);
  }
  putchar('\n');
}

static void print_all(const job *x) {
  const char *title = pawl_system_title(x->system);
  int n = pawl_equilibria_count(x->list);
  printf("%s: %d %s found%s%s\n", pawl_system_file(x->system), n,
         n == 1 ? "equilibrium" : "equilibria", title == NULL ? "" : "; ",
         title == NULL ? "" : title);
  for (int i = 0; i < n; i++) {
    pawl_equilibrium e = pawl_equilibrium_get(x->list, i);
    printf("%d %s, %s\n", i + 1,
           e.steady   ? "steady motion"
           : e.is_set ? "set of equilibria"
                      : "equilibrium",
           e.stable == PAWL_STABLE_UNDECIDED ? "stability not decided" : words[e.stable]);
    print_state(x, i);
    print_set(x, i);
    print_forces(x, i);
  }
  printf("the search began at many positions; there may be others\n");
}

/* ---- the command ---- */

static pawl_status make(job *x, const cli_args *args, const cli_changes *changes,
                        const pawl_equilibria_opts *want) {
  pawl_system_opts opts = {.overrides = changes->items, .n_override = changes->n};
  pawl_status status = cli_load(args->words[0], x->diags, &x->model);
  if (status == PAWL_OK) {
    status = pawl_system_new(x->model, &opts, x->diags, &x->system);
  }
  return status == PAWL_OK ? pawl_equilibria_new(x->system, want, x->diags, &x->list) : status;
}

static int report(job *x, pawl_status status, const cli_args *args) {
  int shown = 0;
  cli_show(x->diags, args, &shown);
  bool json = args->value[JSON] != NULL;
  if (status != PAWL_OK) {
    int written = json ? cli_errors_json(cli_model_name(args->words[0]), x->diags) : CLI_DONE;
    if (written != CLI_DONE) {
      return written;
    }
    return cli_fail(status, x->diags);
  }
  if (json) {
    return cli_written(pawl_equilibria_json(x->list, cli_to_stream, stdout));
  }
  if (!args->quiet) {
    print_all(x);
  }
  return CLI_DONE;
}

static int run(const cli_args *args, const cli_changes *changes) {
  pawl_equilibria_opts want = {.freeze = args->value[AT] != NULL};
  double starts = 0;
  if (args->value[AT] != NULL && !cli_number(args->value[AT], &want.t)) {
    return cli_usage_error("equilibria", "--at needs a time, not `%s`", args->value[AT]);
  }
  if (args->value[STARTS] != NULL &&
      (!cli_number(args->value[STARTS], &starts) || starts < 1 || starts > 1e5)) {
    return cli_usage_error("equilibria", "--starts needs a number from 1 to 100000, not `%s`",
                           args->value[STARTS]);
  }
  want.starts = (int)starts;
  job x = {.diags = cli_diags()};
  int code = report(&x, make(&x, args, changes, &want), args);
  pawl_equilibria_free(x.list);
  pawl_system_free(x.system);
  pawl_model_free(x.model);
  pawl_diags_free(x.diags);
  return code;
}

int cmd_equilibria(int argc, char **argv) {
  const cli_spec spec = {"equilibria", help, options, N_OPTIONS, 1, -1, "the MODEL file", NULL};
  return cli_on_model(&spec, argc, argv, run);
}
