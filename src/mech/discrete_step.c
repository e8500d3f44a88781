// SPDX-License-Identifier: MIT
/* A step of a discrete Lagrangian between q0 and q1: its midpoint m, mean velocity v, and what a
 * variation of either end does to h L(m, v).
 *
 * Coordinates: m = q0 + h/2 v, q1 = m + h/2 v. Rotations, stepping (T11): m = q0 o c(a) and
 * q1 = m o c(a) with a = h v/4 and Cayley's map, the unit quaternion c(a) along (1, a). Body-fixed
 * displacements w of the ends, z of m and b of a are related by
 *   w1 = E^T z + 2 (b - a x b)/(1 + |a|^2),   w0 = E z - 2 (b + a x b)/(1 + |a|^2),
 * E the matrix of c(a), with (1 + |a|^2) E = A(a). What h (f.z + p.dv) is of w1 and w0,
 * p1.w1 - p0.w0, has polynomials in a:
 *   p0 = A(a) p - h/2 (f + a x f),   p1 = A(-a) p + h/2 (f - a x f),
 *   A(a) p = (1 - |a|^2) p + 2 a x p + 2 (a.p) a. */
#include <string.h>

#include "linalg/dense.h"
#include "mech/discrete.h"
#include "mech/work.h"

static void cross(const double *a, const double *b, double *out) {
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    out[i] = a[j] * b[k] - a[k] * b[j];
  }
}

/* q <- q o c(a), of length 1 */
static void turn(double *q, const double *a) {
  double by[4], length = 0;
  pw_quaternion_rate(q, a, by); /* q o (0, a)/2 */
  for (int i = 0; i < 4; i++) {
    q[i] += 2 * by[i];
    length = hypot(length, q[i]);
  }
  for (int i = 0; i < 4; i++) {
    q[i] /= length;
  }
}

void pw_discrete_go(const pw_discrete *d, const double *q0, const double *v, double h, int halves,
                    double *q) {
  const pw_system *s = d->mech->sys;
  memcpy(q, q0, (size_t)s->nq * sizeof *q);
  for (int c = 0; c < s->model->coords.n; c++) {
    const pw_coord *k = &s->model->coords.items[c];
    if (!k->is_rotation) {
      q[k->q] += halves * (h / 2) * v[k->u];
      continue;
    }
    double a[3] = {h / 4 * v[k->u], h / 4 * v[k->u + 1], h / 4 * v[k->u + 2]};
    for (int i = 0; i < halves; i++) {
      turn(q + k->q, a);
    }
  }
}

/* A(a) p - h/2 (f + a x f) */
static void ends_of_rotation(double h, const double *a, const double *p, const double *f,
                             double *out) {
  double ap[3], af[3], along = pw_dot(a, p, 3), square = pw_dot(a, a, 3);
  cross(a, p, ap);
  cross(a, f, af);
  for (int i = 0; i < 3; i++) {
    out[i] = (1 - square) * p[i] + 2 * (ap[i] + along * a[i]) - h / 2 * (f[i] + af[i]);
  }
}

void pw_discrete_ends(const pw_discrete *d, double h, const double *v, double *p) {
  const pw_model *m = d->mech->sys->model;
  for (int c = 0; c < m->coords.n; c++) {
    const pw_coord *k = &m->coords.items[c];
    if (k->is_rotation) {
      double a[3] = {h / 4 * v[k->u], h / 4 * v[k->u + 1], h / 4 * v[k->u + 2]};
      ends_of_rotation(h, a, d->p + k->u, d->push + k->u, p + k->u);
    } else {
      p[k->u] = d->p[k->u] - h / 2 * d->push[k->u];
    }
  }
}

/* ---- derivatives ---- */

/* Change of m, as velocities: of a rotation z = 2 (b - a x b)/(1 + |a|^2) with b = h dv/4. */
static void move_middle(const pw_discrete *d, double h, const double *v, const double *dv,
                        double *jet) {
  const pw_system *s = d->mech->sys;
  const double *q = d->in + s->offset[PW_VAR_Q];
  double *jet_q = jet + 2 * s->offset[PW_VAR_Q], *jet_u = jet + 2 * s->offset[PW_VAR_U];
  for (int c = 0; c < s->model->coords.n; c++) {
    const pw_coord *k = &s->model->coords.items[c];
    if (!k->is_rotation) {
      jet_q[2 * k->q + 1] = h / 2 * dv[k->u];
      jet_u[2 * k->u + 1] = dv[k->u];
      continue;
    }
    double z[3], dq[4], w = 1;
    cross(v + k->u, dv + k->u, z);
    for (int i = 0; i < 3; i++) {
      z[i] = h / 2 * (dv[k->u + i] - h / 4 * z[i]);
      w += h / 4 * v[k->u + i] * h / 4 * v[k->u + i];
      jet_u[2 * (k->u + i) + 1] = dv[k->u + i];
    }
    pw_quaternion_rate(q + k->q, z, dq);
    for (int i = 0; i < 4; i++) {
      jet_q[2 * (k->q + i) + 1] = dq[i] / w;
    }
  }
}

/* dp += dA p - h/2 b x f: what a change b of a adds. */
static void along_rotation(double h, const double *a, const double *b, const double *p,
                           const double *f, double *dp) {
  double bp[3], bf[3], ab = pw_dot(a, b, 3), ap = pw_dot(a, p, 3), of = pw_dot(b, p, 3);
  cross(b, p, bp);
  cross(b, f, bf);
  for (int i = 0; i < 3; i++) {
    dp[i] += 2 * (bp[i] - ab * p[i] + of * a[i] + ap * b[i]) - h / 2 * bf[i];
  }
}

void pw_discrete_along(pw_discrete *d, double h, const double *v, const double *dv, double *dp) {
  const pw_system *s = d->mech->sys;
  for (int i = 0; i < s->n_in; i++) {
    d->jet[2 * i] = d->in[i];
    d->jet[2 * i + 1] = 0;
  }
  move_middle(d, h, v, dv, d->jet);
  pw_tape_jet(s->tape.momentum, 1, d->jet, d->work, d->jet_out);
  const double *p = d->jet_out, *f = p + 2 * s->nv;
  for (int c = 0; c < s->model->coords.n; c++) {
    const pw_coord *k = &s->model->coords.items[c];
    int u = k->u;
    if (!k->is_rotation) {
      dp[u] = p[2 * u + 1] - h / 2 * f[2 * u + 1];
      continue;
    }
    double a[3], b[3], change_p[3], change_f[3];
    for (int i = 0; i < 3; i++) {
      a[i] = h / 4 * v[u + i];
      b[i] = h / 4 * dv[u + i];
      change_p[i] = p[2 * (u + i) + 1];
      change_f[i] = f[2 * (u + i) + 1];
    }
    ends_of_rotation(h, a, change_p, change_f, dp + u);
    along_rotation(h, a, b, d->p + u, d->push + u, dp + u);
  }
}
