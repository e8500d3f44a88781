// SPDX-License-Identifier: MIT
/* Each level holds  e = h + T x  for all rows with only the undecided x left as columns: e_i = y_i,
 * or x_i where y_i = 0 has been solved for it. Deciding a row removes a column, so that a node near
 * the leaves costs O(m). If its pivot is small, x_i stays a column and y_i = 0 a condition for the
 * leaf. A node dies when some condition fails for all x within their bounds. */
#include "solve/enumerate.h"

#include <math.h>
#include <string.h>

#include "base/real.h"
#include "base/strip.h"
#include "law/scale_solve.h"
#include "linalg/dense.h"
#include "solve/branches.h"

enum { SOLVED_FOR = 3, UNDECIDED = 4 }; /* further states of a row beside PW_PIECE_* */

typedef struct level {
  int columns;
  int *col;  /* m: row to which a column belongs */
  double *h; /* m */
  double *T; /* m x columns */
} level;

typedef struct state {
  pw_box_lcp p; /* in common units */
  double *s, *D, *b, *lo, *hi;
  int m;
  int *order; /* rows in the order of decision */
  int *piece; /* PW_PIECE_* as decided */
  int *form;  /* what e_i is: y_i with piece, SOLVED_FOR: x_i, UNDECIDED */
  double *x, *y;
  double *tables;
  int *columns;
  double *memory;
  int *whole;
  double slack; /* for pruning */
  int64_t budget;
  double tol;
  pw_collector collector;
  pw_enumerate_info *info;
} state;

static void lay_out(state *s, int rows, pw_strip *to) {
  size_t m = (size_t)rows;
  s->s = pw_strip_real(to, m);
  s->b = pw_strip_real(to, m);
  s->lo = pw_strip_real(to, m);
  s->hi = pw_strip_real(to, m);
  s->x = pw_strip_real(to, m);
  s->y = pw_strip_real(to, m);
  s->D = pw_strip_real(to, m * m);
  s->tables = pw_strip_real(to, (m + 1) * (m * m + m));
  s->memory = pw_strip_real(to, pw_leaf_doubles(rows));
  s->order = pw_strip_whole(to, m);
  s->piece = pw_strip_whole(to, m);
  s->form = pw_strip_whole(to, m);
  s->columns = pw_strip_whole(to, (m + 1) * m);
  s->whole = pw_strip_whole(to, pw_leaf_ints(rows));
}

size_t pw_enumerate_doubles(int m) {
  state s;
  pw_strip to = {0};
  lay_out(&s, m, &to);
  return to.n_real;
}

size_t pw_enumerate_ints(int m) {
  state s;
  pw_strip to = {0};
  lay_out(&s, m, &to);
  return to.n_whole;
}

static level level_at(const state *s, int depth) {
  size_t m = (size_t)s->m;
  double *h = s->tables + (size_t)depth * (m * m + m);
  return (level){.col = s->columns + (size_t)depth * m, .h = h, .T = h + m};
}

/* Copies the problem in common units; unbounded rows are decided first. */
static void begin(state *s, const pw_box_lcp *p) {
  int count = 0;
  double size = 0;
  pw_box_lcp_scale(p, s->s);
  for (int i = 0; i < s->m; i++) {
    s->b[i] = p->b[i] / s->s[i];
    s->lo[i] = pw_box_lcp_lo(p, i) * s->s[i];
    s->hi[i] = pw_box_lcp_hi(p, i) * s->s[i];
    s->form[i] = UNDECIDED;
    size = pw_max(size, fabs(s->b[i]));
    size = isfinite(s->lo[i]) ? pw_max(size, fabs(s->lo[i])) : size;
    size = isfinite(s->hi[i]) ? pw_max(size, fabs(s->hi[i])) : size;
    for (int j = 0; j < s->m; j++) {
      size_t at = (size_t)j * (size_t)s->m + (size_t)i;
      s->D[at] = p->D[at] / (s->s[i] * s->s[j]);
    }
  }

  /* unbounded rows first: they have one piece */
  for (int turn = 0; turn < 2; turn++) {
    for (int i = 0; i < s->m; i++) {
      if ((isinf(s->lo[i]) && isinf(s->hi[i])) == (turn == 0)) {
        s->order[count++] = i;
      }
    }
  }

  s->slack = PW_SCALE(TREE_SLACK) * size;
  s->p = (pw_box_lcp){.m = s->m, .D = s->D, .b = s->b, .lo = s->lo, .hi = s->hi};
  level top = level_at(s, 0);
  memcpy(top.h, s->b, (size_t)s->m * sizeof *top.h);
  memcpy(top.T, s->D, (size_t)s->m * (size_t)s->m * sizeof *top.T);
  for (int i = 0; i < s->m; i++) {
    top.col[i] = i;
  }
}

static double *table_column(const state *s, const level *l, int c) {
  return l->T + (size_t)c * (size_t)s->m;
}

/* The level below without column c, before anything is added to it. */
static level descend(const state *s, const level *from, int depth, int c) {
  level to = level_at(s, depth + 1);
  size_t m = (size_t)s->m;
  memcpy(to.h, from->h, m * sizeof *to.h);
  for (int k = 0; k < from->columns; k++) {
    if (k != c) {
      to.col[to.columns] = from->col[k];
      memcpy(table_column(s, &to, to.columns++), table_column(s, from, k), m * sizeof *to.h);
    }
  }
  return to;
}

