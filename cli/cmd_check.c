// SPDX-License-Identifier: MIT
/* `pawl check`: the model card. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

static const char help[] =
    "usage: pawl check M.pawl [NAME=VALUE ...] [--json]\n\n"
    "Parses the model, infers the kind of every law, counts degrees of freedom, solves for\n"
    "consistent start values and prints all of it. Nothing is written.\n\n"
    "  --realise NAME=HOW   another realisation of a constraint, as for `pawl run`\n"
    "  --json        the card, errors and warnings as one JSON object\n";

enum { JSON, REALISE, N_OPTIONS };
static const cli_option options[N_OPTIONS] = {{"json", 0, false}, {"realise", 0, CLI_MANY}};

static bool can_close(const char *kind) {
  return strcmp(kind, "unilateral") == 0 || strcmp(kind, "one-sided-velocity") == 0 ||
         strcmp(kind, "rough") == 0;
}

/* The next law is of the same kind and costs the same: said once, after the last. */
static bool follows(const pawl_system *sys, int i) {
  return i + 1 < pawl_system_laws(sys) &&
         strcmp(pawl_law_get(sys, i).kind, pawl_law_get(sys, i + 1).kind) == 0 &&
         strcmp(pawl_law_get(sys, i).cost, pawl_law_get(sys, i + 1).cost) == 0 &&
         strcmp(pawl_law_get(sys, i).nature, pawl_law_get(sys, i + 1).nature) == 0;
}

static void print_laws(const pawl_system *sys) {
  int n = pawl_system_laws(sys);
  int name = 4, kind = 4;
  for (int i = 0; i < n; i++) {
    pawl_law_info law = pawl_law_get(sys, i);
    name = (int)strlen(law.law) > name ? (int)strlen(law.law) : name;
    kind = (int)strlen(law.kind) > kind ? (int)strlen(law.kind) : kind;
  }
  for (int i = 0; i < n; i++) {
    pawl_law_info law = pawl_law_get(sys, i);
    if (law.component == 1) { /* a vector slip is one law */
      printf("%-13s%-*s%s  %-*s  line %-3d  %s\n", i == 0 ? "laws" : "", name, law.law,
             law.redundant ? "*" : " ", kind, law.kind, law.line, law.about);
    }
    if (!follows(sys, i)) {
      printf("%-13s%-*s   %s%s%s\n", "", name, "", law.nature, law.nature[0] != '\0' ? "; " : "",
             law.cost);
    }
  }
  for (int i = 0; i < n; i++) {
    if (pawl_law_get(sys, i).redundant) {
      printf("%-13s* its force is not unique; the smallest is reported\n", "");
      break;
    }
  }
}

/* "name = value, ..." in lines of bearable length. */
typedef struct wrapped {
  const char *title;
  int column; /* 0: nothing printed yet */
} wrapped;

static void put_item(wrapped *w, const char *item) {
  int len = (int)strlen(item);
  if (w->column == 0) {
    w->column = printf("%-13s%s", w->title, item);
  } else if (w->column + len + 2 > 96) {
    w->column = printf(",\n%-13s%s", "", item) - 2;
  } else {
    w->column += printf(", %s", item);
  }
}

static void end_items(const wrapped *w) {
  if (w->column > 0) {
    putchar('\n');
  }
}

static void print_names(const char *title, const pawl_system *sys, int n,
                        const char *(*name)(const pawl_system *, int)) {
  wrapped w = {title, 0};
  for (int i = 0; i < n; i++) {
    put_item(&w, name(sys, i));
  }
  end_items(&w);
}

/* "x = 0.5 m"; with + 0.0, which makes -0 a 0. */
static void print_value(char *item, size_t room, const char *name, double value, const char *unit) {
  bool known = unit != NULL && strcmp(unit, "1") != 0;
  snprintf(item, room, "%s = %.9g%s%s", name, value + 0.0, known ? " " : "", known ? unit : "");
}

