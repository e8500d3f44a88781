// SPDX-License-Identifier: MIT
/* With theta = t - eps tau(t) the corners of a strongly varied curve stay at the rows, and all
 * curves are summed over the same nodes. */
#include "verify/vary.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/real.h"
#include "law/scale_verify.h"
#include "linalg/chol.h"
#include "linalg/dense.h"
#include "verify/checker.h"

static const double steps[] = {1, -1, 2, -2};

enum { GAUSS = 5, SIDES = 4 };

/* ---- the model at a state ---- */

/* L, with lambda phi of multipliers that are states. */
static double lagrangian(pawl_vary *v, double t, const double *q, const double *u) {
  (void)pw_probe_gaps(&v->probe, t, q, u);
  pw_tape_run(v->energy.tape, v->probe.in, v->energy.reg, v->energy.out);
  return v->energy.out[0] - v->energy.out[1] + v->energy.out[3];
}

static const double *momentum(pawl_vary *v) {
  pw_tape_run(v->momentum.tape, v->probe.in, v->momentum.reg, v->momentum.out);
  return v->momentum.out;
}

/* H = p.u - L, of lambda phi too; after lagrangian and momentum. */
static double hamiltonian(const pawl_vary *v, const double *u) {
  const double *e = v->energy.out;
  return v->sys->n_state == 0 ? e[0] + e[1] - e[2]
                              : pw_dot(v->momentum.out, u, v->sys->nv) - e[0] + e[1] - e[3];
}

/* What multipliers have in p and its rate; after lagrangian. */
static void find_carried(pawl_vary *v) {
  const pw_system *s = v->sys;
  int n = s->nv;
  double *lambda = v->probe.in + s->offset[PW_VAR_Q] + s->model->nq;
  memset(lambda, 0, (size_t)s->n_state * sizeof *lambda);
  memcpy(v->work.carried, momentum(v), 2 * (size_t)n * sizeof *v->work.carried);
  memcpy(lambda, v->at.q + s->model->nq, (size_t)s->n_state * sizeof *lambda);
  momentum(v);
  for (int i = 0; i < 2 * n; i++) {
    v->work.carried[i] = v->momentum.out[i] - v->work.carried[i];
  }
}

/* The derivative by the four values. */
static double difference(const pawl_vary *v, const double value[SIDES]) {
  double near = value[0] - value[1], far = value[2] - value[3];
  return (8 * near - far) / (12 * v->step);
}

/* ---- one node ---- */

/* Whether w is zero there, as splines are beside their support. */
static bool is_still(const pawl_vary *v) {
  for (int k = 0; k < v->sys->nv; k++) {
    if (v->work.w[k] != 0 || v->work.rate[k] != 0) {
      return false;
    }
  }
  return true;
}

/* (M u' - h).w = L^-1(..).L^T w for the displacement in v->work.w. */
static void weigh(pawl_vary *v, pw_variation *x, double weight) {
  int n = v->sys->nv;
  for (int i = 0; i < n; i++) {
    double along = pw_dot(v->probe.L + (size_t)i * (size_t)n + i, v->work.w + i, n - i);
    x->part -= weight * v->work.reaction[i] * along;
    x->size += weight * along * along;
    v->work.along[i] = along;
  }
  if (v->given) {
    double own = weight * pw_dot(v->work.own, v->work.along, n);
    double crossed = x->w != NULL ? weight * pw_vary_crossed(v, v->work.along) : 0;
    x->own += own + crossed;
    x->crossed += fabs(crossed);
    x->parts += fabs(own);
  }
}

static void note_peak(pw_variation *x, int n, const double *w, const double *rate) {
  for (int i = 0; i < n; i++) {
    x->peak[i] = pw_max(x->peak[i], fabs(w[i]));
    x->peak[n + i] = pw_max(x->peak[n + i], fabs(rate[i]));
  }
}

/* Norms of the displacement v->work.w with the rate v->work.rate, and the work of forces that have
 * no potential: all forces, dL/dq + F, less the difference of L by the positions alone. */
