// SPDX-License-Identifier: MIT
/* The direct method: its order on closed forms, and motions with constraints, rotations, switches
 * and impacts of every kind that it applies to. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bvp/bvp.h"
#include "bvp_problem.h"

/* Every solution is solved anew, agrees, and has the same action both ways. Motions so fast that
 * the elements cannot be halved often enough (256 are the most) are known less well. */
static void check_all(const problem *x, int least, double small) {
  CHECK(pawl_bvp_count(x->bvp) >= least);
  for (int i = 0; i < pawl_bvp_count(x->bvp); i++) {
    pawl_bvp_solution s = pawl_bvp_get(x->bvp, i);
    if (!CHECK(s.direct.solved == 1 && s.direct.agrees == 1)) {
      printf("       solution %d: %s\n", i + 1, s.direct.why);
    }
    CHECK(s.direct.defect <= small && (s.direct.error <= small || s.direct.elements >= 256));
    CHECK_NEAR(s.direct.action, s.action, small * (1 + fabs(s.action)));
    CHECK_INT(s.direct.order, 12);
  }
}

static void check_model(const char *text, int most, int least) {
  problem x = solve_most(text, most);
  check_all(&x, least, 1e-10);
  forget(&x);
}

/* ---- order: twice the number of points of Gauss ---- */

/* Error of start velocity and instants with halved elements, for one coordinate with mass 1. */
static double error_with(problem *x, double u, int halvings) {
  pawl_bvp_direct d;
  CHECK_INT(pw_direct(&x->bvp->shoot, &u, halvings, &d, NULL), PAWL_OK);
  CHECK_INT(d.solved, 1);
  return d.defect;
}

static void check_order(problem *x, double u) {
  double last = error_with(x, u, 0);
  int seen = 0;
  for (int k = 1; k <= 3 && last > 1e-8; k++, seen++) { /* behind comes the error of the trial */
    double now = error_with(x, u, k), order = log2(last / now);
    if (!CHECK(order > 11 && order < 14)) {
      printf("       %d halvings: %.3g after %.3g, order %.2f\n", k, now, last, order);
    }
    last = now;
  }
  CHECK(seen > 0);
}

/* q'' = -9 q from 0.2 to 0.5: u = 3 (0.5 - 0.2 cos 3T) / sin 3T, S = p q/2 between the ends. */
static void order_of_an_oscillator(void) {
  const double T = 5, c = cos(3 * T), s = sin(3 * T), u = 3 * (0.5 - 0.2 * c) / s;
  problem x = solve_most("coordinates q\nkinetic T = 1/2*q'^2\npotential V = 9/2*q^2\n"
                         "start q = 0.2\nend q = 0.5\nrun 0..5\n",
                         0);
  if (CHECK_INT(pawl_bvp_count(x.bvp), 1)) {
    pawl_bvp_solution sol = pawl_bvp_get(x.bvp, 0);
    CHECK_NEAR(sol.u_start[0], u, 1e-10);
    CHECK_NEAR(sol.direct.action, (0.5 * (-0.6 * s + u * c) - 0.2 * u) / 2, 1e-10);
    check_order(&x, sol.u_start[0]);
  }
  forget(&x);
}

/* Faster, and with a wall at 0, where it arrives and leaves with the same speed: q = |A sin(9t +
 * b)| with the instants of impacts unknown. */
static void order_with_an_impact(void) {
  problem x = solve_most("coordinates q\nkinetic T = 1/2*q'^2\npotential V = 81/2*q^2\n"
                         "constraint wall: q >= 0, restitution 1\n"
                         "start q = 0.2\nend q = 0.5\nrun 0..1.7\n",
                         5);
  int found = 0;
  for (int i = 0; i < pawl_bvp_count(x.bvp); i++) {
    pawl_bvp_solution sol = pawl_bvp_get(x.bvp, i);
    double c = cos(15.3), s = sin(15.3), sign = sol.bounces % 2 == 0 ? 1 : -1;
    CHECK_NEAR(sol.u_start[0], 9 * (sign * 0.5 - 0.2 * c) / s, 1e-9);
    if (sol.bounces > 0) {
      found++;
      check_order(&x, sol.u_start[0]);
    }
  }
  CHECK(found > 0);
  check_all(&x, 1, 1e-10);
  forget(&x);
}

