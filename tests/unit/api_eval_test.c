// SPDX-License-Identifier: MIT
/* The evaluator against closed forms, finite differences and the simulation. */
#include <pawl/pawl.h>
#include <stdbool.h>
#include <stdlib.h>

#include "alloc_wrap.h"
#include "check.h"

typedef struct fixture {
  pawl_system *system;
  pawl_eval *eval;
} fixture;

static fixture make(const char *text) {
  pawl_model *model = NULL;
  fixture f = {0};
  CHECK_INT(pawl_model_parse(text, strlen(text), NULL, NULL, &model), PAWL_OK);
  CHECK_INT(pawl_system_new(model, &(pawl_system_opts){.no_start = 1}, NULL, &f.system), PAWL_OK);
  CHECK_INT(pawl_eval_new(f.system, &f.eval), PAWL_OK);
  pawl_model_free(model);
  if (f.eval == NULL) {
    exit(1);
  }
  return f;
}

static void unmake(fixture *f) {
  pawl_system_free(f->system); /* before what was made from it */
  pawl_eval_free(f->eval);
}

static pawl_status at(const fixture *f, double t, const double *q, const double *u,
                      const unsigned char *closed, const pawl_eval_out *out) {
  const pawl_eval_in in = {.k = 1, .t = &t, .q = q, .u = u, .closed = closed};
  return pawl_eval_at(f->eval, &in, out);
}

static const char double_pendulum[] =
    "parameter m1 = 1.5, m2 = 0.7, l1 = 0.8, l2 = 1.1, g = 9.81\n"
    "coordinates a, b\n"
    "kinetic T = 1/2*(m1 + m2)*l1^2*a'^2 + 1/2*m2*l2^2*b'^2 + m2*l1*l2*a'*b'*cos(a - b)\n"
    "potential V = -(m1 + m2)*g*l1*cos(a) - m2*g*l2*cos(b)\n"
    "output e = a + b\n";

static void double_pendulum_is_exact(void) {
  fixture f = make(double_pendulum);
  const double m1 = 1.5, m2 = 0.7, l1 = 0.8, l2 = 1.1, g = 9.81;
  const double q[] = {0.9, -0.4}, u[] = {1.3, -2.1};
  double M[4], h[2], a[2], T, V, output;
  CHECK_INT(pawl_eval_rows(f.eval), 0);
  CHECK_INT(at(&f, 0, q, u, NULL,
               &(pawl_eval_out){.M = M, .h = h, .a = a, .T = &T, .V = &V, .output = &output}),
            PAWL_OK);
  double c = cos(q[0] - q[1]), s = sin(q[0] - q[1]);
  double M12 = m2 * l1 * l2 * c, M11 = (m1 + m2) * l1 * l1, M22 = m2 * l2 * l2;
  double h1 = -m2 * l1 * l2 * s * u[1] * u[1] - (m1 + m2) * g * l1 * sin(q[0]);
  double h2 = m2 * l1 * l2 * s * u[0] * u[0] - m2 * g * l2 * sin(q[1]);
  CHECK_NEAR(M[0], M11, 1e-14);
  CHECK_NEAR(M[1], M12, 1e-14);
  CHECK_NEAR(M[2], M12, 1e-14);
  CHECK_NEAR(M[3], M22, 1e-14);
  CHECK_NEAR(h[0], h1, 1e-13);
  CHECK_NEAR(h[1], h2, 1e-13);
  double det = M11 * M22 - M12 * M12;
  CHECK_NEAR(a[0], (M22 * h1 - M12 * h2) / det, 1e-12);
  CHECK_NEAR(a[1], (M11 * h2 - M12 * h1) / det, 1e-12);
  CHECK_NEAR(T, M11 * u[0] * u[0] / 2 + M22 * u[1] * u[1] / 2 + M12 * u[0] * u[1], 1e-13);
  CHECK_NEAR(V, -(m1 + m2) * g * l1 * cos(q[0]) - m2 * g * l2 * cos(q[1]), 1e-13);
  CHECK_NEAR(output, q[0] + q[1], 1e-15);
  unmake(&f);
}

static const char pendulum[] = "parameter m = 2, l = 1.5, g = 9.81\n"
                               "coordinates x, y\n"
                               "kinetic T = 1/2*m*(x'^2 + y'^2)\n"
                               "potential V = m*g*y\n"
                               "constraint rod: x^2 + y^2 = l^2\n"
                               "start x = 1.5\nrun 0..1\n";

