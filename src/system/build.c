// SPDX-License-Identifier: MIT
/* Collects the expressions of each tape in the order that system.h states, and compiles them. */
#include "system/lagrange.h"
#include "system/ledger.h"
#include "system/moved.h"
#include "system/scene_frames.h"
#include "system/sparsity.h"
#include "system/ties.h"

typedef PW_LIST(pw_node) node_list;

static void append(const pw_model *m, node_list *list, const pw_node *nodes, int n) {
  for (int i = 0; i < n; i++) {
    PW_PUSH(m->arena, list, nodes[i]);
  }
}

static int input_of(void *payload, int v) {
  const pw_system *sys = payload;
  return sys->offset[pw_var_kind(v)] + pw_var_index(v);
}

static const pw_tape *compile(pw_system *sys, const node_list *list) {
  const pw_model *m = sys->model;
  pw_tape *tape = pw_tape_compile(m->arena, m->dag, list->items, list->n, input_of, sys);
  PW_PUSH(m->arena, &sys->compiled, tape);
  return tape;
}

/* Short features of these along a step are guarded. */
static void watch(const node_list *list, unsigned where, pw_guard_roots *roots) {
  roots->of[roots->n].node = list->items;
  roots->of[roots->n].n = list->n;
  roots->of[roots->n++].where = where;
}

static const pw_tape *compile_watched(pw_system *sys, const node_list *list, unsigned where,
                                      pw_guard_roots *roots) {
  watch(list, where, roots);
  return compile(sys, list);
}

static void lay_out_inputs(pw_system *sys) {
  const int size[PW_VAR_CLASSES] = {
      [PW_VAR_TIME] = 1,
      [PW_VAR_Q] = sys->nq,
      [PW_VAR_U] = sys->nv,
      [PW_VAR_A] = sys->nv,
      [PW_VAR_FORCE] = sys->model->rows.n,
      [PW_VAR_IMPULSE] = sys->model->rows.n,
      [PW_VAR_QUAD] = PW_QUAD_NAMED,
      [PW_VAR_MODE] = sys->n_switch,
      [PW_VAR_PARAMETER] = sys->model->parameters.n,
  };
  for (int c = 0; c < PW_VAR_CLASSES; c++) {
    sys->offset[c] = sys->n_in;
    sys->n_in += size[c];
  }
}

static void index_rows(pw_system *sys, const pw_equations *eq) {
  sys->nc = eq->nc;
  sys->np = eq->np;
  sys->nr = eq->nr;
  sys->ni = eq->nr - eq->nc;
  sys->row_of = eq->row_of;
  sys->index_of = PW_TAKE(sys->model->arena, sys->model->rows.n + 1, int);
  for (int i = 0; i < sys->model->rows.n; i++) {
    sys->index_of[i] = -1;
  }
  for (int i = eq->nr - 1; i >= 0; i--) {
    sys->index_of[eq->row_of[i]] = i;
  }
  sys->state_row = PW_TAKE(sys->model->arena, sys->n_state + 1, int);
  for (int k = 0, row = -1; k < sys->n_state; k++) {
    row = pw_next_state(sys->model, row);
    sys->state_row[k] = sys->index_of[row];
  }
}

/* The law row of the contact that friction with `mu` or a rough row acts with, or -1. */
static int contact_of(const pw_system *sys, const pw_row *row) {
  bool acts = row->kind == PW_KIND_ROUGH || row->kind == PW_KIND_FRICTION;
  return acts && row->clause.on >= 0 ? sys->index_of[row->clause.on] - sys->nc : -1;
}

/* Friction with several slips, and the tip of a norm. */
static bool is_group(const pw_row *row) {
  return (row->kind == PW_KIND_FRICTION || row->kind == PW_KIND_KINK) && row->count > 1;
}

static pw_law_form form_of(pw_system *sys, const pw_equations *eq, int i) {
  const pw_row *row = &sys->model->rows.items[eq->row_of[i]];
  bool equality = i < sys->nc, group = !equality && is_group(row);
  int contact = equality ? -1 : contact_of(sys, row);
  return (pw_law_form){
      .kind = row->kind,
      .on = row->kind == PW_KIND_FRICTION ? contact : -1,
      .contact = contact,
      .group = group ? sys->index_of[row->first] - sys->nc : -1,
      .width = group ? row->count : 1,
      .face = -1,
      .by = eq->by[i] != NULL ? sys->n_by++ : -1,
      .shift = eq->shift[i],
      .unit = eq->unit[i],
      .equality = equality,
      .on_velocity = row->on_velocity,
      .loaded = row->clause.n_load > 0,
      .wall = !equality && (eq->left[i] < 0 || eq->right[i] < 0),
      .bend = !equality && eq->shape[i] != PW_KINK_STEP,
      .impact = row->clause.impact,
      .one_way = row->clause.one_way,
      .complementary = pw_is_complementary(row),
  };
}

