// SPDX-License-Identifier: MIT
/* Rows too far apart to show a motion may agree with another one, or with none: those of a swing
 * that are a period apart stand still while they move. What the forces do on the way from a row on
 * tells, by the acceleration and its rate there: certificates (C27). */
#include <math.h>

#include "base/real.h"
#include "law/scale_verify.h"
#include "linalg/dense.h"
#include "verify/estimate.h"

/* Turns by a radian and more. */
static bool turns(const pawl_certifier *c, const pw_row_view *row, double dt) {
  const pw_model *m = c->sys->model;
  bool far = false;
  for (int k = 0; k < m->coords.n; k++) {
    const double *W = row->u + m->coords.items[k].u;
    far = far || (m->coords.items[k].is_rotation && hypot(hypot(W[0], W[1]), W[2]) * dt > 1);
  }
  return far;
}

/* Rows with fewer steps of the integration between them show all that happens. Rows whose steps are
 * not known must show their motion themselves. */
bool pw_verify_resolves(pawl_certifier *c, const pw_row_view *row, double dt) {
  if (!(c->opts.steps >= PW_SCALE(CERT_FEW_STEPS))) {
    return true;
  }
  int nv = c->sys->nv, nq = c->sys->nq;
  double *a = c->room.moved, *later = a + nv, *u = later + nv, *q = u + nv;

  /* The acceleration of the model here. */
  if (turns(c, row, dt) || !pw_model_acceleration(c, row, a)) {
    return false;
  }

  /* A probing step: a small part of dt, and a small part of the length of the motion. */
  double speed = c->probe.fast, force = pw_verify_size(&c->probe, a);
  double way = PW_SCALE(CERT_RESOLVE_WAY) * c->scale.L0;
  double step = speed > 0 ? pw_min(PW_SCALE(CERT_RESOLVE_TIME) * dt, way / speed) : 0, rate = 0;

  /* The rate of the acceleration, from the model a step later. */
  if (step > 0) {
    for (int i = 0; i < nq; i++) {
      q[i] = row->q[i] + (i < c->sys->model->nq ? step * row->v[i] : 0);
    }
    for (int i = 0; i < nv; i++) {
      u[i] = row->u[i] + step * a[i];
    }
    pw_row_view moved = {row->t + step, q, row->v, u, row->force, 0, 0};
    if (!pw_model_acceleration(c, &moved, later)) {
      return false;
    }
    for (int i = 0; i < nv; i++) {
      later[i] -= a[i];
    }
    rate = pw_verify_size(&c->probe, later) / step;
  }

  /* Between the rows the velocity changes by no more than the largest speed examined. */
  return dt * force + dt * dt * rate <= c->scale.swift;
}