static void pendulum_rod_is_exact(void) {
  fixture f = make(pendulum);
  const double m = 2, l = 1.5, g = 9.81, w = 0.7; /* angle 0.6 from the x axis, rate w */
  const double q[] = {l * cos(0.6), l * sin(0.6)}, u[] = {-w * q[1], w * q[0]};
  double J[2], zeta, value, rate, a[2], force, gap, gap_rate;
  CHECK_INT(pawl_eval_rows(f.eval), 1);
  CHECK_INT(pawl_eval_row_law(f.eval, 0), 0);
  CHECK_INT(at(&f, 0, q, u, NULL,
               &(pawl_eval_out){.J = J,
                                .zeta = &zeta,
                                .g = &value,
                                .g_rate = &rate,
                                .a = a,
                                .force = &force,
                                .gap = &gap,
                                .gap_rate = &gap_rate}),
            PAWL_OK);
  double lambda = (2 * q[1] * g - 2 * w * w * l * l) * m / (4 * l * l);
  CHECK_NEAR(J[0], 2 * q[0], 1e-14);
  CHECK_NEAR(J[1], 2 * q[1], 1e-14);
  CHECK_NEAR(zeta, 2 * w * w * l * l, 1e-13);
  CHECK_NEAR(value, 0, 1e-14);
  CHECK_NEAR(rate, 0, 1e-14);
  CHECK_NEAR(gap, value, 0);
  CHECK_NEAR(gap_rate, rate, 0);
  CHECK_NEAR(force, lambda, 1e-12);
  CHECK_NEAR(a[0], 2 * q[0] * lambda / m, 1e-12);
  CHECK_NEAR(a[1], 2 * q[1] * lambda / m - g, 1e-12);
  const double off[] = {2, 1}, v[] = {0.5, 0.25}; /* not on the rod */
  CHECK_INT(at(&f, 0, off, v, NULL, &(pawl_eval_out){.g = &value, .g_rate = &rate}), PAWL_OK);
  CHECK_NEAR(value, 5 - l * l, 1e-14);
  CHECK_NEAR(rate, 2 * (2 * 0.5 + 1 * 0.25), 1e-14);
  unmake(&f);
}

/* M from T, h at rest from V, J from g, zeta from the change of g' along the velocity. */
static void finite_differences(void) {
  fixture f = make("coordinates x, y, z\n"
                   "kinetic T = 1/2*(2 + sin(y))*x'^2 + 1/2*y'^2*(1 + x^2) + z'^2 + "
                   "0.3*x'*z'*cos(z) + 0.2*x'*y'\n"
                   "potential V = x^2*y + exp(z)*sin(x) + 3*y^2\n"
                   "constraint c: x*y + sin(z) = 1\n"
                   "constraint d: x'*cos(z) + y'*x + z' = 0\n");
  const double q[] = {0.4, -0.3, 0.8}, u[] = {0.6, 1.1, -0.7}, e = 1e-5;
  double M[9], J[6], zeta[2], h[3];
  CHECK_INT(pawl_eval_rows(f.eval), 2);
  CHECK_INT(at(&f, 0, q, u, NULL, &(pawl_eval_out){.M = M, .J = J, .zeta = zeta}), PAWL_OK);
  const double still[3] = {0};
  CHECK_INT(at(&f, 0, q, still, NULL, &(pawl_eval_out){.h = h}), PAWL_OK);
  double ahead[3], back[3], rate[2][2];
  for (int i = 0; i < 3; i++) {
    ahead[i] = q[i] + e * u[i];
    back[i] = q[i] - e * u[i];
  }
  CHECK_INT(at(&f, 0, ahead, u, NULL, &(pawl_eval_out){.g_rate = rate[0]}), PAWL_OK);
  CHECK_INT(at(&f, 0, back, u, NULL, &(pawl_eval_out){.g_rate = rate[1]}), PAWL_OK);
  CHECK_NEAR(zeta[0], (rate[0][0] - rate[1][0]) / (2 * e), 1e-8);
  CHECK_NEAR(zeta[1], (rate[0][1] - rate[1][1]) / (2 * e), 1e-8);
  for (int i = 0; i < 3; i++) {
    double V[2], g[2][2], r[2][2], x[3] = {q[0], q[1], q[2]}, v[3] = {u[0], u[1], u[2]};
    for (int side = 0; side < 2; side++) {
      x[i] = q[i] + (side == 0 ? e : -e);
      CHECK_INT(at(&f, 0, x, u, NULL, &(pawl_eval_out){.V = &V[side], .g = g[side]}), PAWL_OK);
      v[i] = u[i] + (side == 0 ? 1 : -1); /* g' is linear in u */
      CHECK_INT(at(&f, 0, q, v, NULL, &(pawl_eval_out){.g_rate = r[side]}), PAWL_OK);
    }
    CHECK_NEAR(h[i], -(V[0] - V[1]) / (2 * e), 1e-8);
    CHECK_NEAR(J[i], (g[0][0] - g[1][0]) / (2 * e), 1e-8);
    CHECK_NEAR(J[i], (r[0][0] - r[1][0]) / 2, 1e-12);
    CHECK_NEAR(J[3 + i], (r[0][1] - r[1][1]) / 2, 1e-12);
    for (int j = 0; j < 3; j++) { /* T is quadratic: mixed differences are exact */
      double sum = 0;
      for (int k = 0; k < 4; k++) {
        double w[3] = {u[0], u[1], u[2]}, T;
        w[i] += k < 2 ? 0.5 : -0.5;
        w[j] += k % 2 == 0 ? 0.5 : -0.5;
        CHECK_INT(at(&f, 0, q, w, NULL, &(pawl_eval_out){.T = &T}), PAWL_OK);
        sum += k == 0 || k == 3 ? T : -T;
      }
      CHECK_NEAR(M[3 * i + j], sum, 1e-12);
    }
  }
  unmake(&f);
}

