// SPDX-License-Identifier: MIT
/* Householder QR with column pivoting (Businger and Golub). Column norms are downdated; a norm
 * that has lost its digits is computed anew. */
#include "linalg/qr.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/assert.h"
#include "base/real.h"
#include "law/scale_mech.h"
#include "linalg/dense.h"

/* Reflection with (I - tau v v^T) x = (beta, 0, ...): x[0] becomes beta, the rest v. */
static double reflect(double *x, int n) {
  double alpha = x[0];
  double norm = pw_norm2(x, n);
  double beta = alpha > 0 ? -norm : norm;
  if (norm == fabs(alpha)) {
    bool below = false;
    for (int i = 1; i < n; i++) {
      below = below || x[i] != 0;
    }
    if (!below) {
      return 0;
    }
  }
  for (int i = 1; i < n; i++) {
    x[i] /= alpha - beta;
  }
  x[0] = beta;
  return (beta - alpha) / beta;
}

/* b <- (I - tau v v^T) b with v = (1, v[1], ...). */
static void apply(const double *v, double tau, double *b, int n) {
  if (tau != 0) {
    double s = tau * (b[0] + pw_dot(v + 1, b + 1, n - 1));
    b[0] -= s;
    pw_axpy(-s, v + 1, b + 1, n - 1);
  }
}

static void swap_columns(double *A, int n, int i, int k, int *perm, double *norm, double *seen) {
  double *a = A + (size_t)i * (size_t)n, *b = A + (size_t)k * (size_t)n;
  for (int r = 0; r < n; r++) {
    double keep = a[r];
    a[r] = b[r];
    b[r] = keep;
  }
  int p = perm[i];
  perm[i] = perm[k];
  perm[k] = p;
  norm[k] = norm[i]; /* column i is done with; its norm is not read again */
  seen[k] = seen[i];
}

/* |a_below|^2 = |a|^2 - a_k^2, unless that cancels; `seen` is the norm when last computed. */
static void downdate(const double *col, int n, int k, double *norm, double *seen) {
  if (*norm == 0) {
    return;
  }
  double ratio = fabs(col[k]) / *norm;
  double left = (1 - ratio) * (1 + ratio);
  double kept = *norm / *seen;
  if (left > 0 && left * kept * kept > PW_SCALE(QR_RECOMPUTE)) {
    *norm *= sqrt(left);
  } else {
    *norm = pw_norm2(col + k + 1, n - k - 1);
    *seen = *norm;
  }
}

int pw_qr_factor(double *A, int n, int m, double *tau, int *perm, double *work, double rank_tol) {
  double *norm = work, *seen = work + m;
  int steps = n < m ? n : m;
  for (int j = 0; j < m; j++) {
    const double *col = A + (size_t)j * (size_t)n;
    if (!pw_all_finite(col, n)) {
      return -1;
    }
    perm[j] = j;
    norm[j] = seen[j] = pw_norm2(col, n);
  }
  PW_ASSERT(n >= 0 && m >= 0 && rank_tol >= 0);
  for (int k = 0; k < steps; k++) {
    tau[k] = 0;
  }
  for (int k = 0; k < steps; k++) {
    int best = k;
    for (int j = k + 1; j < m; j++) {
      best = norm[j] > norm[best] ? j : best;
    }
    if (best != k) {
      swap_columns(A, n, k, best, perm, norm, seen);
    }
    double *col = A + (size_t)k * (size_t)n + k;
    double size = pw_norm2(col, n - k); /* |R_kk| */
    if (!(size > (k == 0 ? 0 : rank_tol * fabs(A[0])))) {
      return k;
    }
    tau[k] = reflect(col, n - k);
    for (int j = k + 1; j < m; j++) {
      double *other = A + (size_t)j * (size_t)n;
      apply(col, tau[k], other + k, n - k);
      downdate(other, n, k, &norm[j], &seen[j]);
    }
  }
  return steps;
}

void pw_qr_apply_qt(const double *A, int n, int count, const double *tau, double *b) {
  for (int k = 0; k < count; k++) {
    apply(A + (size_t)k * (size_t)n + k, tau[k], b + k, n - k);
  }
}

void pw_qr_apply_q(const double *A, int n, int count, const double *tau, double *b) {
  for (int k = count - 1; k >= 0; k--) {
    apply(A + (size_t)k * (size_t)n + k, tau[k], b + k, n - k);
  }
}

/* Unpivoted QR of the m x r matrix Z. */
static void factor_plain(double *Z, int m, int r, double *tau) {
  for (int k = 0; k < r; k++) {
    double *col = Z + (size_t)k * (size_t)m + k;
    tau[k] = reflect(col, m - k);
    for (int j = k + 1; j < r; j++) {
      apply(col, tau[k], Z + (size_t)j * (size_t)m + k, m - k);
    }
  }
}

/* [R11 R12]^T = V S  turns  A P = Q1 [R11 R12]  into  Q1 S^T V1^T, theory (19). Of full column
 * rank: V = I, and R serves as it is. */
static void complete(pw_qr *f) {
  int n = f->n, m = f->m;
  if (f->rank <= 0 || f->rank == m) {
    return;
  }
  for (int i = 0; i < f->rank; i++) {
    for (int j = 0; j < m; j++) {
      f->Z[(size_t)i * (size_t)m + (size_t)j] = j < i ? 0 : f->A[(size_t)j * (size_t)n + (size_t)i];
    }
  }
  factor_plain(f->Z, m, f->rank, f->ztau);
}

