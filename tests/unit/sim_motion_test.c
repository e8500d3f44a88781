// SPDX-License-Identifier: MIT
/* Motions against closed forms: accuracy, energy, constraints, units, and that the steps do not
 * depend on the points asked for. */
#include "sim/sim_state.h"
#include "sim_support.h"

static const double pi = 3.14159265358979323846;

static const char oscillator[] = "coordinates x\nkinetic T = 1/2*x'^2\npotential V = 1/2*x^2\n"
                                 "start x = 1, x' = 0\nrun 0..20\n";

static void oscillator_follows_cosine(void) {
  static const double tols[] = {1e-5, 1e-7, 1e-9, 1e-11, 1e-13};
  for (int i = 0; i < 5; i++) {
    fixture f = make(oscillator, tols[i]);
    for (int k = 1; k <= 40; k++) {
      double t = k * 0.49;
      CHECK(advance(&f, t) == PAWL_AT_TARGET);
      pawl_point p = point(&f);
      CHECK(p.t == t);
      CHECK_NEAR(p.q[0], cos(t), 60 * tols[i] + 2e-14);
      CHECK_NEAR(p.u[0], -sin(t), 60 * tols[i] + 2e-14);
      CHECK_NEAR(p.a[0], -p.q[0], 1e-15);
    }
    CHECK(advance(&f, 20) == PAWL_AT_END);
    CHECK(advance(&f, 20) == PAWL_AT_END);
    CHECK(pawl_sim_statistics(f.sim).method ==
          (tols[i] <= 1e-6 ? PAWL_METHOD_DOP853 : PAWL_METHOD_DP5));
    CHECK_NEAR(energy(&f).action, -sin(40.0) / 4, 100 * tols[i] + 1e-13);
    unmake(&f);
  }
}

/* Period 4 K(sin(a/2)) sqrt(l/g) = 2 pi sqrt(l/g) / agm(1, cos(a/2)) */
static double pendulum_period(double amplitude) {
  double a = 1, b = cos(amplitude / 2);
  for (int i = 0; i < 8; i++) {
    double c = sqrt(a * b);
    a = (a + b) / 2;
    b = c;
  }
  return 2 * pi / sqrt(9.81) / a;
}

static void pendulum_has_the_elliptic_period(void) {
  static const char text[] = "coordinates a\nkinetic T = 1/2*a'^2\npotential V = -9.81*cos(a)\n"
                             "start a = 2.5, a' = 0\nevent down: a = 0, falling\nrun 0..20\n";
  double period = pendulum_period(2.5), first = 0;
  fixture f = make(text, 1e-9);
  for (int k = 0; advance(&f, 20) == PAWL_AT_EVENT; k++) {
    double t = point(&f).t;
    first = k == 0 ? t : first;
    CHECK_NEAR(first, period / 4, 2e-9);
    CHECK_NEAR(t - first, k * period, 1e-7);
  }
  CHECK(first > 0);
  unmake(&f);
}

static const char double_pendulum[] =
    "coordinates a, b\n"
    "kinetic T = a'^2 + 1/2*b'^2 + a'*b'*cos(a - b)\n"
    "potential V = -2*9.81*cos(a) - 9.81*cos(b)\nstart a = 2, b = 2.5, a' = 0, b' = 0\n"
    "run 0..100\n";

/* It is chaotic: starts that differ by 1e-7 drift by 0.7e-8 to 2e-8 of the scale. */
static void double_pendulum_keeps_its_energy(void) {
  fixture f = make(double_pendulum, 0);
  finish(&f);
  pawl_energy e = energy(&f);
  CHECK(e.scale > 50);
  CHECK(fabs(e.unexplained) < 3e-8 * e.scale);
  CHECK_NEAR(e.kinetic + e.potential - e.start, e.unexplained, 1e-12);
  unmake(&f);
}

static const char rod[] =
    "coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\npotential V = 9.81*y\n"
    "constraint rod: x^2 + y^2 = 1\nstart x = 1, y = 0, x' = 0, y' = 0\nrun 0..30\n";