/* A block on a floor: open, sliding to either side, sticking. */
static void laws_as_the_caller_says(void) {
  fixture f = make("parameter m = 2, g = 9.81\n"
                   "coordinates x, y\n"
                   "kinetic T = 1/2*m*(x'^2 + y'^2)\n"
                   "potential V = m*g*y\n"
                   "force x: 3\n"
                   "constraint floor: y >= 0, restitution 0\n"
                   "friction rub: slip x', mu 0.5 on floor\n");
  const double m = 2, g = 9.81, mu = 0.5, q[] = {0, 0};
  const unsigned char slides[] = {1, 0}, sticks[] = {1, 1};
  double a[2], force[2], gap[2], rate[2];
  const pawl_eval_out out = {.a = a, .force = force, .gap = gap, .gap_rate = rate};
  const double high[] = {0, 0.25}, u[] = {0.5, -0.75};
  CHECK_INT(at(&f, 0, high, u, NULL, &out), PAWL_OK);
  CHECK_NEAR(a[0], 1.5, 1e-14);
  CHECK_NEAR(a[1], -g, 1e-14);
  CHECK_NEAR(force[0], 0, 0);
  CHECK_NEAR(force[1], 0, 0);
  CHECK_NEAR(gap[0], 0.25, 0);
  CHECK_NEAR(rate[0], -0.75, 0);
  CHECK_NEAR(gap[1], 0.5, 0);
  for (int side = -1; side <= 1; side += 2) {
    const double v[] = {0.5 * side, 0};
    CHECK_INT(at(&f, 0, q, v, slides, &out), PAWL_OK);
    CHECK_NEAR(force[0], m * g, 1e-12);
    CHECK_NEAR(force[1], -side * mu * m * g, 1e-12);
    CHECK_NEAR(a[0], 1.5 - side * mu * g, 1e-12);
    CHECK_NEAR(a[1], 0, 1e-12);
  }
  const double rest[] = {0, 0};
  CHECK_INT(at(&f, 0, q, rest, sticks, &out), PAWL_OK);
  CHECK_NEAR(force[1], -3, 1e-12);
  CHECK_NEAR(a[0], 0, 1e-12);
  unmake(&f);
}