static void print_start(const pawl_system *sys) {
  const double *q = pawl_start_positions(sys), *u = pawl_start_velocities(sys);
  wrapped w = {"start", 0};
  char item[200];
  for (int i = 0; q != NULL && i < pawl_system_positions(sys); i++) {
    print_value(item, sizeof item, pawl_position_name(sys, i), q[i], pawl_position_unit(sys, i));
    put_item(&w, item);
  }
  for (int i = 0; u != NULL && i < pawl_system_velocities(sys); i++) {
    print_value(item, sizeof item, pawl_velocity_name(sys, i), u[i], pawl_velocity_unit(sys, i));
    put_item(&w, item);
  }
  for (int i = 0; q != NULL && i < pawl_system_laws(sys); i++) {
    pawl_law_info law = pawl_law_get(sys, i);
    if (!isnan(law.start)) {
      snprintf(item, sizeof item, "force(%s) = %.9g", law.name, law.start + 0.0);
      put_item(&w, item);
    }
  }
  end_items(&w);
}

static void print_parameters(const pawl_system *sys) {
  wrapped w = {"parameters", 0};
  char item[200];
  for (int i = 0; i < pawl_system_parameters(sys); i++) {
    pawl_parameter_info p = pawl_parameter_get(sys, i);
    print_value(item, sizeof item, p.name, p.value, p.unit);
    int n = (int)strlen(item);
    if (p.lo <= p.hi && n > 0 && (size_t)n < sizeof item) {
      snprintf(item + n, sizeof item - (size_t)n, " in %.9g..%.9g", p.lo, p.hi);
    }
    put_item(&w, item);
  }
  end_items(&w);
}

/* Laws that open and close: those closed at the start, those that touch and need not be. */
static void print_closed(const pawl_system *sys, const pawl_sim *sim) {
  wrapped closed = {"closed", 0}, open = {"indifferent", 0};
  for (int i = 0; i < pawl_system_laws(sys); i++) {
    pawl_law_info law = pawl_law_get(sys, i);
    if (law.component == 1 && can_close(law.kind) && pawl_sim_closed(sim, i)) {
      put_item(&closed, law.law);
    }
  }
  end_items(&closed);
  for (int i = 0; i < pawl_system_laws(sys); i++) {
    if (pawl_sim_indifferent(sim, i)) {
      put_item(&open, pawl_law_get(sys, i).name);
    }
  }
  end_items(&open);
}

static void print_freedom(const pawl_system *sys, const pawl_sim *sim) {
  int n = pawl_system_velocities(sys), dof = pawl_sim_dof(sim);
  printf("%-13s%d", "freedom", dof);
  if (pawl_system_laws(sys) > 0) {
    printf(" (%d velocities, constraints of rank %d)", n, n - dof);
  }
  putchar('\n');
}

static void print_piles(const pawl_system *sys) {
  for (int i = 0; i < pawl_system_piles(sys); i++) {
    pawl_pile_info pile = pawl_pile_get(sys, i);
    printf("%-13s%s: %d shapes, pairs are found in steps; restitution %.9g",
           i == 0 ? "contacts" : "", pile.contact, pile.shapes, pile.restitution);
    if (pile.mu >= 0) {
      printf(", mu %.9g", pile.mu);
    }
    putchar('\n');
  }
}

/* By Noether's theorem, with their values at the start. */
static void print_conserved(const pawl_system *sys, pawl_symmetries *s) {
  wrapped w = {"conserved", 0};
  for (int i = 0; i < pawl_symmetries_count(s); i++) {
    char item[300];
    double value = pawl_symmetry_value(s, i, pawl_start_time(sys), pawl_start_positions(sys),
                                       pawl_start_velocities(sys));
    snprintf(item, sizeof item, "%s = %.9g", pawl_symmetry_text(s, i), value == 0 ? 0 : value);
    put_item(&w, item);
  }
  end_items(&w);
}

typedef struct card {
  pawl_diags *diags;
  pawl_model *model;
  pawl_system *system;
  pawl_sim *sim; /* at the start; NULL: some law cannot be run */
  pawl_symmetries *conserved;
} card;

