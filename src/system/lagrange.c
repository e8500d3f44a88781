// SPDX-License-Identifier: MIT
/* With momenta p = dL/du the equations of motion are
 *   p' = F^T dL/dq + p x W (rotations) + Q - dD/du + J^T lambda,      q' = F(q) u,
 * Lagrange's equations for coordinates and Euler's for a rotation with body velocity W: the
 * variation of W is eta' + W x eta. Hence M = dp/du and h = F^T L_q - p'|_{u'=0} + p x W + Q - D_u.
 * p'|_{u'=0} is one forward derivative over the reverse gradient; L_uq is never formed. */
#include "system/lagrange.h"

#include <stdlib.h>

typedef PW_LIST(pw_node) node_list;
typedef PW_LIST(int) int_list;

static pw_node var(const pw_model *m, pw_var_class c, int i) {
  return pw_var(m->dag, pw_var_of(c, i));
}

int *pw_var_list(const pw_model *m, pw_var_class c, int n) {
  int *list = PW_TAKE(m->arena, n + 1, int);
  for (int i = 0; i < n; i++) {
    list[i] = pw_var_of(c, i);
  }
  return list;
}

/* ---- derivatives along the motion ---- */

static pw_node convective_seed(void *payload, int v) {
  const pw_model *m = payload;
  switch (pw_var_kind(v)) {
  case PW_VAR_TIME: return pw_const(m->dag, 1);
  case PW_VAR_Q: return pw_position_rate(m, pw_var_index(v));
  default: return -1;
  }
}

static pw_node time_seed(void *payload, int v) {
  const pw_model *m = payload;
  return pw_var_kind(v) == PW_VAR_TIME ? pw_const(m->dag, 1) : -1;
}

static void *payload_of(const pw_model *model) {
  union {
    const pw_model *in;
    void *out;
  } cast = {.in = model}; /* the callbacks only read it */
  return cast.out;
}

void pw_convective(const pw_model *model, const pw_node *f, int n, pw_node *out) {
  pw_derivative(model->dag, f, n, convective_seed, payload_of(model), out);
}

void pw_by_time(const pw_model *model, const pw_node *f, int n, pw_node *out) {
  pw_derivative(model->dag, f, n, time_seed, payload_of(model), out);
}

pw_node pw_power(const pw_model *model, const pw_node *a) {
  pw_node sum = pw_const(model->dag, 0);
  for (int i = 0; i < model->nv; i++) {
    pw_node u = var(model, PW_VAR_U, i);
    pw_node term = pw_mul(model->dag, a[i], u);
    sum = pw_add(model->dag, sum, term);
  }
  return sum;
}

/* F of a rotation, theory (3): q' = q o (0, W) / 2. Row i of F^T as signed positions of the
 * quaternion. */
static void pull_back_rotation(const pw_model *m, int q, const pw_node *grad, pw_node *out) {
  static const struct {
    int q[4];
    int sign[4];
  } rows[3] = {
      {{1, 0, 3, 2}, {-1, 1, 1, -1}},
      {{2, 3, 0, 1}, {-1, -1, 1, 1}},
      {{3, 2, 1, 0}, {-1, 1, -1, 1}},
  };
  for (int i = 0; i < 3; i++) {
    pw_node sum = pw_const(m->dag, 0);
    for (int k = 0; k < 4; k++) {
      pw_node x = var(m, PW_VAR_Q, q + rows[i].q[k]);
      pw_node term = pw_mul(m->dag, x, grad[k]);
      sum = rows[i].sign[k] > 0 ? pw_add(m->dag, sum, term) : pw_sub(m->dag, sum, term);
    }
    out[i] = pw_mul(m->dag, pw_const(m->dag, 0.5), sum);
  }
}

/* grad, out: of this coordinate alone. */
static void pull_back_coord(const pw_model *m, const pw_coord *k, const pw_node *grad,
                            pw_node *out) {
  if (k->is_rotation) {
    pull_back_rotation(m, k->q, grad, out);
  } else {
    out[0] = grad[0];
  }
}

