// SPDX-License-Identifier: MIT
/* Fixed values are kept. Coordinates without inertia move first, since the balance of their forces
 * is no matter of the others, engineering (E4), (E5). Then guesses (~) move; values that are not
 * mentioned move only if the guesses cannot satisfy the constraints. */
#include "mech/start.h"

#include <math.h>
#include <string.h>

#include "base/real.h"
#include "law/zero.h"
#include "linalg/dense.h"
#include "mech/start_report.h"
#include "mech/start_solve.h"

/* ---- which values may move ---- */

static int velocities_of(const pw_coord *k) {
  return k->is_rotation ? 3 : 1;
}

static int mode_of(const pw_start_problem *p, const pw_coord *k, int i) {
  const pw_model *m = p->mech->sys->model;
  return p->level == PW_START_POSITION ? (int)m->q_start[k->q].mode
                                       : (int)m->u_start[k->u + i].mode;
}

typedef enum freedom { NODES, GUESSES, ALL, FREEDOMS } freedom; /* each with those before */

static void allow(pw_start_problem *p, freedom which) {
  const pw_model *m = p->mech->sys->model;
  for (int c = 0; c < m->coords.n; c++) {
    const pw_coord *k = &m->coords.items[c];
    for (int i = 0; i < velocities_of(k); i++) {
      int mode = mode_of(p, k, i);
      p->free[k->u + i] = (mode == PW_GUESS && (k->balanced || which >= GUESSES)) ||
                          (mode == PW_UNSET && (k->balanced || which >= ALL));
    }
  }
}

static void load(const pw_value *from, int n, double *to) {
  for (int i = 0; i < n; i++) {
    to[i] = from[i].mode == PW_UNSET ? 0 : from[i].value;
  }
}

static void load_start(const pw_model *m, pw_start *start) {
  load(m->q_start, m->nq, start->q);
  load(m->u_start, m->nv, start->u);
  for (int c = 0; c < m->coords.n; c++) {
    const pw_coord *k = &m->coords.items[c];
    if (k->is_rotation && m->q_start[k->q].mode == PW_UNSET) {
      start->q[k->q] = 1; /* identity */
    }
  }
  for (int k = 0, row = pw_next_state(m, -1); row >= 0; k++, row = pw_next_state(m, row)) {
    start->q[m->nq + k] =
        isnan(m->rows.items[row].start_force) ? 0 : m->rows.items[row].start_force;
  }
}

static void load_samples(const pw_model *m, double *q) {
  for (int i = 0; i < m->signals.n; i++) {
    const pw_signal *s = &m->signals.items[i];
    if (s->kind == PW_SIGNAL_SAMPLE && m->q_start[s->q].mode != PW_UNSET) {
      q[s->q] = m->q_start[s->q].value;
    }
  }
}

/* W of the spins that are given, for the current orientation. */
static void load_spins(const pw_start_problem *p) {
  const pw_model *m = p->mech->sys->model;
  for (int c = 0; c < m->coords.n; c++) {
    const pw_coord *k = &m->coords.items[c];
    const pw_value *start = &m->u_start[k->u];
    for (int i = 0; k->is_rotation && i < 3; i++) {
      p->u[k->u + i] = 0;
    }
    for (int i = 0; k->is_rotation && i < 3; i++) {
      double given = start[i].mode == PW_UNSET ? 0 : start[i].given;
      pw_axpy(given, p->axes + 3 * (size_t)(k->u + i), p->u + k->u, 3);
    }
  }
}

/* ---- sides of the switching surfaces ---- */

static double lexicographic(const double *jet, int order) {
  for (int k = 0; k <= order; k++) {
    if (jet[k] != 0) {
      return jet[k] < 0 ? -1 : 1;
    }
  }
  return 1;
}

/* At a point of a table the piece is that to which the argument moves. */
static double side_of(const pw_system *s, int k, const double *jet, int order) {
  const pw_surface_origin *o = &s->surface[k];
  if (o->signal >= 0) {
    return 1;
  }
  if (o->table < 0) {
    return lexicographic(jet + k * (order + 1), order);
  }
  const pw_lut *table = pw_dag_table(s->model->dag, o->table);
  const double *x = jet + o->place * (order + 1);
  double piece = pw_lut_piece(table, x[0]);
  bool falls =
      order > 0 && x[0] == pw_lut_begin(table, piece) && lexicographic(x + 1, order - 1) < 0;
  return falls ? pw_lut_beside(table, piece, false) : piece;
}

