// SPDX-License-Identifier: MIT
/* Stationary action as equations, theory (87), (88): each flight is cut into elements of time (see
 * ritz.h), flights are joined at instants that are unknown (joint.h). Unknown are the states at the
 * starts of all elements, the instants, and at the start velocities and multipliers. Newton's
 * method on all of them, with everything but start and instants eliminated along the motion. */
#include "bvp/collocate.h"

#include <math.h>
#include <string.h>

#include "base/real.h"
#include "law/scale_bvp.h"
#include "linalg/dense.h"

enum {
  MAX_ITER = 12 /* of Newton's method */
};

/* ---- rates ---- */

bool pw_whole_rate(void *owner, double t, const double *y, double *out, double *action) {
  pw_whole *w = owner;
  const pw_system *s = w->x->sys;
  const double *side = pw_path_side(w->path, s, w->flight);
  if (pw_mech_rates(w->join.mech, t, y, y + s->nq, side) != PAWL_OK) {
    return false;
  }
  pw_copy(out, w->join.mech->q_rate, s->nq);
  pw_copy(out + s->nq, w->join.mech->a, s->nv);
  *action = w->join.mech->z_rate[0];
  return true;
}

static bool enter(pw_whole *w, int flight) {
  w->flight = flight;
  return pw_joiner_enter(&w->join, flight);
}

static double length_of(const pw_whole *w, int flight) {
  return (w->edge[flight + 1] - w->edge[flight]) / (w->first[flight + 1] - w->first[flight]);
}

/* ---- the first guess: the motion that the trials found ---- */

static bool go_to(const pw_whole *w, double t) {
  pawl_stop why = PAWL_AT_EVENT;
  while (why == PAWL_AT_EVENT) {
    if (pawl_sim_advance(w->x->fine, t, NULL, &why) != PAWL_OK) {
      return false;
    }
  }
  return true;
}

static bool guess_element(pw_whole *w, int flight, int k) {
  double h = length_of(w, flight), t = w->edge[flight] + (k - w->first[flight]) * h, unused;
  if (!go_to(w, t)) {
    return false;
  }
  const double *now = pw_trial_at(w->x->fine).y;
  pw_copy(w->y + (size_t)k * (size_t)w->n, now, w->n);
  if (k == w->first[flight]) {
    pw_copy(w->join.anchor + (size_t)flight * (size_t)w->n, now, w->n);
    if (!enter(w, flight)) {
      return false;
    }
  }
  for (int i = 0; i < w->ritz.points; i++) {
    double at = t + h * w->ritz.point[i];
    double *K = w->rate + ((size_t)k * (size_t)w->ritz.points + (size_t)i) * (size_t)w->n;
    if (!go_to(w, at) || !pw_whole_rate(w, at, pw_trial_at(w->x->fine).y, K, &unused)) {
      return false;
    }
  }
  return true;
}

static void measure(pw_whole *w, int k, double t) {
  const pw_system *s = w->x->sys;
  pw_joiner *j = &w->join;
  const double *y = w->y + (size_t)k * (size_t)w->n, *side = pw_path_side(w->path, s, w->flight);
  if (pw_mech_frame(j->mech, t, y, y + s->nq, side, j->memory, &j->frame) == PAWL_OK) {
    j->speed = pw_max(j->speed, pw_norm2(j->frame.c_velocity, s->nv));
  }
  pw_mech_sides(j->mech, t, y, y + s->nq, side, j->value);
  for (int i = 0; i < s->n_switch; i++) {
    j->switch_scale[i] = pw_max(j->switch_scale[i], fabs(j->value[i]));
  }
  for (int i = s->model->nq; i < s->nq; i++) { /* multipliers */
    w->scale[i] = pw_max(w->scale[i], fabs(y[i]));
  }
}

/* Scales: velocities by kinetic energies, positions by the displacement of these velocities in the
 * time. */
