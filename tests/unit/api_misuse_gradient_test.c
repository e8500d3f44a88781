// SPDX-License-Identifier: MIT
/* Derivatives called in every wrong way, and once in the right one. */
#include <math.h>

#include "check.h"
#include "pawl/pawl.h"

static const char text[] = "parameter g = 10, e = 0.5 in 0..1\ncoordinates y\n"
                           "kinetic T = y'^2/2\npotential V = g*y\n"
                           "constraint floor: y >= 0, restitution e\nstart y = 1\nrun 0..1\n";

static pawl_model *ball(void) {
  pawl_model *model = NULL;
  CHECK_INT(pawl_model_parse(text, sizeof text - 1, NULL, NULL, &model), PAWL_OK);
  return model;
}

static void nothing(void) {
  CHECK_INT(pawl_gradient_count(NULL), 0);
  CHECK_INT(pawl_gradient_events(NULL), 0);
  CHECK(pawl_gradient_name(NULL, 0) == NULL);
  CHECK(pawl_gradient_system(NULL) == NULL);
  CHECK(pawl_gradient_end(NULL, 0) == NULL);
  CHECK(pawl_gradient_why(NULL, 0) == NULL);
  CHECK(isnan(pawl_gradient_since(NULL, 0)));
  CHECK(isnan(pawl_gradient_event(NULL, 0, 0)));
  CHECK(isnan(pawl_gradient_event_time(NULL, 0)));
  CHECK(pawl_gradient_event_why(NULL, 0, 0) == NULL);
  CHECK(pawl_run_gradient(NULL) == NULL);
  pawl_gradient_free(NULL);
}

static void wrong_arguments(void) {
  const char *names[] = {"e", NULL}, *unknown[] = {"f"};
  pawl_model *model = ball();
  pawl_gradient *g = NULL;
  CHECK_INT(pawl_gradient_new(NULL, NULL, NULL, names, 1, NULL, &g), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_gradient_new(model, NULL, NULL, names, 1, NULL, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_gradient_new(model, NULL, NULL, names, 0, NULL, &g), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_gradient_new(model, NULL, NULL, NULL, 1, NULL, &g), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_gradient_new(model, NULL, NULL, names, 2, NULL, &g), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_gradient_new(model, NULL, NULL, unknown, 1, NULL, &g), PAWL_E_ARGUMENT);
  CHECK(g == NULL);
  pawl_system *system = NULL;
  CHECK_INT(pawl_system_new(model, &(pawl_system_opts){.n_vary = 1}, NULL, &system),
            PAWL_E_ARGUMENT);
  pawl_run *run = NULL;
  CHECK_INT(pawl_run_new(model, &(pawl_run_opts){.n_gradient = 1}, NULL, &run), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_run_new(model, &(pawl_run_opts){.gradient = unknown, .n_gradient = 1}, NULL, &run),
            PAWL_E_ARGUMENT);
  pawl_model_free(model);
}

static void right_ones(void) {
  const char *names[] = {"e", "y"};
  pawl_model *model = ball();
  pawl_gradient *g = NULL;
  CHECK_INT(pawl_gradient_new(model, NULL, &(pawl_sim_opts){.tol = 1e-13}, names, 2, NULL, &g),
            PAWL_OK);
  pawl_model_free(model);
  CHECK_INT(pawl_gradient_count(g), 2);
  CHECK_STR(pawl_gradient_name(g, 1), "y");
  CHECK_STR(pawl_gradient_why(g, 0), "");
  CHECK(pawl_gradient_events(g) == 2);
  double t1 = sqrt(0.2);
  CHECK(fabs(pawl_gradient_event_time(g, 0) - t1) < 1e-12);
  CHECK(fabs(pawl_gradient_event(g, 0, 1) - t1 / 2) < 1e-10);
  CHECK(fabs(pawl_gradient_event(g, 1, 0) - 2 * t1) < 1e-10);
  CHECK_STR(pawl_gradient_event_why(g, 1, 0), "");
  CHECK(pawl_gradient_end(g, 0) != NULL && pawl_gradient_end(g, 2) == NULL);
  CHECK(isnan(pawl_gradient_event(g, 2, 0)) && isnan(pawl_gradient_event(g, 0, 2)));
  CHECK(pawl_gradient_event_why(g, 2, 0) == NULL);
  pawl_gradient_free(g);
}

CHECK_MAIN({"nothing", nothing}, {"wrong_arguments", wrong_arguments}, {"right_ones", right_ones})
