// SPDX-License-Identifier: MIT
#include "solve/friction_prox.h"

#include <math.h>
#include <string.h>

static void set_diagonal(double *dP, double value, int dim) {
  if (dP != NULL) {
    memset(dP, 0, 9 * sizeof *dP);
    for (int i = 0; i < dim; i++) {
      dP[4 * i] = value;
    }
  }
}

static void project_cone(double mu, int dim, double *z, double *dP) {
  double t = dim == 3 ? sqrt(z[1] * z[1] + z[2] * z[2]) : dim == 2 ? fabs(z[1]) : 0;
  if (z[0] >= 0 && t <= mu * z[0]) {
    set_diagonal(dP, 1, mu > 0 ? dim : 1);
    return;
  }
  set_diagonal(dP, 0, dim);
  if (mu * t <= -z[0]) {
    z[0] = z[1] = z[2] = 0;
    return;
  }
  /* P = edge (1, mu d),  dP = (1, mu d)(1, mu d)^T / (1 + mu^2) + mu edge / t (0, I - d d^T) */
  double edge = (z[0] + mu * t) / (1 + mu * mu);
  double d[3] = {0, z[1] / t, dim == 3 ? z[2] / t : 0}, a[3] = {1, mu * d[1], mu * d[2]};
  if (dP != NULL) {
    double round = dim == 3 ? mu * edge / t : 0;
    for (int i = 0; i < dim; i++) {
      for (int j = 0; j < dim; j++) {
        double across = i > 0 && j > 0 ? (i == j ? 1 : 0) - d[i] * d[j] : 0;
        dP[3 * i + j] = a[i] * a[j] / (1 + mu * mu) + round * across;
      }
    }
  }
  for (int i = 0; i < 3; i++) {
    z[i] = edge * a[i];
  }
}

static void project_ball(double bound, int dim, double *z, double *dP) {
  double t = dim == 1 ? fabs(z[0]) : sqrt(z[0] * z[0] + z[1] * z[1] + z[2] * z[2]);
  if (t <= bound) {
    set_diagonal(dP, 1, dim);
    return;
  }
  double f = bound / t;
  for (int i = 0; i < dim && dP != NULL; i++) {
    for (int j = 0; j < dim; j++) {
      dP[3 * i + j] = dim == 1 ? 0 : f * ((i == j ? 1 : 0) - z[i] * z[j] / (t * t));
    }
  }
  for (int i = 0; i < 3; i++) {
    z[i] *= f;
  }
}

void pw_contact_project(const pw_contact *c, double unit, double *z, double *dP) {
  for (int i = c->dim; i < 3; i++) {
    z[i] = 0;
  }
  if (dP != NULL) {
    memset(dP, 0, 9 * sizeof *dP);
  }
  if (c->kind == PW_CONTACT) {
    project_cone(c->bound, c->dim, z, dP);
  } else {
    project_ball(c->bound * unit, c->dim, z, dP);
  }
}