static void set_scales(pw_whole *w) {
  const pw_system *s = w->x->sys;
  pw_joiner *j = &w->join;
  double speed = j->speed > 0 ? j->speed : w->x->reach;
  j->speed = speed > 0 ? speed : 1;

  /* quantities without a sample have the scale 1: switches, multipliers, rotations */
  for (int i = 0; i < s->n_switch; i++) {
    j->switch_scale[i] = j->switch_scale[i] > 0 ? j->switch_scale[i] : 1;
  }
  for (int i = 0; i < s->nq; i++) {
    w->scale[i] = w->scale[i] > 0 ? w->scale[i] : 1;
  }

  /* velocities, then positions */
  for (int i = 0; i < s->nv; i++) {
    double mass = j->mech->mass[i];
    w->scale[s->nq + i] = j->speed / sqrt(mass > 0 ? mass : 1);
    w->unit[i] = w->scale[s->nq + i];
  }
  for (int c = 0; c < s->model->coords.n; c++) {
    const pw_coord *k = &s->model->coords.items[c];
    if (!k->is_rotation) {
      w->scale[k->q] = w->scale[s->nq + k->u] * j->time;
    }
  }

  /* units of the other unknowns: multipliers and instants */
  for (int k = w->x->n_u; k < w->x->d; k++) {
    w->unit[s->nv + k - w->x->n_u] = w->scale[s->model->nq + w->x->state[k - w->x->n_u]];
  }
  for (int k = 0; k < w->path->joints; k++) {
    w->unit[w->p - w->path->joints + k] = j->time;
  }
}

bool pw_whole_guess(pw_whole *w, const double *s) {
  pw_shoot_set_start(w->x, s);
  if (pw_shoot_begin(w->x, w->x->fine) != PAWL_OK) {
    return false;
  }
  pw_zero(w->scale, w->n);
  for (int f = 0; f <= w->path->joints; f++) {
    for (int k = w->first[f]; k < w->first[f + 1]; k++) {
      if (!guess_element(w, f, k)) {
        return false;
      }
      measure(w, k, w->edge[f] + (k - w->first[f]) * length_of(w, f));
    }
  }
  set_scales(w);
  return true;
}

/* ---- or a line ---- */

/* The state that is reached with the velocities u in a time; q is a unit quaternion where it is a
 * rotation, turned in the axes of the body. */
static void glide(const pw_system *s, const double *u, double time, double *q) {
  for (int c = 0; c < s->model->coords.n; c++) {
    const pw_coord *k = &s->model->coords.items[c];
    const double *w = u + k->u;
    if (!k->is_rotation) {
      q[k->q] += time * w[0];
      continue;
    }
    double size = pw_norm2(w, 3), half = size * time / 2, *p = q + k->q;
    double f = size > 0 ? sin(half) / size : 0, r = cos(half);
    double x = f * w[0], y = f * w[1], z = f * w[2], old[4] = {p[0], p[1], p[2], p[3]};
    p[0] = old[0] * r - old[1] * x - old[2] * y - old[3] * z;
    p[1] = old[0] * x + old[1] * r + old[2] * z - old[3] * y;
    p[2] = old[0] * y - old[1] * z + old[2] * r + old[3] * x;
    p[3] = old[0] * z + old[1] * y - old[2] * x + old[3] * r;
  }
}

bool pw_whole_line(pw_whole *w, const double *s) {
  const pw_system *sys = w->x->sys;
  double h = length_of(w, 0), unused;
  pw_zero(w->scale, w->n);
  pw_shoot_set_start(w->x, s);
  if (pw_shoot_begin(w->x, w->x->fine) != PAWL_OK) {
    return false;
  }
  pw_copy(w->join.anchor, pw_trial_at(w->x->fine).y, w->n);
  if (!enter(w, 0)) {
    return false;
  }
  for (int k = 0; k < w->elements; k++) {
    double *y = w->y + (size_t)k * (size_t)w->n;
    for (int i = -1; i < w->ritz.points; i++) {
      double time = h * (k + (i < 0 ? 0 : w->ritz.point[i])), *to = i < 0 ? y : w->trial;
      pw_copy(to, w->join.anchor, w->n);
      glide(sys, to + sys->nq, time, to);
      double *K =
          w->rate + ((size_t)k * (size_t)w->ritz.points + (size_t)(i < 0 ? 0 : i)) * (size_t)w->n;
      if (i >= 0 && !pw_whole_rate(w, w->edge[0] + time, to, K, &unused)) {
        return false;
      }
    }
    measure(w, k, w->edge[0] + k * h);
  }
  set_scales(w);
  return true;
}

