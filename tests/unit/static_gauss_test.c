// SPDX-License-Identifier: MIT
/* Accelerations after an instant, forces with their ranges, and the sets they come from, against
 * closed forms. */
#include "static_support.h"

/* S2.1: M = [[2, 1], [1, 2]] in a corner. */
static const char corner[] = "parameter p = -3, r = 1\n"
                             "coordinates x, y\n"
                             "kinetic T = x'^2 + x'*y' + y'^2\n"
                             "force x: p\n"
                             "force y: r\n"
                             "constraint wall: x >= 0, restitution 0\n"
                             "constraint floor: y >= 0, restitution 0\n"
                             "start x = 0, y = 0, x' = 0, y' = 0\n";

static void least_constraint(void) {
  instant x = look_at(corner, NULL, 0);
  CHECK_INT(count(&x, PAWL_RIGHT), 1);
  CHECK_NEAR(accel(&x, PAWL_RIGHT, 0, 0), 0, 1e-12);
  CHECK_NEAR(accel(&x, PAWL_RIGHT, 0, 1), 0.5, 1e-12);
  CHECK_NEAR(force(&x, 0, 0), 3.5, 1e-12);
  CHECK_NEAR(force(&x, 0, 1), 0, 1e-12);
  /* a - a_free = (7/3, -7/6): 1/2 (d, M d) = 49/12 */
  CHECK_NEAR(pawl_gauss_measure(x.gauss, PAWL_RIGHT, 0), 49.0 / 12, 1e-12);
  check_chain(&x);
  check_principles(&x);
  forget(&x);
}

static void pressed_into_the_corner(void) {
  instant x = look_at(corner, (pawl_override[]){{"r", "-3"}}, 1);
  CHECK_NEAR(accel(&x, PAWL_RIGHT, 0, 0), 0, 1e-12);
  CHECK_NEAR(accel(&x, PAWL_RIGHT, 0, 1), 0, 1e-12);
  CHECK_NEAR(force(&x, 0, 0), 3, 1e-12);
  CHECK_NEAR(force(&x, 0, 1), 3, 1e-12);
  CHECK_INT(pawl_gauss_size(x.gauss, 0, PAWL_DISPLACEMENT), 2);
  CHECK_INT(pawl_gauss_size(x.gauss, 0, PAWL_ACCELERATION), 2);
  check_chain(&x);
  forget(&x);
}

/* S2.7: q = 0, u = (1, 0): quadrant, half plane, and with a_2 > 0 the whole plane. */
static void cones_shrink(void) {
  instant x = look_at(corner, (pawl_override[]){{"x'", "1"}}, 1);
  CHECK_NEAR(accel(&x, PAWL_RIGHT, 0, 0), -7.0 / 3, 1e-12);
  CHECK_NEAR(accel(&x, PAWL_RIGHT, 0, 1), 5.0 / 3, 1e-12);
  CHECK_NEAR(force(&x, 0, 0), 0, 0);
  CHECK_NEAR(pawl_gauss_measure(x.gauss, PAWL_RIGHT, 0), 0, 1e-15);
  CHECK_INT(pawl_gauss_size(x.gauss, 0, PAWL_DISPLACEMENT), 2);
  CHECK_INT(pawl_gauss_size(x.gauss, 0, PAWL_VELOCITY), 1);
  CHECK_INT(pawl_gauss_size(x.gauss, 0, PAWL_ACCELERATION), 0);
  pawl_interval wall = pawl_gauss_set(x.gauss, 0, 0, PAWL_VELOCITY);
  CHECK(wall.lo == 0 && wall.hi == 0);
  pawl_interval floor = pawl_gauss_set(x.gauss, 0, 1, PAWL_VELOCITY);
  CHECK(floor.lo == 0 && isinf(floor.hi));
  check_chain(&x);
  check_principles(&x);
  forget(&x);
  /* without forces a = 0: the half plane remains */
  x = look_at(corner, (pawl_override[]){{"x'", "1"}, {"p", "0"}, {"r", "0"}}, 3);
  CHECK_INT(pawl_gauss_size(x.gauss, 0, PAWL_DISPLACEMENT), 2);
  CHECK_INT(pawl_gauss_size(x.gauss, 0, PAWL_VELOCITY), 1);
  CHECK_INT(pawl_gauss_size(x.gauss, 0, PAWL_ACCELERATION), 1);
  check_chain(&x);
  forget(&x);
}

