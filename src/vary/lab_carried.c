// SPDX-License-Identifier: MIT
/* Kozlov (7.1), (7.2): curves with delta phi = phi_u.w' + phi_q.w = rho >= 0 for a law whose
 * multiplier is a state. All components of w but one are bumps; that one solves the linear equation
 * above, and the size of rho >= 0 is what brings it back to zero at the end. Then
 *   -(delta int T dt + int F.w dt) = int lambda rho dt
 * has the sign of lambda. A law that holds both ways, or whose multiplier has either sign, takes
 * rho = 0: two sets of bumps, mixed so that the component comes back. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "law/scale_verify.h"
#include "linalg/dense.h"
#include "vary/lab.h"
#include "verify/checker.h"

enum { CURVES = 8, BUMPS = 3 };

typedef struct carried {
  pawl_lab *lab;
  pawl_vary *sums; /* whose tapes are used */
  int n, state;    /* velocities; number of the multiplier */
  int free;        /* the component that is solved for */
  double from, to;
  double *phi;  /* rows x 2 n: phi_u, phi_q */
  double *w[3]; /* rows x 2 n: w and w' of two sets of bumps, of rho */
  double *both; /* rows x 2 n: the curve */
  double *t;    /* rows */
  int64_t at;   /* where the last look was */
} carried;

/* Cubic Hermite interpolation between rows, which are as near as the steps. */
static void curve_at(double t, void *payload, double *w, double *rate) {
  carried *c = payload;
  int64_t rows = c->lab->n, k = c->at;
  while (k > 0 && c->t[k] > t) {
    k--;
  }
  while (k + 2 < rows && c->t[k + 1] < t) {
    k++;
  }
  c->at = k;
  double h = c->t[k + 1] - c->t[k], x = h > 0 ? (t - c->t[k]) / h : 0;
  const double *a = c->both + (ptrdiff_t)k * 2 * c->n, *b = a + 2 * c->n;
  for (int i = 0; i < c->n; i++) {
    double p = a[i], q = b[i], dp = h * a[c->n + i], dq = h * b[c->n + i];
    double u = 3 * (q - p) - 2 * dp - dq, v = 2 * (p - q) + dp + dq;
    w[i] = p + x * (dp + x * (u + x * v));
    rate[i] = h > 0 ? (dp + x * (2 * u + 3 * x * v)) / h : a[c->n + i];
  }
}

/* phi_u and phi_q at every row: momenta and forces with the multiplier 1, less those with 0. */
static bool find_phi(carried *c) {
  const pw_system *s = c->lab->sys;
  int n = c->n;
  double *q = calloc((size_t)s->nq + 1, sizeof *q);
  for (int64_t k = 0; q != NULL && k < c->lab->n; k++) {
    const double *row = c->lab->rows + (ptrdiff_t)k * c->lab->stride;
    double *out = c->phi + (ptrdiff_t)k * 2 * n;
    memcpy(q, row + 1, (size_t)s->nq * sizeof *q);
    for (int one = 0; one < 2; one++) {
      q[s->model->nq + c->state] = one;
      pw_probe_state(&c->sums->probe, row[0], q, row + 1 + s->nq);
      const double *p = pw_probe_momenta(&c->sums->probe);
      for (int i = 0; i < 2 * n; i++) {
        out[i] = one == 0 ? -p[i] : out[i] + p[i];
      }
    }
    c->t[k] = row[0];
  }
  free(q);
  return q != NULL;
}

/* The component along which phi is steepest where it is least steep. */
static double choose(carried *c) {
  double best = 0;
  c->free = -1;
  for (int i = 0; i < c->n; i++) {
    double least = INFINITY;
    for (int64_t k = 0; k < c->lab->n; k++) {
      least = fmin(least, fabs(c->phi[(ptrdiff_t)k * 2 * c->n + i]));
    }
    if (least > best) {
      best = least;
      c->free = i;
    }
  }
  return best;
}

/* w of the others: sums of sines, with signs that depend on the curve. rho: 1 - cos. */
static double bumps_at(const carried *c, unsigned curve, int i, double t, double *rate) {
  double span = c->to - c->from, x = (t - c->from) / span, sum = 0;
  const double pi = 3.14159265358979323846;
  *rate = 0;
  for (int j = 1; j <= BUMPS; j++) {
    double size = c->lab->family.height[i] * pw_family_sign(curve, 16 * i + j) / j;
    sum += size * sin(j * pi * x);
    *rate += size * j * pi / span * cos(j * pi * x);
  }
  return sum;
}

static double rho_at(const carried *c, double t) {
  const double pi = 3.14159265358979323846;
  return 1 - cos(2 * pi * (t - c->from) / (c->to - c->from));
}

/* w' of the free component where it is y. part 2: driven by rho alone. */
static double slope(const carried *c, int64_t k, int part, double y, const double *w, double rho) {
  const double *u = c->phi + (ptrdiff_t)k * 2 * c->n, *q = u + c->n;
  double sum = part == 2 ? rho : 0;
  for (int i = 0; i < c->n; i++) {
    sum -= i == c->free ? q[i] * y : u[i] * w[c->n + i] + q[i] * w[i];
  }
  return sum / u[c->free];
}

