// SPDX-License-Identifier: MIT
/* Studies: orders of the methods and of realisations as theory gives them. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/pi.h"
#include "check.h"
#include "pawl/pawl.h"

static pawl_model *parse(const char *text) {
  pawl_model *model = NULL;
  CHECK(pawl_model_parse(text, strlen(text), NULL, NULL, &model) == PAWL_OK);
  return model;
}

static int find(const pawl_study *s, const char *name) {
  for (int i = 0; i < pawl_study_count(s); i++) {
    if (strcmp(pawl_study_get(s, i).name, name) == 0) {
      return i;
    }
  }
  return -1;
}

static const char spring[] = "coordinates x\nkinetic T = 1/2*x'^2\npotential V = 1/2*x^2\n"
                             "start x = 1\nrun 0..10\n";

static void methods_have_their_orders(void) {
  static const struct {
    const char *name;
    double end, along;
  } all[] = {
      {"dp5", 5, 5}, {"dop853", 8, 8}, {"radau", 5, 4}, {"moreau", 2, 2}, {"variational", 2, 2}};
  pawl_model *model = parse(spring);
  pawl_study *s = NULL;
  pawl_study_opts by_step = {.by = PAWL_BY_STEP};
  CHECK(pawl_converge_new(model, &by_step, NULL, &s) == PAWL_OK);
  CHECK_INT(pawl_study_count(s), 6);
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    pawl_study_series x = pawl_study_get(s, find(s, all[i].name));
    CHECK_STR(x.by, "step");
    CHECK_NEAR(x.order_end, all[i].end, 0.2);
    CHECK_NEAR(x.order_positions, all[i].along, 0.3); /* between steps: of the dense output */
  }
  CHECK(pawl_study_floor(s) < 1e-11);
  pawl_study_free(s);

  /* by tolerance, errors fall with it */
  pawl_study_opts one = {.one_method = 1, .method = PAWL_METHOD_AUTO};
  CHECK(pawl_converge_new(model, &one, NULL, &s) == PAWL_OK);
  CHECK_INT(pawl_study_count(s), 1);
  CHECK_STR(pawl_study_get(s, 0).by, "tol");
  for (int k = 0; k < pawl_study_get(s, 0).rows; k++) {
    pawl_study_row r = pawl_study_row_get(s, 0, k);
    CHECK(r.positions < 5 * r.value);
    CHECK_STR(r.why, "");
  }
  pawl_study_free(s);
  pawl_model_free(model);
}

/* Impacts within a step: order 1; steps that are cut at them keep order 2, with slips in a plane.
 */
static void impacts_within_steps(void) {
  pawl_model *model = parse(
      "coordinates x, y, z\nkinetic T = 1/2*(x'^2 + y'^2 + z'^2)\npotential V = 10*y + 2*x^2\n"
      "constraint floor: y >= 0, restitution 0.5\n"
      "friction rub: slip (x', z'), mu 0.3 on floor\n"
      "start y = 1, x' = 3\nrun 0..1.3\n");
  pawl_study *s = NULL;
  CHECK(pawl_converge_new(model, NULL, NULL, &s) == PAWL_OK);
  pawl_study_series moreau = pawl_study_get(s, find(s, "moreau"));
  CHECK(moreau.order_velocities > 0.7 && moreau.order_velocities < 1.6);
  pawl_study_series variational = pawl_study_get(s, find(s, "variational"));
  CHECK_NEAR(variational.order_positions, 2, 0.2);
  pawl_study_free(s);
  pawl_model_free(model);
}

/* A method that does not take a law says so. */
static void refusals(void) {
  pawl_model *model =
      parse("coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\n"
            "potential V = max(x + y, -x, -y) + x^2\nstart x = 1, y = 1\nrun 0..1\n");
  pawl_study *s = NULL;
  CHECK(pawl_converge_new(model, NULL, NULL, &s) == PAWL_OK);
  pawl_study_series refused = pawl_study_get(s, find(s, "variational"));
  CHECK_INT(refused.rows, 0);
  CHECK(strstr(refused.refused, "variational") != NULL);
  pawl_study_free(s);
  pawl_model_free(model);
}

static const char sleigh[] = "coordinates x, y, th\nkinetic T = 1/2*(x'^2 + y'^2) + 1/2*th'^2\n"
                             "constraint blade: y'*cos(th) - x'*sin(th) = 0\n"
                             "start x' = 1, th' = 0.5\nrun 0..4\n";

