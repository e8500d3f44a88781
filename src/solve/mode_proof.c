// SPDX-License-Identifier: MIT
#include "solve/mode_proof.h"

#include <float.h>
#include <math.h>

bool pw_conditions_refuted(const pw_conditions_list *p, const double *multiplier, double reach) {
  double gain = 0, terms = 0, loss = 0;
  for (int c = 0; c < p->count; c++) {
    double l = multiplier[c];
    if (!(p->equal[c] || l >= 0)) {
      return false;
    }
    gain += l * p->b[c];
    terms += fabs(l * p->b[c]);
  }
  for (int i = 0; i < p->k; i++) {
    double sum = 0, size = 0;
    for (int c = 0; c < p->count; c++) {
      double term = multiplier[c] * p->a[c * p->k + i];
      sum += term;
      size += fabs(term);
    }
    loss += fabs(sum) + (p->count + 1) * DBL_EPSILON * size;
  }
  return gain - (p->count + 1) * DBL_EPSILON * terms > reach * loss;
}

/* y_i = a_i . B x + z_i; *size grows by what it is a sum of. */
static double rate(const pw_stick_rows *p, const double *x, int i, double *size) {
  double y = p->z[i];
  *size += fabs(y);
  for (int j = 0; j < p->k; j++) {
    double entry = 0;
    for (int c = 0; c < p->n; c++) {
      entry += p->A[i * p->n + c] * p->B[j * p->n + c];
    }
    y += entry * x[j];
    *size += fabs(entry * x[j]);
  }
  return y;
}

double pw_stick_residual(const pw_stick_rows *p, const double *x) {
  double worst = 0, scale = 0;
  for (int i = 0; i < p->k; i++) {
    double size = 0, y = rate(p, x, i, &size), lo = p->lo[i], hi = p->hi[i];
    if (p->normal[i] >= 0) {
      double push = x[p->normal[i]]; /* one that pulls is found by its own row */
      hi = push > 0 ? p->mu[i] * push : 0;
      lo = -hi;
    }
    double at = x[i] - y, onto = at < lo ? lo : at > hi ? hi : at;
    double miss = fabs(x[i] - onto);
    worst = !(miss <= worst) ? miss : worst;
    scale = fmax(scale, fmax(size, fabs(x[i])));
  }
  return worst == 0 ? 0 : worst / scale;
}
