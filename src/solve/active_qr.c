// SPDX-License-Identifier: MIT
#include "solve/active_qr.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "linalg/dense.h"
#include "solve/columns.h"

static double *column(double *x, int ld, int j) {
  return x + (size_t)j * (size_t)ld;
}

double pw_active_split(const pw_active_qr *f, const double *a, double *t, double *rho,
                       double *work) {
  memcpy(rho, a, (size_t)f->n * sizeof *rho);
  memset(t, 0, (size_t)f->k * sizeof *t);
  for (int pass = 0; pass < 2; pass++) { /* twice is enough (Kahan) */
    pw_columns_dot(f->Q, f->n, f->k, rho, work);
    pw_columns_add(f->Q, f->n, f->k, -1, work, rho);
    pw_axpy(1, work, t, f->k);
  }
  return pw_norm2(rho, f->n);
}

void pw_active_back(const pw_active_qr *f, double *t) {
  for (int j = f->k - 1; j >= 0; j--) {
    const double *r = column(f->R, f->cap, j);
    t[j] /= r[j];
    pw_axpy(-t[j], r, t, j);
  }
}

void pw_active_forward(const pw_active_qr *f, double *t) {
  for (int j = 0; j < f->k; j++) {
    const double *r = column(f->R, f->cap, j);
    t[j] = (t[j] - pw_dot(r, t, j)) / r[j];
  }
}

void pw_active_add(pw_active_qr *f, const double *t, const double *rho, double length) {
  double *r = column(f->R, f->cap, f->k), *q = column(f->Q, f->n, f->k);
  memcpy(r, t, (size_t)f->k * sizeof *r);
  r[f->k] = length;
  for (int i = 0; i < f->n; i++) {
    q[i] = rho[i] / length;
  }
  f->k++;
}

/* Shifts the columns of R, then makes them triangular again by plane rotations of rows i, i+1,
 * applied to the columns of Q as well. */
void pw_active_remove(pw_active_qr *f, int j) {
  for (int col = j; col + 1 < f->k; col++) {
    memcpy(column(f->R, f->cap, col), column(f->R, f->cap, col + 1),
           (size_t)(col + 2) * sizeof(double));
  }
  f->k--;
  for (int i = j; i < f->k; i++) {
    double *r = column(f->R, f->cap, i);
    double length = hypot(r[i], r[i + 1]);
    double c = r[i] / length, s = r[i + 1] / length;
    for (int col = i; col < f->k; col++) {
      double *x = column(f->R, f->cap, col);
      double up = c * x[i] + s * x[i + 1];
      x[i + 1] = c * x[i + 1] - s * x[i];
      x[i] = up;
    }
    double *q = column(f->Q, f->n, i), *p = column(f->Q, f->n, i + 1);
    for (int row = 0; row < f->n; row++) {
      double up = c * q[row] + s * p[row];
      p[row] = c * p[row] - s * q[row];
      q[row] = up;
    }
  }
}