/* Heun's rule, with the exact solution of the linear part not needed: rows are close. */
static void solve(carried *c, unsigned curve, int part) {
  int n = c->n;
  for (int64_t k = 0; k < c->lab->n; k++) {
    double *w = c->w[part] + (ptrdiff_t)k * 2 * n;
    for (int i = 0; i < n; i++) {
      w[i] = part == 2 ? 0 : bumps_at(c, 2 * curve + (unsigned)part, i, c->t[k], &w[n + i]);
      w[n + i] = part == 2 ? 0 : w[n + i];
    }
    double rho = rho_at(c, c->t[k]), y = 0;
    if (k > 0) {
      const double *last = w - 2 * n;
      double h = c->t[k] - c->t[k - 1], first = last[n + c->free];
      double guess = last[c->free] + h * first;
      for (int again = 0; again < 3; again++) { /* the trapezoidal rule */
        guess = last[c->free] + h / 2 * (first + slope(c, k, part, guess, w, rho));
      }
      y = guess;
    }
    w[c->free] = y;
    w[n + c->free] = slope(c, k, part, y, w, rho);
  }
}

static bool mix(carried *c, bool one_sided) {
  ptrdiff_t last = (ptrdiff_t)(c->lab->n - 1) * 2 * c->n + c->free;
  int with = one_sided ? 2 : 1;
  double a = c->w[0][last], b = c->w[with][last], first = 1, second = b != 0 ? -a / b : 0;
  if (one_sided && second < 0) { /* rho must not be negative */
    first = -1;
    second = -second;
  }
  for (ptrdiff_t i = 0; i < (ptrdiff_t)c->lab->n * 2 * c->n; i++) {
    c->both[i] = first * c->w[0][i] + second * c->w[with][i];
  }
  return b != 0 && isfinite(second);
}

static pawl_status try_curve(carried *c, int curve, bool one_sided) {
  pawl_vary *v = NULL;
  for (int part = 0; part < 3; part++) {
    solve(c, (unsigned)curve, part);
  }
  if (!mix(c, one_sided)) {
    return PAWL_OK;
  }
  c->at = 0;
  pawl_status status = pw_lab_sums(c->lab, &v);
  if (status == PAWL_OK) {
    status = pawl_vary_add(v, PAWL_VARY_WEAK, curve_at, c);
  }
  if (status == PAWL_OK) {
    status = pw_lab_pass(c->lab, v);
  }
  if (status == PAWL_OK) {
    pw_lab_entry x = {.family = {.kind = "weak", .from = c->from, .to = c->to}};
    const pw_variation *w = &v->item[0];
    pw_lab_judge(c->lab, v, 0, &x);
    pawl_lab_family *f = &x.family;
    /* T + lambda phi is what the sums have: without it, (7.2) */
    f->value += w->held;
    f->by_formula += w->held;
    f->tolerance += PW_SCALE(CERT_VARY_CURVE) * (w->parts + fabs(w->held));
    f->equality = !one_sided;
    f->at_end = 0;
    double least = fmin(f->value, f->by_formula), most = fmax(f->value, f->by_formula);
    f->holds = least >= -f->tolerance && (one_sided || most <= f->tolerance);
    f->principle = one_sided ? "delta phi >= 0, Kozlov (7.2)" : "delta phi = 0, Kozlov sec. 7";
    snprintf(x.along, sizeof x.along, "curve %d with delta phi %s 0", curve + 1,
             one_sided ? ">=" : "=");
    status = pw_lab_keep(c->lab, &x);
  }
  pawl_vary_free(v);
  return status;
}

static pawl_status try_law(carried *c) {
  const pw_system *s = c->lab->sys;
  int row = s->state_row[c->state];
  bool one_sided = row >= s->nc; /* an inequality: its multiplier is not negative */
  pawl_status status = find_phi(c) ? PAWL_OK : PAWL_E_MEMORY;
  if (status != PAWL_OK || !(choose(c) > 0)) {
    return status;
  }
  for (int k = 0; k < CURVES && status == PAWL_OK; k++) {
    status = try_curve(c, k, one_sided);
  }
  return status;
}

pawl_status pw_lab_carried(pawl_lab *l) {
  const pw_system *s = l->sys;
  if (s->n_state != 1 || s->nr > 1) { /* other constraints would have to hold as well */
    return PAWL_OK;
  }
  carried c = {.lab = l, .n = s->nv, .from = l->rows[0]};
  c.to = l->rows[(ptrdiff_t)(l->n - 1) * l->stride];
  size_t size = (size_t)l->n * 2 * (size_t)s->nv + 1;
  double **each[] = {&c.phi, &c.w[0], &c.w[1], &c.w[2], &c.both};
  c.t = calloc((size_t)l->n + 1, sizeof *c.t);
  pawl_status status = c.t == NULL ? PAWL_E_MEMORY : pw_lab_sums(l, &c.sums);
  for (size_t i = 0; i < sizeof each / sizeof *each; i++) {
    *each[i] = calloc(size, sizeof **each[i]);
    status = *each[i] == NULL ? PAWL_E_MEMORY : status;
  }
  if (status == PAWL_OK) {
    status = try_law(&c);
  }
  for (size_t i = 0; i < sizeof each / sizeof *each; i++) {
    free(*each[i]);
  }
  free(c.t);
  pawl_vary_free(c.sums);
  return status;
}
