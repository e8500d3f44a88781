// SPDX-License-Identifier: MIT
/* verify/momentum.c, stretch.c, stretch_floor.c and weak_form.c: the time between rows. */
#include "verify/stretch.h"

#include "verify_support.h"

static const char fall[] = "coordinates y\nkinetic T = 1/2*y'^2\npotential V = 10*y\n"
                           "constraint floor: y >= 0, restitution 0.5\n"
                           "start y = 2\nrun 0..1\n";

/* Rows every 0.01 of a fall from 2; the velocity of row `spoiled` is off by `by`. */
static judged falling(int rows, int spoiled, double by) {
  judged j = judged_open(fall);
  for (int k = 0; k < rows; k++) {
    double t = 0.01 * k, q = 2 - 5 * t * t, u = -10 * t + (k == spoiled ? by : 0);
    CHECK(pawl_certify_row(j.c, t, &q, &u, NULL) == PAWL_OK);
  }
  return j;
}

/* Momentum off by `by` in a step: the distance is just that, whatever it is divided by. */
static void a_step_off_balance(void) {
  judged j = falling(12, 5, 1e-3);
  pw_row_view a = pw_row_at(j.c, 4), b = pw_row_at(j.c, 5);
  pw_verify_momentum x;
  CHECK(pw_balance_step(j.c, &a, &b, false, false, &x));
  CHECK_NEAR(x.value * x.share * j.c->scale.V0, 1e-3, 1e-12);
  CHECK(x.value > 10 * x.floor && !x.meets && !x.kick);
  a = pw_row_at(j.c, 7);
  b = pw_row_at(j.c, 8);
  CHECK(pw_balance_step(j.c, &a, &b, false, false, &x));
  CHECK(x.value < 1e-13 && x.place < 1e-13);
  judged_close(&j);
}

/* Three rows by positions alone. */
static void a_hat_in_balance(void) {
  judged j = falling(12, -1, 0);
  pw_row_view a = pw_row_at(j.c, 4), m = pw_row_at(j.c, 5), b = pw_row_at(j.c, 6);
  pw_verify_momentum x;
  CHECK(pw_balance_hat(j.c, &a, &m, &b, false, false, &x));
  CHECK(x.value < 1e-11);
  double q = m.q[0] + 1e-4; /* the mean velocities change by 2 * 1e-4 / 0.01 */
  m.q = &q;
  CHECK(pw_balance_hat(j.c, &a, &m, &b, false, false, &x));
  CHECK_NEAR(x.value * x.share * j.c->scale.V0, 0.02, 1e-10);
  judged_close(&j);
}

/* A contact that may be met takes any change outward. */
static void an_impact_between_rows(void) {
  judged j = judged_open(fall);
  double q = 0.02, u = -6.0, q2 = 0.005, u2 = 2.9;
  CHECK(pawl_certify_row(j.c, 0, &q, &u, NULL) == PAWL_OK);
  CHECK(pawl_certify_row(j.c, 0.01, &q2, &u2, NULL) == PAWL_OK);
  pw_row_view a = pw_row_at(j.c, 0), b = pw_row_at(j.c, 1);
  pw_verify_momentum x;
  CHECK(pw_balance_step(j.c, &a, &b, false, false, &x));
  CHECK(x.value < 1e-12 && x.meets && x.kick && x.opens);
  CHECK_INT(x.contact, 0);
  CHECK(x.law_value <= 1e-6 + x.law_floor); /* 0.5 (6 + 0.2) + 0.2 is no less than 2.9 */
  CHECK_NEAR(x.loss, (1 - 0.25) / 2, 1e-12);
  judged_close(&j);
}

/* Intervals that are balanced again leave no trace in the floors of the next ones. */
static void looked_at_again(void) {
  judged j = judged_open("coordinates x\nkinetic T = 1/2*x'^2\npotential V = 1/4*x^4\n"
                         "start x = 1\nrun 0..1\n");
  for (int k = 0; k < 6; k++) {
    double t = 0.1 * k, q = 1 - t * t / 2, u = -t;
    CHECK(pawl_certify_row(j.c, t, &q, &u, NULL) == PAWL_OK);
  }
  pw_weak w;
  pw_bend_past before = j.c->past;
  CHECK(pw_weak_at(j.c, 3, &w));
  CHECK(before.bend == j.c->past.bend && before.last_bend_t == j.c->past.last_bend_t);
  pw_row_view a = pw_row_at(j.c, 2), b = pw_row_at(j.c, 3);
  pw_verify_momentum x;
  CHECK(pw_balance_step(j.c, &a, &b, false, false, &x));
  CHECK(j.c->past.bend > 0 && j.c->past.bend_t == b.t);
  judged_close(&j);
}

CHECK_MAIN({"a step off balance", a_step_off_balance}, {"a hat in balance", a_hat_in_balance},
           {"an impact between rows", an_impact_between_rows}, {"looked at again", looked_at_again})