/* Many states at once are the same as one after the other; those without numbers stand alone. */
static void many_at_once(void) {
  enum { K = 50 };
  fixture f = make(double_pendulum);
  double t[K] = {0}, q[2 * K], u[2 * K], a[2 * K], M[4 * K], one[2];
  pawl_status status[K];
  for (int i = 0; i < 2 * K; i++) {
    q[i] = sin(3.0 * i);
    u[i] = cos(5.0 * i);
  }
  q[2 * 7] = NAN;
  u[2 * 9 + 1] = INFINITY;
  t[11] = NAN;
  const pawl_eval_in in = {.k = K, .t = t, .q = q, .u = u};
  long before = alloc_calls();
  CHECK_INT(pawl_eval_at(f.eval, &in, &(pawl_eval_out){.status = status, .a = a, .M = M}),
            PAWL_E_NAN);
  CHECK_INT(alloc_calls(), before);
  for (int k = 0; k < K; k++) {
    bool bad = k == 7 || k == 9 || k == 11;
    CHECK_INT(status[k], bad ? PAWL_E_NAN : PAWL_OK);
    CHECK(isnan(a[2 * k]) == bad && isnan(M[4 * k + 3]) == bad);
    if (!bad) {
      CHECK_INT(at(&f, 0, q + 2 * k, u + 2 * k, NULL, &(pawl_eval_out){.a = one}), PAWL_OK);
      CHECK(one[0] == a[2 * k] && one[1] == a[2 * k + 1]);
    }
  }
  unmake(&f);
}

/* At the points of a motion it gives what the simulation gives. */
static void agrees_with_the_simulation(void) {
  pawl_model *model = NULL;
  pawl_system *system = NULL;
  pawl_sim *sim = NULL;
  pawl_eval *eval = NULL;
  pawl_stop why = PAWL_AT_TARGET;
  CHECK_INT(pawl_model_parse(pendulum, sizeof pendulum - 1, NULL, NULL, &model), PAWL_OK);
  CHECK_INT(pawl_system_new(model, NULL, NULL, &system), PAWL_OK);
  CHECK_INT(pawl_sim_new(system, NULL, NULL, &sim), PAWL_OK);
  CHECK_INT(pawl_eval_new(system, &eval), PAWL_OK);
  for (int i = 1; i <= 9; i++) {
    pawl_point p;
    double a[2], force;
    CHECK_INT(pawl_sim_advance(sim, 0.1 * i, NULL, &why), PAWL_OK);
    CHECK_INT(pawl_sim_point(sim, PAWL_AFTER, &p), PAWL_OK);
    const pawl_eval_in in = {.k = 1, .t = &p.t, .q = p.q, .u = p.u};
    CHECK_INT(pawl_eval_at(eval, &in, &(pawl_eval_out){.a = a, .force = &force}), PAWL_OK);
    CHECK_NEAR(a[0], p.a[0], 1e-12);
    CHECK_NEAR(a[1], p.a[1], 1e-12);
    CHECK_NEAR(force, p.force[0], 1e-12);
  }
  pawl_eval_free(eval);
  pawl_sim_free(sim);
  pawl_system_free(system);
  pawl_model_free(model);
}

/* A free body: components in the body, inertia about its axes. */
static void rotation(void) {
  fixture f = make("body b: mass 2, inertia (1, 2, 4)\npotential V = 2*9.81*b.p[3]\n");
  /* a quarter turn about z, scaled; spinning about the space x axis: W = (0, -3, 0) in the body */
  const double q[] = {0, 0, 0, 2 * sqrt(0.5), 0, 0, 2 * sqrt(0.5)}, u[] = {0, 0, 0, 3, 0, 0.5};
  double M[36], a[6], T;
  CHECK_INT(pawl_system_positions(f.system), 7);
  CHECK_INT(at(&f, 0, q, u, NULL, &(pawl_eval_out){.M = M, .a = a, .T = &T}), PAWL_OK);
  CHECK_NEAR(M[0], 2, 1e-14);
  CHECK_NEAR(M[3 * 6 + 3], 1, 1e-14);
  CHECK_NEAR(M[4 * 6 + 4], 2, 1e-14);
  CHECK_NEAR(M[5 * 6 + 5], 4, 1e-14);
  CHECK_NEAR(T, (2 * 9 + 4 * 0.25) / 2.0, 1e-13);
  CHECK_NEAR(a[2], -9.81, 1e-13);
  /* Euler: A W1' = (B - C) W2 W3 with W = (0, -3, 0.5) */
  CHECK_NEAR(a[3], (2 - 4) * (-3 * 0.5), 1e-13);
  CHECK_NEAR(a[4], 0, 1e-13);
  CHECK_NEAR(a[5], 0, 1e-13);
  unmake(&f);
}