static void describe_rows(pw_system *sys, const pw_equations *eq) {
  sys->row = PW_TAKE(sys->model->arena, sys->nr + 1, pw_law_form);
  sys->law = sys->row + sys->nc;
  sys->nature = PW_TAKE(sys->model->arena, sys->nr + 1, const char *);
  for (int i = 0; i < sys->nr; i++) {
    sys->row[i] = form_of(sys, eq, i);
    sys->nature[i] = pw_nature_of_row(sys->model, eq, i);
    sys->trait.oblique = sys->trait.oblique || sys->row[i].on >= 0 || sys->row[i].by >= 0;
    sys->trait.phases = sys->trait.phases || pw_law_has_phase(&sys->row[i]);
  }
  for (int c = 0; c < sys->model->coords.n; c++) {
    sys->trait.balances = sys->trait.balances || sys->model->coords.items[c].balanced;
  }
}

/* The slips on each contact, in the order of the rows. */
static void list_riders(pw_system *sys) {
  pw_arena *arena = sys->model->arena;
  int *first = PW_TAKE(arena, sys->ni, int), *next = PW_TAKE(arena, sys->ni, int);
  for (int i = sys->ni - 1; i >= 0; i--) {
    first[i] = next[i] = -1;
  }
  for (int i = sys->ni - 1; i >= 0; i--) {
    int on = sys->law[i].on;
    if (on >= 0) {
      next[i] = first[on];
      first[on] = i;
    }
  }
  sys->pattern.rider = first;
  sys->pattern.next_rider = next;
}

/* Equalities whose forces bound frictions, each once. */
static void list_loads(pw_system *sys) {
  const pw_model *m = sys->model;
  bool *listed = PW_TAKE(m->arena, sys->nc + 1, bool);
  sys->load.row = PW_TAKE(m->arena, sys->nc + 1, int);
  for (int i = 0; i < m->rows.n; i++) {
    const pw_clauses *c = &m->rows.items[i].clause;
    for (int k = 0; k < c->n_load; k++) {
      int row = sys->index_of[c->loads[k]];
      if (!listed[row]) {
        listed[row] = true;
        sys->load.row[sys->load.n++] = row;
      }
    }
  }
}

/* Faces of contacts lie at the surfaces where their gaps jump. */
static void tie_faces(pw_system *sys, pw_switches *switches) {
  pw_dag *dag = sys->model->dag;
  for (int i = 0; i < sys->ni; i++) {
    const pw_row *row = &sys->model->rows.items[sys->row_of[sys->nc + i]];
    if (row->is_face) {
      pw_node x = pw_node_arg(dag, row->stairs, 0);
      int order, table = pw_node_table(dag, row->stairs, &order);
      pw_switches_apply(switches, &x, 1, &x);
      sys->law[i].face = pw_switches_table(switches, table, x, "");
    }
  }
}

/* ---- one function per tape ---- */

static bool is_velocity(void *payload, int v) {
  (void)payload;
  return pw_var_kind(v) == PW_VAR_U;
}

static void motion_tape(pw_system *sys, const pw_equations *eq, const pw_node *work_rate,
                        pw_guard_roots *roots) {
  const pw_model *m = sys->model;
  node_list out = {0};
  append(m, &out, eq->M, sys->pattern.n_mass);
  append(m, &out, eq->h, sys->nv);
  append(m, &out, eq->J, sys->pattern.n_slope);
  append(m, &out, eq->zeta, sys->nc);
  for (int i = 0; i < sys->nq; i++) {
    PW_PUSH(m->arena, &out, pw_position_rate(m, i));
  }
  PW_PUSH(m->arena, &out, eq->L);
  for (int k = 0; k < sys->n_work; k++) {
    pw_node rate = work_rate[k] >= 0 ? work_rate[k] : pw_const(m->dag, 0);
    PW_PUSH(m->arena, &out, rate);
  }
  sys->tape.motion = compile_watched(sys, &out, PW_OF_MOTION, roots);
  sys->trait.constant_mass = true;
  for (int i = 0; i < sys->pattern.n_mass; i++) {
    sys->trait.constant_mass = sys->trait.constant_mass && pw_is_const(m->dag, eq->M[i]);
    sys->trait.curved = sys->trait.curved || pw_depends(m->dag, eq->M[i], is_velocity, NULL);
  }
}

