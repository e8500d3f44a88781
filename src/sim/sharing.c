// SPDX-License-Identifier: MIT
/* Least forces by duality: minimising 1/2 |x|^2 subject to B x = g and H x >= h is
 *   x = B^T v + H^T w,   w >= 0 _|_ H x - h >= 0,   B x - g = 0,
 * a box problem in (v, w). The margin is a linear program: the largest s with H x - h >= s. */
#include "sim/sharing.h"

#include <math.h>
#include <string.h>

#include "base/real.h"
#include "law/scale_mech.h"
#include "law/scale_sim.h"
#include "linalg/dense.h"
#include "linalg/parts.h"

static size_t larger(size_t a, size_t b) {
  return a > b ? a : b;
}

/* Largest sizes: forces, limits, columns of the box problem, unknowns of the program. */
typedef struct sizes {
  size_t n, m, limits, columns, rows, unknowns;
} sizes;

static sizes most(const pw_system *sys) {
  sizes k = {.n = (size_t)sys->nv, .m = (size_t)sys->nr, .limits = 2 * (size_t)sys->ni};
  for (int i = sys->nc; i < sys->nr; i++) { /* one more for each maximum of several pieces */
    k.limits += sys->model->rows.items[sys->row_of[i]].clause.several == sys->row_of[i];
  }
  k.columns = k.rows = k.n + k.limits;
  k.unknowns = k.m + 1 + k.limits;
  return k;
}

static size_t work_doubles(const pw_system *sys) {
  sizes k = most(sys);
  size_t qp = pw_box_qp_doubles((int)k.m, (int)k.columns), qr = pw_qr_doubles(sys->nv, sys->nr);
  return larger(larger(qp, qr), pw_polytope_doubles((int)k.rows, (int)k.unknowns));
}

static size_t work_ints(const pw_system *sys) {
  sizes k = most(sys);
  size_t qp = pw_box_qp_ints((int)k.columns), qr = pw_qr_ints(sys->nv, sys->nr);
  return larger(larger(qp, qr), pw_polytope_ints((int)k.unknowns));
}

static void lay_out_forces(pw_share *p, const pw_system *sys, pw_layout *l) {
  sizes k = most(sys);
  p->n = sys->nv;
  p->row = PW_LAY(l, k.m, int);
  p->B = PW_LAY(l, k.n * k.m, double);
  p->x = PW_LAY(l, k.m, double);
  p->g = PW_LAY(l, k.n, double);
  p->limit = PW_LAY(l, k.limits, pw_limit);
  p->sum = PW_LAY(l, k.m, int);
  p->weight = PW_LAY(l, k.m, double);
}

void pw_share_lay_out_part(pw_share_part *p, const pw_system *sys, pw_layout *l) {
  sizes k = most(sys);
  lay_out_forces(&p->share, sys, l);
  p->found = PW_LAY(l, k.m, double);
  p->of = PW_LAY(l, k.limits, int);
  p->start = PW_LAY(l, k.m + 2, int);
  p->member = PW_LAY(l, pw_parts_ints(sys->nv, sys->nr), int);
}

void pw_share_lay_out(pw_share *p, const pw_system *sys, pw_layout *l) {
  sizes k = most(sys);
  size_t wide = larger(k.columns, k.unknowns);
  lay_out_forces(p, sys, l);
  p->A = PW_LAY(l, larger(k.m * k.columns, k.rows * k.unknowns), double);
  p->lo = PW_LAY(l, wide, double);
  p->hi = PW_LAY(l, wide, double);
  p->v = PW_LAY(l, wide, double);
  p->y = PW_LAY(l, wide, double);
  p->z = PW_LAY(l, wide, double);
  p->none = PW_LAY(l, wide, double);
  p->real = PW_LAY(l, work_doubles(sys), double);
  p->whole = PW_LAY(l, work_ints(sys), int);
}

void pw_share_begin(pw_share *p) {
  p->m = p->n_limit = 0;
  memset(p->g, 0, (size_t)p->n * sizeof *p->g);
}

int pw_share_place(const pw_share *p, int row) {
  for (int k = 0; k < p->m; k++) {
    if (p->row[k] == row) {
      return k;
    }
  }
  return -1;
}

