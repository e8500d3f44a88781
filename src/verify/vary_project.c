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

/* A servo forbids displacements along its own covector, on the side that (A^-1 Phi, f') tells
 * (Kozlov sec. 6, (6.2)). */
bool pw_vary_normal(const pawl_vary *v, int i, double *out) {
  const pw_probe *p = &v->probe;
  size_t n = (size_t)v->sys->nv;
  bool servo = v->sys->row[i].by >= 0;
  double length = servo ? p->reach[i] : p->length[i];
  double sign = servo && i >= v->sys->nc && p->sense[i] < 0 ? -1 : 1;
  if (!(length > 0)) {
    return false;
  }
  memcpy(out, (servo ? p->A : p->J) + (size_t)i * n, n * sizeof *out);
  if (!servo) {
    pw_probe_forward(p, out);
  }
  for (size_t k = 0; k < n; k++) {
    out[k] *= sign / length;
  }
  return true;
}

/* How far row i lets a displacement go outward: its distance; nothing for rates. */
static double room_of(const pawl_vary *v, int i) {
  bool gap = i >= v->sys->nc && !v->sys->row[i].on_velocity;
  return gap ? pw_max(v->probe.value[i], 0) / v->probe.length[i] : 0;
}

/* x = L^T w of length 1 moves by y, the shortest with a.(x + y) >= -room for every row. With the
 * columns (a, -room - a.x) and the least squares solution m >= 0 of "columns m = (0, 1)", y is the
 * rest, divided by minus its last component. */
static bool solve(pawl_vary *v, const double *x, double scale, double *target) {
  int n = v->sys->nv;
  bool moves = false;
  pw_reach_begin(&v->reach);
  for (int i = 0; i < v->sys->nr; i++) {
    if (!pw_vary_is_wall(v, i) || !pw_vary_normal(v, i, v->work.normal)) {
      continue;
    }
    double *column = pw_reach_add(&v->reach, i < v->sys->nc ? -INFINITY : 0, INFINITY);
    memcpy(column, v->work.normal, (size_t)n * sizeof *column);
    column[n] = -room_of(v, i) / scale - pw_dot(column, x, n);
    moves = moves || column[n] > 0 || (i < v->sys->nc && column[n] != 0);
  }
  if (moves) {
    memset(target, 0, (size_t)n * sizeof *target);
    target[n] = 1;
    pw_reach_solve(&v->reach, target);
  }
  return moves;
}

/* ---- forces of laws that are no constraints ---- */

/* What the fit may use of row i: nothing (0), a wall (1), a law whose force is what the motion
 * shows (2). Equalities are among the latter: with their multipliers in the action every
 * displacement is allowed (Cross, method 2). Forces that are functions of the state are no part of
 * it: take_given has them. Impulses have contacts and what acts with them alone. */
static int part_of(const pawl_vary *v, int i, bool impulse) {
  const pw_system *s = v->sys;
  const pw_law_form *f = &s->row[i];
  if (i < s->nc) {
    return 2;
  }
  if (pw_vary_is_wall(v, i)) {
    return pw_vary_is_closed(v, i) ? 1 : 0;
  }
  int on = pw_row_contact(s, i);
  bool near = fabs(v->probe.value[i]) <= v->near * v->probe.length[i];
  bool held = (f->group >= 0 || near) && !impulse;
  return on >= 0 ? 2 * pw_vary_is_closed(v, on) : held ? 2 : 0;
}

/* Laws beside their kinks, whose forces the model gives. */
static void take_given(const pawl_vary *v, double *own) {
  const pw_system *s = v->sys;
  for (int i = s->nc; i < s->nr; i++) {
    const pw_law_form *f = &s->row[i];
    bool kink = f->kind == PW_KIND_KINK && !f->on_velocity;
    if (!f->wall && !kink && part_of(v, i, false) == 0 && pw_row_contact(s, i) < 0) {
      const double *along = v->probe.A + (size_t)i * (size_t)s->nv;
      pw_axpy(pw_probe_force_beside(&v->probe, i), along, own, s->nv);
    }
  }
}

void pw_vary_split(pawl_vary *v, const double *rest, bool impulse, double *own, double *push) {
  int n = v->sys->nv;
  double *target = v->work.target;
  memset(own, 0, (size_t)n * sizeof *own);
  memset(push, 0, (size_t)v->sys->nr * sizeof *push);
  if (v->sys->nr == 0) {
    return;
  }

  /* Forces that the model gives are known. */
  if (!impulse) {
    take_given(v, own);
  }

  /* Walls push; rows whose force is what the motion shows may have any sign. */
  pw_reach_begin(&v->reach);
  for (int i = 0; i < v->sys->nr; i++) {
    int part = part_of(v, i, impulse);
    if (part > 0 && v->probe.reach[i] > 0) {
      bool pushes = part == 1 && i >= v->sys->nc && v->sys->row[i].by < 0;
      double *column = pw_reach_add(&v->reach, pushes ? 0 : -INFINITY, INFINITY);
      memcpy(column, v->probe.A + (size_t)i * (size_t)n, (size_t)n * sizeof *column);
      column[n] = 0;
    }
  }

  /* The nearest that these can do to the rest. */
  for (int k = 0; k < n; k++) {
    target[k] = rest[k] - own[k];
  }
  target[n] = 0;
  pw_reach_solve(&v->reach, target);

  /* Each wall keeps its force; those of the other laws add up. */
  for (int i = 0, at = 0; i < v->sys->nr; i++) {
    int part = part_of(v, i, impulse);
    if (part > 0 && v->probe.reach[i] > 0) {
      double force = v->reach.x[at++];
      pw_axpy(part == 2 ? force : 0, v->probe.A + (size_t)i * (size_t)n, own, n);
      push[i] = part == 1 ? force : 0;
    }
  }
}

/* Between rows a projected displacement is interpolated, and may cross a wall by the error of that:
 * the work that the wall would do there, <= 0. x (nv): L^T w. */
double pw_vary_crossed(pawl_vary *v, const double *x) {
  double sum = 0;
  for (int i = v->sys->nc; i < v->sys->nr; i++) {
    if (v->work.push[i] > 0 && pw_vary_normal(v, i, v->work.normal)) {
      double along = pw_dot(v->work.normal, x, v->sys->nv);
      sum += v->work.push[i] * v->probe.reach[i] * pw_min(along, 0);
    }
  }
  return sum;
}

void pw_vary_project(pawl_vary *v, double *w) {
  int n = v->sys->nv;
  double *x = v->work.covector;
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
  if (!solve(v, x, scale, v->work.target)) {
    return;
  }
  double last = v->reach.rest[n];
  for (int i = 0; i < n; i++) { /* 0 is allowed, so there is always an answer */
    w[i] = last > 0 ? scale * (x[i] - v->reach.rest[i] / last) : 0;
  }
  pw_probe_backward(&v->probe, w);
}