static void constraint_tapes(pw_system *sys, const pw_equations *eq) {
  node_list position = {0}, velocity = {0};
  append(sys->model, &position, eq->value, sys->np);
  append(sys->model, &position, eq->J, eq->rows.start[sys->np]);
  append(sys->model, &velocity, eq->rate, sys->nc);
  append(sys->model, &velocity, eq->J, sys->pattern.n_slope);
  sys->tape.position = compile(sys, &position);
  sys->tape.velocity = compile(sys, &velocity);
}

/* guarded: outputs that may hide features; headings of slips in the plane have their own test. */
static void add_graph(const pw_system *sys, const pw_equations *eq, int row, node_list *graph,
                      node_list *guarded) {
  const pw_model *m = sys->model;
  const pw_node sides[] = {eq->left[row], eq->right[row]};
  for (int k = 0; k < 2; k++) {
    pw_node side = sides[k] >= 0 ? sides[k] : pw_const(m->dag, 0);
    PW_PUSH(m->arena, graph, side);
    if (k == 0 || sys->row[row].group < 0) {
      PW_PUSH(m->arena, guarded, side);
    }
  }
}

static void law_tapes(pw_system *sys, const pw_equations *eq, pw_guard_roots *roots) {
  const pw_model *m = sys->model;
  node_list gap = {0}, contact = {0}, clause = {0}, graph = {0}, guarded = {0};
  for (int i = sys->nc; i < sys->nr; i++) {
    const pw_node own[] = {eq->shape[i] == PW_KINK_STRAIGHT ? pw_const(m->dag, 1) : eq->value[i],
                           eq->rate[i], eq->zeta[i]};
    append(m, &gap, own, 1);
    append(m, &contact, own, 3);
    append(m, &contact, eq->J + eq->rows.start[i], sys->nv);
    pw_node e = m->rows.items[sys->row_of[i]].clause.restitution;
    PW_PUSH(m->arena, &clause, e >= 0 ? e : pw_const(m->dag, 0));
    add_graph(sys, eq, i, &graph, &guarded);
  }
  for (int i = sys->nc; i < sys->nr; i++) {
    const pw_clauses *c = &m->rows.items[sys->row_of[i]].clause;
    pw_node limit = c->phase >= 0 ? c->phase : c->static_bound;
    PW_PUSH(m->arena, &clause, limit >= 0 ? limit : pw_const(m->dag, -1));
  }
  sys->tape.clause = compile(sys, &clause);
  sys->tape.graph = compile(sys, &graph);
  watch(&guarded, PW_OF_GRAPH, roots);
  sys->tape.gap = compile_watched(sys, &gap, PW_OF_GAP, roots);
  sys->tape.contact = compile_watched(sys, &contact, PW_OF_CONTACT, roots);
}

static void by_tape(pw_system *sys, const pw_equations *eq) {
  const pw_model *m = sys->model;
  node_list out = {0};
  for (int i = 0; i < sys->nr; i++) {
    if (eq->by[i] != NULL) {
      append(m, &out, eq->by[i], sys->nv);
    }
  }
  sys->tape.by = compile(sys, &out);
}

static void carried_tape(pw_system *sys, const pw_equations *eq) {
  const pw_model *m = sys->model;
  node_list out = {0};
  pw_node *bend = PW_TAKE(m->arena, m->nv + 1, pw_node);
  for (int k = 0; k < sys->n_state; k++) {
    pw_node power = pw_carried_power(m, eq, k, bend);
    append(m, &out, &power, 1);
    append(m, &out, bend, m->nv);
    for (int i = 0; i < m->nv; i++) {
      sys->trait.bends = sys->trait.bends || !pw_is_value(m->dag, bend[i], 0);
    }
  }
  sys->tape.carried = compile(sys, &out);
}

static void energy_tape(pw_system *sys, const pw_equations *eq) {
  pw_node excess = pw_energy_excess(sys->model, eq);
  const pw_node nodes[] = {eq->T, eq->V, excess, eq->carried};
  node_list out = {0};
  append(sys->model, &out, nodes, 4);
  sys->tape.energy = compile(sys, &out);
}

