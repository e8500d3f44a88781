// SPDX-License-Identifier: MIT
/* The Runge-Kutta tables: sum conditions, and orders of the solution, of the error estimates and of
 * the dense output measured by step halving on a problem with a known solution. */
#include "sim/rk.h"

#include <stdlib.h>

#include "../check.h"
#include "base/real.h"

static const pw_rk_method *const methods[2] = {&pw_dp5, &pw_dop853};

/* A nonlinear problem with explicit time, whose solution is (cos t, sin t, exp(sin t)). */
static pawl_status rhs(void *ctx, double t, const double *y, double *dy) {
  ++*(long *)ctx;
  double s = sin(t);
  dy[0] = -y[1] + (y[0] * y[0] + y[1] * y[1] - 1) * exp(y[0]) * s;
  dy[1] = y[0] + (y[0] * y[0] + y[1] * y[1] - 1) * y[1] * (1 + t);
  dy[2] = y[2] * cos(t) * y[2] * exp(-s);
  return PAWL_OK;
}

static void exact(double t, double *y) {
  y[0] = cos(t);
  y[1] = sin(t);
  y[2] = exp(sin(t));
}

static double distance(const double *a, const double *b) {
  double m = 0;
  for (int i = 0; i < 3; i++) {
    m = fmax(m, fabs(a[i] - b[i]));
  }
  return m;
}

typedef struct fixture {
  pw_rk rk;
  long calls;
  double *memory;
} fixture;

static void fixture_start(fixture *f, const pw_rk_method *m) {
  f->calls = 0;
  f->memory = malloc(pw_rk_size(m, 3) * sizeof(double));
  pw_rk_init(&f->rk, m, 3, f->memory, rhs, &f->calls);
}

/* Starts on the exact solution. */
static void restart(fixture *f, double t) {
  exact(t, f->rk.y0);
  CHECK(rhs(&f->calls, t, f->rk.y0, f->rk.k) == PAWL_OK);
}

static double global_error(const pw_rk_method *m, int steps) {
  fixture f;
  fixture_start(&f, m);
  restart(&f, 0.3);
  double h = 1.5 / steps, y[3];
  for (int i = 0; i < steps; i++) {
    CHECK(pw_rk_step(&f.rk, 0.3 + i * h, h) == PAWL_OK);
    CHECK(pw_rk_finish(&f.rk) == PAWL_OK);
    memcpy(f.rk.y0, f.rk.y1, 3 * sizeof(double));
    memcpy(f.rk.k, f.rk.k + m->stages * 3, 3 * sizeof(double));
  }
  CHECK_INT(f.calls, 1 + steps * (long)m->stages);
  exact(1.8, y);
  double e = distance(y, f.rk.y0);
  free(f.memory);
  return e;
}

static void solution_order(void) {
  double p5 = log2(global_error(&pw_dp5, 200) / global_error(&pw_dp5, 400));
  double p8 = log2(global_error(&pw_dop853, 8) / global_error(&pw_dop853, 16));
  CHECK_NEAR(p5, 5, 0.3);
  CHECK_NEAR(p8, 8, 0.6);
  CHECK(global_error(&pw_dop853, 40) < 1e-12);
}

/* Largest error of the dense output of one step of size h. */
static double dense_error(const pw_rk_method *m, double h) {
  fixture f;
  fixture_start(&f, m);
  restart(&f, 0.4);
  CHECK(pw_rk_step(&f.rk, 0.4, h) == PAWL_OK);
  CHECK(pw_rk_dense(&f.rk) == PAWL_OK);
  double worst = 0, y[3], x[3];
  for (int i = 1; i < 20; i++) {
    pw_rk_eval(&f.rk, i / 20.0, y);
    exact(0.4 + i / 20.0 * h, x);
    worst = fmax(worst, distance(x, y));
  }
  free(f.memory);
  return worst;
}

static void dense_order(void) {
  CHECK_NEAR(log2(dense_error(&pw_dp5, 0.1) / dense_error(&pw_dp5, 0.05)), 5, 0.4);
  CHECK_NEAR(log2(dense_error(&pw_dop853, 0.4) / dense_error(&pw_dop853, 0.2)), 8, 0.9);
  CHECK(dense_error(&pw_dop853, 0.1) < 1e-11);
}