static void constraints_do_not_drift(void) {
  for (int k = 0; k < 2; k++) {
    fixture f = make(rod, k == 0 ? 1e-7 : 1e-12);
    for (int i = 1; i < 300; i++) {
      CHECK(advance(&f, 0.1 * i) == PAWL_AT_TARGET);
      pawl_point p = point(&f);
      CHECK_NEAR(p.q[0] * p.q[0] + p.q[1] * p.q[1], 1, 2e-15);
      CHECK_NEAR(p.q[0] * p.u[0] + p.q[1] * p.u[1], 0, 4e-15);
      /* 2 lambda r = force along the rod: centripetal and weight */
      CHECK_NEAR(2 * p.force[0], -3 * 9.81 * -p.q[1], k == 0 ? 1e-3 : 1e-8);
    }
    CHECK(fabs(energy(&f).unexplained) < (k == 0 ? 1e-4 : 1e-9));
    unmake(&f);
  }
}

/* The same motion as without constraint, to the order of the method. */
static void projection_keeps_the_order(void) {
  fixture f = make(rod, 1e-10);
  fixture g = make("coordinates a\nkinetic T = 1/2*a'^2\npotential V = 9.81*sin(a)\n"
                   "start a = 0, a' = 0\nrun 0..30\n",
                   1e-13);
  for (int i = 1; i < 50; i++) {
    CHECK(advance(&f, 0.2 * i) == PAWL_AT_TARGET && advance(&g, 0.2 * i) == PAWL_AT_TARGET);
    CHECK_NEAR(point(&f).q[0], cos(point(&g).q[0]), 2e-8);
  }
  unmake(&f);
  unmake(&g);
}

/* Lengths by 1000, masses by 0.01, time by 60: the same steps, the same motion. */
static void units_do_not_matter(void) {
  static const char one[] = "coordinates x, y\nkinetic T = 1/2*(x'^2 + 2*y'^2)\n"
                            "potential V = 1/2*x^2 + 1/4*(x - y)^4 + 0.3*y^2\n"
                            "start x = 1, y = 0, x' = 0, y' = 0.5\nrun 0..30\n";
  static const char two[] =
      "parameter L = 1000, M = 0.01, S = 60\ncoordinates x, y\n"
      "kinetic T = M/2*(x'^2 + 2*y'^2)\n"
      "potential V = M*L^2/S^2*(1/2*(x/L)^2 + 1/4*(x/L - y/L)^4 + 0.3*(y/L)^2)\n"
      "start x = 1000, y = 0, x' = 0, y' = 0.5*1000/60\nrun 0..1800\n";
  fixture f = make(one, 1e-9), g = make(two, 1e-9);
  finish(&f);
  finish(&g);
  pawl_sim_stats a = pawl_sim_statistics(f.sim), b = pawl_sim_statistics(g.sim);
  CHECK(labs(a.steps - b.steps) <= 1);
  CHECK_NEAR(point(&f).q[0], point(&g).q[0] / 1000, 1e-8);
  CHECK_NEAR(point(&f).q[1], point(&g).q[1] / 1000, 1e-8);
  unmake(&f);
  unmake(&g);
}

/* Whatever points are asked for, the end is the same to the last bit. */
static void steps_do_not_depend_on_targets(void) {
  for (int k = 0; k < 2; k++) {
    double tol = k == 0 ? 1e-8 : 1e-12;
    fixture f = make(rod, tol), g = make(rod, tol);
    finish(&f);
    for (int i = 1; i <= 1000; i++) {
      CHECK(advance(&g, 0.0299 * i) == PAWL_AT_TARGET);
      (void)point(&g);
    }
    finish(&g);
    pawl_point p = point(&f), q = point(&g);
    CHECK(memcmp(p.q, q.q, 2 * sizeof(double)) == 0 && memcmp(p.u, q.u, 2 * sizeof(double)) == 0);
    CHECK_INT(pawl_sim_statistics(f.sim).steps, pawl_sim_statistics(g.sim).steps);
    unmake(&f);
    unmake(&g);
  }
}

