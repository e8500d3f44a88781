// SPDX-License-Identifier: MIT
/* Motions between two positions that are held by contacts and vakonomic laws for a while, against
 * closed forms; families of motions. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bvp_problem.h"

/* Everything that has fallen on the floor lies there: one parameter, and nothing is complete. */
static void ball_that_stays_down(void) {
  problem x = solve_most("coordinates y\nkinetic T = 1/2*y'^2\npotential V = 10*y\n"
                         "constraint floor: y >= 0, restitution 0\n"
                         "start y = 1\nend y = 0\nrun 0..1\n",
                         5);
  if (CHECK_INT(pawl_bvp_count(x.bvp), 1)) {
    pawl_bvp_solution s = pawl_bvp_get(x.bvp, 0);
    double u = s.u_start[0], fall = (u + sqrt(u * u + 20)) / 10;
    CHECK_INT(s.family, 1);
    CHECK_INT(s.bounces, 1);
    CHECK_INT(s.n_segment, 1);
    CHECK_NEAR(s.segments[0].from, fall, 1e-10);
    CHECK_NEAR(s.segments[0].to, 1, 0);
    CHECK_INT(s.verdict, PAWL_WEAK);
  }
  CHECK_INT(pawl_bvp_complete(x.bvp), 0);
  forget(&x);
}

/* Falls, lies, and is lifted from t = 1 on: free, closed, free. Whatever the fall, it arrives. */
static void ball_that_is_lifted(void) {
  problem x = solve_most("coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\n"
                         "force y: if(t < 1, -10, 4)\n"
                         "constraint floor: y >= 0, restitution 0\n"
                         "start x = 0, y = 0.8\nend x = 3, y = 0.5\nrun 0..1.5\n",
                         1);
  int held = 0;
  for (int i = 0; i < pawl_bvp_count(x.bvp); i++) {
    pawl_bvp_solution s = pawl_bvp_get(x.bvp, i);
    double u = s.u_start[1], fall = (u + sqrt(u * u + 16)) / 10;
    CHECK_NEAR(s.u_start[0], 2, 1e-9);
    if (s.n_segment == 1) {
      held++;
      CHECK_INT(s.family, 1);
      CHECK_NEAR(s.segments[0].from, fall, 1e-9);
      CHECK_NEAR(s.segments[0].to, 1, 1e-9);
      CHECK_NEAR(s.u_end[1], 2, 1e-8);
    }
  }
  CHECK_INT(held, 1);
  forget(&x);
}

/* Along the edge of two walls, thrown off one of them, or off both. */
static void edge_of_two_walls(void) {
  problem x = solve_most("coordinates x, y, z\nkinetic T = 1/2*(x'^2 + y'^2 + z'^2)\n"
                         "potential V = 10*x + 10*y\n"
                         "constraint left: x >= 0, restitution 1\n"
                         "constraint low: y >= 0, restitution 1\n"
                         "start x = 0, y = 0, z = 0\nend x = 0, y = 0, z = 1\nrun 0..1\n",
                         0);
  static const double action[] = {0.5 - 25.0 / 3, 0.5 - 25.0 / 6, 0.5 - 25.0 / 6, 0.5};
  static const int segments[] = {0, 1, 1, 2};
  for (int i = 0; CHECK_INT(pawl_bvp_count(x.bvp), 4) && i < 4; i++) {
    pawl_bvp_solution s = pawl_bvp_get(x.bvp, i);
    CHECK_NEAR(s.action, action[i], 1e-8);
    CHECK_INT(s.n_segment, segments[i]);
    CHECK_NEAR(s.u_start[2], 1, 1e-8);
    CHECK(s.defect < 1e-9);
    CHECK_INT(s.family, 0);
    CHECK_INT(s.verdict, PAWL_STRONG);
  }
  forget(&x);
}

