// SPDX-License-Identifier: MIT
/* Consistent starts: guesses solved, wrong ones reported with the repair. */
#include <math.h>
#include <string.h>

#include "check.h"
#include "pawl/system.h"

typedef struct outcome {
  pawl_status status;
  pawl_model *model;
  pawl_system *system;
  pawl_diags *diags;
} outcome;

static outcome start(const char *text) {
  outcome o = {0};
  CHECK(pawl_diags_new(&o.diags) == PAWL_OK);
  o.status = pawl_model_parse(text, strlen(text), NULL, o.diags, &o.model);
  if (o.status == PAWL_OK) {
    o.status = pawl_system_new(o.model, NULL, o.diags, &o.system);
  }
  return o;
}

static void finish(outcome *o) {
  pawl_system_free(o->system);
  pawl_model_free(o->model);
  pawl_diags_free(o->diags);
}

static const char *first_code(const outcome *o) {
  return pawl_diags_count(o->diags) > 0 ? pawl_diags_get(o->diags, 0)->code : "none";
}

#define CRANK                                                   \
  "parameter r = 0.1, l = 0.3, W = 30\ncoordinates th, ph, x\n" \
  "kinetic T = 1/2*(th'^2 + ph'^2 + x'^2)\n"                    \
  "constraint loopx: x = r*cos(th) + l*cos(ph)\n"               \
  "constraint loopy: r*sin(th) = l*sin(ph)\nconstraint drive: th = W*t\n"

static void guesses_are_solved(void) {
  outcome o = start(CRANK "start th = 0, ph ~ 0.1, x ~ 0.3, th' ~ 0, ph' ~ 0, x' ~ 0\nrun 0..1\n");
  CHECK(o.status == PAWL_OK);
  if (o.status == PAWL_OK) {
    const double *q = pawl_start_positions(o.system), *u = pawl_start_velocities(o.system);
    CHECK_NEAR(q[0], 0, 1e-15);
    CHECK_NEAR(q[1], 0, 1e-15);
    CHECK_NEAR(q[2], 0.4, 1e-15);
    CHECK_NEAR(u[0], 30, 1e-12);
    CHECK_NEAR(u[1], 10, 1e-12);
    CHECK_NEAR(u[2], 0, 1e-12);
    CHECK(pawl_system_dof(o.system) == 0);
  }
  finish(&o);
}

static void wrong_fixed_value_is_offered_as_guess(void) {
  outcome o = start(CRANK "start th = 0, ph = 0.3, x = 0.4, th' ~ 0, ph' ~ 0, x' ~ 0\nrun 0..1\n");
  CHECK(o.status == PAWL_E_START);
  CHECK_STR(first_code(&o), "E0302");
  const pawl_diag *d = pawl_diags_get(o.diags, 0);
  CHECK_STR(d->message, "the start does not satisfy `loopy` (residual 0.0887)");
  CHECK(d->n_help == 1 && strstr(d->help[0], "`ph ~ 0.3`   (solves to ph = 0, x = 0.4)") != NULL);
  CHECK(d->at.line == 7 && d->at.column == 15);
  finish(&o);
}

static void wrong_velocity_is_reported(void) {
  outcome o = start("coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\nconstraint c: x' = 2*y'\n"
                    "start x' = 1, y' = 1\nrun 0..1\n");
  CHECK(o.status == PAWL_E_START);
  CHECK_STR(first_code(&o), "E0303");
  finish(&o);
}

static void unmentioned_values_move_only_if_needed(void) {
  outcome o = start("coordinates x, y, z\nkinetic T = 1/2*(x'^2 + y'^2 + z'^2)\n"
                    "constraint c: x + y = 3\nstart x = 1\nrun 0..1\n");
  CHECK(o.status == PAWL_OK);
  if (o.status == PAWL_OK) {
    CHECK_NEAR(pawl_start_positions(o.system)[0], 1, 0);
    CHECK_NEAR(pawl_start_positions(o.system)[1], 2, 1e-15);
    CHECK_NEAR(pawl_start_positions(o.system)[2], 0, 0);
  }
  finish(&o);
}

static void contradictory_accelerations_are_named(void) {
  outcome o = start("coordinates x\nkinetic T = 1/2*x'^2\nconstraint a: x = 0\n"
                    "constraint b: x = t^2\nstart x = 0\nrun 0..1\n");
  CHECK(o.status == PAWL_E_START);
  CHECK_STR(first_code(&o), "E0331");
  finish(&o);
}

static void redundancy_is_a_warning(void) {
  outcome o = start("coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\nconstraint a: x = 0\n"
                    "constraint b: 2*x = 0\nconstraint c: y = x\nrun 0..1\n");
  CHECK(o.status == PAWL_OK);
  CHECK_STR(first_code(&o), "W0330");
  if (o.status == PAWL_OK) {
    CHECK(pawl_system_rank(o.system) == 2 && pawl_system_dof(o.system) == 0);
    CHECK(pawl_law_get(o.system, 0).redundant && pawl_law_get(o.system, 1).redundant);
    CHECK(!pawl_law_get(o.system, 2).redundant);
  }
  finish(&o);
}

static void division_by_zero_is_found(void) {
  outcome o =
      start("coordinates x\nkinetic T = 1/2*x'^2\npotential V = 1/x\nstart x = 0\nrun 0..1\n");
  CHECK(o.status == PAWL_E_START);
  CHECK_STR(first_code(&o), "E0340");
  finish(&o);
}

CHECK_MAIN({"guesses", guesses_are_solved}, {"offer", wrong_fixed_value_is_offered_as_guess},
           {"velocity", wrong_velocity_is_reported},
           {"unmentioned", unmentioned_values_move_only_if_needed},
           {"contradiction", contradictory_accelerations_are_named},
           {"redundancy", redundancy_is_a_warning}, {"division", division_by_zero_is_found})