static void measure(pawl_vary *v, pw_variation *x, double t, double weight) {
  int n = v->sys->nv;
  double value[SIDES], work = pw_dot(v->momentum.out + n, v->work.w, n);
  note_peak(x, n, v->work.w, v->work.rate);
  for (int side = 0; side < SIDES; side++) {
    pw_vary_displace(v, v->step * steps[side]);
    value[side] = lagrangian(v, t, v->work.varied_q, v->at.u);
  }
  work += pw_dot(v->work.kinks, v->work.w, n);
  x->force += weight * (work - difference(v, value));
}

static void weak_node(pawl_vary *v, pw_variation *x, int row, double t, double weight) {
  int n = v->sys->nv;
  const double *p = v->momentum.out, *push = p + n;

  /* The displacement w and its rate at t. */
  if (x->w != NULL) {
    pw_vary_between(v, x, row, t);
  } else {
    x->fn(t, x->payload, v->work.w, v->work.rate);
  }

  /* Beside its support a spline leaves the action as it is. */
  if (is_still(v)) {
    for (int side = 0; side < SIDES; side++) {
      x->action[side] += weight * v->density;
    }
    return;
  }

  /* The action of the displaced curves, for differences. */
  for (int side = 0; side < SIDES; side++) {
    pw_vary_displace(v, v->step * steps[side]);
    x->action[side] += weight * lagrangian(v, t, v->work.varied_q, v->work.varied_u);
  }

  /* The weak form: p.w' + (dL/dq + F).w, with the forces of kinks in F. */
  pw_vary_rate(v);
  double inertia = weight * pw_dot(p, v->work.varied_u, n),
         force = weight * (pw_dot(push, v->work.w, n) + pw_dot(v->work.kinks, v->work.w, n));
  x->weak += inertia + force;

  /* Of it, lambda times the variation of phi (C26); and the sizes of its terms. */
  if (v->sys->n_state > 0) {
    x->held += weight * (pw_dot(v->work.carried, v->work.varied_u, n) +
                         pw_dot(v->work.carried + n, v->work.w, n));
  }
  x->parts += fabs(inertia) + fabs(force);
  weigh(v, x, weight);
  if (x->peak != NULL) {
    measure(v, x, t, weight);
  }
}

/* The shift of the time at t; of a general variation it stands behind w. */
static void shift_at(const pawl_vary *v, const pw_variation *x, double t, double *tau,
                     double *rate) {
  int n = v->sys->nv;
  if (x->kind == PAWL_VARY_STRONG) {
    x->fn(t, x->payload, tau, rate);
  } else {
    x->fn(t, x->payload, v->work.shift, v->work.shift + n + 1);
    *tau = v->work.shift[n];
    *rate = v->work.shift[2 * n + 1];
  }
}

/* The time at which the varied curve is where the trajectory was at theta. */
static double moved(const pawl_vary *v, const pw_variation *x, double theta, double d,
                    double *rate) {
  double t = theta, tau;
  for (int k = 0; k < 20; k++) {
    shift_at(v, x, t, &tau, rate);
    double step = (t - d * tau - theta) / (1 - d * *rate);
    t -= step;
    if (!(fabs(step) > DBL_EPSILON / 2 * fabs(t))) {
      break;
    }
  }
  shift_at(v, x, t, &tau, rate);
  return t;
}

/* Leine and Aeberhard (11) at theta: q + d w, and the time moved. tau, rate: at theta. */
static void strong_node(pawl_vary *v, pw_variation *x, double theta, double weight) {
  int n = v->sys->nv;
  double tau, rate;
  bool general = x->kind == PAWL_VARY_GENERAL;
  shift_at(v, x, theta, &tau, &rate);
  if (general) {
    x->fn(theta, x->payload, v->work.w, v->work.rate);
  } else {
    memset(v->work.w, 0, (size_t)n * sizeof *v->work.w);
    memset(v->work.rate, 0, (size_t)n * sizeof *v->work.rate);
  }
  for (int side = 0; side < SIDES; side++) {
    double d = v->step * steps[side], slower = 0;
    double t = moved(v, x, theta, d, &slower);
    pw_vary_displace(v, d);
    for (int i = 0; i < n; i++) {
      v->work.varied_u[i] *= 1 - d * slower;
    }
    x->action[side] +=
        weight / (1 - d * slower) * lagrangian(v, t, v->work.varied_q, v->work.varied_u);
  }
  x->latest = pw_max(x->latest, fabs(tau));
  x->parts += weight * fabs(rate) * (fabs(v->energy.out[0]) + fabs(v->energy.out[1]));
  if (general) {
    pw_vary_rate(v);
    x->parts += weight * (fabs(pw_dot(v->momentum.out, v->work.varied_u, n)) +
                          fabs(pw_dot(v->momentum.out + n, v->work.w, n)));
  }
  for (int i = 0; i < n; i++) { /* dq = w - u tau, (13) */
    v->work.rate[i] -= v->at.a[i] * tau + v->at.u[i] * rate;
    v->work.w[i] -= v->at.u[i] * tau;
  }
  weigh(v, x, weight);
  if (x->peak != NULL) {
    measure(v, x, theta, weight);
  }
}

