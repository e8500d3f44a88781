// SPDX-License-Identifier: MIT
#include "verify/probe.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/assert.h"
#include "base/real.h"
#include "law/scale_mech.h"
#include "law/scale_verify.h"
#include "linalg/chol.h"
#include "linalg/dense.h"
#include "system/moved.h"
#include "system/ties.h"
#include "system/view.h"

void pw_probe_tape_lay(pw_probe_tape *p, const pw_tape *tape, pw_layout *l) {
  p->tape = tape;
  p->constant = pw_tape_is_constant(tape);
  p->reg = PW_LAY(l, pw_tape_registers(tape), double);
  p->out = PW_LAY(l, pw_tape_outputs(tape), double);
  if (p->reg != NULL) {
    pw_tape_prepare(tape, p->reg);
    pw_tape_prepare_out(tape, p->out);
  }
}

void pw_probe_lay(pw_probe *p, const pw_system *sys, pw_layout *l) {
  size_t nv = (size_t)sys->nv, nr = (size_t)sys->nr;
  *p = (pw_probe){.sys = sys};
  p->in = PW_LAY(l, sys->n_in, double);
  for (int i = 0; p->in != NULL && i < sys->model->parameters.n; i++) { /* those that stay inputs */
    p->in[sys->offset[PW_VAR_PARAMETER] + i] = sys->model->parameters.items[i].value;
  }

  pw_probe_tape_lay(&p->tape.motion, sys->tape.motion, l);
  pw_probe_tape_lay(&p->tape.position, sys->tape.position, l);
  pw_probe_tape_lay(&p->tape.velocity, sys->tape.velocity, l);
  pw_probe_tape_lay(&p->tape.gap, sys->tape.gap, l);
  pw_probe_tape_lay(&p->tape.contact, sys->tape.contact, l);
  pw_probe_tape_lay(&p->tape.clause, sys->tape.clause, l);
  pw_probe_tape_lay(&p->tape.graph, sys->tape.graph, l);
  pw_probe_tape_lay(&p->tape.by, sys->tape.by, l);
  pw_probe_tape_lay(&p->tape.sides, sys->tape.sides, l);
  pw_probe_tape_lay(&p->tape.ties, sys->tape.ties, l);
  pw_probe_tape_lay(&p->tape.momentum, sys->tape.momentum, l);
  pw_probe_tape_lay(&p->tape.energy, sys->tape.energy, l);
  pw_probe_tape_lay(&p->tape.power, sys->tape.power, l);

  p->side = PW_LAY(l, sys->n_switch, double);
  p->lambda = PW_LAY(l, sys->load.n > 0 ? 2 * sys->nr : 0, double);
  bool whole = sys->scene == NULL || sys->nr > 0; /* else it is factored part by part */
  p->L = PW_LAY(l, whole ? nv * nv : 0, double);
  p->extent = PW_LAY(l, nv, int);
  p->h = PW_LAY(l, nv, double);
  p->speed = PW_LAY(l, nv, double);
  p->value = PW_LAY(l, nr, double);
  p->rate = PW_LAY(l, nr, double);
  p->zeta = PW_LAY(l, nr, double);
  p->J = PW_LAY(l, nr * nv, double);
  p->length = PW_LAY(l, nr, double);
  p->A = PW_LAY(l, nr * nv, double);
  p->reach = PW_LAY(l, nr, double);
  p->sense = PW_LAY(l, nr, double);
  p->metric = PW_LAY(l, nv, double);
  p->room = PW_LAY(l, nv, double);
  p->terms = PW_LAY(l, pw_tape_outputs(sys->tape.gap), double);
  p->terms_work = PW_LAY(l, 2 * (size_t)pw_tape_registers(sys->tape.gap), double);
  p->side_sum.terms = PW_LAY(l, pw_tape_outputs(sys->tape.sides), double);
  p->side_sum.n_work = 2 * pw_tape_registers(sys->tape.sides);
  p->side_sum.work = PW_LAY(l, p->side_sum.n_work + pw_tape_outputs(sys->tape.sides), double);
  p->value_of_gap = p->tape.gap.out;
}

pw_law_row pw_probe_law(const pw_probe *p, int row) {
  PW_ASSERT(row >= p->sys->nc && row < p->sys->nr);
  pw_law_view view = {p->tape.contact.out, p->tape.graph.out, p->tape.clause.out};
  return pw_view_law(p->sys, view, row - p->sys->nc);
}

