// SPDX-License-Identifier: MIT
#include "bvp/ritz.h"

#include <math.h>
#include <string.h>

#include "base/real.h"
#include "law/scale_bvp.h"
#include "linalg/dense.h"
#include "linalg/lu.h"

enum { MAX_ITER = 20 };

/* ---- points, weights and partial integrals ---- */

/* Legendre's polynomial of degree n on [-1, 1] and its derivative. */
static double legendre(int n, double x, double *slope) {
  double before = 1, now = x;
  for (int k = 2; k <= n; k++) {
    double next = ((2 * k - 1) * x * now - (k - 1) * before) / k;
    before = now;
    now = next;
  }
  *slope = n * (x * now - before) / (x * x - 1);
  return now;
}

static double lagrange(const pw_ritz *z, int j, double x) {
  const int S = z->points;
  double product = 1;
  for (int k = 0; k < S; k++) {
    product *= k == j ? 1 : (x - z->point[k]) / (z->point[j] - z->point[k]);
  }
  return product;
}

static void make_rule(pw_ritz *z) {
  const int S = z->points;
  const double pi = acos(-1);
  for (int i = 0; i < S; i++) {
    double x = -cos(pi * (i + 0.75) / (S + 0.5)), slope = 1;
    for (int k = 0; k < 8; k++) {
      double value = legendre(S, x, &slope);
      x -= value / slope;
    }
    (void)legendre(S, x, &slope);
    z->point[i] = (1 + x) / 2;
    z->weight[i] = 1 / ((1 - x * x) * slope * slope);
  }
  for (int i = 0; i < S; i++) {
    for (int j = 0; j < S; j++) {
      z->part[i][j] = 0;
      for (int k = 0; k < S; k++) { /* exact: the polynomial has degree S - 1 */
        z->part[i][j] += z->point[i] * z->weight[k] * lagrange(z, j, z->point[i] * z->point[k]);
      }
    }
  }
}

void pw_ritz_lay_out(pw_ritz *z, int n, pw_layout *l) {
  size_t m = (size_t)z->points * (size_t)n;
  z->n = n;
  z->J = PW_LAY(l, m * ((size_t)n + 1), double);
  z->B = PW_LAY(l, m * m, double);
  z->r = PW_LAY(l, m, double);
  z->y = PW_LAY(l, n, double);
  z->up = PW_LAY(l, n, double);
  z->down = PW_LAY(l, n, double);
  z->pivot = PW_LAY(l, m, int);
  make_rule(z);
}

/* ---- one element ---- */

static double *slope_of(const pw_ritz *z, int i) {
  return z->J + (size_t)i * (size_t)z->n * ((size_t)z->n + 1);
}

static void to_point(const pw_ritz *z, const pw_element *e, int i, double *y) {
  pw_copy(y, e->y, z->n);
  for (int j = 0; j < z->points; j++) {
    pw_axpy(e->h * z->part[i][j], e->rate + (size_t)j * (size_t)z->n, y, z->n);
  }
}

/* By one-sided differences; Newton's method removes the effect of their error. */
static bool differentiate(pw_ritz *z, const pw_element *e, int i) {
  const double part = PW_SCALE(BVP_ELEMENT_STEP);
  double *J = slope_of(z, i), t = e->t + e->h * z->point[i], unused;
  to_point(z, e, i, z->y);
  bool ok = z->rate(z->owner, t, z->y, z->down, &unused);
  for (int k = 0; k <= z->n && ok; k++, J += z->n) {
    bool by_time = k == z->n;
    double old = by_time ? t : z->y[k];
    double to = old + part * (by_time ? z->time_scale : z->scale[k]);
    if (!by_time) {
      z->y[k] = to;
    }
    ok = z->rate(z->owner, by_time ? to : t, z->y, z->up, &unused);
    if (!by_time) {
      z->y[k] = old;
    }
    for (int c = 0; c < z->n; c++) {
      J[c] = (z->up[c] - z->down[c]) / (to - old);
    }
  }
  return ok;
}

