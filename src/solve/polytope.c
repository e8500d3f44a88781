// SPDX-License-Identifier: MIT
/* Condensed tableau: only the columns of the variables outside the basis are kept. To move x_i, a
 * variable j outside the basis moves as long as no bound is met; a basic variable that meets its
 * bound changes place with it. Steepest choice first, Bland's rule when that takes long. */
#include "solve/polytope.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/real.h"
#include "base/strip.h"
#include "law/scale_solve.h"
#include "linalg/dense.h"
#include "linalg/qr.h"

static size_t smaller(int n, int m) {
  return (size_t)(n < m ? n : m);
}

/* A table has rank x (m - rank) entries, most for half of the variables. */
static void lay_out(pw_polytope *s, int n, int m, pw_strip *to) {
  size_t rows = (size_t)n, cols = (size_t)m, table = (cols / 2 + 1) * (cols / 2 + 1);
  s->QR = pw_strip_real(to, rows * cols);
  s->tau = pw_strip_real(to, smaller(n, m));
  s->work = pw_strip_real(to, rows + 2 * cols);
  s->x = pw_strip_real(to, cols);
  s->x0 = pw_strip_real(to, cols);
  s->T = pw_strip_real(to, table);
  s->T0 = pw_strip_real(to, table);
  s->order = pw_strip_whole(to, cols);
  s->order0 = pw_strip_whole(to, cols);
}

size_t pw_polytope_doubles(int n, int m) {
  pw_polytope s;
  pw_strip to = {0};
  lay_out(&s, n, m, &to);
  return to.n_real;
}

size_t pw_polytope_ints(int m) {
  pw_polytope s;
  pw_strip to = {0};
  lay_out(&s, 0, m, &to);
  return to.n_whole;
}

static double clamp(double x, double lo, double hi) {
  return x < lo ? lo : x > hi ? hi : x;
}

/* T = R11^-1 R12, for x_basic + T x_other = const. */
static void build_table(pw_polytope *s) {
  int r = s->rank;
  for (int j = r; j < s->m; j++) {
    double *t = s->T0 + (size_t)(j - r) * (size_t)r;
    memcpy(t, s->QR + (size_t)j * (size_t)s->n, (size_t)r * sizeof *t);
    for (int k = r - 1; k >= 0; k--) {
      const double *col = s->QR + (size_t)k * (size_t)s->n;
      t[k] /= col[k];
      pw_axpy(-t[k], col, t, k);
    }
    for (int k = 0; k < r; k++) {
      t[k] = fabs(t[k]) > PW_SCALE(TABLE_ZERO) ? t[k] : 0;
    }
  }
}

static size_t table_size(const pw_polytope *s) {
  return (size_t)s->rank * (size_t)(s->m - s->rank);
}

static void rewind_start(pw_polytope *s) {
  memcpy(s->T, s->T0, table_size(s) * sizeof *s->T);
  memcpy(s->x, s->x0, (size_t)s->m * sizeof *s->x);
  memcpy(s->order, s->order0, (size_t)s->m * sizeof *s->order);
}

pw_outcome pw_polytope_init(pw_polytope *s, int n, int m, const double *A, const double *lo,
                            const double *hi, double rank_tol, double *real, int *whole) {
  *s = (pw_polytope){.n = n, .m = m, .lo = lo, .hi = hi};
  lay_out(s, n, m, &(pw_strip){.real = real, .whole = whole});
  memcpy(s->QR, A, (size_t)n * (size_t)m * sizeof *A);
  s->rank = pw_qr_factor(s->QR, n, m, s->tau, s->order0, s->work, rank_tol);
  if (s->rank < 0) {
    s->rank = 0;
    return PW_BREAKDOWN;
  }
  build_table(s);
  return PW_SOLVED;
}

void pw_polytope_start(pw_polytope *s, const double *x) {
  for (int i = 0; i < s->m; i++) {
    s->x0[i] = clamp(x[i], s->lo[i], s->hi[i]);
  }
}

