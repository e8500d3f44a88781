// SPDX-License-Identifier: MIT
/* Active set with dependency exchange. F holds rows inside their bounds with independent columns
 * and y_F = 0. A violated row i enters: with a_i = A_F w + rho the direction d = e_i - w on F
 * changes y_i by |rho|^2 and leaves y_F at zero. If rho = 0 the direction changes no y at all and
 * is followed to the first bound; if there is none, the rows contradict each other. Every entry
 * lowers the objective: rows that block a step of length zero leave F before row i moves. */
#include "solve/box_qp.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/real.h"
#include "base/strip.h"
#include "law/scale_mech.h"
#include "law/scale_solve.h"
#include "linalg/dense.h"
#include "solve/active_qr.h"
#include "solve/columns.h"

enum { OUTSIDE = -1, SETTLED = -2 }; /* not in F; not in F and left as it is */

typedef struct state {
  const pw_box_qp *p;
  pw_box_info *info;
  double *x, *y;
  double *r;         /* n: A x + c */
  double *rho;       /* n */
  double *t, *w, *v; /* cap: a_i = Q t + rho = A_F w + rho */
  pw_active_qr qr;
  int *member; /* rows of F in the order of the columns of the factor */
  int *place;  /* m: position in F, OUTSIDE or SETTLED */
  double tol, rank_tol;
  double size_c; /* |c| */
  double limit;  /* violations up to here are none */
} state;

static int capacity(int n, int m) {
  return (n < m ? n : m) + 1;
}

static void lay_out(state *s, int n, int m, pw_strip *to) {
  int cap = capacity(n, m);
  size_t k = (size_t)cap;
  s->r = pw_strip_real(to, (size_t)n);
  s->rho = pw_strip_real(to, (size_t)n);
  s->t = pw_strip_real(to, k);
  s->w = pw_strip_real(to, k);
  s->v = pw_strip_real(to, k);
  s->qr = (pw_active_qr){.n = n, .cap = cap};
  s->qr.Q = pw_strip_real(to, (size_t)n * k);
  s->qr.R = pw_strip_real(to, k * k);
  s->member = pw_strip_whole(to, (size_t)m + 1);
  s->place = pw_strip_whole(to, (size_t)m);
}

size_t pw_box_qp_doubles(int n, int m) {
  state s;
  pw_strip to = {0};
  lay_out(&s, n, m, &to);
  return to.n_real;
}

size_t pw_box_qp_ints(int m) {
  state s;
  pw_strip to = {0};
  lay_out(&s, 0, m, &to);
  return to.n_whole;
}

static const double *column(const pw_box_qp *p, int i) {
  return p->A + (size_t)i * (size_t)p->n;
}

static double clamp(double x, double lo, double hi) {
  return x < lo ? lo : x > hi ? hi : x;
}

/* r = A x + c and y = A^T r + z from the present x, with the error that this must have. */
static void refresh(state *s) {
  const pw_box_qp *p = s->p;
  memcpy(s->r, p->c, (size_t)p->n * sizeof *s->r);
  pw_columns_add(p->A, p->n, p->m, 1, s->x, s->r);
  pw_columns_dot(p->A, p->n, p->m, s->r, s->y);
  double size = s->size_c;
  for (int i = 0; i < p->m; i++) {
    s->y[i] += p->z[i];
    size += fabs(s->x[i]);
  }
  s->info->rounding = PW_SCALE(ROUNDED_SUM) * size;
  s->limit = pw_max(0.5 * s->tol * s->info->scale, s->info->rounding);
}

/* Amount by which row i misses its condition; positive y wants a smaller x, negative a larger. */
static double violation(const state *s, int i) {
  double y = s->y[i];
  if (isnan(y)) {
    return NAN;
  }
  return y < 0 ? (s->x[i] < s->p->hi[i] ? -y : 0) : (s->x[i] > s->p->lo[i] ? y : 0);
}

static double split(state *s, int i) {
  return pw_active_split(&s->qr, column(s->p, i), s->t, s->rho, s->v);
}

