// SPDX-License-Identifier: MIT
/* How far speeds are looked for: problems whose motions are much faster than distance over time,
 * infinitely many, or all speeds at once, against closed forms. */
#include <math.h>
#include <stdio.h>

#include "bvp_problem.h"

static problem line(const char *laws, double from, double to, double time) {
  char text[500];
  snprintf(text, sizeof text,
           "coordinates x\nkinetic T = 1/2*x'^2\n%sstart x = %.17g\nend x = %.17g\nrun 0..%.17g\n",
           laws, from, to, time);
  return solve(text, NULL);
}

/* One motion, with this velocity, and it is known that there are no others. */
static void only(problem x, double u) {
  if (CHECK_INT(x.status, PAWL_OK) && CHECK_INT(pawl_bvp_count(x.bvp), 1)) {
    CHECK_NEAR(pawl_bvp_get(x.bvp, 0).u_start[0], u, 1e-8 * fabs(u));
  }
  CHECK_INT(pawl_bvp_complete(x.bvp), 1);
  forget(&x);
}

/* x(T) = x0 cos T + x' sin T: fast near the conjugate times. */
static void near_conjugate_times(void) {
  static const double times[] = {8, 9, 3.1, 3.14, 25.13};
  for (int i = 0; i < 5; i++) {
    double T = times[i];
    only(line("potential V = 1/2*x^2\n", 0, 1, T), 1 / sin(T));
    only(line("potential V = 1/2*x^2\n", 0.1, -1e-3, T), (-1e-3 - 0.1 * cos(T)) / sin(T));
  }
}

/* x'' = -c x' ; and x'' = -k x + F sin W t, whose force is zero at the start. */
static void drag_and_drive(void) {
  only(line("dissipation D = 1/2*10*x'^2\n", 0, 1, 1), 10 / (1 - exp(-10)));
  only(line("dissipation D = 1/2*25*x'^2\n", 0, -1, 1), -25 / (1 - exp(-25)));
  double w = sqrt(3.1), W = 2.3, T = 4.99, A = 2.9 / (3.1 - W * W);
  double B = (0.37 - A * sin(W * T)) / sin(w * T);
  only(line("potential V = 1/2*3.1*x^2\nforce x: 2.9*sin(2.3*t)\n", 0, 0.37, T), A * W + B * w);
}

/* Every speed is a motion: one family, by its slowest member. Or none is. */
static void at_conjugate_times(void) {
  const double pi = acos(-1);
  const double ends[][3] = {{0, 0, pi}, {0.3, -0.3, pi}, {0.3, 0.3, 2 * pi}};
  for (int i = 0; i < 3; i++) {
    problem x = line("potential V = 1/2*x^2\n", ends[i][0], ends[i][1], ends[i][2]);
    if (CHECK_INT(pawl_bvp_count(x.bvp), 1)) {
      CHECK_NEAR(pawl_bvp_get(x.bvp, 0).u_start[0], 0, 0);
      CHECK_INT(pawl_bvp_get(x.bvp, 0).family, 1);
    }
    CHECK_INT(pawl_bvp_complete(x.bvp), 0);
    forget(&x);
  }
  problem none = line("potential V = 1/2*x^2\n", 0, 0.5, pi);
  CHECK_INT(pawl_bvp_complete(none.bvp), 0);
  forget(&none);
}

/* The energy of a pendulum that swings up to the angle a gives its speed; by the number of motions
 * of a scan: some are beside the separatrix, where it stands upright for most of the time. */
static void pendulums(void) {
  problem quick = line("potential V = -9*cos(x)\n", 0, 0.5, 5);
  CHECK_INT(pawl_bvp_count(quick.bvp), 9);
  CHECK_INT(pawl_bvp_complete(quick.bvp), 1);
  forget(&quick);
  problem slow = line("potential V = -cos(x)\n", 0.5, 0.1, 20);
  CHECK_INT(pawl_bvp_count(slow.bvp), 11);
  forget(&slow);
}

/* x'' = -c x^3 has periods proportional to 1/A, speeds to A^2: from 0 to 0 with n half periods the
 * speed is n^2 times that with one. There is no last one. */
