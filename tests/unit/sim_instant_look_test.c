// SPDX-License-Identifier: MIT
/* The look at an instant: frame, sizes, and which rows count as zero, still and touching. */
#include "sim_instant_support.h"

static const char *const two_walls =
    "coordinates x, y\nkinetic T = 1/2*(x'^2 + 4*y'^2)\n"
    "constraint low: x >= 0, restitution 0.5\nconstraint far: y >= 0, poisson 0.25\n"
    "start x = 1, y = 3, x' = -2, y' = 1\nrun 0..1\n";

static void frame_and_sizes(void) {
  fixture f = make(two_walls, 0);
  pw_contacts *c = put(&f, (double[]){0, 3}, (double[]){-3, 2}, (unsigned char[]){1, 0});
  CHECK_NEAR(c->now.frame.value[0], 0, 0);
  CHECK_NEAR(c->now.frame.rate[0], -3, 0);
  CHECK_NEAR(c->now.frame.length[0], 1, 1e-15);   /* |L^-1 J^T|, M = 1 */
  CHECK_NEAR(c->now.frame.length[1], 0.5, 1e-15); /* M = 4 */
  CHECK_NEAR(c->size.speed, 5, 1e-14);            /* sqrt(9 + 16) */
  CHECK_NEAR(c->size.slowest[0], -3, 0);
  CHECK_NEAR(c->size.fastest[1], 2, 0);
  CHECK_NEAR(c->now.e[0], 0.5, 0);
  CHECK_NEAR(c->now.e[1], 0.25, 0);
  unmake(&f);
}

static void what_touches(void) {
  fixture f = make(two_walls, 0);
  pw_contacts *c = put(&f, (double[]){0, 3}, (double[]){-3, 2}, (unsigned char[]){1, 0});
  CHECK(c->impact.law[0].touches && !c->impact.law[1].touches);
  CHECK(pw_instant_is_zero(c, 0) && !pw_instant_is_zero(c, 1));
  CHECK(!pw_instant_is_still(c, 0));
  c = put(&f, (double[]){0, 0}, (double[]){0, 1}, NULL);
  CHECK(c->impact.law[0].touches);
  CHECK(!c->impact.law[1].touches); /* it separates and was not met */
  CHECK(pw_instant_is_still(c, 0) && !pw_instant_is_still(c, 1));
  unmake(&f);
}

/* x^2 >= 0 has no gradient at 0: it cannot push. */
static void no_gradient(void) {
  fixture f = make("coordinates x\nkinetic T = 1/2*x'^2\nconstraint c: x^2 >= 0, restitution 0\n"
                   "start x = 1, x' = -1\nrun 0..0.5\n",
                   0);
  pw_contacts *c = put(&f, (double[]){0}, (double[]){-1}, (unsigned char[]){1});
  CHECK(pw_instant_check_gradients(c) == PAWL_E_NO_MOTION);
  CHECK(c->halt.trouble == PW_TROUBLE_GRADIENT);
  CHECK_INT(c->halt.culprit, 0);
  unmake(&f);
}

CHECK_MAIN({"frame_and_sizes", frame_and_sizes}, {"what_touches", what_touches},
           {"no_gradient", no_gradient})