/* The action contains the kinks of potentials, whose forces are those of laws: v->work.kinks is the
 * force that small differences of the action see, the mean of both sides where a kink holds. After
 * pw_probe_at. */
static void take_out_kinks(pawl_vary *v) {
  const pw_system *s = v->sys;
  size_t n = (size_t)s->nv;
  memset(v->work.kinks, 0, n * sizeof *v->work.kinks);
  for (int i = s->nc; i < s->nr; i++) {
    if (s->row[i].kind != PW_KIND_KINK || s->row[i].on_velocity) {
      continue;
    }
    pw_law_row law = pw_probe_law(&v->probe, i);
    bool held = fabs(v->probe.value[i]) <= v->near * v->probe.length[i];
    double force = held ? -(law.left + law.right) / 2 : pw_probe_force_beside(&v->probe, i);
    pw_axpy(force, v->probe.J + (size_t)i * n, v->work.kinks, s->nv);
    pw_axpy(-force, v->probe.A + (size_t)i * n, v->work.reaction, s->nv);
  }
}

static void node(pawl_vary *v, int row, double t, double weight) {
  int n = v->sys->nv;
  v->density = lagrangian(v, t, v->at.q, v->at.u);
  v->sum += weight * v->density;
  v->bulk += weight * fabs(v->density);
  if (v->sys->n_state > 0) {
    find_carried(v);
  } else {
    momentum(v);
  }
  bool fine = pw_probe_at(&v->probe, t, v->at.q, v->at.u);
  for (int i = 0; i < n; i++) {
    v->work.reaction[i] =
        fine ? pw_dot(v->probe.L + (size_t)i * (size_t)n + i, v->at.a + i, n - i) - v->probe.h[i]
             : NAN;
  }
  take_out_kinks(v);
  for (int k = 0; k < v->sys->n_state; k++) { /* certificates (C16) */
    const double *push = v->probe.A + (size_t)v->sys->state_row[k] * (size_t)n;
    pw_axpy(v->at.dq[v->sys->model->nq + k], push, v->work.reaction, n);
  }
  if (v->given) {
    pw_vary_split(v, v->work.reaction, false, v->work.own, v->work.push);
  }
  for (int k = 0; k < v->n; k++) {
    if (v->item[k].kind == PAWL_VARY_STRONG || v->item[k].kind == PAWL_VARY_GENERAL) {
      strong_node(v, &v->item[k], t, weight);
    } else {
      weak_node(v, &v->item[k], row, t, weight);
    }
  }
}

/* What an interval or a corner adds to the formula; the largest is remembered. */
static void contribute(pw_variation *x, double t, double part) {
  x->by_formula += part;
  for (int side = 0; side < 2; side++) {
    double mine = side == 0 ? part : -part;
    if (mine > x->most[side]) {
      x->most[side] = mine;
      x->at[side] = t;
    }
  }
}

/* Gauss-Legendre with five nodes between rows i and i + 1 of the window. */
static void interval(pawl_vary *v, int i) {
  v->longest = pw_max(v->longest, v->window.t[i + 1] - v->window.t[i]);
  const double r = 2 * sqrt(10.0 / 7), s = 13 * sqrt(70.0);
  const double inner = sqrt(5 - r) / 3, outer = sqrt(5 + r) / 3;
  const double x[GAUSS] = {-outer, -inner, 0, inner, outer};
  const double w[GAUSS] = {(322 - s) / 900, (322 + s) / 900, 128.0 / 225, (322 + s) / 900,
                           (322 - s) / 900};
  double half = (v->window.t[i + 1] - v->window.t[i]) / 2, middle = v->window.t[i] + half;
  for (int k = 0; k < GAUSS; k++) {
    double t = middle + half * x[k];
    pw_vary_curve(v, i, t);
    node(v, i, t, half * w[k]);
  }
  for (int k = 0; k < v->n; k++) {
    contribute(&v->item[k], middle, v->item[k].part);
    v->item[k].part = 0;
  }
}

