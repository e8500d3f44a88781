// SPDX-License-Identifier: MIT
/* Motions between two positions against closed forms: reflected images, parabolas, and the same
 * problem in other coordinates. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "bvp_problem.h"

/* S0.1: dropped from 0.8 with g = 10, back after 0.8; or thrown up with 4. Three solutions meet in
 * the first: its velocity is a triple root. */
static void ball_dropped_or_thrown(void) {
  problem x = solve("coordinates y\nkinetic T = 1/2*y'^2\npotential V = 10*y\n"
                    "constraint floor: y >= 0, restitution 1\n"
                    "start y = 0.8\nend y = 0.8\nrun 0..0.8\n",
                    NULL);
  CHECK_INT(x.status, PAWL_OK);
  if (CHECK_INT(pawl_bvp_count(x.bvp), 2)) {
    pawl_bvp_solution up = pawl_bvp_get(x.bvp, 0), down = pawl_bvp_get(x.bvp, 1);
    CHECK_INT(up.bounces, 0);
    CHECK_NEAR(up.u_start[0], 4, 1e-10);
    CHECK_NEAR(up.action, -8.533333333333333, 1e-10);
    CHECK_INT(down.bounces, 1);
    CHECK_STR(down.labels[0], "floor");
    CHECK_NEAR(down.times[0], 0.4, 1e-10);
    CHECK_NEAR(down.u_start[0], 0, 1e-9);
    CHECK_NEAR(down.action, -32.0 / 15, 1e-10);
    CHECK(up.defect < 1e-9 && down.defect < 1e-9);
    CHECK_INT(up.verdict, PAWL_STRONG);
    CHECK_INT(down.verdict, PAWL_STRONG);
  }
  CHECK_INT(pawl_bvp_complete(x.bvp), 1);
  CHECK_INT(pawl_bvp_freedom(x.bvp), 1);
  forget(&x);
}

/* A restitution below 1 is part of the model: with e = 1/2 the ball is thrown down with 3 and
 * arrives with -1.5, is dropped (S0.4: at rest when it arrives, a double root), or is thrown up. */
static void plastic_ball(void) {
  problem x = solve("coordinates y\nkinetic T = 1/2*y'^2\npotential V = 10*y\n"
                    "constraint floor: y >= 0, restitution 0.5\n"
                    "start y = 0.8\nend y = 0.2\nrun 0..0.6\n",
                    NULL);
  if (CHECK_INT(pawl_bvp_count(x.bvp), 3)) {
    CHECK_NEAR(pawl_bvp_get(x.bvp, 0).u_start[0], 2, 1e-10);
    CHECK_NEAR(pawl_bvp_get(x.bvp, 1).u_start[0], 0, 1e-9);
    CHECK_NEAR(pawl_bvp_get(x.bvp, 1).action, -1.2, 1e-9);
    CHECK_NEAR(pawl_bvp_get(x.bvp, 2).u_start[0], -3, 1e-10);
    CHECK_NEAR(pawl_bvp_get(x.bvp, 2).u_end[0], -1.5, 1e-10);
    CHECK_INT(pawl_bvp_get(x.bvp, 0).verdict, PAWL_STRONG);
    CHECK_INT(pawl_bvp_get(x.bvp, 2).verdict, PAWL_WEAK);
    CHECK_STR(pawl_bvp_get(x.bvp, 2).subclass, "dissipative");
  }
  CHECK_INT(pawl_bvp_complete(x.bvp), 1);
  forget(&x);
}

/* Images of the end in the walls of a box: x + 4 i or -x + 4 i, y + 2 j or -y + 2 j. Every motion
 * with at most three bounces is one straight line to an image, and all of them are found. */