static void power_tape(pw_system *sys, const pw_equations *eq) {
  pw_node power = pw_free_power(sys->model, eq);
  node_list out = {0};
  append(sys->model, &out, &power, 1);
  sys->tape.power = compile(sys, &out);
}

/* Derivatives of a discrete Lagrangian: p and p' = dL/dq + Q - dD/du. */
static void momentum_tape(pw_system *sys, const pw_equations *eq) {
  const pw_model *m = sys->model;
  node_list out = {0};
  pw_node *push = PW_TAKE(m->arena, m->nv + 1, pw_node);
  pw_momentum_rate(m, eq, push);
  append(m, &out, eq->p, m->nv);
  append(m, &out, push, m->nv);
  sys->tape.momentum = compile(sys, &out);
}

static bool is_reaction(void *payload, int v) {
  (void)payload;
  pw_var_class c = pw_var_kind(v);
  return c == PW_VAR_A || c == PW_VAR_FORCE || c == PW_VAR_IMPULSE;
}

/* Results are evaluated at instants, in any piece; tapes, however, hold one piece of a table. */
static pw_node tabled(pw_switches *s, pw_node node) {
  pw_node out;
  pw_switches_apply_tables(s, &node, 1, &out);
  return out;
}

/* A jump of an event function may go through its root: it is a surface, at which steps end. */
static pw_node without_jumps(pw_switches *s, pw_node node) {
  pw_node out;
  pw_switches_apply_jumps(s, &node, 1, &out);
  return out;
}

static void tabled_results(pw_system *sys, pw_switches *s) {
  const pw_model *m = sys->model;
  for (int i = 0; i < m->events.n; i++) {
    s->place = m->events.items[i].span;
    if (!m->events.items[i].every) {
      m->events.items[i].w = without_jumps(s, m->events.items[i].w);
    }
  }
  for (int i = 0; i < m->outputs.n; i++) {
    s->place = m->outputs.items[i].span;
    m->outputs.items[i].value = tabled(s, m->outputs.items[i].value);
  }
  for (int i = 0; i < m->expectations.n; i++) {
    s->place = m->expectations.items[i].span;
    m->expectations.items[i].left = tabled(s, m->expectations.items[i].left);
    m->expectations.items[i].right = tabled(s, m->expectations.items[i].right);
  }
  for (int i = 0; i < m->plots.n; i++) {
    s->place = m->plots.items[i].span;
    m->plots.items[i].y = tabled(s, m->plots.items[i].y);
    m->plots.items[i].x = tabled(s, m->plots.items[i].x);
  }
  for (int i = 0; i < m->draws.n; i++) {
    const pw_draw *d = &m->draws.items[i];
    s->place = d->span;
    for (int k = 0; k < d->n_arg; k++) {
      for (int j = 0; j < d->args[k].n; j++) {
        d->args[k].v[j] = tabled(s, d->args[k].v[j]);
      }
    }
  }
  for (int i = 0; i < m->rows.n; i++) { /* clauses that are no part of the equations */
    pw_clauses *c = &m->rows.items[i].clause;
    s->place = m->rows.items[i].span;
    c->restitution = c->restitution >= 0 ? tabled(s, c->restitution) : -1;
    c->static_bound = c->static_bound >= 0 ? tabled(s, c->static_bound) : -1;
  }
}

/* ---- signals ---- */

/* Instants of samples: origin + k period, signals (I7). */
static int tick_surface(pw_system *sys, pw_switches *s, const pw_signal *signal) {
  pw_dag *dag = sys->model->dag;
  double origin = sys->model->run.given ? sys->model->run.from : 0;
  int table = -1;
  for (int i = 0; i < pw_dag_tables(dag) && table < 0; i++) {
    const pw_lut *t = pw_dag_table(dag, i);
    table = t->kind == PW_LUT_TICKS && t->tick == signal->period ? i : -1;
  }
  if (table < 0) {
    pw_lut *t = PW_NEW(sys->model->arena, pw_lut);
    *t = (pw_lut){.kind = PW_LUT_TICKS, .origin = origin, .tick = signal->period};
    table = pw_dag_add_table(dag, t);
  }
  s->place = signal->span;
  return pw_switches_table(s, table, pw_var(dag, pw_var_of(PW_VAR_TIME, 0)), "sample");
}

