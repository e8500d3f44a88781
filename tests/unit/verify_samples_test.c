// SPDX-License-Identifier: MIT
/* verify/samples.c: impacts between rows of a table, errors of its samples, velocities from
 * positions. A ball falls from 1 with g = 10 on a floor with restitution 0.6. */
#include "verify/samples.h"

#include "verify_support.h"

static const char ball[] = "coordinates y\nkinetic T = 1/2*y'^2\npotential V = 10*y\n"
                           "constraint floor: y >= 0, restitution 0.6\n"
                           "start y = 1\nrun 0..0.9\n";

static double height(double t, double *speed) {
  double hit = sqrt(0.2), s = t - hit, up = 0.6 * 10 * hit;
  *speed = t < hit ? -10 * t : up - 10 * s;
  return t < hit ? 1 - 5 * t * t : up * s - 5 * s * s;
}

static double rounded(double x, double digit) {
  return digit > 0 ? digit * floor(x / digit + 0.5) : x;
}

static judged judged_table(bool velocities, double digit, pw_data *data) {
  judged j = judged_open(ball);
  pawl_certifier *c = j.c;
  pw_samples s;
  double low = 0, high = 1;
  c->data.find_noise = true;
  CHECK(pw_samples_begin(&s, c, velocities, false) == PAWL_OK);
  pw_scale_extent(c, &low, &high);
  c->data.digit[0] = digit / 2; /* as the reader of the file finds them */
  c->scale.fastest = velocities ? sqrt(20) : 0;
  for (int k = 0; k <= 90; k++) {
    double t = 0.01 * k, u, q = rounded(height(t, &u), digit);
    pw_samples_row(&s, t, &q, velocities ? &u : NULL, NULL);
  }
  pw_samples_end(&s);
  pw_samples_free(&s);
  *data = c->data;
  pawl_certify_finish(c);
  return j;
}

static void an_impact_is_found(void) {
  for (int velocities = 0; velocities < 2; velocities++) {
    pw_data data;
    judged j = judged_table(velocities == 1, 0, &data);
    CHECK_INT(j.c->jumps.n_corner, 1);
    CHECK_NEAR(j.c->jumps.corner[0].t, sqrt(0.2), 1e-8);
    CHECK_NEAR(j.c->jumps.corner[0].restitution, 0.6, 1e-6);
    CHECK_NEAR(j.c->jumps.corner[0].loss, (1 - 0.36) / 2, 1e-6);
    CHECK_INT(j.c->record.reason[PW_RULE_CONE].count, 1);
    CHECK(pawl_certify_get(j.c).verdict == PAWL_WEAK);
    judged_close(&j);
  }
}

static void errors_are_estimated(void) {
  pw_data exact, rough;
  judged j = judged_table(true, 0, &exact);
  judged_close(&j);
  CHECK(exact.grain < 1e-12 && exact.noise == 1e-9);
  j = judged_table(true, 1e-5, &rough);
  judged_close(&j);
  CHECK(rough.place_error >= 0.5e-5 && rough.place_error < 1e-3);
  CHECK(rough.grain >= rough.place_error / 2 && rough.noise >= rough.grain);
}

CHECK_MAIN({"an impact is found", an_impact_is_found},
           {"errors are estimated", errors_are_estimated})