/* Viscosity goes to the ideal blade as 1/N; friction reaches it where its bound is not reached. */
static void blade(void) {
  pawl_model *model = parse(sleigh);
  pawl_study *s = NULL;
  CHECK(pawl_realise_new(model, "blade", NULL, NULL, &s) == PAWL_OK);
  pawl_study_series viscous = pawl_study_get(s, find(s, "viscous"));
  CHECK_INT(viscous.rows, 7);
  CHECK_NEAR(viscous.order_positions, 1, 0.02);
  CHECK_NEAR(viscous.order_velocities, 1, 0.02);
  int rubs = find(s, "friction");
  CHECK(pawl_study_row_get(s, rubs, 0).positions > 1e-2);
  int last = pawl_study_get(s, rubs).rows - 1;
  CHECK(pawl_study_row_get(s, rubs, last).positions < 1e-9);
  CHECK_NEAR(pawl_study_row_get(s, rubs, last).value, 2 * 0.5, 1e-6); /* twice m u w */
  CHECK_STR(pawl_study_against(s), "the ideal constraint");
  pawl_study_free(s);
  pawl_model_free(model);
}

/* A rod as a spring: both ways 1/K. */
static void rod(void) {
  pawl_model *model =
      parse("coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\n"
            "constraint rod: x^2 + y^2 = 1\nstart x = 1, y = 0, y' = 1\nrun 0..1\n");
  pawl_study *s = NULL;
  CHECK(pawl_realise_new(model, "rod", NULL, NULL, &s) == PAWL_OK);
  CHECK_NEAR(pawl_study_get(s, find(s, "spring, damped")).order_positions, 1, 0.1);
  CHECK_INT(find(s, "friction"), -1);
  pawl_study_free(s);
  pawl_model_free(model);
}

/* A body on a spring and damper that give back e stays in them for pi/(w sqrt(1 - z^2)), and comes
 * out so much later; K = m (v/L)^2 10^7, L = 1, so w = v 10^3.5. */
static void floor_of_springs(void) {
  static const double restitution[] = {1, 0.5};
  for (int i = 0; i < 2; i++) {
    char text[200];
    double e = restitution[i], z = -log(e) / hypot(PW_PI, log(e));
    snprintf(text, sizeof text,
             "coordinates y\nkinetic T = 1/2*2*y'^2\n"
             "constraint floor: y >= 0, restitution %g\nstart y = 1, y' = -5\nrun 0..0.3\n",
             e);
    pawl_model *model = parse(text);
    pawl_study *s = NULL;
    CHECK(pawl_realise_new(model, "floor", NULL, NULL, &s) == PAWL_OK);
    CHECK_INT(pawl_study_count(s), 1);
    pawl_study_series series = pawl_study_get(s, 0);
    pawl_study_row last = pawl_study_row_get(s, 0, series.rows - 1);
    CHECK_NEAR(series.order_end, 0.5, 0.01);
    CHECK_NEAR(last.end, e * PW_PI / sqrt(1 - z * z) * pow(10, -3.5), 1e-6);
    pawl_study_free(s);
    pawl_model_free(model);
  }
}

static void wrong(const char *text, const char *law, const char *code, pawl_status want) {
  pawl_model *model = parse(text);
  pawl_study *s = NULL;
  pawl_diags *diags = NULL;
  CHECK(pawl_diags_new(&diags) == PAWL_OK);
  pawl_status status = law == NULL ? pawl_converge_new(model, NULL, diags, &s)
                                   : pawl_realise_new(model, law, NULL, diags, &s);
  CHECK_INT(status, want);
  CHECK(s == NULL);
  CHECK_INT(pawl_diags_errors(diags), 1);
  const pawl_diag *d = pawl_diags_get(diags, 0);
  CHECK_STR(d == NULL ? "" : d->code, code);
  pawl_diags_free(diags);
  pawl_model_free(model);
}

static void errors(void) {
  wrong("coordinates y\nkinetic T = 1/2*y'^2\nconstraint c[i in 1..0]: y = i\nstart y = 1\n"
        "run 0..1\n",
        "c", "E0541", PAWL_E_MODEL);
  wrong("coordinates y\nkinetic T = 1/2*y'^2\npotential V = 10*y\n"
        "constraint floor: y >= 0, restitution 0\nstart y = 0\nrun 0..1\n",
        "floor", "E0542", PAWL_E_MODEL);
  wrong("coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\nconstraint rod: y = 0\n"
        "start x = 1, y = 0, x' = 1\nrun 0..1\n",
        "rod", "E0542", PAWL_E_MODEL);
  wrong(sleigh, "blode", "E0118", PAWL_E_MODEL);
  wrong("coordinates x\nkinetic T = 1/2*x'^2\npotential V = -1/x\nstart x = 1\nrun 0..5\n", NULL,
        "E0540", PAWL_E_STEP);
}

CHECK_MAIN({"methods_have_their_orders", methods_have_their_orders},
           {"impacts_within_steps", impacts_within_steps}, {"refusals", refusals}, {"blade", blade},
           {"rod", rod}, {"floor_of_springs", floor_of_springs}, {"errors", errors})