void pw_pull_back(const pw_model *model, const pw_node *grad, pw_node *out) {
  for (int c = 0; c < model->coords.n; c++) {
    const pw_coord *k = &model->coords.items[c];
    pull_back_coord(model, k, grad + k->q, out + k->u);
  }
}

/* ---- energies and forces ---- */

static void sum_energies(const pw_model *m, pw_switches *s, pw_equations *eq) {
  eq->T = eq->V = eq->D = eq->held = pw_const(m->dag, 0);
  eq->dissipation = PW_TAKE(m->arena, m->energies.n + 1, pw_node);
  for (int i = 0; i < m->energies.n; i++) {
    const pw_energy *e = &m->energies.items[i];
    pw_node held;
    s->place = e->span;
    pw_switches_apply(s, &e->held, 1, &held);
    eq->dissipation[i] = held;
    if (e->kind == PW_ST_POTENTIAL) {
      eq->held = pw_add(m->dag, eq->held, held);
    } else {
      pw_node *sum = e->kind == PW_ST_KINETIC ? &eq->T : &eq->D;
      *sum = pw_add(m->dag, *sum, held);
    }
  }
  eq->V = eq->held;
  pw_let_go(m, &eq->V, 1);
  eq->L = pw_sub(m->dag, eq->T, eq->V);
  eq->held = pw_sub(m->dag, eq->T, eq->held);
}

static pw_node let_go(void *payload, pw_dag *dag, pw_node node, const pw_node *arg) {
  const pw_model *m = payload;
  (void)arg;
  if (pw_node_op(dag, node) != PW_OP_VAR) {
    return -1;
  }
  int v = pw_node_var(dag, node);
  return pw_var_kind(v) == PW_VAR_KINK ? m->kinks.items[pw_var_index(v)] : -1;
}

void pw_let_go(const pw_model *model, pw_node *f, int n) {
  if (model->kinks.n > 0) {
    pw_rewrite(model->dag, f, n, let_go, payload_of(model), f);
  }
}

/* theory (78): the system moves by L + sum lambda phi with multipliers lambda that are states; they
 * follow the positions, and are constant without their laws. */
static void add_carried(const pw_model *m, pw_switches *s, pw_equations *eq) {
  eq->carried = pw_const(m->dag, 0);
  eq->phi = PW_TAKE(m->arena, m->rows.n + 1, pw_node);
  for (int row = pw_next_state(m, -1); row >= 0; row = pw_next_state(m, row)) {
    s->place = m->rows.items[row].span;
    pw_switches_apply(s, &m->rows.items[row].clause.phi, 1, &eq->phi[eq->n_state]);
    pw_node lambda = var(m, PW_VAR_Q, m->nq + eq->n_state);
    pw_node term = pw_mul(m->dag, lambda, eq->phi[eq->n_state]);
    eq->carried = pw_add(m->dag, eq->carried, term);
    eq->n_state++;
  }
}

/* The kinks of the potentials are held: their forces belong to laws. */
static pw_node moving(const pw_model *m, const pw_equations *eq) {
  return pw_add(m->dag, eq->held, eq->carried);
}

static void smooth_forces(const pw_model *m, pw_switches *s, pw_equations *eq) {
  eq->force = PW_TAKE(m->arena, (size_t)m->forces.n * (size_t)m->nv + 1, pw_node);
  for (int i = 0; i < m->forces.n; i++) {
    s->place = m->forces.items[i].span;
    pw_switches_apply(s, m->forces.items[i].Q, m->nv, eq->force + (size_t)i * (size_t)m->nv);
  }
}

/* ---- M and h ---- */

static pw_node unit_seed(void *payload, int v) {
  const struct {
    pw_dag *dag;
    int var;
  } *one = payload;
  return v == one->var ? pw_const(one->dag, 1) : -1;
}

typedef struct uses { /* which momenta contain a velocity */
  const pw_dag *dag;
  int_list *by; /* nv: momenta with this velocity, ascending, from its own on */
  pw_arena *arena;
  int momentum;
} uses;

