// SPDX-License-Identifier: MIT
#include "solve/nsgs.h"

#include <math.h>
#include <string.h>

#include "base/real.h"
#include "linalg/dense.h"
#include "solve/contact_exact.h"
#include "solve/friction_prox.h"

/* b = q_i + sum over the other contacts; returns the diagonal block. */
static const double *free_velocity(const pw_friction *p, int i, const double *r, double *b) {
  const double *own = NULL;
  double x = p->q[3 * i], y = p->q[3 * i + 1], z = p->q[3 * i + 2];
  for (int k = p->start[i]; k < p->start[i + 1]; k++) {
    const double *w = p->W + 9 * (size_t)k, *f = r + 3 * p->col[k];
    if (p->col[k] == i) {
      own = w;
      continue;
    }
    x += w[0] * f[0] + w[1] * f[1] + w[2] * f[2];
    y += w[3] * f[0] + w[4] * f[1] + w[5] * f[2];
    z += w[6] * f[0] + w[7] * f[1] + w[8] * f[2];
  }
  b[0] = x;
  b[1] = y;
  b[2] = z;
  return own;
}

/* The contact alone has no solution (its block is singular or the paradox of Painleve): a proximal
 * step, A + unit I with the old force as centre, and if that fails a projection step. */
static void damped_step(const pw_contact *c, const double *A, const double *b, double unit,
                        double *r) {
  double H[9], g[3];
  memcpy(H, A, sizeof H);
  for (int i = 0; i < c->dim; i++) {
    H[4 * i] += unit;
    g[i] = b[i] - unit * r[i];
  }
  for (int i = c->dim; i < 3; i++) {
    g[i] = 0;
  }
  if (pw_contact_closest(c, H, g, r)) {
    return;
  }
  double u[3];
  pw_gemv_t(A, 3, 3, r, u); /* row-major */
  for (int i = 0; i < 3; i++) {
    r[i] -= (u[i] + b[i]) / unit;
  }
  if (c->kind == PW_CONTACT && c->dim > 1) {
    r[0] -= c->bound * hypot(u[1] + b[1], u[2] + b[2]) / unit;
  }
  pw_contact_project(c, 1, r, NULL);
}

static double contact_step(const pw_friction *p, int i, double *r, int *stuck) {
  double b[3], old[3];
  const pw_contact *c = &p->contact[i];
  const double *A = free_velocity(p, i, r, b);
  double unit = (fabs(A[0]) + fabs(A[4]) + fabs(A[8])) / c->dim;
  memcpy(old, r + 3 * i, sizeof old);
  if (!pw_contact_closest(c, A, b, r + 3 * i)) {
    damped_step(c, A, b, unit > 0 ? unit : 1, r + 3 * i);
    (*stuck)++;
  }
  double d[3] = {r[3 * i] - old[0], r[3 * i + 1] - old[1], r[3 * i + 2] - old[2]};
  return pw_norm2(d, 3) * (unit > 0 ? sqrt(unit) : 1);
}

pw_outcome pw_nsgs(const pw_friction *p, const pw_nsgs_opts *opts, double *r, pw_nsgs_info *info) {
  int most = opts->sweeps > 0 ? opts->sweeps : 20;
  *info = (pw_nsgs_info){.change = (double)NAN};
  while (info->sweeps < most) {
    info->sweeps++;
    info->change = 0;
    info->stuck = 0;
    for (int i = 0; i < p->nc; i++) {
      info->change = pw_max(info->change, contact_step(p, i, r, &info->stuck));
    }
    if (!isfinite(info->change)) {
      return PW_BREAKDOWN;
    }
    if (info->change <= opts->tol && info->stuck == 0) {
      return PW_SOLVED;
    }
  }
  return PW_MAX_ITER;
}