pw_law_row pw_probe_forces(const pw_probe *p, int row) {
  int law = row - p->sys->nc;
  return pw_law_row_of_forces(&p->sys->law[law], p->tape.graph.out + pw_view_graph_at(law, false),
                              p->tape.clause.out[pw_view_limit_at(p->sys, law)]);
}

double pw_probe_measure(const pw_probe *p, int row) {
  const pw_law_form *form = &p->sys->row[row];
  return !pw_law_has_phase(form)       ? p->value[row]
         : form->kind == PW_KIND_TOUCH ? pw_probe_law(p, row).left
                                       : p->rate[row];
}

static void run(pw_probe *p, const pw_probe_tape *tape) {
  if (tape->constant) {
    return;
  }
  pw_tape_update(tape->tape, p->in, tape->reg, tape->out);
}

/* Along the velocity; orientations stay. */
static void move(pw_probe *p, double dt) {
  const pw_system *s = p->sys;
  const double *u = p->in + s->offset[PW_VAR_U];
  p->in[s->offset[PW_VAR_TIME]] += dt;
  for (int k = 0; dt != 0 && k < s->model->coords.n; k++) {
    const pw_coord *x = &s->model->coords.items[k];
    if (!x->is_rotation) {
      p->in[s->offset[PW_VAR_Q] + x->q] += dt * u[x->u];
    }
  }
}

static double deepest_gap(pw_probe *p) {
  double least = INFINITY;
  run(p, &p->tape.gap);
  for (int i = 0; i < p->sys->ni; i++) {
    bool contact = pw_law_is_wall(&p->sys->law[i]) && !p->sys->law[i].on_velocity;
    least = contact && p->sys->law[i].face < 0 ? fmin(least, p->tape.gap.out[i]) : least;
  }
  return least;
}

/* Where surface k was before the state was moved by the time `ahead`, as the table's argument. */
static double place_unmoved(pw_probe *p, int k, double ahead) {
  move(p, -ahead);
  run(p, &p->tape.sides);
  double x = p->tape.sides.out[p->sys->surface[k].place];
  move(p, ahead);
  run(p, &p->tape.sides);
  return x;
}

/* A body at a face is on the surface, up to rounding on either side of it, or has been moved there
 * by the time `ahead`, which may lead into the wall that it has left: it is in the piece where no
 * gap is negative, engineering (E8). */
static void choose_faces(pw_probe *p, double ahead, double *mode) {
  const pw_system *s = p->sys;
  for (int i = 0; i < s->ni; i++) {
    int k = s->law[i].face;
    if (k < 0) {
      continue;
    }
    const pw_lut *t = pw_dag_table(s->model->dag, s->surface[k].table);
    double x = p->tape.sides.out[s->surface[k].place], now = mode[k];
    double down = x - pw_lut_begin(t, now), up = pw_lut_end(t, now) - x;
    double way = ahead != 0 ? 2 * fabs(x - place_unmoved(p, k, ahead)) : 0;
    if (!(fmin(fabs(down), fabs(up)) <= PW_SCALE(CERT_FACE) + way)) {
      continue;
    }
    double here = deepest_gap(p);
    mode[k] = pw_lut_beside(t, now, up < down);
    double there = deepest_gap(p), jump = fabs(there - here);
    bool other = here < -PW_SCALE(CERT_FACE) * jump && there >= -PW_SCALE(CERT_FACE) * jump;
    mode[k] = other ? mode[k] : now;
  }
}

/* A surface may depend on the sides of others, never on its own: whatever one begins with, here the
 * sides at the last state, the same are found after at most n_switch passes. */
static void find_sides(pw_probe *p, double ahead) {
  const pw_system *s = p->sys;
  double *mode = p->in + s->offset[PW_VAR_MODE];
  for (int k = 0; k < s->n_switch; k++) {
    mode[k] = s->surface[k].table >= 0 ? mode[k] : mode[k] < 0 ? -1 : 1;
  }
  bool changed = s->n_switch > 0;
  move(p, changed ? ahead : 0);
  for (int pass = 0; changed && pass <= s->n_switch; pass++) {
    changed = false;
    run(p, &p->tape.sides);
    for (int k = 0; k < s->n_switch; k++) {
      double side = pw_surface_side(s, k, p->tape.sides.out);
      changed = changed || side != mode[k];
      mode[k] = side;
    }
  }
  (void)pw_ties_settle(s, p->in, p->tape.ties.reg, p->tape.ties.out);
  choose_faces(p, ahead, mode);
  move(p, s->n_switch > 0 ? -ahead : 0);
  memcpy(p->side, mode, (size_t)s->n_switch * sizeof *mode);
}