static void limit(pw_share *p, int i, double a, int j, double b, double least) {
  double length = hypot(a, b);
  p->limit[p->n_limit++] =
      (pw_limit){.i = {i, j}, .unit = {a / length, b / length}, .least = least / length, .sum = -1};
}

/* Coefficient of force k in a limit. */
static double unit_in(const pw_share *p, const pw_limit *l, int k) {
  if (l->sum >= 0) {
    return p->sum[k] == l->sum ? p->weight[k] * l->unit[0] : 0;
  }
  return k == l->i[0] ? l->unit[0] : k == l->i[1] ? l->unit[1] : 0;
}

void pw_share_load(pw_share *p, const double *column, double x) {
  pw_axpy(x, column, p->g, p->n);
}

void pw_share_take(pw_share *p, int row, const double *column, double lo, double hi, double x) {
  memcpy(p->B + (size_t)p->m * (size_t)p->n, column, (size_t)p->n * sizeof *column);
  p->row[p->m] = row;
  p->x[p->m] = x;
  p->sum[p->m] = -1;
  pw_share_load(p, column, x);
  if (isfinite(lo)) {
    limit(p, p->m, 1, -1, 0, lo);
  }
  if (isfinite(hi)) {
    limit(p, p->m, -1, -1, 0, -hi);
  }
  p->m++;
}

void pw_share_bound(pw_share *p, int row, int normal, double lo, double hi) {
  int t = pw_share_place(p, row), n = pw_share_place(p, normal);
  limit(p, t, 1, n, -lo, 0);
  limit(p, t, -1, n, hi, 0);
}

void pw_share_sum(pw_share *p, int row, int sum, double weight, double offset, double least) {
  int k = pw_share_place(p, row), at = 0;
  while (at < p->n_limit && p->limit[at].sum != sum) {
    at++;
  }
  if (at == p->n_limit) {
    p->limit[p->n_limit++] = (pw_limit){.i = {k, -1}, .unit = {1, 0}, .least = least, .sum = sum};
  }
  p->sum[k] = sum;
  p->weight[k] = weight;

  /* its row gets the length 1 again */
  pw_limit *l = &p->limit[at];
  double whole = l->least / l->unit[0] - offset, square = 0;
  for (int i = 0; i < p->m; i++) {
    square += p->sum[i] == sum ? p->weight[i] * p->weight[i] : 0;
  }
  l->unit[0] = 1 / sqrt(square);
  l->least = whole * l->unit[0];
}

void pw_share_tilt(pw_share *p, const double *column, int normal, double ratio) {
  int n = pw_share_place(p, normal);
  if (n >= 0) {
    pw_axpy(ratio, column, p->B + (size_t)n * (size_t)p->n, p->n);
    pw_axpy(ratio * p->x[n], column, p->g, p->n);
  }
}

/* ---- the least forces ---- */

/* Row c of B as a column of unit length; false if it is zero up to the rounding of unit columns. */
static bool add_equation(pw_share *p, int c, double g, int k) {
  double *a = p->A + (size_t)k * (size_t)p->m;
  for (int i = 0; i < p->m; i++) {
    a[i] = p->B[(size_t)i * (size_t)p->n + (size_t)c];
  }
  double length = pw_norm2(a, p->m);
  if (length <= PW_SCALE(NOISE)) {
    return false;
  }
  for (int i = 0; i < p->m; i++) {
    a[i] /= length;
  }
  p->lo[k] = -INFINITY;
  p->z[k] = -g / length;
  return true;
}

static void add_limit(pw_share *p, const pw_limit *l, int k) {
  double *a = p->A + (size_t)k * (size_t)p->m;
  for (int i = 0; i < p->m; i++) {
    a[i] = unit_in(p, l, i);
  }
  p->lo[k] = 0;
  p->z[k] = -l->least;
}