/* Values of signals in smooth pieces, and where samples, delays and counts of turns change. */
static void smooth_signals(pw_system *sys, pw_switches *s) {
  const pw_model *m = sys->model;
  sys->tick.of = PW_TAKE(m->arena, m->signals.n + 1, int);
  sys->tick.surface = PW_TAKE(m->arena, m->signals.n + 1, int);
  for (int i = 0; i < m->signals.n; i++) {
    pw_signal *signal = &m->signals.items[i];
    if (signal->value < 0) {
      continue;
    }
    s->place = signal->span;
    pw_switches_apply(s, &signal->value, 1, &signal->value);
    if (signal->kind != PW_SIGNAL_STATE) {
      sys->tick.surface[sys->tick.n] =
          signal->kind == PW_SIGNAL_SAMPLE ? tick_surface(sys, s, signal) : pw_switches_piece(s, i);
      sys->tick.of[sys->tick.n++] = i;
    }
  }
}

static void signal_tapes(pw_system *sys, const pw_switches *s, pw_guard_roots *roots) {
  const pw_model *m = sys->model;
  node_list sides = {0}, value = {0};
  append(m, &sides, s->c.items, s->c.n);
  for (int k = 0; k < s->c.n; k++) {
    if (s->origin.items[k].table >= 0) {
      s->origin.items[k].place = sides.n;
      PW_PUSH(m->arena, &sides, s->place_of.items[k]);
    }
  }
  for (int k = 0; k < sys->tick.n; k++) {
    PW_PUSH(m->arena, &value, m->signals.items[sys->tick.of[k]].value);
  }
  sys->n_sides = sides.n;
  sys->tape.sides = compile_watched(sys, &sides, PW_OF_SIDES, roots);
  sys->tape.signal = compile(sys, &value);
}

double pw_surface_side(const pw_system *sys, int surface, const double *sides) {
  const pw_surface_origin *o = &sys->surface[surface];
  if (o->table >= 0) {
    return pw_lut_piece(pw_dag_table(sys->model->dag, o->table), sides[o->place]);
  }
  return o->signal < 0 && sides[surface] < 0 ? -1 : 1;
}

double pw_surface_next(const pw_system *sys, int surface, const double *sides, double side) {
  const pw_surface_origin *o = &sys->surface[surface];
  if (o->table < 0) {
    return o->signal >= 0 ? side : -side;
  }
  const pw_lut *t = pw_dag_table(sys->model->dag, o->table);
  double x = sides[o->place], begin = pw_lut_begin(t, side), end = pw_lut_end(t, side);
  return pw_lut_beside(t, side, end - x < x - begin);
}

double pw_surface_sign(const pw_system *sys, int surface, double side) {
  return sys->surface[surface].table >= 0 || side >= 0 ? 1 : -1;
}

static void root_tape(pw_system *sys, pw_guard_roots *roots) {
  const pw_model *m = sys->model;
  node_list out = {0};
  sys->root.of = PW_TAKE(m->arena, m->events.n + 1, int);
  for (int i = 0; i < m->events.n; i++) {
    if (!m->events.items[i].every) {
      sys->root.of[sys->root.n++] = i;
      PW_PUSH(m->arena, &out, m->events.items[i].w);
      sys->root.use_forces =
          sys->root.use_forces || pw_depends(m->dag, m->events.items[i].w, is_reaction, NULL);
    }
  }
  sys->tape.roots = compile_watched(sys, &out, PW_OF_ROOTS, roots);
}

static void expect_tapes(pw_system *sys) {
  const pw_model *m = sys->model;
  int n = m->expectations.n;
  sys->n_expect = n;
  sys->n_expect_group = (n + PW_EXPECT_GROUP - 1) / PW_EXPECT_GROUP;
  sys->tape.expect = PW_TAKE(m->arena, sys->n_expect_group + 1, const pw_tape *);
  for (int k = 0; k < sys->n_expect_group; k++) {
    node_list sides = {0};
    for (int i = k * PW_EXPECT_GROUP; i < n && i < (k + 1) * PW_EXPECT_GROUP; i++) {
      PW_PUSH(m->arena, &sides, m->expectations.items[i].left);
      PW_PUSH(m->arena, &sides, m->expectations.items[i].right);
    }
    sys->tape.expect[k] = compile(sys, &sides);
  }
}

static void output_tapes(pw_system *sys) {
  const pw_model *m = sys->model;
  node_list out = {0};
  append(m, &out, m->u_shown, sys->nv);
  for (int i = 0; i < m->outputs.n; i++) {
    PW_PUSH(m->arena, &out, m->outputs.items[i].value);
  }
  sys->n_out = m->outputs.n;
  sys->tape.output = compile(sys, &out);
  expect_tapes(sys);
}

