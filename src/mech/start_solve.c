// SPDX-License-Identifier: MIT
#include "mech/start_solve.h"

#include <math.h>
#include <string.h>

#include "base/real.h"
#include "law/scale_mech.h"
#include "law/zero.h"
#include "linalg/dense.h"
#include "mech/work.h"

enum { MAX_STEPS = 60, MAX_HALVINGS = 30 };

/* ---- rows of a sparse system ---- */

/* A row that contains a component of a spin gets all three: the axes may be turned. */
static pw_pattern whole_spins(const pw_system *s, int count, pw_arena *arena) {
  const pw_pattern *rows = &s->pattern.sparse->rows;
  const pw_coord *coord = s->model->coords.items;
  int *start = PW_TAKE(arena, count + 1, int), n = 0;
  int *index = PW_TAKE(arena, 3 * (size_t)rows->start[count] + 1, int);
  int *first = PW_TAKE(arena, s->nv + 1, int); /* velocity of its coordinate */
  for (int c = 0; c < s->model->coords.n; c++) {
    for (int i = 0; i < (coord[c].is_rotation ? 3 : 1); i++) {
      first[coord[c].u + i] = coord[c].is_rotation ? coord[c].u : -1;
    }
  }
  for (int i = 0; i < count; i++) {
    for (int e = rows->start[i]; e < rows->start[i + 1]; e++) {
      int j = rows->index[e], from = first[j] < 0 ? j : first[j];
      bool there = n > start[i] && index[n - 1] >= j;
      for (int k = from; !there && k < (first[j] < 0 ? j + 1 : from + 3); k++) {
        index[n++] = k;
      }
    }
    start[i + 1] = n;
  }
  return (pw_pattern){count, start, index};
}

static void plan_rows(pw_start_problem *p, pw_arena *arena) {
  const pw_system *s = p->mech->sys;
  int *one = PW_TAKE(arena, s->nv + 1, int);
  for (int j = 0; j <= s->nv; j++) {
    one[j] = j;
  }
  pw_pattern diagonal = {s->nv, one, one};
  size_t most = 8 * (s->pattern.sparse->all->work + (size_t)s->nv);
  const pw_chol_plan *mass = pw_chol_plan_new(arena, &diagonal, most);
  p->pattern = whole_spins(s, p->count, arena);
  const pw_rows_plan *plan = pw_rows_plan_new(arena, mass, &p->pattern, most);
  if (plan != NULL) {
    pw_sparse_rows_init(&p->firm, plan, mass, PW_TAKE(arena, pw_sparse_rows_doubles(plan), double));
    p->entry = PW_TAKE(arena, p->pattern.start[p->count] + 1, double);
    p->weight = PW_TAKE(arena, s->nv + 1, double);
  }
}

void pw_start_problem_init(pw_start_problem *p, pw_mech *mech, pw_start_level level, double t,
                           double *q, double *u, double *side) {
  const pw_system *s = mech->sys;
  pw_arena *arena = s->model->arena;
  *p = (pw_start_problem){.mech = mech, .level = level, .t = t, .q = q, .u = u, .side = side};
  p->count = level == PW_START_POSITION ? mech->w->n_act_q : mech->w->n_act;
  p->row = PW_TAKE(arena, p->count + 1, int);
  memcpy(p->row, mech->w->act, (size_t)p->count * sizeof *p->row);
  size_t entries = s->pattern.sparse != NULL ? (size_t)s->pattern.sparse->rows.start[p->count]
                                             : (size_t)p->count * (size_t)s->nv;
  p->J = PW_TAKE(arena, entries + 1, double);
  p->free = PW_TAKE(arena, s->nv + 1, bool);
  p->light = PW_TAKE(arena, s->nv + 1, bool);
  for (int c = 0; c < s->model->coords.n; c++) {
    p->light[s->model->coords.items[c].u] = s->model->coords.items[c].balanced;
  }
  p->axes = PW_TAKE(arena, 3 * s->nv + 1, double);
  p->turn = PW_TAKE(arena, s->nv + 1, int);
  p->c = PW_TAKE(arena, s->n_sides + 1, double);
  p->residual = PW_TAKE(arena, p->count + 1, double);
  p->tolerance = PW_TAKE(arena, p->count + 1, double);
  p->q_old = PW_TAKE(arena, s->nq + 1, double);
  p->u_old = PW_TAKE(arena, s->nv + 1, double);
  p->step = PW_TAKE(arena, s->nv + 1, double);
  p->first = PW_TAKE(arena, s->nv + 1, double);
  p->scaled = PW_TAKE(arena, p->count + 1, double);
  p->size = PW_TAKE(arena, s->nv + 1, double);
  p->column = PW_TAKE(arena, s->nv + 1, int);
  if (s->pattern.sparse != NULL && p->count > 0) {
    plan_rows(p, arena);
  }
}