static void put(pw_probe *p, double t, const double *q, const double *u) {
  const pw_system *s = p->sys;
  p->in[s->offset[PW_VAR_TIME]] = t;
  memcpy(p->in + s->offset[PW_VAR_Q], q, (size_t)s->nq * sizeof *q);
  memcpy(p->in + s->offset[PW_VAR_U], u, (size_t)s->nv * sizeof *u);
}

/* How far the rates of coordinates without inertia are from their balances. */
static double misfit(pw_probe *p) {
  const pw_system *s = p->sys;
  double sum = 0;
  run(p, &p->tape.velocity);
  for (int i = 0; i < s->nc; i++) {
    bool own = s->model->rows.items[s->row_of[i]].is_balance;
    sum += own ? fabs(p->tape.velocity.out[i]) : 0;
  }
  return sum;
}

/* The surface near the state whose other side makes the misfit least; -1: none halves it. */
static int best_turn(pw_probe *p, double *mode, double *least) {
  int best = -1;
  double goal = *least / 2;
  for (int k = 0; k < p->sys->n_switch; k++) {
    bool near = fabs(p->tape.sides.out[k]) <= PW_SCALE(CERT_NODE_SIDE) * p->side_sum.terms[k];
    if (p->sys->surface[k].table < 0 && near) {
      mode[k] = -mode[k];
      double now = misfit(p);
      mode[k] = -mode[k];
      best = now <= goal ? k : best;
      goal = fmin(goal, now);
    }
  }
  *least = goal;
  return best;
}

/* The largest so far: a gap is zero beside the distances that it has had. */
static void note_terms(pw_probe *p) {
  const pw_system *s = p->sys;
  pw_tape_terms(s->tape.sides, p->in, p->side_sum.work, p->side_sum.work + p->side_sum.n_work);
  for (int k = 0; k < s->n_switch; k++) {
    p->side_sum.terms[k] = fmax(p->side_sum.terms[k], p->side_sum.work[p->side_sum.n_work + k]);
  }
}

/* Laws on coordinates without inertia lie on surfaces while they hold, up to rounding on either
 * side: they are where the rates show them. Whether forces and rates are those
 * of the laws as they are stated is judged apart from this. */
static void settle_sides(pw_probe *p) {
  const pw_system *s = p->sys;
  double *mode = p->in + s->offset[PW_VAR_MODE], least = misfit(p), speed = 0;
  note_terms(p);
  for (int i = 0; i < s->nv; i++) {
    speed = fmax(speed, fabs(p->in[s->offset[PW_VAR_U] + i]));
  }
  for (int turns = 0; turns < s->n_switch && least > PW_SCALE(CERT_NODE_RATE) * speed; turns++) {
    run(p, &p->tape.sides);
    int k = best_turn(p, mode, &least);
    if (k < 0) {
      break;
    }
    mode[k] = p->side[k] = -mode[k];
  }
}

static void load(pw_probe *p, double t, const double *q, const double *u, double ahead) {
  p->n_loaded++;
  put(p, t, q, u);
  if (p->sys->n_switch > 0) {
    find_sides(p, ahead);
    put(p, t, q, u); /* exactly */
  }
  if (p->sys->n_switch > 0 && p->sys->trait.balances) {
    settle_sides(p);
  }
}

bool pw_probe_is_at(const pw_probe *p, int64_t n_loaded, double t, const double *q,
                    const double *u) {
  const pw_system *s = p->sys;
  return n_loaded > 0 && p->n_loaded == n_loaded && p->in[s->offset[PW_VAR_TIME]] == t &&
         memcmp(p->in + s->offset[PW_VAR_Q], q, (size_t)s->nq * sizeof *q) == 0 &&
         memcmp(p->in + s->offset[PW_VAR_U], u, (size_t)s->nv * sizeof *u) == 0;
}

