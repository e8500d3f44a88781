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
  int n = pawl_bvp_count(x.bvp);
  for (int i = 0; i < n; i++) {
    double u = fabs(pawl_bvp_get(x.bvp, i).u_start[0]);
    least = u > 0 ? fmin(least, u) : least;
  }
  for (int k = -4; k <= 4; k++) {
    int found = 0;
    for (int i = 0; i < n; i++) {
      double u = pawl_bvp_get(x.bvp, i).u_start[0];
      found += fabs(u - (k < 0 ? -1 : 1) * k * k * least) < 1e-7;
    }
    CHECK_INT(found, 1);
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
  int found[7] = {0};
  for (int k = 0; k < 7; k++) {
    const pawl_bvp *b = k < 4 ? x.bvp : y.bvp;
    double u = k < 4 ? driven[k] : stiff[k - 4];
    for (int i = 0; i < pawl_bvp_count(b); i++) {
      found[k] += fabs(pawl_bvp_get(b, i).u_start[0] - u) < 1e-4 * fabs(u);
    }
    CHECK_INT(found[k], 1);
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

CHECK_MAIN({"near_conjugate_times", near_conjugate_times}, {"drag_and_drive", drag_and_drive},
           {"at_conjugate_times", at_conjugate_times}, {"pendulums", pendulums},
           {"infinitely_many", infinitely_many},
           {"oscillators_with_a_floor", oscillators_with_a_floor}, {"rests_once", rests_once})