/* S2.8: no laws: nothing is left over; a bilateral one: all sets are equal. */
static void equalities(void) {
  instant x = look_at("coordinates x, y\n"
                      "kinetic T = 1/2*(x'^2 + y'^2)\n"
                      "potential V = 9.81*y + x^2*y\n"
                      "constraint rod: x^2 + y^2 = 4\n"
                      "start x = 2, y = 0, x' = 0, y' = 1.5\n",
                      NULL, 0);
  for (int level = 0; level < 3; level++) {
    pawl_interval set = pawl_gauss_set(x.gauss, 0, 0, (pawl_level)level);
    CHECK(set.lo == -INFINITY && set.hi == INFINITY);
    CHECK_NEAR(pawl_gauss_principle(x.gauss, (pawl_level)level), 0, 1e-12);
  }
  CHECK_NEAR(accel(&x, PAWL_RIGHT, 0, 0), -1.5 * 1.5 / 2, 1e-12);
  CHECK_NEAR(accel(&x, PAWL_RIGHT, 0, 1), -13.81, 1e-12);
  CHECK_NEAR(accel(&x, PAWL_LEFT, 0, 0), -1.5 * 1.5 / 2, 1e-12);
  CHECK_INT(count(&x, PAWL_LEFT), 1);
  forget(&x);
  x = look_at("coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\npotential V = x^3*y\n"
              "start x = 2, y = 1, x' = 3, y' = 1.5\n",
              NULL, 0);
  CHECK_NEAR(pawl_gauss_principle(x.gauss, PAWL_DISPLACEMENT), 0, 1e-12);
  CHECK_NEAR(accel(&x, PAWL_RIGHT, 0, 0), -12, 1e-12);
  forget(&x);
}

/* S2.3, with the jump at the impact left to the run. */
static const char ball[] = "parameter m = 1, g = 9.81\n"
                           "coordinates y\n"
                           "kinetic T = 1/2*m*y'^2\n"
                           "potential V = m*g*y\n"
                           "constraint floor: y >= 0, restitution 1\n"
                           "start y = 0, y' = 0\n";

static void ball_on_the_floor(void) {
  instant x = look_at(ball, NULL, 0);
  CHECK_NEAR(accel(&x, PAWL_RIGHT, 0, 0), 0, 1e-12);
  CHECK_NEAR(force(&x, 0, 0), 9.81, 1e-12);
  forget(&x);
  x = look_at(ball, (pawl_override[]){{"y'", "3"}}, 1); /* leaves: a+ = -g, came by an impact */
  CHECK_NEAR(accel(&x, PAWL_RIGHT, 0, 0), -9.81, 1e-12);
  CHECK_INT(pawl_gauss_get(x.gauss, PAWL_LEFT).why, PAWL_GAUSS_IMPACT);
  CHECK_INT(count(&x, PAWL_LEFT), 0);
  check_chain(&x);
  forget(&x);
  x = look_at(ball, (pawl_override[]){{"y'", "-3"}}, 1); /* arrives: S2.6, a- = -g, unique */
  CHECK_INT(pawl_gauss_get(x.gauss, PAWL_RIGHT).why, PAWL_GAUSS_IMPACT);
  CHECK_INT(pawl_gauss_get(x.gauss, PAWL_RIGHT).law, 0);
  CHECK(isnan(pawl_gauss_set(x.gauss, 0, 0, PAWL_VELOCITY).lo));
  CHECK_INT(count(&x, PAWL_LEFT), 1);
  CHECK_NEAR(accel(&x, PAWL_LEFT, 0, 0), -9.81, 1e-12);
  forget(&x);
  x = look_at(ball, (pawl_override[]){{"y", "-1"}}, 1);
  CHECK_INT(x.status, PAWL_E_START);
  CHECK_STR(pawl_diags_get(x.diags, 0)->code, "E0701");
  forget(&x);
}

