// SPDX-License-Identifier: MIT
/* Numbers of sparse rows. Forces solve the normal equations G lambda = r, sparse (S5), and are
 * corrected once by their residual, which makes them as accurate as an orthogonal decomposition if
 * the rows are clearly independent (Bjorck 1987). */
#include "linalg/sparse_rows.h"

#include <math.h>

#include "base/real.h"
#include "base/strip.h"
#include "linalg/dense.h"

static void lay_out(pw_sparse_rows *r, const pw_rows_plan *plan, pw_strip *s) {
  size_t m = (size_t)plan->m;
  r->A = pw_strip_real(s, (size_t)plan->A.start[plan->m]);
  r->length = pw_strip_real(s, m);
  r->G = pw_strip_real(s, (size_t)plan->gram->numbers);
  r->s = pw_strip_real(s, m);
  r->z = pw_strip_real(s, m);
}

size_t pw_sparse_rows_doubles(const pw_rows_plan *plan) {
  pw_sparse_rows r;
  pw_strip s = {0};
  lay_out(&r, plan, &s);
  return s.n_real;
}

void pw_sparse_rows_init(pw_sparse_rows *r, const pw_rows_plan *plan, const pw_chol_plan *mass,
                         double *memory) {
  pw_strip s = {.real = memory};
  r->plan = plan;
  r->mass = mass;
  lay_out(r, plan, &s);
}

/* a <- F^-1 a over the entries that may not be zero. */
static void into_metric(pw_sparse_rows *r, const double *x) {
  const pw_rows_plan *p = r->plan;
  const double *beside = x + p->n;
  const int *target = p->target;
  for (int at = 0; at < p->A.start[p->m]; at++) {
    int k = p->step[at];
    double own = r->A[at] * x[p->A.index[at]];
    r->A[at] = own;
    for (int e = r->mass->start[k]; e < r->mass->start[k + 1]; e++) {
      r->A[*target++] -= beside[e] * own;
    }
  }
}

void pw_sparse_rows_load(pw_sparse_rows *r, const double *x, const double *J) {
  const pw_rows_plan *p = r->plan;
  int entries = p->A.start[p->m];
  pw_zero(r->A, entries);
  for (int e = 0; p->load[e] >= 0; e++) {
    r->A[p->load[e]] = J[e];
  }
  into_metric(r, x);
  for (int i = 0; i < p->m; i++) {
    double *a = r->A + p->A.start[i];
    int n = p->A.start[i + 1] - p->A.start[i];
    double length = pw_norm2(a, n);
    r->length[i] = length;
    for (int k = 0; length != 0 && k < n; k++) {
      a[k] /= length;
    }
  }
}

double pw_sparse_rows_factor(pw_sparse_rows *r) {
  const pw_rows_plan *p = r->plan;
  pw_zero(r->G, p->gram->numbers);
  for (int i = 0; i < p->m; i++) {
    r->G[i] = r->length[i] > 0 ? 1 : 0;
  }
  for (int e = 0; e < p->product.n; e++) {
    double sum = 0;
    for (int k = p->product.start[e]; k < p->product.start[e + 1]; k += 2) {
      sum += r->A[p->product.index[k]] * r->A[p->product.index[k + 1]];
    }
    r->G[p->gram_place[e]] = sum;
  }
  return pw_chol_plan_factor(p->gram, r->G, NULL) == 0 ? pw_chol_plan_least(p->gram, r->G) : 0;
}

double pw_sparse_rows_smallest(pw_sparse_rows *r) {
  enum { ITERATIONS = 5 };
  int m = r->plan->m;
  double grown = 0;
  for (int i = 0; i < m; i++) { /* a direction that no symmetry makes special */
    r->s[i] = 0.5 + fmod(0.6180339887 * (i + 1), 1);
  }
  for (int k = 0; k < ITERATIONS; k++) {
    double length = pw_norm2(r->s, m);
    for (int i = 0; i < m; i++) {
      r->s[i] /= length;
    }
    pw_chol_plan_forward(r->plan->gram, r->G, r->s);
    pw_chol_plan_backward(r->plan->gram, r->G, r->s);
    grown = pw_norm2(r->s, m);
  }
  return grown > 0 ? 1 / sqrt(grown) : 0;
}

double pw_sparse_rows_dot(const pw_sparse_rows *r, int row, const double *y) {
  const pw_pattern *A = &r->plan->A;
  double sum = 0;
  for (int k = A->start[row]; k < A->start[row + 1]; k++) {
    sum += r->A[k] * y[A->index[k]];
  }
  return sum;
}

void pw_sparse_rows_sum(const pw_sparse_rows *r, const double *x, double *y) {
  const pw_pattern *A = &r->plan->A;
  pw_zero(y, r->plan->n);
  for (int i = 0; i < r->plan->m; i++) {
    for (int k = A->start[i]; k < A->start[i + 1]; k++) {
      y[A->index[k]] += r->A[k] * x[i];
    }
  }
}

void pw_sparse_rows_solve(pw_sparse_rows *r, const double *right, double *lambda, double *y) {
  int m = r->plan->m;
  const pw_chol_plan *gram = r->plan->gram;
  pw_copy(r->z, right, m);
  pw_copy(r->s, right, m);
  pw_zero(lambda, m);
  for (int pass = 0; pass < 2; pass++) {
    pw_chol_plan_forward(gram, r->G, r->s);
    pw_chol_plan_backward(gram, r->G, r->s);
    pw_axpy(1, r->s, lambda, m);
    pw_sparse_rows_sum(r, lambda, y);
    for (int i = 0; pass == 0 && i < m; i++) {
      r->s[i] = r->z[i] - pw_sparse_rows_dot(r, i, y);
    }
  }
}

void pw_sparse_rows_reject(pw_sparse_rows *r, double *y, double *room) {
  int m = r->plan->m, n = r->plan->n;
  for (int pass = 0; pass < 2; pass++) {
    for (int i = 0; i < m; i++) {
      r->s[i] = pw_sparse_rows_dot(r, i, y);
    }
    pw_chol_plan_forward(r->plan->gram, r->G, r->s);
    pw_chol_plan_backward(r->plan->gram, r->G, r->s);
    pw_sparse_rows_sum(r, r->s, room);
    pw_axpy(-1, room, y, n);
  }
}