static void add(state *s, int row, double length) {
  s->place[row] = s->qr.k;
  s->member[s->qr.k] = row;
  pw_active_add(&s->qr, s->t, s->rho, length);
}

/* With a smaller F a row that depended on it may do so no longer. */
static void drop(state *s, int k) {
  s->place[s->member[k]] = OUTSIDE;
  pw_active_remove(&s->qr, k);
  for (; k < s->qr.k; k++) {
    s->member[k] = s->member[k + 1];
    s->place[s->member[k]] = k;
  }
  for (int i = 0; i < s->p->m; i++) {
    s->place[i] = s->place[i] == SETTLED ? OUTSIDE : s->place[i];
  }
}

/* Row to enter: the worst one, or the first one (Bland) when that has not ended it. -1: none,
 * -2: not a number. */
static int choose(const state *s, bool first) {
  int best = -1;
  double most = s->limit;
  for (int i = 0; i < s->p->m; i++) {
    double v = violation(s, i);
    if (isnan(v)) {
      return -2;
    }
    if (v > most && s->place[i] == OUTSIDE) {
      best = i;
      most = v;
      if (first) {
        break;
      }
    }
  }
  return best;
}

/* Longest step of x_F += step f w before a bound, below `best`; *block: its place in F. Entries of
 * w below `noise` do not count. Among equals the largest entry blocks: the best pivot. */
static double first_bound(const state *s, double f, double noise, double best, int *block) {
  double size = 0;
  for (int k = 0; k < s->qr.k; k++) {
    int j = s->member[k];
    double d = f * s->w[k];
    if (fabs(d) <= noise) {
      continue;
    }
    double room = ((d > 0 ? s->p->hi[j] : s->p->lo[j]) - s->x[j]) / d;
    room = room > 0 ? room : 0;
    if (room < best || (room == best && *block >= 0 && fabs(d) > size)) {
      best = room;
      size = fabs(d);
      *block = k;
    }
  }
  return best;
}

/* x_F += step f w, and the blocking row exactly on its bound. */
static void walk(state *s, double f, double step, int block) {
  const pw_box_qp *p = s->p;
  for (int k = 0; k < s->qr.k; k++) {
    int j = s->member[k];
    s->x[j] = clamp(s->x[j] + step * f * s->w[k], p->lo[j], p->hi[j]);
  }
  if (block >= 0) {
    int j = s->member[block];
    s->x[j] = f * s->w[block] > 0 ? p->hi[j] : p->lo[j];
  }
}

/* Minimises over F, the other rows held: x_F -= (R^T R)^-1 y_F, shortened at bounds, whose rows
 * leave F, until the full step is free. */
static void minimise(state *s) {
  while (s->qr.k > 0) {
    for (int k = 0; k < s->qr.k; k++) {
      s->w[k] = s->y[s->member[k]];
    }
    pw_active_forward(&s->qr, s->w);
    pw_active_back(&s->qr, s->w);
    int block = -1;
    double noise = PW_SCALE(STEP_NOISE) * pw_norm_inf(s->w, s->qr.k);
    double step = first_bound(s, -1, noise, 1, &block);
    walk(s, -1, step, block);
    if (block < 0) {
      break;
    }
    drop(s, block);
    s->info->iterations++;
    if (step > 0) {
      refresh(s);
    }
  }
  refresh(s);
}

static double drift(const state *s) {
  double worst = 0;
  for (int k = 0; k < s->qr.k; k++) {
    worst = pw_max(worst, fabs(s->y[s->member[k]]));
  }
  return worst;
}

/* The combination of columns that vanishes, as certificate in y. */
static pw_outcome contradiction(state *s, int i, double sign, double noise) {
  memset(s->y, 0, (size_t)s->p->m * sizeof *s->y);
  s->y[i] = sign;
  for (int k = 0; k < s->qr.k; k++) {
    s->y[s->member[k]] = fabs(s->w[k]) > noise ? -sign * s->w[k] : 0;
  }
  s->info->row = i;
  return PW_INFEASIBLE;
}

/* A column at distance `length` from the span of F counts as dependent; then conditions that differ
 * by less than this do not contradict each other. */