static void infinitely_many(void) {
  problem x = line("potential V = 10.8*x^4/4\n", 0, 0, 4.14);
  double least = INFINITY;
  for (int i = 0; i < pawl_bvp_count(x.bvp); i++) {
    double u = fabs(pawl_bvp_get(x.bvp, i).u_start[0]);
    least = u > 0 ? fmin(least, u) : least;
  }
  for (int k = -4; k <= 4; k++) {
    double u = (k < 0 ? -1 : 1) * k * k * least;
    CHECK_INT(count_starts(&x, &u, 1, 1e-7), 1);
  }
  CHECK_INT(pawl_bvp_complete(x.bvp), 0);
  forget(&x);
}

/* A driven oscillator above a floor and a stiff one: velocities from a scan by another program. */
static void oscillators_with_a_floor(void) {
  static const double driven[] = {3.100536983, 8.238563343, -9.3087417, -14.0515};
  static const double stiff[] = {-17.9349, 64.60, -99.27};
  problem x = line("potential V = 2*x^2\nforce x: 2*cos(3*t)\ndissipation D = 0.1*x'^2\n"
                   "constraint floor: x >= -0.3, restitution 1\n",
                   0.5, 0.1, 5);
  problem y = line("potential V = 50*x^2\nconstraint wall: x >= -1, restitution 1\n", 0, 0.3, 1);
  for (int k = 0; k < 7; k++) {
    double u = k < 4 ? driven[k] : stiff[k - 4];
    CHECK_INT(count_starts(k < 4 ? &x : &y, &u, 1, 1e-4 * fabs(u)), 1);
  }
  CHECK_INT(pawl_bvp_count(x.bvp), 4);
  forget(&x);
  forget(&y);
}

/* Between two walls without force, from one to itself: at rest, listed once, and with 2 k + 1
 * bounces at the speed 2 (k + 1). */
static void rests_once(void) {
  problem x =
      line("constraint a: x >= 0, restitution 1\nconstraint b: x <= 1, restitution 1\n", 0, 0, 1);
  if (CHECK_INT(pawl_bvp_count(x.bvp), 4)) {
    CHECK_NEAR(pawl_bvp_get(x.bvp, 0).u_start[0], 0, 0);
    for (int i = 1; i < 4; i++) {
      CHECK_INT(pawl_bvp_get(x.bvp, i).bounces, 2 * i - 1);
      CHECK_NEAR(pawl_bvp_get(x.bvp, i).u_start[0], 2 * i, 1e-9);
    }
  }
  CHECK_INT(pawl_bvp_complete(x.bvp), 1);
  forget(&x);
}

/* A ball for a long time: T = (2 k u +- v +- w)/g with u^2 = v^2 + 2 g h; pairs of roots are near
 * each other where an impact lies beside the end. 0..k bounces have 4 k motions. In a box: 2 k + 1.
 */
static void long_times(void) {
  problem x =
      line("potential V = 9.81*x\nconstraint floor: x >= 0, restitution 1\n", 0.7, 0.3, 100);
  CHECK_INT(pawl_bvp_count(x.bvp), 20);
  CHECK_INT(pawl_bvp_complete(x.bvp), 1);
  for (int i = 0; i < pawl_bvp_count(x.bvp); i++) {
    pawl_bvp_solution s = pawl_bvp_get(x.bvp, i);
    double u = sqrt(s.u_start[0] * s.u_start[0] + 2 * 9.81 * 0.7);
    double t = 2 * u * s.bounces + s.u_start[0] - s.u_end[0]; /* g T */
    CHECK_NEAR(t, 981, 1e-6);
  }
  forget(&x);
  problem box = solve("coordinates x\nkinetic T = 1/2*x'^2\n"
                      "constraint a: x >= 0, restitution 1\nconstraint b: x <= 1, restitution 1\n"
                      "start x = 0.2\nend x = 0.9\nrun 0..1\n",
                      &(pawl_bvp_opts){.use_bounces = 1, .most = 20});
  CHECK_INT(pawl_bvp_count(box.bvp), 41);
  CHECK_INT(pawl_bvp_complete(box.bvp), 1);
  forget(&box);
}