bool pw_probe_gaps(pw_probe *p, double t, const double *q, const double *u) {
  load(p, t, q, u, 0);
  run(p, &p->tape.gap);
  return pw_all_finite(p->tape.gap.out, p->sys->ni);
}

static const double *row_numbers(pw_probe *p, int i, const pw_motion_view *m) {
  const pw_system *s = p->sys;
  if (i >= s->nc) {
    const double *law = p->tape.contact.out + pw_view_law_at(s, i - s->nc, 0);
    p->value[i] = law[PW_VIEW_VALUE];
    p->rate[i] = law[PW_VIEW_RATE];
    p->zeta[i] = law[PW_VIEW_ZETA];
    return law + PW_VIEW_HEAD;
  }
  p->rate[i] = p->tape.velocity.out[i];
  p->value[i] = i < s->np ? p->tape.position.out[i] : p->rate[i];
  p->zeta[i] = m->zeta[i];
  return pw_view_slope_whole(s, m->J, i, p->room);
}

static void measure_factor(pw_probe *p) {
  int n = p->sys->nv;
  for (int j = 0; j < n; j++) {
    const double *column = p->L + (size_t)j * (size_t)n;
    p->extent[j] = n - 1;
    while (p->extent[j] > j && column[p->extent[j]] == 0) {
      p->extent[j]--;
    }
  }
}

/* With kappa > 0: theory (81). h changes accordingly. */
static bool factor_mass(pw_probe *p, double kappa) {
  const pw_system *s = p->sys;
  int n = s->nv;
  pw_motion_view m = pw_view_motion(s, p->tape.motion.out);
  double most = 0;

  /* A constant mass was factored before. */
  if (p->have_mass) {
    memcpy(p->h, m.h, (size_t)n * sizeof *p->h);
    return true;
  }

  /* The lower half of M, and its largest diagonal element. */
  for (int j = 0; j < n; j++) {
    double *column = p->L + (size_t)j * (size_t)n;
    const double *packed = m.M + pw_view_mass_at(s, j, j);
    for (int i = j; i < n; i++) {
      int at = s->pattern.sparse != NULL ? pw_view_mass_at(s, i, j) : 0;
      column[i] = s->pattern.sparse == NULL ? packed[i - j] : at < 0 ? 0 : m.M[at];
    }
    most = pw_max(most, fabs(column[j]));
  }

  /* M + sum part J J^T, h - sum part zeta J: motions with J.u' + zeta = 0 stay the same. */
  memcpy(p->h, m.h, (size_t)n * sizeof *p->h);
  for (int k = 0; kappa > 0 && k < s->n_state; k++) {
    int row = s->state_row[k];
    const double *J = row_numbers(p, row, &m);
    double size = pw_dot(J, J, n);
    double part = size > 0 && s->row[row].by < 0 ? kappa * most / size : 0;
    for (int j = 0; j < n; j++) {
      pw_axpy(part * J[j], J + j, p->L + (size_t)j * (size_t)n + j, n - j);
    }
    pw_axpy(-part * p->zeta[row], J, p->h, n);
  }

  /* Only a positive definite sum is a metric. */
  bool positive = pw_chol(p->L, n) == 0;
  measure_factor(p);
  p->have_mass = positive && s->trait.constant_mass;
  return positive;
}

void pw_probe_forward(const pw_probe *p, double *b) {
  pw_chol_forward_in(p->L, p->sys->nv, p->extent, b);
}

void pw_probe_backward(const pw_probe *p, double *b) {
  pw_chol_backward_in(p->L, p->sys->nv, p->extent, b);
}

void pw_probe_lift(const pw_probe *p, const double *v, double *out) {
  pw_chol_lift_in(p->L, p->sys->nv, p->extent, v, out);
}

static double into_metric(const pw_probe *p, const double *covector, double *out) {
  int n = p->sys->nv;
  memcpy(out, covector, (size_t)n * sizeof *out);
  pw_probe_forward(p, out);
  return pw_norm2(out, n);
}

/* A gradient, and the same in the metric; both are zero where the row moves nothing. */
static double row_into_metric(const pw_probe *p, int row, const double *J, double *gradient,
                              double *out) {
  const pw_moved *moved = p->sys->pattern.moved;
  int n = p->sys->nv;
  if (moved == NULL) {
    memcpy(gradient, J, (size_t)n * sizeof *J);
    return into_metric(p, J, out);
  }
  const int *at = moved->rows.index + moved->rows.start[row];
  int count = moved->rows.start[row + 1] - moved->rows.start[row];
  for (int i = 0; i < count; i++) {
    gradient[at[i]] = J[at[i]];
  }
  return pw_chol_forward_list(p->L, n, at, count, J, out);
}