/* ---- rows ---- */

/* Whether constraints allow w and -w at a row, after pw_probe_at. */
static void admit(pawl_vary *v, pw_variation *x) {
  int n = v->sys->nv;
  x->largest = pw_max(x->largest, pw_verify_size(&v->probe, v->work.w));
  for (int i = 0; i < v->sys->nr; i++) {
    if (pw_vary_is_closed(v, i) && pw_vary_normal(v, i, v->work.normal)) {
      double along = 0; /* normal.(L^T w) */
      for (int k = 0; k < n; k++) {
        along += v->work.normal[k] *
                 pw_dot(v->probe.L + (size_t)k * (size_t)n + k, v->work.w + k, n - k);
      }
      x->lowest = pw_min(x->lowest, i < v->sys->nc ? -fabs(along) : along);
      x->highest = pw_max(x->highest, i < v->sys->nc ? fabs(along) : along);
    }
  }
}

/* The variations at a row. At the later side of an instant they are what they were at the earlier
 * one: a variation does not jump. */
static void look(pawl_vary *v, double t, bool later) {
  int n = v->sys->nv;
  for (int k = 0; k < v->n; k++) {
    pw_variation *x = &v->item[k];
    if (x->kind == PAWL_VARY_STRONG) {
      continue;
    }
    x->fn(t, x->payload, v->work.w, v->work.rate);
    for (int i = 0; later && x->w != NULL && i < n; i++) {
      v->work.w[i] = x->w[i * PW_VARY_WINDOW + v->window.last];
    }
    if (x->w != NULL && !later) {
      pw_vary_project(v, v->work.w);
    }
    admit(v, x);
    if (x->peak != NULL && x->w == NULL && x->kind == PAWL_VARY_WEAK) {
      note_peak(x, n, v->work.w, v->work.rate);
    }
    for (int i = 0; x->w != NULL && i < n; i++) {
      x->w[i * PW_VARY_WINDOW + v->window.n_row] = v->work.w[i];
    }
  }
}

/* [p w]: sign -1 where a piece begins, +1 where one ends; strong: [-H tau]. row: in the window. */
static void ends(pawl_vary *v, int row, double t, const double *q, const double *u, double sign) {
  (void)lagrangian(v, t, q, u);
  const double *p = momentum(v);
  double H = hamiltonian(v, u);
  for (int k = 0; k < v->n; k++) {
    pw_variation *x = &v->item[k];
    x->fn(t, x->payload, v->work.w, v->work.rate);
    for (int i = 0; x->w != NULL && i < v->sys->nv; i++) {
      v->work.w[i] = x->w[i * PW_VARY_WINDOW + row];
    }
    double tau = 0, rate = 0;
    if (x->kind == PAWL_VARY_STRONG || x->kind == PAWL_VARY_GENERAL) {
      shift_at(v, x, t, &tau, &rate);
    }
    double turned = x->kind == PAWL_VARY_STRONG ? 0 : pw_dot(p, v->work.w, v->sys->nv);
    x->part += sign * (turned - H * tau);
    bool outer = sign > 0 ? v->window.over : v->rows == 1;
    x->ends[0] = outer && x->kind != PAWL_VARY_STRONG
                     ? pw_max(x->ends[0], pw_verify_size(&v->probe, v->work.w))
                     : x->ends[0];
    x->ends[1] = outer ? pw_max(x->ends[1], fabs(tau)) : x->ends[1];
  }
  if (sign > 0) {
    memcpy(v->work.momentum_before, p, (size_t)v->sys->nv * sizeof *p);
  }
}

