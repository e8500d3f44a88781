// SPDX-License-Identifier: MIT
/* Computed motions against the weak form of Lagrange and d'Alembert with test functions, and
 * against the inequality of vakonomic motions. */
#include "pawl/verify.h"
#include "sim_support.h"

static const double pi = 3.14159265358979323846;

/* Shows every row of the run to v, at steps of dt and at both sides of events. */
static void show_run(fixture *f, pawl_vary *v, double end, int steps, void (*also)(pawl_point)) {
  pawl_point p = point(f);
  CHECK(pawl_vary_row(v, p.t, p.q, p.u) == PAWL_OK);
  if (also != NULL) {
    also(p);
  }
  for (int k = 1; k <= steps; k++) {
    while (advance(f, end * k / steps) == PAWL_AT_EVENT) {
      for (int side = 0; side < 2; side++) {
        pawl_side when = side == 0 ? PAWL_BEFORE : PAWL_AFTER;
        CHECK(pawl_sim_point(f->sim, when, &p) == PAWL_OK);
        CHECK(pawl_vary_row(v, p.t, p.q, p.u) == PAWL_OK);
      }
    }
    p = point(f);
    CHECK(pawl_vary_row(v, p.t, p.q, p.u) == PAWL_OK);
    if (also != NULL) {
      also(p);
    }
  }
  pawl_vary_finish(v);
}

/* ---- S4.5: a rough ball in the plane, psi at the impact in ker B or not ---- */

static const char superball[] = "parameter R = 0.3\n"
                                "coordinates x, y, ph\n"
                                "kinetic T = 1/2*(x'^2 + y'^2) + 1/5*R^2*ph'^2\n"
                                "potential V = 9.81*y\n"
                                "constraint floor: y >= R, restitution 0.8\n"
                                "friction grip: slip x' + R*ph', rough on floor, restitution 0.6\n"
                                "start x = 0, y = 1, ph = 0, x' = 1, y' = 0, ph' = 7\n"
                                "run 0..0.7, tol 1e-12\n";

typedef struct test_function { /* end of the run, impact, and what is not in ker B */
  double end, hit, up, slip;
} test_function;

static void psi(double t, void *payload, double *w, double *rate) {
  const test_function *x = payload;
  double s = sin(pi * t / x->end), c = pi / x->end * cos(pi * t / x->end);
  double up = t - x->hit + x->up; /* y: 0 at the impact if it shall be */
  w[0] = s;
  w[1] = s * up;
  w[2] = s * (-1 + x->slip) / 0.3; /* x + R ph */
  rate[0] = c;
  rate[1] = c * up + s;
  rate[2] = c * (-1 + x->slip) / 0.3;
}

static void weak_form_of_an_impact(void) {
  double hit = sqrt(2 * 0.7 / 9.81), down = 9.81 * hit;
  test_function inside = {0.7, hit, 0, 0}, up = {0.7, hit, 1, 0}, slips = {0.7, hit, 0, 1};
  fixture f = make(superball, 1e-12);
  pawl_vary *v = NULL;
  CHECK(pawl_vary_new(f.system, 1e-9, &v) == PAWL_OK);
  CHECK(pawl_vary_add(v, 0, psi, &inside) == PAWL_OK);
  CHECK(pawl_vary_add(v, 0, psi, &up) == PAWL_OK);
  CHECK(pawl_vary_add(v, 0, psi, &slips) == PAWL_OK);
  show_run(&f, v, 0.7, 70, NULL);
  CHECK_NEAR(pawl_vary_get(v, 0).weak, 0, 1e-8);
  double s = sin(pi * hit / 0.7);
  CHECK_NEAR(pawl_vary_get(v, 1).weak, -1.8 * down * s, 1e-7);
  /* slip 3.1 becomes -0.6 of it by an impulse X along x: (1 + 5/2) X = -1.6 slip */
  CHECK_NEAR(pawl_vary_get(v, 2).weak, 1.6 * 3.1 / 3.5 * s, 1e-7);
  CHECK(isnan(pawl_vary_worst(v, 0).value)); /* a rough contact is no ideal constraint */
  pawl_vary_free(v);
  unmake(&f);
}

/* ---- S1.13: Kozlov (7.2), a vakonomic skate with lambda > 0 ---- */

static const char skate[] =
    "coordinates x, y, th\n"
    "kinetic T = 1/2*(x'^2 + y'^2 + th'^2)\n"
    "constraint blade: x'*sin(th) - y'*cos(th) = 0, vakonomic\n"
    "start x = 0, y = 0, th = 0.3, x' = cos(0.3), y' = sin(0.3), th' = 0.4,\n"
    "  force(blade) = 0.5\n"
    "run 0..1.2, tol 1e-12\n";

enum { STEPS = 600 };
static double lambda_varied; /* integral of lambda times the variation of phi, trapezia */
static const double skate_end = 1.2;

static void turn(double t, void *payload, double *w, double *rate) {
  double s = sin(pi * t / skate_end);
  (void)payload;
  w[0] = w[1] = rate[0] = rate[1] = 0;
  w[2] = s * s;
  rate[2] = pi / skate_end * sin(2 * pi * t / skate_end);
}

/* phi_q w + phi_u w' = u sin^2 for this variation, u the speed along the blade. */
static void add_lambda(pawl_point p) {
  double s = sin(pi * p.t / skate_end), u = p.u[0] * cos(p.q[2]) + p.u[1] * sin(p.q[2]);
  CHECK(u > 0 && p.force[0] > 0);
  lambda_varied += skate_end / STEPS * p.force[0] * u * s * s;
}

static void vakonomic_inequality(void) {
  fixture f = make(skate, 1e-12), free_one = make("coordinates x, y, th\n"
                                                  "kinetic T = 1/2*(x'^2 + y'^2 + th'^2)\n"
                                                  "start x = 0, y = 0, th = 0.3, x' = 0, y' = 0, "
                                                  "th' = 0\nrun 0..1\n",
                                                  1e-9);
  pawl_vary *v = NULL;
  CHECK(pawl_vary_new(f.system, 1e-9, &v) == PAWL_E_ARGUMENT);
  CHECK(pawl_vary_new(free_one.system, 1e-9, &v) == PAWL_OK); /* the action of T alone */
  CHECK(pawl_vary_add(v, 0, turn, NULL) == PAWL_OK);
  lambda_varied = 0;
  show_run(&f, v, skate_end, STEPS, add_lambda);
  CHECK(lambda_varied > 0.1);
  /* the trapezia end where sin^2 does: their error is of order four */
  CHECK_NEAR(pawl_vary_get(v, 0).weak, -lambda_varied, 1e-8);
  CHECK_NEAR(pawl_vary_get(v, 0).formula, -lambda_varied, 1e-8);
  pawl_vary_free(v);
  unmake(&free_one);
  unmake(&f);
}

CHECK_MAIN({"weak form of an impact", weak_form_of_an_impact},
           {"vakonomic inequality", vakonomic_inequality})
