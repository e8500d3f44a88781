// SPDX-License-Identifier: MIT
/* Equilibria against closed forms: points, sticking sets, stability, steady motions. */
#include "static/cone_min.h"
#include "static_support.h"

typedef struct list {
  pawl_diags *diags;
  pawl_model *model;
  pawl_system *system;
  pawl_equilibria *e;
  pawl_status status;
} list;

static list find(const char *text, const pawl_override *overrides, int n) {
  list x = {0};
  pawl_system_opts opts = {.overrides = overrides, .n_override = n};
  CHECK(pawl_diags_new(&x.diags) == PAWL_OK);
  x.status = pawl_model_parse(text, strlen(text), NULL, x.diags, &x.model);
  if (CHECK(x.status == PAWL_OK)) {
    x.status = pawl_system_new(x.model, &opts, x.diags, &x.system);
  }
  if (CHECK(x.status == PAWL_OK)) {
    x.status = pawl_equilibria_new(x.system, NULL, x.diags, &x.e);
  }
  return x;
}

static void drop(list *x) {
  pawl_equilibria_free(x->e);
  pawl_system_free(x->system);
  pawl_model_free(x->model);
  pawl_diags_free(x->diags);
}

/* The one whose first positions are these; -1: none. */
static int at(const list *x, double q0, double q1) {
  for (int i = 0; i < pawl_equilibria_count(x->e); i++) {
    pawl_equilibrium e = pawl_equilibrium_get(x->e, i);
    bool second = isnan(q1) || fabs(e.q[1] - q1) < 1e-8;
    if (fabs(e.q[0] - q0) < 1e-8 && second) {
      return i;
    }
  }
  return -1;
}

static pawl_stability stable(const list *x, int i) {
  return pawl_equilibrium_get(x->e, i).stable;
}

/* ---- one coordinate ---- */

static const char block[] = "parameter m = 1, k = 100, F = 3, x0 = 0.5, P = 0\n"
                            "coordinates x\n"
                            "kinetic T = 1/2*m*x'^2\n"
                            "potential V = 1/2*k*x^2\n"
                            "force x: P\n"
                            "friction rub: slip x', bound F\n"
                            "start x = x0\n";

static void block_on_a_spring(void) {
  static const char *const pull[] = {"0", "1", "-40"};
  for (int k = 0; k < 3; k++) {
    pawl_override o = {"P", pull[k]};
    list x = find(block, &o, 1);
    double P = atof(pull[k]);
    CHECK_INT(pawl_equilibria_count(x.e), 1);
    pawl_interval r = pawl_equilibrium_range(x.e, 0, 0);
    CHECK_NEAR(r.lo, (P - 3) / 100, 1e-13);
    CHECK_NEAR(r.hi, (P + 3) / 100, 1e-13);
    CHECK_INT(stable(&x, 0), PAWL_STABLE_YES);
    drop(&x);
  }
}

static void static_bound_counts(void) {
  list x = find("parameter k = 10, Fs = 3, Fk = 2\ncoordinates x\nkinetic T = 1/2*x'^2\n"
                "potential V = 1/2*k*x^2\nfriction rub: slip x', bound Fk, static Fs\n"
                "start x = 0.1\n",
                NULL, 0);
  CHECK_INT(pawl_equilibria_count(x.e), 1);
  CHECK_NEAR(pawl_equilibrium_range(x.e, 0, 0).hi, 0.3, 1e-12);
  CHECK_NEAR(pawl_equilibrium_range(x.e, 0, 0).lo, -0.3, 1e-12);
  drop(&x);
}

/* S2.9 with the data of S2.10. */
static const char stop[] = "parameter m = 1, k = 100, F0 = 10, c = 0.1, F = 5\n"
                           "coordinates x\n"
                           "kinetic T = 1/2*m*x'^2\n"
                           "spring s: stretch x, stiffness k, play -c..c, preload F0\n"
                           "force x: F\n"
                           "start x = 0.02\n";

