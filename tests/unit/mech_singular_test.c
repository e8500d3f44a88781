// SPDX-License-Identifier: MIT
/* Positions where constraints lose rank: passed for an instant, nearly reached, at the end of a
 * run, all the time; and mechanisms that cannot move. */
#include "sim_support.h"

/* A parallelogram: two cranks and a coupler, which lie on one line twice per turn. %s: length of
 * the coupler, end. */
static const char cranks[] =
    "coordinates x1, y1, x2, y2\nkinetic T = 1/2*(x1'^2 + y1'^2 + x2'^2 + y2'^2)\n"
    "potential V = 9.81*(y1 + y2)\nconstraint a: x1^2 + y1^2 = 1\n"
    "constraint b: (x2 - 2)^2 + y2^2 = 1\n"
    "constraint c: (x2 - x1)^2 + (y2 - y1)^2 = (%s)^2\n"
    "start x1 ~ 0, y1 = -1, x2 ~ 2, y2 ~ -1, x1' = 8, y1' ~ 0, x2' ~ 8, y2' ~ 0\n"
    "event level: y1 = 0\nrun 0..%s\n";

static const double total = 64 - 2 * 9.81;

static fixture make_cranks(const char *coupler, const char *end, double tol) {
  char text[1000];
  snprintf(text, sizeof text, cranks, coupler, end);
  return make(text, tol);
}

static double energy_now(const fixture *f) {
  pawl_energy e = energy(f);
  return e.kinetic + e.potential;
}

/* One pendulum of mass 2 moves like the mechanism. */
static double crank_angle(double t, double tol) {
  fixture f = make("coordinates th\nkinetic T = th'^2\npotential V = -2*9.81*cos(th)\n"
                   "start th = 0, th' = 8\nrun 0..10\n",
                   tol);
  (void)advance(&f, t);
  double angle = point(&f).q[0];
  unmake(&f);
  return angle;
}

static void is_passed_at_every_tolerance(void) {
  const double tol[] = {1e-6, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12, 1e-13};
  double angle = crank_angle(10, 1e-13);
  for (size_t k = 0; k < sizeof tol / sizeof *tol; k++) {
    double allowed = fmax(2e4 * tol[k], 1e-8);
    fixture f = make_cranks("2", "10", tol[k]);
    int events = 0;
    while (advance(&f, HUGE_VAL) == PAWL_AT_EVENT) {
      CHECK_NEAR(energy_now(&f), total, allowed); /* at the position itself, too */
      events++;
    }
    CHECK(events == (int)floor(angle / 3.14159265358979 + 0.5));
    pawl_point p = point(&f);
    CHECK_NEAR(p.q[0], sin(angle), allowed);
    CHECK_NEAR(p.q[1], -cos(angle), allowed);
    CHECK_NEAR(p.q[2] - p.q[0], 2, 1e-9);
    CHECK_NEAR(p.q[3] - p.q[1], 0, 1e-9);
    CHECK(pawl_sim_statistics(f.sim).steps < 4000);
    unmake(&f);
  }
}

/* A coupler that is too short by little: the mechanism cannot pass and changes its branch. */
static void is_not_passed_if_only_near(void) {
  double x[2];
  for (int k = 0; k < 2; k++) {
    fixture f = make_cranks("2 - 1e-6", "3", k == 0 ? 1e-9 : 1e-12);
    double most = 0;
    for (double t = 0.05; t < 3; t += 0.05) {
      while (advance(&f, t) == PAWL_AT_EVENT) {
      }
      most = fmax(most, fabs(point(&f).q[2] - point(&f).q[0] - 2));
    }
    x[k] = point(&f).q[0];
    CHECK_NEAR(energy_now(&f), total, 1e-5);
    CHECK(most > 0.1);
    unmake(&f);
  }
  CHECK_NEAR(x[0], x[1], 1e-6);
}

/* The run ends at the position, or next to it. */
static void may_be_the_end(void) {
  fixture f = make_cranks("2", "10", 1e-12);
  (void)advance(&f, HUGE_VAL);
  double t = point(&f).t;
  unmake(&f);
  const double off[] = {-1e-2, -1e-4, -1e-9, 0, 1e-9, 1e-4, 1e-2};
  for (size_t k = 0; k < sizeof off / sizeof *off; k++) {
    char end[40];
    snprintf(end, sizeof end, "%.17g", t + off[k]);
    f = make_cranks("2", end, 1e-12);
    (void)finish(&f);
    pawl_point p = point(&f);
    CHECK_NEAR(p.t, t + off[k], 1e-14);
    CHECK_NEAR(energy_now(&f), total, 1e-9);
    CHECK_NEAR(p.q[2] - p.q[0], 2, 1e-9);
    unmake(&f);
  }
}