static bool least_of_part(pw_share *p) {
  int k = 0;
  pw_box_info info;
  for (int c = 0; c < p->n; c++) {
    k += add_equation(p, c, p->g[c], k);
  }
  for (int j = 0; j < p->n_limit; j++) {
    add_limit(p, &p->limit[j], k++);
  }
  for (int i = 0; i < k; i++) {
    p->hi[i] = INFINITY;
  }
  memset(p->none, 0, (size_t)p->m * sizeof *p->none);
  const pw_box_qp qp = {
      .n = p->m, .m = k, .A = p->A, .c = p->none, .z = p->z, .lo = p->lo, .hi = p->hi};
  bool found = pw_box_qp_solve(&qp, p->v, p->y, NULL, p->real, p->whole, &info) == PW_SOLVED;
  if (found) {
    pw_gemv(p->A, p->m, k, p->v, p->x);
  }
  return found;
}

/* ---- what is open ---- */

static int factor(pw_share *p) {
  pw_qr_init(&p->qr, p->n, p->m, p->real, p->whole);
  memcpy(p->qr.A, p->B, (size_t)p->n * (size_t)p->m * sizeof *p->B);
  return p->m > 0 ? pw_qr_decompose(&p->qr, PW_SCALE(RANK_ROWS)) : 0;
}

/* Force k is unique if the least x with B x = b_k has x_k = 1. */
bool pw_share_open(pw_share *p, bool *which) {
  bool any = false;
  int rank = factor(p);
  pw_qr_own(&p->qr, p->B, p->v);
  for (int k = 0; k < p->m; k++) {
    which[k] = rank < p->m && !(p->v[k] > 1 - PW_SCALE(NOT_UNIQUE));
    any = any || which[k];
  }
  return any;
}

/* Unknowns (x, s, distances d): B x = g and H x - s - d = h with d >= 0, s <= most. */
static void pose_program(pw_share *p, double most) {
  size_t rows = (size_t)(p->n + p->n_limit), unknowns = (size_t)(p->m + 1 + p->n_limit);
  double s = most;
  memset(p->A, 0, rows * unknowns * sizeof *p->A);

  /* B x = g; forces are free here. */
  for (int i = 0; i < p->m; i++) {
    memcpy(p->A + (size_t)i * rows, p->B + (size_t)i * (size_t)p->n, (size_t)p->n * sizeof *p->A);
    p->lo[i] = -INFINITY;
    p->hi[i] = INFINITY;
    p->v[i] = p->y[i];
  }

  /* One row for each limit: H_j x - s - d_j = h_j, from the present forces. */
  for (int j = 0; j < p->n_limit; j++) {
    const pw_limit *l = &p->limit[j];
    int row = p->n + j, own = p->m + 1 + j;
    p->v[own] = -l->least;
    for (int i = 0; i < p->m; i++) {
      double unit = unit_in(p, l, i);
      p->A[(size_t)i * rows + (size_t)row] = unit;
      p->v[own] += unit * p->y[i];
    }
    p->A[(size_t)p->m * rows + (size_t)row] = -1;
    p->A[(size_t)own * rows + (size_t)row] = -1;
    p->lo[own] = 0;
    p->hi[own] = INFINITY;
    s = fmin(s, p->v[own]);
  }

  /* s starts at the least distance to a limit, each d_j at what is left of its own. */
  p->lo[p->m] = -INFINITY;
  p->hi[p->m] = most;
  p->v[p->m] = s;
  for (int j = 0; j < p->n_limit; j++) {
    p->v[p->m + 1 + j] -= s;
  }
}

static double margin_of_part(pw_share *p, double most) {
  pw_polytope set;
  (void)factor(p);
  pw_qr_least_squares(&p->qr, p->g, p->y); /* some x that carries the load */
  pose_program(p, most);
  pw_outcome o = pw_polytope_init(&set, p->n + p->n_limit, p->m + 1 + p->n_limit, p->A, p->lo,
                                  p->hi, PW_SCALE(RANK_ROWS), p->real, p->whole);
  if (o != PW_SOLVED) {
    return NAN;
  }
  pw_polytope_start(&set, p->v);
  return pw_polytope_end(&set, p->m, 1);
}

/* ---- parts ---- */