void pw_whole_stretch(pw_whole *w, double to) {
  const pw_system *s = w->x->sys;
  double part = (w->edge[1] - w->edge[0]) / (to - w->edge[0]);
  for (int i = 0; i < w->elements * (w->ritz.points + 1); i++) {
    double *y = i < w->elements ? w->y + (size_t)i * (size_t)w->n
                                : w->rate + (size_t)(i - w->elements) * (size_t)w->n;
    for (int c = 0; c < w->n; c++) {
      y[c] *= (c < s->nq ? 1 : part) * (i < w->elements ? 1 : part);
    }
  }
  w->edge[1] = to;
}

/* ---- along the motion: next = D now + d/dt ..., column by column ---- */

static double *column(const pw_whole *w, double *Z, int k) {
  return Z + (size_t)k * (size_t)w->n;
}

static void begin_columns(pw_whole *w) {
  const pw_system *s = w->x->sys;
  memset(w->now, 0, (size_t)w->n * ((size_t)w->p + 1) * sizeof *w->now);
  for (int i = 0; i < s->nv; i++) {
    column(w, w->now, i)[s->nq + i] = w->unit[i];
  }
  for (int k = w->x->n_u; k < w->x->d; k++) {
    int i = s->nv + k - w->x->n_u;
    column(w, w->now, i)[s->model->nq + w->x->state[k - w->x->n_u]] = w->unit[i];
  }
}

/* now <- D now, D n x n. */
static void map_columns(pw_whole *w, const double *D) {
  for (int k = 0; k <= w->p; k++) {
    pw_gemv(D, w->n, w->n, column(w, w->now, k), column(w, w->next, k));
  }
  double *swap = w->now;
  w->now = w->next;
  w->next = swap;
}

/* Adds v per instant `edge` (0: the start, which is given, so is the end). */
static void add_by_instant(pw_whole *w, int edge, double factor, const double *v) {
  int joints = w->path->joints;
  if (edge > 0 && edge <= joints) {
    int k = w->p - joints + edge - 1;
    pw_axpy(factor * w->unit[k], v, column(w, w->now, k), w->n);
  }
}

/* Residual between the computed state and the next one. */
static void add_gap(pw_whole *w, const double *found, const double *next) {
  double *gap = column(w, w->now, w->p);
  for (int c = 0; c < w->n; c++) {
    gap[c] += found[c] - next[c];
    w->gap = pw_max(w->gap, fabs(found[c] - next[c]) / w->scale[c]);
  }
}

static bool pass_element(pw_whole *w, int flight, int k) {
  size_t n = (size_t)w->n;
  int count = w->first[flight + 1] - w->first[flight], i = k - w->first[flight];
  double h = length_of(w, flight);
  pw_element e = {.t = w->edge[flight] + i * h,
                  .h = h,
                  .y = w->y + (size_t)k * n,
                  .rate = w->rate + (size_t)k * (size_t)w->ritz.points * n,
                  .end = w->end,
                  .by = w->by};
  memcpy(w->Z + (size_t)k * n * ((size_t)w->p + 1), w->now,
         n * ((size_t)w->p + 1) * sizeof(double));
  if (!pw_ritz_solve(&w->ritz, &e)) {
    return false;
  }
  w->action += e.action;
  map_columns(w, w->by);
  const double *by_t = w->by + n * n, *by_h = by_t + n;
  add_by_instant(w, flight, 1 - (double)i / count, by_t);
  add_by_instant(w, flight + 1, (double)i / count, by_t);
  add_by_instant(w, flight, -1.0 / count, by_h);
  add_by_instant(w, flight + 1, 1.0 / count, by_h);
  if (i + 1 < count) {
    add_gap(w, w->end, w->y + (size_t)(k + 1) * n);
  }
  return true;
}

