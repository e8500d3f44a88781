// SPDX-License-Identifier: MIT
/* Minimum-norm solutions from the complete orthogonal decomposition
 *   A P = Q1 C V1^T,  C r x r triangular:  C = R11 and V = I for full column rank, else C = S^T.
 *   least squares     x      = P V1 C^-1 Q1^T c
 *   A^T y = r         y      = Q1 C^-T V1^T P^T r
 *   A^T A lambda = r  lambda = P V1 C^-1 C^-T V1^T P^T r */
#include <math.h>
#include <stdbool.h>

#include "base/assert.h"
#include "base/real.h"
#include "base/strip.h"
#include "linalg/dense.h"
#include "linalg/qr.h"

static int smaller(int a, int b) {
  return a < b ? a : b;
}

static int larger(int a, int b) {
  return a > b ? a : b;
}

static void lay_out(pw_qr *f, int n, int m, pw_strip *s) {
  size_t k = (size_t)smaller(n, m);
  f->A = pw_strip_real(s, (size_t)n * (size_t)m);
  f->tau = pw_strip_real(s, k);
  f->Z = pw_strip_real(s, (size_t)m * k);
  f->ztau = pw_strip_real(s, k);
  f->work = pw_strip_real(s, 2 * (size_t)larger(n, m));
  f->pack = pw_strip_real(s, m > 1 ? (size_t)n * (size_t)m : 0);
  f->side = pw_strip_real(s, (size_t)n + 2 * (size_t)m);
  f->perm = pw_strip_whole(s, (size_t)m);
  f->ranks = pw_strip_whole(s, (size_t)m);
  f->member = pw_strip_whole(s, pw_parts_ints(n, m));
}

size_t pw_qr_doubles(int n, int m) {
  pw_qr f;
  pw_strip s = {0};
  lay_out(&f, n, m, &s);
  return s.n_real;
}

size_t pw_qr_ints(int n, int m) {
  pw_qr f;
  pw_strip s = {0};
  lay_out(&f, n, m, &s);
  return s.n_whole;
}

void pw_qr_init(pw_qr *f, int n, int m, double *doubles, int *ints) {
  pw_strip s = {.real = doubles, .whole = ints};
  f->n = n;
  f->m = m;
  f->rank = -1;
  f->parts.count = 0;
  f->lists = NULL;
  f->given = NULL;
  f->limit = smaller(n, m);
  lay_out(f, n, m, &s);
}

static bool deficient(const pw_qr *f) {
  return f->rank < f->m;
}

static void fill(double *x, int n, double value) {
  for (int i = 0; i < n; i++) {
    x[i] = value;
  }
}

/* b <- U^-1 b and b <- U^-T b for the leading r x r upper triangle of a column-major U. */
static void upper_solve(const double *U, int ld, int r, double *b) {
  for (int k = r - 1; k >= 0; k--) {
    const double *col = U + (size_t)k * (size_t)ld;
    b[k] /= col[k];
    pw_axpy(-b[k], col, b, k);
  }
}

static void upper_solve_t(const double *U, int ld, int r, double *b) {
  for (int k = 0; k < r; k++) {
    const double *col = U + (size_t)k * (size_t)ld;
    b[k] = (b[k] - pw_dot(col, b, k)) / col[k];
  }
}

/* C^-1: R11 is upper, S^T is the transpose of an upper triangle. */
static void core_solve(const pw_qr *f, double *b) {
  if (deficient(f)) {
    upper_solve_t(f->Z, f->m, f->rank, b);
  } else {
    upper_solve(f->A, f->n, f->rank, b);
  }
}

static void core_solve_t(const pw_qr *f, double *b) {
  if (deficient(f)) {
    upper_solve(f->Z, f->m, f->rank, b);
  } else {
    upper_solve_t(f->A, f->n, f->rank, b);
  }
}

/* ---- parts ---- */

static void gather(const double *from, const int *at, int n, double *to) {
  for (int i = 0; i < n; i++) {
    to[i] = from[at[i]];
  }
}

static void scatter(const double *from, const int *at, int n, double *to) {
  for (int i = 0; i < n; i++) {
    to[at[i]] = from[i];
  }
}

static double smallest_of_parts(const pw_qr *f) {
  double least = INFINITY;
  pw_qr_walk at = {0};
  pw_qr part;
  while (pw_qr_next(f, &at, &part)) {
    least = part.rank > 0 ? fmin(least, pw_qr_smallest(&part)) : least;
  }
  return isinf(least) ? 0 : least;
}