static void prestressed_stop(void) {
  static const char *const pull[] = {"5", "9.999", "-7", "12"};
  static const double place[] = {0.1, 0.1, -0.1, 0.12};
  for (int k = 0; k < 4; k++) {
    pawl_override o = {"F", pull[k]};
    list x = find(stop, &o, 1);
    CHECK_INT(pawl_equilibria_count(x.e), 1);
    CHECK_NEAR(pawl_equilibrium_get(x.e, 0).q[0], place[k], 1e-12);
    CHECK_NEAR(pawl_equilibrium_force(x.e, 0, 0), -atof(pull[k]), 1e-9);
    CHECK_INT(stable(&x, 0), PAWL_STABLE_YES);
    CHECK_INT(pawl_equilibrium_get(x.e, 0).is_set, 0);
    drop(&x);
  }
  pawl_override none = {"F", "0"};
  list x = find(stop, &none, 1);
  CHECK_INT(pawl_equilibria_count(x.e), 1);
  CHECK_NEAR(pawl_equilibrium_range(x.e, 0, 0).lo, -0.1, 1e-10);
  CHECK_NEAR(pawl_equilibrium_range(x.e, 0, 0).hi, 0.1, 1e-10);
  drop(&x);
}

static void pendulum(void) {
  list x = find("parameter l = 0.7, g = 9.81\ncoordinates th\n"
                "kinetic T = 1/2*l^2*th'^2\npotential V = -g*l*cos(th)\nstart th = 40\n",
                NULL, 0);
  CHECK_INT(pawl_equilibria_count(x.e), 2);
  CHECK_INT(stable(&x, at(&x, 0, NAN)), PAWL_STABLE_YES);
  CHECK_INT(stable(&x, at(&x, 3.14159265358979, NAN)), PAWL_STABLE_NO);
  drop(&x);
}

static void double_well_against_a_wall(void) {
  list x = find("parameter a = 0.5, w = 0.3\ncoordinates x\nkinetic T = 1/2*x'^2\n"
                "potential V = (x^2 - a^2)^2\nconstraint wall: x <= w, restitution 0.5\n"
                "start x = 0.1\n",
                NULL, 0);
  CHECK_INT(pawl_equilibria_count(x.e), 3);
  CHECK_INT(stable(&x, at(&x, -0.5, NAN)), PAWL_STABLE_YES);
  CHECK_INT(stable(&x, at(&x, 0, NAN)), PAWL_STABLE_NO);
  int i = at(&x, 0.3, NAN);
  CHECK_INT(stable(&x, i), PAWL_STABLE_YES);
  CHECK_NEAR(pawl_equilibrium_force(x.e, i, 0), 4 * 0.3 * (0.25 - 0.09), 1e-12);
  drop(&x);
}

static void inverted_pendulum_with_stops(void) {
  list x = find("parameter l = 0.5, g = 9.81, a = 0.4\ncoordinates th\n"
                "kinetic T = 1/2*l^2*th'^2\npotential V = g*l*cos(th)\n"
                "constraint left: th >= -a, restitution 0.5\n"
                "constraint right: th <= a, restitution 0.5\nstart th = 0.1\n",
                NULL, 0);
  CHECK_INT(pawl_equilibria_count(x.e), 3);
  CHECK_INT(stable(&x, at(&x, -0.4, NAN)), PAWL_STABLE_YES);
  CHECK_INT(stable(&x, at(&x, 0, NAN)), PAWL_STABLE_NO);
  CHECK_NEAR(pawl_equilibrium_force(x.e, at(&x, 0.4, NAN), 1), 9.81 * 0.5 * sin(0.4), 1e-12);
  drop(&x);
}

