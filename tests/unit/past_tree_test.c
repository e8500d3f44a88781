// SPDX-License-Identifier: MIT
/* Pasts with known answers: bounces, the sleigh of Kozlov, friction, three balls; misuse. */
#include <math.h>
#include <pawl/pawl.h>

#include "check.h"

static pawl_system *system_of(const char *text) {
  pawl_model *model = NULL;
  pawl_system *system = NULL;
  CHECK_INT(pawl_model_parse(text, strlen(text), NULL, NULL, &model), PAWL_OK);
  CHECK_INT(pawl_system_new(model, NULL, NULL, &system), PAWL_OK);
  pawl_model_free(model);
  return system;
}

static pawl_past *past_of(const char *text, int depth) {
  pawl_system *system = system_of(text);
  pawl_past *past = NULL;
  CHECK_INT(pawl_past_new(system, &(pawl_past_opts){.depth = depth}, NULL, &past), PAWL_OK);
  pawl_system_free(system);
  return past;
}

static const char bounce[] = "coordinates y\nkinetic T = 1/2*y'^2\npotential V = 10*y\n"
                             "constraint floor: y >= 0, restitution 0.5\n"
                             "start y = 0.35, y' = 3\nrun 0..2\n";

/* Up from the floor with 4 at t = -0.1, struck with -8, thrown with 8 at -1.7, struck with -16. */
static void bounces(void) {
  pawl_past *p = past_of(bounce, 6);
  CHECK_INT(pawl_past_count(p), 5);
  CHECK(pawl_past_complete(p) && pawl_past_why(p)[0] == '\0');
  pawl_past_info fall = pawl_past_get(p, 0), strike = pawl_past_get(p, 1);
  CHECK_NEAR(fall.acceleration[0], -10, 1e-12);
  CHECK_NEAR(fall.since, -0.1, 1e-9);
  CHECK(fall.ends && !fall.impact && strike.impact && strike.parent == 0);
  CHECK_NEAR(strike.u[0], -8, 1e-8);
  CHECK(strcmp(strike.law, "floor") == 0 && strcmp(strike.how, "strikes") == 0);
  CHECK_NEAR(pawl_past_get(p, 3).u[0], -16, 1e-8);
  CHECK_NEAR(pawl_past_get(p, 3).t, -1.7, 1e-9);
  CHECK_INT(pawl_past_get(p, 4).ends, 0);
  pawl_past_free(p);
  pawl_system *s = system_of(bounce);
  double q[1], u[1];
  CHECK_INT(pawl_past_state(s, 2, -20, NULL, q, u, NULL), PAWL_OK);
  CHECK_NEAR(q[0], 112.35, 1e-6);
  CHECK_NEAR(u[0], 43, 1e-7);
  pawl_system_free(s);
}

/* Held along the circle, or joined now after half a turn on a line to which nothing leads. */
static void sleigh(void) {
  static const char text[] = "coordinates x, y, th\nkinetic T = 1/2*(x'^2 + y'^2) + 1/2*th'^2\n"
                             "constraint blade: -x'*sin(th) + y'*cos(th) >= 0\n"
                             "start x' = 1, th' = 2\nrun 0..3\n";
  pawl_past *p = past_of(text, 3);
  CHECK_INT(pawl_past_count(p), 2);
  CHECK(!pawl_past_complete(p));
  int line = strcmp(pawl_past_get(p, 0).how, "joins") == 0 ? 0 : 1;
  pawl_past_info a = pawl_past_get(p, line), b = pawl_past_get(p, 1 - line);
  CHECK_NEAR(a.since, -2 * atan(1), 1e-8);
  CHECK_NEAR(a.q_since[0], -2 * atan(1), 1e-8);
  CHECK(a.ends && strcmp(a.law, "blade") == 0);
  CHECK_NEAR(b.acceleration[1], 2, 1e-12);
  CHECK_NEAR(b.q_since[0], sin(-6) / 2, 1e-8);
  pawl_past_free(p);
  pawl_system *s = system_of(text);
  double q[3], u[3];
  CHECK_INT(pawl_past_state(s, 3, 0, NULL, q, u, NULL), PAWL_E_NO_MOTION);
  pawl_system_free(s);
}

static void friction(void) {
  pawl_past *p = past_of("coordinates x\nkinetic T = 1/2*x'^2\npotential V = 2*x^2\n"
                         "friction f: slip x', bound 1\nstart x = 0.1\nrun 0..2\n",
                         1);
  CHECK_INT(pawl_past_count(p), 3); /* stuck; came from either side */
  double sum = 0, most = 0;
  for (int i = 0; i < 3; i++) {
    double a = pawl_past_get(p, i).acceleration[0];
    sum += a;
    most = fmax(most, fabs(a));
  }
  CHECK_NEAR(sum, -1.4 + 0.6, 1e-9);
  CHECK_NEAR(most, 1.4, 1e-9);
  pawl_past_free(p);
}

/* Two and two thirds, after a ball has struck two that touch: all three were struck at once. */
static void balls(void) {
  pawl_past *p = past_of("coordinates x, y, z\nkinetic T = 1/2*(x'^2 + y'^2 + z'^2)\n"
                         "constraint a: y - x >= 0, restitution 1\n"
                         "constraint b: z - y >= 0, restitution 1\n"
                         "start x' = -1/3, y' = 2/3, z' = 2/3\nrun 0..1\n",
                         1);
  CHECK_INT(pawl_past_count(p), 1);
  pawl_past_info x = pawl_past_get(p, 0);
  CHECK(x.impact && strcmp(x.law, "a, b") == 0);
  CHECK_NEAR(x.u[0], 1, 1e-12);
  CHECK_NEAR(x.u[1], 0, 1e-12);
  CHECK_NEAR(x.u[2], 0, 1e-12);
  pawl_past_free(p);
}

static void rest(void) {
  pawl_past *p = past_of("coordinates y\nkinetic T = 1/2*y'^2\npotential V = 10*y\n"
                         "constraint floor: y >= 0, restitution 0.5\nstart y = 0\nrun 0..1\n",
                         2);
  CHECK(pawl_past_count(p) == 1 && !pawl_past_complete(p));
  CHECK(strstr(pawl_past_why(p), "infinitely many") != NULL);
  pawl_past_free(p);
}

CHECK_MAIN({"bounces", bounces}, {"sleigh", sleigh}, {"friction", friction}, {"balls", balls},
           {"rest", rest})