/* Slides down a sphere from the top with speed v, leaves it at cos th = (2 + v^2/g)/3 and flies on:
 * time on the sphere by Simpson's rule, from v^2 + 2 g (1 - cos th) = th'^2. The height of the end
 * is left free, so that the speed is determined. */
static void leaves_the_sphere(void) {
  const double g = 9.81, v = 1.2, T = 0.9;
  double leave = acos((2 + v * v / g) / 3), h = leave / 2000, time = 0;
  for (int i = 0; i <= 2000; i++) {
    double speed = sqrt(v * v + 2 * g * (1 - cos(i * h)));
    time += (i == 0 || i == 2000 ? 1 : i % 2 == 1 ? 4 : 2) * h / 3 / speed;
  }
  double fast = sqrt(v * v + 2 * g * (1 - cos(leave)));
  char text[400];
  snprintf(text, sizeof text,
           "coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\npotential V = 9.81*y\n"
           "constraint ball: hypot(x, y) >= 1, restitution 1\n"
           "start x = 0, y = 1\nend x = %.17g, y ~ 0\nrun 0..0.9\n",
           sin(leave) + fast * cos(leave) * (T - time));
  problem x = solve_most(text, 0);
  int found = 0;
  for (int i = 0; i < pawl_bvp_count(x.bvp); i++) {
    pawl_bvp_solution s = pawl_bvp_get(x.bvp, i);
    if (fabs(s.u_start[0] - v) < 1e-8 && s.n_segment == 1) {
      found++;
      CHECK_NEAR(s.segments[0].from, 0, 0);
      CHECK_NEAR(s.segments[0].to, time, 1e-8);
      CHECK_NEAR(s.u_end[0], fast * cos(leave), 1e-8);
      CHECK(s.defect < 1e-8); /* solved anew, with the instant of leaving unknown */
      CHECK_INT(s.family, 0);
      CHECK_INT(s.verdict, PAWL_STRONG);
    }
  }
  CHECK_INT(found, 1);
  forget(&x);
}

/* The motion that lands without impact at tL and is held from there on; 1 of them. */
static void check_landing(problem *x, int bounces, double speed, double tL, double action) {
  int found = 0;
  CHECK_INT(x->status, PAWL_OK);
  for (int i = 0; i < pawl_bvp_count(x->bvp); i++) {
    pawl_bvp_solution s = pawl_bvp_get(x->bvp, i);
    if (s.n_segment == 0) {
      continue;
    }
    found++;
    CHECK_INT(s.n_segment, 1);
    CHECK_INT(s.bounces, bounces);
    CHECK_NEAR(s.u_start[0], speed, 1e-12 * (1 + fabs(speed)));
    CHECK_NEAR(s.segments[0].from, tL, 1e-9);
    CHECK_NEAR(s.segments[0].to, 2, 0);
    CHECK_NEAR(s.action, action, 1e-9 * (1 + fabs(action)));
    CHECK_NEAR(s.direct.action, action, 1e-9 * (1 + fabs(action)));
    CHECK(s.direct.agrees);
    CHECK_INT(s.verdict, PAWL_STRONG);
  }
  CHECK_INT(found, 1);
  forget(x);
}

/* y'' = k (tL - t) from k tL^3/6: y = k (tL - t)^3/6, then it presses; the action is k^2 tL^5/40.
 * From anywhere else there is no such motion. */
static void lands_softly(void) {
  static const double k[] = {6, 7.3, 2.9}, tL[] = {1, 1.1, 0.77};
  for (int i = 0; i < 3; i++) {
    for (int off = 0; off < 2; off++) {
      char text[400];
      snprintf(text, sizeof text,
               "coordinates y\nkinetic T = 1/2*y'^2\nforce y: %.17g*(%.17g - t)\n"
               "constraint floor: y >= 0, restitution 1\nstart y = %.17g\nend y = 0\nrun 0..2\n",
               k[i], tL[i], k[i] * pow(tL[i], 3) / 6 + 0.01 * off);
      problem x = solve_most(text, 1);
      if (off == 0) {
        check_landing(&x, 0, -k[i] * tL[i] * tL[i] / 2, tL[i], k[i] * k[i] * pow(tL[i], 5) / 40);
        continue;
      }
      for (int s = 0; s < pawl_bvp_count(x.bvp); s++) {
        CHECK_INT(pawl_bvp_get(x.bvp, s).n_segment, 0);
      }
      forget(&x);
    }
  }
}