/* ---- constraints ---- */

/* Double pendulum with rods and by angles: the same motion, the same action up to the zero of V. */
static void double_pendulum(void) {
  static const char *const rods =
      "coordinates x1, y1, x2, y2\nkinetic T = 1/2*(x1'^2 + y1'^2 + x2'^2 + y2'^2)\n"
      "potential V = 9.81*(y1 + y2)\nconstraint a: x1^2 + y1^2 = 1\n"
      "constraint b: (x2 - x1)^2 + (y2 - y1)^2 = 1\n"
      "start x1 = sin(0.3), y1 = -cos(0.3), x2 = sin(0.3) + sin(0.5), y2 = -cos(0.3) - cos(0.5)\n"
      "end x1 = -sin(0.2), y1 = -cos(0.2), x2 = -sin(0.2) - sin(0.4), y2 = -cos(0.2) - cos(0.4)\n"
      "run 0..0.15\n";
  problem a = solve_most(rods, 0);
  problem b = solve_most("coordinates a, b\nkinetic T = 1/2*(2*a'^2 + b'^2 + 2*cos(a - b)*a'*b')\n"
                         "potential V = -9.81*(2*cos(a) + cos(b))\n"
                         "start a = 0.3, b = 0.5\nend a = -0.2, b = -0.4\nrun 0..0.15\n",
                         0);
  check_all(&a, 1, 1e-10);
  check_all(&b, 1, 1e-10);
  for (int i = 0; i < pawl_bvp_count(b.bvp); i++) {
    pawl_bvp_solution s = pawl_bvp_get(b.bvp, i);
    double near = INFINITY;
    for (int k = 0; k < pawl_bvp_count(a.bvp); k++) {
      pawl_bvp_solution r = pawl_bvp_get(a.bvp, k);
      double first =
          hypot(r.u_start[0] - s.u_start[0] * cos(0.3), r.u_start[1] - s.u_start[0] * sin(0.3));
      double second = fabs(r.u_start[2] - r.u_start[0] - s.u_start[1] * cos(0.5));
      near = fmin(near, first + second + fabs(r.action - s.action));
    }
    CHECK_NEAR(near, 0, 1e-8);
  }
  forget(&a);
  forget(&b);
}

/* A groove stated twice: forces are not unique, the motion is. */
static void redundant_rows(void) {
  check_model("coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\npotential V = y\n"
              "constraint groove: y = x^2\nconstraint twin: exp(y - x^2) = 1\n"
              "start x = 0.6, y = 0.36\nend x = -0.5, y = 0.25\nrun 0..1\n",
              0, 1);
}

/* A great circle of a sphere, with no force: a uniform rotation, three times round at most. */
static void great_circle(void) {
  problem x = solve_most("coordinates x, y, z\nkinetic T = 1/2*(x'^2 + y'^2 + z'^2)\n"
                         "constraint ball: x^2 + y^2 + z^2 = 4\n"
                         "start x = 2, y = 0, z = 0\nend x = 0, y = 1.2, z = 1.6\nrun 0..1\n",
                         0);
  const double pi = acos(-1);
  check_all(&x, 2, 1e-10);
  for (int i = 0; i < pawl_bvp_count(x.bvp); i++) {
    pawl_bvp_solution s = pawl_bvp_get(x.bvp, i);
    double angle = s.u_start[1] / 1.2; /* signed, a quarter plus whole turns */
    CHECK_NEAR(remainder(angle - pi / 2, 2 * pi), 0, 1e-9);
    CHECK_NEAR(s.u_start[2], 1.6 * angle, 1e-8);
    CHECK_NEAR(s.action, 2 * angle * angle, 1e-8 * (1 + angle * angle));
  }
  forget(&x);
}

/* ---- rotations ---- */

/* A ball turns about a fixed axis; with three different inertias an axis of inertia does. */
static void reorientation(void) {
  problem x = solve_most("rotation R\nkinetic T = 1/2*(R.W[1]^2 + R.W[2]^2 + R.W[3]^2)\n"
                         "start R = axis(1, 0, 0, 0.4)\nend R = axis(1, 0, 0, 2)\nrun 0..2\n",
                         0);
  check_all(&x, 1, 1e-10);
  const double w[] = {0.8, 0, 0};
  CHECK_INT(count_starts(&x, w, 3, 1e-10), 1);
  forget(&x);
}