static void images_in_a_box(void) {
  problem x =
      solve("coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\n"
            "constraint left: x >= 0, restitution 1\nconstraint right: x <= 2, restitution 1\n"
            "constraint low: y >= 0, restitution 1\nconstraint high: y <= 1, restitution 1\n"
            "start x = 0.3, y = 0.4\nend x = 1.1, y = 0.7\nrun 0..1\n",
            &(pawl_bvp_opts){.use_bounces = 1, .least = 0, .most = 3});
  int of[4] = {0};
  for (int i = 0; i < pawl_bvp_count(x.bvp); i++) {
    pawl_bvp_solution s = pawl_bvp_get(x.bvp, i);
    double a = s.u_start[0] + 0.3, b = s.u_start[1] + 0.4;
    double ia = fmin(fabs(remainder(a - 1.1, 4)), fabs(remainder(a + 1.1, 4)));
    double ib = fmin(fabs(remainder(b - 0.7, 2)), fabs(remainder(b + 0.7, 2)));
    CHECK_NEAR(ia, 0, 1e-9);
    CHECK_NEAR(ib, 0, 1e-9);
    CHECK_INT(s.bounces, (int)(fabs(floor(a / 2)) + fabs(floor(b))));
    CHECK_NEAR(s.action, (s.u_start[0] * s.u_start[0] + s.u_start[1] * s.u_start[1]) / 2, 1e-9);
    CHECK(s.defect < 1e-9);
    CHECK_INT(s.verdict, PAWL_STRONG);
    of[s.bounces]++;
  }
  CHECK_INT(of[0], 1);
  CHECK_INT(of[1], 4);
  CHECK_INT(of[2], 8);
  CHECK_INT(of[3], 12);
  CHECK_INT(pawl_bvp_complete(x.bvp), 0); /* two directions: never claimed */
  forget(&x);
}

/* A pendulum by its angle and by a constraint: the same motions. */
static void pendulum_both_ways(void) {
  problem a = solve("coordinates th\nkinetic T = 1/2*th'^2\npotential V = -cos(th)\n"
                    "start th = 0.5\nend th = -0.5\nrun 0..2\n",
                    NULL);
  problem b = solve("coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\npotential V = y\n"
                    "constraint rod: x^2 + y^2 = 1\n"
                    "start x = sin(0.5), y = -cos(0.5)\nend x = -sin(0.5), y = -cos(0.5)\n"
                    "run 0..2\n",
                    NULL);
  CHECK(pawl_bvp_count(a.bvp) >= 1);
  for (int i = 0; i < pawl_bvp_count(a.bvp); i++) {
    double w = pawl_bvp_get(a.bvp, i).u_start[0], near = INFINITY, action = 0;
    for (int k = 0; k < pawl_bvp_count(b.bvp); k++) {
      pawl_bvp_solution s = pawl_bvp_get(b.bvp, k);
      double far = fabs(s.u_start[0] - w * cos(0.5)) + fabs(s.u_start[1] - w * sin(0.5));
      action = far < near ? s.action : action;
      near = fmin(near, far);
    }
    CHECK_NEAR(near, 0, 1e-8);
    CHECK_NEAR(action, pawl_bvp_get(a.bvp, i).action, 1e-7);
  }
  forget(&a);
  forget(&b);
}

/* Two thirds of a circle in the field of a centre, and the short way round: Kepler's circle. */
static void kepler_circle(void) {
  problem x =
      solve("coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\npotential V = -1/hypot(x, y)\n"
            "start x = 1, y = 0\nend x = 0, y = 1\nrun 0..1.5707963267948966\n",
            NULL);
  const double circle[] = {0, 1};
  CHECK_INT(count_starts(&x, circle, 2, 1e-9), 1);
  forget(&x);
}

/* From the table to the table: the block may also slide all the way. */
static void contact_that_stays(void) {
  problem x = solve("coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\npotential V = 10*y\n"
                    "constraint floor: y >= 0, restitution 1\n"
                    "start x = 0, y = 0\nend x = 1, y = 0\nrun 0..1\n",
                    &(pawl_bvp_opts){.use_bounces = 1, .least = 0, .most = 0});
  if (CHECK_INT(pawl_bvp_count(x.bvp), 2)) {
    CHECK_NEAR(pawl_bvp_get(x.bvp, 0).u_start[1], 5, 1e-9);
    pawl_bvp_solution s = pawl_bvp_get(x.bvp, 1);
    if (CHECK_INT(s.n_segment, 1)) {
      CHECK_STR(s.segments[0].law, "floor");
      CHECK_NEAR(s.segments[0].from, 0, 0);
      CHECK_NEAR(s.segments[0].to, 1, 0);
    }
    CHECK_INT(s.family, 0);
    CHECK_NEAR(s.u_start[0], 1, 1e-9);
    CHECK_NEAR(s.action, 0.5, 1e-9);
  }
  forget(&x);
}