pw_slope_view pw_start_row(const pw_start_problem *p, int i) {
  const pw_system *s = p->mech->sys;
  return s->pattern.sparse != NULL ? pw_view_slope(s, p->J, i)
                                   : (pw_slope_view){s->nv, NULL, p->J + (size_t)i * (size_t)s->nv};
}

void pw_start_axes(pw_start_problem *p) {
  const pw_model *m = p->mech->sys->model;
  for (int c = 0; c < m->coords.n; c++) {
    const pw_coord *k = &m->coords.items[c];
    p->turn[k->u] = -1;
    for (int i = 0; k->is_rotation && i < 3; i++) {
      double unit[3] = {i == 0, i == 1, i == 2}, *axis = p->axes + 3 * (size_t)(k->u + i);
      p->turn[k->u + i] = k->u;
      memcpy(axis, unit, sizeof unit);
      if (p->level == PW_START_VELOCITY && m->u_start[k->u + i].space) {
        pw_mech_into_body(p->q + k->q, unit, axis);
      }
    }
  }
}

/* A surface may depend on the sides of earlier ones. */
static void follow_sides(pw_start_problem *p) {
  int n = p->mech->sys->n_switch;
  bool changed = true;
  for (int pass = 0; pass < n && changed; pass++) {
    changed = false;
    pw_mech_all_sides(p->mech, p->t, p->q, p->u, p->side, p->c);
    for (int k = 0; k < n; k++) {
      double now = p->c[k] == 0 ? p->side[k] : pw_surface_side(p->mech->sys, k, p->c);
      changed = changed || now != p->side[k];
      p->side[k] = now;
    }
  }
}

/* Residuals and rows: equalities from the tape of the level, laws from the contact tape. */
static void evaluate(pw_start_problem *p) {
  const pw_system *s = p->mech->sys;
  struct pw_mech_work *w = p->mech->w;
  bool position = p->level == PW_START_POSITION;
  const pw_program *program = position ? &w->tape.position : &w->tape.velocity;
  const double *eq_J = program->out + (position ? s->np : s->nc);
  follow_sides(p);
  pw_mech_input(p->mech, p->t, p->q, p->u, p->side);
  pw_program_run(p->mech, program);
  if (w->n_act > s->nc) {
    pw_program_run(p->mech, &w->tape.contact);
  }
  for (int i = 0; i < p->count; i++) {
    int row = p->row[i];
    p->residual[i] = row < s->nc
                         ? program->out[row]
                         : pw_mech_law(p->mech, row)[position ? PW_VIEW_VALUE : PW_VIEW_RATE];
    if (s->pattern.sparse == NULL) {
      pw_copy(p->J + (size_t)i * (size_t)s->nv, pw_mech_row(p->mech, eq_J, row), s->nv);
    }
  }
  if (s->pattern.sparse != NULL) {
    pw_copy(p->J, eq_J, s->pattern.sparse->rows.start[p->count]);
  }
}

void pw_start_place(const pw_mech *m, const double *q, double *x) {
  const pw_model *model = m->sys->model;
  for (int c = 0; c < model->coords.n; c++) {
    const pw_coord *k = &model->coords.items[c];
    for (int i = 0; i < (k->is_rotation ? 3 : 1); i++) {
      x[k->u + i] = k->is_rotation ? PW_SCALE(START_TURN) : fabs(q[k->q]);
    }
  }
}