/* Euler's top: energy and angular momentum of the solution at both ends. */
static void reorientation_of_a_top(void) {
  problem x = solve_most("rotation R\nkinetic T = 1/2*(2*R.W[1]^2 + 3*R.W[2]^2 + 4*R.W[3]^2)\n"
                         "start R = axis(1, 0, 0, 0)\nend R = axis(1, 2, 3, 1.5)\nrun 0..2\n",
                         0);
  check_all(&x, 1, 1e-10);
  for (int i = 0; i < pawl_bvp_count(x.bvp); i++) {
    pawl_bvp_solution s = pawl_bvp_get(x.bvp, i);
    const double *w = s.u_start; /* at the identity body and space agree */
    CHECK_NEAR(s.action, 2 * w[0] * w[0] + 3 * w[1] * w[1] + 4 * w[2] * w[2], 1e-8);
  }
  forget(&x);
}

/* ---- switches ---- */

/* A spring with play b: free flight to the edge, half a period of the spring, and back. With speed
 * v: T = (2 b - q0 - q1)/v + pi/w. */
static void spring_with_play(void) {
  const double pi = acos(-1), w = 10, b = 0.1, q1 = 0.05, T = 1;
  problem x = solve_most("coordinates x\nkinetic T = 1/2*x'^2\n"
                         "spring s: stretch x, stiffness 100, play -0.1..0.1\n"
                         "start x = 0\nend x = 0.05\nrun 0..1\n",
                         0);
  double v = (2 * b - q1) / (T - pi / w);
  CHECK_INT(count_starts(&x, &v, 1, 1e-9), 1);
  check_all(&x, 2, 1e-10);
  forget(&x);
  check_model("coordinates x\nkinetic T = 1/2*x'^2\n"
              "force x: -100*max(abs(x) - 0.1, 0)*sign(x)\n"
              "start x = 0\nend x = 0.05\nrun 0..1\n",
              0, 2);
}

static void preload_and_graph(void) {
  check_model("coordinates x\nkinetic T = 1/2*x'^2\n"
              "spring s: stretch x, stiffness 100, play -0.1..0.1, preload 2\n"
              "start x = 0\nend x = 0.05\nrun 0..0.5\n",
              0, 2);
  check_model("coordinates x\nkinetic T = 1/2*x'^2\n"
              "law l: stretch x, graph (-1, -3) (-0.5, -0.5) (0.5, 0.5) (1, 3)\n"
              "start x = 0.2\nend x = -0.1\nrun 0..3\n",
              0, 2);
}

/* Lies, and is lifted where its load changes: the instant is that of the switch. */
static void lifted_at_a_switch(void) {
  check_model("coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\n"
              "force y: if(t < 1, -10, 4)\nconstraint floor: y >= 0, restitution 0\n"
              "start x = 0, y = 0.8\nend x = 3, y = 0.5\nrun 0..1.5\n",
              1, 2);
}

/* ---- impacts ---- */

/* A wall that moves, x = 0.1 sin 3t: straight lines with u+ = -u- + 0.6 cos 3t at the instant. */
static void moving_wall(void) {
  problem x = solve_most("coordinates x\nkinetic T = 1/2*x'^2\n"
                         "constraint wall: x >= 0.1*sin(3*t), restitution 1\n"
                         "start x = 1\nend x = 0.7\nrun 0..2\n",
                         1);
  check_all(&x, 2, 1e-11);
  pawl_bvp_solution s = pawl_bvp_get(x.bvp, 1);
  if (CHECK_INT(s.bounces, 1)) {
    double t = s.times[0];
    CHECK_NEAR(1 + s.u_start[0] * t, 0.1 * sin(3 * t), 1e-11);
    CHECK_NEAR(s.u_end[0], -s.u_start[0] + 0.6 * cos(3 * t), 1e-11);
  }
  forget(&x);
}