/* Falling friction drives: the balance on the belt is unstable, with a rising one it is stable. */
static void balance_on_a_belt(void) {
  static const char *const model =
      "parameter k = 10, v0 = 0.2, Fs = 3, Fk = 2, vs = 0.1\ncoordinates x\n"
      "kinetic T = 1/2*x'^2\npotential V = 1/2*k*x^2\n"
      "friction belt: slip x' - v0, bound Fk + (Fs - Fk)*exp(-abs(slip)/vs)\nstart x = 0\n";
  pawl_override rising = {"Fs", "1"};
  list x = find(model, NULL, 0), y = find(model, &rising, 1);
  CHECK_INT(pawl_equilibria_count(x.e), 1);
  CHECK_NEAR(pawl_equilibrium_get(x.e, 0).q[0], (2 + exp(-2)) / 10, 1e-12);
  CHECK_INT(stable(&x, 0), PAWL_STABLE_NO);
  CHECK_NEAR(pawl_equilibrium_get(y.e, 0).q[0], (2 - exp(-2)) / 10, 1e-12);
  CHECK_INT(stable(&y, 0), PAWL_STABLE_YES);
  drop(&x);
  drop(&y);
}

/* A flat bottom that only friction of nothing holds is a point, not an interval. */
static void quartic_is_a_point(void) {
  list x = find("coordinates x\nkinetic T = 1/2*x'^2\npotential V = x^4\nstart x = 1\n", NULL, 0);
  CHECK_INT(pawl_equilibria_count(x.e), 1);
  CHECK_INT(pawl_equilibrium_get(x.e, 0).is_set, 0);
  drop(&x);
}

/* ---- several coordinates ---- */

static void incline(void) {
  static const char model[] = "parameter g = 9.81, al = 0.3, mu = 0.4\ncoordinates x, y\n"
                              "kinetic T = 1/2*(x'^2 + y'^2)\n"
                              "potential V = g*(y*cos(al) - x*sin(al))\n"
                              "constraint floor: y >= 0, restitution 0\n"
                              "friction rub: slip x', mu mu on floor\nstart x = 0, y = 0\n";
  pawl_override smooth = {"mu", "0.3"}; /* tan(0.3) = 0.3093 */
  list x = find(model, NULL, 0), y = find(model, &smooth, 1);
  CHECK_INT(pawl_equilibria_count(x.e), 1);
  CHECK(isinf(pawl_equilibrium_range(x.e, 0, 0).lo) && isinf(pawl_equilibrium_range(x.e, 0, 0).hi));
  CHECK_NEAR(pawl_equilibrium_force(x.e, 0, 0), 9.81 * cos(0.3), 1e-10);
  CHECK_NEAR(pawl_equilibrium_force(x.e, 0, 1), -9.81 * sin(0.3), 1e-10);
  CHECK_INT(stable(&x, 0), PAWL_STABLE_YES);
  CHECK_INT(pawl_equilibria_count(y.e), 0);
  drop(&x);
  drop(&y);
}

/* Known: tan th >= (1 - muf muw) / (2 muf). */
static void ladder(void) {
  list x = find("parameter m = 3, g = 9.81, muf = 0.5, muw = 0.3\ncoordinates x, y, th\n"
                "kinetic T = 1/2*m*(x'^2 + y'^2) + 1/6*m*th'^2\npotential V = m*g*y\n"
                "constraint floor: y - sin(th) >= 0, restitution 0\n"
                "constraint wall: x - cos(th) >= 0, restitution 0\n"
                "friction ff: slip (x + cos(th))', mu muf on floor\n"
                "friction fw: slip (y + sin(th))', mu muw on wall\n"
                "start x = cos(1.3), y = sin(1.3), th = 1.3\n",
                NULL, 0);
  int i = at(&x, cos(1.3), sin(1.3));
  if (CHECK(i >= 0)) {
    pawl_interval th = pawl_equilibrium_range(x.e, i, 2);
    CHECK_NEAR(th.lo, atan(0.85), 1e-9);
    CHECK_NEAR(th.hi, 1.5707963267948966, 1e-6);
    CHECK_INT(stable(&x, i), PAWL_STABLE_UNDECIDED);
  }
  drop(&x);
}

