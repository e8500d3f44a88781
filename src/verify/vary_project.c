// SPDX-License-Identifier: MIT
/* Displacements that the constraints allow, certificates (C14): the nearest one in the metric of M,
 * by Lawson and Hanson's reduction of a least distance problem to least squares with signs. */
#include <math.h>
#include <string.h>

#include "base/real.h"
#include "linalg/chol.h"
#include "linalg/dense.h"
#include "verify/vary.h"

bool pw_vary_is_wall(const pawl_vary *v, int i) {
  const pw_system *s = v->sys;
  if (pw_row_state(s, i) >= 0) {
    return false; /* part of the Lagrangian */
  }
  return i < s->nc || (pw_law_is_wall(&s->row[i]));
}

bool pw_vary_is_closed(const pawl_vary *v, int i) {
  return pw_vary_is_wall(v, i) &&
         (i < v->sys->nc || v->probe.value[i] <= v->near * v->probe.length[i]);
}

/* How far row i lets a displacement go outward: its distance; nothing for rates. */
static double room_of(const pawl_vary *v, int i) {
  bool gap = i >= v->sys->nc && !v->sys->row[i].on_velocity;
  return gap ? pw_max(v->probe.value[i], 0) / v->probe.length[i] : 0;
}

/* x = L^T w of length 1 moves by y, the shortest with a.(x + y) >= -room for every row. With the
 * columns (a, -room - a.x) and the least squares solution m >= 0 of "columns m = (0, 1)", y is the
 * rest, divided by minus its last component. */
static bool solve(pawl_vary *v, const double *x, double scale) {
  int n = v->sys->nv;
  bool moves = false;
  pw_reach_begin(&v->reach);
  for (int i = 0; i < v->sys->nr; i++) {
    double length = v->probe.length[i];
    if (!(length > 0) || !pw_vary_is_wall(v, i)) {
      continue;
    }
    double *column = pw_reach_add(&v->reach, i < v->sys->nc ? -INFINITY : 0, INFINITY);
    memcpy(column, v->probe.J + (size_t)i * (size_t)n, (size_t)n * sizeof *column);
    pw_chol_forward(v->probe.L, n, column);
    for (int k = 0; k < n; k++) {
      column[k] /= length;
    }
    column[n] = -room_of(v, i) / scale - pw_dot(column, x, n);
    moves = moves || column[n] > 0 || (i < v->sys->nc && column[n] != 0);
  }
  if (moves) {
    memset(v->target, 0, (size_t)n * sizeof *v->target);
    v->target[n] = 1;
    pw_reach_solve(&v->reach, v->target);
  }
  return moves;
}

void pw_vary_project(pawl_vary *v, double *w) {
  int n = v->sys->nv;
  double *x = v->covector;
  for (int i = 0; i < n; i++) {
    x[i] = pw_dot(v->probe.L + (size_t)i * (size_t)n + i, w + i, n - i);
  }
  double scale = pw_norm2(x, n);
  if (!(scale > 0)) {
    return;
  }
  for (int i = 0; i < n; i++) {
    x[i] /= scale;
  }
  if (!solve(v, x, scale)) {
    return;
  }
  double last = v->reach.rest[n];
  for (int i = 0; i < n; i++) { /* 0 is allowed, so there is always an answer */
    w[i] = last > 0 ? scale * (x[i] - v->reach.rest[i] / last) : 0;
  }
  pw_chol_backward(v->probe.L, n, w);
}