/* L.7: z, a, b; legs (1, 1), (1, -1), (-1, 1), (-1, -1) with the sum of forces fixed. The forces
 * are p + s (1, -1, -1, 1), so the ranges follow from the smallest of the signs. */
static const char table[] = "parameter k = 1\n"
                            "coordinates z, a, b\n"
                            "kinetic T = z'^2 + 0.25*a'^2 + 0.35*b'^2\n"
                            "potential V = 19.62*z - 0.3*a + 0.2*b\n"
                            "constraint leg1: z + a + b >= 0, restitution 0\n"
                            "constraint leg2: k*(z + a - b) >= 0, restitution 0\n"
                            "constraint leg3: z - a + b >= 0, restitution 0\n"
                            "constraint leg4: z - a - b >= 0, restitution 0\n"
                            "start z = 0, a = 0, b = 0, z' = 0, a' = 0, b' = 0\n";

static void table_on_four_legs(void) {
  const double least[] = {4.88, 4.78, 5.03, 4.93}, largest[] = {9.66, 9.66, 9.91, 9.71};
  const double smallest[] = {0, 0, 0.25, 0.05};
  for (int k = 1; k <= 10; k += 9) {
    instant x = look_at(table, (pawl_override[]){{"k", k == 1 ? "1" : "10"}}, 1);
    CHECK_INT(count(&x, PAWL_RIGHT), 1);
    CHECK_NEAR(accel(&x, PAWL_RIGHT, 0, 0), 0, 1e-12);
    for (int i = 0; i < 4; i++) {
      double unit = i == 1 ? k : 1;
      pawl_gauss_force f = pawl_gauss_force_get(x.gauss, PAWL_RIGHT, 0, i);
      CHECK(!f.unique && !f.outer);
      CHECK_NEAR(f.force * unit, least[i], 1e-9);
      CHECK_NEAR(f.least * unit, smallest[i], 1e-9);
      CHECK_NEAR(f.largest * unit, largest[i], 1e-9);
    }
    CHECK_INT(pawl_gauss_size(x.gauss, 0, PAWL_ACCELERATION), 3);
    check_principles(&x);
    check_chain(&x);
    forget(&x);
  }
}

/* A ladder between floor and wall: with the friction T at the wall the floor carries W - T and the
 * wall (W/2 - T) cot(th), so |T| <= mu P bounds all four; the least forces have the largest T. */
static const char ladder[] = "parameter m = 12, l = 2, g = 9.81, muf = 0.9, muw = 0.3, th0 = 1.1\n"
                             "coordinates x, y, th\n"
                             "kinetic T = 1/2*m*(x'^2 + y'^2) + 1/6*m*l^2*th'^2\n"
                             "potential V = m*g*y\n"
                             "constraint floor: y - l*sin(th) >= 0, restitution 0\n"
                             "constraint wall: x - l*cos(th) >= 0, restitution 0\n"
                             "friction foot: slip (x + l*cos(th))', mu muf on floor\n"
                             "friction top: slip (y + l*sin(th))', mu muw on wall\n"
                             "start x = l*cos(th0), y = l*sin(th0), th = th0\n";

static void ladder_leans(void) {
  const char *const angle[] = {"0.8", "1.1", "1.4"};
  for (int k = 0; k < 3; k++) {
    instant x = look_at(ladder, (pawl_override[]){{"th0", angle[k]}}, 1);
    double W = 12 * 9.81, c = 1 / tan(strtod(angle[k], NULL)), mu = 0.3;
    double top[] = {-mu * W * c / 2 / (1 - mu * c), mu * W * c / 2 / (1 + mu * c)};
    double wall[] = {(W / 2 - top[1]) * c, (W / 2 - top[0]) * c};
    const double least[] = {W - top[1], wall[0], -wall[1], top[0]};
    const double largest[] = {W - top[0], wall[1], -wall[0], top[1]};
    const double smallest[] = {W - top[1], wall[0], -wall[0], top[1]};
    for (int i = 0; i < 4; i++) {
      pawl_gauss_force f = pawl_gauss_force_get(x.gauss, PAWL_RIGHT, 0, i);
      CHECK(!f.unique && !f.outer);
      CHECK_NEAR(f.force, smallest[i], 1e-9 * W);
      CHECK_NEAR(f.least, least[i], 1e-9 * W);
      CHECK_NEAR(f.largest, largest[i], 1e-9 * W);
    }
    check_principles(&x);
    forget(&x);
  }
}

