// SPDX-License-Identifier: MIT
/* Time stepping with friction and graphs: order 2 where a permanent contact slides, turns or
 * sticks, exact stops, no creep, and a ledger that balances. */
#define STEP_METHOD PAWL_METHOD_MOREAU
#include "sim_step_support.h"

static double unexplained(fixture *f) {
  pawl_energy e;
  CHECK(pawl_sim_energy(f->sim, &e, NULL) == PAWL_OK);
  return fabs(e.unexplained) / (1 + fabs(e.start));
}

/* ---- order ---- */

static void turning_slip_has_order_2(void) {
  CHECK_NEAR(order_of("coordinates x, y, z\nkinetic T = 1/2*(x'^2 + y'^2 + z'^2)\n"
                      "potential V = 9.81*z - x\nconstraint floor: z >= 0, restitution 0\n"
                      "friction rub: slip (x', y'), mu 0.1 on floor\n"
                      "start x' = 0.2, y' = 2, z = 0\nrun 0..1\n",
                      0.01),
             2, 0.1);
}

static void slip_that_weakens_has_order_2(void) {
  CHECK_NEAR(order_of("coordinates x\nkinetic T = 1/2*x'^2\npotential V = 1/2*x^2\n"
                      "friction rub: slip x' - 3, bound 1/(1 + abs(slip))\n"
                      "start x = 1\nrun 0..2\n",
                      0.02),
             2, 0.1);
}

static void rolling_ball_has_order_2(void) {
  CHECK_NEAR(order_of("body b: mass 1, inertia (0.4, 0.4, 0.4)\n"
                      "potential V = 9.81*b.p[3] - 0.3*b.p[1]\n"
                      "constraint floor: b.p[3] - 1 >= 0, restitution 0\n"
                      "let s = b.p' + cross(b.w, (0, 0, -1))\n"
                      "friction rub: slip (s[1], s[2]), mu 0.5 on floor\n"
                      "start b.p = (0, 0, 1), b.p' = (1, 0.5, 0), b.w = (-0.5, 1, 2)\nrun 0..1\n",
                      0.02),
             2, 0.15);
}

/* ---- known motions ---- */

static void disk_slides_to_rest(void) {
  fixture f = stepped("coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\n"
                      "friction rub: slip (x', y'), bound 2\nstart x' = 3, y' = 4\nrun 0..4\n",
                      0.001);
  finish(&f);
  CHECK_NEAR(hypot(point(&f).q[0], point(&f).q[1]), 25 / 4.0, 5e-3);
  CHECK_NEAR(point(&f).q[0] / point(&f).q[1], 0.75, 1e-9);
  CHECK_NEAR(hypot(point(&f).u[0], point(&f).u[1]), 0, 1e-12);
  CHECK(unexplained(&f) < 1e-12);
  unmake(&f);
}

/* A block on an incline just below the angle of friction, for 100000 steps. */
static void what_sticks_does_not_creep(void) {
  fixture f =
      stepped("coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\n"
              "potential V = 9.81*(y*cos(0.29) + x*sin(0.29))\n"
              "constraint floor: y >= 0, restitution 0\nfriction rub: slip x', mu 0.3 on floor\n"
              "start x = 0, y = 0\nrun 0..100\n",
              0.001);
  finish(&f);
  CHECK_NEAR(point(&f).q[0], 0, 1e-13);
  CHECK_NEAR(point(&f).u[0], 0, 1e-15);
  unmake(&f);
}

/* Both corners of a block carry; friction is redundant. */
static void redundant_block_stays(void) {
  fixture f = stepped("parameter g = 9.81\ncoordinates x, y, a\n"
                      "kinetic T = 1/2*(x'^2 + y'^2) + 1/6*a'^2\npotential V = g*y\n"
                      "let p = (x, y) + (cos(a), sin(a)) - 1/2*(-sin(a), cos(a))\n"
                      "let q = (x, y) - (cos(a), sin(a)) - 1/2*(-sin(a), cos(a))\n"
                      "constraint right: p[2] >= 0, restitution 0.3\n"
                      "constraint left: q[2] >= 0, restitution 0.3\n"
                      "friction fr: slip p'[1], mu 0.4 on right\n"
                      "friction fl: slip q'[1], mu 0.4 on left\n"
                      "start y = 0.8, a = 0.1, x' = 1\nrun 0..3\n",
                      0.001);
  finish(&f);
  CHECK_NEAR(point(&f).q[1], 0.5, 1e-9);
  CHECK_NEAR(point(&f).u[0], 0, 1e-9);
  CHECK_NEAR(point(&f).force[0] + point(&f).force[1], 9.81, 1e-6);
  unmake(&f);
}

static void static_bound_holds_until_it_breaks(void) {
  fixture f = stepped("coordinates x\nkinetic T = 1/2*x'^2\nforce x: t\n"
                      "friction rub: slip x', bound 1, static 2\nstart x = 0\nrun 0..3\n",
                      0.001);
  while (advance(&f, 1.99) == PAWL_AT_EVENT) {
  }
  CHECK_NEAR(point(&f).q[0], 0, 1e-15);
  finish(&f);
  /* from t = 2: x'' = t - 1, x' = (t^2/2 - t) */
  CHECK_NEAR(point(&f).u[0], 4.5 - 3 - 2 + 2, 5e-3);
  unmake(&f);
}

/* ---- springs and servos ---- */

static void preload_holds_the_kink(void) {
  fixture f = stepped("coordinates x\nkinetic T = 1/2*x'^2\ndissipation D = 1/2*x'^2\n"
                      "spring s: stretch x, stiffness 20, preload 3\n"
                      "force x: 2\nstart x = 0.4\nrun 0..20\n",
                      0.001);
  finish(&f);
  CHECK_NEAR(point(&f).q[0], 0, 1e-12);
  CHECK_NEAR(point(&f).u[0], 0, 1e-12);
  CHECK_NEAR(point(&f).force[0], -2, 1e-9);
  unmake(&f);
}

static void servo_has_order_2(void) {
  CHECK_NEAR(order_of("coordinates x, th\n"
                      "kinetic T = x'^2 + 1/2*th'^2 + x'*th'*cos(th)\npotential V = -9.81*cos(th)\n"
                      "servo hold: th = 0.3*sin(t), by x\n"
                      "start x = 0, th = 0, th' = 0.3\nrun 0..2\n",
                      0.01),
             2, 0.1);
}

CHECK_MAIN({"turning slip has order 2", turning_slip_has_order_2},
           {"slip that weakens has order 2", slip_that_weakens_has_order_2},
           {"rolling ball has order 2", rolling_ball_has_order_2},
           {"disk slides to rest", disk_slides_to_rest},
           {"what sticks does not creep", what_sticks_does_not_creep},
           {"redundant block stays", redundant_block_stays},
           {"static bound holds until it breaks", static_bound_holds_until_it_breaks},
           {"preload holds the kink", preload_holds_the_kink},
           {"servo has order 2", servo_has_order_2})