/* The same with p = (1 - t)^3 behind a ceiling that is hit at 0.2, before: y = p - 2 p'(0.2) (t -
 * 0.2). With x' = v it is one of two directions. */
static void lands_after_a_bounce(void) {
  double v = -2 * -3 * 0.64, kinetic = 0;
  for (int i = 0; i < 3; i++) { /* Simpson's rule is not enough: Gauss's with three points */
    double t = 0.1 * (1 + sqrt(0.6) * (i - 1)), u = -3 * (1 - t) * (1 - t) + v;
    kinetic += (i == 1 ? 8 : 5) / 18.0 * 0.2 * u * u / 2;
  }
  problem x = solve_most("coordinates y\nkinetic T = 1/2*y'^2\nforce y: 6*(1 - t)\n"
                         "constraint floor: y >= 0, restitution 1\n"
                         "constraint lid: y <= 0.512, restitution 1\n"
                         "start y = 0.232\nend y = 0\nrun 0..2\n",
                         2);
  check_landing(&x, 1, -3 + v, 1, kinetic + 0.9 * pow(0.8, 5));
  problem plane = solve_most("coordinates y, x\nkinetic T = 1/2*(x'^2 + y'^2)\nforce y: 6*(1 - t)\n"
                             "constraint floor: y >= 0, restitution 1\n"
                             "start x = 0, y = 1\nend x = 1.4, y = 0\nrun 0..2\n",
                             1);
  check_landing(&plane, 0, -3, 1, 0.9 + 0.49);
}

/* ---- vakonomic laws ---- */

/* Heisenberg's group with inertia along z, f = z' - (x y' - y x')/2: on the circle x^2 + y^2 = 1
 * with the speed w, z' = w/2, the equations x'' = -lambda y' - lambda' y/2, ... hold with lambda =
 * w. The straight line has f = (al - sin al)/2, which is free, or forbidden. */
static problem heisenberg(const char *relation, double al) {
  char text[500];
  snprintf(text, sizeof text,
           "coordinates x, y, z\nkinetic T = 1/2*(x'^2 + y'^2 + z'^2)\n"
           "constraint c: z' %s 1/2*(x*y' - y*x'), vakonomic\n"
           "start x = 1, y = 0, z = 0, force(c) ~ 0\n"
           "end x = cos(%.17g), y = sin(%.17g), z = %.17g\nrun 0..2\n",
           relation, al, al, al / 2);
  return solve_most(text, 0);
}

/* The motion along the circle, or -1. */
static int on_circle(const problem *x, double w, double lambda) {
  for (int i = 0; i < pawl_bvp_count(x->bvp); i++) {
    pawl_bvp_solution s = pawl_bvp_get(x->bvp, i);
    if (fabs(s.u_start[0]) + fabs(s.u_start[1] - w) + fabs(s.u_start[2] - w / 2) < 1e-8) {
      CHECK_NEAR(s.q_start[3], lambda, 1e-7);
      CHECK_NEAR(s.action, 1.25 * w * w, 1e-8);
      CHECK_INT(s.verdict, PAWL_STRONG);
      return i;
    }
  }
  return -1;
}

/* From one side of a valley to the other. Short hops beside the motion that stays down end slowly,
 * too, but with e > 0 they go on for ever: they are no landings. */
