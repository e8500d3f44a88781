// SPDX-License-Identifier: MIT
/* Implicit steps: derivatives against differences, order of the steps, stiff problems with known
 * solutions, and the choice of them on the way. */
#include "sim/radau.h"

#include <math.h>
#include <string.h>

#include "check.h"
#include "mech/handle.h"
#include "pawl/pawl.h"

static pawl_run *run_of(const char *text, const pawl_run_opts *opts) {
  pawl_model *model = NULL;
  pawl_run *r = NULL;
  CHECK(pawl_model_parse(text, strlen(text), NULL, NULL, &model) == PAWL_OK);
  CHECK(pawl_run_new(model, opts, NULL, &r) == PAWL_OK);
  CHECK(pawl_run_go(r, NULL) == PAWL_OK);
  CHECK_INT(pawl_run_result_get(r).failed, 0);
  pawl_model_free(model);
  return r;
}

/* Statistics of a run whose expectations hold. */
static pawl_sim_stats run(const char *text, pawl_method method) {
  pawl_run *r = run_of(text, &(pawl_run_opts){.sim = {.method = method}, .use_method = 1});
  pawl_sim_stats s = pawl_run_result_get(r).stats;
  pawl_run_free(r);
  return s;
}

/* The largest error of a position at the end of steps of one length. */
static double error_of(const char *text, double h, double exact) {
  pawl_run_opts o = {.sim = {.method = PAWL_METHOD_RADAU, .tol = 1e-2, .max_step = h},
                     .use_method = 1};
  pawl_run *r = run_of(text, &o);
  pawl_point p;
  CHECK(pawl_sim_point(pawl_run_sim(r), PAWL_AFTER, &p) == PAWL_OK);
  double error = fabs(p.q[0] - exact);
  pawl_run_free(r);
  return error;
}

static void steps_are_of_order_five(void) {
  static const char spring[] = "coordinates x\nkinetic T = 1/2*x'^2\npotential V = 1/2*x^2\n"
                               "start x = 1\nrun 0..4, every 4\n";
  double coarse = error_of(spring, 1.0 / 4, cos(4)), fine = error_of(spring, 1.0 / 8, cos(4));
  CHECK_NEAR(log2(coarse / fine), 5, 0.2);

  /* x' = -x^2 as x'' = 2 x^3, with a force that depends on velocities too */
  static const char bent[] = "coordinates x\nkinetic T = 1/2*x'^2\nforce x: x^3 - x*x'\n"
                             "start x = 1, x' = -1\nrun 0..2, every 2\n";
  coarse = error_of(bent, 1.0 / 16, 1.0 / 3);
  fine = error_of(bent, 1.0 / 32, 1.0 / 3);
  CHECK_NEAR(log2(coarse / fine), 5, 0.4);
}

/* ---- derivatives ---- */

enum { MOST = 16 };

static void slopes_agree(const char *text) {
  pawl_model *model = NULL;
  pawl_system *system = NULL;
  CHECK(pawl_model_parse(text, strlen(text), NULL, NULL, &model) == PAWL_OK);
  CHECK(pawl_system_new(model, NULL, NULL, &system) == PAWL_OK);
  const pw_system *sys = system->sys;
  int nq = sys->nq, n = nq + sys->nv;
  CHECK(n <= MOST);
  pw_mech *m = NULL;
  CHECK(pw_mech_new(sys, &m) == PAWL_OK);
  double y[MOST], column[MOST], f[2][MOST], memory[4096];
  CHECK(pw_series_doubles(sys, 1) <= 4096);
  pw_series series;
  pw_series_init(&series, sys, 1, memory);
  memcpy(y, system->start.q, (size_t)nq * sizeof *y);
  memcpy(y + nq, system->start.u, (size_t)sys->nv * sizeof *y);
  for (int j = 0; j < n; j++) {
    CHECK(pw_mech_vary_at(m, 0, y, y + nq, system->start.side, &series) == PAWL_OK);
    pw_mech_slope(m, j, &series, column);
    for (int side = 0; side < 2; side++) {
      double h = 1e-5, keep = y[j];
      y[j] += side == 0 ? -h : h;
      CHECK(pw_mech_rates(m, 0, y, y + nq, system->start.side) == PAWL_OK);
      y[j] = keep;
      memcpy(f[side], m->q_rate, (size_t)nq * sizeof *y);
      memcpy(f[side] + nq, m->a, (size_t)sys->nv * sizeof *y);
    }
    for (int i = 0; i < n; i++) {
      double difference = (f[1][i] - f[0][i]) / 2e-5;
      CHECK_NEAR(column[i], difference, 1e-6 * (1 + fabs(difference)));
    }
  }
  pw_mech_free(m);
  pawl_system_free(system);
  pawl_model_free(model);
}

