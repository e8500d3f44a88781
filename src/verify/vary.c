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
#include "linalg/dense.h"
#include "verify/checker.h"

static const double steps[] = {1, -1, 2, -2};

enum { GAUSS = 5, SIDES = 4 };

/* ---- making ---- */

static void lay_out(pawl_vary *v, pw_layout *l) {
  const pw_system *s = v->sys;
  size_t nv = (size_t)s->nv, nq = (size_t)s->nq;
  pw_probe_lay(&v->probe, s, l);
  pw_probe_tape_lay(&v->energy, s->energy, l);
  pw_probe_tape_lay(&v->momentum, s->momentum, l);
  pw_reach_lay(&v->reach, s->nv + 1, s->nr, l);
  v->q = PW_LAY(l, nq * PW_VARY_WINDOW, double);
  v->dq = PW_LAY(l, nq * PW_VARY_WINDOW, double);

  double **by_q[] = {&v->at_q, &v->at_dq, &v->at_ddq, &v->varied_q};
  double **by_u[] = {&v->at_u,     &v->at_a,     &v->w,        &v->rate,
                     &v->varied_u, &v->reaction, &v->covector, &v->kinks};
  for (size_t i = 0; i < sizeof by_q / sizeof *by_q; i++) {
    *by_q[i] = PW_LAY(l, nq, double);
  }
  for (size_t i = 0; i < sizeof by_u / sizeof *by_u; i++) {
    *by_u[i] = PW_LAY(l, nv, double);
  }
  v->target = PW_LAY(l, nv + 1, double);
  v->carried = PW_LAY(l, 2 * nv, double);
}

/* Else the principle has the forces of the laws in it, and no sign. */
static bool is_ideal(const pw_system *s) {
  bool ideal = true;
  for (int i = 0; i < s->nr; i++) {
    bool wall = i < s->nc || (pw_law_is_wall(&s->row[i]));
    ideal = ideal && (pw_row_state(s, i) >= 0 || (wall && s->row[i].by < 0));
  }
  return ideal;
}

pawl_status pawl_vary_new(const pawl_system *system, double near, pawl_vary **out) {
  if (out != NULL) {
    *out = NULL;
  }
  bool fits = system != NULL && system->sys != NULL && system->sys->n_state == 0;
  return fits && out != NULL && near >= 0 ? pw_vary_new(system, near, out) : PAWL_E_ARGUMENT;
}

pawl_status pw_vary_new(const pawl_system *system, double near, pawl_vary **out) {
  pawl_vary *v = calloc(1, sizeof *v);
  *out = NULL;
  if (v == NULL) {
    return PAWL_E_MEMORY;
  }
  v->system = pw_system_keep(system);
  v->sys = system->sys;
  v->near = near;
  v->first = true;
  v->ideal = is_ideal(v->sys);
  v->known = true;
  pw_layout counts = {0};
  lay_out(v, &counts);
  v->memory = calloc(1, counts.size);
  if (v->memory == NULL) {
    pawl_vary_free(v);
    return PAWL_E_MEMORY;
  }
  pw_layout l = pw_layout_in(v->memory);
  lay_out(v, &l);
  *out = v;
  return PAWL_OK;
}

void pawl_vary_free(pawl_vary *v) {
  for (int i = 0; v != NULL && i < v->n; i++) {
    free(v->item[i].w);
  }
  if (v != NULL) {
    free(v->memory);
    free(v->item);
    pw_system_drop(v->system);
    free(v);
  }
}