static void least_squares_of_parts(const pw_qr *f, const double *c, double *x) {
  double *own_c = f->side, *own_x = f->side + f->n;
  pw_qr_walk at = {0};
  pw_qr part;
  while (pw_qr_next(f, &at, &part)) {
    gather(c, at.coord, part.n, own_c);
    pw_qr_least_squares(&part, own_c, own_x);
    scatter(own_x, at.col, part.m, x);
  }
}

/* The next part is one column of full rank. */
static bool is_single(const pw_qr *f, const pw_qr_walk *at) {
  const pw_parts *p = &f->parts;
  int i = at->next;
  return i < p->count && p->col_start[i + 1] - p->col_start[i] == 1 && f->ranks[i] == 1;
}

/* Solves it as pw_qr_gram_solve does, with a = (R, v), Q = I - tau (1, v) (1, v)^T. Many bodies
 * make many of these. */
static double solve_single(const pw_qr *f, pw_qr_walk *at, const double *r, double *lambda,
                           double *y) {
  const pw_parts *p = &f->parts;
  int i = at->next++, n = p->coord_start[i + 1] - p->coord_start[i];
  const int *coord = p->coord + p->coord_start[i], col = p->col[p->col_start[i]];
  const double *a = f->pack + at->pack;
  double w = r[col] / a[0], turned = f->tau[at->tau] * w;
  y[coord[0]] = w - turned;
  for (int c = 1; c < n; c++) {
    y[coord[c]] = -turned * a[c];
  }
  if (lambda != NULL) {
    lambda[col] = w / a[0];
  }
  at->pack += (size_t)n;
  at->Z++;
  at->tau++;
  return isfinite(r[col]) ? 0 : NAN;
}

/* lambda may be NULL. */
static double solve_parts(const pw_qr *f, const double *r, double *lambda, double *y) {
  double *own_r = f->side, *own_l = own_r + f->m, *own_y = own_l + f->m, residual = 0;
  pw_qr_walk at = {0};
  pw_qr part;
  fill(y, f->n, 0);
  for (;;) {
    if (is_single(f, &at)) {
      residual = pw_max(residual, solve_single(f, &at, r, lambda, y));
      continue;
    }
    if (!pw_qr_next(f, &at, &part)) {
      return residual;
    }
    gather(r, at.col, part.m, own_r);
    double miss = lambda == NULL ? pw_qr_min_norm(&part, own_r, own_y)
                                 : pw_qr_gram_solve(&part, own_r, own_l, own_y);
    residual = pw_max(residual, miss);
    scatter(own_y, at.coord, part.n, y);
    if (lambda != NULL) {
      scatter(own_l, at.col, part.m, lambda);
    }
  }
}

/* ---- solutions ---- */

double pw_qr_smallest(const pw_qr *f) {
  if (f->parts.count > 1) {
    return smallest_of_parts(f);
  }
  enum { ITERATIONS = 5 };
  double *w = f->work, grown = 0;
  int r = larger(f->rank, 0);
  if (r == 1) {
    return fabs(deficient(f) ? f->Z[0] : f->A[0]);
  }
  for (int i = 0; i < r; i++) { /* a direction that no symmetry makes special */
    w[i] = 0.5 + fmod(0.6180339887 * (i + 1), 1);
  }
  for (int k = 0; k < ITERATIONS && r > 0; k++) {
    double length = pw_norm2(w, r);
    for (int i = 0; i < r; i++) {
      w[i] /= length;
    }
    core_solve_t(f, w);
    core_solve(f, w);
    grown = pw_norm2(w, r);
  }
  return grown > 0 ? 1 / sqrt(grown) : 0;
}

/* x = P V1 w for w = work[0..rank), which is extended by zeros. */
static void rotate_back(const pw_qr *f, double *w, double *x) {
  fill(w + f->rank, f->m - f->rank, 0);
  if (deficient(f)) {
    pw_qr_apply_q(f->Z, f->m, f->rank, f->ztau, w);
  }
  for (int j = 0; j < f->m; j++) {
    x[f->perm[j]] = w[j];
  }
}

void pw_qr_least_squares(const pw_qr *f, const double *c, double *x) {
  PW_ASSERT(f->rank <= smaller(f->n, f->m));
  if (f->rank < 0) {
    fill(x, f->m, NAN);
    return;
  }
  if (f->parts.count > 1) {
    least_squares_of_parts(f, c, x);
    return;
  }
  double *w = f->work;
  for (int i = 0; i < f->n; i++) {
    w[i] = c[i];
  }
  pw_qr_apply_qt(f->A, f->n, f->rank, f->tau, w);
  core_solve(f, w);
  rotate_back(f, w, x);
}