static void sticking_disk(void) {
  list x = find("parameter k = 10, b = 3\ncoordinates x, y\nkinetic T = x'^2 + y'^2\n"
                "potential V = 1/2*k*(x^2 + 4*y^2)\nfriction rub: slip (x', y'), bound b\n"
                "start x = 2, y = 0\n",
                NULL, 0);
  CHECK_INT(pawl_equilibria_count(x.e), 1);
  CHECK_NEAR(pawl_equilibrium_range(x.e, 0, 0).hi, 0.3, 1e-9);
  CHECK_NEAR(pawl_equilibrium_range(x.e, 0, 1).lo, -0.075, 1e-9);
  CHECK_INT(stable(&x, 0), PAWL_STABLE_YES);
  drop(&x);
}

static void double_pendulum(void) {
  list x = find("coordinates a, b\nlet P = (sin(a), -cos(a))\n"
                "let Q = (sin(a) + sin(b), -cos(a) - cos(b))\n"
                "kinetic T = 1/2*dot(P', P') + 1/2*dot(Q', Q')\n"
                "potential V = 9.81*(P[2] + Q[2])\nstart a = 1, b = 0.5\n",
                NULL, 0);
  double pi = 3.14159265358979;
  CHECK_INT(pawl_equilibria_count(x.e), 4);
  CHECK_INT(stable(&x, at(&x, 0, 0)), PAWL_STABLE_YES);
  CHECK_INT(stable(&x, at(&x, pi, 0)), PAWL_STABLE_NO);
  CHECK_INT(stable(&x, at(&x, 0, pi)), PAWL_STABLE_NO);
  CHECK_INT(stable(&x, at(&x, pi, pi)), PAWL_STABLE_NO);
  drop(&x);
}

/* On a circle written as a constraint: the multiplier carries the weight. */
static void pendulum_with_multiplier(void) {
  list x = find("parameter m = 2, g = 9.81\ncoordinates x, y\nkinetic T = 1/2*m*(x'^2 + y'^2)\n"
                "potential V = m*g*y\nconstraint rod: x^2 + y^2 = 1\nstart x = 0.6, y = -0.8\n",
                NULL, 0);
  CHECK_INT(pawl_equilibria_count(x.e), 2);
  int low = at(&x, 0, -1), high = at(&x, 0, 1);
  CHECK_INT(stable(&x, low), PAWL_STABLE_YES);
  CHECK_INT(stable(&x, high), PAWL_STABLE_NO);
  CHECK_NEAR(pawl_equilibrium_force(x.e, low, 0), -9.81, 1e-9);
  drop(&x);
}

/* Ziegler's column: a follower force has no potential; the linearisation decides. */
static void follower_force(void) {
  static const char model[] =
      "parameter c = 1, d = 0.5, P = 1\ncoordinates a, b\n"
      "let A = (cos(a), sin(a))\nlet B = (cos(a) + cos(b), sin(a) + sin(b))\n"
      "kinetic T = dot(A', A') + 1/2*dot(B', B')\n"
      "potential V = 1/2*c*(a^2 + (b - a)^2)\n"
      "dissipation D = 1/2*d*(a'^2 + (b' - a')^2)\n"
      "force at B: (-P*cos(b), -P*sin(b))\nstart a = 0.01, b = 0\n";
  pawl_override high = {"P", "4"};
  list x = find(model, NULL, 0), y = find(model, &high, 1);
  CHECK_INT(stable(&x, at(&x, 0, 0)), PAWL_STABLE_YES);
  CHECK_INT(stable(&y, at(&y, 0, 0)), PAWL_STABLE_NO);
  drop(&x);
  drop(&y);
}

/* ---- steady motions ---- */

/* A circular orbit under the attraction r^-(a + 1) is stable for a < 2 (r = exp(s), the momentum
 * of ph stays); friction of the shape changes nothing, friction of ph does. */