static double *table_column(const pw_polytope *s, int j) {
  return s->T + (size_t)j * (size_t)s->rank;
}

static void swap(int *a, int *b) {
  int keep = *a;
  *a = *b;
  *b = keep;
}

static void exchange(pw_polytope *s, int row, int col) {
  double *in = table_column(s, col), pivot = in[row];
  for (int j = 0; j < s->m - s->rank; j++) {
    double *t = table_column(s, j);
    if (j != col && t[row] != 0) {
      double f = t[row] / pivot;
      t[row] = 0;
      for (int k = 0; k < s->rank; k++) {
        t[k] -= k == row ? 0 : in[k] * f;
      }
      t[row] = f;
    }
  }
  for (int k = 0; k < s->rank; k++) {
    in[k] = k == row ? 1 / pivot : -in[k] / pivot;
  }
  swap(&s->order[row], &s->order[s->rank + col]);
}

/* The part of the work that concerns one variable: x_goal moves by `sign`, at most to `stop`. */
typedef struct climb {
  int goal, row; /* row: place in the basis, or -1 */
  double sign, stop;
  bool bland;
} climb;

static bool can_move(const pw_polytope *s, int i, double direction) {
  return direction > 0 ? s->x[i] < s->hi[i] : s->x[i] > s->lo[i];
}

/* Column to move and its direction, or -1: no move helps. */
static int entering(const pw_polytope *s, const climb *c, double *direction) {
  int best = -1;
  double most = PW_SCALE(PIVOT_TABLE);
  for (int j = 0; j < s->m - s->rank; j++) {
    int var = s->order[s->rank + j];
    double gain =
        c->row >= 0 ? -c->sign * table_column(s, j)[c->row] : (var == c->goal ? c->sign : 0);
    if (!(fabs(gain) > PW_SCALE(PIVOT_TABLE)) || !can_move(s, var, gain)) {
      continue;
    }
    if (c->bland ? best < 0 || var < s->order[s->rank + best] : fabs(gain) > most) {
      best = j;
      most = fabs(gain);
      *direction = gain > 0 ? 1 : -1;
    }
  }
  return best;
}

/* Room of basic variable k moving at rate d; one that is outside its bounds does not block. */
static double room_of(const pw_polytope *s, const climb *c, int k, double d) {
  int var = s->order[k];
  if (k == c->row) {
    return fabs(c->stop - s->x[var]) / fabs(d);
  }
  if (s->x[var] < s->lo[var] || s->x[var] > s->hi[var]) {
    return INFINITY;
  }
  return ((d > 0 ? s->hi[var] : s->lo[var]) - s->x[var]) / d;
}

/* Longest step along column j; *row: the blocking place of the basis, -1: its own bound. */
static double first_bound(const pw_polytope *s, const climb *c, int j, double direction, int *row) {
  int var = s->order[s->rank + j];
  double own = direction > 0 ? s->hi[var] : s->lo[var];
  double best = fabs((var == c->goal ? c->stop : own) - s->x[var]), size = 0;
  const double *t = table_column(s, j);
  *row = -1;
  for (int k = 0; k < s->rank; k++) {
    double d = -direction * t[k];
    if (!(fabs(d) > PW_SCALE(PIVOT_TABLE))) {
      continue;
    }
    double room = room_of(s, c, k, d);
    bool better = c->bland ? *row >= 0 && s->order[k] < s->order[*row] : fabs(d) > size;
    if (room < best || (room == best && *row >= 0 && better)) {
      best = room;
      size = fabs(d);
      *row = k;
    }
  }
  return best;
}

static void walk(pw_polytope *s, const climb *c, int j, double direction, double step) {
  int var = s->order[s->rank + j];
  const double *t = table_column(s, j);
  s->x[var] += direction * step;
  for (int k = 0; k < s->rank; k++) {
    int other = s->order[k];
    bool inside = s->x[other] >= s->lo[other] && s->x[other] <= s->hi[other];
    s->x[other] -= direction * step * t[k];
    if (inside && k != c->row) {
      s->x[other] = clamp(s->x[other], s->lo[other], s->hi[other]);
    }
  }
}

