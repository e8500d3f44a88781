// SPDX-License-Identifier: MIT
/* The kernel of explicit Runge-Kutta methods given as tables (Hairer, Norsett and Wanner, Solving
 * Ordinary Differential Equations I, II.5 and II.6). */
#include "sim/rk.h"

#include <math.h>
#include <string.h>

#include "law/scale_sim.h"
#include "linalg/dense.h"

size_t pw_rk_size(const pw_rk_method *method, int n) {
  return (size_t)(method->all + method->terms + 3) * (size_t)n;
}

void pw_rk_init(pw_rk *rk, const pw_rk_method *method, int n, double *memory, pw_rk_rhs f,
                void *ctx) {
  *rk = (pw_rk){.method = method, .n = n, .reads = n, .f = f, .inner = f, .ctx = ctx};
  rk->y0 = memory;
  rk->y1 = rk->y0 + n;
  rk->stage = rk->y1 + n;
  rk->k = rk->stage + n;
  rk->r = rk->k + (ptrdiff_t)method->all * n;
}

void pw_rk_change(pw_rk *rk, const pw_rk_method *method) {
  rk->method = method;
  rk->r = rk->k + (ptrdiff_t)method->all * rk->n;
  rk->has_end = rk->has_dense = false;
}

/* The compiler sees the number of terms and writes the loops over them out. */
#define FIXED static inline __attribute__((always_inline))

/* Long tables are half zeros, short ones have one: there a test costs more than a product. */
enum { SHORT_TABLE = 7 };

/* y + h sum_j c_j k_j of `width` components, which stay in registers; y == NULL: without y. The
 * terms of each keep their order. */
FIXED void sum_of(const pw_rk *rk, const double *c, int m, int i, int width, const double *y,
                  double h, double *out) {
  const double *k = rk->k + i;
  double s[4] = {0, 0, 0, 0};
  for (int j = 0; j < m; j++, k += rk->n) {
    if (m <= SHORT_TABLE || c[j] != 0) {
      for (int l = 0; l < width; l++) {
        s[l] += c[j] * k[l];
      }
    }
  }
  for (int l = 0; l < width; l++) {
    out[i + l] = y == NULL ? h * s[l] : y[i + l] + h * s[l];
  }
}

FIXED void sums(const pw_rk *rk, const double *c, int m, int count, const double *y, double h,
                double *out) {
  int i = 0;
  for (; i + 4 <= count; i += 4) {
    sum_of(rk, c, m, i, 4, y, h, out);
  }
  if (i + 2 <= count) {
    sum_of(rk, c, m, i, 2, y, h, out);
    i += 2;
  }
  if (i < count) {
    sum_of(rk, c, m, i, 1, y, h, out);
  }
}

/* out = y + h sum_j c_j k_j over the first m stages, of the first `count` components. */
FIXED void combine(const pw_rk *rk, const double *c, int m, int count, const double *y, double h,
                   double *out) {
  switch (m) {
  case 1: sums(rk, c, 1, count, y, h, out); break;
  case 2: sums(rk, c, 2, count, y, h, out); break;
  case 3: sums(rk, c, 3, count, y, h, out); break;
  case 4: sums(rk, c, 4, count, y, h, out); break;
  case 5: sums(rk, c, 5, count, y, h, out); break;
  case 6: sums(rk, c, 6, count, y, h, out); break;
  case 7: sums(rk, c, 7, count, y, h, out); break;
  default: sums(rk, c, m, count, y, h, out); break;
  }
}

/* out = h sum_j c_j k_j over the first m stages. */
static void weigh(const pw_rk *rk, const double *c, int m, double h, double *out) {
  combine(rk, c, m, rk->n, NULL, h, out);
}

/* The argument of stage s: y0 + h sum_(j<s) a_sj k_j. */
static void argument(const pw_rk *rk, int s, int count, double *out) {
  combine(rk, rk->method->a + s * (s - 1) / 2, s, count, rk->y0, rk->h, out);
}

/* The last stage before the error estimate leaves sizes and forces behind for it. */
static pawl_status evaluate(pw_rk *rk, int s) {
  const pw_rk_method *m = rk->method;
  bool last = s == m->stages - 1 && !m->error_uses_end;
  argument(rk, s, rk->reads, rk->stage);
  return (last ? rk->f : rk->inner)(rk->ctx, rk->t + m->c[s] * rk->h, rk->stage,
                                    rk->k + (ptrdiff_t)s * rk->n);
}

/* theory (29) */
pawl_status pw_rk_advance(pw_rk *rk, double t, double h) {
  rk->t = t;
  rk->h = h;
  rk->has_end = rk->has_dense = false;
  if (rk->map != NULL) {
    return rk->map(rk->map_ctx, rk);
  }
  int first = rk->stages == NULL ? 1 : rk->stages(rk->ctx, rk);
  for (int s = first; s < rk->method->stages; s++) {
    pawl_status status = evaluate(rk, s);
    if (status != PAWL_OK) {
      return status;
    }
  }
  if (first <= rk->method->stages) {
    argument(rk, rk->method->stages, rk->n, rk->y1);
  }
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
  weigh(rk, m->e[i], m->error_terms, rk->h, error);
}