static void note_use(void *payload, pw_node node) {
  const uses *x = payload;
  if (pw_node_op(x->dag, node) == PW_OP_VAR) {
    int v = pw_node_var(x->dag, node), j = pw_var_index(v);
    if (pw_var_kind(v) == PW_VAR_U && j < x->momentum) {
      PW_PUSH(x->arena, &x->by[j], x->momentum);
    }
  }
}

/* theory (8): M_ij = dp_i/du_j for i >= j, one forward sweep per column over the momenta that
 * contain its velocity. Zero entries are omitted, except on the diagonal. */
static void mass_matrix(const pw_model *m, pw_equations *eq) {
  int n = m->nv;
  uses x = {m->dag, PW_TAKE(m->arena, n + 1, int_list), m->arena, 0};

  /* which momenta contain each velocity */
  for (; x.momentum < n; x.momentum++) {
    PW_PUSH(m->arena, &x.by[x.momentum], x.momentum);
    pw_dag_walk(m->dag, &eq->p[x.momentum], 1, note_use, &x);
  }

  /* column j: the seed is 1 for its velocity, 0 for all others */
  node_list M = {0}, f = {0}, column = {0};
  int_list index = {0};
  int *start = PW_TAKE(m->arena, n + 1, int);
  for (int j = 0; j < n; j++) {
    struct {
      pw_dag *dag;
      int var;
    } seed = {m->dag, pw_var_of(PW_VAR_U, j)};
    f.n = column.n = 0;
    for (int k = 0; k < x.by[j].n; k++) {
      PW_PUSH(m->arena, &f, eq->p[x.by[j].items[k]]);
      PW_PUSH(m->arena, &column, 0);
    }
    pw_derivative(m->dag, f.items, f.n, unit_seed, &seed, column.items);

    /* its entries; the first one is the diagonal */
    for (int k = 0; k < f.n; k++) {
      if (k == 0 || !pw_is_value(m->dag, column.items[k], 0)) {
        PW_PUSH(m->arena, &M, column.items[k]);
        PW_PUSH(m->arena, &index, x.by[j].items[k]);
      }
    }
    start[j + 1] = M.n;
  }
  eq->M = M.items;
  eq->mass = (pw_pattern){n, start, index.items};
}

/* theory (6), (7): h += p x W on the velocities of a rotation. */
static void add_gyroscopic(const pw_model *m, const pw_coord *k, const pw_equations *eq) {
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, l = (i + 2) % 3;
    pw_node w_l = var(m, PW_VAR_U, k->u + l);
    pw_node w_j = var(m, PW_VAR_U, k->u + j);
    pw_node plus = pw_mul(m->dag, eq->p[k->u + j], w_l);
    pw_node minus = pw_mul(m->dag, eq->p[k->u + l], w_j);
    pw_node cross = pw_sub(m->dag, plus, minus);
    eq->h[k->u + i] = pw_add(m->dag, eq->h[k->u + i], cross);
  }
}

static void add_forces(const pw_model *m, const pw_equations *eq, pw_node *h) {
  pw_node *drag = PW_TAKE(m->arena, m->nv + 1, pw_node);
  pw_gradient(m->dag, eq->D, pw_var_list(m, PW_VAR_U, m->nv), m->nv, drag);
  pw_let_go(m, drag, m->nv);
  for (int i = 0; i < m->nv; i++) {
    h[i] = pw_sub(m->dag, h[i], drag[i]);
    for (int k = 0; k < m->forces.n; k++) {
      h[i] = pw_add(m->dag, h[i], eq->force[(size_t)k * (size_t)m->nv + (size_t)i]);
    }
  }
}

void pw_momentum_rate(const pw_model *model, const pw_equations *eq, pw_node *out) {
  pw_node *grad = PW_TAKE(model->arena, model->nq + 1, pw_node);
  pw_node L = moving(model, eq);
  pw_gradient(model->dag, L, pw_var_list(model, PW_VAR_Q, model->nq), model->nq, grad);
  pw_let_go(model, grad, model->nq);
  pw_pull_back(model, grad, out);
  add_forces(model, eq, out);
}