void pw_system_picture(pw_system *sys) {
  const pw_model *m = sys->model;
  node_list out = {0};
  for (int i = 0; i < m->plots.n; i++) {
    PW_PUSH(m->arena, &out, m->plots.items[i].y);
    PW_PUSH(m->arena, &out, m->plots.items[i].x);
  }
  for (int i = 0; i < m->draws.n; i++) {
    const pw_draw *d = &m->draws.items[i];
    for (int k = 0; k < d->n_arg; k++) {
      append(m, &out, d->args[k].v, d->args[k].n);
    }
  }
  for (int i = 0; i < m->touches.n; i++) {
    const pw_touch *t = &m->touches.items[i];
    const pw_node *part[] = {t->point, t->normal, t->tangent[0], t->tangent[1]};
    for (int k = 0; k < 12; k++) {
      bool known = k % 3 < t->dim && k / 3 < t->dim + 1;
      PW_PUSH(m->arena, &out, known ? part[k / 3][k % 3] : pw_const(m->dag, 0));
    }
  }
  sys->tape.picture = compile(sys, &out);
}

static void scene_tape(pw_system *sys, const pw_equations *eq) {
  node_list list = {0};
  pw_scene *scene = pw_scene_build(sys, eq, &list.items, &list.n);
  if (scene != NULL) {
    scene->tape = compile(sys, &list);
  }
  sys->scene = scene;
}

/* Surfaces on which a kink of an energy lies change their side with its mode. */
static void note_surfaces(pw_system *sys, const pw_equations *eq, const pw_switches *switches) {
  for (int k = 0; k < sys->n_switch; k++) {
    pw_surface_origin *o = &sys->surface[k];
    o->of_force = pw_depends(sys->model->dag, switches->c.items[k], is_reaction, NULL);
    sys->trait.sides_use_forces = sys->trait.sides_use_forces || o->of_force;
    for (int i = sys->nc; i < sys->nr; i++) {
      if (sys->row[i].kind == PW_KIND_KINK && eq->value[i] == switches->c.items[k]) {
        o->law = i - sys->nc;
      }
    }
  }
}

pw_system *pw_system_build(const pw_model *model) {
  pw_system *sys = PW_NEW(model->arena, pw_system);
  pw_switches switches = {.model = model};
  pw_equations *eq = PW_NEW(model->arena, pw_equations);
  pw_node *work_rate;
  pw_guard_roots roots = {0};
  node_list ties = {0};
  sys->model = model;
  sys->nv = model->nv;

  /* equations, in pieces that are smooth */
  smooth_signals(sys, &switches);
  pw_lagrange(model, &switches, eq);
  tabled_results(sys, &switches);
  pw_ties_build(model, &switches, &sys->tie, &ties.items, &ties.n);
  sys->n_state = eq->n_state;
  sys->nq = model->nq + eq->n_state;
  sys->eq = eq;
  sys->n_switch = switches.c.n;
  sys->surface = switches.origin.items;

  /* rows of laws */
  index_rows(sys, eq);
  describe_rows(sys, eq);
  list_loads(sys);
  list_riders(sys);
  note_surfaces(sys, eq, &switches);
  tie_faces(sys, &switches);

  /* where mass and gradients are not zero */
  sys->pattern.sparse = pw_sparsity_find(sys, eq);
  sys->pattern.moved = sys->pattern.sparse == NULL ? pw_moved_find(sys, eq) : NULL;
  if (sys->pattern.sparse == NULL) {
    pw_equations_fill(model, eq);
  }
  sys->pattern.n_mass = eq->mass.start[sys->nv];
  sys->pattern.n_slope = eq->rows.start[sys->nc];
  pw_ledger(sys, eq, &work_rate);
  sys->nz = 1 + sys->n_work;
  lay_out_inputs(sys);

  /* tapes */
  motion_tape(sys, eq, work_rate, &roots);
  constraint_tapes(sys, eq);
  law_tapes(sys, eq, &roots);
  by_tape(sys, eq);
  carried_tape(sys, eq);
  energy_tape(sys, eq);
  power_tape(sys, eq);
  signal_tapes(sys, &switches, &roots);
  momentum_tape(sys, eq);
  root_tape(sys, &roots);
  output_tapes(sys);
  sys->tape.ties = compile(sys, &ties);
  pw_system_picture(sys);
  scene_tape(sys, eq);
  sys->tape.guards = pw_guards_build(model, &roots, sys->n_in, input_of, sys);
  return sys;
}