double pw_rk_error_size(const pw_rk_method *method, const double *norm) {
  if (method->n_error == 1 || norm[0] == 0) {
    return norm[0];
  }
  /* e5^2 / sqrt(e5^2 + 0.01 e3^2) behaves like h^8 when both are small. */
  double ratio = 0.1 * norm[1] / norm[0];
  return norm[0] / sqrt(1 + ratio * ratio);
}

/* Hairer, Norsett and Wanner, IV.2 (2.22): h |f(y1) - f(Y)| / |y1 - Y| with Y the last stage. */
double pw_rk_stiffness(const pw_rk *rk, int from, int count, const double *weight) {
  const pw_rk_method *m = rk->method;
  int last = m->stages - 1;
  const double *a = m->a + last * (last - 1) / 2, *b = m->a + m->stages * last / 2;
  double up = 0, down = 0;
  for (int i = from; i < from + count; i++) {
    const double *k = rk->k + i;
    double apart = b[last] * k[(ptrdiff_t)last * rk->n], w = weight[i - from];
    for (int j = 0; j < last; j++) {
      apart += (b[j] - a[j]) * k[(ptrdiff_t)j * rk->n];
    }
    double turn = k[(ptrdiff_t)m->stages * rk->n] - k[(ptrdiff_t)last * rk->n];
    up += w > 0 ? turn * turn / (w * w) : 0;
    down += w > 0 ? apart * apart / (w * w) : 0;
  }
  double seen = PW_SCALE(STIFFNESS_SEEN);
  return down * rk->h * rk->h > seen * seen ? sqrt(up / down) / m->stable : 0;
}

pawl_status pw_rk_dense(pw_rk *rk) {
  if (rk->has_dense) {
    return PAWL_OK;
  }
  const pw_rk_method *m = rk->method;
  pawl_status status = pw_rk_finish(rk);
  for (int s = m->stages + 1; m->a != NULL && s < m->all && status == PAWL_OK; s++) {
    status = evaluate(rk, s);
  }
  if (status != PAWL_OK) {
    return status;
  }

  /* slopes at the ends: those of f, or of the polynomial of the method */
  int n = rk->n;
  double *r = rk->r;
  const double *k_start = rk->k, *k_end = rk->k + (ptrdiff_t)m->stages * n;
  if (m->slope != NULL) {
    weigh(rk, m->slope, m->all, 1, r + 2 * n);
    weigh(rk, m->slope + m->all, m->all, 1, r + 3 * n);
    k_start = r + 2 * n;
    k_end = r + 3 * n;
  }

  /* the cubic, then what the method adds to it, theory (31) */
  for (int i = 0; i < n; i++) {
    double rise = rk->y1[i] - rk->y0[i];
    double bend = rk->h * k_start[i] - rise;
    r[i] = rk->y0[i];
    r[n + i] = rise;
    r[2 * n + i] = bend;
    r[3 * n + i] = rise - rk->h * k_end[i] - bend;
  }
  for (int j = 4; j < m->terms; j++) {
    weigh(rk, m->d + (ptrdiff_t)(j - 4) * m->all, m->all, rk->h, r + (ptrdiff_t)j * n);
  }
  rk->has_dense = true;
  return PAWL_OK;
}

/* The last four may overlap those before: they become the same numbers again. */
static int next_four(int i, int n) {
  return i + 8 <= n || i + 4 == n ? i + 4 : n - 4;
}

/* theory (31): y = r0 + x (r1 + (1-x) (r2 + x (r3 + (1-x) (r4 + ...)))) */
void pw_rk_eval(const pw_rk *rk, double theta, double *y) {
  int n = rk->n, last = rk->method->terms - 1;
  if (theta == 0 || theta == 1) {
    memcpy(y, theta == 0 ? rk->y0 : rk->y1, (size_t)n * sizeof *y);
    return;
  }
  const double x[2] = {theta, 1 - theta};

  /* four components at a time */
  for (int i = 0; n >= 4 && i < n; i = next_four(i, n)) {
    const double *row = rk->r + (ptrdiff_t)last * n + i;
    double y0 = row[0], y1 = row[1], y2 = row[2], y3 = row[3];
    for (int j = last - 1; j >= 0; j--) {
      double part = x[j % 2];
      row -= n;
      y0 = row[0] + part * y0;
      y1 = row[1] + part * y1;
      y2 = row[2] + part * y2;
      y3 = row[3] + part * y3;
    }
    y[i] = y0;
    y[i + 1] = y1;
    y[i + 2] = y2;
    y[i + 3] = y3;
  }
  for (int i = 0; n < 4 && i < n; i++) {
    const double *row = rk->r + (ptrdiff_t)last * n + i;
    double sum = *row;
    for (int j = last - 1; j >= 0; j--) {
      row -= n;
      sum = *row + x[j % 2] * sum;
    }
    y[i] = sum;
  }
}
