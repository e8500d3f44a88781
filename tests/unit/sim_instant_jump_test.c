// SPDX-License-Identifier: MIT
/* A jump of the velocities by one problem, and what it books. */
#include "sim_instant_support.h"

/* Holding x' = 0 changes the velocity along the gradient only, and the work is booked as a loss. */
static void holds_a_row(void) {
  fixture f = make("coordinates x, y\nparameter m = 3\nkinetic T = 1/2*m*(x'^2 + y'^2)\n"
                   "constraint c: x >= 0, restitution 0\n"
                   "start x = 1, y = 0, x' = -1, y' = 0\nrun 0..0.1\n",
                   0);
  pw_contacts *c = put(&f, (double[]){0, 0}, (double[]){-2, 5}, (unsigned char[]){1});
  unsigned char hold[] = {PW_HOLD_AT};
  CHECK(pw_instant_jump(c, pw_impact_hold, hold) == PAWL_OK);
  CHECK_NEAR(speed_of(&f, 0), 0, 1e-15);
  CHECK_NEAR(speed_of(&f, 1), 5, 1e-15);
  CHECK_NEAR(c->impact.impulse[0], 6, 1e-14);
  CHECK_NEAR(c->impact.energy[0], -6, 1e-14);
  CHECK_NEAR(c->now.rate_before[0], -2, 0);
  CHECK_NEAR(c->now.base[0], -2 * sqrt(3), 1e-15); /* L^T u before */
  CHECK_NEAR(c->now.frame.rate[0], 0, 1e-15);      /* the frame is that after the jump */
  CHECK_NEAR(c->growth.gain, -6, 1e-14);
  unmake(&f);
}

/* A velocity that had just reached zero has another value after the jump. */
static void forgets_fired_velocities(void) {
  fixture f = make("coordinates x\nkinetic T = 1/2*x'^2\nconstraint c: x >= 0, restitution 1\n"
                   "constraint v: x' + 3 >= 0\nstart x = 1, x' = -1\nrun 0..0.1\n",
                   0);
  pw_contacts *c = put(&f, (double[]){0}, (double[]){-3}, (unsigned char[]){1, 1});
  CHECK(pw_instant_strike(c) == PAWL_OK);
  CHECK_NEAR(speed_of(&f, 0), 3, 1e-14);
  CHECK(c->fired[0] && !c->fired[1]);
  unmake(&f);
}

CHECK_MAIN({"holds_a_row", holds_a_row}, {"forgets_fired_velocities", forgets_fired_velocities})