static void rows(pw_probe *p) {
  const pw_system *s = p->sys;
  int n = s->nv;
  pw_motion_view m = pw_view_motion(s, p->tape.motion.out);
  for (int i = 0; i < s->nr; i++) {
    double *J = p->J + (size_t)i * (size_t)n, *a = p->A + (size_t)i * (size_t)n;
    p->length[i] = p->reach[i] = row_into_metric(p, i, row_numbers(p, i, &m), J, a);
    p->sense[i] = p->length[i];
    if (s->row[i].by >= 0) { /* theory (76) */
      memcpy(p->metric, a, (size_t)n * sizeof *a);
      p->reach[i] = into_metric(p, p->tape.by.out + (size_t)s->row[i].by * (size_t)n, a);
      p->sense[i] = pw_dot(p->metric, a, n);
    }
  }
}

static bool inertia(pw_probe *p, const double *u) {
  const pw_system *s = p->sys;
  int n = s->nv;
  bool positive = factor_mass(p, 0);
  for (double kappa = 1; !positive && s->trait.bends && kappa <= PW_SCALE(STIFFEST_STATE);
       kappa *= PW_SCALE(STIFFER_STATE)) {
    positive = factor_mass(p, kappa);
  }
  if (!positive) {
    return false;
  }
  pw_probe_forward(p, p->h);
  pw_probe_lift(p, u, p->speed);
  p->pull = pw_norm2(p->h, n);
  p->fast = pw_norm2(p->speed, n);
  return pw_all_finite(p->h, n);
}

bool pw_probe_inertia(pw_probe *p, double t, const double *q, const double *u) {
  load(p, t, q, u, 0);
  run(p, &p->tape.motion);
  return inertia(p, u);
}

void pw_probe_state(pw_probe *p, double t, const double *q, const double *u) {
  load(p, t, q, u, 0);
}

const double *pw_probe_motion(pw_probe *p) {
  run(p, &p->tape.motion);
  return p->tape.motion.out;
}

void pw_probe_state_beside(pw_probe *p, double t, const double *q, const double *u, double ahead) {
  load(p, t, q, u, ahead);
}

void pw_probe_state_kept(pw_probe *p, double t, const double *q, const double *u) {
  p->n_loaded++;
  put(p, t, q, u);
}

static double *load_at(const pw_probe *p, int k) {
  return p->in + p->sys->offset[PW_VAR_FORCE] + p->sys->row_of[p->sys->load.row[k]];
}

void pw_probe_loads(pw_probe *p, const double *force) {
  for (int k = 0; k < p->sys->load.n; k++) {
    *load_at(p, k) = force[p->sys->row_of[p->sys->load.row[k]]];
  }
}

/* Forces beside the kinks. In the plane they are along s/|s|, which has no direction where s = 0:
 * none is beside. */
static void graphs(pw_probe *p) {
  run(p, &p->tape.graph);
  pw_view_no_direction(p->sys, p->tape.graph.out);
}

/* What the laws say with other loads: |lambda| with the piece of its sign. */
static void say_again(pw_probe *p) {
  const pw_system *s = p->sys;
  double *mode = p->in + s->offset[PW_VAR_MODE];
  run(p, &p->tape.sides);
  for (int k = 0; k < s->n_switch; k++) {
    if (s->surface[k].of_force && p->tape.sides.out[k] != 0) {
      mode[k] = p->side[k] = pw_surface_side(s, k, p->tape.sides.out);
    }
  }
  run(p, &p->tape.clause);
  graphs(p);
}

void pw_probe_loads_again(pw_probe *p, const double *force) {
  pw_probe_loads(p, force);
  say_again(p);
}

bool pw_probe_take_loads(pw_probe *p, const double *lambda) {
  double far = 0, size = 0;
  for (int k = 0; k < p->sys->load.n; k++) {
    int row = p->sys->load.row[k];
    double force = pw_law_force(&p->sys->row[row], lambda[row]), *old = load_at(p, k);
    far = pw_max(far, fabs(force - *old));
    size = pw_max(size, fabs(force));
    *old = force;
  }
  if (!(far > PW_SCALE(CERT_LOADS) * size)) {
    return false;
  }
  say_again(p);
  return true;
}