/* Entries of a part of full column rank are unique. `own` serves as room for the solutions. */
static void own_of_part(const pw_qr *f, const pw_qr *part, const pw_qr_walk *at, const double *A,
                        double *own) {
  double *c = f->side, *x = f->side + f->n;
  for (int j = 0; j < part->m; j++) {
    own[at->col[j]] = 1;
    if (part->rank < part->m) {
      gather(A + (size_t)at->col[j] * (size_t)f->n, at->coord, part->n, c);
      pw_qr_least_squares(part, c, x);
      own[at->col[j]] = x[j];
    }
  }
}

void pw_qr_own(const pw_qr *f, const double *A, double *own) {
  pw_qr_walk at = {0};
  pw_qr part;
  if (f->rank < 0 || f->rank == f->m) {
    fill(own, f->m, f->rank < 0 ? NAN : 1);
    return;
  }
  while (pw_qr_next(f, &at, &part)) {
    own_of_part(f, &part, &at, A, own);
  }
  for (int j = 0; j < f->m && f->parts.count == 0; j++) {
    double *x = f->side;
    pw_qr_least_squares(f, A + (size_t)j * (size_t)f->n, x);
    own[j] = x[j];
  }
}

static int list_pivots(const pw_qr *f, double *pivot) {
  for (int k = 0; k < f->rank; k++) {
    pivot[k] = fabs(f->A[(size_t)k * (size_t)f->n + (size_t)k]);
  }
  return f->rank;
}

void pw_qr_pivots(const pw_qr *f, double *pivot) {
  pw_qr_walk at = {0};
  pw_qr part;
  while (pw_qr_next(f, &at, &part)) {
    pivot += list_pivots(&part, pivot);
  }
  if (f->parts.count == 0) {
    (void)list_pivots(f, pivot);
  }
}

static void reject(const pw_qr *f, double *y) {
  pw_qr_apply_qt(f->A, f->n, f->rank, f->tau, y);
  fill(y, f->rank, 0);
  pw_qr_apply_q(f->A, f->n, f->rank, f->tau, y);
}

void pw_qr_reject(const pw_qr *f, double *y) {
  pw_qr_walk at = {0};
  pw_qr part;
  PW_ASSERT(f->rank >= 0);
  while (pw_qr_next(f, &at, &part)) {
    gather(y, at.coord, part.n, f->side);
    reject(&part, f->side);
    scatter(f->side, at.coord, part.n, y);
  }
  if (f->parts.count == 0) {
    reject(f, y);
  }
}

/* w = V^T P^T r. Returns max |r - A^T y| = max |P V2 V2^T P^T r|; the second half of the work space
 * holds that vector. */
static double project(const pw_qr *f, const double *r, double *w) {
  for (int j = 0; j < f->m; j++) {
    w[j] = r[f->perm[j]];
  }
  if (!pw_all_finite(w, f->m)) {
    return NAN;
  }
  if (!deficient(f)) {
    return 0;
  }
  double *rest = f->work + larger(f->n, f->m);
  pw_qr_apply_qt(f->Z, f->m, f->rank, f->ztau, w);
  for (int j = 0; j < f->m; j++) {
    rest[j] = j < f->rank ? 0 : w[j];
  }
  pw_qr_apply_q(f->Z, f->m, f->rank, f->ztau, rest);
  return pw_norm_inf(rest, f->m);
}

/* y = Q1 w */
static void into_range(const pw_qr *f, const double *w, double *y) {
  for (int i = 0; i < f->n; i++) {
    y[i] = i < f->rank ? w[i] : 0;
  }
  pw_qr_apply_q(f->A, f->n, f->rank, f->tau, y);
}

double pw_qr_min_norm(const pw_qr *f, const double *r, double *y) {
  if (f->rank < 0) {
    fill(y, f->n, NAN);
    return NAN;
  }
  if (f->parts.count > 1) {
    return solve_parts(f, r, NULL, y);
  }
  double residual = project(f, r, f->work);
  core_solve_t(f, f->work);
  into_range(f, f->work, y);
  return residual;
}

double pw_qr_gram_solve(const pw_qr *f, const double *r, double *lambda, double *y) {
  if (f->rank >= 0 && f->parts.count > 1) {
    return solve_parts(f, r, lambda, y);
  }
  double residual = pw_qr_min_norm(f, r, y); /* leaves C^-T V1^T P^T r in work */
  if (f->rank < 0) {
    fill(lambda, f->m, NAN);
    return NAN;
  }
  core_solve(f, f->work);
  rotate_back(f, f->work, lambda);
  return residual;
}