static void derivatives_are_exact(void) {
  slopes_agree("coordinates x, y, p\nkinetic T = 1/2*(1 + y^2)*x'^2 + y'^2 + cos(p)*x'*p' + p'^2\n"
               "potential V = x^2*y + sin(p)\ndissipation D = 1/2*(x' - p')^2\n"
               "start x = 0.3, y = -0.2, p = 0.7, x' = 1, y' = 0.4, p' = -0.3\nrun 0..1\n");
  slopes_agree("coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\npotential V = 9.81*y\n"
               "constraint rod: x^2 + y^2 = 1\nstart x = 0.6, y = -0.8, x' = 0.8, y' = 0.6\n"
               "run 0..1\n");
  slopes_agree("coordinates x, y, th\nkinetic T = 1/2*(x'^2 + y'^2) + 1/2*th'^2\n"
               "constraint blade: y'*cos(th) - x'*sin(th) = 0, viscous 20\n"
               "start x' = 1, y' = 0.2, th = 0.4, th' = 0.5\nrun 0..1\n");
  slopes_agree("coordinates x\nkinetic T = 1/2*x'^2\nstate z' = x - z^2\nforce x: 2*z\n"
               "start x = 1, z = 0.5\nrun 0..1\n");
}

/* ---- stiff problems ---- */

/* Test Set for IVP Solvers: van der Pol's equation with mu = 1000. */
static void van_der_pol(void) {
  static const char text[] = "coordinates x\nkinetic T = 1/2*x'^2\npotential V = 1/2*x^2\n"
                             "force x: 1000*(1 - x^2)*x'\nstart x = 2\nrun 0..2000, every 2000\n"
                             "expect x = 1.706167732170469 +- 1e-6\n"
                             "expect x' = -8.928097010248125e-4 +- 1e-8\n";
  pawl_sim_stats forced = run(text, PAWL_METHOD_RADAU), open = run(text, PAWL_METHOD_AUTO);
  CHECK(forced.method == PAWL_METHOD_RADAU && forced.steps_radau == forced.steps);
  CHECK(open.steps_radau > 500); /* explicit steps would be some millions */
  CHECK(open.steps < 10000);
  CHECK_INT(open.steps_dp5 + open.steps_dop853 + open.steps_radau, open.steps);
}

/* Robertson's reactions as states without inertia; the value at t = 40 as usually quoted. */
static void robertson(void) {
  static const char text[] = "coordinates x\nkinetic T = 1/2*x'^2\nstart x = 0\n"
                             "state a' = -0.04*a + 1e4*b*c\nstate b' = 0.04*a - 1e4*b*c - 3e7*b^2\n"
                             "state c' = 3e7*b^2\nstart a = 1, b = 0, c = 0\nrun 0..40, every 40\n"
                             "expect a = 0.7158270688 +- 1e-8\nexpect b = 9.185534765e-6 +- 1e-12\n"
                             "expect a + b + c = 1 +- 1e-12\n";
  CHECK(run(text, PAWL_METHOD_RADAU).steps < 2000);
  pawl_sim_stats open = run(text, PAWL_METHOD_AUTO);
  CHECK(open.steps_radau > 0);
  CHECK(open.steps < 5000); /* explicit: 36,000 */
}

/* A light mass that follows a slow one: x/2 but for parts of 1e-6. */
static void light_node(void) {
  static const char text[] = "coordinates x, n\nkinetic T = 1/2*x'^2 + 1/2*1e-6*n'^2\n"
                             "potential V = 1/2*1e6*n^2 + 1/2*1e6*(x - n)^2\n"
                             "dissipation D = 1/2*10*n'^2\nstart x = 0.01, n = 0.005\n"
                             "run 0..0.1, every 0.1\n"
                             "expect abs(n - x/2) = 0 +- 1e-4\n";
  pawl_sim_stats s = run(text, PAWL_METHOD_AUTO);
  CHECK(s.method == PAWL_METHOD_RADAU);
  CHECK(s.steps < 20000);
}

/* v = -g/N after its layer: the force is -g to eight digits, the energy lost is g^2 t / N. */
static void viscous_limit(void) {
  static const char text[] = "coordinates x\nkinetic T = 1/2*x'^2\nforce x: -10\n"
                             "constraint slide: x' >= 0, viscous 1e8\nstart x = 0\n"
                             "run 0..5, every 5\nexpect x = -5e-7 +- 1e-14\n"
                             "expect force(slide) = 10 +- 1e-6\nexpect x' = -1e-7 +- 1e-15\n";
  CHECK(run(text, PAWL_METHOD_RADAU).steps < 600);
  CHECK(run(text, PAWL_METHOD_AUTO).steps < 400);
}

/* Events, impacts and friction meet implicit steps as explicit ones. */
static void laws_are_met(void) {
  run("coordinates y\nkinetic T = 1/2*y'^2\npotential V = 10*y\n"
      "constraint floor: y >= 0, restitution 0.5\nstart y = 1.25\nrun 0..2, every 2\n"
      "expect y = 0 +- 1e-12\n",
      PAWL_METHOD_RADAU);
  run("coordinates x\nkinetic T = 1/2*x'^2\nfriction rub: slip x', bound 2\nstart x' = 3\n"
      "run 0..4, every 4\nexpect x = 9/4 +- 1e-12\n",
      PAWL_METHOD_RADAU);
  run("coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\npotential V = 9.81*y\n"
      "constraint rod: x^2 + y^2 = 1\nstart x = 1, y = 0\nevent low: x = 0\n"
      "run 0..5, every 5\nexpect x^2 + y^2 = 1 +- 1e-13\nexpect energy.total = 0 +- 1e-8\n",
      PAWL_METHOD_RADAU);
}

