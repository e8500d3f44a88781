// SPDX-License-Identifier: MIT
/* Slips in a plane at one instant: S2.4 of the reference problems, and random loads against the
 * conditions of Coulomb's disk, written out here. */
#include "static_support.h"

static const char body[] = "parameter m = 2, R = 3, p = 4, r = 3, c = 0\n"
                           "coordinates x, y\n"
                           "kinetic T = 1/2*m*(x'^2 + y'^2) + c*x'*y'\n"
                           "force x: p\n"
                           "force y: r\n"
                           "friction rub: slip (x', y'), bound R\n"
                           "start x = 0, y = 0, x' = 0, y' = 0\n";

static void at_rest_begins_to_slide(void) {
  instant x = look_at(body, NULL, 0);
  CHECK_INT(count(&x, PAWL_RIGHT), 1);
  CHECK_INT(pawl_gauss_get(x.gauss, PAWL_RIGHT).complete, 1);
  CHECK_NEAR(accel(&x, PAWL_RIGHT, 0, 0), 0.8, 1e-11);
  CHECK_NEAR(accel(&x, PAWL_RIGHT, 0, 1), 0.6, 1e-11);
  CHECK_NEAR(force(&x, 0, 0), -2.4, 1e-11);
  CHECK_NEAR(force(&x, 0, 1), -1.8, 1e-11);
  pawl_disk v = pawl_gauss_disk(x.gauss, 0, 0, PAWL_DISPLACEMENT);
  pawl_disk a = pawl_gauss_disk(x.gauss, 0, 1, PAWL_ACCELERATION);
  CHECK_NEAR(v.axis[0], 3, 0);
  CHECK_NEAR(v.centre[0], 0, 0);
  CHECK_NEAR(a.axis[0], 0, 0);
  CHECK_NEAR(a.centre[1], -1.8, 1e-11);
  /* it came to rest against its load: (4, 3)/2 + 3/2 e */
  CHECK_INT(count(&x, PAWL_LEFT), 1);
  CHECK_NEAR(accel(&x, PAWL_LEFT, 0, 0), 3.2, 1e-11);
  CHECK_NEAR(accel(&x, PAWL_LEFT, 0, 1), 2.4, 1e-11);
  check_chain(&x);
  check_principles(&x);
  forget(&x);
}

static void sliding(void) {
  instant x = look_at(body, (pawl_override[]){{"x'", "1"}}, 1);
  CHECK_NEAR(accel(&x, PAWL_RIGHT, 0, 0), 0.5, 1e-12);
  CHECK_NEAR(accel(&x, PAWL_RIGHT, 0, 1), 1.5, 1e-12);
  CHECK_NEAR(accel(&x, PAWL_LEFT, 0, 0), 0.5, 1e-12);
  pawl_disk v = pawl_gauss_disk(x.gauss, 0, 0, PAWL_VELOCITY);
  CHECK_NEAR(v.axis[0], 0, 0);
  CHECK_NEAR(v.centre[0], -3, 1e-12);
  CHECK_NEAR(pawl_gauss_disk(x.gauss, 0, 0, PAWL_DISPLACEMENT).axis[0], 3, 1e-12);
  check_chain(&x);
  check_principles(&x);
  forget(&x);
}

/* |h| <= R: it stays, and has three pasts along the load. */
static void stays(void) {
  instant x = look_at(body, (pawl_override[]){{"p", "1.2"}, {"r", "-0.9"}}, 2);
  CHECK_NEAR(accel(&x, PAWL_RIGHT, 0, 0), 0, 1e-12);
  CHECK_NEAR(accel(&x, PAWL_RIGHT, 0, 1), 0, 1e-12);
  CHECK_NEAR(force(&x, 0, 0), -1.2, 1e-12);
  CHECK_NEAR(force(&x, 0, 1), 0.9, 1e-12);
  CHECK_NEAR(pawl_gauss_disk(x.gauss, 0, 0, PAWL_ACCELERATION).axis[0], 3, 0);
  CHECK_INT(count(&x, PAWL_LEFT), 3);
  double least = INFINITY, most = -INFINITY;
  for (int k = 0; k < count(&x, PAWL_LEFT); k++) {
    least = fmin(least, accel(&x, PAWL_LEFT, k, 0));
    most = fmax(most, accel(&x, PAWL_LEFT, k, 0));
  }
  CHECK_NEAR(most, (1.5 + 3) / 2 * 0.8, 1e-11);
  CHECK_NEAR(least, (1.5 - 3) / 2 * 0.8, 1e-11);
  check_chain(&x);
  check_principles(&x);
  forget(&x);
}