static void saved_runs_pass_alike(void) {
  for (double t = 0.1; t < 0.4; t += 0.02) {
    fixture f = make_cranks("2", "2", 1e-11), g = make_cranks("2", "2", 1e-11);
    (void)advance(&f, t);
    unsigned long size = pawl_sim_save_size(f.sim);
    void *memory = malloc(size);
    CHECK(pawl_sim_save(f.sim, memory, size) == PAWL_OK);
    CHECK(pawl_sim_restore(g.sim, memory, size) == PAWL_OK);
    for (double next = t + 0.01; next < 2; next += 0.01) {
      (void)advance(&f, next);
      (void)advance(&g, next);
      pawl_point a = point(&f), b = point(&g);
      CHECK(memcmp(a.q, b.q, 4 * sizeof *a.q) == 0 && memcmp(a.u, b.u, 4 * sizeof *a.u) == 0);
    }
    free(memory);
    unmake(&f);
    unmake(&g);
  }
}

static void small_steps_pass(void) {
  char text[1000];
  snprintf(text, sizeof text, cranks, "2", "2");
  fixture f = make_with(text, &(pawl_sim_opts){.tol = 1e-10, .max_step = 1e-3});
  (void)finish(&f);
  CHECK_NEAR(energy_now(&f), total, 1e-7);
  unmake(&f);
}

/* Units of length, mass and time change nothing: 1e6 and 1e-6 of them. */
static void does_not_depend_on_units(void) {
  static const char text[] =
      "parameter L = 1, M = 1, S = 1\ncoordinates x, y, s\n"
      "kinetic T = M/2*(x'^2 + y'^2 + s'^2)\npotential V = M*9.81*L/S^2*y\n"
      "constraint crank: x^2 + y^2 = L^2\nconstraint rod: (s - x)^2 + y^2 = L^2\n"
      "start x = L, y = 0, s = 2*L, x' = 0, y' = 8*L/S, s' = 0\nrun 0..3*S\n";
  const char *units[] = {"L = 1, M = 1, S = 1", "L = 1e6, M = 1e-6, S = 1e3",
                         "L = 1e-6, M = 1e6, S = 1e-3"};
  for (int k = 0; k < 3; k++) {
    char own[1000];
    snprintf(own, sizeof own, "parameter %s%s", units[k], strchr(text, '\n'));
    fixture f = make(own, 1e-11);
    (void)finish(&f);
    pawl_point p = point(&f);
    double L = hypot(p.q[0], p.q[1]);
    CHECK_NEAR((p.q[2] - 2 * p.q[0]) / L, 0, 1e-8);
    CHECK_NEAR(energy_now(&f) / energy(&f).start, 1, 1e-8);
    unmake(&f);
  }
}

/* The gradient is zero wherever the constraint holds. */
static void squared_constraint_is_reported(void) {
  static const char text[] = "coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\n"
                             "potential V = 9.81*y\nconstraint rod: (x^2 + y^2 - 1)^2 = 0\n"
                             "start x = 1, y = 0, x' = 0, y' = 0\nrun 0..10\n";
  fixture f = {0};
  CHECK(pawl_diags_new(&f.diags) == PAWL_OK);
  CHECK(pawl_model_parse(text, strlen(text), NULL, f.diags, &f.model) == PAWL_OK);
  CHECK(pawl_system_new(f.model, NULL, f.diags, &f.system) == PAWL_E_START);
  CHECK_STR(last_code(&f), "E0315");
  unmake(&f);
}

/* No freedom, redundant rows and a moment: nothing moves, and steps are long. */
static void table_rests(void) {
  const double tol[] = {1e-6, 1e-9, 1e-12};
  for (size_t k = 0; k < 3; k++) {
    fixture f = make("coordinates z, a, b\n"
                     "kinetic T = 1.7/2*z'^2 + 0.3/2*a'^2 + 0.9/2*b'^2 + 0.01*a'*b'\n"
                     "potential V = 1.7*9.81*z\nforce a: 2\n"
                     "constraint leg1: z + 0.7*sin(a) + 1.3*sin(b) = 0.1\n"
                     "constraint leg2: z + 0.7*sin(a) - 1.3*sin(b) = 0.1\n"
                     "constraint leg3: z - 0.7*sin(a) + 1.3*sin(b) = 0.1\n"
                     "constraint leg4: z - 0.7*sin(a) - 1.3*sin(b) = 0.1\n"
                     "start z = 0.1, a = 0, b = 0, z' = 0, a' = 0, b' = 0\nrun 0..100\n",
                     tol[k]);
    (void)finish(&f);
    pawl_point p = point(&f);
    CHECK_NEAR(p.q[0], 0.1, 1e-14);
    CHECK_NEAR(p.q[1], 0, 1e-14);
    CHECK_NEAR(p.force[0] + p.force[1] + p.force[2] + p.force[3], 1.7 * 9.81, 1e-10);
    CHECK_NEAR(0.7 * (p.force[0] + p.force[1] - p.force[2] - p.force[3]), -2, 1e-10);
    CHECK(pawl_sim_statistics(f.sim).steps < 200);
    unmake(&f);
  }
}

CHECK_MAIN({"is_passed_at_every_tolerance", is_passed_at_every_tolerance},
           {"is_not_passed_if_only_near", is_not_passed_if_only_near},
           {"may_be_the_end", may_be_the_end}, {"saved_runs_pass_alike", saved_runs_pass_alike},
           {"small_steps_pass", small_steps_pass},
           {"does_not_depend_on_units", does_not_depend_on_units},
           {"squared_constraint_is_reported", squared_constraint_is_reported},
           {"table_rests", table_rests})