/* 1 - h part (x) J, factorised. */
static bool factor(pw_ritz *z, const pw_element *e) {
  const int S = z->points;
  size_t n = (size_t)z->n, m = (size_t)S * n;
  for (int i = 0; i < S; i++) {
    if (!differentiate(z, e, i)) {
      return false;
    }
  }
  for (int j = 0; j < S; j++) {
    for (size_t k = 0; k < n; k++) {
      double *column = z->B + ((size_t)j * n + k) * m;
      for (int i = 0; i < S; i++) {
        const double *J = slope_of(z, i) + k * n;
        for (size_t c = 0; c < n; c++) {
          column[(size_t)i * n + c] = -e->h * z->part[i][j] * J[c] + (i == j && c == k ? 1 : 0);
        }
      }
    }
  }
  return pw_lu(z->B, (int)m, z->pivot) == 0;
}

/* Residual at the points, in r; returns its size relative to the scales. NAN: a rate is undefined
 * there. */
static double miss(pw_ritz *z, pw_element *e) {
  double most = 0;
  e->action = 0;
  for (int i = 0; i < z->points; i++) {
    double action = 0, *r = z->r + (size_t)i * (size_t)z->n;
    to_point(z, e, i, z->y);
    if (!z->rate(z->owner, e->t + e->h * z->point[i], z->y, r, &action)) {
      return NAN;
    }
    e->action += e->h * z->weight[i] * action;
    for (int c = 0; c < z->n; c++) {
      r[c] = e->rate[(size_t)i * (size_t)z->n + (size_t)c] - r[c];
      most = pw_max(most, fabs(r[c] * e->h) / z->scale[c]);
    }
  }
  return most;
}

/* e->by: with dK = (1 - h part (x) J)^-1 (J dy + f_t dt), d(end) = dy + h sum weight dK. */
static void derive(pw_ritz *z, pw_element *e) {
  const int S = z->points;
  int n = z->n;
  for (int k = 0; k < n + 2; k++) {
    /* Column k < n: by the state at the start; n: by the time; n + 1: by the length h. */
    double *by = e->by + (size_t)k * (size_t)n;
    for (int i = 0; i < S; i++) {
      double *r = z->r + (size_t)i * (size_t)n;
      const double *J = slope_of(z, i);
      pw_copy(r, J + (size_t)(k < n ? k : n) * (size_t)n, n);

      /* By h: each stage moves by point_i in time and by sum_j part_ij K_j in state. */
      for (int c = 0; k == n + 1 && c < n; c++) {
        r[c] *= z->point[i];
      }
      for (int j = 0; k == n + 1 && j < S; j++) {
        const double *K = e->rate + (size_t)j * (size_t)n;
        for (int c = 0; c < n; c++) {
          pw_axpy(z->part[i][j] * K[c], J + (size_t)c * (size_t)n, r, n);
        }
      }
    }

    /* dK of all stages at once, then d(end); by h also the rates themselves count. */
    pw_lu_solve(z->B, S * n, z->pivot, z->r);
    pw_zero(by, n);
    for (int j = 0; j < S; j++) {
      pw_axpy(e->h * z->weight[j], z->r + (size_t)j * (size_t)n, by, n);
      pw_axpy(k == n + 1 ? z->weight[j] : 0, e->rate + (size_t)j * (size_t)n, by, n);
    }

    /* d(end) contains dy itself. */
    if (k < n) {
      by[k] += 1;
    }
  }
}

bool pw_ritz_solve(pw_ritz *z, pw_element *e) {
  const int S = z->points;
  if (!factor(z, e)) {
    return false;
  }
  const double done = PW_SCALE(BVP_ELEMENT_DONE), contracts = PW_SCALE(BVP_CONTRACTS);
  double size = miss(z, e), before = INFINITY;
  for (int k = 0; k < MAX_ITER && size > done && size < contracts * before; k++) {
    pw_lu_solve(z->B, S * z->n, z->pivot, z->r);
    pw_axpy(-1, z->r, e->rate, S * z->n);
    before = size;
    size = miss(z, e);
  }
  pw_copy(e->end, e->y, z->n);
  for (int j = 0; j < S; j++) {
    pw_axpy(e->h * z->weight[j], e->rate + (size_t)j * (size_t)z->n, e->end, z->n);
  }
  derive(z, e);
  return size <= PW_SCALE(BVP_ELEMENT_SOLVED);
}