/* Plots and drawings: what the lines say, and the numbers behind them. */
static void pictures(void) {
  fixture f = make("parameter l = 2, g = 9.81\n"
                   "coordinates a\n"
                   "kinetic T = 1/2*l^2*a'^2\n"
                   "potential V = -g*l*cos(a)\n"
                   "let p = (l*sin(a), -l*cos(a))\n"
                   "constraint stop: a >= -1, restitution 0.5\n"
                   "plot a, a'' vs a'\n"
                   "plot p\n"
                   "plot force(stop)\n"
                   "draw line (0, 0), p\n"
                   "draw circle p, radius 0.1*l\n"
                   "draw text (0, 1), \"top\"\n");
  const double l = 2, g = 9.81, q = 0.5, u = 1.5, given = 7;
  double plot[10], draw[9];
  CHECK_INT(pawl_system_plots(f.system), 5);
  CHECK_STR(pawl_plot_get(f.system, 1).y, "a''");
  CHECK_STR(pawl_plot_get(f.system, 1).x, "a'");
  CHECK_INT(pawl_plot_get(f.system, 1).statement, 1);
  CHECK_STR(pawl_plot_get(f.system, 3).y, "p[2]");
  CHECK(pawl_plot_get(f.system, 3).x == NULL);
  CHECK_INT(pawl_plot_get(f.system, 3).statement, 2);
  CHECK_INT(pawl_plot_get(f.system, 4).statement, 3);
  CHECK_INT(pawl_plot_get(f.system, 4).line, 9);
  CHECK_INT(pawl_system_draws(f.system), 3);
  CHECK_STR(pawl_draw_get(f.system, 0).shape, "line");
  CHECK_INT(pawl_draw_get(f.system, 1).arguments, 2);
  CHECK_INT(pawl_draw_get(f.system, 1).line, 11);
  CHECK_STR(pawl_draw_argument_get(f.system, 1, 1).word, "radius");
  CHECK_INT(pawl_draw_argument_get(f.system, 1, 1).first, 6);
  CHECK_STR(pawl_draw_argument_get(f.system, 0, 1).word, "");
  CHECK_INT(pawl_draw_argument_get(f.system, 0, 1).n, 2);
  CHECK_STR(pawl_draw_argument_get(f.system, 2, 1).text, "top");
  CHECK_INT(pawl_draw_argument_get(f.system, 2, 1).n, 0);
  CHECK_INT(pawl_draw_numbers(f.system), 9);
  const double t = 3,
               wanted[] = {q, u, -g / l * sin(q), u, l * sin(q), t, -l * cos(q), t, given, t};
  const double shapes[] = {0, 0, l * sin(q), -l * cos(q), l * sin(q), -l * cos(q), 0.1 * l, 0, 1};
  const pawl_eval_in in = {.k = 1, .t = &t, .q = &q, .u = &u, .force = &given};
  CHECK_INT(pawl_eval_at(f.eval, &in, &(pawl_eval_out){.plot = plot, .draw = draw}), PAWL_OK);
  for (int i = 0; i < 10; i++) {
    CHECK_NEAR(plot[i], wanted[i], 1e-14);
  }
  for (int i = 0; i < 9; i++) {
    CHECK_NEAR(draw[i], shapes[i], 1e-14);
  }
  const pawl_eval_in own = {.k = 1, .t = &t, .q = &q, .u = &u};
  CHECK_INT(pawl_eval_at(f.eval, &own, &(pawl_eval_out){.plot = plot}), PAWL_OK);
  CHECK_NEAR(plot[8], 0, 0); /* the stop is open */
  unmake(&f);
}

static void bodies_are_drawn(void) {
  fixture f = make("body b: mass 2, inertia (1, 2, 4)\ndraw box b, size (1, 2, 3)\n");
  const double q[] = {1, 2, 3, 1, 0, 0, 0}, u[6] = {0};
  double draw[10];
  CHECK_INT(pawl_draw_numbers(f.system), 10);
  CHECK_STR(pawl_draw_argument_get(f.system, 0, 0).body, "b");
  CHECK_INT(pawl_draw_argument_get(f.system, 0, 0).n, 7);
  CHECK_INT(at(&f, 0, q, u, NULL, &(pawl_eval_out){.draw = draw}), PAWL_OK);
  for (int i = 0; i < 7; i++) {
    CHECK_NEAR(draw[i], q[i], 0);
  }
  CHECK_NEAR(draw[9], 3, 0);
  unmake(&f);
}

