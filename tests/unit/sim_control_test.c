// SPDX-License-Identifier: MIT
/* The error norm and the step sizes: zero, NaN, floors, limits, first steps. */
#include "sim/control.h"

#include "check.h"

typedef struct setup {
  double memory[16];
  double x[2], u[2], mass[2];
  pw_control c;
} setup;

static void begin(setup *s, double x0, double x1, double u0, double u1, double kinetic) {
  memset(s, 0, sizeof *s);
  s->x[0] = x0;
  s->x[1] = x1;
  s->u[0] = u0;
  s->u[1] = u1;
  s->mass[0] = 2;
  s->mass[1] = 8;
  CHECK(pw_control_size(2) * sizeof(double) <= sizeof s->memory);
  pw_control_init(&s->c, 2, 1e-6, s->memory);
  pw_control_reset(&s->c, s->x, s->u, kinetic, kinetic);
}

static void weigh(setup *s, const double *x1, const double *u1, double h, bool rounding) {
  pw_control_weigh(&s->c, &(pw_trial){.x0 = s->x,
                                      .u0 = s->u,
                                      .x1 = x1,
                                      .u1 = u1,
                                      .mass = s->mass,
                                      .h = h,
                                      .kinetic = s->c.kinetic,
                                      .rounding = rounding,
                                      .whole = true});
}

static void weights_follow_size_and_range(void) {
  setup s;
  begin(&s, 3, 0, 0, 1, 0);
  double far_x[2] = {3, 500}, far_u[2] = {-20, 1};
  pw_control_note(&s.c, far_x, far_u, 0, 0);
  weigh(&s, s.x, s.u, 0.1, false);
  CHECK_NEAR(s.c.weight_x[0], 3e-6, 1e-20);
  CHECK_NEAR(s.c.weight_x[1], 500e-9, 1e-20);
  CHECK_NEAR(s.c.weight_u[0], 20e-9, 1e-20);
  CHECK_NEAR(s.c.weight_u[1], 1e-6, 1e-20);
  CHECK_NEAR(s.c.whole_x[1], 500e-6, 1e-18);
}

/* A span longer than any motion in it says nothing about the first errors. */
static void the_first_motion_has_the_size_of_steps(void) {
  setup s;
  begin(&s, 1, 0, 0, 0, 0);
  for (double span = 1e3; span <= 1e12; span *= 1e9) {
    pw_control_weigh(&s.c, &(pw_trial){.x0 = s.x,
                                       .u0 = s.u,
                                       .x1 = s.x,
                                       .u1 = s.u,
                                       .mass = s.mass,
                                       .h = 0.2,
                                       .pull = 3,
                                       .span = span});
    double acts = fmin(span, 1e4 * 0.2);
    CHECK_NEAR(s.c.weight_u[0], 1e-9 * 3 * acts / sqrt(2), 1e-20);
  }
}

static void floors_come_from_the_energy(void) {
  setup s;
  begin(&s, 0, 0, 0, 0, 4); /* speeds 2 and 1 */
  weigh(&s, s.x, s.u, 0.5, false);
  CHECK_NEAR(s.c.weight_u[0], 2e-12, 1e-26);
  CHECK_NEAR(s.c.weight_u[1], 1e-12, 1e-26);
  CHECK_NEAR(s.c.weight_x[0], 1e-12, 1e-26);
  s.c.tol = 1e-13;
  weigh(&s, s.x, s.u, 0.5, false);
  CHECK(s.c.weight_u[0] >= 1e-16); /* never below rounding */
}

/* A rate at rest although a force acts on it: constraints balance the force. */
static void balanced_forces_allow_errors(void) {
  setup s;
  begin(&s, 0, 0, 0, 1e-3, 4); /* speeds 2 and 1; only the first rate hardly moves */
  const double load[2] = {-0.6, 5}, strong[2] = {1e3, 5};
  pw_trial t = {.x0 = s.x, .u0 = s.u, .x1 = s.x, .u1 = s.u, .mass = s.mass, .load = load};
  t.h = 0.5;
  t.kinetic = 4;
  pw_control_weigh(&s.c, &t);
  CHECK_NEAR(s.c.weight_u[0], 0.15e-6, 1e-20); /* 0.5 * 0.6 / 2 */
  CHECK_NEAR(s.c.weight_x[0], 0.075e-6, 1e-20);
  CHECK_NEAR(s.c.weight_u[1], 1e-9, 1e-22);
  t.load = strong;
  pw_control_weigh(&s.c, &t);
  CHECK_NEAR(s.c.weight_u[0], 2e-6, 1e-20); /* all of the kinetic energy */
}

