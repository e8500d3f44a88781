// SPDX-License-Identifier: MIT
/* Orbits called in every wrong way, and once in the right one. */
#include <math.h>

#include "check.h"
#include "pawl/pawl.h"

static const char text[] = "parameter w = 2.6, e = 0.8\ncoordinates x\nkinetic T = x'^2/2\n"
                           "potential V = x^2/2\nforce x: cos(w*t)\n"
                           "constraint stop: x >= 0, restitution e\nstart x = 0.1, x' = 0.4\n"
                           "event strobe: every 2*pi/w\nrun 0..30\n";

static int swallow(void *payload, const char *bytes, unsigned long count) {
  (void)payload;
  (void)bytes;
  (void)count;
  return 0;
}

static pawl_model *oscillator(void) {
  pawl_model *model = NULL;
  CHECK_INT(pawl_model_parse(text, sizeof text - 1, NULL, NULL, &model), PAWL_OK);
  return model;
}

static void nothing(void) {
  CHECK_INT(pawl_orbit_points(NULL), 0);
  CHECK_INT(pawl_orbit_exponents(NULL), 0);
  CHECK(isnan(pawl_orbit_exponent(NULL, 0)));
  CHECK(isnan(pawl_orbit_exponent_time(NULL)));
  CHECK(isnan(pawl_orbit_get(NULL, 0).period));
  CHECK(pawl_orbit_system(NULL) == NULL);
  CHECK_INT(pawl_orbit_certificate(NULL).verdict, PAWL_NOT_CHECKED);
  CHECK_INT(pawl_orbit_json(NULL, swallow, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_orbit_csv(NULL, swallow, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_orbit_svg(NULL, swallow, NULL), PAWL_E_ARGUMENT);
  pawl_orbit_free(NULL);
}

static void wrong_arguments(void) {
  pawl_model *model = oscillator();
  pawl_orbit *o = NULL;
  const pawl_orbit_opts wrong[] = {{.period = -1},
                                   {.period = NAN},
                                   {.returns = -1},
                                   {.exponents = -1},
                                   {.tol = NAN},
                                   {.n_override = 1},
                                   {.at = "nothing"},
                                   {.along = "x", .begin = 1, .end = 2},
                                   {.along = "w", .end = NAN}};
  CHECK_INT(pawl_orbit_new(NULL, NULL, NULL, &o), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_orbit_new(model, NULL, NULL, NULL), PAWL_E_ARGUMENT);
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    CHECK_INT(pawl_orbit_new(model, &wrong[i], NULL, &o), PAWL_E_ARGUMENT);
    CHECK(o == NULL);
  }
  pawl_model_free(model);
}

static void right_one(void) {
  pawl_model *model = oscillator();
  pawl_orbit *o = NULL;
  CHECK_INT(pawl_orbit_new(model, NULL, NULL, &o), PAWL_OK);
  pawl_model_free(model);
  CHECK_INT(pawl_orbit_points(o), 1);
  pawl_orbit_point p = pawl_orbit_get(o, 0);
  CHECK_INT(p.n_multiplier, 2);
  CHECK_NEAR(p.multipliers[0] + p.multipliers[2], -1.1490793095920597, 1e-9);
  CHECK_NEAR(hypot(p.multipliers[0], p.multipliers[1]), 0.8, 1e-9);
  CHECK(p.stable && p.n_event == 1 && isnan(p.value));
  CHECK(isnan(pawl_orbit_get(o, 1).period) && isnan(pawl_orbit_get(o, -1).period));
  CHECK_INT(pawl_orbit_json(o, NULL, NULL), PAWL_E_ARGUMENT);
  CHECK_INT(pawl_orbit_json(o, swallow, NULL), PAWL_OK);
  CHECK_INT(pawl_orbit_csv(o, swallow, NULL), PAWL_E_ARGUMENT);
  pawl_orbit_free(o);
}

CHECK_MAIN({"nothing", nothing}, {"wrong_arguments", wrong_arguments}, {"right_one", right_one})