/* A box on two feet, pushed: the normal forces are unique, the friction is shared. The smaller foot
 * carries half of the push, or what it can. */
static const char box[] = "parameter push = 1, mu = 0.5\n"
                          "coordinates x, y, th\n"
                          "kinetic T = x'^2 + y'^2 + th'^2\n"
                          "potential V = 20*y + 5*th - push*x\n"
                          "constraint left: y - th >= 0, restitution 0\n"
                          "constraint right: y + th >= 0, restitution 0\n"
                          "friction rubl: slip x', mu mu on left\n"
                          "friction rubr: slip x', mu mu on right\n"
                          "start x = 0, y = 0, th = 0\n";

static void box_on_two_feet(void) {
  const double push[] = {1, 6, 9.5};
  const char *const text[] = {"1", "6", "9.5"};
  for (int k = 0; k < 3; k++) {
    instant x = look_at(box, (pawl_override[]){{"push", text[k]}}, 1);
    CHECK_NEAR(force(&x, 0, 0), 7.5, 1e-9);
    CHECK_NEAR(force(&x, 0, 1), 12.5, 1e-9);
    CHECK_NEAR(force(&x, 0, 2), -fmin(push[k] / 2, 3.75), 1e-9);
    CHECK_NEAR(force(&x, 0, 3), -push[k] + fmin(push[k] / 2, 3.75), 1e-9);
    pawl_gauss_force f = pawl_gauss_force_get(x.gauss, PAWL_RIGHT, 0, 2);
    CHECK(!f.unique && !f.outer);
    CHECK_NEAR(f.least, -3.75, 1e-9);
    CHECK_NEAR(f.largest, fmin(3.75, 6.25 - push[k]), 1e-9);
    forget(&x);
  }
}

/* C8: Painleve's rod. */
static const char rod[] = "parameter mu = 5/3, g = 10, ph0 = 30, w0 = 0\n"
                          "coordinates x, y, ph\n"
                          "kinetic T = 1/2*(x'^2 + y'^2) + 1/6*ph'^2\n"
                          "potential V = g*y\n"
                          "constraint floor: y - sin(ph) >= 0, restitution 0\n"
                          "friction rub: slip x' - sin(ph)*ph', mu mu on floor\n"
                          "start x = 0, y = sin(ph0*pi/180), ph = ph0*pi/180, ph' = w0,\n"
                          "      y' = cos(ph0*pi/180)*w0, x' = 30\n";

static void painleve(void) {
  static const struct {
    const char *ph, *w;
    int count;
    double normal; /* of the last solution */
  } known[] = {{"30", "0", 1, 9.21712937780612},
               {"44", "0", 1, 185.62457399989},
               {"50", "0", 0, 0},
               {"50", "2", 0, 0},
               {"60", "3", 0, 0},
               {"50", "4", 2, 10.142902440307},
               {"60", "4", 2, 9.291123822371},
               {"80", "1", 1, 38.29559083176},
               {"80", "4", 1, 0}};
  for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
    instant x = look_at(rod, (pawl_override[]){{"ph0", known[k].ph}, {"w0", known[k].w}}, 2);
    pawl_gauss_info info = pawl_gauss_get(x.gauss, PAWL_RIGHT);
    CHECK_INT(info.count, known[k].count);
    CHECK(info.complete);
    if (info.count == 0) {
      CHECK_INT(info.why, PAWL_GAUSS_NONE);
      CHECK_INT(info.law, 1);
      CHECK(isnan(pawl_gauss_principle(x.gauss, PAWL_ACCELERATION)));
    } else {
      double normal = force(&x, info.count - 1, 0);
      CHECK_NEAR(normal, known[k].normal, 1e-9 * (1 + known[k].normal));
      CHECK_NEAR(force(&x, info.count - 1, 1), -5.0 / 3 * normal, 1e-9);
      check_principles(&x);
      check_chain(&x);
    }
    if (info.count == 2) {
      CHECK_NEAR(force(&x, 0, 0), 0, 0);
      CHECK_NEAR(accel(&x, PAWL_RIGHT, 0, 1), -10, 1e-12);
    }
    forget(&x);
  }
}