/* Sizes of the terms that the residuals are sums of, into p->tolerance. After evaluate(). */
static void find_sums(pw_start_problem *p) {
  const pw_system *s = p->mech->sys;
  const struct pw_mech_work *w = p->mech->w;
  bool position = p->level == PW_START_POSITION;
  for (int laws = 0; laws < 2; laws++) {
    const pw_program *program = laws       ? &w->tape.contact
                                : position ? &w->tape.position
                                           : &w->tape.velocity;
    const double *sum = pw_program_terms(p->mech, program);
    for (int i = 0; i < p->count; i++) {
      int row = p->row[i], head = position ? PW_VIEW_VALUE : PW_VIEW_RATE;
      if (laws == (row >= s->nc)) {
        p->tolerance[i] = sum[laws ? pw_view_law_at(s, row - s->nc, head) : row];
      }
    }
  }
}

static void size_now(const pw_start_problem *p, double *x) {
  if (p->level == PW_START_POSITION) {
    pw_start_place(p->mech, p->q, x);
    return;
  }
  for (int j = 0; j < p->mech->sys->nv; j++) {
    x[j] = fabs(p->u[j]);
  }
}

double pw_start_measure(pw_start_problem *p) {
  int n = p->mech->sys->nv;
  evaluate(p);
  find_sums(p);
  size_now(p, p->step);
  for (int j = 0; j < n; j++) {
    p->step[j] = pw_max(p->step[j], p->first[j]);
  }
  double worst = 0;
  for (int i = 0; i < p->count; i++) {
    pw_slope_view row = pw_start_row(p, i);
    for (int k = 0; k < row.n; k++) {
      p->size[k] = p->step[row.at == NULL ? k : row.at[k]];
    }
    p->tolerance[i] = pw_zero_room_of_start(row.value, p->size, row.n, p->tolerance[i]);
    double ratio = p->residual[i] == 0 ? 0 : fabs(p->residual[i]) / p->tolerance[i];
    worst = pw_max(worst, ratio);
  }
  return worst;
}

/* Root of the inertia. Coordinates without one move at nearly no cost. */
static double weight(const pw_start_problem *p, int j) {
  double mass = p->mech->mass[j], root = mass > 0 && isfinite(mass) ? sqrt(mass) : 1;
  return p->light[j] ? PW_SCALE(START_LIGHT) * root : root;
}

double pw_start_slope(const pw_start_problem *p, int i, int j) {
  const pw_system *s = p->mech->sys;
  if (s->pattern.sparse == NULL) {
    return p->J[(size_t)i * (size_t)s->nv + (size_t)j];
  }
  int at = pw_view_slope_at(s, i, j);
  return at < 0 ? 0 : p->J[at];
}

/* Derivative of row i by component j; round-off of the turned axes counts as zero. */
static double slope(const pw_start_problem *p, int i, int j) {
  if (p->turn[j] < 0) {
    return pw_start_slope(p, i, j);
  }
  double J[3];
  for (int k = 0; k < 3; k++) {
    J[k] = pw_start_slope(p, i, p->turn[j] + k);
  }
  double along = pw_dot(J, p->axes + 3 * (size_t)j, 3);
  return fabs(along) <= PW_SCALE(ROUNDED_SUM) * pw_norm2(J, 3) ? 0 : along;
}

static void add_to_step(pw_start_problem *p, int j, double amount) {
  if (p->turn[j] < 0) {
    p->step[j] = amount;
  } else {
    pw_axpy(amount, p->axes + 3 * (size_t)j, p->step + p->turn[j], 3);
  }
}

/* y (nv) = the shortest correction over rows that are clearly independent. */
static bool shortest_firm(pw_start_problem *p, double *y) {
  int nv = p->mech->sys->nv;
  if (p->firm.plan == NULL) {
    return false;
  }
  for (int j = 0; j < nv; j++) {
    p->weight[j] = 1 / weight(p, j);
  }
  for (int i = 0; i < p->count; i++) {
    for (int e = p->pattern.start[i]; e < p->pattern.start[i + 1]; e++) {
      int j = p->pattern.index[e];
      p->entry[e] = p->free[j] ? slope(p, i, j) : 0;
    }
  }
  pw_sparse_rows_load(&p->firm, p->weight, p->entry);
  if (!(pw_sparse_rows_factor(&p->firm) > PW_SCALE(SPARSE_PIVOT) &&
        pw_sparse_rows_smallest(&p->firm) > PW_SCALE(SPARSE_FIRM))) {
    return false;
  }
  for (int i = 0; i < p->count; i++) {
    p->scaled[i] = -p->residual[i] / p->firm.length[i];
  }
  pw_sparse_rows_solve(&p->firm, p->scaled, p->scaled, y);
  return true;
}

