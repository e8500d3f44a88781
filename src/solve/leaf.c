// SPDX-License-Identifier: MIT
/* Rows F inside, N at bounds:  D_FF x_F = -(b_F + D_FN x_N)  by complete orthogonal decomposition.
 * If D_FF is singular, the leaf is the polytope of (x_F, y_N) with
 *   D_FF x_F = -(b_F + D_FN x_N),   D_NF x_F - y_N = -(b_N + D_NN x_N),
 * and its dimension that of the set left by the variables whose range is a single value. */
#include "solve/leaf.h"

#include <math.h>
#include <string.h>

#include "base/real.h"
#include "base/strip.h"
#include "law/scale_mech.h"
#include "law/scale_solve.h"
#include "linalg/dense.h"
#include "linalg/qr.h"
#include "solve/polytope.h"

typedef struct state {
  const pw_box_lcp *p;
  const int *piece;
  double tol;      /* absolute */
  int *inside;     /* rows of F */
  int *fixed;      /* m: this variable has one value only */
  int count;       /* of F */
  double *r;       /* m: b + D x_N */
  double *A;       /* 2 m x m */
  double *lo, *hi; /* m: of (x_F, y_N) by row */
  double *mean;    /* m */
  double *memory;  /* of a decomposition or a polytope */
  int *whole;
} state;

static size_t larger(size_t a, size_t b) {
  return a > b ? a : b;
}

static void lay_out(state *s, int m, pw_strip *to) {
  size_t k = (size_t)m;
  s->r = pw_strip_real(to, k);
  s->lo = pw_strip_real(to, k);
  s->hi = pw_strip_real(to, k);
  s->mean = pw_strip_real(to, k);
  s->A = pw_strip_real(to, 2 * k * k);
  s->memory = pw_strip_real(to, larger(pw_qr_doubles(2 * m, m), pw_polytope_doubles(m, m)));
  s->inside = pw_strip_whole(to, k);
  s->fixed = pw_strip_whole(to, k);
  s->whole = pw_strip_whole(to, larger(pw_qr_ints(2 * m, m), pw_polytope_ints(m)));
}

size_t pw_leaf_doubles(int m) {
  state s;
  pw_strip to = {0};
  lay_out(&s, m, &to);
  return to.n_real;
}

size_t pw_leaf_ints(int m) {
  state s;
  pw_strip to = {0};
  lay_out(&s, m, &to);
  return to.n_whole;
}

static double entry(const pw_box_lcp *p, int i, int j) {
  return p->D[(size_t)j * (size_t)p->m + (size_t)i];
}

static void evaluate(const pw_box_lcp *p, const double *x, double *y) {
  memcpy(y, p->b, (size_t)p->m * sizeof *y);
  for (int j = 0; j < p->m; j++) {
    if (x[j] != 0) {
      pw_axpy(x[j], p->D + (size_t)j * (size_t)p->m, y, p->m);
    }
  }
}

/* x_N, the list F, and r. */
static void begin(state *s, double *x) {
  const pw_box_lcp *p = s->p;
  for (int i = 0; i < p->m; i++) {
    int piece = s->piece[i];
    x[i] = piece == PW_PIECE_LO   ? pw_box_lcp_lo(p, i)
           : piece == PW_PIECE_HI ? pw_box_lcp_hi(p, i)
                                  : 0;
    if (piece == PW_PIECE_INSIDE) {
      s->inside[s->count++] = i;
    }
  }
  evaluate(p, x, s->r);
  s->tol *= pw_max(pw_norm_inf(p->b, p->m), pw_norm_inf(x, p->m));
}

/* x_F of least norm; returns the rank of D_FF, -1 if nothing solves the equations. */
static int solve_inside(state *s, double *x, double *rhs) {
  int k = s->count;
  pw_qr f;
  pw_qr_init(&f, k, k, s->memory, s->whole);
  for (int j = 0; j < k; j++) {
    rhs[j] = -s->r[s->inside[j]];
    for (int i = 0; i < k; i++) {
      f.A[(size_t)j * (size_t)k + (size_t)i] = entry(s->p, s->inside[i], s->inside[j]);
    }
  }
  pw_qr_decompose(&f, PW_SCALE(RANK_DROP));
  pw_qr_least_squares(&f, rhs, s->mean);
  for (int j = 0; j < k; j++) {
    x[s->inside[j]] = s->mean[j];
    for (int i = 0; i < k; i++) {
      rhs[i] -= entry(s->p, s->inside[i], s->inside[j]) * s->mean[j];
    }
  }
  double size = pw_max(s->tol, PW_SCALE(LEAF_MISS) * pw_norm_inf(x, s->p->m));
  return pw_norm_inf(rhs, k) <= size ? f.rank : -1;
}

static void clamp(const pw_box_lcp *p, double *x) {
  for (int i = 0; i < p->m; i++) {
    double lo = pw_box_lcp_lo(p, i), hi = pw_box_lcp_hi(p, i);
    x[i] = x[i] < lo ? lo : x[i] > hi ? hi : x[i];
  }
}

/* How far x and y miss the inequalities of the pattern. */
static double excess(const state *s, const double *x, const double *y) {
  double worst = 0;
  for (int i = 0; i < s->p->m; i++) {
    double lo = pw_box_lcp_lo(s->p, i), hi = pw_box_lcp_hi(s->p, i);
    if (s->piece[i] == PW_PIECE_INSIDE) {
      worst = pw_max(worst, pw_max(lo - x[i], x[i] - hi));
    } else if (lo < hi) {
      worst = pw_max(worst, s->piece[i] == PW_PIECE_LO ? -y[i] : y[i]);
    }
  }
  return worst;
}