/* S0.8: dS/dq_end = p and dS/dt_end = -H of the motion that is found, by differences. */
static void action_as_a_function_of_the_end(void) {
  double S[5];
  const double at[5][2] = {{0.5, 1}, {0.501, 1}, {0.499, 1}, {0.5, 1.001}, {0.5, 0.999}};
  pawl_bvp_solution s = {0};
  double p = 0, H = 0;
  for (int i = 4; i >= 0; i--) {
    char text[400];
    snprintf(text, sizeof text,
             "coordinates q\nkinetic T = 1/2*q'^2\npotential V = 1/2*q^2\n"
             "start q = 0.2\nend q = %.17g\nrun 0..%.17g\n",
             at[i][0], at[i][1]);
    problem x = solve(text, NULL);
    s = pawl_bvp_get(x.bvp, 0);
    S[i] = s.action;
    p = i == 0 ? s.u_end[0] : p;
    H = i == 0 ? s.u_end[0] * s.u_end[0] / 2 + 0.125 : H;
    forget(&x);
  }
  CHECK_NEAR((S[1] - S[2]) / 0.002, p, 1e-6);
  CHECK_NEAR((S[3] - S[4]) / 0.002, -H, 1e-6);
}

/* A hardening field, F = -9.81 - 3 q^3: start velocities of at most 14 with up to two bounces, from
 * a scan of numerics L.12. */
static void hardening_field(void) {
  static const double u0[] = {2.20801301, 8.96734522, -12.96641639, -1.38946954, 11.50861303};
  static const int bounces[] = {1, 1, 2, 2, 2};
  problem x = solve("coordinates q\nkinetic T = 1/2*q'^2\npotential V = 9.81*q + 3/4*q^4\n"
                    "constraint floor: q >= 0, restitution 1\n"
                    "start q = 1\nend q = 0.6\nrun 0..1.3\n",
                    &(pawl_bvp_opts){.use_bounces = 1, .most = 2});
  int found[5] = {0}, slow = 0;
  for (int i = 0; CHECK(x.status == PAWL_OK) && i < pawl_bvp_count(x.bvp); i++) {
    pawl_bvp_solution s = pawl_bvp_get(x.bvp, i);
    slow += fabs(s.u_start[0]) <= 14;
    for (int k = 0; k < 5; k++) {
      found[k] += s.bounces == bounces[k] && fabs(s.u_start[0] - u0[k]) < 1e-7;
    }
  }
  for (int k = 0; k < 5; k++) {
    CHECK_INT(found[k], 1);
  }
  CHECK_INT(slow, 5);
  forget(&x);
}

static void what_cannot_be(void) {
  problem off = solve("coordinates x\nkinetic T = 1/2*x'^2\nconstraint drive: x = t\n"
                      "start x = 0\nend x = 2\nrun 0..1\n",
                      NULL);
  CHECK_INT(off.status, PAWL_E_MODEL);
  CHECK_STR(pawl_diags_get(off.diags, 0)->code, "E0712");
  forget(&off);
  problem none = solve("coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\n"
                       "constraint c: x' = y'\nstart x = 0, y = 0\nend x = 1, y = 2\nrun 0..1\n",
                       NULL);
  CHECK_INT(none.status, PAWL_OK);
  CHECK_INT(pawl_bvp_count(none.bvp), 0);
  forget(&none);
  problem wall = solve("coordinates x\nkinetic T = 1/2*x'^2\nconstraint w: x <= 1, restitution 1\n"
                       "start x = 0\nend x = 2\nrun 0..1\n",
                       NULL);
  CHECK_INT(wall.status, PAWL_E_MODEL);
  CHECK_STR(pawl_diags_get(wall.diags, 0)->code, "E0711");
  forget(&wall);
  problem nowhere = solve("coordinates x\nkinetic T = 1/2*x'^2\nstart x = 0\nrun 0..1\n", NULL);
  CHECK_INT(nowhere.status, PAWL_E_MODEL);
  CHECK_STR(pawl_diags_get(nowhere.diags, 0)->code, "E0710");
  forget(&nowhere);
}

/* From rest to rest: the motion without speed is one. */
static void rest_to_rest(void) {
  problem rest = solve("coordinates x\nkinetic T = 1/2*x'^2\npotential V = 1/2*x^2\n"
                       "start x = 0\nend x = 0\nrun 0..1\n",
                       NULL);
  if (CHECK_INT(pawl_bvp_count(rest.bvp), 1)) {
    CHECK_NEAR(pawl_bvp_get(rest.bvp, 0).u_start[0], 0, 1e-12);
  }
  CHECK_INT(pawl_bvp_complete(rest.bvp), 1);
  forget(&rest);
}

static problem ball(double from, double to, double time, int most) {
  char text[300];
  snprintf(text, sizeof text,
           "coordinates y\nkinetic T = 1/2*y'^2\npotential V = 10*y\n"
           "constraint floor: y >= 0, restitution 1\n"
           "start y = %.17g\nend y = %.17g\nrun 0..%.17g\n",
           from, to, time);
  return solve(text, &(pawl_bvp_opts){.use_bounces = 1, .most = most});
}

