// SPDX-License-Identifier: MIT
/* Active set with dependency exchange. F holds rows inside their bounds with independent columns
 * and y_F = 0. A violated row i enters: with a_i = A_F w + rho the direction d = e_i - w on F
 * changes y_i by |rho|^2 and leaves y_F at zero. If rho = 0 the direction changes no y at all and
 * is followed to the first bound; if there is none, the rows contradict each other. */
#include "solve/box_qp.h"

#include <math.h>
#include <string.h>

#include "base/real.h"
#include "linalg/dense.h"
#include "solve/active_qr.h"

static const double dependent = 1e-9; /* |rho| of a unit column */

typedef struct state {
  const pw_box_qp *p;
  double *x, *y;
  double *r;         /* n: A x + c */
  double *t, *w;     /* cap: a_i = Q t + rho = A_F w + rho */
  double *rho;       /* n */
  pw_active_qr qr;
  int *member;       /* rows of F in the order of the columns of the factor */
  double scale, tol;
} state;

size_t pw_box_qp_doubles(int n, int m) {
  size_t cap = (size_t)(n < m ? n : m) + 1;
  return 2 * (size_t)n + 2 * cap + (size_t)n * cap + cap * cap;
}

size_t pw_box_qp_ints(int m) {
  return (size_t)m + 1;
}

static const double *column(const pw_box_qp *p, int i) {
  return p->A + (size_t)i * (size_t)p->n;
}

static void lay_out(state *s, const pw_box_qp *p, double *x, double *y, double *real, int *whole) {
  int cap = (p->n < p->m ? p->n : p->m) + 1;
  *s = (state){.p = p, .x = x, .y = y, .member = whole};
  s->r = real;
  s->rho = s->r + p->n;
  s->t = s->rho + p->n;
  s->w = s->t + cap;
  s->qr = (pw_active_qr){.n = p->n, .cap = cap, .Q = s->w + cap};
  s->qr.R = s->qr.Q + (size_t)p->n * (size_t)cap;
}

/* r = A x + c from the present x, y = A^T r + z. */
static void refresh(state *s) {
  const pw_box_qp *p = s->p;
  memcpy(s->r, p->c, (size_t)p->n * sizeof *s->r);
  for (int i = 0; i < p->m; i++) {
    if (s->x[i] != 0) {
      pw_axpy(s->x[i], column(p, i), s->r, p->n);
    }
  }
  for (int i = 0; i < p->m; i++) {
    s->y[i] = pw_dot(column(p, i), s->r, p->n) + p->z[i];
  }
}

/* Amount by which row i misses its condition; positive y wants a smaller x, negative a larger. */
static double violation(const pw_box_qp *p, int i, double x, double y) {
  if (isnan(y)) {
    return NAN;
  }
  return y < 0 ? (x < p->hi[i] ? -y : 0) : (x > p->lo[i] ? y : 0);
}

static bool in_set(const state *s, int row) {
  for (int k = 0; k < s->qr.k; k++) {
    if (s->member[k] == row) {
      return true;
    }
  }
  return false;
}

static void drop(state *s, int k) {
  pw_active_remove(&s->qr, k);
  memmove(s->member + k, s->member + k + 1, (size_t)(s->qr.k - k) * sizeof *s->member);
}

/* Row to enter: the worst one, or the first one (Bland) when that has not ended it. -1: none,
 * -2: not a number. */
static int choose(const state *s, bool first) {
  int best = -1;
  double most = s->tol * s->scale;
  for (int i = 0; i < s->p->m; i++) {
    double v = violation(s->p, i, s->x[i], s->y[i]);
    if (isnan(v)) {
      return -2;
    }
    if (v > most && !in_set(s, i)) {
      best = i;
      most = v;
      if (first) {
        break;
      }
    }
  }
  return best;
}

/* Longest step along sign*(e_i - w on F) before a bound; *block: its place in F, -1 for row i. */
static double first_bound(const state *s, int i, double sign, int *block) {
  const pw_box_qp *p = s->p;
  double best = sign > 0 ? p->hi[i] - s->x[i] : s->x[i] - p->lo[i];
  *block = -1;
  for (int k = 0; k < s->qr.k; k++) {
    int j = s->member[k];
    double d = -sign * s->w[k];
    double room = d > 0 ? (p->hi[j] - s->x[j]) / d : d < 0 ? (p->lo[j] - s->x[j]) / d : INFINITY;
    if (room < best) {
      best = room;
      *block = k;
    }
  }
  return best < 0 ? 0 : best;
}

static void walk(state *s, int i, double sign, double step) {
  s->x[i] += sign * step;
  for (int k = 0; k < s->qr.k; k++) {
    s->x[s->member[k]] -= sign * step * s->w[k];
  }
}

static void pin(state *s, int row, double toward) {
  s->x[row] = toward > 0 ? s->p->hi[row] : s->p->lo[row];
}

/* The combination of columns that vanishes, as certificate in y. */
static pw_outcome contradiction(state *s, int i, pw_box_info *info) {
  memset(s->y, 0, (size_t)s->p->m * sizeof *s->y);
  s->y[i] = 1;
  for (int k = 0; k < s->qr.k; k++) {
    s->y[s->member[k]] = -s->w[k];
  }
  info->row = i;
  return PW_INFEASIBLE;
}

