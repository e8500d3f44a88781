// SPDX-License-Identifier: MIT
/* Accelerations and forces against equations written by hand. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "mech/handle.h"

typedef struct fixture {
  pawl_model *model;
  pawl_system *system;
  pw_mech *mech;
} fixture;

static fixture make(const char *text) {
  fixture f = {0};
  pawl_diags *diags = NULL;
  CHECK(pawl_diags_new(&diags) == PAWL_OK);
  pawl_status status = pawl_model_parse(text, strlen(text), NULL, diags, &f.model);
  if (status == PAWL_OK) {
    status = pawl_system_new(f.model, NULL, diags, &f.system);
  }
  if (status == PAWL_OK) {
    status = pw_mech_new(f.system->sys, &f.mech);
  }
  CHECK(status == PAWL_OK);
  for (int i = 0; i < pawl_diags_count(diags); i++) {
    printf("%s: %s\n", pawl_diags_get(diags, i)->code, pawl_diags_get(diags, i)->message);
  }
  pawl_diags_free(diags);
  return f;
}

static void unmake(fixture *f) {
  pw_mech_free(f->mech);
  pawl_system_free(f->system);
  pawl_model_free(f->model);
}

static double draw(unsigned *seed) { /* in (-1, 1) */
  *seed = *seed * 1664525u + 1013904223u;
  return (double)(*seed >> 8) * 0x1p-23 - 1;
}

/* Textbook equations of the double pendulum in absolute angles. */
static void double_pendulum(const double *q, const double *u, double a[2]) {
  const double m1 = 1.3, m2 = 0.7, l1 = 0.9, l2 = 1.1, g = 9.81;
  double d = q[0] - q[1], c = cos(d), s = sin(d);
  double M11 = (m1 + m2) * l1 * l1, M12 = m2 * l1 * l2 * c, M22 = m2 * l2 * l2;
  double h1 = -m2 * l1 * l2 * s * u[1] * u[1] - (m1 + m2) * g * l1 * sin(q[0]);
  double h2 = m2 * l1 * l2 * s * u[0] * u[0] - m2 * g * l2 * sin(q[1]);
  double det = M11 * M22 - M12 * M12;
  a[0] = (M22 * h1 - M12 * h2) / det;
  a[1] = (M11 * h2 - M12 * h1) / det;
}

static void double_pendulum_matches_textbook(void) {
  fixture f = make("parameter m1 = 1.3, m2 = 0.7, l1 = 0.9, l2 = 1.1, g = 9.81\n"
                   "coordinates a, b\n"
                   "let P = (l1*sin(a), -l1*cos(a))\n"
                   "let Q = (P[1] + l2*sin(b), P[2] - l2*cos(b))\n"
                   "kinetic T = 1/2*m1*dot(P', P') + 1/2*m2*dot(Q', Q')\n"
                   "potential V = m1*g*P[2] + m2*g*Q[2]\n"
                   "start a = 1, b = 2\nrun 0..1\n");
  unsigned seed = 7;
  for (int k = 0; k < 100; k++) {
    double q[2] = {3 * draw(&seed), 3 * draw(&seed)}, u[2] = {5 * draw(&seed), 5 * draw(&seed)};
    double a[2];
    CHECK(pw_mech_rates(f.mech, 0, q, u, NULL) == PAWL_OK);
    double_pendulum(q, u, a);
    CHECK_NEAR(f.mech->a[0], a[0], 1e-11 * (1 + fabs(a[0])));
    CHECK_NEAR(f.mech->a[1], a[1], 1e-11 * (1 + fabs(a[1])));
  }
  unmake(&f);
}

/* J W' = J W x W + torque; a weight at distance s on the third body axis. */
static void heavy_top_is_eulers(void) {
  fixture f = make("parameter m = 0.4, g = 9.81, s = 0.3\n"
                   "rotation R\n"
                   "kinetic T = 1/2*(2*R.W[1]^2 + 3*R.W[2]^2 + 5*R.W[3]^2)\n"
                   "let P = R*(0, 0, s)\n"
                   "potential V = m*g*P[3]\n"
                   "start R = axis(1, 0, 0, 0.4), R.w = (0, 0, 3)\nrun 0..1\n");
  const double J[3] = {2, 3, 5};
  unsigned seed = 3;
  for (int k = 0; k < 50; k++) {
    double q[4], W[3], n = 0;
    for (int i = 0; i < 4; i++) {
      q[i] = draw(&seed);
      n += q[i] * q[i];
    }
    for (int i = 0; i < 4; i++) {
      q[i] /= sqrt(n);
    }
    for (int i = 0; i < 3; i++) {
      W[i] = 4 * draw(&seed);
    }
    /* vertical in the body frame: third row of the rotation matrix */
    double e[3] = {2 * (q[1] * q[3] - q[0] * q[2]), 2 * (q[2] * q[3] + q[0] * q[1]),
                   q[0] * q[0] - q[1] * q[1] - q[2] * q[2] + q[3] * q[3]};
    double w = -0.4 * 9.81;                                  /* weight */
    double torque[3] = {-0.3 * w * e[1], 0.3 * w * e[0], 0}; /* (0,0,s) x w e */
    CHECK(pw_mech_rates(f.mech, 0, q, W, NULL) == PAWL_OK);
    for (int i = 0; i < 3; i++) {
      int j = (i + 1) % 3, l = (i + 2) % 3;
      double want = ((J[j] - J[l]) * W[j] * W[l] + torque[i]) / J[i];
      CHECK_NEAR(f.mech->a[i], want, 1e-12 * (1 + fabs(want)));
    }
  }
  unmake(&f);
}