/* Forces that cancel up to rounding must not make the steps small. */
static void rest_is_no_trouble(void) {
  fixture f = make("coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\n"
                   "let d(a, b) = sqrt((x - a)^2 + (y - b)^2)\n"
                   "potential V = (d(1, 0.3) - 0.1)^2 + (d(-0.759807621135332, 0.716025403784439)"
                   " - 0.1)^2 + (d(-0.240192378864668, -1.01602540378444) - 0.1)^2\n"
                   "start x = 0, y = 0, x' = 0, y' = 0\nrun 0..1000\n",
                   1e-9);
  finish(&f);
  CHECK(pawl_sim_statistics(f.sim).steps < 20000);
  CHECK_NEAR(point(&f).q[0], 0, 1e-12);
  unmake(&f);
  fixture g = make("coordinates x[1..9]\nkinetic T = sum(i in 1..9: 1/2*x[i]'^2)\n"
                   "potential V = sum(i in 1..8: 1/2*(x[i] - x[i + 1])^2)\n"
                   "start x[1] = 1, x[i in 2..9] = 0\nrun 0..10\n",
                   1e-9);
  finish(&g);
  CHECK(pawl_sim_statistics(g.sim).steps < 2000);
  CHECK(fabs(energy(&g).unexplained) < 1e-8);
  unmake(&g);
}

static void a_free_body_turns(void) {
  fixture f =
      make("body b: mass 1, inertia (1, 2, 3)\nstart b.w = (0.1, 2, 0.05)\nrun 0..50\n", 1e-10);
  double before = energy(&f).kinetic;
  finish(&f);
  const double *q = point(&f).q;
  CHECK_NEAR(q[3] * q[3] + q[4] * q[4] + q[5] * q[5] + q[6] * q[6], 1, 1e-15);
  CHECK_NEAR(energy(&f).kinetic, before, 1e-7);
  unmake(&f);
}

static void work_of_time_is_in_the_ledger(void) {
  fixture f = make("coordinates x\nkinetic T = 1/2*(x' + cos(t))^2\npotential V = 1/2*x^2*(2 + "
                   "sin(3*t))\ndissipation D = 0.05*x'^2\nforce x: 0.3*cos(2*t)\n"
                   "start x = 1, x' = 0\nrun 1..20\n",
                   1e-10);
  CHECK_NEAR(energy(&f).unexplained, 0, 0);
  finish(&f);
  pawl_energy e = energy(&f);
  CHECK_NEAR(e.unexplained, 0, 1e-7 * e.scale);
  CHECK(e.lost > 0.01);
  unmake(&f);
}

static void wrong_options_are_refused(void) {
  static const pawl_sim_opts bad[] = {
      {.use_span = 1, .from = 1, .to = 1},
      {.use_span = 1, .from = 5, .to = 1},
      {.use_span = 1, .from = 0, .to = NAN},
      {.use_span = 1, .from = 0, .to = HUGE_VAL},
      {.tol = NAN},
      {.tol = 1e-15},
      {.tol = 0.1},
      {.tol = -1e-9},
      {.max_step = -1},
      {.max_steps = -1},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    fixture f = make_with(oscillator, &bad[i]);
    CHECK(f.status == PAWL_E_ARGUMENT && f.sim == NULL);
    CHECK_STR(last_code(&f), "E0420");
    unmake(&f);
  }
  fixture f = make(oscillator, 0);
  pawl_stop why;
  CHECK(pawl_sim_advance(f.sim, NAN, f.diags, &why) == PAWL_E_ARGUMENT);
  CHECK(advance(&f, 3) == PAWL_AT_TARGET);
  CHECK(pawl_sim_advance(f.sim, 2, f.diags, &why) == PAWL_E_ARGUMENT);
  CHECK(advance(&f, 3) == PAWL_AT_TARGET);
  unmake(&f);
}

static void failures_name_the_culprit(void) {
  /* x' = v falls into 1/x: the motion ends at the pole at t = pi/(2 sqrt 2). */
  fixture f = make("coordinates x\nkinetic T = 1/2*x'^2\npotential V = -1/x\n"
                   "start x = 1, x' = 0\nrun 0..5\n",
                   0);
  pawl_stop why;
  CHECK(pawl_sim_advance(f.sim, 5, f.diags, &why) == PAWL_E_STEP);
  CHECK_NEAR(point(&f).t, pi / sqrt(8.0), 1e-6);
  CHECK(pawl_sim_advance(f.sim, 5, f.diags, &why) == PAWL_E_STEP);
  CHECK(pawl_diags_errors(f.diags) == 1);
  unmake(&f);
  fixture g = make_with(oscillator, &(pawl_sim_opts){.max_steps = 20});
  CHECK(pawl_sim_advance(g.sim, 20, g.diags, &why) == PAWL_E_STEPS);
  CHECK_STR(last_code(&g), "E0513");
  CHECK(point(&g).t > 0 && point(&g).t < 20);
  unmake(&g);
}

