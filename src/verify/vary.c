// SPDX-License-Identifier: MIT
/* Between two rows the curve is the polynomial through positions and velocities of the rows around
 * them. With theta = t - eps tau(t) the corners of a strongly varied curve stay at the rows, and
 * all curves are summed over the same nodes. */
#include "verify/vary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/real.h"
#include "linalg/dense.h"
#include "verify/newton_fit.h"

static const double eps = 1e-4;
static const double steps[] = {1, -1, 2, -2};

enum { GAUSS = 5, SIDES = 4 };

/* ---- making ---- */

static bool is_flat(const pw_system *s) {
  bool flat = s != NULL && s->n_state == 0 && s->nq == s->nv;
  for (int k = 0; flat && k < s->model->coords.n; k++) {
    const pw_coord *x = &s->model->coords.items[k];
    flat = !x->is_rotation && x->q == x->u;
  }
  return flat;
}

static void lay_tape(pw_probe_tape *p, const pw_tape *tape, double **real) {
  p->tape = tape;
  p->reg = *real;
  p->out = p->reg + pw_tape_registers(tape) + 1;
  *real = p->out + pw_tape_outputs(tape) + 1;
  pw_tape_prepare(tape, p->reg);
}

static size_t tape_room(const pw_tape *tape) {
  return (size_t)pw_tape_registers(tape) + (size_t)pw_tape_outputs(tape) + 2;
}

static void lay_out(pawl_vary *v, size_t probe, double *real) {
  size_t n = (size_t)v->sys->nv;
  pw_probe_init(&v->probe, v->sys, real);
  real += probe;
  lay_tape(&v->energy, v->sys->energy, &real);
  lay_tape(&v->momentum, v->sys->momentum, &real);
  v->q = real;
  v->v = v->q + n * PW_VARY_WINDOW;
  real = v->v + n * PW_VARY_WINDOW;
  double **each[] = {&v->at_q, &v->at_v,     &v->at_a,     &v->w,
                     &v->rate, &v->varied_q, &v->varied_v, &v->reaction};
  for (size_t i = 0; i < sizeof each / sizeof *each; i++) {
    *each[i] = real;
    real += n + 1;
  }
}

/* Else the principle has the forces of the laws in it, and no sign. */
static bool is_ideal(const pw_system *s) {
  bool ideal = !s->oblique;
  for (int i = 0; i < s->ni; i++) {
    ideal = ideal && s->wall[i] && pw_row_kind(s, s->nc + i) != PW_KIND_ROUGH;
  }
  return ideal;
}

pawl_status pawl_vary_new(const pawl_system *system, double near, pawl_vary **out) {
  if (system == NULL || out == NULL || !is_flat(system->sys) || !(near >= 0)) {
    return PAWL_E_ARGUMENT;
  }
  pawl_vary *v = calloc(1, sizeof *v);
  *out = NULL;
  if (v == NULL) {
    return PAWL_E_MEMORY;
  }
  v->sys = system->sys;
  v->near = near;
  v->first = true;
  v->ideal = is_ideal(v->sys);
  size_t probe = pw_probe_init(&v->probe, v->sys, NULL), n = (size_t)v->sys->nv + 1;
  size_t room = probe + tape_room(v->sys->energy) + tape_room(v->sys->momentum) +
                n * (2 * PW_VARY_WINDOW + 8);
  v->memory = calloc(room, sizeof(double));
  if (v->memory == NULL) {
    free(v);
    return PAWL_E_MEMORY;
  }
  lay_out(v, probe, v->memory);
  *out = v;
  return PAWL_OK;
}

void pawl_vary_free(pawl_vary *v) {
  if (v != NULL) {
    free(v->memory);
    free(v->item);
    free(v);
  }
}