/* What laws that are no constraints do at a corner: their impulses, along the variations. */
static void strike(pawl_vary *v, double t, const double *q, const double *u) {
  int n = v->sys->nv;

  /* The jump of the momenta, in the metric. */
  (void)lagrangian(v, t, q, u);
  const double *p = momentum(v);
  bool jumps = false;
  for (int i = 0; i < n; i++) {
    v->work.bare[i] = p[i] - v->work.momentum_before[i];
    jumps = jumps || fabs(v->work.bare[i]) > PW_SCALE(CERT_VARY_ROUNDING) * fabs(p[i]);
  }
  pw_probe_forward(&v->probe, v->work.bare);

  /* Which part of it the walls have, and which the other laws. */
  pw_vary_split(v, v->work.bare, true, v->work.own, v->work.push);
  for (int k = 0; k < v->n; k++) {
    pw_variation *x = &v->item[k];
    double tau = 0, rate = 0;

    /* A shift of the time where velocities jump tears the curve: dq jumps. */
    if (x->kind == PAWL_VARY_STRONG || x->kind == PAWL_VARY_GENERAL) {
      shift_at(v, x, t, &tau, &rate);
      x->torn = x->torn || (jumps && tau != 0);
    }
    if (x->kind == PAWL_VARY_STRONG) {
      continue;
    }

    /* The work of the other laws along w: own . L^T w. */
    x->fn(t, x->payload, v->work.w, v->work.rate);
    for (int i = 0; x->w != NULL && i < n; i++) {
      v->work.w[i] = x->w[i * PW_VARY_WINDOW + v->window.last];
    }
    for (int i = 0; i < n; i++) {
      double along = pw_dot(v->probe.L + (size_t)i * (size_t)n + i, v->work.w + i, n - i);
      x->own += v->work.own[i] * along;
      x->parts += fabs(v->work.bare[i] * along);
    }
  }
}

/* Both sides of a corner are in. */
static void end_corner(pawl_vary *v, double t) {
  for (int k = 0; k < v->n; k++) {
    contribute(&v->item[k], t, v->item[k].part);
    v->item[k].part = 0;
  }
}

static void end_piece(pawl_vary *v) {
  int m = v->window.n_row;
  for (int i = v->window.first ? 0 : m - 2; i < m - 1; i++) {
    interval(v, i);
  }
  for (int i = 0; m > 0 && i < v->sys->nq; i++) {
    v->at.q[i] = v->window.q[i * PW_VARY_WINDOW + m - 1];
    v->at.dq[i] = v->window.dq[i * PW_VARY_WINDOW + m - 1];
  }
  if (m > 0) {
    pw_motion_error(v->sys->model, v->at.q, v->at.dq, v->at.u);
    ends(v, m - 1, v->window.t[m - 1], v->at.q, v->at.u, 1);
  }
  v->window.last = m - 1;
  v->window.n_row = 0;
  v->window.first = true;
}

static void shift_each(double *x, int n) {
  for (int i = 0; x != NULL && i < n; i++) {
    memmove(x + (size_t)i * PW_VARY_WINDOW, x + (size_t)i * PW_VARY_WINDOW + 1,
            (PW_VARY_WINDOW - 1) * sizeof *x);
  }
}

static void shift(pawl_vary *v) {
  shift_each(v->window.q, v->sys->nq);
  shift_each(v->window.dq, v->sys->nq);
  shift_each(v->window.t, 1);
  for (int k = 0; k < v->n; k++) {
    shift_each(v->item[k].w, v->sys->nv);
  }
  v->window.n_row--;
}

static void append(pawl_vary *v, double t, const double *q, const double *u) {
  v->window.t[v->window.n_row] = t;
  memset(v->at.dq, 0, (size_t)v->sys->nq * sizeof *v->at.dq);
  pw_motion_rate(v->sys->model, q, u, v->at.dq);
  for (int i = 0; i < v->sys->nq; i++) {
    v->window.q[i * PW_VARY_WINDOW + v->window.n_row] = q[i];
    v->window.dq[i * PW_VARY_WINDOW + v->window.n_row] = v->at.dq[i];
  }
  v->window.n_row++;
  if (v->window.n_row == PW_VARY_WINDOW) { /* the inner interval, and the first one of the piece */
    if (v->window.first) {
      interval(v, 0);
    }
    interval(v, 1);
    v->window.first = false;
  }
}