/* On a contact: at rest within the cone, sliding beyond it. */
static void on_a_floor(void) {
  static const char model[] = "parameter mu = 0.3, p = 4, r = 3\ncoordinates x, y, z\n"
                              "kinetic T = x'^2 + y'^2 + z'^2\npotential V = 20*z\n"
                              "force x: p\nforce y: r\n"
                              "constraint floor: z >= 0, restitution 0\n"
                              "friction rub: slip (x', y'), mu mu on floor\n"
                              "start x = 0, y = 0, z = 0\n";
  instant x = look_at(model, NULL, 0), y = look_at(model, (pawl_override[]){{"mu", "0.1"}}, 1);
  CHECK_NEAR(accel(&x, PAWL_RIGHT, 0, 0), 0, 1e-11);
  CHECK_NEAR(force(&x, 0, 0), 20, 1e-10);
  CHECK_NEAR(accel(&y, PAWL_RIGHT, 0, 0), 1.2, 1e-11);
  CHECK_NEAR(accel(&y, PAWL_RIGHT, 0, 1), 0.9, 1e-11);
  CHECK_NEAR(pawl_gauss_disk(y.gauss, 0, 1, PAWL_VELOCITY).axis[0], 2, 1e-10);
  check_chain(&x);
  check_chain(&y);
  forget(&x);
  forget(&y);
}

static double draw(unsigned *state) {
  *state = *state * 1664525u + 1013904223u;
  return (double)(*state >> 8) / 8388608.0 - 1;
}

/* |force| <= R; inside: no acceleration; on the border: against the acceleration. */
static void random_loads(void) {
  unsigned state = 7;
  for (int k = 0; k < 200; k++) {
    char p[32], r[32], c[32];
    double px = 8 * draw(&state), py = 8 * draw(&state), cc = 1.8 * draw(&state);
    snprintf(p, sizeof p, "%.17g", px);
    snprintf(r, sizeof r, "%.17g", py);
    snprintf(c, sizeof c, "%.17g", cc);
    instant x = look_at(body, (pawl_override[]){{"p", p}, {"r", r}, {"c", c}}, 3);
    double a[2] = {accel(&x, PAWL_RIGHT, 0, 0), accel(&x, PAWL_RIGHT, 0, 1)};
    double f[2] = {2 * a[0] + cc * a[1] - px, cc * a[0] + 2 * a[1] - py};
    CHECK_INT(count(&x, PAWL_RIGHT), 1);
    double size = hypot(f[0], f[1]), speed = hypot(a[0], a[1]);
    CHECK(size <= 3 * (1 + 1e-10));
    CHECK(speed <= 1e-10 || (fabs(size - 3) <= 1e-9 &&
                             fabs(f[0] * a[0] + f[1] * a[1] + size * speed) <= 1e-9 * speed));
    check_principles(&x);
    for (int i = 0; i < count(&x, PAWL_LEFT); i++) { /* before: with the acceleration */
      double b[2] = {accel(&x, PAWL_LEFT, i, 0), accel(&x, PAWL_LEFT, i, 1)};
      double g[2] = {2 * b[0] + cc * b[1] - px, cc * b[0] + 2 * b[1] - py};
      double fast = hypot(b[0], b[1]);
      CHECK(hypot(g[0], g[1]) <= 3 * (1 + 1e-10));
      CHECK(fast <= 1e-9 || fabs(g[0] * b[0] + g[1] * b[1] - 3 * fast) <= 1e-8 * fast);
    }
    forget(&x);
  }
}

CHECK_MAIN({"at rest begins to slide", at_rest_begins_to_slide}, {"sliding", sliding},
           {"stays", stays}, {"on a floor", on_a_floor}, {"random loads", random_loads})