/* Evaluates all surfaces once, by value (order 0) or with derivatives of the motion (order 2). */
static pawl_status look(pw_mech *m, double t, const double *q, const double *u, double *side,
                        double *scratch, int order, bool *changed) {
  pawl_status status = PAWL_OK;
  if (order == 0) {
    pw_mech_all_sides(m, t, q, u, side, scratch);
  } else {
    status = pw_mech_rates(m, t, q, u, side);
    if (status == PAWL_OK) {
      pw_mech_side_jets(m, t, q, u, side, scratch);
    }
  }
  *changed = false;
  for (int k = 0; status == PAWL_OK && k < m->sys->n_switch; k++) {
    double now = side_of(m->sys, k, scratch, order);
    *changed = *changed || now != side[k];
    side[k] = now;
  }
  return status;
}

/* A surface may depend on the sides of earlier ones: repeat until nothing changes, at most once per
 * surface. */
pawl_status pw_start_sides(pw_mech *m, double t, const double *q, const double *u, double *side,
                           double *scratch) {
  int n = m->sys->n_switch;
  for (int k = 0; k < n; k++) {
    bool stays = m->sys->surface[k].table >= 0 && isfinite(side[k]);
    side[k] = stays ? side[k] : 1;
  }
  for (int order = 0; order <= 2 && n > 0; order += 2) {
    bool changed = true;
    for (int pass = 0; pass < n && changed; pass++) {
      pawl_status status = look(m, t, q, u, side, scratch, order, &changed);
      if (status != PAWL_OK) {
        return status;
      }
    }
  }
  return PAWL_OK;
}

/* ---- signals ---- */

static void set_delay(const pw_signal *d, double t, double value, double *q) {
  double *slot = q + d->q;
  pw_zero(slot, d->slots);
  slot[PW_DELAY_END] = t + d->period;
  slot[PW_DELAY_MIDDLE] = t;
  slot[PW_DELAY_C0] = value;
}

/* `last`: also those that have start values, which count as the values before. */
static void set_signals(const pw_system *s, double t, const double *value, bool last, double *q) {
  const pw_model *m = s->model;
  for (int k = 0; k < s->tick.n; k++) {
    const pw_signal *d = &m->signals.items[s->tick.of[k]];
    if (d->kind == PW_SIGNAL_DELAY) {
      set_delay(d, t, value[k], q);
    } else if (d->kind == PW_SIGNAL_TURNS) {
      q[d->q] = fabs(value[k]) < PW_TURNS_LIMIT ? q[d->q] : pw_turns_next(q[d->q], value[k]);
    } else if (last || m->q_start[d->q].mode == PW_UNSET) {
      q[d->q] = value[k];
    }
  }
}

/* The checker has seen to it that the samples without start values depend on each other in some
 * order: after as many passes all are found. */
pawl_status pw_start_signals(pw_mech *m, double t, double *q, const double *u, double *side,
                             double *scratch) {
  const pw_system *s = m->sys;
  double *value = scratch + 3 * s->n_sides;
  pawl_status status = PAWL_OK;
  for (int pass = 0; pass <= s->tick.n && s->tick.n > 0 && status == PAWL_OK; pass++) {
    pw_mech_signals(m, t, q, u, side, value);
    set_signals(s, t, value, pass == s->tick.n, q);
    status = pw_start_sides(m, t, q, u, side, scratch);
  }
  return status;
}

/* ---- the whole start ---- */

bool pw_starts_closed(const pw_system *s, int law) {
  const pw_row *rows = s->model->rows.items, *row = &rows[s->row_of[s->nc + law]];
  bool one_way = row->kind == PW_KIND_SERVO && row->stmt->u.law.rel.op == PW_REL_EQ;
  return one_way || row->start_closed ||
         (row->kind == PW_KIND_ROUGH && rows[row->clause.on].start_closed);
}