bool pw_probe_at(pw_probe *p, double t, const double *q, const double *u) {
  return pw_probe_beside(p, t, q, u, 0);
}

static bool evaluate(pw_probe *p, const double *u) {
  const pw_system *s = p->sys;
  run(p, &p->tape.motion);
  run(p, &p->tape.position);
  run(p, &p->tape.velocity);
  run(p, &p->tape.contact);
  run(p, &p->tape.clause);
  graphs(p);
  run(p, &p->tape.by);
  if (!inertia(p, u)) {
    return false;
  }
  rows(p);
  return pw_all_finite(p->value, s->nr) && pw_all_finite(p->rate, s->nr) &&
         pw_all_finite(p->length, s->nr) && pw_all_finite(p->reach, s->nr);
}

bool pw_probe_beside(pw_probe *p, double t, const double *q, const double *u, double ahead) {
  load(p, t, q, u, ahead);
  return evaluate(p, u);
}

bool pw_probe_kept(pw_probe *p, double t, const double *q, const double *u) {
  pw_probe_state_kept(p, t, q, u);
  return evaluate(p, u);
}

double pw_probe_force_beside(const pw_probe *p, int row) {
  return pw_view_force_beside(p->tape.graph.out, row - p->sys->nc, p->value[row] > 0);
}

double pw_probe_bound(const pw_probe *p, int row, bool sticks) {
  pw_law_row law = pw_probe_law(p, row);
  double bound = fabs(pw_law_radius(&law, false));
  return sticks ? pw_max(bound, law.limit) : bound;
}

void pw_probe_given(const pw_probe *p, double *out) {
  const pw_system *s = p->sys;
  memcpy(out, p->h, (size_t)s->nv * sizeof *out);
  for (int i = 0; i < s->ni; i++) {
    int row = s->nc + i;
    if (!s->law[i].wall && s->law[i].on < 0 && s->law[i].group < 0) {
      pw_axpy(pw_probe_force_beside(p, row), p->A + (size_t)row * (size_t)s->nv, out, s->nv);
    }
  }
}

const double *pw_probe_terms(pw_probe *p) {
  const pw_tape *tape = p->sys->tape.gap;
  pw_tape_terms(tape, p->in, p->terms_work, p->terms);
  return p->terms;
}

const double *pw_probe_momenta(pw_probe *p) {
  run(p, &p->tape.momentum);
  return p->tape.momentum.out;
}

const double *pw_probe_energies(pw_probe *p) {
  run(p, &p->tape.energy);
  return p->tape.energy.out;
}

double pw_probe_power(pw_probe *p) {
  run(p, &p->tape.power);
  return p->tape.power.out[0];
}

void pw_probe_along(pw_probe *p) {
  run(p, &p->tape.velocity);
  run(p, &p->tape.contact);
  run(p, &p->tape.by);
}

const double *pw_probe_covector(const pw_probe *p, int row) {
  const pw_system *s = p->sys;
  size_t n = (size_t)s->nv;
  if (s->row[row].by >= 0) {
    return p->tape.by.out + (size_t)s->row[row].by * n;
  }
  return row < s->nc ? pw_view_slope_whole(s, p->tape.velocity.out + s->nc, row, p->room)
                     : p->tape.contact.out + pw_view_law_at(s, row - s->nc, PW_VIEW_HEAD);
}

double pw_probe_work_rate(const pw_probe *p, int row, const double *u) {
  const pw_law_form *form = &p->sys->row[row];
  double rate = pw_moved_dot(p->sys, row, pw_probe_covector(p, row), u);
  bool stored = form->kind == PW_KIND_KINK && !form->on_velocity;
  int law = row - p->sys->nc;
  return stored ? rate - p->tape.contact.out[pw_view_law_at(p->sys, law, PW_VIEW_RATE)] : rate;
}

double pw_probe_size(const pw_probe *p, const double *covector) {
  return into_metric(p, covector, p->metric);
}

int pw_row_state(const pw_system *sys, int row) {
  int k = sys->n_state - 1;
  while (k >= 0 && sys->state_row[k] != row) {
    k--;
  }
  return k;
}