static void units_follow_the_model(void) {
  fixture f = make("parameter m = 1 [kg], g = 9.81 [m/s^2]\n"
                   "coordinates x[1..2], y, w\n"
                   "body b: mass 2 [kg], inertia 1 [kg*m^2]\n"
                   "kinetic T = 1/2*m*(x[1]'^2 + x[2]'^2 + y'^2) + 1/2*w'^2\n"
                   "potential V = m*g*y\n"
                   "constraint floor: y >= 0, restitution 0.5\n"
                   "start x = 2 [mm], y = 1 [m]\n"
                   "output E = V, place = (x[1]/y, y'), load = force(floor)\n"
                   "plot place, y' vs y\n"
                   "plot energy.lost, w\n");
  CHECK_STR(pawl_position_unit(f.system, 1), "m");
  CHECK_STR(pawl_velocity_unit(f.system, 1), "m/s");
  CHECK(pawl_position_unit(f.system, 3) == NULL); /* w: nothing says */
  CHECK_STR(pawl_position_unit(f.system, 4), "m");
  CHECK_STR(pawl_position_unit(f.system, 10), "1"); /* the quaternion of b */
  CHECK_STR(pawl_velocity_unit(f.system, 9), "1/s");
  CHECK(pawl_position_unit(f.system, 11) == NULL); /* there is none */
  CHECK_STR(pawl_output_unit(f.system, 0), "J");
  CHECK_STR(pawl_output_unit(f.system, 1), "1");
  CHECK_STR(pawl_output_unit(f.system, 2), "m/s");
  CHECK_STR(pawl_output_unit(f.system, 3), "N");
  CHECK_STR(pawl_law_get(f.system, 0).unit, "N");
  CHECK_STR(pawl_plot_get(f.system, 1).y_unit, "m/s");
  CHECK_STR(pawl_plot_get(f.system, 2).x_unit, "m");
  CHECK_STR(pawl_plot_get(f.system, 3).y_unit, "J");
  CHECK_STR(pawl_plot_get(f.system, 3).x_unit, "s");
  CHECK(pawl_plot_get(f.system, 4).y_unit == NULL);
  unmake(&f);
}

static void integrals_and_impulses_are_given(void) {
  fixture f = make("coordinates y\nkinetic T = 1/2*y'^2\n"
                   "constraint floor: y >= 0, restitution 0.5\n"
                   "plot action, energy.lost, impulse(floor)\n");
  const double t = 0, q = 1, u = 2, integrals[] = {3, 4}, impulse = 5;
  double plot[6];
  pawl_eval_in in = {
      .k = 1, .t = &t, .q = &q, .u = &u, .integrals = integrals, .impulse = &impulse};
  CHECK_INT(pawl_eval_at(f.eval, &in, &(pawl_eval_out){.plot = plot}), PAWL_OK);
  CHECK_NEAR(plot[0], 3, 0);
  CHECK_NEAR(plot[2], 4, 0);
  CHECK_NEAR(plot[4], 5, 0);
  in.integrals = in.impulse = NULL;
  CHECK_INT(pawl_eval_at(f.eval, &in, &(pawl_eval_out){.plot = plot}), PAWL_OK);
  CHECK_NEAR(plot[0], 0, 0);
  CHECK_NEAR(plot[4], 0, 0);
  unmake(&f);
}

CHECK_MAIN({"pictures", pictures}, {"units_follow_the_model", units_follow_the_model},
           {"integrals_and_impulses_are_given", integrals_and_impulses_are_given},
           {"bodies_are_drawn", bodies_are_drawn},
           {"double_pendulum_is_exact", double_pendulum_is_exact},
           {"pendulum_rod_is_exact", pendulum_rod_is_exact},
           {"finite_differences", finite_differences},
           {"laws_as_the_caller_says", laws_as_the_caller_says}, {"many_at_once", many_at_once},
           {"agrees_with_the_simulation", agrees_with_the_simulation}, {"rotation", rotation})