static bool solve_level(pw_start_problem *p, pawl_diags *diags) {
  if (p->count == 0) {
    return true;
  }
  pw_start_axes(p);
  const pw_system *s = p->mech->sys;
  double *given_q = PW_TAKE(s->model->arena, s->nq + 1, double);
  double *given_u = PW_TAKE(s->model->arena, s->nv + 1, double);
  memcpy(given_q, p->q, (size_t)s->nq * sizeof *given_q);
  memcpy(given_u, p->u, (size_t)s->nv * sizeof *given_u);
  for (int which = s->trait.balances ? NODES : GUESSES; which < FREEDOMS; which++) {
    allow(p, (freedom)which);
    if (pw_start_newton(p)) {
      return true;
    }
    memcpy(p->q, given_q, (size_t)s->nq * sizeof *given_q);
    memcpy(p->u, given_u, (size_t)s->nv * sizeof *given_u);
  }
  pw_report_start(p, diags);
  return false;
}

/* No start depends on the sides of forces. */
static bool are_same(const pw_system *s, const double *a, const double *b) {
  bool same = true;
  for (int k = 0; k < s->n_switch; k++) {
    same = same && (a[k] == b[k] || s->surface[k].of_force);
  }
  return same;
}

/* Where a surface is zero its side is that to which the velocities lead, and these may depend on
 * it: solves again from the given velocities until both agree. */
static bool solve_velocities(pw_start_problem *p, pawl_diags *diags, double *scratch) {
  pw_mech *m = p->mech;
  const pw_system *s = m->sys;
  double *given = PW_TAKE(s->model->arena, s->nv + 1, double);
  double *used = PW_TAKE(s->model->arena, s->n_switch + 1, double);
  size_t bytes = (size_t)s->nv * sizeof *given, side_bytes = (size_t)s->n_switch * sizeof *used;
  pw_start_axes(p);
  load_spins(p);
  memcpy(given, p->u, bytes);
  /* a fault at guessed velocities is no error yet */
  pawl_status status = pw_start_sides(m, p->t, p->q, p->u, p->side, scratch);
  for (int pass = 0; pass <= s->n_switch; pass++) {
    memcpy(p->u, given, bytes);
    if (!solve_level(p, diags)) {
      return false;
    }
    memcpy(used, p->side, side_bytes);
    status = pw_start_sides(m, p->t, p->q, p->u, p->side, scratch);
    if (status != PAWL_OK) {
      pw_mech_report(m, &m->fault, p->t, true, diags);
      return false;
    }
    if (are_same(s, used, p->side)) {
      return true;
    }
  }
  memcpy(p->u, given, bytes);
  pw_report_start(p, diags);
  return false;
}

/* Positions, then velocities; again if a side that the velocities decided moves a constraint. */
static bool solve_both(pw_start_problem *position, pw_start_problem *velocity, pawl_diags *diags,
                       double *scratch) {
  for (int pass = 0; pass < 3; pass++) {
    if (!solve_level(position, diags) || !solve_velocities(velocity, diags, scratch)) {
      return false;
    }
    if (position->mech->sys->n_switch == 0 || pw_start_measure(position) <= 1) {
      return true;
    }
  }
  pw_report_start(position, diags);
  return false;
}

static void assume_rank(pw_mech *m, bool full) {
  const pw_system *s = m->sys;
  m->first_look = true;
  m->rank = !full ? 0 : m->imposed < s->nv ? m->imposed : s->nv;
  m->rank_q = !full ? 0 : m->imposed_q < s->nv ? m->imposed_q : s->nv;
}

/* Removes the residual left by the tolerance of the start, in the metric of M. Until then the
 * constraints hold only roughly, and rows count as dependent when they nearly are. */
static pawl_status polish(pw_mech *m, pw_start *x, double *moved) {
  assume_rank(m, false);
  pawl_status status = pw_mech_rates_decide(m, x->t, x->q, x->u, x->side);
  if (status == PAWL_OK) {
    status = pw_mech_project_q(m, x->t, x->q, x->side, 0, moved);
  }
  if (status == PAWL_OK) {
    status = pw_mech_project_u(m, x->t, x->q, x->u, x->side, 0, moved);
  }
  assume_rank(m, true);
  return status == PAWL_OK ? pw_mech_rates_decide(m, x->t, x->q, x->u, x->side) : status;
}

/* ---- one-sided velocities that guesses miss ---- */

