// SPDX-License-Identifier: MIT
/* Places of numbers in the outputs of the tapes, against a model whose numbers are known by hand.
 */
#include "system/view.h"

#include <stdlib.h>

#include "check.h"
#include "mech/handle.h"

/* A sledge on a table that slides with friction, coupled to a mass by a rod of length 5. */
static const char text[] = "coordinates x, y, z\n"
                           "kinetic T = 3*x'^2/2 + x'*y' + 2*y'^2 + z'^2/2\n"
                           "potential V = 9*y + z^2/2\n"
                           "constraint rod: x^2 + y^2 = 25\n"
                           "constraint floor: y >= 4, restitution 0.25\n"
                           "friction f: slip x', bound 2, static 3\n"
                           "start x = 3, y = 4\nrun 0..1\n";

typedef struct fixture {
  pawl_model *model;
  pawl_system *system;
  const pw_system *sys;
  double *in, *reg, *out;
} fixture;

static fixture make(void) {
  fixture f = {0};
  pawl_diags *diags = NULL;
  CHECK(pawl_diags_new(&diags) == PAWL_OK);
  pawl_status status = pawl_model_parse(text, sizeof text - 1, NULL, diags, &f.model);
  status = status == PAWL_OK ? pawl_system_new(f.model, NULL, diags, &f.system) : status;
  for (int i = 0; i < pawl_diags_count(diags); i++) {
    printf("  %s\n", pawl_diags_get(diags, i)->message);
  }
  pawl_diags_free(diags);
  if (!CHECK(status == PAWL_OK)) {
    exit(1);
  }
  f.sys = f.system->sys;
  f.in = calloc((size_t)f.sys->n_in * 2 + 1, sizeof *f.in);
  f.reg = calloc(100000, sizeof *f.reg);
  f.out = calloc(10000, sizeof *f.out);
  return f;
}

static void unmake(fixture *f) {
  free(f->in);
  free(f->reg);
  free(f->out);
  pawl_system_free(f->system);
  pawl_model_free(f->model);
}

static void set_state(fixture *f, const double *q, const double *u) {
  for (int i = 0; i < 3; i++) {
    f->in[f->sys->offset[PW_VAR_Q] + i] = q[i];
    f->in[f->sys->offset[PW_VAR_U] + i] = u[i];
  }
}

static double *run(fixture *f, const pw_tape *tape, double *out) {
  pw_tape_prepare(tape, f->reg);
  pw_tape_run(tape, f->in, f->reg, out);
  return out;
}

/* M = ((3, 1, 0), (1, 4, 0), (0, 0, 1)), h = (0, -9, -z), J = (2x, 2y, 0), zeta = 2 |u|^2. */
static void motion_is_mass_load_rows_and_rates(void) {
  fixture f = make();
  const double q[3] = {3, 4, 0.5}, u[3] = {4, -3, 7};
  set_state(&f, q, u);
  pw_motion_view x = pw_view_motion(f.sys, run(&f, f.sys->tape.motion, f.out));
  const double M[3][3] = {{3, 1, 0}, {1, 4, 0}, {0, 0, 1}};
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      CHECK_NEAR(x.M[pw_view_mass_at(f.sys, i, j)], M[i][j], 0);
    }
    CHECK_NEAR(x.q_rate[i], u[i], 0);
  }
  CHECK_NEAR(x.h[0], 0, 0);
  CHECK_NEAR(x.h[1], -9, 0);
  CHECK_NEAR(x.h[2], -0.5, 0);
  CHECK_INT(f.sys->nc, 1);
  CHECK_NEAR(x.J[0], 6, 0);
  CHECK_NEAR(x.J[1], 8, 0);
  CHECK_NEAR(x.J[2], 0, 0);
  CHECK_NEAR(x.zeta[0], 50, 1e-13);
  CHECK_INT(pw_view_places(f.sys).z_rate + f.sys->nz, pw_tape_outputs(f.sys->tape.motion));
  unmake(&f);
}

/* Row of the law with this kind. */
static int law_of(const fixture *f, pw_kind kind) {
  for (int i = 0; i < f->sys->ni; i++) {
    if (f->sys->law[i].kind == kind) {
      return i;
    }
  }
  CHECK(false);
  return 0;
}

static void laws_have_values_bounds_and_clauses(void) {
  fixture f = make();
  const double q[3] = {3, 4.5, 0}, u[3] = {-2, 0.75, 0};
  double *graph = f.out + 2000, *clause = f.out + 4000;
  set_state(&f, q, u);
  pw_law_view view = {.contact = run(&f, f.sys->tape.contact, f.out),
                      .graph = run(&f, f.sys->tape.graph, graph),
                      .clause = run(&f, f.sys->tape.clause, clause)};

  pw_law_row floor = pw_view_law(f.sys, view, law_of(&f, PW_KIND_UNILATERAL));
  CHECK_NEAR(floor.value, 0.5, 0);
  CHECK_NEAR(floor.rate, 0.75, 0);
  CHECK_NEAR(floor.J[1], 1, 0);
  CHECK_NEAR(floor.restitution, 0.25, 0);
  CHECK(pw_law_is_wall(floor.form) && floor.limit < 0);

  pw_law_row slip = pw_view_law(f.sys, view, law_of(&f, PW_KIND_FRICTION));
  CHECK_NEAR(slip.value, -2, 0);
  CHECK_NEAR(slip.J[0], 1, 0);
  CHECK_NEAR(slip.left, -2, 0);
  CHECK_NEAR(slip.right, 2, 0);
  CHECK_NEAR(slip.limit, 3, 0);
  CHECK(pw_law_is_slip(slip.form));

  pw_law_row bare = pw_view_law(f.sys, (pw_law_view){.graph = graph}, 0);
  CHECK(isnan(bare.value) && isnan(bare.limit) && bare.J == NULL);
  unmake(&f);
}

/* Coefficients of a series of order 1 along y. */
static void series_have_all_coefficients_of_a_number(void) {
  fixture f = make();
  double *in = calloc(2 * (size_t)f.sys->n_in, sizeof *in);
  in[2 * (f.sys->offset[PW_VAR_Q] + 1)] = 4.5;
  in[2 * (f.sys->offset[PW_VAR_Q] + 1) + 1] = 7;
  pw_tape_jet(f.sys->tape.contact, 1, in, f.reg, f.out);
  int law = law_of(&f, PW_KIND_UNILATERAL);
  pw_law_view view = {.contact = f.out};
  CHECK_NEAR(pw_view_law_series(f.sys, view, law, 1, 0).value, 0.5, 0);
  CHECK_NEAR(pw_view_law_series(f.sys, view, law, 1, 1).value, 7, 0);
  free(in);
  unmake(&f);
}

CHECK_MAIN({"motion_is_mass_load_rows_and_rates", motion_is_mass_load_rows_and_rates},
           {"laws_have_values_bounds_and_clauses", laws_have_values_bounds_and_clauses},
           {"series_have_all_coefficients_of_a_number", series_have_all_coefficients_of_a_number})