/* Two bounds: between them a body at rest may stay or go. */
static void static_friction(void) {
  static const char text[] = "parameter F = 2.5\ncoordinates x\nkinetic T = 1/2*x'^2\nforce x: F\n"
                             "friction rub: slip x', bound 2, static 3\nstart x = 0, x' = 0\n";
  instant x = look_at(text, NULL, 0);
  CHECK_INT(count(&x, PAWL_RIGHT), 2);
  double low = fmin(accel(&x, PAWL_RIGHT, 0, 0), accel(&x, PAWL_RIGHT, 1, 0));
  double high = fmax(accel(&x, PAWL_RIGHT, 0, 0), accel(&x, PAWL_RIGHT, 1, 0));
  CHECK_NEAR(low, 0, 1e-12);
  CHECK_NEAR(high, 0.5, 1e-12);
  check_chain(&x);
  forget(&x);
  x = look_at(text, (pawl_override[]){{"F", "1.5"}}, 1);
  CHECK_INT(count(&x, PAWL_RIGHT), 1);
  CHECK_NEAR(accel(&x, PAWL_RIGHT, 0, 0), 0, 1e-12);
  forget(&x);
  x = look_at(text, (pawl_override[]){{"F", "-3.5"}}, 1);
  CHECK_INT(count(&x, PAWL_RIGHT), 1);
  CHECK_NEAR(accel(&x, PAWL_RIGHT, 0, 0), -1.5, 1e-12);
  forget(&x);
}

/* S2.9: a preloaded stop holds a body in its edge for |F| <= F0. */
static void preloaded_stop(void) {
  static const char text[] = "parameter F = 4\ncoordinates x\nkinetic T = 1/2*x'^2\nforce x: F\n"
                             "spring s: stretch x, preload 10, stiffness 100, play -0.1..0.1\n"
                             "start x = 0.1, x' = 0\n";
  const char *const push[] = {"0", "4", "10", "12", "-3"};
  const double a[] = {0, 0, 0, 2, -3}, f[] = {0, -4, -10, -10, 0};
  for (int k = 0; k < 5; k++) {
    instant x = look_at(text, (pawl_override[]){{"F", push[k]}}, 1);
    CHECK_NEAR(accel(&x, PAWL_RIGHT, 0, 0), a[k], 1e-12);
    CHECK_NEAR(force(&x, 0, 0), f[k], 1e-12);
    CHECK_INT(count(&x, PAWL_LEFT), 1); /* a potential of the position: unique */
    pawl_interval set = pawl_gauss_set(x.gauss, 0, 0, PAWL_DISPLACEMENT);
    CHECK_NEAR(set.lo, -10, 1e-12);
    CHECK_NEAR(set.hi, 0, 1e-12);
    check_chain(&x);
    check_principles(&x);
    forget(&x);
  }
}

static bool same(pawl_interval a, pawl_interval b) {
  return (a.lo == b.lo || fabs(a.lo - b.lo) <= 1e-12) &&
         (a.hi == b.hi || fabs(a.hi - b.hi) <= 1e-12);
}

/* S2.9, Glocker (6.3) and (6.4): without velocity the set of velocities is that of positions,
 * without acceleration the set of accelerations is that of velocities. */
