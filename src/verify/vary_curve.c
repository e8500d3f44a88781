// SPDX-License-Identifier: MIT
/* Between two rows the curve is the polynomial through positions and velocities of the rows around
 * them; an orientation is that of the four polynomials of its quaternion, divided by their length.
 * It is varied to q exp(d w/2), w in the body, certificates (C15). */
#include <math.h>
#include <string.h>

#include "linalg/dense.h"
#include "verify/checker.h"
#include "verify/newton_fit.h"

#include "law/scale_verify.h"

enum { SERIES = 12 }; /* terms of exp for turns far below one */

/* Rows of the window for the interval after row i: both of its ends, and neighbours that are not so
 * near to them that they would only magnify rounding. None: the interval itself is that short. */
static int choose(const pawl_vary *v, int i, int *row) {
  double h = v->window.t[i + 1] - v->window.t[i], last = -INFINITY;
  int n = 0;
  if (h < PW_SCALE(CERT_VARY_CLOSE) * v->longest) {
    return 0;
  }
  for (int k = 0; k < v->window.n_row; k++) {
    bool end = k == i || k == i + 1;
    bool apart = k < i ? v->window.t[i] - v->window.t[k] > h / 20
                       : v->window.t[k] - v->window.t[i + 1] > h / 20;
    if (end || (apart && v->window.t[k] - last > h / 20)) {
      last = v->window.t[k];
      row[n++] = k;
    }
  }
  return n;
}

static void straight(const pawl_vary *v, int i, double t, const double *x, double *value,
                     double *slope) {
  double h = v->window.t[i + 1] - v->window.t[i];
  *slope = (x[i + 1] - x[i]) / h;
  *value = x[i] + (t - v->window.t[i]) * *slope;
}

static void turn_to_length_one(pawl_vary *v, const pw_coord *k) {
  double size = pw_norm2(v->at.q + k->q, 4);
  for (int i = k->q; i < k->q + 4; i++) {
    v->at.q[i] /= size;
    v->at.dq[i] /= size;
    v->at.ddq[i] /= size;
  }
}

void pw_vary_curve(pawl_vary *v, int i, double t) {
  const pw_model *model = v->sys->model;
  int row[PW_VARY_WINDOW], m = choose(v, i, row);
  double at[PW_VARY_WINDOW], x[PW_VARY_WINDOW], dx[PW_VARY_WINDOW];
  for (int k = 0; k < v->sys->nq; k++) {
    const double *q = v->window.q + (size_t)k * PW_VARY_WINDOW,
                 *dq = v->window.dq + (size_t)k * PW_VARY_WINDOW;
    for (int j = 0; j < m; j++) {
      at[j] = v->window.t[row[j]];
      x[j] = q[row[j]];
      dx[j] = dq[row[j]];
    }
    bool state = k >= model->nq; /* a multiplier: its rate is not told */
    if (m > 0) {
      pw_newton_fit(at, x, state ? NULL : dx, m, t, &v->at.q[k], &v->at.dq[k], &v->at.ddq[k]);
    } else {
      double unused;
      straight(v, i, t, q, &v->at.q[k], state ? &v->at.dq[k] : &unused);
      straight(v, i, t, dq, state ? &unused : &v->at.dq[k], &v->at.ddq[k]);
    }
  }
  for (int c = 0; c < model->coords.n; c++) {
    if (model->coords.items[c].is_rotation) {
      turn_to_length_one(v, &model->coords.items[c]);
    }
  }
  pw_motion_error(model, v->at.q, v->at.dq, v->at.u);
  pw_motion_back(model, v->at.q, v->at.dq, v->at.u, v->at.ddq, v->at.a);
}

void pw_vary_between(pawl_vary *v, const pw_variation *x, int i, double t) {
  int row[PW_VARY_WINDOW], m = choose(v, i, row);
  double at[PW_VARY_WINDOW], y[PW_VARY_WINDOW];
  for (int k = 0; k < v->sys->nv; k++) {
    const double *w = x->w + (size_t)k * PW_VARY_WINDOW;
    for (int j = 0; j < m; j++) {
      at[j] = v->window.t[row[j]];
      y[j] = w[row[j]];
    }
    if (m > 0) {
      pw_newton_fit(at, y, NULL, m, t, &v->work.w[k], &v->work.rate[k], NULL);
    } else {
      straight(v, i, t, w, &v->work.w[k], &v->work.rate[k]);
    }
  }
}

/* ---- displacements of orientations ---- */

static void cross(const double *a, const double *b, double *out) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

/* Adds sum over k of (-a x)^k b / (k + lag)!: exp(-a^) b with lag 0, and with lag 1 the velocity in
 * the body of exp(a^) if a' = b. */
static void add_series(const double *a, const double *b, int lag, double *sum) {
  double term[3] = {b[0], b[1], b[2]}, next[3];
  for (int k = 1; k <= SERIES; k++) {
    for (int i = 0; i < 3; i++) {
      sum[i] += term[i];
    }
    cross(term, a, next);
    for (int i = 0; i < 3; i++) {
      term[i] = next[i] / (k + lag);
    }
  }
}

static void displace_turn(pawl_vary *v, const pw_coord *c, double d) {
  double a[3], b[3], *u = v->work.varied_u + c->u;
  for (int i = 0; i < 3; i++) {
    a[i] = d * v->work.w[c->u + i];
    b[i] = d * v->work.rate[c->u + i];
    u[i] = 0;
  }
  add_series(a, v->at.u + c->u, 0, u);
  add_series(a, b, 1, u);
  const double *q = v->at.q + c->q;
  double angle = pw_norm2(a, 3), s = angle > 0 ? sin(angle / 2) / angle : 0.5;
  double r[4] = {cos(angle / 2), s * a[0], s * a[1], s * a[2]}, *out = v->work.varied_q + c->q;
  out[0] = q[0] * r[0] - q[1] * r[1] - q[2] * r[2] - q[3] * r[3];
  out[1] = q[0] * r[1] + q[1] * r[0] + q[2] * r[3] - q[3] * r[2];
  out[2] = q[0] * r[2] - q[1] * r[3] + q[2] * r[0] + q[3] * r[1];
  out[3] = q[0] * r[3] + q[1] * r[2] - q[2] * r[1] + q[3] * r[0];
}

void pw_vary_displace(pawl_vary *v, double d) {
  const pw_model *model = v->sys->model;
  size_t states = (size_t)v->sys->n_state * sizeof *v->at.q; /* multipliers stay what they are */
  memcpy(v->work.varied_q + model->nq, v->at.q + model->nq, states);
  for (int c = 0; c < model->coords.n; c++) {
    const pw_coord *k = &model->coords.items[c];
    if (k->is_rotation) {
      displace_turn(v, k, d);
    } else {
      v->work.varied_q[k->q] = v->at.q[k->q] + d * v->work.w[k->u];
      v->work.varied_u[k->u] = v->at.u[k->u] + d * v->work.rate[k->u];
    }
  }
}

void pw_vary_rate(pawl_vary *v) {
  const pw_model *model = v->sys->model;
  memcpy(v->work.varied_u, v->work.rate, (size_t)v->sys->nv * sizeof *v->work.rate);
  for (int c = 0; c < model->coords.n; c++) {
    const pw_coord *k = &model->coords.items[c];
    if (k->is_rotation) {
      double turned[3];
      cross(v->at.u + k->u, v->work.w + k->u, turned);
      for (int i = 0; i < 3; i++) {
        v->work.varied_u[k->u + i] += turned[i];
      }
    }
  }
}
