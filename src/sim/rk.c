// SPDX-License-Identifier: MIT
/* The kernel of explicit Runge-Kutta methods given as tables (Hairer, Norsett and Wanner, Solving
 * Ordinary Differential Equations I, II.5 and II.6). */
#include "sim/rk.h"

#include <math.h>
#include <string.h>

#include "linalg/dense.h"

size_t pw_rk_size(const pw_rk_method *method, int n) {
  return (size_t)(method->all + method->terms + 3) * (size_t)n;
}

void pw_rk_init(pw_rk *rk, const pw_rk_method *method, int n, double *memory, pw_rk_rhs f,
                void *ctx) {
  *rk = (pw_rk){.method = method, .n = n, .f = f, .ctx = ctx};
  rk->y0 = memory;
  rk->y1 = rk->y0 + n;
  rk->stage = rk->y1 + n;
  rk->k = rk->stage + n;
  rk->r = rk->k + (ptrdiff_t)method->all * n;
}

/* out = sum_j c_j k_j over the first m stages. */
static void combine(const pw_rk *rk, const double *c, int m, double *out) {
  memset(out, 0, (size_t)rk->n * sizeof *out);
  for (int j = 0; j < m; j++) {
    if (c[j] != 0) {
      pw_axpy(c[j], rk->k + (ptrdiff_t)j * rk->n, out, rk->n);
    }
  }
}

/* The argument of stage s: y0 + h sum_(j<s) a_sj k_j. */
static void argument(const pw_rk *rk, int s, double *out) {
  combine(rk, rk->method->a + s * (s - 1) / 2, s, out);
  for (int i = 0; i < rk->n; i++) {
    out[i] = rk->y0[i] + rk->h * out[i];
  }
}

static pawl_status evaluate(pw_rk *rk, int s) {
  argument(rk, s, rk->stage);
  return rk->f(rk->ctx, rk->t + rk->method->c[s] * rk->h, rk->stage, rk->k + (ptrdiff_t)s * rk->n);
}

/* theory (29) */
pawl_status pw_rk_advance(pw_rk *rk, double t, double h) {
  rk->t = t;
  rk->h = h;
  rk->has_end = rk->has_dense = false;
  if (rk->map != NULL) {
    return rk->map(rk->map_ctx, rk);
  }
  for (int s = 1; s < rk->method->stages; s++) {
    pawl_status status = evaluate(rk, s);
    if (status != PAWL_OK) {
      return status;
    }
  }
  argument(rk, rk->method->stages, rk->y1);
  return PAWL_OK;
}

pawl_status pw_rk_step(pw_rk *rk, double t, double h) {
  pawl_status status = pw_rk_advance(rk, t, h);
  bool finishes = rk->method->error_uses_end && rk->map == NULL;
  return status == PAWL_OK && finishes ? pw_rk_finish(rk) : status;
}

pawl_status pw_rk_finish(pw_rk *rk) {
  if (rk->has_end) {
    return PAWL_OK;
  }
  pawl_status status =
      rk->f(rk->ctx, rk->t + rk->h, rk->y1, rk->k + (ptrdiff_t)rk->method->stages * rk->n);
  rk->has_end = status == PAWL_OK;
  return status;
}

/* theory (30) */
void pw_rk_error(const pw_rk *rk, int i, double *error) {
  const pw_rk_method *m = rk->method;
  combine(rk, m->e[i], m->stages + m->error_uses_end, error);
  for (int j = 0; j < rk->n; j++) {
    error[j] *= rk->h;
  }
}

double pw_rk_error_size(const pw_rk_method *method, const double *norm) {
  if (method->n_error == 1 || norm[0] == 0) {
    return norm[0];
  }
  /* e5^2 / sqrt(e5^2 + 0.01 e3^2) behaves like h^8 when both are small. */
  double ratio = 0.1 * norm[1] / norm[0];
  return norm[0] / sqrt(1 + ratio * ratio);
}

pawl_status pw_rk_dense(pw_rk *rk) {
  if (rk->has_dense) {
    return PAWL_OK;
  }
  const pw_rk_method *m = rk->method;
  pawl_status status = pw_rk_finish(rk);
  for (int s = m->stages + 1; s < m->all && status == PAWL_OK; s++) {
    status = evaluate(rk, s);
  }
  if (status != PAWL_OK) {
    return status;
  }
  int n = rk->n;
  double *r = rk->r;
  const double *k_end = rk->k + (ptrdiff_t)m->stages * n;
  for (int i = 0; i < n; i++) {
    double rise = rk->y1[i] - rk->y0[i];
    double bend = rk->h * rk->k[i] - rise;
    r[i] = rk->y0[i];
    r[n + i] = rise;
    r[2 * n + i] = bend;
    r[3 * n + i] = rise - rk->h * k_end[i] - bend;
  }
  for (int j = 4; j < m->terms; j++) {
    double *row = r + (ptrdiff_t)j * n;
    combine(rk, m->d + (ptrdiff_t)(j - 4) * m->all, m->all, row);
    for (int i = 0; i < n; i++) {
      row[i] *= rk->h;
    }
  }
  rk->has_dense = true;
  return PAWL_OK;
}

/* theory (31): y = r0 + x (r1 + (1-x) (r2 + x (r3 + (1-x) (r4 + ...)))) */
void pw_rk_eval(const pw_rk *rk, double theta, double *y) {
  int n = rk->n, last = rk->method->terms - 1;
  if (theta == 0 || theta == 1) {
    memcpy(y, theta == 0 ? rk->y0 : rk->y1, (size_t)n * sizeof *y);
    return;
  }
  memcpy(y, rk->r + (ptrdiff_t)last * n, (size_t)n * sizeof *y);
  for (int j = last - 1; j >= 0; j--) {
    double x = j % 2 == 0 ? theta : 1 - theta;
    const double *row = rk->r + (ptrdiff_t)j * n;
    for (int i = 0; i < n; i++) {
      y[i] = row[i] + x * y[i];
    }
  }
}
