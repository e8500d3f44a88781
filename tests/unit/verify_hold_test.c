// SPDX-License-Identifier: MIT
/* verify/hold.c: friction with a larger bound at rest lets go only where it cannot hold. */
#include "verify/checker.h"

#include "verify_support.h"

/* A block pulled by F against friction 1, at rest 2; at rest up to t = 0.5, then it slides. */
static pw_verify_found hold_of(double pull) {
  char text[300];
  snprintf(text, sizeof text,
           "coordinates x\nkinetic T = 1/2*x'^2\nforce x: %g\n"
           "friction rub: slip x', bound 1, static 2\nstart x = 0\nrun 0..1\n",
           pull);
  judged j = judged_open(text);
  for (int k = 0; k <= 100; k++) {
    double t = 0.01 * k, s = t > 0.5 ? t - 0.5 : 0, a = pull - 1;
    double q = a * s * s / 2, u = a * s;
    CHECK(pawl_certify_row(j.c, t, &q, &u, NULL) == PAWL_OK);
  }
  pw_verify_found f = j.c->record.found[PW_FINDING_HOLD];
  judged_close(&j);
  return f;
}

static void it_lets_go_too_early(void) {
  pw_verify_found f = hold_of(1.5);
  CHECK(f.value > f.tolerance);
  CHECK_NEAR(f.t, 0.51, 1e-12);
  CHECK_INT(f.law, 0);
  CHECK_NEAR(f.value, 0.5 / 3, 0.02); /* room 2 - 1.5 of the pull and the force against it */
}

static void it_cannot_hold(void) {
  pw_verify_found f = hold_of(2.5);
  CHECK(f.value == 0);
  f = hold_of(2);
  CHECK(f.value <= f.tolerance);
}

CHECK_MAIN({"it lets go too early", it_lets_go_too_early}, {"it cannot hold", it_cannot_hold})