static int place_in_basis(const pw_polytope *s, int i) {
  for (int k = 0; k < s->rank; k++) {
    if (s->order[k] == i) {
      return k;
    }
  }
  return -1;
}

/* Moves x_goal by `sign` as far as the set allows, or to `stop`. Returns where it came to. */
static double move(pw_polytope *s, int goal, double sign, double stop) {
  climb c = {.goal = goal, .sign = sign, .stop = stop};
  int most = 100 + 20 * s->m;
  for (int pass = 0; pass < most; pass++) {
    double direction = 0;
    int row;
    c.row = place_in_basis(s, goal);
    c.bland = pass > 20 + 2 * s->m;
    int j = entering(s, &c, &direction);
    if (j < 0) {
      return s->x[goal];
    }

    /* to the first bound on the way */
    double step = first_bound(s, &c, j, direction, &row);
    if (isinf(step)) {
      return sign * INFINITY;
    }
    int var = s->order[s->rank + j];
    walk(s, &c, j, direction, step);
    if (row >= 0 && row == c.row) {
      return s->x[goal] = stop;
    }
    if (row < 0) {
      s->x[var] = var == goal ? stop : direction > 0 ? s->hi[var] : s->lo[var];
      if (var == goal) {
        return stop;
      }
      continue;
    }

    /* it leaves the basis */
    int leaving = s->order[row];
    s->x[leaving] = -direction * table_column(s, j)[row] > 0 ? s->hi[leaving] : s->lo[leaving];
    exchange(s, row, j);
  }
  return NAN;
}

double pw_polytope_end(pw_polytope *s, int i, double sign) {
  rewind_start(s);
  return move(s, i, sign, sign > 0 ? s->hi[i] : s->lo[i]);
}

/* x with A x = g, the variables outside the basis at their bounds nearest to zero. Returns how far
 * A x misses g. */
static double basic_point(pw_polytope *s, const double *A, const double *g) {
  int n = s->n, r = s->rank;
  double *rhs = s->work;
  memcpy(rhs, g, (size_t)n * sizeof *g);
  for (int k = r; k < s->m; k++) {
    int i = s->order[k];
    s->x[i] = clamp(0, s->lo[i], s->hi[i]);
    pw_axpy(-s->x[i], A + (size_t)i * (size_t)n, rhs, n);
  }
  pw_qr_apply_qt(s->QR, n, r, s->tau, rhs);
  for (int k = r - 1; k >= 0; k--) {
    const double *col = s->QR + (size_t)k * (size_t)n;
    rhs[k] /= col[k];
    s->x[s->order[k]] = rhs[k];
    pw_axpy(-rhs[k], col, rhs, k);
  }
  return pw_norm2(rhs + r, n - r);
}

pw_outcome pw_polytope_find(pw_polytope *s, const double *A, const double *g, double tol) {
  memset(s->x0, 0, (size_t)s->m * sizeof *s->x0);
  rewind_start(s);
  double miss = basic_point(s, A, g);
  if (isnan(miss)) {
    return PW_BREAKDOWN;
  }
  if (miss > tol) {
    return PW_INFEASIBLE;
  }
  /* Bounds are met one after the other; those met before are held while x_i moves. */
  for (int i = 0; i < s->m; i++) {
    bool low = s->x[i] < s->lo[i];
    if (low || s->x[i] > s->hi[i]) {
      double bound = low ? s->lo[i] : s->hi[i];
      double to = move(s, i, low ? 1 : -1, bound);
      if (isnan(to)) {
        return PW_MAX_ITER;
      }
      if (fabs(to - bound) > tol) {
        return PW_INFEASIBLE;
      }
      s->x[i] = bound;
    }
  }
  memcpy(s->x0, s->x, (size_t)s->m * sizeof *s->x0);
  memcpy(s->T0, s->T, table_size(s) * sizeof *s->T0);
  memcpy(s->order0, s->order, (size_t)s->m * sizeof *s->order0);
  return PW_SOLVED;
}
