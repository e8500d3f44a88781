// SPDX-License-Identifier: MIT
/* Steps of the flow M q' = forces, implicit in the laws: each is Gauss' problem with the gaps after
 * the step in place of the accelerations. */
#include <math.h>
#include <string.h>

#include "law/scale_static.h"
#include "linalg/chol.h"
#include "linalg/dense.h"
#include "solve/box_qp.h"
#include "static/balance.h"

typedef struct flow {
  pw_box_qp qp;
  double *A, *c, *z, *lo, *hi, *x, *y, *len, *real, *delta;
  int *row, *whole;
  double step;
} flow;

static flow take_memory(pw_balance *b, pw_arena *arena) {
  int n = b->x->sys->nv, m = b->x->sys->nr;
  flow f = {.A = PW_TAKE(arena, n * m + 1, double), .c = PW_TAKE(arena, n + 1, double)};
  f.delta = PW_TAKE(arena, n + 1, double);
  f.z = PW_TAKE(arena, m + 1, double);
  f.lo = PW_TAKE(arena, m + 1, double);
  f.hi = PW_TAKE(arena, m + 1, double);
  f.x = PW_TAKE(arena, m + 1, double);
  f.y = PW_TAKE(arena, m + 1, double);
  f.len = PW_TAKE(arena, m + 1, double);
  f.row = PW_TAKE(arena, m + 1, int);
  f.real = PW_TAKE(arena, pw_box_qp_doubles(n, m) + 1, double);
  f.whole = PW_TAKE(arena, pw_box_qp_ints(m) + 1, int);
  return f;
}

/* Friction on a contact has the bound of its last force. */
static void add_row(const pw_balance *b, flow *f, int i) {
  const pw_still_row *r = &b->x->row[i];
  int n = b->x->sys->nv, k = f->qp.m;
  double *col = f->A + (size_t)k * (size_t)n;
  memcpy(col, b->x->J + (size_t)i * (size_t)n, (size_t)n * sizeof *col);
  double len = pw_chol_unit(b->L, n, col);
  if (!(len > 0) || (pw_law_is_rough(r->law.form) && !(b->lambda[r->on] > 0))) {
    return;
  }

  double value = r->law.value;
  bool slides = pw_law_is_slip(r->law.form) && value != 0;
  pw_law_set set = pw_still_forces(b->x, i, b->lambda, !slides);
  set = pw_law_set_extent(&set, r->plane < 0 ? 0 : i - r->plane);
  f->lo[k] = (slides && value < 0 ? set.hi : set.lo) * len;
  f->hi[k] = (slides && value > 0 ? set.lo : set.hi) * len;
  f->z[k] = r->law.form->on_velocity ? 0 : value / (len * f->step);
  f->row[k] = i;
  f->len[k] = len;
  f->qp.m++;
}

/* One step; the size of the velocity, NaN if there is none. */
static double advance(pw_balance *b, flow *f) {
  int n = b->x->sys->nv, nr = b->x->sys->nr;
  f->qp = (pw_box_qp){.n = n, .A = f->A, .c = f->c, .z = f->z, .lo = f->lo, .hi = f->hi};
  memcpy(f->c, b->x->h, (size_t)n * sizeof *f->c);
  pw_chol_forward(b->L, n, f->c);
  for (int i = 0; i < nr; i++) {
    add_row(b, f, i);
  }
  pw_box_info info;
  memset(f->x, 0, (size_t)nr * sizeof *f->x);
  if (pw_box_qp_solve(&f->qp, f->x, f->y, NULL, f->real, f->whole, &info) != PW_SOLVED) {
    return NAN;
  }
  memset(b->lambda, 0, (size_t)nr * sizeof *b->lambda);
  memcpy(f->delta, f->c, (size_t)n * sizeof *f->delta);
  for (int k = 0; k < f->qp.m; k++) {
    const double *col = f->A + (size_t)k * (size_t)n;
    pw_axpy(f->x[k], col, f->delta, n);
    b->lambda[f->row[k]] = f->x[k] / f->len[k];
  }
  double size = pw_norm2(f->delta, n);
  double cut = fmin(f->step, size > 0 ? b->length / size : f->step);
  for (int k = 0; k < n; k++) {
    f->delta[k] *= cut;
  }
  pw_chol_backward(b->L, n, f->delta);
  pw_still_move(b->x, f->delta);
  return size;
}

void pw_balance_descend(pw_balance *b, pw_arena *arena, int steps) {
  flow f = take_memory(b, arena);
  f.step = b->length / b->force / 4;
  double last = INFINITY;
  for (int k = 0; k < steps; k++) {
    if (!pw_balance_metric(b)) {
      return;
    }
    double size = advance(b, &f);
    if (!(size > PW_SCALE(DESCENT_END) * b->force)) {
      return;
    }
    f.step *= size > last ? 0.5 : 1.4;
    last = size;
  }
}