static double leeway(const state *s, double length) {
  double size = 1;
  for (int k = 0; k < s->qr.k; k++) {
    size += fabs(s->w[k]);
  }
  return s->tol * s->info->scale * size + 10 * length * (s->info->scale + s->size_c);
}

/* z.d along the direction that changes no force: what remains of y_i without rounding. */
static bool descends(const state *s, int i, double sign, double length) {
  double slope = s->p->z[i];
  for (int k = 0; k < s->qr.k; k++) {
    slope -= s->w[k] * s->p->z[s->member[k]];
  }
  return sign * slope < -leeway(s, length);
}

static pw_outcome accept(state *s, int i, double y, double length) {
  s->place[i] = SETTLED;
  s->info->accepted = pw_max(s->info->accepted, pw_min(fabs(y), leeway(s, length)));
  return PW_SOLVED;
}

/* Brings row i to its condition; F and x change, y_F stays 0. */
static pw_outcome enter(state *s, int i) {
  const pw_box_qp *p = s->p;
  double y = s->y[i], sign = y < 0 ? 1 : -1;
  for (;;) {
    double length = split(s, i);
    bool independent = length > s->rank_tol;
    double ideal = independent ? fabs(y) / (length * length) : INFINITY;
    memcpy(s->w, s->t, (size_t)s->qr.k * sizeof *s->w);
    pw_active_back(&s->qr, s->w);
    if (!independent && !descends(s, i, sign, length)) {
      return accept(s, i, y, length);
    }

    /* as far as this row, the others or the minimum allow */
    double own = sign > 0 ? p->hi[i] - s->x[i] : s->x[i] - p->lo[i];
    double part = independent ? PW_SCALE(STEP_NOISE) : PW_SCALE(NULL_NOISE);
    double noise = part * pw_norm_inf(s->w, s->qr.k);
    int block = -1;
    double room = first_bound(s, -sign, noise, pw_min(own, ideal), &block);
    if (isinf(room)) {
      return contradiction(s, i, sign, noise);
    }

    walk(s, -sign, room, block);
    s->x[i] = clamp(s->x[i] + sign * room, p->lo[i], p->hi[i]);
    if (block < 0) {
      if (own <= ideal) {
        s->x[i] = sign > 0 ? p->hi[i] : p->lo[i];
      } else {
        add(s, i, length);
      }
      return PW_SOLVED;
    }
    y += independent ? sign * room * length * length : 0;
    drop(s, block);
  }
}

static bool unbounded(const pw_box_qp *p, int i) {
  return isinf(p->lo[i]) && isinf(p->hi[i]);
}

static bool well_posed(const pw_box_qp *p) {
  for (int i = 0; i < p->m; i++) {
    if (!(p->lo[i] <= p->hi[i]) || p->lo[i] == INFINITY || p->hi[i] == -INFINITY ||
        !isfinite(p->z[i])) {
      return false;
    }
  }
  return pw_all_finite(p->c, p->n) && pw_all_finite(p->A, p->n * p->m);
}

/* Start values. Rows that are not expected inside begin at a bound. */
static void start(state *s, const bool *hint) {
  const pw_box_qp *p = s->p;
  for (int i = 0; i < p->m; i++) {
    double x = hint != NULL && isfinite(s->x[i]) ? s->x[i] : 0;
    x = clamp(x, p->lo[i], p->hi[i]);
    if (hint != NULL && !hint[i] && !unbounded(p, i)) {
      x = x - p->lo[i] <= p->hi[i] - x ? p->lo[i] : p->hi[i];
    }
    s->x[i] = x;
  }
  double scale = 0;
  for (int i = 0; i < p->m; i++) {
    double b = fabs(pw_dot(column(p, i), p->c, p->n)) + fabs(p->z[i]);
    scale = pw_max(scale, pw_max(b, fabs(clamp(0, p->lo[i], p->hi[i]))));
  }
  s->info->scale = scale;
  s->size_c = pw_norm2(p->c, p->n);
  refresh(s);
}