/* ---- equations for start and instants ---- */

/* Of residuals f (m numbers) with derivatives along direction `dy` and time: into rows from `row`
 * on, for all unknowns. */
typedef bool (*equations)(pw_whole *w, int which, double t, const double *y, double *after,
                          double *f);

static bool at_start(pw_whole *w, int which, double t, const double *y, double *after, double *f) {
  (void)which;
  pw_copy(after, y, w->n);
  return pw_joiner_start(&w->join, t, y, f);
}

static bool at_joint(pw_whole *w, int which, double t, const double *y, double *after, double *f) {
  return pw_joiner_pass(&w->join, which, t, y, after, f);
}

static bool at_end(pw_whole *w, int which, double t, const double *y, double *after, double *f) {
  (void)which;
  pw_copy(after, y, w->n);
  bool finite = isfinite(pw_shoot_measure(w->x, t, y, y + w->x->sys->nq));
  pw_copy(f, w->x->r, w->x->m);
  return finite;
}

/* Adds to row `row` the derivative v (of m equations) by state component c, or by time (-1). */
static void add_rows(pw_whole *w, int row, int m, int c, int edge, const double *v) {
  for (int k = 0; k < w->p; k++) {
    double factor = c >= 0                                               ? column(w, w->now, k)[c]
                    : edge > 0 && k == w->p - w->path->joints + edge - 1 ? w->unit[k]
                                                                         : 0;
    for (int i = 0; factor != 0 && i < m; i++) {
      w->qr.A[(size_t)k * (size_t)w->rows + (size_t)(row + i)] += factor * v[i];
    }
  }
  for (int i = 0; c >= 0 && i < m; i++) {
    w->r[row + i] += column(w, w->now, w->p)[c] * v[i];
  }
}

/* Residuals and their derivatives, by differences, and those of the following state (w->by). */
static bool take(pw_whole *w, equations f, int which, int edge, int m, int row) {
  const double part = PW_SCALE(BVP_STEP_FINE);
  double *up = w->cond, *down = up + m, t = w->edge[edge];
  int n = w->n;
  pw_copy(w->trial, w->end, n);
  for (int c = -1; c < n; c++) {
    double old = c < 0 ? t : w->trial[c], d = part * (c < 0 ? w->join.time : w->scale[c]);
    double *at = c < 0 ? &t : &w->trial[c], *by = w->by + (size_t)(c < 0 ? n : c) * (size_t)n;
    *at = old + d;
    bool ok = f(w, which, t, w->trial, w->up, up);
    *at = old - d;
    ok = ok && f(w, which, t, w->trial, w->down, down);
    *at = old;
    if (!ok) {
      return false;
    }
    for (int i = 0; i < n; i++) {
      by[i] = (w->up[i] - w->down[i]) / (2 * d);
    }
    for (int i = 0; i < m; i++) {
      up[i] = (up[i] - down[i]) / (2 * d);
    }
    add_rows(w, row, m, c, edge, up);
  }

  /* the residuals themselves */
  bool ok = f(w, which, t, w->trial, w->end, up);
  for (int i = 0; i < m; i++) {
    w->r[row + i] += up[i];
    w->gap = pw_max(w->gap, fabs(up[i]));
  }
  return ok;
}

static bool pass_joint(pw_whole *w, int k, int row) {
  if (!take(w, at_joint, k, k + 1, pw_joiner_count(&w->join, k), row)) {
    return false;
  }
  map_columns(w, w->by);
  add_by_instant(w, k + 1, 1, w->by + (size_t)w->n * (size_t)w->n);
  add_gap(w, w->end, w->y + (size_t)w->first[k + 1] * (size_t)w->n);
  return true;
}

