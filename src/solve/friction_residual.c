// SPDX-License-Identifier: MIT
/* The judge of friction solutions: the definition of the problem, contact by contact. */
#include <math.h>

#include "base/real.h"
#include "law/scale_solve.h"
#include "linalg/dense.h"
#include "solve/friction.h"

/* Nearest point to z of the cone |z_T| <= mu z_N, in place. */
static void project_cone(double mu, double *z) {
  double t = hypot(z[1], z[2]);
  if (z[0] >= 0 && t <= mu * z[0]) {
    return;
  }
  if (mu * t <= -z[0]) {
    z[0] = z[1] = z[2] = 0;
    return;
  }
  double edge = (z[0] + mu * t) / (1 + mu * mu); /* NaN comes here and stays */
  z[0] = edge;
  z[1] = t > 0 ? mu * edge * (z[1] / t) : 0;
  z[2] = t > 0 ? mu * edge * (z[2] / t) : 0;
}

static void project_ball(double bound, double *z) {
  double t = pw_norm2(z, 3);
  if (!(t <= bound)) {
    for (int i = 0; i < 3; i++) {
      z[i] *= bound / t;
    }
  }
}

static double distance3(const double *a, const double *b) {
  double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
  return pw_norm2(d, 3);
}

static void check_contact(const pw_contact *c, const double *r, const double *u, double tiny,
                          pw_friction_check *out) {
  double mu = c->dim > 1 ? c->bound : 0, slip = hypot(u[1], u[2]), force = hypot(r[1], r[2]);
  double z[3] = {r[0] - (u[0] + mu * slip), r[1] - u[1], r[2] - u[2]};
  project_cone(mu, z);
  out->residual = pw_max(out->residual, distance3(r, z));
  out->normal = pw_max(out->normal, fabs(pw_min(r[0], u[0])));
  out->cone = pw_max(out->cone, pw_max(-r[0], force - mu * r[0]));
  if (slip > tiny && force > tiny) {
    double along = -(u[1] * r[1] + u[2] * r[2]), across = u[1] * r[2] - u[2] * r[1];
    out->angle = pw_max(out->angle, fabs(atan2(across, along)));
  }
}

static void check_ball(const pw_contact *c, double s, const double *r, const double *u, double tiny,
                       pw_friction_check *out) {
  double z[3] = {r[0] - u[0], r[1] - u[1], r[2] - u[2]}, force = pw_norm2(r, 3);
  project_ball(c->bound * s, z);
  double d = distance3(r, z), slip = pw_norm2(u, 3);
  out->residual = pw_max(out->residual, d);
  out->normal = pw_max(out->normal, d);
  out->cone = pw_max(out->cone, force - c->bound * s);
  if (slip > tiny && force > tiny) {
    double along = -pw_dot(u, r, 3) / (slip * force);
    out->angle = pw_max(out->angle, acos(along > 1 ? 1 : along < -1 ? -1 : along));
  }
}

/* Largest |q_i|; also NaN if a force of an absent row is not zero. */
static double scaled_size(const pw_friction *p, const double *s, const double *r) {
  double size = 0;
  for (int i = 0; i < p->nc; i++) {
    size = pw_max(size, pw_norm2(p->q + 3 * i, 3) / s[i]);
    for (int j = p->contact[i].dim; j < 3; j++) {
      size = r[3 * i + j] == 0 ? size : (double)NAN;
    }
  }
  return size;
}

double pw_friction_residual(const pw_friction *p, const double *r, double *scratch,
                            pw_friction_check *check) {
  double *s = scratch, *u = scratch + p->nc;
  pw_friction_check out = {0};
  pw_friction_scale(p, s);
  pw_friction_velocity(p, r, u);
  out.scale = scaled_size(p, s, r);
  double unit = out.scale > 0 || isnan(out.scale) ? out.scale : 1;
  for (int i = 0; i < p->nc; i++) {
    double a[3], b[3];
    for (int j = 0; j < 3; j++) {
      a[j] = r[3 * i + j] * s[i];
      b[j] = u[3 * i + j] / s[i];
    }
    if (p->contact[i].kind == PW_CONTACT) {
      check_contact(&p->contact[i], a, b, PW_SCALE(NO_FORCE) * unit, &out);
    } else {
      check_ball(&p->contact[i], s[i], a, b, PW_SCALE(NO_FORCE) * unit, &out);
    }
  }
  out.residual /= unit;
  out.normal /= unit;
  out.cone = pw_max(out.cone, 0) / unit;
  if (check != NULL) {
    *check = out;
  }
  return out.residual;
}