/* Two walls at one instant, a wall that a pendulum on a rod meets, a body that turns. */
static void impacts_of_all_kinds(void) {
  check_model("coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\n"
              "constraint left: x >= 0, restitution 1\n"
              "constraint low: y >= 0, restitution 1\n"
              "start x = 0.5, y = 0.5\nend x = 0.7, y = 0.7\nrun 0..1\n",
              2, 4);
  check_model("coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\npotential V = y\n"
              "constraint rod: x^2 + y^2 = 1\nconstraint wall: x >= -0.3, restitution 1\n"
              "start x = sin(0.5), y = -cos(0.5)\nend x = sin(0.2), y = -cos(0.2)\nrun 0..1\n",
              3, 4);
}

/* ---- friction ---- */

/* A block slides and stops on the way, or is stuck to a belt until its spring pulls it off. */
static void stops_and_sticks(void) {
  problem x = solve_most("coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\npotential V = 10*y\n"
                         "constraint floor: y >= 0, restitution 0\n"
                         "friction f: slip x', mu 0.1 on floor\n"
                         "start x = 0, y = 0\nend x = 1, y = 0\nrun 0..3\n",
                         0);
  check_all(&x, 1, 1e-10);
  bool found = false;
  for (int i = 0; i < pawl_bvp_count(x.bvp); i++) {
    pawl_bvp_solution s = pawl_bvp_get(x.bvp, i);
    found = found ||
            (fabs(s.u_start[0] - sqrt(2)) < 1e-9 && fabs(s.direct.action - sqrt(2) / 3) < 1e-9);
  }
  CHECK(found);
  forget(&x);
  check_model("coordinates x\nkinetic T = 1/2*x'^2\npotential V = 2*x^2\n"
              "friction f: slip x' - 0.2, bound 0.5, static 0.7\n"
              "start x = 0\nend x = 0.1\nrun 0..1.5\n",
              0, 1);
}

/* ---- what is told ---- */

/* What is left out says why. */
static void what_is_not_solved(void) {
  problem x = solve_most("coordinates x, y, z\nkinetic T = 1/2*(x'^2 + y'^2 + z'^2)\n"
                         "friction f: slip (x', y'), bound 0.1\n"
                         "start x = 0, y = 0, z = 0\nend x = 1, y = 0, z = 0\nrun 0..1\n",
                         0);
  CHECK(pawl_bvp_count(x.bvp) > 0);
  for (int i = 0; i < pawl_bvp_count(x.bvp); i++) {
    pawl_bvp_solution s = pawl_bvp_get(x.bvp, i);
    CHECK_INT(s.direct.solved, 0);
    CHECK_INT(s.direct.agrees, 0);
    CHECK_STR(s.direct.why, "a slip in the plane");
    CHECK(isnan(s.defect) && isnan(s.direct.error) && isnan(s.direct.action));
  }
  forget(&x);
}

/* A trial that is off by a thousandth is not what the direct method comes to, and it says so. */
static void disagreement(void) {
  problem x = solve_most("coordinates q\nkinetic T = 1/2*q'^2\npotential V = 1/2*q^2\n"
                         "start q = 0.2\nend q = 0.5\nrun 0..1\n",
                         0);
  pawl_bvp_direct d;
  double u = pawl_bvp_get(x.bvp, 0).u_start[0], off = u * 1.001;
  CHECK_INT(pw_direct(&x.bvp->shoot, &u, PW_REFINE, &d, NULL), PAWL_OK);
  CHECK(d.solved && d.agrees && d.defect < 1e-11);
  CHECK_INT(pw_direct(&x.bvp->shoot, &off, PW_REFINE, &d, NULL), PAWL_OK);
  CHECK(d.solved && !d.agrees && d.error < 1e-10);
  CHECK(d.defect > 1e-4 && d.defect < 1e-2);
  forget(&x);
}

CHECK_MAIN({"order_of_an_oscillator", order_of_an_oscillator},
           {"order_with_an_impact", order_with_an_impact}, {"double_pendulum", double_pendulum},
           {"redundant_rows", redundant_rows}, {"great_circle", great_circle},
           {"reorientation", reorientation}, {"reorientation_of_a_top", reorientation_of_a_top},
           {"spring_with_play", spring_with_play}, {"preload_and_graph", preload_and_graph},
           {"lifted_at_a_switch", lifted_at_a_switch}, {"moving_wall", moving_wall},
           {"impacts_of_all_kinds", impacts_of_all_kinds}, {"stops_and_sticks", stops_and_sticks},
           {"what_is_not_solved", what_is_not_solved}, {"disagreement", disagreement})