/* An end on the floor is reached, not passed. From the floor to the floor in the time T: k bounces
 * with v = g T/(2 (k + 1)) and the action -m g^2 T^3/(24 (k + 1)^2), or at rest. */
static void floor_to_floor(void) {
  static const double times[] = {1, 0.37, 2.6};
  for (int i = 0; i < 3; i++) {
    double T = times[i];
    problem x = ball(0, 0, T, 3);
    for (int j = 0; CHECK_INT(pawl_bvp_count(x.bvp), 5) && j < 5; j++) {
      pawl_bvp_solution s = pawl_bvp_get(x.bvp, j);
      bool rests = j == 1;
      int k = rests ? 0 : j == 0 ? 0 : j - 1;
      CHECK_INT(s.bounces, k);
      CHECK_INT(s.n_segment, rests);
      CHECK_NEAR(s.u_start[0], rests ? 0 : 5 * T / (k + 1), 1e-9);
      CHECK_NEAR(s.action, rests ? 0 : -100 * T * T * T / (24.0 * (k + 1) * (k + 1)), 1e-9);
      for (int b = 0; b < k; b++) {
        CHECK_NEAR(s.times[b], T * (b + 1) / (k + 1), 1e-9);
      }
      CHECK_INT(s.verdict, PAWL_STRONG);
    }
    CHECK_INT(pawl_bvp_complete(x.bvp), 1);
    forget(&x);
  }
}

/* With the fall of t1 and speed w at the floor, t1 + 2 k w/g = T, w^2 = v^2 + 2 g h: read backward
 * these are the motions from the floor to h. */
static void to_the_floor_and_back(void) {
  problem down = ball(0.2, 0, 1, 5), up = ball(0, 0.2, 1, 5);
  int n = pawl_bvp_count(down.bvp);
  CHECK_INT(n, 5);
  for (int i = 0; CHECK_INT(pawl_bvp_count(up.bvp), n) && i < n; i++) {
    pawl_bvp_solution a = pawl_bvp_get(down.bvp, i), b = pawl_bvp_get(up.bvp, i);
    double v = a.u_start[0], w = sqrt(v * v + 4);
    CHECK_NEAR((v + w) / 10 + a.bounces * w / 5, 1, 1e-9);
    CHECK_INT(a.bounces, b.bounces);
    CHECK_NEAR(a.action, b.action, 1e-9);
    CHECK_NEAR(a.u_start[0], -b.u_end[0], 1e-8);
    CHECK_NEAR(a.u_end[0], -b.u_start[0], 1e-8);
  }
  CHECK_INT(pawl_bvp_complete(down.bvp), 1);
  CHECK_INT(pawl_bvp_complete(up.bvp), 1);
  forget(&down);
  forget(&up);
}

/* Pressed to the floor until t = 1 and lifted then: it rests and leaves, 4 (1/2)^2/2 high. */
static void rests_and_leaves(void) {
  problem x = solve("coordinates y\nkinetic T = 1/2*y'^2\nforce y: if(t < 1, -10, 4)\n"
                    "constraint floor: y >= 0, restitution 1\n"
                    "start y = 0\nend y = 0.5\nrun 0..1.5\n",
                    NULL);
  int rests = 0;
  for (int i = 0; i < pawl_bvp_count(x.bvp); i++) {
    pawl_bvp_solution s = pawl_bvp_get(x.bvp, i);
    if (s.n_segment == 1) {
      rests++;
      CHECK_NEAR(s.u_start[0], 0, 0);
      CHECK_NEAR(s.segments[0].to, 1, 1e-9);
      CHECK_NEAR(s.u_end[0], 2, 1e-8);
    }
  }
  CHECK_INT(rests, 1);
  forget(&x);
}

CHECK_MAIN({"ball_dropped_or_thrown", ball_dropped_or_thrown}, {"plastic_ball", plastic_ball},
           {"images_in_a_box", images_in_a_box}, {"pendulum_both_ways", pendulum_both_ways},
           {"kepler_circle", kepler_circle}, {"contact_that_stays", contact_that_stays},
           {"action_as_a_function_of_the_end", action_as_a_function_of_the_end},
           {"hardening_field", hardening_field}, {"rest_to_rest", rest_to_rest},
           {"floor_to_floor", floor_to_floor}, {"to_the_floor_and_back", to_the_floor_and_back},
           {"rests_and_leaves", rests_and_leaves}, {"what_cannot_be", what_cannot_be})