static const char orbit[] = "parameter a = 1, w = 1, c = 0, d = 0\n"
                            "coordinates ph, s\n"
                            "kinetic T = 1/2*exp(2*s)*(s'^2 + ph'^2)\n"
                            "potential V = -w^2/a*exp(-a*s)\n"
                            "force s: -c*s'\n"
                            "force ph: d*(w - ph')\n"
                            "start s = 0, ph' = w\n";

static void circular_orbits(void) {
  static const struct {
    const char *a, *w, *c, *d;
    pawl_stability stable;
  } all[] = {
      {"0.5", "1", "0", "0", PAWL_STABLE_YES}, {"1", "3", "0", "0", PAWL_STABLE_YES},
      {"1.9", "1", "0", "0", PAWL_STABLE_YES}, {"2.1", "0.4", "0", "0", PAWL_STABLE_NO},
      {"3", "1", "0", "0", PAWL_STABLE_NO},    {"1", "1", "0.2", "0", PAWL_STABLE_YES},
      {"3", "1", "0.2", "0", PAWL_STABLE_NO},  {"1", "1", "0", "0.1", PAWL_STABLE_UNDECIDED}};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
    list x = find(
        orbit,
        (pawl_override[]){{"a", all[k].a}, {"w", all[k].w}, {"c", all[k].c}, {"d", all[k].d}}, 4);
    int found = 0;
    for (int i = 0; i < pawl_equilibria_count(x.e); i++) {
      pawl_equilibrium e = pawl_equilibrium_get(x.e, i);
      if (e.steady && fabs(e.q[1]) < 1e-8) {
        CHECK_INT((int)e.stable, (int)all[k].stable);
        found++;
      }
    }
    CHECK_INT(found, 1);
    drop(&x);
  }
}

static void turning_pendulum(void) {
  list x = find("parameter l = 0.5, g = 9.81\ncoordinates ph, th\n"
                "kinetic T = 1/2*l^2*(th'^2 + sin(th)^2*ph'^2)\npotential V = -g*l*cos(th)\n"
                "start ph = 0, th = 1, ph' = 8\n",
                NULL, 0);
  bool found = false;
  for (int i = 0; i < pawl_equilibria_count(x.e); i++) {
    pawl_equilibrium e = pawl_equilibrium_get(x.e, i);
    if (e.steady && fabs(e.q[1] - acos(9.81 / (0.5 * 64))) < 1e-10) {
      CHECK_NEAR(e.u[0], 8, 0);
      found = true;
    }
  }
  CHECK(found);
  drop(&x);
}

static void sliding_at_constant_speed(void) {
  list x = find("parameter F = 5, b = 3, c = 0.5\ncoordinates x\nkinetic T = 1/2*x'^2\n"
                "friction rub: slip x', bound b\ndissipation D = 1/2*c*x'^2\nforce x: F\n"
                "start x = 0\n",
                NULL, 0);
  CHECK_INT(pawl_equilibria_count(x.e), 1);
  CHECK_INT(pawl_equilibrium_get(x.e, 0).steady, 1);
  CHECK_NEAR(pawl_equilibrium_get(x.e, 0).u[0], 4, 1e-10);
  CHECK_NEAR(pawl_equilibrium_force(x.e, 0, 0), -3, 1e-10);
  drop(&x);
}

/* Friction holds a body turned by up to 0.005, and no further; without it there is a point. */
static void held_by_a_little_friction(void) {
  for (int rubs = 0; rubs < 2; rubs++) {
    char text[500];
    snprintf(text, sizeof text,
             "body b: mass 1, inertia (1, 1, 1)\nlet e = b.R*(1, 0, 0)\nlet f = b.R*(0, 0, 1)\n"
             "potential V = 5*(b.p[1]^2 + b.p[2]^2 + b.p[3]^2) - 10*e[1] - 10*f[3]\n%s"
             "start b.R = axis(0, 0, 1, 0.001)\nrun 0..1\n",
             rubs ? "friction rub: slip b.w[3], bound 0.05\n" : "");
    list x = find(text, NULL, 0);
    int upright = 0;
    for (int i = 0; i < pawl_equilibria_count(x.e); i++) {
      pawl_equilibrium e = pawl_equilibrium_get(x.e, i);
      if (fabs(e.q[3]) > 0.99) {
        upright++;
        CHECK_INT(e.is_set, rubs);
      }
    }
    CHECK(upright > 0);
    drop(&x);
  }
}

