// SPDX-License-Identifier: MIT
/* Forces that friction on contacts leaves open. The accelerations are given; the forces x that
 * produce them form a polytope: B x fixed, each x in its box, of friction |x_T| <= mu x_N where the
 * slip stays zero and x_T = -+mu x_N where it does not. Its least point is by duality a box
 * problem:
 *   x = E^T v + H^T w,   w >= 0 _|_ H x - h >= 0,   E x - e = 0. */
#include <math.h>
#include <string.h>

#include "law/scale_mech.h"
#include "law/scale_static.h"
#include "linalg/dense.h"
#include "solve/box_qp.h"
#include "solve/polytope.h"
#include "static/gauss_problem.h"

typedef struct lines { /* m lines over k unknowns: a.x = b, or a.x >= b */
  int k, m;
  double *a, *b; /* k x m, m */
  bool *equal;
} lines;

static lines take_lines(pw_static_problem *p) {
  pw_arena *arena = &p->g->arena;
  size_t most = (size_t)p->g->f.n + 2 * (size_t)p->k + 1;
  return (lines){.k = p->k,
                 .a = PW_TAKE(arena, most * (size_t)p->k, double),
                 .b = PW_TAKE(arena, most, double),
                 .equal = PW_TAKE(arena, most, bool)};
}

static double *add_line(lines *l, bool equal, double b) {
  double *a = l->a + (size_t)l->m * (size_t)l->k;
  memset(a, 0, (size_t)l->k * sizeof *a);
  l->b[l->m] = b;
  l->equal[l->m++] = equal;
  return a;
}

/* unit x_i + other x_j >= b, or = b; j < 0: one term. */
static void add_row(lines *l, bool equal, int i, double unit, int j, double other, double b) {
  double length = j < 0 ? fabs(unit) : hypot(unit, other);
  double *a = add_line(l, equal, b / length);
  a[i] = unit / length;
  if (j >= 0) {
    a[j] = other / length;
  }
}

/* The load: row c of B x as it is. */
static void add_load(pw_static_problem *p, lines *l, int c) {
  int n = p->g->f.n;
  double *a = add_line(l, true, 0), length = 0;
  for (int i = 0; i < p->k; i++) {
    a[i] = p->B[(size_t)i * (size_t)n + (size_t)c];
    length = hypot(length, a[i]);
  }
  if (length <= PW_SCALE(LOAD_ROW)) { /* columns have length 1 */
    l->m--;
    return;
  }
  for (int i = 0; i < p->k; i++) {
    a[i] /= length;
  }
  l->b[l->m - 1] = pw_dot(a, p->x, p->k);
}

static void add_bounds(pw_static_problem *p, lines *l, int i, double tiny) {
  int on = p->normal[i];
  double mu = p->mu[i];
  if (on >= 0 && fabs(p->y[i]) > tiny) {
    add_row(l, true, i, 1, on, p->y[i] > 0 ? mu : -mu, 0);
  } else if (on >= 0) {
    add_row(l, false, i, 1, on, mu, 0);
    add_row(l, false, i, -1, on, mu, 0);
  } else if (fabs(p->y[i]) > tiny || p->lo[i] == p->hi[i]) {
    add_row(l, true, i, 1, -1, 0, p->x[i]);
  } else {
    if (isfinite(p->lo[i])) {
      add_row(l, false, i, 1, -1, 0, p->lo[i]);
    }
    if (isfinite(p->hi[i])) {
      add_row(l, false, i, -1, -1, 0, -p->hi[i]);
    }
  }
}

static bool least_of(pw_static_problem *p, const lines *l) {
  pw_arena *arena = &p->g->arena;
  size_t m = (size_t)l->m + 1;
  double *lo = PW_TAKE(arena, m, double), *hi = PW_TAKE(arena, m, double);
  double *z = PW_TAKE(arena, m, double), *v = PW_TAKE(arena, m, double);
  double *y = PW_TAKE(arena, m, double), *none = PW_TAKE(arena, l->k + 1, double);
  for (int i = 0; i < l->m; i++) {
    lo[i] = l->equal[i] ? -INFINITY : 0;
    hi[i] = INFINITY;
    z[i] = -l->b[i];
  }
  const pw_box_qp qp = {.n = l->k, .m = l->m, .A = l->a, .c = none, .z = z, .lo = lo, .hi = hi};
  double *real = PW_TAKE(arena, pw_box_qp_doubles(qp.n, qp.m), double);
  int *whole = PW_TAKE(arena, pw_box_qp_ints(qp.m), int);
  pw_box_info info;
  if (pw_box_qp_solve(&qp, v, y, NULL, real, whole, &info) != PW_SOLVED) {
    return false;
  }
  pw_gemv(l->a, l->k, l->m, v, p->x);
  return true;
}

/* Unknowns (x, d), d >= 0 the distances from the inequalities. */
static bool ranges_of(pw_static_problem *p, const lines *l, double *least, double *largest) {
  pw_arena *arena = &p->g->arena;
  size_t rows = (size_t)l->m, most = (size_t)l->k + rows + 1;
  double *A = PW_TAKE(arena, rows * most + 1, double), *start = PW_TAKE(arena, most, double);
  double *lo = PW_TAKE(arena, most, double), *hi = PW_TAKE(arena, most, double);

  /* unknowns x, from which the simplex method starts */
  int count = l->k;
  for (int i = 0; i < l->k; i++) {
    lo[i] = -INFINITY;
    hi[i] = INFINITY;
    start[i] = p->x[i];
    for (int j = 0; j < l->m; j++) {
      A[(size_t)i * rows + (size_t)j] = l->a[(size_t)j * (size_t)l->k + (size_t)i];
    }
  }

  /* distances d */
  for (int j = 0; j < l->m; j++) {
    if (!l->equal[j]) {
      double away = pw_dot(l->a + (size_t)j * (size_t)l->k, p->x, l->k) - l->b[j];
      A[(size_t)count * rows + (size_t)j] = -1;
      lo[count] = 0;
      hi[count] = INFINITY;
      start[count++] = fmax(away, 0);
    }
  }

  pw_polytope s;
  double *real = PW_TAKE(arena, pw_polytope_doubles(l->m, count), double);
  int *whole = PW_TAKE(arena, pw_polytope_ints(count), int);
  if (pw_polytope_init(&s, l->m, count, A, lo, hi, PW_SCALE(RANK_ROWS), real, whole) ==
      PW_BREAKDOWN) {
    return false;
  }
  bool exact = true;
  pw_polytope_start(&s, start);
  for (int i = 0; i < l->k; i++) {
    least[i] = pw_polytope_end(&s, i, -1);
    largest[i] = pw_polytope_end(&s, i, 1);
    exact = exact && !isnan(least[i]) && !isnan(largest[i]);
  }
  return exact;
}

bool pw_static_least(pw_static_problem *p, double tiny, double *least, double *largest) {
  lines l = take_lines(p);
  for (int c = 0; c < p->g->f.n; c++) {
    add_load(p, &l, c);
  }
  for (int i = 0; i < p->k; i++) {
    add_bounds(p, &l, i, tiny);
  }
  return least_of(p, &l) && ranges_of(p, &l, least, largest);
}