static void hops_are_no_landings(void) {
  static const double e[] = {1, 0.5};
  for (int i = 0; i < 2; i++) {
    char text[400];
    snprintf(text, sizeof text,
             "coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\npotential V = 9.81*y\n"
             "constraint floor: y >= 1/2*x^2, restitution %g\n"
             "start x = -1, y = 0.5\nend x = 0.6, y = 0.18\nrun 0..0.8\n",
             e[i]);
    problem x = solve_most(text, 1);
    int held = 0;
    CHECK_INT(x.status, PAWL_OK);
    for (int s = 0; s < pawl_bvp_count(x.bvp); s++) {
      pawl_bvp_solution found = pawl_bvp_get(x.bvp, s);
      held += found.n_segment > 0;
      CHECK(found.n_segment == 0 || (found.bounces == 0 && found.segments[0].from == 0));
    }
    CHECK_INT(held, 1);
    forget(&x);
  }
}

static void two_sided_heisenberg(void) {
  for (int sign = -1; sign <= 1; sign += 2) {
    problem x = heisenberg("=", sign * 1.4);
    CHECK(on_circle(&x, sign * 0.7, sign * 0.7) >= 0);
    CHECK_INT(pawl_bvp_multipliers(x.bvp), 1);
    CHECK_STR(pawl_bvp_multiplier(x.bvp, 0), "c");
    forget(&x);
  }
}

static void one_sided_heisenberg(void) {
  double al = 1.4, c = cos(al) - 1, s = sin(al);
  problem x = heisenberg(">=", al);
  int circle = on_circle(&x, al / 2, al / 2);
  if (CHECK_INT(circle, 1)) {
    pawl_bvp_solution held = pawl_bvp_get(x.bvp, 1), line = pawl_bvp_get(x.bvp, 0);
    CHECK_INT(held.n_segment, 1);
    CHECK_NEAR(held.segments[0].to - held.segments[0].from, 2, 0);
    CHECK_INT(line.n_segment, 0);
    CHECK_NEAR(line.u_start[0], c / 2, 1e-9);
    CHECK_NEAR(line.action, (c * c + s * s + al * al / 4) / 4, 1e-9);
    CHECK_NEAR(line.q_start[3], 0, 0);
    CHECK_INT(line.verdict, PAWL_STRONG);
  }
  forget(&x);
  problem none = heisenberg(">=", -al); /* the line is forbidden, the circle has lambda < 0 */
  CHECK_INT(pawl_bvp_count(none.bvp), 0);
  forget(&none);
  problem turned = heisenberg("<=", -al);
  CHECK_INT(on_circle(&turned, -al / 2, al / 2), 1); /* f is written the other way round */
  CHECK_INT(pawl_bvp_count(turned.bvp), 2);
  forget(&turned);
}

/* An integrable constraint determines the motion and leaves the multiplier open. */
static void integrable_law(void) {
  problem x = solve_most("coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\n"
                         "constraint c: x' + y' = 0, vakonomic\n"
                         "start x = 0, y = 0, force(c) ~ 0\nend x = 1, y = -1\nrun 0..1\n",
                         0);
  if (CHECK_INT(pawl_bvp_count(x.bvp), 1)) {
    CHECK_NEAR(pawl_bvp_get(x.bvp, 0).u_start[0], 1, 1e-9);
    CHECK_INT(pawl_bvp_get(x.bvp, 0).family, 1);
  }
  forget(&x);
}

CHECK_MAIN({"ball_that_stays_down", ball_that_stays_down},
           {"ball_that_is_lifted", ball_that_is_lifted}, {"edge_of_two_walls", edge_of_two_walls},
           {"leaves_the_sphere", leaves_the_sphere}, {"lands_softly", lands_softly},
           {"lands_after_a_bounce", lands_after_a_bounce},
           {"hops_are_no_landings", hops_are_no_landings},
           {"two_sided_heisenberg", two_sided_heisenberg},
           {"one_sided_heisenberg", one_sided_heisenberg}, {"integrable_law", integrable_law})