static bool is_guessed(const pw_model *m, const double *slope) {
  for (int i = 0; i < m->nv; i++) {
    if (slope[i] != 0 && m->u_start[i].mode == PW_GUESS) {
      return true;
    }
  }
  return false;
}

/* A one-sided law on velocities that does not hold at the start found is imposed with equality if
 * guesses can move for it: its nearest values are there. True: some are new. */
static bool impose_missed(pw_mech *m, const pw_start *x, unsigned char *closed) {
  const pw_system *s = m->sys;
  double *value = PW_TAKE(s->model->arena, s->ni + 1, double);
  bool some = false;
  pw_mech_gaps(m, x->t, x->q, x->u, x->side, value);
  for (int i = 0; i < s->ni; i++) {
    const pw_law_form *form = &s->row[s->nc + i];
    if (!form->on_velocity || !pw_law_is_wall(form) || form->kind == PW_KIND_SERVO || closed[i]) {
      continue;
    }
    const double *slope = pw_mech_law_slope(m, x->t, x->q, x->u, x->side, i);
    double room = pw_zero_room_of_start(slope, x->u, s->nv, 0);
    if (value[i] < -room && is_guessed(s->model, slope)) {
      closed[i] = 1;
      some = true;
    }
  }
  return some;
}

static bool solve_once(pw_mech *m, pawl_diags *diags, pw_start *out, double *scratch);

bool pw_start_solve(pw_mech *m, pawl_diags *diags, pw_start *out) {
  const pw_system *s = m->sys;
  pw_arena *arena = s->model->arena;
  double *scratch = PW_TAKE(arena, 3 * s->n_sides + s->tick.n + s->nv + 1, double);
  /* contacts that start closed, with the slips of rough ones */
  unsigned char *closed = PW_TAKE(arena, s->ni + 1, unsigned char);
  for (int i = 0; i < s->ni; i++) {
    closed[i] = pw_starts_closed(s, i);
  }
  do {
    pw_mech_close(m, closed);
    if (!solve_once(m, diags, out, scratch)) {
      return false;
    }
  } while (impose_missed(m, out, closed));
  pw_report_redundant(m, diags);
  pw_mech_close(m, NULL); /* from here on the motion decides */
  m->lenient = false;
  return true;
}

static bool solve_once(pw_mech *m, pawl_diags *diags, pw_start *out, double *scratch) {
  const pw_system *s = m->sys;
  pw_arena *arena = s->model->arena;
  out->t = s->model->run.given ? s->model->run.from : 0;
  out->q = PW_TAKE(arena, s->nq + 1, double);
  out->u = PW_TAKE(arena, s->nv + 1, double);
  out->side = PW_TAKE(arena, s->n_switch + 1, double);
  out->dependent = PW_TAKE(arena, s->nr + 1, bool);
  load_start(s->model, out);
  m->lenient = true;

  pw_start_problem position, velocity;
  /* a fault at the guessed state is no error yet: the solver may move away from it */
  pawl_status status = pw_start_sides(m, out->t, out->q, out->u, out->side, scratch);
  if (s->tick.n > 0) {
    status = pw_start_signals(m, out->t, out->q, out->u, out->side, scratch);
  }
  status = pw_mech_rates(m, out->t, out->q, out->u, out->side);
  pw_start_problem_init(&position, m, PW_START_POSITION, out->t, out->q, out->u, out->side);
  pw_start_problem_init(&velocity, m, PW_START_VELOCITY, out->t, out->q, out->u, out->side);
  if (!solve_both(&position, &velocity, diags, scratch) || !pw_report_flat(&velocity, diags)) {
    return false;
  }
  status = polish(m, out, scratch);
  if (status == PAWL_OK && s->tick.n > 0) { /* from the start as it is now */
    load_samples(s->model, out->q);
    status = pw_start_signals(m, out->t, out->q, out->u, out->side, scratch);
  }
  if (status != PAWL_OK) {
    pw_mech_report(m, &m->fault, out->t, true, diags);
    return false;
  }
  pw_mech_find_dependent(m);
  memcpy(out->dependent, m->dependent, (size_t)s->nr * sizeof *out->dependent);
  out->rank = m->imposed == 0 ? 0 : m->rank;
  out->dof = s->nv - out->rank;
  return true;
}