static void print_card(const card *c) {
  const pawl_system *sys = c->system;
  const pawl_sim *sim = c->sim;
  const char *title = pawl_system_title(sys);
  printf("%s: ", pawl_system_file(sys));
  cli_print_kinds(stdout, sys);
  printf("%s%s\n", title == NULL ? "" : "; ", title == NULL ? "" : title);
  print_names("coordinates", sys, pawl_system_positions(sys), pawl_position_name);
  print_parameters(sys);
  print_laws(sys);
  print_piles(sys);
  if (sim != NULL) {
    print_freedom(sys, sim);
    print_start(sys);
    print_conserved(sys, c->conserved);
    print_closed(sys, sim);
  }
  print_names("outputs", sys, pawl_system_outputs(sys), pawl_output_name);
  print_names("events", sys, pawl_system_events(sys), pawl_event_name);
  if (pawl_system_expectations(sys) > 0) {
    printf("%-13s%d\n", "expectations", pawl_system_expectations(sys));
  }
  double from, to;
  if (pawl_run_span(sys, &from, &to)) {
    printf("%-13s%.9g..%.9g s\n", "run", from, to);
  }
}

/* The method of the run line: contacts that only steps find have no start by another one. */
static pawl_method method_of_run(const pawl_system *sys) {
  pawl_method method = PAWL_METHOD_AUTO;
  for (int i = 0; i < pawl_run_options(sys); i++) {
    pawl_run_option o = pawl_run_option_get(sys, i);
    for (int m = 0; strcmp(o.word, "method") == 0 && pawl_method_name((pawl_method)m) != NULL;
         m++) {
      if (o.choice != NULL && strcmp(pawl_method_name((pawl_method)m), o.choice) == 0) {
        method = (pawl_method)m;
      }
    }
  }
  return pawl_method_for(sys, method);
}

static pawl_status make_card(card *c, const char *path, const cli_changes *changes) {
  pawl_system_opts opts = {.overrides = changes->items, .n_override = changes->n, .check_only = 1};
  pawl_status status = cli_load(path, c->diags, &c->model);
  if (c->model != NULL) {
    status = pawl_system_new(c->model, &opts, c->diags, &c->system);
  }
  if (status != PAWL_OK || pawl_start_positions(c->system) == NULL) {
    return status;
  }
  double from = pawl_start_time(c->system);
  pawl_sim_opts start = {
      .use_span = 1, .from = from, .to = from + 1 + fabs(from), .method = method_of_run(c->system)};
  status = pawl_sim_new(c->system, &start, c->diags, &c->sim);
  bool short_of_memory =
      c->sim != NULL && pawl_symmetries_new(c->system, &c->conserved) == PAWL_E_MEMORY;
  return short_of_memory ? PAWL_E_MEMORY : status;
}

static int report(const card *c, pawl_status status, const cli_args *args) {
  int shown = 0;
  cli_show(c->diags, args, &shown);
  int code = status == PAWL_OK ? CLI_DONE : cli_fail(status, c->diags);
  if (args->value[JSON] != NULL) {
    int written = cli_written(pawl_check_json(c->system, cli_model_name(args->words[0]), c->diags,
                                              cli_to_stream, stdout));
    return written == CLI_DONE ? code : written;
  }
  if (status == PAWL_OK && !args->quiet) {
    print_card(c);
  }
  return code;
}

static int run(const cli_args *args, const cli_changes *changes) {
  card c = {.diags = cli_diags()};
  int code = report(&c, make_card(&c, args->words[0], changes), args);
  pawl_symmetries_free(c.conserved);
  pawl_sim_free(c.sim);
  pawl_system_free(c.system);
  pawl_model_free(c.model);
  pawl_diags_free(c.diags);
  return code;
}

int cmd_check(int argc, char **argv) {
  const cli_spec spec = {"check", help, options, N_OPTIONS, 1, -1, "the MODEL file", NULL};
  return cli_on_model(&spec, argc, argv, run);
}
