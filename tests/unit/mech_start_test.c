// SPDX-License-Identifier: MIT
/* Consistent starts: guesses solved, wrong ones reported with the repair. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
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

/* ---- pieces ---- */

/* Solves to x, y, x', y'; to E0302 or E0303 if these are not numbers. */
static void expect_pieces(const char *law, const char *given, const double want[4]) {
  char text[512];
  (void)snprintf(text, sizeof text,
                 "coordinates x, y\nkinetic T = 1/2*(x'^2 + 4*y'^2)\nconstraint c: %s\n"
                 "start %s\nrun 0..1\n",
                 law, given);
  outcome o = start(text);
  bool good = isnan(want[0]) ? CHECK(o.status == PAWL_E_START) : CHECK(o.status == PAWL_OK);
  if (o.status == PAWL_OK && !isnan(want[0])) {
    const double *q = pawl_start_positions(o.system), *u = pawl_start_velocities(o.system);
    for (int i = 0; i < 2; i++) {
      good = CHECK_NEAR(q[i], want[i], 1e-14) && good;
      good = CHECK_NEAR(u[i], want[2 + i], 1e-14) && good;
    }
  }
  if (!good) {
    printf("  %s; start %s\n", law, given);
  }
  finish(&o);
}

static void constraints_in_pieces(void) {
  const char *bent = "y = if(x > 0, 2*x, 3*x)", *hull = "y = max(x, 2*x)";
  const char *step = "y = if(x > 0, x + 1, x)", *pair = "y = abs(abs(x) - 2)";
  const double none[4] = {NAN};
  expect_pieces(bent, "x = -1, x' = 1, y ~ 0, y' ~ 0", (double[]){-1, -3, 1, 3});
  expect_pieces(bent, "y = -3, y' = 3, x ~ 1, x' ~ 0", (double[]){-1, -3, 1, 3});
  expect_pieces(bent, "x = -1, x' = 1, y = -2, y' = 3", none);
  expect_pieces("y = abs(x)", "x = -1, x' = 1, y ~ 1, y' ~ 0", (double[]){-1, 1, 1, -1});
  expect_pieces("y = abs(x)", "x = -1, x' = 1, y = 1, y' = -1", (double[]){-1, 1, 1, -1});
  expect_pieces("y = abs(x)", "x = -1, x' = 1, y = 1, y' = 1", none);
  expect_pieces("y' = if(x > 0, 1, 2)*x'", "x = -1, x' = 1, y' = 2", (double[]){-1, 0, 1, 2});
  /* on a surface the velocities decide which piece holds */
  expect_pieces(hull, "x = 0, x' = 1, y' ~ 0", (double[]){0, 0, 1, 2});
  expect_pieces(hull, "x = 0, x' = -1, y' ~ 0", (double[]){0, 0, -1, -1});
  expect_pieces(hull, "x = 0, y' = 2, x' ~ 0", (double[]){0, 0, 1, 2});
  expect_pieces("y = abs(x)", "x = 0, y' = -1, x' ~ 0", none);
  expect_pieces(step, "x = 0, x' = -1, y ~ 0, y' ~ 0", (double[]){0, 0, -1, -1});
  expect_pieces(step, "x = 0, x' = 1, y ~ 0, y' ~ 0", (double[]){0, 1, 1, 1});
  /* pieces inside pieces */
  expect_pieces(pair, "x = -1, x' = 1, y ~ 0, y' ~ 0", (double[]){-1, 1, 1, 1});
  expect_pieces(pair, "x = -3, x' = 1, y ~ 0, y' ~ 0", (double[]){-3, 1, 1, -1});
  expect_pieces("y' = abs(x')", "x' = -1, y' ~ 0", (double[]){0, 0, -1, 1});
}

/* ---- single components of an angular velocity ---- */

#define BALL                                         \
  "parameter r = 0.2\nbody b: mass 1, inertia 0.1\n" \
  "constraint roll: (b.p'[1] - r*b.w[2], b.p'[2] + r*b.w[1]) = (0, 0)\nrun 0..1\n"

static void expect_spin(const char *text, const double want[3]) {
  outcome o = start(text);
  bool good = CHECK(o.status == PAWL_OK);
  for (int i = 0; i < 3 && o.status == PAWL_OK; i++) {
    good = CHECK_NEAR(pawl_start_velocities(o.system)[3 + i], want[i], 1e-14) && good;
  }
  if (!good) {
    printf("  %s\n", text);
  }
  finish(&o);
}

static void spins_by_component(void) {
  const double rolls[3] = {-2, 0, 9};
  expect_spin(BALL "start b.p' = (0, 0.4, 0), b.w[3] = 9\n", rolls);
  expect_spin(BALL "start b.p' = (0, 0.4, 0), b.w[3] = 9, b.w[1] ~ 5\n", rolls);
  expect_spin(BALL "start b.p' = (0, 0.4, 0), b.w = (-2, 0, 9)\n", rolls);
  /* the fixed component stays fixed in space whatever the orientation */
  expect_spin(BALL "start b.p' = (0, 0.4, 0), b.w[3] = 9, b.R = axis(1, 2, 3, 1)\n", rolls);
  expect_spin(BALL "start b.p' = (0, 0.4, 0), b.W[1] = 9, b.R = axis(0, 1, 0, -pi/2)\n", rolls);
  /* an orientation that is a guess is solved first */
  expect_spin(BALL "constraint up: dot(b.R*(1, 0, 0), (1, 0, 0)) = 0\n"
                   "start b.p' = (0, 0.4, 0), b.w[3] = 0, b.R ~ axis(0, 0, 1, 1)\n",
              (double[]){-2, 0, 0});
  outcome o = start(BALL "start b.p' = (0, 0.4, 0), b.w[1] = 9, b.R = axis(1, 1, 1, 1)\n");
  CHECK(o.status == PAWL_E_START);
  CHECK_STR(first_code(&o), "E0303");
  const pawl_diag *d = pawl_diags_get(o.diags, 0);
  CHECK(d->n_help == 1 && strstr(d->help[0], "b.p[2]' ~ 0.4") != NULL);
  finish(&o);
}

CHECK_MAIN({"guesses", guesses_are_solved}, {"offer", wrong_fixed_value_is_offered_as_guess},
           {"velocity", wrong_velocity_is_reported},
           {"unmentioned", unmentioned_values_move_only_if_needed},
           {"contradiction", contradictory_accelerations_are_named},
           {"redundancy", redundancy_is_a_warning}, {"division", division_by_zero_is_found},
           {"pieces", constraints_in_pieces}, {"spins", spins_by_component})
