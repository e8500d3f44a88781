// SPDX-License-Identifier: MIT
/* Motions under conditions of their own, which end with the motion. */
#include "sim/trial.h"
#include "sim_support.h"

static const char *const ball = "coordinates y\nkinetic T = 1/2*y'^2\n"
                                "constraint floor: y >= 0, restitution 1\n"
                                "constraint roof: 1 - y >= 0, restitution 1\n"
                                "start y = 1/2, y' = 1\nrun 0..4\n";

static int impacts(fixture *f, double to) {
  int n = 0;
  while (advance(f, to) == PAWL_AT_EVENT) {
    n += pawl_sim_event(f->sim, 0).kind[0] == 'i';
  }
  return n;
}

static void soft_from_the_second_on(void) {
  fixture f = make(ball, 0);
  double q = 0.5, u = -1;
  pw_conditions soft = {.still = pw_conditions_plain().still, .soft_from = 2};
  CHECK(pw_sim_start_trial(f.sim, &soft, 0, &q, &u, NULL, NULL) == PAWL_OK);
  CHECK_INT(impacts(&f, 3.9), 2);
  CHECK_NEAR(pw_trial_at(f.sim).y[0], 1, 1e-12);
  CHECK_NEAR(pw_trial_at(f.sim).y[1], 0, 0);
  /* the next start is plain again */
  CHECK(pawl_sim_start(f.sim, 0, &q, &u, NULL) == PAWL_OK);
  CHECK_INT(impacts(&f, 3.9), 4);
  CHECK_NEAR(fabs(pw_trial_at(f.sim).y[1]), 1, 1e-12);
  unmake(&f);
}

static void what_counts_as_still(void) {
  fixture f = make(ball, 0);
  double q = 0.5, u = -1;
  pw_conditions blunt = {.still = 2};
  CHECK(pw_sim_start_trial(f.sim, &blunt, 0, &q, &u, NULL, NULL) == PAWL_OK);
  CHECK_INT(impacts(&f, 3.9), 0); /* it closes: its rate counts as none */
  CHECK_NEAR(pw_trial_at(f.sim).y[0], 0, 1e-12);
  CHECK_NEAR(pw_trial_at(f.sim).y[1], 0, 1e-12);
  CHECK(pawl_sim_start(f.sim, 0, &q, &u, NULL) == PAWL_OK);
  pw_trial_point p = pw_trial_at(f.sim);
  CHECK_NEAR(p.t, 0, 0);
  CHECK(!p.at_laws && p.before == p.y);
  CHECK_INT(pw_trial_mode_of(f.sim, 0), PW_TRIAL_ABOVE);
  CHECK(isnan(p.left[0]));
  unmake(&f);
}

CHECK_MAIN({"soft_from_the_second_on", soft_from_the_second_on},
           {"what_counts_as_still", what_counts_as_still})