/* Limits sorted by parts: start of each in `of`. */
static void sort_limits(pw_share *p, pw_parts *parts) {
  pw_share_part *at = p->part;
  for (int i = 0; i <= parts->count + 1; i++) {
    at->start[i] = 0;
  }
  for (int j = 0; j < p->n_limit; j++) {
    at->start[pw_parts_of(parts, p->limit[j].i[0]) + 2]++;
  }
  for (int i = 0; i < parts->count; i++) {
    at->start[i + 2] += at->start[i + 1];
  }
  for (int j = 0; j < p->n_limit; j++) {
    at->of[at->start[pw_parts_of(parts, p->limit[j].i[0]) + 1]++] = j;
  }
}

static pw_parts find_parts(pw_share *p) {
  pw_parts parts;
  pw_parts_begin(&parts, p->n, p->m, p->part->member);
  for (int k = 0; k < p->m; k++) {
    pw_parts_add(&parts, k, p->B + (size_t)k * (size_t)p->n);
  }
  for (int j = 0; j < p->n_limit; j++) {
    if (p->limit[j].i[1] >= 0) {
      pw_parts_join(&parts, p->limit[j].i[0], p->limit[j].i[1]);
    }
    for (int k = 0; k < p->m && p->limit[j].sum >= 0; k++) {
      if (p->sum[k] == p->limit[j].sum && k != p->limit[j].i[0]) {
        pw_parts_join(&parts, p->limit[j].i[0], k);
      }
    }
  }
  pw_parts_end(&parts);
  sort_limits(p, &parts);
  return parts;
}

/* Places in the part; the work space is that of the whole. */
static pw_share *load_part(pw_share *p, const pw_parts *parts, int i) {
  const pw_share_part *at = p->part;
  const int *coord = parts->coord + parts->coord_start[i], *col = parts->col + parts->col_start[i];
  pw_share *to = &p->part->share;
  pw_share memory = *to;
  *to = *p;
  to->row = memory.row;
  to->B = memory.B;
  to->x = memory.x;
  to->g = memory.g;
  to->limit = memory.limit;
  to->sum = memory.sum;
  to->weight = memory.weight;
  to->part = NULL;

  /* Coordinates of the part: the loads g on them. */
  to->n = parts->coord_start[i + 1] - parts->coord_start[i];
  to->m = parts->col_start[i + 1] - parts->col_start[i];
  for (int c = 0; c < to->n; c++) {
    to->g[c] = p->g[coord[c]];
  }

  /* Forces of the part: their columns of B, restricted to these coordinates. */
  for (int k = 0; k < to->m; k++) {
    const double *from = p->B + (size_t)col[k] * (size_t)p->n;
    p->whole[col[k]] = k;
    to->x[k] = p->x[col[k]];
    to->sum[k] = p->sum[col[k]];
    to->weight[k] = p->weight[col[k]];
    for (int c = 0; c < to->n; c++) {
      to->B[(size_t)k * (size_t)to->n + (size_t)c] = from[coord[c]];
    }
  }

  /* Limits of the part, with forces by their places in it. */
  to->n_limit = at->start[i + 1] - at->start[i];
  for (int j = 0; j < to->n_limit; j++) {
    pw_limit *l = &to->limit[j];
    *l = p->limit[at->of[at->start[i] + j]];
    l->i[0] = p->whole[l->i[0]];
    l->i[1] = l->i[1] < 0 ? -1 : p->whole[l->i[1]];
  }
  return to;
}

bool pw_share_least(pw_share *p) {
  pw_parts parts = find_parts(p);
  for (int i = 0; i < parts.count; i++) {
    const pw_share *part = load_part(p, &parts, i);
    if (!least_of_part(&p->part->share)) {
      return false;
    }
    for (int k = 0; k < part->m; k++) {
      p->part->found[parts.col[parts.col_start[i] + k]] = part->x[k];
    }
  }
  pw_copy(p->x, p->part->found, p->m);
  return true;
}

double pw_share_margin(pw_share *p, double most) {
  pw_parts parts = find_parts(p);
  double margin = most;
  for (int i = 0; i < parts.count; i++) {
    const pw_share *part = load_part(p, &parts, i);
    margin = part->n_limit > 0 ? pw_min(margin, margin_of_part(&p->part->share, most)) : margin;
  }
  return margin;
}