pawl_status pawl_vary_add(pawl_vary *v, pawl_vary_kind kind, pawl_vary_fn fn, void *payload) {
  if (v == NULL || fn == NULL || v->rows > 0 || (int)kind < PAWL_VARY_WEAK ||
      (int)kind > PAWL_VARY_PROJECTED) {
    return PAWL_E_ARGUMENT;
  }
  if (v->n == v->cap) {
    int cap = 2 * v->cap + 8;
    pw_variation *more = realloc(v->item, (size_t)cap * sizeof *more);
    if (more == NULL) {
      return PAWL_E_MEMORY;
    }
    v->item = more;
    v->cap = cap;
  }
  pw_variation *x = &v->item[v->n];
  *x = (pw_variation){.kind = kind, .fn = fn, .payload = payload, .at = {NAN, NAN}};
  if (kind == PAWL_VARY_PROJECTED) {
    x->w = calloc(((size_t)v->sys->nv + 1) * PW_VARY_WINDOW, sizeof *x->w);
    if (x->w == NULL) {
      return PAWL_E_MEMORY;
    }
  }
  v->n++;
  return PAWL_OK;
}

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
  memcpy(v->carried, momentum(v), 2 * (size_t)n * sizeof *v->carried);
  memcpy(lambda, v->at_q + s->model->nq, (size_t)s->n_state * sizeof *lambda);
  momentum(v);
  for (int i = 0; i < 2 * n; i++) {
    v->carried[i] = v->momentum.out[i] - v->carried[i];
  }
}

/* ---- one node ---- */

/* Whether w is zero there, as splines are beside their support. */
static bool is_still(const pawl_vary *v) {
  for (int k = 0; k < v->sys->nv; k++) {
    if (v->w[k] != 0 || v->rate[k] != 0) {
      return false;
    }
  }
  return true;
}

static void weak_node(pawl_vary *v, pw_variation *x, int row, double t, double weight) {
  int n = v->sys->nv;
  const double *p = v->momentum.out, *push = p + n;
  if (x->w != NULL) {
    pw_vary_between(v, x, row, t);
  } else {
    x->fn(t, x->payload, v->w, v->rate);
  }
  if (is_still(v)) {
    for (int side = 0; side < SIDES; side++) {
      x->action[side] += weight * v->density;
    }
    return;
  }
  for (int side = 0; side < SIDES; side++) {
    pw_vary_displace(v, PW_SCALE(CERT_VARY_STEP) * steps[side]);
    x->action[side] += weight * lagrangian(v, t, v->varied_q, v->varied_u);
  }
  pw_vary_rate(v);
  double inertia = weight * pw_dot(p, v->varied_u, n),
         force = weight * (pw_dot(push, v->w, n) + pw_dot(v->kinks, v->w, n));
  x->weak += inertia + force;
  if (v->sys->n_state > 0) {
    x->held += weight * (pw_dot(v->carried, v->varied_u, n) + pw_dot(v->carried + n, v->w, n));
  }
  x->parts += fabs(inertia) + fabs(force);
  for (int i = 0; i < n; i++) { /* (M u' - h).w = L^-1(..).L^T w */
    double along = pw_dot(v->probe.L + (size_t)i * (size_t)n + i, v->w + i, n - i);
    x->part -= weight * v->reaction[i] * along;
    x->size += weight * along * along;
  }
}

/* The time at which the varied curve is where the trajectory was at theta. */
static double moved(const pw_variation *x, double theta, double d, double *rate) {
  double t = theta, tau;
  for (int k = 0; k < 20; k++) {
    x->fn(t, x->payload, &tau, rate);
    double step = (t - d * tau - theta) / (1 - d * *rate);
    t -= step;
    if (!(fabs(step) > DBL_EPSILON / 2 * fabs(t))) {
      break;
    }
  }
  x->fn(t, x->payload, &tau, rate);
  return t;
}

static void strong_node(pawl_vary *v, pw_variation *x, double theta, double weight) {
  int n = v->sys->nv;
  for (int side = 0; side < SIDES; side++) {
    double d = PW_SCALE(CERT_VARY_STEP) * steps[side], rate = 0;
    double t = moved(x, theta, d, &rate);
    for (int i = 0; i < n; i++) {
      v->varied_u[i] = v->at_u[i] * (1 - d * rate);
    }
    x->action[side] += weight / (1 - d * rate) * lagrangian(v, t, v->at_q, v->varied_u);
  }
  x->fn(theta, x->payload, v->w, v->rate);
  x->parts += weight * fabs(v->rate[0]) * (fabs(v->energy.out[0]) + fabs(v->energy.out[1]));
  for (int i = 0; i < n; i++) {
    double along = pw_dot(v->probe.L + (size_t)i * (size_t)n + i, v->at_u + i, n - i);
    x->part += weight * v->w[0] * v->reaction[i] * along;
    x->size += weight * v->w[0] * v->w[0] * along * along;
  }
}