/* theory (9) */
static void force_vector(const pw_model *m, pw_equations *eq) {
  pw_node *grad = PW_TAKE(m->arena, m->nq + 1, pw_node);
  pw_node *p_rate = PW_TAKE(m->arena, m->nv + 1, pw_node);
  eq->h = PW_TAKE(m->arena, m->nv + 1, pw_node);
  pw_node L = moving(m, eq);
  pw_gradient(m->dag, L, pw_var_list(m, PW_VAR_Q, m->nq), m->nq, grad);
  pw_let_go(m, grad, m->nq);
  pw_pull_back(m, grad, eq->h);
  pw_convective(m, eq->p, m->nv, p_rate);
  for (int i = 0; i < m->nv; i++) {
    eq->h[i] = pw_sub(m->dag, eq->h[i], p_rate[i]);
  }
  for (int c = 0; c < m->coords.n; c++) {
    if (m->coords.items[c].is_rotation) {
      add_gyroscopic(m, &m->coords.items[c], eq);
    }
  }
  add_forces(m, eq, eq->h);
}

/* ---- rows ---- */

/* Rows to be differentiated, with their values: equalities, then the kinks of the laws. */
static void collect_rows(const pw_model *m, pw_equations *eq) {
  pw_kink_list kinks = {0};
  for (int i = 0; i < m->rows.n; i++) {
    if (pw_row_is_switched(&m->rows.items[i])) {
      pw_kinks_of_row(m, i, &kinks);
    }
  }
  int most = m->rows.n + kinks.n + 1;
  eq->row_of = PW_TAKE(m->arena, most, int);
  eq->value = PW_TAKE(m->arena, most, pw_node);
  eq->unit = PW_TAKE(m->arena, most, double);
  eq->shift = PW_TAKE(m->arena, most, double);
  eq->left = PW_TAKE(m->arena, most, pw_node);
  eq->right = PW_TAKE(m->arena, most, pw_node);
  eq->shape = PW_TAKE(m->arena, most, pw_kink_shape);

  /* equalities: positions, then velocities */
  for (int pass = 0; pass < 2; pass++) { /* positions, then velocities */
    for (int i = 0; i < m->rows.n; i++) {
      const pw_row *r = &m->rows.items[i];
      if (pw_row_is_equality(r) && r->on_velocity == (pass == 1)) {
        eq->unit[eq->nc] = 1;
        eq->value[eq->nc] = r->value;
        eq->row_of[eq->nc++] = i;
      }
    }
    if (pass == 0) {
      eq->np = eq->nc;
    }
  }

  /* laws: one row for each kink */
  eq->nr = eq->nc;
  for (int k = 0; k < kinks.n; k++, eq->nr++) {
    eq->unit[eq->nr] = kinks.items[k].unit;
    eq->shift[eq->nr] = kinks.items[k].shift;
    eq->row_of[eq->nr] = kinks.items[k].row;
    eq->value[eq->nr] = kinks.items[k].value;
    eq->left[eq->nr] = kinks.items[k].left;
    eq->right[eq->nr] = kinks.items[k].right;
    eq->shape[eq->nr] = kinks.items[k].shape;
  }
}

typedef struct row_maker { /* of the rows of J, one after the other */
  const pw_model *m;
  int *coord_of;  /* nq: coordinate of each position */
  bool *seen;     /* coordinates or velocities that the row contains */
  int_list found; /* they, and then ascending */
  int_list var;   /* variables to differentiate by */
  node_list grad;
  node_list J;
  int_list index;
  bool on_velocity;
} row_maker;

static void note_place(void *payload, pw_node node) {
  row_maker *x = payload;
  if (pw_node_op(x->m->dag, node) != PW_OP_VAR) {
    return;
  }
  int v = pw_node_var(x->m->dag, node), at = pw_var_index(v);
  if (pw_var_kind(v) == (x->on_velocity ? PW_VAR_U : PW_VAR_Q) &&
      at < (x->on_velocity ? x->m->nv : x->m->nq)) {
    at = x->on_velocity ? at : x->coord_of[at];
    if (!x->seen[at]) {
      x->seen[at] = true;
      PW_PUSH(x->m->arena, &x->found, at);
    }
  }
}