/* ---- parts ---- */

static void forms(void) {
  pw_arena arena;
  jmp_buf failed;
  pw_arena_init(&arena, 0);
  arena.on_fail = &failed;
  if (setjmp(failed) == 0) {
    /* x y > 0 inside the quadrant, 0 on its border; negative elsewhere */
    const double mixed[] = {0, 1, 1, 0}, quadrant[] = {1, 0, 0, 1};
    const double lifted[] = {0.1, 1, 1, 0.1}, saddle[] = {1, -2, -2, 1};
    CHECK_INT(pw_cone_form(&arena, mixed, 2, quadrant, 0), PW_FORM_NEGATIVE);
    CHECK_INT(pw_cone_form(&arena, mixed, 2, quadrant, 2), PW_FORM_BORDER);
    CHECK_INT(pw_cone_form(&arena, lifted, 2, quadrant, 2), PW_FORM_POSITIVE);
    CHECK_INT(pw_cone_form(&arena, saddle, 2, quadrant, 2), PW_FORM_NEGATIVE);
    const double damped[] = {0, -1, 1, -0.2}, driven[] = {0, -1, 1, 0.2}, centre[] = {0, -1, 1, 0};
    CHECK_INT(pw_linear_form(&arena, damped, 2), PW_FORM_POSITIVE);
    CHECK_INT(pw_linear_form(&arena, driven, 2), PW_FORM_NEGATIVE);
    CHECK_INT(pw_linear_form(&arena, centre, 2), PW_FORM_BORDER);
  }
  pw_arena_free(&arena);
}

static void arguments(void) {
  pawl_equilibria *e = NULL;
  CHECK_INT(pawl_equilibria_new(NULL, NULL, NULL, &e), PAWL_E_ARGUMENT);
  list x = find("coordinates x\nkinetic T = 1/2*x'^2\nforce x: sin(t)\nstart x = 0\n", NULL, 0);
  CHECK_INT(x.status, PAWL_E_MODEL);
  CHECK_STR(pawl_diags_get(x.diags, pawl_diags_count(x.diags) - 1)->code, "E0703");
  pawl_equilibria_opts now = {.freeze = 1, .t = 0};
  CHECK_INT(pawl_equilibria_new(x.system, &now, x.diags, &x.e), PAWL_OK);
  CHECK_INT(pawl_equilibria_count(x.e), 1);
  CHECK(isnan(pawl_equilibrium_force(x.e, 7, 0)));
  drop(&x);
}

CHECK_MAIN({"block on a spring", block_on_a_spring}, {"static bound counts", static_bound_counts},
           {"prestressed stop", prestressed_stop}, {"pendulum", pendulum},
           {"double well against a wall", double_well_against_a_wall},
           {"inverted pendulum with stops", inverted_pendulum_with_stops},
           {"balance on a belt", balance_on_a_belt}, {"quartic is a point", quartic_is_a_point},
           {"incline", incline}, {"ladder", ladder}, {"sticking disk", sticking_disk},
           {"double pendulum", double_pendulum},
           {"pendulum with multiplier", pendulum_with_multiplier},
           {"follower force", follower_force}, {"circular orbits", circular_orbits},
           {"turning pendulum", turning_pendulum},
           {"sliding at constant speed", sliding_at_constant_speed},
           {"held by a little friction", held_by_a_little_friction}, {"forms", forms},
           {"arguments", arguments})