/* A slip in the plane has no direction where it comes to rest, and a step that ends there has a
 * stage without one. It stops after v/(mu g) and v^2/(2 mu g); with two coefficients along an
 * axis with its own; a bar that turns on two feet stops with both at once. */
static void slips_come_to_rest(void) {
  run("coordinates x, y, z\nkinetic T = 1/2*(x'^2 + y'^2 + z'^2)\npotential V = 10*z\n"
      "constraint floor: z >= 0, restitution 0\nfriction rub: slip (x', y'), mu 0.3 on floor\n"
      "start x' = 1.8, y' = 2.4\nrun 0..2, every 2\nexpect x = 0.9 +- 1e-9\n"
      "expect y = 1.2 +- 1e-9\nexpect t = 1 +- 1e-9 at stick 1 of rub\n",
      PAWL_METHOD_RADAU);
  run("coordinates x, y, z\nkinetic T = 1/2*(x'^2 + y'^2 + z'^2)\npotential V = 10*z\n"
      "constraint floor: z >= 0, restitution 0\n"
      "friction rub: slip (x', y'), mu (0.2, 0.4) on floor\n"
      "start x' = 3, y' = 0\nrun 0..2, every 2\nexpect x = 9/4 +- 1e-9\n"
      "expect t = 1.5 +- 1e-9 at stick 1 of rub\n",
      PAWL_METHOD_RADAU);
  run("coordinates x, y, th\nkinetic T = 1/2*(x'^2 + y'^2 + th'^2)\n"
      "friction a: slip (x', y' + th'), bound 1\nfriction b: slip (x', y' - th'), bound 1\n"
      "start th' = 3\nrun 0..2, every 2\nexpect th = 9/4 +- 1e-9\nexpect th' = 0 +- 1e-12\n",
      PAWL_METHOD_RADAU);
}

/* Nothing moves and nothing pulls at the start: the first motion is that of the servo alone. */
static void servo_begins_at_rest(void) {
  run("coordinates x, y\nkinetic T = 1/2*x'^2 + 1/2*y'^2\nservo hold: y = 1 - cos(2*t), by y\n"
      "start x = 0\nrun 0..2, every 2, tol 1e-11\nexpect y = 1 - cos(4) +- 1e-9\n"
      "expect force(hold) = 4*cos(4) +- 1e-7\n",
      PAWL_METHOD_RADAU);
}

/* Loads that balance leave accelerations of rounding: two masses on springs lie still. */
static void balanced_loads_rest(void) {
  pawl_sim_stats s = run(
      "coordinates y, z\nkinetic T = 20*y'^2 + 250*z'^2\n"
      "potential V = 9.81*(40*y + 500*z) + 1e5*y^2 + 1e4*(z - y)^2\n"
      "dissipation D = 750*(z' - y')^2\nlet a = -540*9.81/2e5\nstart y = a, z = a - 500*9.81/2e4\n"
      "run 0..3, every 3\nexpect y = a +- 1e-12\nexpect z = a - 500*9.81/2e4 +- 1e-12\n",
      PAWL_METHOD_RADAU);
  CHECK(s.steps < 1000);
}

/* Steps that stability does not limit stay explicit, and implicit ones are left again. */
static void choice_comes_back(void) {
  pw_choice c = {.open = true, .worth = 5};
  pw_choice_begin(&c, 1e-9);
  for (int i = 0; i < 24 && c.pair != PW_PAIR_IMPLICIT; i++) {
    c.now = c.pair;
    (void)pw_choice_note(&c, 0.5, 0.9);
  }
  CHECK(c.pair == PW_PAIR_IMPLICIT);
  for (int i = 0; i < 200; i++) {
    c.now = c.pair;
    CHECK_NEAR(pw_choice_note(&c, 0.5, 100), 1, 0);
  }
  CHECK(c.pair == PW_PAIR_IMPLICIT);
  double factor = 1;
  for (int i = 0; i < 64 && c.pair == PW_PAIR_IMPLICIT; i++) {
    c.now = c.pair;
    factor = pw_choice_note(&c, 0.5, 2);
  }
  CHECK(c.pair == PW_PAIR_LOW);
  CHECK_NEAR(factor, 0.5, 0);
}

CHECK_MAIN({"steps_are_of_order_five", steps_are_of_order_five},
           {"derivatives_are_exact", derivatives_are_exact}, {"van_der_pol", van_der_pol},
           {"robertson", robertson}, {"light_node", light_node}, {"viscous_limit", viscous_limit},
           {"laws_are_met", laws_are_met}, {"slips_come_to_rest", slips_come_to_rest},
           {"servo_begins_at_rest", servo_begins_at_rest},
           {"balanced_loads_rest", balanced_loads_rest}, {"choice_comes_back", choice_comes_back})
