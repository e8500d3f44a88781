// SPDX-License-Identifier: MIT
/* The integral principles of Kozlov 2019 on computed motions: Hoelder's inequality (5.5) for a
 * one-sided constraint, and (7.2) for a servo-constraint of type II. Integrals by Simpson's rule.
 */
#include "sim_support.h"

enum { PARTS = 400 }; /* even */
static const double pi = 3.14159265358979323846;

static double simpson(const double *f, double length) {
  double sum = f[0] + f[PARTS];
  for (int i = 1; i < PARTS; i++) {
    sum += (i % 2 == 1 ? 4 : 2) * f[i];
  }
  return sum * length / (3 * PARTS);
}

static pawl_point at(fixture *f, double t) {
  while (advance(f, t) == PAWL_AT_EVENT) {
  }
  return point(f);
}

/* Sleigh that leaves its blade at once and meets it again at pi/2. The variation of the place is
 * sin^2(w(t - from)) n, n across the blade, and the virtual slip eta = sin^2: never backwards. */
static void hoelder(double from, double length, double *varied, double *pushed) {
  fixture f = make("coordinates x, y, th\nkinetic T = 1/2*(x'^2 + y'^2 + th'^2)\n"
                   "constraint blade: -x'*sin(th) + y'*cos(th) >= 0\n"
                   "start x = 0, y = 0, th = 0, x' = 1, y' = 0, th' = -2\nrun 0..6\n",
                   1e-12);
  double dT[PARTS + 1], work[PARTS + 1], w = pi / length;
  for (int i = 0; i <= PARTS; i++) {
    double s = sin(w * length * i / PARTS), c = cos(w * length * i / PARTS);
    pawl_point p = at(&f, from + length * i / PARTS);
    double n[2] = {-sin(p.q[2]), cos(p.q[2])}, along[2] = {cos(p.q[2]), sin(p.q[2])};
    dT[i] = 0;
    for (int k = 0; k < 2; k++) { /* u . (eta n)' */
      dT[i] += p.u[k] * (2 * w * s * c * n[k] - s * s * p.u[2] * along[k]);
    }
    work[i] = p.force[0] * s * s;
  }
  *varied = simpson(dT, length);
  *pushed = simpson(work, length);
  unmake(&f);
}

static void hoelders_inequality_holds_on_the_blade_and_off_it(void) {
  double varied, pushed;
  hoelder(pi / 2 + 1e-9, pi, &varied, &pushed);
  CHECK_NEAR(varied, -pi, 1e-8);
  CHECK_NEAR(pushed, pi, 1e-8);
  hoelder(0, pi / 2 - 1e-9, &varied, &pushed);
  CHECK_NEAR(varied, 0, 1e-8);
  CHECK_NEAR(pushed, 0, 1e-12);
}

/* phi = z' - x*y'/2 + y*x' is not the constraint. With dy = 0 and dx = c*w, dz follows from
 * d(phi) = w >= 0, and c from dz = 0 at the end: then d int T + int (F, dx) = -int lambda w. */
static void type_two_motions_satisfy_their_principle(void) {
  fixture f = make("coordinates x, y, z\nkinetic T = 1/2*(x'^2 + y'^2 + z'^2)\n"
                   "potential V = 0.3*x\n"
                   "constraint c: z' = x*y' - y*x', inertia z' - x*y'/2 + y*x'\n"
                   "start x = 1, y = 0.2, z = 0, x' = 0.3, y' = 0.5, z' ~ 0, force(c) = 0.8\n"
                   "run 0..2\n",
                   1e-12);
  double w[PARTS + 1], bend[PARTS + 1], held[PARTS + 1], length = 2, least = INFINITY;
  double with_c[PARTS + 1], without[PARTS + 1];
  for (int i = 0; i <= PARTS; i++) {
    double a = pi * i / PARTS, rate = pi / length * sin(2 * a);
    pawl_point p = at(&f, length * i / PARTS);
    w[i] = sin(a) * sin(a);
    bend[i] = w[i] * p.u[1] / 2 - p.q[1] * rate; /* dz' = w + c*bend */
    held[i] = p.force[0] * w[i];
    with_c[i] = p.u[0] * rate + p.u[2] * bend[i] - 0.3 * w[i];
    without[i] = p.u[2] * w[i];
    least = fmin(least, p.force[0]);
  }
  double c = -simpson(w, length) / simpson(bend, length);
  double varied = c * simpson(with_c, length) + simpson(without, length);
  CHECK(least > 0);
  CHECK(varied < -0.1);
  CHECK_NEAR(varied, -simpson(held, length), 1e-8);
  unmake(&f);
}

CHECK_MAIN({"Hoelder's inequality holds on the blade and off it",
            hoelders_inequality_holds_on_the_blade_and_off_it},
           {"type two motions satisfy their principle", type_two_motions_satisfy_their_principle})