static int ascending(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

static void find_places(row_maker *x, pw_node value) {
  x->found.n = x->var.n = x->grad.n = 0;
  pw_dag_walk(x->m->dag, &value, 1, note_place, x);
  if (x->found.n > 1) {
    qsort(x->found.items, (size_t)x->found.n, sizeof *x->found.items, ascending);
  }
  for (int k = 0; k < x->found.n; k++) {
    x->seen[x->found.items[k]] = false;
    const pw_coord *c = x->on_velocity ? NULL : &x->m->coords.items[x->found.items[k]];
    for (int i = 0; i < (c != NULL && c->is_rotation ? 4 : 1); i++) {
      int var = c == NULL ? pw_var_of(PW_VAR_U, x->found.items[k]) : pw_var_of(PW_VAR_Q, c->q + i);
      PW_PUSH(x->m->arena, &x->var, var);
      PW_PUSH(x->m->arena, &x->grad, 0);
    }
  }
}

static void add_entry(row_maker *x, int velocity, pw_node J) {
  if (!pw_is_value(x->m->dag, J, 0)) {
    PW_PUSH(x->m->arena, &x->J, J);
    PW_PUSH(x->m->arena, &x->index, velocity);
  }
}

static void add_gradient(row_maker *x) {
  for (int k = 0, at = 0; k < x->found.n; k++) {
    if (x->on_velocity) {
      add_entry(x, x->found.items[k], x->grad.items[k]);
      continue;
    }
    const pw_coord *c = &x->m->coords.items[x->found.items[k]];
    pw_node J[3];
    pull_back_coord(x->m, c, x->grad.items + at, J);
    at += c->is_rotation ? 4 : 1;
    for (int i = 0; i < (c->is_rotation ? 3 : 1); i++) {
      add_entry(x, c->u + i, J[i]);
    }
  }
}

/* theory (11)-(13). Position rows: J = g_q F, zeta = d/dt(g') at u' = 0. Velocity rows (Chetaev):
 * J = f_u, zeta = f_q q' + f_t. Both are J u' + zeta = 0 along the motion. */
static void differentiate_row(row_maker *x, pw_equations *eq, int i) {
  x->on_velocity = x->m->rows.items[eq->row_of[i]].on_velocity;
  find_places(x, eq->value[i]);
  pw_gradient(x->m->dag, eq->value[i], x->var.items, x->var.n, x->grad.items);
  add_gradient(x);
  if (x->on_velocity) {
    eq->rate[i] = eq->value[i];
  } else {
    pw_convective(x->m, &eq->value[i], 1, &eq->rate[i]);
  }
  pw_convective(x->m, &eq->rate[i], 1, &eq->zeta[i]);
}

static row_maker row_maker_of(const pw_model *m) {
  row_maker x = {.m = m,
                 .coord_of = PW_TAKE(m->arena, m->nq + 1, int),
                 .seen = PW_TAKE(m->arena, m->nq + m->nv + 1, bool)};
  for (int c = 0; c < m->coords.n; c++) {
    const pw_coord *k = &m->coords.items[c];
    for (int i = 0; i < (k->is_rotation ? 4 : 1); i++) {
      x.coord_of[k->q + i] = c;
    }
  }
  return x;
}

/* Covectors of the forces that do not act along the gradients: `by` of servos, and theory (79)
 * dphi/du of a multiplier that is a state, unless phi is the constraint itself. */
static void force_directions(const pw_model *m, pw_equations *eq) {
  eq->by = PW_TAKE(m->arena, eq->nr + 1, pw_node *);
  for (int i = 0; i < eq->nr; i++) {
    const pw_row *row = &m->rows.items[eq->row_of[i]];
    eq->by[i] = row->clause.by;
    if (row->kind == PW_KIND_INERTIA) {
      eq->by[i] = PW_TAKE(m->arena, m->nv + 1, pw_node);
      pw_gradient(m->dag, eq->phi[pw_state_of(m, eq->row_of[i])], pw_var_list(m, PW_VAR_U, m->nv),
                  m->nv, eq->by[i]);
    }
  }
}

static void constraint_rows(const pw_model *m, pw_switches *s, pw_equations *eq) {
  collect_rows(m, eq);
  eq->rate = PW_TAKE(m->arena, eq->nr + 1, pw_node);
  eq->zeta = PW_TAKE(m->arena, eq->nr + 1, pw_node);
  row_maker x = row_maker_of(m);
  int *start = PW_TAKE(m->arena, eq->nr + 1, int);
  for (int i = 0; i < eq->nr; i++) {
    s->place = m->rows.items[eq->row_of[i]].rel_span;
    pw_switches_apply(s, &eq->value[i], 1, &eq->value[i]);
    differentiate_row(&x, eq, i);
    start[i + 1] = x.J.n;
  }
  eq->J = x.J.items;
  eq->rows = (pw_pattern){eq->nr, start, x.index.items};
  for (int i = eq->nc; i < eq->nr; i++) {
    s->place = m->rows.items[eq->row_of[i]].span;
    pw_node *sides[] = {&eq->left[i], &eq->right[i]};
    for (int k = 0; k < 2; k++) {
      if (*sides[k] >= 0) {
        pw_switches_apply(s, sides[k], 1, sides[k]);
      }
    }
    pw_node *phase = &m->rows.items[eq->row_of[i]].clause.phase; /* for the current sides */
    if (*phase >= 0) {
      pw_switches_apply(s, phase, 1, phase);
    }
  }
}

static pw_pattern whole(pw_arena *arena, int n, int width, bool triangle) {
  int *start = PW_TAKE(arena, n + 1, int);
  int_list index = {0};
  for (int i = 0; i < n; i++) {
    for (int k = triangle ? i : 0; k < width; k++) {
      PW_PUSH(arena, &index, k);
    }
    start[i + 1] = index.n;
  }
  return (pw_pattern){n, start, index.items};
}

/* The same entries in a pattern that contains the old one. */
static pw_node *spread(const pw_model *m, const pw_pattern *from, const pw_node *entry,
                       const pw_pattern *to) {
  pw_node zero = pw_const(m->dag, 0);
  pw_node *out = PW_TAKE(m->arena, to->start[to->n] + 1, pw_node);
  for (int i = 0; i < to->n; i++) {
    for (int e = to->start[i], at = from->start[i]; e < to->start[i + 1]; e++) {
      bool there = at < from->start[i + 1] && from->index[at] == to->index[e];
      out[e] = there ? entry[at++] : zero;
    }
  }
  return out;
}

void pw_equations_fill(const pw_model *model, pw_equations *eq) {
  pw_pattern mass = whole(model->arena, model->nv, model->nv, true);
  eq->M = spread(model, &eq->mass, eq->M, &mass);
  eq->mass = mass;
  if (eq->rows.start != NULL) {
    pw_pattern rows = whole(model->arena, eq->nr, model->nv, false);
    eq->J = spread(model, &eq->rows, eq->J, &rows);
    eq->rows = rows;
  }
}

static void motion(const pw_model *model, pw_switches *switches, pw_equations *eq) {
  *eq = (pw_equations){0};
  sum_energies(model, switches, eq);
  smooth_forces(model, switches, eq);
  add_carried(model, switches, eq);
  eq->p = PW_TAKE(model->arena, model->nv + 1, pw_node);
  pw_node L = moving(model, eq);
  pw_gradient(model->dag, L, pw_var_list(model, PW_VAR_U, model->nv), model->nv, eq->p);
  mass_matrix(model, eq);
  force_vector(model, eq);
  if (model->kinks.n > 0) { /* forces may contain the value of a kink on its side */
    pw_switches_apply(switches, eq->h, model->nv, eq->h);
  }
}

void pw_lagrange_motion(const pw_model *model, pw_switches *switches, pw_equations *eq) {
  motion(model, switches, eq);
  pw_equations_fill(model, eq);
}

/* Momenta theory (5), then M, h and the rows. */
void pw_lagrange(const pw_model *model, pw_switches *switches, pw_equations *eq) {
  motion(model, switches, eq);
  constraint_rows(model, switches, eq);
  force_directions(model, eq);
}