/* The action contains the kinks of potentials, whose forces are those of laws: v->kinks is the
 * force that small differences of the action see, the mean of both sides where a kink holds. After
 * pw_probe_at. */
static void take_out_kinks(pawl_vary *v) {
  const pw_system *s = v->sys;
  size_t n = (size_t)s->nv;
  memset(v->kinks, 0, n * sizeof *v->kinks);
  for (int i = s->nc; i < s->nr; i++) {
    if (s->row[i].kind != PW_KIND_KINK || s->row[i].on_velocity) {
      continue;
    }
    pw_law_row law = pw_probe_law(&v->probe, i);
    bool held = fabs(v->probe.value[i]) <= v->near * v->probe.length[i];
    double force = held ? -(law.left + law.right) / 2 : pw_probe_force_beside(&v->probe, i);
    pw_axpy(force, v->probe.J + (size_t)i * n, v->kinks, s->nv);
    pw_axpy(-force, v->probe.A + (size_t)i * n, v->reaction, s->nv);
  }
}

static void node(pawl_vary *v, int row, double t, double weight) {
  int n = v->sys->nv;
  v->density = lagrangian(v, t, v->at_q, v->at_u);
  v->sum += weight * v->density;
  if (v->sys->n_state > 0) {
    find_carried(v);
  } else {
    momentum(v);
  }
  bool fine = pw_probe_at(&v->probe, t, v->at_q, v->at_u);
  for (int i = 0; i < n; i++) {
    v->reaction[i] =
        fine ? pw_dot(v->probe.L + (size_t)i * (size_t)n + i, v->at_a + i, n - i) - v->probe.h[i]
             : NAN;
  }
  take_out_kinks(v);
  for (int k = 0; k < v->sys->n_state; k++) { /* certificates (C16) */
    const double *push = v->probe.A + (size_t)v->sys->state_row[k] * (size_t)n;
    pw_axpy(v->at_dq[v->sys->model->nq + k], push, v->reaction, n);
  }
  for (int k = 0; k < v->n; k++) {
    if (v->item[k].kind == PAWL_VARY_STRONG) {
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
  v->longest = pw_max(v->longest, v->t[i + 1] - v->t[i]);
  const double r = 2 * sqrt(10.0 / 7), s = 13 * sqrt(70.0);
  const double inner = sqrt(5 - r) / 3, outer = sqrt(5 + r) / 3;
  const double x[GAUSS] = {-outer, -inner, 0, inner, outer};
  const double w[GAUSS] = {(322 - s) / 900, (322 + s) / 900, 128.0 / 225, (322 + s) / 900,
                           (322 - s) / 900};
  double half = (v->t[i + 1] - v->t[i]) / 2, middle = v->t[i] + half;
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
  x->largest = pw_max(x->largest, pw_verify_size(&v->probe, v->w));
  for (int i = 0; i < v->sys->nr; i++) {
    double length = v->probe.length[i];
    if (length > 0 && pw_vary_is_closed(v, i)) {
      double along = pw_dot(v->probe.J + (size_t)i * (size_t)n, v->w, n) / length;
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
    x->fn(t, x->payload, v->w, v->rate);
    for (int i = 0; later && x->w != NULL && i < n; i++) {
      v->w[i] = x->w[i * PW_VARY_WINDOW + v->last];
    }
    if (x->w != NULL && !later) {
      pw_vary_project(v, v->w);
    }
    admit(v, x);
    for (int i = 0; x->w != NULL && i < n; i++) {
      x->w[i * PW_VARY_WINDOW + v->n_row] = v->w[i];
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
    x->fn(t, x->payload, v->w, v->rate);
    for (int i = 0; x->w != NULL && i < v->sys->nv; i++) {
      v->w[i] = x->w[i * PW_VARY_WINDOW + row];
    }
    bool strong = x->kind == PAWL_VARY_STRONG;
    x->part += sign * (strong ? -H * v->w[0] : pw_dot(p, v->w, v->sys->nv));
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
  int m = v->n_row;
  for (int i = v->first ? 0 : m - 2; i < m - 1; i++) {
    interval(v, i);
  }
  for (int i = 0; m > 0 && i < v->sys->nq; i++) {
    v->at_q[i] = v->q[i * PW_VARY_WINDOW + m - 1];
    v->at_dq[i] = v->dq[i * PW_VARY_WINDOW + m - 1];
  }
  if (m > 0) {
    pw_motion_error(v->sys->model, v->at_q, v->at_dq, v->at_u);
    ends(v, m - 1, v->t[m - 1], v->at_q, v->at_u, 1);
  }
  v->last = m - 1;
  v->n_row = 0;
  v->first = true;
}

static void shift_each(double *x, int n) {
  for (int i = 0; x != NULL && i < n; i++) {
    memmove(x + (size_t)i * PW_VARY_WINDOW, x + (size_t)i * PW_VARY_WINDOW + 1,
            (PW_VARY_WINDOW - 1) * sizeof *x);
  }
}

static void shift(pawl_vary *v) {
  shift_each(v->q, v->sys->nq);
  shift_each(v->dq, v->sys->nq);
  shift_each(v->t, 1);
  for (int k = 0; k < v->n; k++) {
    shift_each(v->item[k].w, v->sys->nv);
  }
  v->n_row--;
}

static void append(pawl_vary *v, double t, const double *q, const double *u) {
  v->t[v->n_row] = t;
  memset(v->at_dq, 0, (size_t)v->sys->nq * sizeof *v->at_dq);
  pw_motion_rate(v->sys->model, q, u, v->at_dq);
  for (int i = 0; i < v->sys->nq; i++) {
    v->q[i * PW_VARY_WINDOW + v->n_row] = q[i];
    v->dq[i * PW_VARY_WINDOW + v->n_row] = v->at_dq[i];
  }
  v->n_row++;
  if (v->n_row == PW_VARY_WINDOW) { /* the inner interval, and the first one of the piece */
    if (v->first) {
      interval(v, 0);
    }
    interval(v, 1);
    v->first = false;
  }
}

pawl_status pw_vary_put(pawl_vary *v, double t, const double *q, const double *u) {
  if (v->over || (v->n_row > 0 && !(t >= v->t[v->n_row - 1]))) {
    return PAWL_E_ARGUMENT;
  }
  bool later = v->n_row > 0 && t == v->t[v->n_row - 1];
  if (later) {
    end_piece(v);
  }
  if (v->n_row == PW_VARY_WINDOW) {
    shift(v);
  }
  v->rows++;
  v->known = pw_probe_at(&v->probe, t, q, u) && v->known;
  look(v, t, later);
  if (v->n_row == 0) {
    ends(v, 0, t, q, u, -1);
    end_corner(v, t);
  }
  append(v, t, q, u);
  return PAWL_OK;
}

pawl_status pawl_vary_row(pawl_vary *v, double t, const double *q, const double *u) {
  if (v == NULL || q == NULL || u == NULL || v->over || !isfinite(t)) {
    return PAWL_E_ARGUMENT;
  }
  memcpy(v->at_a, u, (size_t)v->sys->nv * sizeof *u);
  pw_motion_into_body(v->sys->model, q, v->at_a);
  memcpy(v->covector, v->at_a, (size_t)v->sys->nv * sizeof *u);
  return pw_vary_put(v, t, q, v->covector);
}

void pawl_vary_finish(pawl_vary *v) {
  if (v != NULL && !v->over) {
    end_piece(v);
    end_corner(v, v->last < 0 ? NAN : v->t[v->last]);
    v->over = true;
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
        out = (pawl_worst){i, side == 0 ? 1 : -1, value, v->item[i].at[side]};
      }
    }
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
  double near = x->action[0] - x->action[1], far = x->action[2] - x->action[3];
  double tiny = PW_SCALE(CERT_VARY_ROUNDING) * pw_max(pw_max(-x->lowest, x->highest), x->largest);
  bool strong = x->kind == PAWL_VARY_STRONG;
  return (pawl_variation){.kind = x->kind,
                          .slope = (8 * near - far) / (12 * PW_SCALE(CERT_VARY_STEP)),
                          .formula = x->by_formula,
                          .weak = strong ? NAN : x->weak,
                          .parts = x->parts,
                          .size = sqrt(x->size),
                          .held = x->held,
                          .admissible = (x->lowest >= -tiny) + 2 * (x->highest <= tiny)};
}