pawl_status pawl_vary_add(pawl_vary *v, int strong, pawl_vary_fn fn, void *payload) {
  if (v == NULL || fn == NULL || v->rows > 0) {
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
  v->item[v->n++] = (pw_variation){.strong = strong != 0, .fn = fn, .payload = payload};
  return PAWL_OK;
}

/* ---- the model at a state ---- */

static double lagrangian(pawl_vary *v, double t, const double *q, const double *u) {
  (void)pw_probe_gaps(&v->probe, t, q, u);
  pw_tape_run(v->energy.tape, v->probe.in, v->energy.reg, v->energy.out);
  return v->energy.out[0] - v->energy.out[1];
}

/* H = p.u - L; after lagrangian. */
static double hamiltonian(const pawl_vary *v) {
  return v->energy.out[0] + v->energy.out[1] - v->energy.out[2];
}

static const double *momentum(pawl_vary *v) {
  pw_tape_run(v->momentum.tape, v->probe.in, v->momentum.reg, v->momentum.out);
  return v->momentum.out;
}

/* ---- one node ---- */

static void weak_node(pawl_vary *v, pw_variation *x, double t, double weight) {
  int n = v->sys->nv;
  const double *p = v->momentum.out, *push = p + n;
  x->fn(t, x->payload, v->w, v->rate);
  for (int side = 0; side < SIDES; side++) {
    double d = eps * steps[side];
    for (int i = 0; i < n; i++) {
      v->varied_q[i] = v->at_q[i] + d * v->w[i];
      v->varied_v[i] = v->at_v[i] + d * v->rate[i];
    }
    x->action[side] += weight * lagrangian(v, t, v->varied_q, v->varied_v);
  }
  double inertia = weight * pw_dot(p, v->rate, n), force = weight * pw_dot(push, v->w, n);
  x->weak += inertia + force;
  x->parts += fabs(inertia) + fabs(force);
  for (int i = 0; i < n; i++) { /* (M u' - h).w = L^-1(..).L^T w */
    double along = pw_dot(v->probe.L + (size_t)i * (size_t)n + i, v->w + i, n - i);
    x->by_formula -= weight * v->reaction[i] * along;
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
    if (!(fabs(step) > 1e-16 * fabs(t))) {
      break;
    }
  }
  x->fn(t, x->payload, &tau, rate);
  return t;
}

static void strong_node(pawl_vary *v, pw_variation *x, double theta, double weight) {
  int n = v->sys->nv;
  for (int side = 0; side < SIDES; side++) {
    double d = eps * steps[side], rate = 0;
    double t = moved(x, theta, d, &rate);
    for (int i = 0; i < n; i++) {
      v->varied_v[i] = v->at_v[i] * (1 - d * rate);
    }
    x->action[side] += weight / (1 - d * rate) * lagrangian(v, t, v->at_q, v->varied_v);
  }
  x->fn(theta, x->payload, v->w, v->rate);
  for (int i = 0; i < n; i++) {
    double along = pw_dot(v->probe.L + (size_t)i * (size_t)n + i, v->at_v + i, n - i);
    x->by_formula += weight * v->w[0] * v->reaction[i] * along;
    x->size += weight * v->w[0] * v->w[0] * along * along;
  }
}

/* Rows of the window for the interval after row i: both of its ends, and neighbours that are not so
 * near to them that they would only magnify rounding. None: the interval itself is that short. */
static int choose(const pawl_vary *v, int i, int *row) {
  double h = v->t[i + 1] - v->t[i], last = -INFINITY;
  int n = 0;
  if (h < 1e-4 * v->longest) {
    return 0;
  }
  for (int k = 0; k < v->n_row; k++) {
    bool end = k == i || k == i + 1;
    bool apart = k < i ? v->t[i] - v->t[k] > h / 20 : v->t[k] - v->t[i + 1] > h / 20;
    if (end || (apart && v->t[k] - last > h / 20)) {
      last = v->t[k];
      row[n++] = k;
    }
  }
  return n;
}

/* Position, velocity, acceleration between rows i and i + 1. */
static void curve_at(pawl_vary *v, int i, double t) {
  int row[PW_VARY_WINDOW], m = choose(v, i, row);
  double at[PW_VARY_WINDOW], x[PW_VARY_WINDOW], dx[PW_VARY_WINDOW];
  for (int k = 0; k < v->sys->nv; k++) {
    const double *q = v->q + (size_t)k * PW_VARY_WINDOW, *u = v->v + (size_t)k * PW_VARY_WINDOW;
    for (int j = 0; j < m; j++) {
      at[j] = v->t[row[j]];
      x[j] = q[row[j]];
      dx[j] = u[row[j]];
    }
    if (m > 0) {
      pw_newton_fit(at, x, dx, m, t, &v->at_q[k], &v->at_v[k], &v->at_a[k]);
    } else {
      double s = (t - v->t[i]) / (v->t[i + 1] - v->t[i]);
      v->at_q[k] = q[i] + s * (q[i + 1] - q[i]);
      v->at_v[k] = u[i] + s * (u[i + 1] - u[i]);
      v->at_a[k] = (u[i + 1] - u[i]) / (v->t[i + 1] - v->t[i]);
    }
  }
}

static void node(pawl_vary *v, double t, double weight) {
  int n = v->sys->nv;
  v->sum += weight * lagrangian(v, t, v->at_q, v->at_v);
  momentum(v);
  bool fine = pw_probe_at(&v->probe, t, v->at_q, v->at_v);
  for (int i = 0; i < n; i++) {
    v->reaction[i] =
        fine ? pw_dot(v->probe.L + (size_t)i * (size_t)n + i, v->at_a + i, n - i) - v->probe.h[i]
             : NAN;
  }
  for (int k = 0; k < v->n; k++) {
    if (v->item[k].strong) {
      strong_node(v, &v->item[k], t, weight);
    } else {
      weak_node(v, &v->item[k], t, weight);
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
    curve_at(v, i, t);
    node(v, t, half * w[k]);
  }
}

/* ---- rows ---- */

static bool is_closed(const pawl_vary *v, int i) {
  const pw_system *s = v->sys;
  if (i < s->nc) {
    return true;
  }
  bool wall = s->wall[i - s->nc] && pw_row_kind(s, i) != PW_KIND_ROUGH;
  return wall && v->probe.value[i] <= v->near * v->probe.length[i];
}

/* Whether constraints allow w and -w at a row, after pw_probe_at. */
static void admit(pawl_vary *v, double t) {
  int n = v->sys->nv;
  for (int k = 0; k < v->n; k++) {
    pw_variation *x = &v->item[k];
    if (x->strong) {
      continue;
    }
    x->fn(t, x->payload, v->w, v->rate);
    for (int i = 0; i < v->sys->nr; i++) {
      double length = v->probe.length[i];
      if (length > 0 && is_closed(v, i)) {
        double along = pw_dot(v->probe.J + (size_t)i * (size_t)n, v->w, n) / length;
        x->lowest = pw_min(x->lowest, i < v->sys->nc ? -fabs(along) : along);
        x->highest = pw_max(x->highest, i < v->sys->nc ? fabs(along) : along);
      }
    }
  }
}

/* [p w]: sign -1 where a piece begins, +1 where one ends; strong: [-H tau]. */
static void ends(pawl_vary *v, double t, const double *q, const double *u, double sign) {
  (void)lagrangian(v, t, q, u);
  double H = hamiltonian(v);
  const double *p = momentum(v);
  for (int k = 0; k < v->n; k++) {
    pw_variation *x = &v->item[k];
    x->fn(t, x->payload, v->w, v->rate);
    x->by_formula += sign * (x->strong ? -H * v->w[0] : pw_dot(p, v->w, v->sys->nv));
  }
}

static void end_piece(pawl_vary *v) {
  int m = v->n_row, n = v->sys->nv;
  for (int i = v->first ? 0 : m - 2; i < m - 1; i++) {
    interval(v, i);
  }
  for (int i = 0; m > 0 && i < n; i++) {
    v->at_q[i] = v->q[i * PW_VARY_WINDOW + m - 1];
    v->at_v[i] = v->v[i * PW_VARY_WINDOW + m - 1];
  }
  if (m > 0) {
    ends(v, v->t[m - 1], v->at_q, v->at_v, 1);
  }
  v->n_row = 0;
  v->first = true;
}

static void shift(pawl_vary *v) {
  for (int i = 0; i < v->sys->nv; i++) {
    double *q = v->q + (size_t)i * PW_VARY_WINDOW, *u = v->v + (size_t)i * PW_VARY_WINDOW;
    memmove(q, q + 1, (PW_VARY_WINDOW - 1) * sizeof *q);
    memmove(u, u + 1, (PW_VARY_WINDOW - 1) * sizeof *u);
  }
  memmove(v->t, v->t + 1, (PW_VARY_WINDOW - 1) * sizeof *v->t);
  v->n_row--;
}

static void append(pawl_vary *v, double t, const double *q, const double *u) {
  if (v->n_row == PW_VARY_WINDOW) {
    shift(v);
  }
  v->t[v->n_row] = t;
  for (int i = 0; i < v->sys->nv; i++) {
    v->q[i * PW_VARY_WINDOW + v->n_row] = q[i];
    v->v[i * PW_VARY_WINDOW + v->n_row] = u[i];
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

pawl_status pawl_vary_row(pawl_vary *v, double t, const double *q, const double *u) {
  if (v == NULL || q == NULL || u == NULL || v->over ||
      (v->n_row > 0 && !(t >= v->t[v->n_row - 1]))) {
    return PAWL_E_ARGUMENT;
  }
  if (v->n_row > 0 && t == v->t[v->n_row - 1]) {
    end_piece(v);
  }
  if (v->n_row == 0) {
    ends(v, t, q, u, -1);
  }
  v->rows++;
  if (pw_probe_at(&v->probe, t, q, u)) {
    admit(v, t);
  }
  append(v, t, q, u);
  return PAWL_OK;
}

void pawl_vary_finish(pawl_vary *v) {
  if (v != NULL && !v->over) {
    end_piece(v);
    v->over = true;
  }
}

/* ---- what is asked ---- */

double pawl_vary_action(const pawl_vary *v) {
  return v == NULL ? NAN : v->sum;
}

double pawl_vary_least(const pawl_vary *v, int *which) {
  double least = NAN;
  for (int i = 0; i < pawl_vary_count(v) && v->ideal; i++) {
    pawl_variation x = pawl_vary_get(v, i);
    for (int sign = 1; !x.strong && x.size > 0 && sign <= 2; sign++) {
      double value = (sign == 1 ? -x.weak : x.weak) / x.size;
      if ((x.admissible & sign) != 0 && !(value >= least)) {
        least = value;
        if (which != NULL) {
          *which = i;
        }
      }
    }
  }
  return least;
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
  double tiny = 1e-9 * pw_max(-x->lowest, x->highest);
  return (pawl_variation){.strong = x->strong,
                          .slope = (8 * near - far) / (12 * eps),
                          .formula = x->by_formula,
                          .weak = x->strong ? NAN : x->weak,
                          .parts = x->strong ? NAN : x->parts,
                          .size = sqrt(x->size),
                          .admissible = (x->lowest >= -tiny) + 2 * (x->highest <= tiny)};
}