static pw_leaf_answer judge(double excess_found, double tol) {
  if (excess_found <= tol) {
    return PW_LEAF_FOUND;
  }
  return excess_found <= PW_SCALE(LEAF_BORDER) * tol ? PW_LEAF_BORDER : PW_LEAF_NONE;
}

/* Columns: x_i for i in F, y_i for i in N; row and column i belong to row i of the problem. */
static void assemble(state *s) {
  const pw_box_lcp *p = s->p;
  size_t m = (size_t)p->m;
  for (int j = 0; j < p->m; j++) {
    bool in = s->piece[j] == PW_PIECE_INSIDE;
    bool fixed = pw_box_lcp_lo(p, j) == pw_box_lcp_hi(p, j);
    s->lo[j] = in ? pw_box_lcp_lo(p, j) : s->piece[j] == PW_PIECE_HI || fixed ? -INFINITY : 0;
    s->hi[j] = in ? pw_box_lcp_hi(p, j) : s->piece[j] == PW_PIECE_LO || fixed ? INFINITY : 0;
    for (int i = 0; i < p->m; i++) {
      s->A[(size_t)j * m + (size_t)i] = in ? entry(p, i, j) : (i == j ? -1 : 0);
    }
    s->r[j] = -s->r[j];
  }
}

/* Rank of D_FF together with the rows of the fixed variables. */
static int rank_with_fixed(state *s) {
  int m = s->p->m, rows = 0, k = s->count;
  for (int i = 0; i < m; i++) {
    rows += (s->piece[i] == PW_PIECE_INSIDE) + s->fixed[i];
  }
  pw_qr f;
  pw_qr_init(&f, rows, k, s->memory, s->whole);
  for (int j = 0; j < k; j++) {
    double *col = f.A + (size_t)j * (size_t)rows;
    int at = 0;
    for (int i = 0; i < m; i++) {
      if (s->piece[i] == PW_PIECE_INSIDE) {
        col[at++] = entry(s->p, i, s->inside[j]);
      }
      if (s->fixed[i]) {
        col[at++] = s->piece[i] == PW_PIECE_INSIDE ? (i == s->inside[j] ? 1 : 0)
                                                   : entry(s->p, i, s->inside[j]);
      }
    }
  }
  return pw_qr_decompose(&f, PW_SCALE(RANK_DROP));
}

/* Mean of points where one variable is least or largest, and the fixed variables. False: the
 * simplex method gave up. */
static bool spread(state *s, pw_polytope *t) {
  int m = s->p->m;
  memset(s->mean, 0, (size_t)m * sizeof *s->mean);
  for (int i = 0; i < m; i++) {
    double end[2];
    for (int k = 0; k < 2; k++) {
      end[k] = pw_polytope_end(t, i, k == 0 ? -1 : 1);
      pw_axpy(0.5 / m, t->x, s->mean, m);
    }
    s->fixed[i] = end[1] - end[0] <= 10 * s->tol;
    if (isnan(end[0]) || isnan(end[1])) {
      return false;
    }
  }
  return true;
}

static pw_leaf_answer solve_singular(state *s, double *x, double *y, int *dimension) {
  int m = s->p->m;
  pw_polytope t;
  assemble(s);
  if (pw_polytope_init(&t, m, m, s->A, s->lo, s->hi, PW_SCALE(RANK_DROP), s->memory, s->whole) !=
      PW_SOLVED) {
    return PW_LEAF_BORDER;
  }
  pw_outcome o = pw_polytope_find(&t, s->A, s->r, s->tol);
  if (o != PW_SOLVED) {
    return o == PW_INFEASIBLE ? PW_LEAF_NONE : PW_LEAF_BORDER;
  }
  if (!spread(s, &t)) {
    return PW_LEAF_BORDER;
  }
  for (int i = 0; i < m; i++) {
    x[i] = s->piece[i] == PW_PIECE_INSIDE ? s->mean[i] : x[i];
  }
  clamp(s->p, x);
  evaluate(s->p, x, y);
  *dimension = s->count - rank_with_fixed(s);
  return judge(excess(s, x, y), 10 * s->tol);
}

pw_leaf_answer pw_leaf_solve(const pw_box_lcp *p, const int *piece, double tol, double *x,
                             double *y, int *dimension, double *real, int *whole) {
  state s = {.p = p, .piece = piece, .tol = tol};
  lay_out(&s, p->m, &(pw_strip){.real = real, .whole = whole});
  begin(&s, x);
  *dimension = 0;
  int rank = solve_inside(&s, x, y);
  if (rank < 0) {
    return PW_LEAF_NONE;
  }
  if (rank < s.count) {
    return solve_singular(&s, x, y, dimension);
  }
  s.tol = pw_max(s.tol, tol * pw_norm_inf(x, p->m));
  evaluate(p, x, y);
  pw_leaf_answer answer = judge(excess(&s, x, y), s.tol);
  clamp(p, x);
  return answer;
}

bool pw_leaf_contains(const pw_box_lcp *p, const int *piece, const double *x, const double *y,
                      double tol) {
  for (int i = 0; i < p->m; i++) {
    double off = piece[i] == PW_PIECE_INSIDE ? y[i]
                 : piece[i] == PW_PIECE_LO   ? x[i] - pw_box_lcp_lo(p, i)
                                             : x[i] - pw_box_lcp_hi(p, i);
    if (!(fabs(off) <= tol)) {
      return false;
    }
  }
  return true;
}