/* ---- parts ---- */

enum { FEW = 8 }; /* columns that are not worth looking at */

static const double *matrix_of(const pw_qr *f) {
  return f->given != NULL ? f->given : f->A;
}

static bool falls_apart(pw_qr *f) {
  f->parts.count = 0;
  if (f->m <= FEW) {
    return false;
  }
  pw_parts_begin(&f->parts, f->n, f->m, f->member);
  for (int j = 0; j < f->m; j++) {
    const double *a = matrix_of(f) + (size_t)j * (size_t)f->n;
    if (f->lists == NULL) {
      pw_parts_add(&f->parts, j, a);
    } else {
      int from = f->lists->start[f->list_of[j]], end = f->lists->start[f->list_of[j] + 1];
      pw_parts_add_list(&f->parts, j, a, f->lists->index + from, end - from);
    }
  }
  bool apart = pw_parts_end(&f->parts) > 1;
  f->parts.count = apart ? f->parts.count : 0;
  return apart;
}

bool pw_qr_next(const pw_qr *f, pw_qr_walk *at, pw_qr *out) {
  const pw_parts *p = &f->parts;
  if (at->next >= p->count) {
    return false;
  }
  int i = at->next++, n = p->coord_start[i + 1] - p->coord_start[i];
  int m = p->col_start[i + 1] - p->col_start[i], k = n < m ? n : m;
  out->n = n;
  out->m = m;
  out->limit = k;
  out->rank = f->ranks[i];
  out->A = f->pack + at->pack;
  out->tau = f->tau + at->tau;
  out->Z = f->Z + at->Z;
  out->ztau = f->ztau + at->tau;
  out->work = f->work;
  out->perm = f->perm + p->col_start[i];
  out->given = NULL;
  out->parts.count = 0; /* the remaining members are used for matrices that decompose into blocks */
  at->coord = p->coord + p->coord_start[i];
  at->col = p->col + p->col_start[i];
  at->pack += (size_t)n * (size_t)m;
  at->Z += (size_t)m * (size_t)k;
  at->tau += k;
  return true;
}

static double longest(const pw_qr *f) {
  double most = 0;
  for (int j = 0; j < f->m; j++) {
    most = pw_max(most, pw_norm2(f->A + (size_t)j * (size_t)f->n, f->n));
  }
  return most;
}

/* The parts, one after the other. Returns the length of the longest column. */
static double pack_parts(const pw_qr *f) {
  double most = 0;
  pw_qr_walk at = {0};
  pw_qr part;
  while (pw_qr_next(f, &at, &part)) {
    for (int j = 0; j < part.m; j++) {
      const double *from = matrix_of(f) + (size_t)at.col[j] * (size_t)f->n;
      for (int c = 0; c < part.n; c++) {
        part.A[(size_t)j * (size_t)part.n + (size_t)c] = from[at.coord[c]];
      }
    }
    most = pw_max(most, longest(&part));
  }
  return most;
}

/* Rank of a part, by the size of the columns of the whole. */
static int factor_part(const pw_qr *part, double least) {
  double own = longest(part);
  return own > least || isnan(own) ? pw_qr_factor(part->A, part->n, part->m, part->tau, part->perm,
                                                  part->work, least / own)
                                   : 0;
}

/* The part that keeps its weakest direction with the least pivot gives it up. */
static void give_up_one(pw_qr *f) {
  int weakest = -1;
  double least = INFINITY;
  pw_qr_walk at = {0};
  pw_qr part;
  while (pw_qr_next(f, &at, &part)) {
    size_t last = (size_t)(part.rank - 1);
    double pivot = part.rank > 0 ? fabs(part.A[last * (size_t)part.n + last]) : INFINITY;
    weakest = pivot < least ? at.next - 1 : weakest;
    least = pivot < least ? pivot : least;
  }
  f->ranks[weakest]--;
  f->rank--;
}

static void decompose_parts(pw_qr *f, double rank_tol) {
  double least = rank_tol * pack_parts(f);
  pw_qr_walk at = {0};
  pw_qr part;
  f->rank = 0;
  while (pw_qr_next(f, &at, &part)) {
    int rank = factor_part(&part, least);
    f->ranks[at.next - 1] = rank;
    f->rank = rank < 0 || f->rank < 0 ? -1 : f->rank + rank;
  }
  while (f->rank > f->limit) {
    give_up_one(f);
  }
  at = (pw_qr_walk){0};
  while (f->rank >= 0 && f->rank < f->m && pw_qr_next(f, &at, &part)) {
    complete(&part);
  }
}

int pw_qr_decompose(pw_qr *f, double rank_tol) {
  if (falls_apart(f)) {
    decompose_parts(f, rank_tol);
    return f->rank;
  }
  if (f->given != NULL) {
    memcpy(f->A, f->given, (size_t)f->n * (size_t)f->m * sizeof *f->A);
  }
  f->rank = pw_qr_factor(f->A, f->n, f->m, f->tau, f->perm, f->work, rank_tol);
  f->rank = f->rank < f->limit ? f->rank : f->limit; /* later reflections leave rows above alone */
  PW_ASSERT(f->rank >= -1 && f->rank <= (f->n < f->m ? f->n : f->m));
  complete(f);
  return f->rank;
}