static void sets_at_rest(void) {
  static const char text[] = "parameter F = 0, v = 0\ncoordinates x, y, z, w\n"
                             "kinetic T = 1/2*(x'^2 + y'^2 + z'^2 + w'^2)\n"
                             "force x: F\nforce y: F\nforce z: F\nforce w: F\n"
                             "spring s: stretch x, preload 10, stiffness 100, play -0.1..0.1\n"
                             "constraint wall: y >= 0, restitution 0\n"
                             "friction rub: slip z', bound 3\n"
                             "law stop: stretch w, graph (-1, -4)(0, -2)(0, 5)(1, 6)\n"
                             "start x = 0.1, y = 0, z = 0, w = 0, x' = v, y' = v, z' = v, w' = v\n";
  instant rest = look_at(text, NULL, 0), pushed = look_at(text, (pawl_override[]){{"F", "-20"}}, 1);
  instant moves = look_at(text, (pawl_override[]){{"v", "1"}}, 1);
  for (int law = 0; law < 4; law++) {
    pawl_interval V = pawl_gauss_set(rest.gauss, 0, law, PAWL_DISPLACEMENT);
    pawl_interval P = pawl_gauss_set(rest.gauss, 0, law, PAWL_VELOCITY);
    bool friction = law == 2; /* has no potential of positions */
    CHECK(V.hi > V.lo && (friction || same(V, P)));
    CHECK(same(P, pawl_gauss_set(rest.gauss, 0, law, PAWL_ACCELERATION)));
    CHECK_NEAR(accel(&rest, PAWL_RIGHT, 0, law), 0, 1e-12);
    pawl_interval less = pawl_gauss_set(moves.gauss, 0, law, PAWL_VELOCITY);
    CHECK_NEAR(less.lo, less.hi, 1e-12); /* moving: one force is left */
  }
  const double a[] = {-20, 0, -17, -18}; /* pushed: the wall holds, the others give way */
  for (int law = 0; law < 4; law++) {
    pawl_interval s = pawl_gauss_set(pushed.gauss, 0, law, PAWL_ACCELERATION);
    CHECK_NEAR(accel(&pushed, PAWL_RIGHT, 0, law), a[law], 1e-12);
    CHECK(law == 1 ? isinf(s.hi) : fabs(s.hi - s.lo) <= 1e-12);
  }
  forget(&rest);
  forget(&pushed);
  forget(&moves);
}

static void wrong_calls(void) {
  instant x = look_at(ball, NULL, 0);
  pawl_gauss *out;
  const double bad[] = {NAN};
  CHECK(pawl_gauss_new(NULL, NULL, x.diags, &out) == PAWL_E_ARGUMENT);
  CHECK(pawl_gauss_new(x.system, NULL, x.diags, NULL) == PAWL_E_ARGUMENT);
  pawl_gauss_opts opts = {.use_state = 1, .q = bad, .u = bad};
  CHECK(pawl_gauss_new(x.system, &opts, x.diags, &out) == PAWL_E_ARGUMENT);
  CHECK(out == NULL);
  CHECK(pawl_gauss_accelerations(x.gauss, PAWL_RIGHT, 1) == NULL);
  CHECK(pawl_gauss_accelerations(x.gauss, PAWL_RIGHT, -1) == NULL);
  CHECK(isnan(pawl_gauss_measure(x.gauss, PAWL_LEFT, 7)));
  CHECK(pawl_gauss_json(NULL, NULL, NULL) == PAWL_E_ARGUMENT);
  pawl_gauss_free(NULL);
  forget(&x);
}

CHECK_MAIN({"least constraint", least_constraint},
           {"pressed into the corner", pressed_into_the_corner}, {"cones shrink", cones_shrink},
           {"equalities", equalities}, {"ball on the floor", ball_on_the_floor},
           {"table on four legs", table_on_four_legs}, {"ladder leans", ladder_leans},
           {"box on two feet", box_on_two_feet}, {"painleve", painleve},
           {"static friction", static_friction}, {"preloaded stop", preloaded_stop},
           {"sets at rest", sets_at_rest}, {"wrong calls", wrong_calls})