pawl_status pw_vary_put(pawl_vary *v, double t, const double *q, const double *u) {
  if (v->window.over || (v->window.n_row > 0 && !(t >= v->window.t[v->window.n_row - 1]))) {
    return PAWL_E_ARGUMENT;
  }
  bool later = v->window.n_row > 0 && t == v->window.t[v->window.n_row - 1];
  if (later) {
    end_piece(v);
  }
  if (v->window.n_row == PW_VARY_WINDOW) {
    shift(v);
  }
  v->rows++;
  double ahead = v->window.n_row == 0 ? v->beside : -v->beside;
  v->known = pw_probe_beside(&v->probe, t, q, u, ahead) && v->known;
  look(v, t, later);
  if (later && v->given) {
    strike(v, t, q, u);
  }
  if (v->window.n_row == 0) {
    ends(v, 0, t, q, u, -1);
    end_corner(v, t);
  }
  append(v, t, q, u);
  return PAWL_OK;
}

pawl_status pawl_vary_row(pawl_vary *v, double t, const double *q, const double *u) {
  if (v == NULL || q == NULL || u == NULL || v->window.over || !isfinite(t)) {
    return PAWL_E_ARGUMENT;
  }
  memcpy(v->at.a, u, (size_t)v->sys->nv * sizeof *u);
  pw_motion_into_body(v->sys->model, q, v->at.a);
  memcpy(v->work.covector, v->at.a, (size_t)v->sys->nv * sizeof *u);
  return pw_vary_put(v, t, q, v->work.covector);
}

void pawl_vary_finish(pawl_vary *v) {
  if (v != NULL && !v->window.over) {
    v->window.over = true;
    end_piece(v);
    end_corner(v, v->window.last < 0 ? NAN : v->window.t[v->window.last]);
  }
}

/* ---- what is asked ---- */

double pawl_vary_action(const pawl_vary *v) {
  return v == NULL ? NAN : v->sum;
}

/* -ds/|w| for w (0) or -w (1). */
static double fall(const pawl_variation *x, int side) {
  double slope = x->kind == PAWL_VARY_STRONG ? x->formula : x->weak;
  return (side == 0 ? -slope : slope) / x->size;
}

pawl_worst pawl_vary_worst(const pawl_vary *v, int strong) {
  pawl_worst out = {.which = -1, .value = NAN, .t = NAN};
  for (int i = 0; v != NULL && i < v->n && v->ideal && v->known; i++) {
    pawl_variation x = pawl_vary_get(v, i);
    for (int side = 0; side < 2; side++) {
      bool mine = (x.kind == PAWL_VARY_STRONG) == (strong != 0) && x.size > 0;
      double value = fall(&x, side);
      if (mine && (x.admissible & (side + 1)) != 0 && !(value >= out.value)) {
        out = (pawl_worst){
            .which = i, .sign = side == 0 ? 1 : -1, .value = value, .t = v->item[i].at[side]};
      }
    }
  }
  if (out.which >= 0) {
    pawl_variation x = pawl_vary_get(v, out.which);
    out.part = out.value * x.size / x.parts;
    out.is_zero = fabs(out.part) < PW_SCALE(CERT_VARY_ROUNDING);
  }
  return out;
}

int pawl_vary_count(const pawl_vary *v) {
  return v == NULL ? 0 : v->n;
}

pawl_variation pawl_vary_get(const pawl_vary *v, int i) {
  if (v == NULL || i < 0 || i >= v->n) {
    return (pawl_variation){.slope = NAN, .formula = NAN, .weak = NAN, .parts = NAN, .size = NAN};
  }
  const pw_variation *x = &v->item[i];
  double tiny = PW_SCALE(CERT_VARY_ROUNDING) * pw_max(pw_max(-x->lowest, x->highest), x->largest);
  bool strong = x->kind == PAWL_VARY_STRONG || x->kind == PAWL_VARY_GENERAL;
  return (pawl_variation){.kind = x->kind,
                          .slope = difference(v, x->action),
                          .formula = x->by_formula,
                          .weak = strong ? NAN : x->weak,
                          .parts = x->parts,
                          .size = sqrt(x->size),
                          .held = x->held,
                          .admissible = (x->lowest >= -tiny) + 2 * (x->highest <= tiny)};
}