/* y_i = 0 is solved for x_i:  x_i = -(h_i + sum T_ij x_j) / T_ii. */
static level eliminate(const state *s, const level *from, int depth, int c, int i) {
  level to = descend(s, from, depth, c);
  const double *in = table_column(s, from, c);
  double pivot = in[i], f = -from->h[i] / pivot;
  pw_axpy(f, in, to.h, s->m);
  to.h[i] = f;
  for (int k = 0; k < to.columns; k++) {
    double *t = table_column(s, &to, k);
    f = -t[i] / pivot;
    pw_axpy(f, in, t, s->m);
    t[i] = f;
  }
  return to;
}

static level fix(const state *s, const level *from, int depth, int c, double value) {
  level to = descend(s, from, depth, c);
  pw_axpy(value, table_column(s, from, c), to.h, s->m);
  return to;
}

/* Range of e_i while every undecided x stays within its bounds. */
static void range_of(const state *s, const level *l, int i, double *least, double *largest) {
  *least = *largest = l->h[i];
  for (int c = 0; c < l->columns; c++) {
    double t = table_column(s, l, c)[i];
    if (t != 0) {
      int j = l->col[c];
      *least += t * (t > 0 ? s->lo[j] : s->hi[j]);
      *largest += t * (t > 0 ? s->hi[j] : s->lo[j]);
    }
  }
}

static bool possible(const state *s, const level *l) {
  for (int i = 0; i < s->m; i++) {
    double from = 0, to = 0, least, largest;
    bool fixed = s->lo[i] == s->hi[i];
    if (s->form[i] == UNDECIDED) {
      continue;
    }
    if (s->form[i] == SOLVED_FOR) {
      from = s->lo[i];
      to = s->hi[i];
    } else if (s->form[i] != PW_PIECE_INSIDE) {
      from = s->form[i] == PW_PIECE_HI || fixed ? -INFINITY : 0;
      to = s->form[i] == PW_PIECE_LO || fixed ? INFINITY : 0;
    }
    range_of(s, l, i, &least, &largest);
    double slack = s->slack + PW_SCALE(TREE_SLACK_OWN) * fabs(l->h[i]);
    if (largest < from - slack || least > to + slack) {
      return false;
    }
  }
  return true;
}

static void try_leaf(state *s) {
  int dimension;
  s->info->leaves++;
  pw_leaf_answer a =
      pw_leaf_solve(&s->p, s->piece, s->tol, s->x, s->y, &dimension, s->memory, s->whole);
  if (a == PW_LEAF_FOUND) {
    pw_collect(&s->collector, s->piece, s->x, s->y, dimension);
  }
  s->info->border += a == PW_LEAF_BORDER;
}

static int column_of(const level *l, int i) {
  int c = 0;
  while (l->col[c] != i) {
    c++;
  }
  return c;
}

/* Decides the row at `depth` and all after it. The depth is at most m. */
static void visit(state *s, const level *l, int depth) {
  if (++s->info->nodes > 4 * s->budget || s->info->leaves >= s->budget) {
    s->info->complete = false;
    return;
  }
  if (depth == s->m) {
    try_leaf(s);
    return;
  }
  int i = s->order[depth], c = column_of(l, i);
  for (int piece = PW_PIECE_INSIDE; piece <= PW_PIECE_HI && s->info->complete; piece++) {
    double at = piece == PW_PIECE_LO ? s->lo[i] : s->hi[i];
    bool inside = piece == PW_PIECE_INSIDE;
    if (inside ? s->lo[i] == s->hi[i] : isinf(at) || (piece == PW_PIECE_HI && at == s->lo[i])) {
      continue;
    }
    bool solve = inside && fabs(table_column(s, l, c)[i]) > PW_SCALE(PIVOT_TREE);
    s->piece[i] = piece;
    s->form[i] = solve ? SOLVED_FOR : piece;
    level next = solve    ? eliminate(s, l, depth, c, i)
                 : inside ? descend(s, l, depth, -1)
                          : fix(s, l, depth, c, at);
    if (possible(s, &next)) {
      visit(s, &next, depth + 1);
    }
  }
  s->form[i] = UNDECIDED;
}

pw_outcome pw_enumerate(const pw_box_lcp *p, const pw_enumerate_opts *opts, pw_branches *out,
                        double *real, int *whole, pw_enumerate_info *info) {
  state s = {.m = p->m, .info = info};
  *info = (pw_enumerate_info){.complete = true};
  out->count = 0;
  out->overflow = false;
  if (!pw_box_lcp_well_posed(p)) {
    return PW_BREAKDOWN;
  }
  lay_out(&s, p->m, &(pw_strip){.real = real, .whole = whole});
  begin(&s, p);
  s.budget = opts->budget > 0 ? opts->budget : 1L << 20;
  s.tol = opts->tol > 0 ? opts->tol : PW_SCALE(LCP_SOLVED);
  double same = PW_SCALE(SAME_BRANCH) * s.tol;
  s.collector = (pw_collector){.p = &s.p, .s = s.s, .opts = opts, .tol = same, .out = out};
  level top = level_at(&s, 0);
  top.columns = s.m;
  visit(&s, &top, 0);
  pw_collect_finish(&s.collector);
  if (out->count > 0 || out->overflow) {
    return PW_SOLVED;
  }
  return info->complete ? PW_INFEASIBLE : PW_MAX_ITER;
}