static void another_span_and_start(void) {
  fixture f = make_with(oscillator, &(pawl_sim_opts){.use_span = 1, .from = -3, .to = 7});
  CHECK(point(&f).t == -3);
  finish(&f);
  CHECK_NEAR(point(&f).q[0], cos(10.0), 1e-7);
  CHECK(point(&f).t == 7);
  double q = 0.5, u = 1;
  CHECK(pawl_sim_start(f.sim, 2, &q, &u, f.diags) == PAWL_OK);
  CHECK(point(&f).t == 2 && point(&f).q[0] == 0.5 && point(&f).u[0] == 1);
  finish(&f);
  CHECK_NEAR(point(&f).q[0], 0.5 * cos(5.0) + sin(5.0), 1e-7);
  CHECK(pawl_sim_start(f.sim, 8, &q, &u, f.diags) == PAWL_E_ARGUMENT);
  unmake(&f);
}

/* z' = 0 for ever by balance of weight and rod: it must not drive the steps. */
static void conical_pendulum_takes_long_steps(void) {
  fixture f = make("parameter g = 9.81, r = 0.6, k = 0.8\ncoordinates x, y, z\n"
                   "kinetic T = 1/2*(x'^2 + y'^2 + z'^2)\npotential V = g*z\n"
                   "constraint rod: x^2 + y^2 + z^2 = 1\n"
                   "start x = r, z = -k, y' = r*sqrt(g/k)\nrun 0..10\n",
                   1e-9);
  pawl_stop why;
  pawl_point p;
  CHECK(pawl_sim_advance(f.sim, 10, f.diags, &why) == PAWL_OK);
  CHECK(pawl_sim_point(f.sim, PAWL_AFTER, &p) == PAWL_OK);
  CHECK_NEAR(p.q[0], 0.6 * cos(10 * sqrt(9.81 / 0.8)), 1e-7);
  CHECK_NEAR(p.q[2], -0.8, 1e-9);
  CHECK(pawl_sim_statistics(f.sim).steps < 2000);
  unmake(&f);
}

/* Appell and Hamel's particle comes to rest, and its constraint has no gradient there. The motion
 * ends a little before, where it still has one: 1e-6 to 1e-4 of the last step. */
static void a_flat_constraint_ends_the_motion(void) {
  static const char text[] =
      "coordinates x, y, z\nkinetic T = 1/2*(x'^2 + y'^2 + z'^2)\npotential V = 9.81*z\n"
      "constraint cone: z'^2 = 0.25*(x'^2 + y'^2)\n"
      "start x' = 1.2, y' = 1.6, z' = 1\nrun 0..1\n";
  fixture f = make(text, 1e-10);
  pawl_stop why;
  CHECK(pawl_sim_advance(f.sim, 1, f.diags, &why) == PAWL_E_NO_MOTION);
  const pw_stepper *s = &f.sim->stepper;
  double flat = f.sim->contacts.halt.flat_time;
  CHECK_NEAR(flat, 2 / 3.924, 1e-8);
  double left = (flat - s->t) / (flat - s->rk.t);
  CHECK(left > 1e-6 && left < 1e-4);
  unmake(&f);
}

CHECK_MAIN({"conical_pendulum_takes_long_steps", conical_pendulum_takes_long_steps},
           {"oscillator_follows_cosine", oscillator_follows_cosine},
           {"pendulum_has_the_elliptic_period", pendulum_has_the_elliptic_period},
           {"double_pendulum_keeps_its_energy", double_pendulum_keeps_its_energy},
           {"constraints_do_not_drift", constraints_do_not_drift},
           {"projection_keeps_the_order", projection_keeps_the_order},
           {"units_do_not_matter", units_do_not_matter},
           {"steps_do_not_depend_on_targets", steps_do_not_depend_on_targets},
           {"rest_is_no_trouble", rest_is_no_trouble}, {"a_free_body_turns", a_free_body_turns},
           {"work_of_time_is_in_the_ledger", work_of_time_is_in_the_ledger},
           {"wrong_options_are_refused", wrong_options_are_refused},
           {"failures_name_the_culprit", failures_name_the_culprit},
           {"another_span_and_start", another_span_and_start},
           {"a_flat_constraint_ends_the_motion", a_flat_constraint_ends_the_motion})