/* Pendulum in x, y: tension = m (v^2/l + g cos th), force(rod) = -tension/(2 l). */
static void multiplier_is_the_tension(void) {
  fixture f = make("parameter m = 2, l = 1.5, g = 9.81\ncoordinates x, y\n"
                   "kinetic T = 1/2*m*(x'^2 + y'^2)\npotential V = m*g*y\n"
                   "constraint rod: x^2 + y^2 = l^2\n"
                   "start x ~ 1, y ~ -1\nrun 0..1\n");
  for (int k = -3; k <= 3; k++) {
    double th = 0.4 * k, w = 1.1 + 0.3 * k;
    double q[2] = {1.5 * sin(th), -1.5 * cos(th)};
    double u[2] = {1.5 * w * cos(th), 1.5 * w * sin(th)};
    CHECK(pw_mech_rates(f.mech, 0, q, u, NULL) == PAWL_OK);
    CHECK_NEAR(-2 * 1.5 * f.mech->lambda[0], 2 * (1.5 * w * w + 9.81 * cos(th)), 1e-11);
  }
  unmake(&f);
}

/* The same constraint twice, the second ten times as steep: the pull is shared equally. */
static void redundant_rows_share_whatever_their_scale(void) {
  fixture f = make("coordinates x, y\nkinetic T = 1/2*(x'^2 + y'^2)\nforce x: 6\n"
                   "constraint a: x = 0\nconstraint b: 10*x = 0\n"
                   "start x = 0, y = 0\nrun 0..1\n");
  double q[2] = {0, 0}, u[2] = {0, 0};
  CHECK(pw_mech_rates_decide(f.mech, 0, q, u, NULL) == PAWL_OK);
  CHECK(f.mech->rank == 1);
  pw_mech_find_dependent(f.mech);
  CHECK(f.mech->dependent[0] && f.mech->dependent[1]);
  CHECK_NEAR(f.mech->lambda[0], -3, 1e-12);
  CHECK_NEAR(f.mech->lambda[1], -0.3, 1e-13);
  CHECK_NEAR(f.mech->a[0], 0, 1e-14);
  unmake(&f);
}

/* Projection lands on the constraint along M^-1 grad g. */
static void projection_is_orthogonal_in_the_mass_metric(void) {
  fixture f = make("coordinates x, y\nkinetic T = 1/2*(x'^2 + 4*y'^2)\n"
                   "constraint c: x + 2*y = 1\nstart x ~ 1, y ~ 0\nrun 0..1\n");
  double q[2] = {3, 1}, u[2] = {1, 2}, moved[2];
  CHECK(pw_mech_rates(f.mech, 0, q, u, NULL) == PAWL_OK);
  CHECK(pw_mech_project_q(f.mech, 0, q, NULL, 0, moved) == PAWL_OK);
  CHECK_NEAR(q[0] + 2 * q[1], 1, 1e-14);
  CHECK_NEAR(q[0] - 3, 2 * (q[1] - 1), 1e-14); /* M^-1 (1, 2) = (1, 1/2) */
  CHECK_NEAR(moved[0], q[0] - 3, 1e-14);
  CHECK(pw_mech_project_u(f.mech, 0, q, u, NULL, 0, moved) == PAWL_OK);
  CHECK_NEAR(u[0] + 2 * u[1], 0, 1e-14);
  double v[2] = {1, 0};
  CHECK(pw_mech_rates(f.mech, 0, q, u, NULL) == PAWL_OK);
  pw_mech_tangent(f.mech, true, v);
  CHECK_NEAR(v[0] + 2 * v[1], 0, 1e-14);
  CHECK_NEAR(v[0], 0.5, 1e-14);
  unmake(&f);
}

static void singular_inertia_names_the_coordinate(void) {
  fixture f = make("coordinates x, y\nkinetic T = 1/2*(x'^2 + x^2*y'^2)\nstart x = 1\nrun 0..1\n");
  double q[2] = {0, 0}, u[2] = {0, 1};
  CHECK(pw_mech_rates(f.mech, 0, q, u, NULL) == PAWL_E_INERTIA);
  CHECK(f.mech->fault.coord == 1);
  double bad[2] = {NAN, 0};
  CHECK(pw_mech_rates(f.mech, 0, bad, u, NULL) == PAWL_E_NAN);
  unmake(&f);
}

CHECK_MAIN({"double pendulum", double_pendulum_matches_textbook},
           {"heavy top", heavy_top_is_eulers}, {"tension", multiplier_is_the_tension},
           {"redundant rows", redundant_rows_share_whatever_their_scale},
           {"projection", projection_is_orthogonal_in_the_mass_metric},
           {"singular inertia", singular_inertia_names_the_coordinate})