/* The same over the n free values, by decomposition: y (n). */
static bool shortest(pw_start_problem *p, int n, double *y) {
  const pw_system *s = p->mech->sys;
  pw_arena *arena = s->model->arena;
  if (p->qr.A == NULL) {
    pw_qr_init(&p->qr, s->nv, p->count, PW_TAKE(arena, pw_qr_doubles(s->nv, p->count) + 1, double),
               PW_TAKE(arena, pw_qr_ints(s->nv, p->count) + 1, int));
  }
  p->qr.n = n;
  for (int i = 0; i < p->count; i++) {
    double *col = p->qr.A + (size_t)i * (size_t)n;
    for (int k = 0; k < n; k++) {
      col[k] = slope(p, i, p->column[k]) / weight(p, p->column[k]);
    }
    double length = pw_norm2(col, n);
    double scale = length > 0 ? 1 / length : 1;
    for (int k = 0; k < n; k++) {
      col[k] *= scale;
    }
    p->scaled[i] = length > 0 ? -p->residual[i] * scale : 0;
  }
  if (pw_qr_decompose(&p->qr, PW_SCALE(RANK_DROP)) < 0) {
    return false;
  }
  (void)pw_qr_min_norm(&p->qr, p->scaled, y);
  return true;
}

/* theory (23): step (nv) = shortest correction by the free values; false if there is none. */
static bool newton_step(pw_start_problem *p) {
  const pw_system *s = p->mech->sys;
  int n = 0;
  for (int j = 0; j < s->nv; j++) {
    if (p->free[j]) {
      p->column[n++] = j;
    }
  }
  double *y = p->u_old; /* free until the step is taken */
  bool firm = n > 0 && shortest_firm(p, y);
  if (n == 0 || (!firm && !shortest(p, n, y))) {
    return false;
  }
  pw_zero(p->step, s->nv);
  for (int k = 0; k < n; k++) {
    int j = p->column[k];
    add_to_step(p, j, y[firm ? j : k] / weight(p, j));
  }
  return pw_all_finite(p->step, s->nv);
}

static void move(pw_start_problem *p, const double *step, double part) {
  const pw_system *s = p->mech->sys;
  memcpy(p->q, p->q_old, (size_t)s->nq * sizeof *p->q);
  memcpy(p->u, p->u_old, (size_t)s->nv * sizeof *p->u);
  if (p->level == PW_START_VELOCITY) {
    pw_axpy(part, step, p->u, s->nv);
    return;
  }
  pw_mech_to_q(p->mech, p->q_old, step, p->mech->w->dq);
  pw_axpy(part, p->mech->w->dq, p->q, s->nq);
  pw_mech_normalise(p->mech, p->q);
}

/* Halves the step until the worst residual falls. */
static bool damped(pw_start_problem *p, double *worst) {
  const pw_system *s = p->mech->sys;
  double *step = p->mech->w->y;
  memcpy(step, p->step, (size_t)s->nv * sizeof *step);
  memcpy(p->q_old, p->q, (size_t)s->nq * sizeof *p->q);
  memcpy(p->u_old, p->u, (size_t)s->nv * sizeof *p->u);
  double part = 1;
  for (int k = 0; k < MAX_HALVINGS; k++, part /= 2) {
    move(p, step, part);
    double now = pw_start_measure(p);
    if (now < *worst * (1 - PW_SCALE(START_DESCENT) * part)) {
      *worst = now;
      return true;
    }
  }
  move(p, step, 0);
  *worst = pw_start_measure(p);
  return false;
}

bool pw_start_newton(pw_start_problem *p) {
  size_now(p, p->first); /* values that converge to zero are compared with their previous size */
  double worst = pw_start_measure(p);
  for (int k = 0; k < MAX_STEPS && worst > PW_SCALE(START_GOAL); k++) {
    if (!newton_step(p) || !damped(p, &worst)) {
      break;
    }
  }
  return worst <= 1;
}
