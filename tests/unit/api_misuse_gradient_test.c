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
  CHECK_INT(pawl_gradient_by_input(NULL, 0, NULL), PAWL_E_ARGUMENT);
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

/* m x'' = F*(1 + x) - k x with a stop: positions F and x, velocity, output x'', force of the stop.
 */
static const char pushed[] =
    "parameter m = 2, k = 3\ninput F = 1, idle = 0\ncoordinates x\nkinetic T = m/2*x'^2\n"
    "potential V = k/2*x^2\nforce x: F*(1 + x)\nconstraint stop: x >= 0, restitution 0\n"
    "output a = x'', w = F^2\nstart x = 0.5\nrun 0..4\n";

static pawl_sim *push(const pawl_sim_opts *opts) {
  pawl_model *model = NULL;
  pawl_system *system = NULL;
  pawl_sim *sim = NULL;
  CHECK_INT(pawl_model_parse(pushed, sizeof pushed - 1, NULL, NULL, &model), PAWL_OK);
  CHECK_INT(pawl_system_new(model, NULL, NULL, &system), PAWL_OK);
  CHECK_INT(pawl_sim_new(system, opts, NULL, &sim), PAWL_OK);
  pawl_system_free(system);
  pawl_model_free(model);
  return sim;
}

static void by_input(void) {
  double d[7];
  pawl_stop why;
  pawl_point p;
  pawl_sim *sim = push(NULL);
  CHECK_INT(pawl_gradient_by_input(sim, 2, d), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_gradient_by_input(sim, -1, d), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_gradient_by_input(sim, 0, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_sim_advance(sim, 0.7, NULL, &why), PAWL_OK);
  CHECK_INT(pawl_sim_input(sim, 0, 1.5), PAWL_OK);
  CHECK_INT(pawl_gradient_by_input(sim, 0, d), PAWL_OK);
  CHECK_INT(pawl_sim_point(sim, PAWL_AFTER, &p), PAWL_OK);
  CHECK(d[0] == 1 && d[1] == 0 && d[2] == 0 && d[3] == 0);
  CHECK(fabs(d[4] - (1 + p.q[2]) / 2) < 1e-14); /* (1 + x)/m */
  CHECK(fabs(d[5] - 3) < 1e-14 && d[6] == 0);
  CHECK_INT(pawl_gradient_by_input(sim, 1, d), PAWL_OK);
  CHECK(d[0] == 0 && d[1] == 1 && d[4] == 0);
  CHECK_INT(pawl_sim_input(sim, 0, -5), PAWL_OK);
  for (why = PAWL_AT_EVENT; why == PAWL_AT_EVENT;) {
    CHECK_INT(pawl_sim_advance(sim, 3, NULL, &why), PAWL_OK);
  }
  CHECK_INT(pawl_gradient_by_input(sim, 0, d), PAWL_OK);
  CHECK(fabs(d[4]) < 1e-12 && fabs(d[6] + 1) < 1e-12); /* at rest at the stop, which holds -F */
  pawl_sim_free(sim);
  sim = push(&(pawl_sim_opts){.method = PAWL_METHOD_MOREAU});
  CHECK_INT(pawl_gradient_by_input(sim, 0, d), PAWL_E_STATE);
  pawl_sim_free(sim);
}

/* A span without length: derivatives of the start. */
static void at_start(void) {
  const char *names[] = {"g", "y"};
  pawl_model *model = ball();
  pawl_gradient *g = NULL;
  CHECK_INT(pawl_gradient_new(model, NULL, &(pawl_sim_opts){.use_span = 1}, names, 2, NULL, &g),
            PAWL_OK);
  const double *by_g = pawl_gradient_end(g, 0), *by_y = pawl_gradient_end(g, 1);
  CHECK(by_g != NULL && by_g[0] == 0 && by_g[1] == 0 && by_g[2] == 0);
  CHECK(by_y != NULL && fabs(by_y[0] - 1) < 1e-12 && by_y[1] == 0);
  CHECK_INT(pawl_gradient_events(g), 0);
  pawl_gradient_free(g);
  pawl_model_free(model);
}

CHECK_MAIN({"by_input", by_input}, {"at_start", at_start}, {"nothing", nothing},
           {"wrong_arguments", wrong_arguments}, {"right_ones", right_ones})