static void norm_of_special_values(void) {
  setup s;
  begin(&s, 1, 1, 0, 0, 0);
  weigh(&s, s.x, s.u, 0.1, false);
  int worst = -1;
  double e[2] = {0, 0}, bad[2] = {0, NAN}, big[2] = {0, 2e-6}, none[2] = {0, 1e-300};
  CHECK(pw_control_norm(&s.c, e, e, &worst) == 0); /* 0/0 of the velocities is no error */
  CHECK_NEAR(pw_control_norm(&s.c, big, e, &worst), 2, 1e-12);
  CHECK_INT(worst, 1);
  CHECK(isnan(pw_control_norm(&s.c, bad, big, &worst)));
  CHECK(isinf(pw_control_norm(&s.c, big, none, &worst)));
  CHECK_INT(worst, 3);
}

static void rotations_have_size_one(void) {
  setup s;
  begin(&s, NAN, 5, 0, 0, 0);
  weigh(&s, s.x, s.u, 0.1, false);
  CHECK_NEAR(s.c.weight_x[0], 1e-6, 1e-20);
}

static void steps_grow_and_shrink_within_limits(void) {
  setup s;
  begin(&s, 1, 1, 1, 1, 1);
  CHECK_NEAR(pw_control_accept(&s.c, &pw_dp5, 1, 0), 10, 1e-12);
  CHECK_NEAR(pw_control_accept(&s.c, &pw_dp5, 1, 1e-30), 10, 1e-12);
  CHECK(pw_control_accept(&s.c, &pw_dp5, 1, 0.9) < 1);
  CHECK_NEAR(pw_control_reject(&s.c, &pw_dp5, 1, 1e30), 0.2, 1e-12);
  CHECK_NEAR(pw_control_reject(&s.c, &pw_dp5, 1, NAN), 0.25, 0);
  CHECK(pw_control_reject(&s.c, &pw_dp5, 1, 1.0001) <= 0.9);
  CHECK_NEAR(pw_control_accept(&s.c, &pw_dp5, 1, 1e-30), 1, 0); /* not right after a rejection */
  CHECK(pw_control_accept(&s.c, &pw_dp5, 1, 1e-30) > 5);
}

/* x'' = -w^2 x: a few hundredths of 1/w, whatever the unit of time. */
static void first_step_fits_the_frequency(void) {
  for (int i = -6; i <= 6; i += 3) {
    double w = pow(10, i);
    setup s;
    begin(&s, 1, 0, 0, 0, 0);
    double f0[4] = {0, 0, -w * w, 0}, span = 100 / w;
    double probe = pw_control_probe(&s.c, s.mass, s.x, f0, span);
    CHECK(probe > 1e-3 / w && probe < 0.1 / w);
    double f1[4] = {-w * w * probe, 0, -w * w, 0};
    double h = pw_control_first(&s.c, &pw_dp5, s.mass, s.x, f0, f1, probe, span);
    CHECK(h > 0.02 / w && h < 0.5 / w);
  }
  setup s;
  begin(&s, 0, 0, 0, 0, 0); /* nothing moves */
  double f[4] = {0}, probe = pw_control_probe(&s.c, s.mass, s.x, f, 10);
  double h = pw_control_first(&s.c, &pw_dp5, s.mass, s.x, f, f, probe, 10);
  CHECK(h > 0 && h <= 10);
  begin(&s, 1e-17, 1e-17, 1, 1, 1); /* noise instead of zero */
  double g[4] = {1, 1, 5, 5};
  CHECK(pw_control_probe(&s.c, s.mass, s.x, g, 10) >= 1e-8);
}

CHECK_MAIN({"weights_follow_size_and_range", weights_follow_size_and_range},
           {"the_first_motion_has_the_size_of_steps", the_first_motion_has_the_size_of_steps},
           {"floors_come_from_the_energy", floors_come_from_the_energy},
           {"balanced_forces_allow_errors", balanced_forces_allow_errors},
           {"norm_of_special_values", norm_of_special_values},
           {"rotations_have_size_one", rotations_have_size_one},
           {"steps_grow_and_shrink_within_limits", steps_grow_and_shrink_within_limits},
           {"first_step_fits_the_frequency", first_step_fits_the_frequency})
