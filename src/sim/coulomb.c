// SPDX-License-Identifier: MIT
#include "sim/coulomb.h"

#include <math.h>
#include <string.h>

#include "linalg/dense.h"
#include "solve/enumerate.h"
#include "solve/mlcp.h"

enum { MAX_LISTED = 4, MAX_ENUMERATED = 12 }; /* solutions kept, unknowns looked at completely */

static int most(const pw_system *sys) {
  return 2 * (sys->nr + 1);
}

static size_t work_doubles(int m) {
  size_t a = pw_mlcp_doubles(m), b = pw_enumerate_doubles(m);
  return a > b ? a : b;
}

static size_t work_ints(int m) {
  size_t a = pw_mlcp_ints(m), b = pw_enumerate_ints(m);
  return a > b ? a : b;
}

size_t pw_coulomb_doubles(const pw_system *sys) {
  size_t m = (size_t)most(sys), n = (size_t)sys->nv;
  return sys->oblique ? n * m + m * m + 5 * m + 2 * m * MAX_LISTED + work_doubles((int)m) : 0;
}

size_t pw_coulomb_ints(const pw_system *sys) {
  size_t m = (size_t)most(sys);
  return sys->oblique ? m + m * MAX_LISTED + work_ints((int)m) : 0;
}

void pw_coulomb_init(pw_coulomb *p, const pw_system *sys, double *real, int *whole) {
  *p = (pw_coulomb){.n = sys->nv, .cap = most(sys)};
  if (sys->oblique) {
    size_t m = (size_t)p->cap;
    p->B = real;
    p->D = p->B + (size_t)p->n * m;
    p->mu = p->D + m * m;
    p->b = p->mu + m;
    p->lo = p->b + m;
    p->hi = p->lo + m;
    p->v = p->hi + m;
    p->real = p->v + m;
    p->normal = whole;
    p->whole = p->normal + m;
  }
}

/* ---- the complementarity problem ---- */

static double *entry(const pw_coulomb *p, int m, int i, int j) {
  return &p->D[(size_t)j * (size_t)m + (size_t)i];
}

/* Rows as they are; then the rows that may stick get their second pair. */
static int assemble(pw_coulomb *p, int k, const double *A, const double *z, const double *lo,
                    const double *hi) {
  int m = k;
  for (int i = 0; i < k; i++) {
    m += p->normal[i] >= 0;
  }
  memset(p->D, 0, (size_t)m * (size_t)m * sizeof *p->D);
  for (int j = 0; j < k; j++) {
    for (int i = 0; i < k; i++) {
      *entry(p, m, i, j) =
          pw_dot(A + (size_t)i * (size_t)p->n, p->B + (size_t)j * (size_t)p->n, p->n);
    }
  }
  int extra = k;
  for (int i = 0; i < k; i++) {
    p->b[i] = z[i];
    p->lo[i] = p->normal[i] >= 0 ? 0 : lo[i];
    p->hi[i] = p->normal[i] >= 0 ? INFINITY : hi[i];
  }
  for (int t = 0; t < k; t++) {
    int n = p->normal[t];
    if (n < 0) {
      continue;
    }
    for (int i = 0; i < k; i++) {
      *entry(p, m, i, n) -= p->mu[t] * *entry(p, m, i, t);
    }
    *entry(p, m, t, extra) = 1;
    *entry(p, m, extra, n) = 2 * p->mu[t];
    *entry(p, m, extra, t) = -1;
    p->b[extra] = p->lo[extra] = 0;
    p->hi[extra++] = INFINITY;
  }
  return m;
}

static void take_result(const pw_coulomb *p, int k, const double *v, double *lo, double *hi,
                        double *x) {
  for (int i = 0; i < k; i++) {
    x[i] = v[i];
  }
  for (int i = 0; i < k; i++) {
    if (p->normal[i] >= 0) {
      hi[i] = p->mu[i] * v[p->normal[i]];
      lo[i] = -hi[i];
      x[i] = v[i] - hi[i];
    }
  }
}

/* ---- all solutions, where they can be listed ---- */

/* Solutions that move differently: the free values after them differ. */
static bool same_motion(const pw_coulomb *p, int k, const double *x, const double *y) {
  double far = 0, size = 0;
  for (int c = 0; c < p->n; c++) {
    double a = 0, b = 0;
    for (int j = 0; j < k; j++) {
      a += p->B[(size_t)j * (size_t)p->n + (size_t)c] * x[j];
      b += p->B[(size_t)j * (size_t)p->n + (size_t)c] * y[j];
    }
    far = fmax(far, fabs(a - b));
    size = fmax(size, fmax(fabs(a), fabs(b)));
  }
  return far <= 1e-7 * size;
}

static pw_outcome list(pw_coulomb *p, const pw_box_lcp *lcp, int k, double *lo, double *hi,
                       double *x) {
  pw_branch branch[MAX_LISTED];
  size_t m = (size_t)lcp->m;
  pw_branches out = {.capacity = MAX_LISTED, .branch = branch, .x = p->real};
  out.y = out.x + m * MAX_LISTED;
  out.piece = p->whole;
  pw_enumerate_info info;
  pw_outcome o = pw_enumerate(lcp, &(pw_enumerate_opts){0}, &out, out.y + m * MAX_LISTED,
                              out.piece + m * MAX_LISTED, &info);
  if (o != PW_SOLVED) {
    return o;
  }
  double *first = p->v;
  take_result(p, k, out.x, lo, hi, first);
  for (int s = 1; s < out.count; s++) {
    take_result(p, k, out.x + (size_t)s * m, lo, hi, x);
    p->several = p->several || !same_motion(p, k, first, x);
  }
  take_result(p, k, out.x, lo, hi, x); /* the least forces */
  return PW_SOLVED;
}

pw_outcome pw_coulomb_solve(pw_coulomb *p, int k, const double *A, const double *z, double *lo,
                            double *hi, double *x) {
  int m = assemble(p, k, A, z, lo, hi);
  const pw_box_lcp lcp = {.m = m, .D = p->D, .b = p->b, .lo = p->lo, .hi = p->hi};
  p->several = false;
  if (m <= MAX_ENUMERATED) {
    return list(p, &lcp, k, lo, hi, x);
  }
  pw_mlcp_info info;
  pw_outcome o = pw_mlcp_solve(&lcp, NULL, p->v, p->real, p->whole, &info);
  take_result(p, k, p->v, lo, hi, x);
  return o;
}
