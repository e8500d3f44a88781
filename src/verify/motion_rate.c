// SPDX-License-Identifier: MIT
/* Positions and velocities: q' = u, and for rotations q' = q o (0, W)/2 with the angular velocity W
 * in the body, so that W = 2 conj(q) o q' and W' = 2 conj(q) o (q'' - q' o (0, W)/2). */
#include <math.h>
#include <string.h>

#include "base/real.h"
#include "linalg/dense.h"
#include "verify/checker.h"

static void product(const double *a, const double *b, double *out) {
  double w = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
  double x = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
  double y = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
  double z = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
  out[0] = w;
  out[1] = x;
  out[2] = y;
  out[3] = z;
}

/* q o (0, W) / 2 */
static void turn(const double *q, const double *W, double *out) {
  double pure[4] = {0, W[0] / 2, W[1] / 2, W[2] / 2};
  product(q, pure, out);
}

/* Vector part of 2 conj(q) o x. */
static void turn_back(const double *q, const double *x, double *W) {
  double conj[4] = {q[0], -q[1], -q[2], -q[3]}, out[4];
  product(conj, x, out);
  for (int i = 0; i < 3; i++) {
    W[i] = 2 * out[i + 1];
  }
}

void pw_motion_rate(const pw_model *m, const double *q, const double *u, double *v) {
  for (int c = 0; c < m->coords.n; c++) {
    const pw_coord *k = &m->coords.items[c];
    if (k->is_rotation) {
      turn(q + k->q, u + k->u, v + k->q);
    } else {
      v[k->q] = u[k->u];
    }
  }
}

void pw_motion_back(const pw_model *m, const double *q, const double *v, const double *u,
                    const double *second, double *a) {
  for (int c = 0; c < m->coords.n; c++) {
    const pw_coord *k = &m->coords.items[c];
    if (k->is_rotation) {
      double part[4];
      turn(v + k->q, u + k->u, part);
      for (int i = 0; i < 4; i++) {
        part[i] = second[k->q + i] - part[i];
      }
      turn_back(q + k->q, part, a + k->u);
    } else {
      a[k->u] = second[k->q];
    }
  }
}

void pw_motion_seen(const pw_model *m, const double *from, const pw_row_view *row, double *a) {
  for (int c = 0; c < m->coords.n; c++) {
    const pw_coord *k = &m->coords.items[c];
    if (k->is_rotation) {
      double part[4], more[4];
      turn(row->v + k->q, row->u + k->u, part);
      turn(row->q + k->q, a + k->u, more);
      for (int i = 0; i < 4; i++) {
        part[i] += more[i];
      }
      turn_back(from + k->q, part, a + k->u);
    }
  }
}

void pw_motion_error(const pw_model *m, const double *q, const double *dv, double *du) {
  for (int c = 0; c < m->coords.n; c++) {
    const pw_coord *k = &m->coords.items[c];
    if (k->is_rotation) {
      turn_back(q + k->q, dv + k->q, du + k->u);
    } else {
      du[k->u] = dv[k->q];
    }
  }
}

void pw_motion_middle(const pw_system *s, const pw_row_view *a, const pw_row_view *b, double *q,
                      double *v, double *u) {
  const pw_model *m = s->model;
  double dt = b->t - a->t;
  memcpy(q, a->q, (size_t)s->nq * sizeof *q);
  for (int k = 0; k < m->coords.n; k++) {
    const pw_coord *z = &m->coords.items[k];
    double size = 0;
    for (int i = z->q; i < z->q + (z->is_rotation ? 4 : 1); i++) {
      q[i] = (a->q[i] + b->q[i]) / 2 + dt * (a->v[i] - b->v[i]) / 8;
      v[i] = 1.5 * (b->q[i] - a->q[i]) / dt - (a->v[i] + b->v[i]) / 4;
      size += q[i] * q[i];
    }
    for (int i = 0; z->is_rotation && size > 0 && i < 4; i++) {
      q[z->q + i] /= sqrt(size);
    }
  }
  pw_motion_error(m, q, v, u);
}

double pw_motion_miss(const pw_model *m, const double *mass, const pw_row_view *a,
                      const pw_row_view *b, double *turn) {
  double dt = b->t - a->t, off = 0, change = 0;
  for (int k = 0; k < m->coords.n; k++) {
    const pw_coord *x = &m->coords.items[k];
    for (int i = x->q; i < x->q + (x->is_rotation ? 4 : 1); i++) {
      double d = mass[x->u] * (b->q[i] - a->q[i] - dt * (a->v[i] + b->v[i]) / 2);
      double e = mass[x->u] * (b->v[i] - a->v[i]);
      off += d * d;
      change += e * e;
    }
  }
  *turn = sqrt(change);
  return sqrt(off);
}

void pw_motion_into_body(const pw_model *m, const double *q, double *u) {
  for (int c = 0; c < m->coords.n; c++) {
    const pw_coord *k = &m->coords.items[c];
    if (k->is_rotation) {
      double W[3];
      pw_mech_into_body(q + k->q, u + k->u, W);
      for (int i = 0; i < 3; i++) {
        u[k->u + i] = W[i];
      }
    }
  }
}

double pw_motion_unit(const pw_model *m, double *q) {
  double most = 0;
  for (int k = 0; k < m->coords.n; k++) {
    const pw_coord *x = &m->coords.items[k];
    double size = x->is_rotation ? pw_norm2(q + x->q, 4) : 0;
    most = size > 0 ? pw_max(most, fabs(size * size - 1)) : most;
    for (int i = x->q; size > 0 && i < x->q + 4; i++) {
      q[i] /= size;
    }
  }
  return most;
}