static void dense_joins_smoothly(void) {
  for (int i = 0; i < 2; i++) {
    fixture f;
    fixture_start(&f, methods[i]);
    restart(&f, 0.4);
    CHECK(pw_rk_step(&f.rk, 0.4, 0.1) == PAWL_OK);
    CHECK(pw_rk_dense(&f.rk) == PAWL_OK);
    long calls = f.calls;
    CHECK(pw_rk_dense(&f.rk) == PAWL_OK);
    CHECK_INT(f.calls, calls);
    double y[3], d = 1e-7, x[3];
    pw_rk_eval(&f.rk, 0, y);
    CHECK(memcmp(y, f.rk.y0, sizeof y) == 0);
    pw_rk_eval(&f.rk, d, x);
    CHECK_NEAR((x[2] - y[2]) / (0.1 * d), f.rk.k[2], 1e-6);
    pw_rk_eval(&f.rk, 1, y);
    CHECK(memcmp(y, f.rk.y1, sizeof y) == 0);
    pw_rk_eval(&f.rk, 1 - d, x);
    CHECK_NEAR((y[2] - x[2]) / (0.1 * d), f.rk.k[3 * methods[i]->stages + 2], 1e-6);
    free(f.memory);
  }
}

static double estimate(const pw_rk_method *m, double h, int which) {
  fixture f;
  fixture_start(&f, m);
  restart(&f, 0.4);
  CHECK(pw_rk_step(&f.rk, 0.4, h) == PAWL_OK);
  double e[2][3], norm[2];
  for (int i = 0; i < m->n_error; i++) {
    pw_rk_error(&f.rk, i, e[i]);
    norm[i] = pw_max(pw_max(fabs(e[i][0]), fabs(e[i][1])), fabs(e[i][2]));
  }
  free(f.memory);
  return which < 0 ? pw_rk_error_size(m, norm) : norm[which];
}

static double estimate_order(const pw_rk_method *m, double h, int which) {
  return log2(estimate(m, h, which) / estimate(m, h / 2, which));
}

static void error_estimates(void) {
  CHECK_NEAR(estimate_order(&pw_dp5, 0.02, 0), 5, 0.3);
  CHECK_NEAR(estimate_order(&pw_dop853, 0.2, 0), 6, 0.6);
  CHECK_NEAR(estimate_order(&pw_dop853, 0.2, 1), 4, 0.6);
  CHECK_NEAR(estimate_order(&pw_dop853, 0.2, -1), 8, 1);
}

static void sum_conditions(void) {
  for (int i = 0; i < 2; i++) {
    const pw_rk_method *m = methods[i];
    for (int s = 1; s < m->all; s++) {
      double sum = 0;
      for (int j = 0; j < s; j++) {
        sum += m->a[s * (s - 1) / 2 + j];
      }
      CHECK_NEAR(sum, m->c[s], 2e-14);
    }
    /* Quadrature: sum b_i c_i^(p-1) = 1/p up to the order; error weights integrate to zero. */
    const double *b = m->a + m->stages * (m->stages - 1) / 2;
    for (int p = 1; p <= m->order; p++) {
      double sum = 0;
      for (int j = 0; j < m->stages; j++) {
        sum += b[j] * pow(m->c[j], p - 1);
      }
      CHECK_NEAR(sum, 1.0 / p, 4e-15);
    }
    for (int k = 0; k < m->n_error; k++) {
      int order = i == 0 ? 4 : k == 0 ? 5 : 3;
      for (int p = 1; p <= order; p++) {
        double sum = 0;
        for (int j = 0; j < m->stages + m->error_uses_end; j++) {
          sum += m->e[k][j] * pow(m->c[j], p - 1);
        }
        CHECK_NEAR(sum, 0, 4e-15);
      }
    }
    /* Upper terms of the dense output vanish for constant derivatives. */
    for (int r = 0; r < m->terms - 4; r++) {
      double sum = 0;
      for (int j = 0; j < m->all; j++) {
        sum += m->d[r * m->all + j];
      }
      CHECK_NEAR(sum, 0, 2e-13);
    }
  }
}

CHECK_MAIN({"sum_conditions", sum_conditions}, {"solution_order", solution_order},
           {"dense_order", dense_order}, {"dense_joins_smoothly", dense_joins_smoothly},
           {"error_estimates", error_estimates})
