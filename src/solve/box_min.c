// SPDX-License-Identifier: MIT
/* minimise 1/2 |x|^2  with  A x = g,  lo <= x <= hi,  by a primal active set: x_F is the least
 * solution of A_F x_F = g - A_W x_W (complete orthogonal decomposition), shortened at bounds, whose
 * rows join W. At a full step A_F^T mu = x_F, and row j of W is right if x_j - a_j.mu >= 0 at lo,
 * <= 0 at hi; the worst that is not goes back to F. */
#include "solve/box_min.h"

#include <math.h>
#include <string.h>

#include "base/real.h"
#include "base/strip.h"
#include "law/scale_mech.h"
#include "law/scale_solve.h"
#include "linalg/dense.h"
#include "linalg/qr.h"

enum { HELD, FREE, FIXED }; /* at a bound by choice, free, not open at all */

typedef struct state {
  const pw_box_qp *p;
  double *x;
  double *g;      /* n: A x over the open rows */
  double *rhs;    /* n */
  double *mu;     /* n */
  double *xf;     /* m: least solution on F */
  double *memory; /* of the decomposition */
  int *kind;      /* m */
  int *member;    /* m: rows of F */
  int *perm;
  int count; /* of F */
  pw_qr qr;
  double rank_tol, noise;
} state;

static void lay_out(state *s, int n, int m, pw_strip *to) {
  s->g = pw_strip_real(to, (size_t)n);
  s->rhs = pw_strip_real(to, (size_t)n);
  s->mu = pw_strip_real(to, (size_t)n);
  s->xf = pw_strip_real(to, (size_t)m);
  s->memory = pw_strip_real(to, pw_qr_doubles(n, m));
  s->kind = pw_strip_whole(to, (size_t)m);
  s->member = pw_strip_whole(to, (size_t)m);
  s->perm = pw_strip_whole(to, pw_qr_ints(n, m));
}

static pw_strip count(int n, int m) {
  state s;
  pw_strip to = {0};
  lay_out(&s, n, m, &to);
  return to;
}

size_t pw_box_min_doubles(int n, int m) {
  return count(n, m).n_real;
}

size_t pw_box_min_ints(int n, int m) {
  return count(n, m).n_whole;
}

static const double *column(const state *s, int i) {
  return s->p->A + (size_t)i * (size_t)s->p->n;
}

static void begin(state *s, const double *y, double y_tol, pw_box_min_info *info) {
  const pw_box_qp *p = s->p;
  memset(s->g, 0, (size_t)p->n * sizeof *s->g);
  double size = 0;
  for (int i = 0; i < p->m; i++) {
    bool open = !(fabs(y[i]) > y_tol) && p->lo[i] < p->hi[i];
    s->kind[i] = open ? FREE : FIXED;
    if (open) {
      info->open++;
      pw_axpy(s->x[i], column(s, i), s->g, p->n);
      size = pw_max(size, fabs(s->x[i]));
    }
  }
  s->noise = PW_SCALE(LEAST_NOISE) * size;
}

/* x_F of least norm with the given total force. */
static void least(state *s) {
  const pw_box_qp *p = s->p;
  s->count = 0;
  memcpy(s->rhs, s->g, (size_t)p->n * sizeof *s->rhs);
  for (int i = 0; i < p->m; i++) {
    if (s->kind[i] == FREE) {
      s->member[s->count++] = i;
    } else if (s->kind[i] == HELD) {
      pw_axpy(-s->x[i], column(s, i), s->rhs, p->n);
    }
  }
  pw_qr_init(&s->qr, p->n, s->count, s->memory, s->perm);
  for (int k = 0; k < s->count; k++) {
    memcpy(s->qr.A + (size_t)k * (size_t)p->n, column(s, s->member[k]),
           (size_t)p->n * sizeof *s->qr.A);
  }
  pw_qr_decompose(&s->qr, s->rank_tol);
  pw_qr_least_squares(&s->qr, s->rhs, s->xf);
}

/* Goes toward xf; true if nothing blocks, else the blocking row is held. */
static bool advance(state *s) {
  const pw_box_qp *p = s->p;
  double step = 1;
  int block = -1;
  for (int k = 0; k < s->count; k++) {
    int j = s->member[k];
    double over = s->xf[k] > p->hi[j] ? s->xf[k] - p->hi[j] : p->lo[j] - s->xf[k];
    if (over > s->noise) {
      double bound = s->xf[k] > p->hi[j] ? p->hi[j] : p->lo[j];
      double room = (bound - s->x[j]) / (s->xf[k] - s->x[j]);
      room = room > 0 ? room : 0;
      if (room < step) {
        step = room;
        block = k;
      }
    }
  }
  for (int k = 0; k < s->count; k++) {
    int j = s->member[k];
    double x = block < 0 ? s->xf[k] : s->x[j] + step * (s->xf[k] - s->x[j]);
    x = x < p->lo[j] ? p->lo[j] : x > p->hi[j] ? p->hi[j] : x;
    s->x[j] = k == block ? (s->xf[k] > p->hi[j] ? p->hi[j] : p->lo[j]) : x;
  }
  if (block >= 0) {
    s->kind[s->member[block]] = HELD;
  }
  return block < 0;
}

/* Returns the largest error of a multiplier and lets the row go that has it (or, to end cycles,
 * the first). */
static double release(state *s, bool first) {
  int worst = -1;
  double most = s->noise;
  pw_qr_min_norm(&s->qr, s->xf, s->mu);
  for (int j = 0; j < s->p->m; j++) {
    if (s->kind[j] == HELD) {
      double nu = s->x[j] - pw_dot(column(s, j), s->mu, s->p->n);
      double wrong = s->x[j] == s->p->lo[j] ? -nu : nu;
      if (isnan(wrong)) {
        return NAN;
      }
      if (wrong > most && !(first && worst >= 0)) {
        worst = j;
        most = wrong;
      }
    }
  }
  if (worst >= 0) {
    s->kind[worst] = FREE;
  }
  return worst >= 0 ? most : 0;
}

pw_outcome pw_box_min(const pw_box_qp *p, const double *y, double y_tol, double *x, double *real,
                      int *whole, pw_box_min_info *info) {
  state s = {.p = p, .x = x};
  lay_out(&s, p->n, p->m, &(pw_strip){.real = real, .whole = whole});
  s.rank_tol = p->rank_tol > 0 ? p->rank_tol : PW_SCALE(RANK_ROWS);
  *info = (pw_box_min_info){.rank = -1};
  begin(&s, y, y_tol, info);
  int most = 20 + 10 * p->m;
  while (info->iterations++ < most) {
    least(&s);
    info->rank = info->rank < 0 ? s.qr.rank : info->rank; /* of all open rows: the first F */
    if (s.qr.rank < 0) {
      return PW_BREAKDOWN;
    }
    if (advance(&s)) {
      info->gap = release(&s, info->iterations > 2 * p->m + 10);
      if (info->gap == 0) {
        return PW_SOLVED;
      }
      if (isnan(info->gap)) {
        return PW_BREAKDOWN;
      }
    }
  }
  return PW_MAX_ITER;
}
