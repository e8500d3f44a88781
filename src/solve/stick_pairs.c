// SPDX-License-Identifier: MIT
#include "solve/stick_pairs.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "linalg/dense.h"

int pw_stick_unknowns(int k, const int *normal) {
  int m = k;
  for (int i = 0; i < k; i++) {
    m += normal[i] >= 0;
  }
  return m;
}

static double *entry(double *D, int m, int i, int j) {
  return &D[(size_t)j * (size_t)m + (size_t)i];
}

static const double *column(const pw_stick_rows *p, const double *M, int j) {
  return M + (size_t)j * (size_t)p->n;
}

void pw_stick_assemble(const pw_stick_rows *p, int m, double *D, double *b, double *lo,
                       double *hi) {
  /* rows as they are */
  memset(D, 0, (size_t)m * (size_t)m * sizeof *D);
  for (int i = 0; i < p->k; i++) {
    double sign = p->reversed != NULL && p->reversed[i] ? -1 : 1;
    b[i] = sign * p->z[i];
    lo[i] = p->normal[i] >= 0 ? 0 : p->lo[i];
    hi[i] = p->normal[i] >= 0 ? INFINITY : p->hi[i];
    for (int j = 0; j < p->k; j++) {
      *entry(D, m, i, j) = sign * pw_dot(column(p, p->A, i), column(p, p->B, j), p->n);
    }
  }

  /* the second pair of each row that may stick */
  int extra = p->k;
  for (int t = 0; t < p->k; t++) {
    int contact = p->normal[t];
    if (contact < 0) {
      continue;
    }
    PW_ASSERT(contact < p->k && p->normal[contact] < 0);
    for (int i = 0; i < p->k; i++) {
      *entry(D, m, i, contact) -= p->mu[t] * *entry(D, m, i, t);
    }
    *entry(D, m, t, extra) = 1;
    *entry(D, m, extra, contact) = 2 * p->mu[t];
    *entry(D, m, extra, t) = -1;
    b[extra] = lo[extra] = 0;
    hi[extra++] = INFINITY;
  }
  PW_ASSERT(extra == m);
}

void pw_stick_columns(const pw_stick_rows *p, int m, double *K) {
  size_t size = sizeof *K * (size_t)p->n;
  memcpy(K, p->B, size * (size_t)p->k);
  memset(K + (size_t)p->n * (size_t)p->k, 0, size * (size_t)(m - p->k));
  for (int t = 0; t < p->k; t++) {
    if (p->normal[t] >= 0) {
      pw_axpy(-p->mu[t], column(p, p->B, t), K + (size_t)p->normal[t] * (size_t)p->n, p->n);
    }
  }
}

void pw_stick_result(int k, const double *mu, const int *normal, const double *v, double *lo,
                     double *hi, double *x) {
  for (int i = 0; i < k; i++) {
    x[i] = v[i];
    if (normal[i] >= 0) {
      bool rough = isinf(mu[i]);
      hi[i] = v[normal[i]] > 0 ? mu[i] * v[normal[i]] : 0;
      lo[i] = -hi[i];
      x[i] = rough ? v[i] : v[i] - hi[i];
    }
  }
}