/* All elements and joints: fills Z, the matrix of the remaining equations and r. */
static bool pass(pw_whole *w) {
  int row = w->x->sys->nr, joints = w->path->joints;
  memset(w->qr.A, 0, (size_t)w->rows * (size_t)w->p * sizeof *w->qr.A);
  pw_zero(w->r, w->rows);
  w->gap = w->action = 0;
  begin_columns(w);
  pw_copy(w->end, w->y, w->n);
  if (!enter(w, 0) || !take(w, at_start, 0, 0, row, 0)) {
    return false;
  }
  for (int f = 0; f <= joints; f++) {
    bool ok = f == 0 || enter(w, f);
    for (int k = w->first[f]; ok && k < w->first[f + 1]; k++) {
      ok = pass_element(w, f, k);
    }
    if (!ok || (f < joints && !pass_joint(w, f, row))) {
      return false;
    }
    row += f < joints ? pw_joiner_count(&w->join, f) : 0;
  }
  return take(w, at_end, 0, joints + 1, w->x->m, row);
}

/* ---- Newton ---- */

/* Returns how far the states move, in parts of their scales. */
static double improve(pw_whole *w) {
  double far = 0;
  if (pw_qr_decompose(&w->qr, PW_SCALE(BVP_WHOLE_SINGULAR)) <= 0) {
    return NAN;
  }
  pw_qr_least_squares(&w->qr, w->r, w->step);
  for (int k = 0; k < w->elements; k++) {
    double *y = w->y + (size_t)k * (size_t)w->n;
    double *Z = w->Z + (size_t)k * (size_t)w->n * ((size_t)w->p + 1);
    pw_copy(w->trial, column(w, Z, w->p), w->n);
    for (int i = 0; i < w->p; i++) {
      pw_axpy(-w->step[i], column(w, Z, i), w->trial, w->n);
    }
    for (int c = 0; c < w->n; c++) {
      far = pw_max(far, fabs(w->trial[c]) / w->scale[c]);
      y[c] += w->trial[c];
    }
  }
  for (int k = 0; k < w->path->joints; k++) {
    int i = w->p - w->path->joints + k;
    w->edge[k + 1] -= w->unit[i] * w->step[i];
    far = pw_max(far, fabs(w->step[i]));
  }
  return far;
}

static bool ordered(const pw_whole *w) {
  bool yes = true;
  for (int f = 0; f <= w->path->joints; f++) {
    yes = yes && w->edge[f + 1] > w->edge[f];
  }
  return yes;
}

bool pw_whole_solve(pw_whole *w, int patience) {
  const double done = PW_SCALE(BVP_WHOLE_DONE), small = PW_SCALE(BVP_WHOLE_STEP);
  double before = INFINITY;
  for (int k = 0; k < MAX_ITER; k++) {
    if (!ordered(w) || !pass(w)) {
      return false;
    }
    double far = improve(w);
    bool contracts = far < PW_SCALE(BVP_CONTRACTS) * before || (k < patience && isfinite(far));

    /* the next step would be rounding, at the rate of the last two */
    bool ends = isfinite(before) && far <= small && far * (far / before) <= done;
    if (!contracts || ends || far <= done) {
      return far <= small && w->gap <= PW_SCALE(BVP_WHOLE_GAP);
    }
    before = far;
  }
  return false;
}

bool pw_whole_jumps(pw_whole *w) {
  const pw_path *path = w->path;
  for (int k = 0; k < path->joints; k++) {
    size_t at = (size_t)k * (size_t)w->n;
    if (!path->struck[k]) {
      continue;
    }
    if (!enter(w, k) ||
        !pw_joiner_pass(&w->join, k, path->times[k], path->before + at, w->trial, w->cond)) {
      return false;
    }
    for (int c = 0; c < w->n; c++) {
      double off = fabs(w->trial[c] - path->after[at + (size_t)c]);
      if (!(off <= PW_SCALE(BVP_JUMP) * w->scale[c])) {
        return false;
      }
    }
  }
  return true;
}