/* Several directions: hops of k = 0..5 bounces, g/(2 (k + 1)) high, and turns about an axis of
 * inertia by 1 and by whole turns more. */
static void natural_starts(void) {
  problem hop = solve("coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\npotential V = 9.81*y\n"
                      "constraint floor: y >= 0, restitution 1\n"
                      "start x = 0, y = 0\nend x = 1, y = 0\nrun 0..1\n",
                      NULL);
  problem top = solve("rotation R\n"
                      "kinetic T = 1/2*(1*R.W[1]^2 + 2*R.W[2]^2 + 3*R.W[3]^2)\n"
                      "start R = axis(0,0,1,0)\nend R = axis(0,0,1,1)\nrun 0..1\n",
                      NULL);
  for (int k = 0; k <= 5; k++) {
    int found = 0;
    for (int i = 0; i < pawl_bvp_count(hop.bvp); i++) {
      found += fabs(pawl_bvp_get(hop.bvp, i).u_start[1] - 9.81 / (2 * (k + 1))) < 1e-8;
    }
    CHECK_INT(found, 1);
  }
  for (int k = -2; k <= 2; k++) {
    const double u[] = {0, 0, 1 + 2 * k * acos(-1)};
    CHECK_INT(count_starts(&top, u, 3, 1e-7), 1);
  }
  forget(&hop);
  forget(&top);
}

/* Where something is in the way of trials, the motion that meets nothing is found nevertheless: a
 * ball thrown over a floor, turned by 1.2 about (1, 2, 2)/3; a triple pendulum. And the orbits of
 * several revolutions. */
static void nothing_in_the_way(void) {
  problem ball = solve("coordinates x, y, z\nrotation R\n"
                       "kinetic T = 1/2*(x'^2 + y'^2 + z'^2 + R.W[1]^2 + R.W[2]^2 + R.W[3]^2)\n"
                       "potential V = 9.81*z\nconstraint floor: z >= 0.2, restitution 1\n"
                       "start x = 0, y = 0, z = 0.5, R = axis(1, 0, 0, 0)\n"
                       "end x = 1, y = 0.5, z = 0.4, R = axis(1, 2, 2, 1.2)\nrun 0..0.7\n",
                       &(pawl_bvp_opts){.use_bounces = 1});
  const double u[] = {1 / 0.7,   0.5 / 0.7, -0.1 / 0.7 + 9.81 * 0.35,
                      0.4 / 0.7, 0.8 / 0.7, 0.8 / 0.7};
  CHECK_INT(count_starts(&ball, u, 6, 1e-10), 1);
  forget(&ball);
  problem chain = solve("coordinates a, b, c\nkinetic T = 1/2*(3*a'^2 + 2*b'^2 + c'^2) + "
                        "2*cos(a - b)*a'*b' + cos(a - c)*a'*c' + cos(b - c)*b'*c'\n"
                        "potential V = -9.81*(3*cos(a) + 2*cos(b) + cos(c))\n"
                        "start a = 0.3, b = 0.5, c = -0.2\nend a = 1.2, b = -0.4, c = 2\n"
                        "run 0..1.5\n",
                        NULL);
  CHECK(pawl_bvp_count(chain.bvp) > 0);
  forget(&chain);
  problem orbit = solve("coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\n"
                        "potential V = -1/hypot(x, y)\nstart x = 1, y = 0\nend x = 0, y = 1\n"
                        "run 0..14\n",
                        NULL);
  CHECK(pawl_bvp_count(orbit.bvp) >= 6);
  forget(&orbit);
}

CHECK_MAIN({"near_conjugate_times", near_conjugate_times}, {"drag_and_drive", drag_and_drive},
           {"at_conjugate_times", at_conjugate_times}, {"pendulums", pendulums},
           {"infinitely_many", infinitely_many},
           {"oscillators_with_a_floor", oscillators_with_a_floor}, {"rests_once", rests_once},
           {"long_times", long_times}, {"natural_starts", natural_starts},
           {"nothing_in_the_way", nothing_in_the_way})