static double split(state *s, int i) {
  double length = pw_active_split(&s->qr, column(s->p, i), s->t, s->rho);
  memcpy(s->w, s->t, (size_t)s->qr.k * sizeof *s->w);
  pw_active_back(&s->qr, s->w);
  return length;
}

/* Brings row i to its condition; F and x change, y_F stays 0. */
static pw_outcome enter(state *s, int i, pw_box_info *info) {
  double y = s->y[i], sign = y < 0 ? 1 : -1;
  for (;;) {
    double length = split(s, i);
    bool independent = length > dependent;
    double ideal = independent ? fabs(y) / (length * length) : INFINITY;
    int block;
    double room = first_bound(s, i, sign, &block);
    if (isinf(room) && isinf(ideal)) {
      return contradiction(s, i, info);
    }
    if (ideal <= room) {
      walk(s, i, sign, ideal);
      pw_active_add(&s->qr, s->t, s->rho, length);
      s->member[s->qr.k - 1] = i;
      return PW_SOLVED;
    }
    walk(s, i, sign, room);
    y += independent ? sign * room * length * length : 0;
    if (block < 0) {
      pin(s, i, sign);
      return PW_SOLVED;
    }
    pin(s, s->member[block], -sign * s->w[block]);
    drop(s, block);
  }
}

/* Rows that are expected inside their bounds enter first, as far as they are independent; then x
 * is moved to y_F = 0 unless that leaves the bounds. */
static void start(state *s, const bool *hint) {
  const pw_box_qp *p = s->p;
  for (int i = 0; i < p->m; i++) {
    double x = isfinite(s->x[i]) ? s->x[i] : 0;
    s->x[i] = x < p->lo[i] ? p->lo[i] : x > p->hi[i] ? p->hi[i] : x;
    bool free_row = isinf(p->lo[i]) && isinf(p->hi[i]);
    if (!free_row && (hint == NULL || !hint[i])) {
      s->x[i] = p->lo[i] > 0 ? p->lo[i] : p->hi[i] < 0 ? p->hi[i] : 0;
    }
  }
  refresh(s);
  s->scale = 0;
  for (int i = 0; i < p->m; i++) {
    double b = fabs(pw_dot(column(p, i), p->c, p->n)) + fabs(p->z[i]);
    s->scale = pw_max(s->scale, b);
  }
  s->tol = p->tol > 0 ? p->tol : 1e-11;
}

/* Hinted and unbounded rows first; each is an ordinary entering step. */
static pw_outcome enter_expected(state *s, const bool *hint, pw_box_info *info) {
  for (int i = 0; i < s->p->m; i++) {
    bool free_row = isinf(s->p->lo[i]) && isinf(s->p->hi[i]);
    if ((free_row || (hint != NULL && hint[i])) &&
        violation(s->p, i, s->x[i], s->y[i]) > s->tol * s->scale) {
      pw_outcome o = enter(s, i, info);
      info->iterations++;
      if (o != PW_SOLVED) {
        return o;
      }
      refresh(s);
    }
  }
  return PW_SOLVED;
}

pw_outcome pw_box_qp_solve(const pw_box_qp *p, double *x, double *y, const bool *hint,
                           double *real, int *whole, pw_box_info *info) {
  state s;
  lay_out(&s, p, x, y, real, whole);
  *info = (pw_box_info){.row = -1};
  start(&s, hint);
  if (isnan(s.scale)) {
    return PW_BREAKDOWN;
  }
  pw_outcome o = enter_expected(&s, hint, info);
  int most = 50 + 20 * p->m;
  while (o == PW_SOLVED) {
    int i = choose(&s, info->iterations > 2 * p->m + 10);
    if (i < 0) {
      o = i == -1 ? PW_SOLVED : PW_BREAKDOWN;
      break;
    }
    if (++info->iterations > most) {
      o = PW_MAX_ITER;
      break;
    }
    o = enter(&s, i, info);
    if (o == PW_SOLVED) {
      refresh(&s);
    }
  }
  info->residual = pw_box_qp_residual(p, x, s.rho);
  return o;
}

double pw_box_qp_residual(const pw_box_qp *p, const double *x, double *scratch) {
  double worst = 0;
  for (int k = 0; k < p->n; k++) {
    scratch[k] = p->c[k];
    for (int i = 0; i < p->m; i++) {
      scratch[k] += p->A[(size_t)i * (size_t)p->n + (size_t)k] * x[i];
    }
  }
  for (int i = 0; i < p->m; i++) {
    double y = p->z[i];
    for (int k = 0; k < p->n; k++) {
      y += p->A[(size_t)i * (size_t)p->n + (size_t)k] * scratch[k];
    }
    /* natural map: x - proj(x - y), zero exactly at a solution */
    double to = x[i] - y;
    to = to < p->lo[i] ? p->lo[i] : to > p->hi[i] ? p->hi[i] : to;
    worst = pw_max(worst, fabs(x[i] - to));
  }
  return worst;
}