/* The first F: unbounded and hinted rows, or all that are violated at the start, as far as they
 * are independent. Most of the rows that end inside are among them. */
static void guess(state *s, const bool *hint) {
  for (int turn = 0; turn < 2; turn++) { /* unbounded rows first: they cannot leave F */
    for (int i = 0; i < s->p->m && s->qr.k + 1 < s->qr.cap; i++) {
      bool wanted = hint != NULL ? hint[i] : violation(s, i) > s->limit;
      if (turn == 0 ? unbounded(s->p, i) : !unbounded(s->p, i) && wanted) {
        double length = split(s, i);
        if (length > pw_max(s->rank_tol, PW_SCALE(GUESS_ROWS))) {
          add(s, i, length);
        }
      }
    }
  }
  s->info->iterations++;
  minimise(s);
}

/* A single row is met by x - y/|a|^2, or by the bound before it; false: not to the limit. */
static bool solve_one(state *s, const bool *hint) {
  const pw_box_qp *p = s->p;
  double length = pw_norm2(p->A, p->n);
  bool enters = unbounded(p, 0) || (hint != NULL ? hint[0] : violation(s, 0) > s->limit);
  if (!(length > pw_max(s->rank_tol, PW_SCALE(GUESS_ROWS)))) {
    return false;
  }
  s->info->iterations++;
  if (enters) {
    double x = s->x[0] - s->y[0] / length / length;
    s->x[0] = clamp(x, p->lo[0], p->hi[0]);
    s->info->rank = s->x[0] == x;
    refresh(s);
  }
  double miss = s->info->rank == 1 ? 4 * fabs(s->y[0]) : violation(s, 0);
  return miss <= s->limit;
}

static pw_outcome iterate(state *s) {
  int m = s->p->m, most = 50 + 20 * m;
  for (;;) {
    if (drift(s) > 0.25 * s->limit) {
      minimise(s);
    }
    int i = choose(s, s->info->iterations > 4 * m + 20);
    if (i < 0) {
      return i == -1 ? PW_SOLVED : PW_BREAKDOWN;
    }
    if (++s->info->iterations > most) {
      return PW_MAX_ITER;
    }
    pw_outcome o = enter(s, i);
    if (o != PW_SOLVED) {
      return o;
    }
    refresh(s);
  }
}

pw_outcome pw_box_qp_solve(const pw_box_qp *p, double *x, double *y, const bool *hint, double *real,
                           int *whole, pw_box_info *info) {
  *info = (pw_box_info){.row = -1, .residual = NAN};
  if (!well_posed(p)) {
    return PW_BREAKDOWN;
  }
  state s = {.p = p, .info = info, .x = x, .y = y};
  s.tol = p->tol > 0 ? p->tol : PW_SCALE(ITERATED);
  s.rank_tol = p->rank_tol > 0 ? p->rank_tol : PW_SCALE(RANK_ROWS);
  lay_out(&s, p->n, p->m, &(pw_strip){.real = real, .whole = whole});
  for (int i = 0; i < p->m; i++) {
    s.place[i] = OUTSIDE;
  }
  start(&s, hint);
  pw_outcome o = PW_SOLVED;
  if (p->m != 1 || !solve_one(&s, hint)) {
    guess(&s, hint);
    o = iterate(&s);
    info->rank = s.qr.k;
  }
  info->residual = pw_box_qp_residual(p, x, s.rho);
  if (o == PW_SOLVED) {
    double noise =
        pw_min(pw_max(info->rounding, info->accepted), PW_SCALE(BOX_ACCEPTED) * info->scale);
    double allowed = pw_max(s.tol * info->scale, noise);
    o = info->residual <= allowed ? PW_SOLVED : PW_BREAKDOWN;
    PW_ASSERT(info->rank >= 0 && info->rank <= (p->n < p->m ? p->n : p->m));
  }
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
    /* natural map x - proj(x - y), zero exactly at a solution; in this form nothing cancels */
    worst = pw_max(worst, fabs(clamp(y, x[i] - p->hi[i], x[i] - p->lo[i])));
    worst = isnan(x[i]) ? NAN : worst;
  }
  return worst;
}
