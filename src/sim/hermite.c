// SPDX-License-Identifier: MIT
/* Table for steps that are not those of a Runge-Kutta method: the dense output is the cubic with
 * the values and slopes of both ends; the size of the steps is given, so there is no estimate. */
#include "sim/rk.h"
#include "sim/step.h"

static const double c[2] = {0, 1}, a[1] = {1}, e[2] = {0, 0};

const pw_rk_method pw_hermite = {
    .order = 2,
    .stages = 1,
    .all = 2,
    .terms = 4,
    .c = c,
    .a = a,
    .n_error = 1,
    .error_terms = 1,
    .e = {e, NULL},
    .error_order = 3,
    .shrink = 0.2,
    .grow = 1,
};

void pw_chord_draw(pw_rk *rk) {
  double *end = rk->k + (ptrdiff_t)rk->method->stages * rk->n;
  for (int i = 0; i < rk->n; i++) {
    rk->k[i] = end[i] = rk->h > 0 ? (rk->y1[i] - rk->y0[i]) / rk->h : 0;
  }
  rk->has_end = true;
}

pawl_status pw_chord_between(const pw_stepper *s, pw_rk *rk) {
  double part = rk->h / s->rk.h;
  for (int i = 0; i < s->n; i++) {
    rk->y1[i] = rk->y0[i] + part * (s->y[i] - rk->y0[i]);
  }
  pw_chord_draw(rk);
  return PAWL_OK;
}
