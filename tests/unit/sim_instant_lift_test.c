// SPDX-License-Identifier: MIT
/* Contacts a little below zero are put on it. */
#include "sim_instant_support.h"

static const char *const ball =
    "coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\nconstraint c: y - x >= 0, restitution 0\n"
    "start x = 0, y = 1, x' = 0, y' = -1\nrun 0..0.5\n";

/* Along the gradient (-1, 1) in the metric of M = 1. */
static void lifts(void) {
  fixture f = make(ball, 0);
  pw_contacts *c = put(&f, (double[]){0, -2e-9}, (double[]){0, 0}, NULL);
  CHECK(pw_instant_lift(c) == PAWL_OK);
  CHECK_NEAR(f.sim->stepper.y[0], -1e-9, 1e-20);
  CHECK_NEAR(f.sim->stepper.y[1], -1e-9, 1e-20);
  CHECK_NEAR(c->now.frame.value[0], 0, 1e-22);
  CHECK_INT(f.sim->mech->imposed, 0); /* the modes are imposed again: it is open */
  unmake(&f);
}

static void leaves_what_is_above(void) {
  fixture f = make(ball, 0);
  pw_contacts *c = put(&f, (double[]){0, 2e-9}, (double[]){0, 0}, NULL);
  CHECK(pw_instant_lift(c) == PAWL_OK);
  CHECK_NEAR(f.sim->stepper.y[1], 2e-9, 0);
  unmake(&f);
}

CHECK_MAIN({"lifts", lifts}, {"leaves_what_is_above", leaves_what_is_above})
