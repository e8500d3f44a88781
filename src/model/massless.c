// SPDX-License-Identifier: MIT
/* Coordinates without inertia. Where constraints hold one, or the forces on it balance for one rate
 * only, its motion is determined all the same, engineering (E4), (E5): the balance becomes an
 * equality, and the square of its rate, which is zero along every motion, is added to the kinetic
 * energy, so that the matrix of inertia is regular. Neither changes the motion or an energy. */
#include "model/nodes.h"

#include <math.h>

static bool of_massless(void *payload, int var) {
  const pw_massless *x = payload;
  return var == x->q || var == x->u;
}

pw_node pw_slope(pw_check *ck, pw_node f, int var) {
  pw_node out;
  pw_gradient(ck->dag, f, &var, 1, &out);
  return out;
}

static pw_node sum_of(pw_check *ck, pw_stmt_kind kind, int *last) {
  pw_node sum = pw_const(ck->dag, 0);
  for (int i = 0; i < ck->m->energies.n; i++) {
    const pw_energy *e = &ck->m->energies.items[i];
    if (e->kind == kind) {
      sum = pw_add(ck->dag, sum, e->value);
      *last = i;
    }
  }
  return sum;
}

/* Of a graph over a stretch: no force is set-valued, none is infinite. */
static bool is_plain_graph(const pw_row *r) {
  bool plain = r->kind == PW_KIND_LAW && !r->on_velocity && !r->clause.on_slip;
  for (int i = 0; i < r->clause.n_graph && plain; i++) {
    const struct pw_graph_point *p = &r->clause.graph[i];
    plain = isfinite(p->x) && isfinite(p->f) && (i == 0 || p->x > p[-1].x);
  }
  return plain;
}

/* The force is a function of places, and linear in rates. */
static bool is_plain_spring(const pw_row *r) {
  return is_plain_graph(r) || (r->kind == PW_KIND_SPRING && r->clause.preload < 0 &&
                               r->clause.damping < 0 && !r->on_velocity);
}

/* k max(0, d - hi) + k min(0, d - lo) */
static pw_node force_beyond_play(pw_check *ck, const pw_row *r) {
  pw_dag *dag = ck->dag;
  pw_node zero = pw_const(dag, 0), force = zero;
  for (int above = 0; above < 2; above++) {
    pw_node edge = above ? r->clause.play_hi : r->clause.play_lo;
    edge = edge < 0 ? zero : edge;
    if (isfinite(pw_node_value(dag, edge))) {
      pw_node far = pw_sub(dag, r->value, edge);
      far = pw_apply2(dag, above ? PW_OP_MAX : PW_OP_MIN, zero, far);
      force = pw_add(dag, force, pw_mul(dag, r->clause.stiffness, far));
    }
  }
  return force;
}

/* f_0 + sum s_i (g_i - g_(i+1)) with the slope s_i from point i on and g_i = max(0, d - x_i), but
 * g_0 = d - x_0 and no last one: the ends go on. On each piece the stiffness is s_i itself, without
 * rounding. And the dashpot beside the graph. */
static pw_node force_of_graph(pw_check *ck, const pw_row *r) {
  pw_dag *dag = ck->dag;
  pw_node zero = pw_const(dag, 0), force = pw_const(dag, r->clause.graph[0].f), rate;
  pw_node far = pw_sub(dag, r->value, pw_const(dag, r->clause.graph[0].x));
  for (int i = 0; i + 1 < r->clause.n_graph; i++) {
    const struct pw_graph_point *p = &r->clause.graph[i];
    pw_node next = pw_sub(dag, r->value, pw_const(dag, p[1].x));
    next = i + 2 < r->clause.n_graph ? pw_apply2(dag, PW_OP_MAX, zero, next) : zero;
    pw_node slope = pw_const(dag, (p[1].f - p->f) / (p[1].x - p->x));
    force = pw_add(dag, force, pw_mul(dag, slope, pw_sub(dag, far, next)));
    far = next;
  }
  if (r->clause.damping >= 0 && pw_elab_rate(ck, &r->value, 1, &rate)) {
    force = pw_add(dag, force, pw_mul(dag, r->clause.damping, rate));
  }
  return force;
}

/* The force of a spring or graph against n. */
static pw_node spring_on(pw_check *ck, const pw_massless *x, const pw_row *r) {
  pw_node force = r->kind == PW_KIND_LAW ? force_of_graph(ck, r) : force_beyond_play(ck, r);
  return pw_mul(ck->dag, force, pw_slope(ck, r->value, x->q));
}

/* V_n + D_n' - Q_n, and springs */
static pw_node balance_of(pw_check *ck, const pw_massless *x, pw_node V, pw_node D) {
  pw_node sum = pw_add(ck->dag, pw_slope(ck, V, x->q), pw_slope(ck, D, x->u));
  for (int i = 0; i < ck->m->forces.n; i++) {
    sum = pw_sub(ck->dag, sum, ck->m->forces.items[i].Q[x->u_index]);
  }
  for (int i = 0; i < ck->m->rows.n; i++) {
    const pw_row *r = &ck->m->rows.items[i];
    sum = is_plain_spring(r) ? pw_add(ck->dag, sum, spring_on(ck, x, r)) : sum;
  }
  return sum;
}

/* The inertia of a coordinate that the rate contains beside this one: the size of what is added. */
static pw_node inertia_beside(pw_check *ck, const pw_massless *x, pw_node rate) {
  for (int i = 0; i < ck->m->nv; i++) {
    int var = pw_var_of(PW_VAR_U, i);
    if (var != x->u && !pw_is_value(ck->dag, pw_slope(ck, rate, var), 0)) {
      pw_node first = pw_slope(ck, x->T, var), mass = pw_slope(ck, first, var);
      if (!pw_is_value(ck->dag, mass, 0)) {
        return mass;
      }
    }
  }
  return pw_const(ck->dag, 1);
}

/* Adds 1/2 m (rate / rate_n')^2 to the kinetic energy, where the rate contains n'. */
static bool weigh(pw_check *ck, const pw_massless *x, pw_node rate) {
  pw_dag *dag = ck->dag;
  pw_node part = pw_slope(ck, rate, x->u);
  if (pw_is_value(dag, part, 0)) {
    return false;
  }
  pw_node speed = pw_div(dag, rate, part), half = pw_const(dag, 0.5);
  pw_node square = pw_mul(dag, speed, speed);
  square = pw_mul(dag, inertia_beside(ck, x, rate), square);
  square = pw_mul(dag, half, square);
  pw_energy *e = &ck->m->energies.items[x->kinetic];
  e->value = pw_add(dag, e->value, square);
  e->held = pw_add(dag, e->held, square);
  return true;
}

static pw_stmt *statement_of(pw_check *ck, const pw_coord *c, const char *name) {
  pw_stmt *s = PW_NEW(ck->arena, pw_stmt);
  pw_ex *left = PW_NEW(ck->arena, pw_ex), *right = PW_NEW(ck->arena, pw_ex);
  *left = (pw_ex){.kind = PW_EX_NAME, .span = c->span, .mark = c->span, .name = name};
  *right = (pw_ex){.kind = PW_EX_NUM, .span = c->span, .mark = c->span};
  *s =
      (pw_stmt){.kind = PW_ST_CONSTRAINT,
                .span = c->span,
                .u.law = {.label.name = {name, c->span},
                          .rel = {.op = PW_REL_EQ, .left = left, .right = right, .span = c->span}}};
  return s;
}

bool pw_add_rate(const pw_nodes *N, int way, pw_kind kind, pw_node value, pw_node rate) {
  pw_check *ck = N->ck;
  const pw_node_way *w = &N->way[way];
  const pw_coord *c = &ck->m->coords.items[N->x[w->x].coord];
  const char *name = pw_intern_format(ck->names, "%s.balance", c->name);
  pw_val of = {.kind = PW_V_VECTOR, .n = 1, .v = &value};
  pw_row_draft draft = {.kind = kind, .clause = PW_NO_CLAUSES};
  pw_stand before = pw_stand_in(ck, statement_of(ck, c, name));
  bool ok = pw_add_rows(ck, name, &draft, &of, c->span);
  pw_stand_back(ck, &before);
  if (!ok) {
    return false;
  }
  ck->m->rows.items[ck->m->rows.n - 1].is_balance = true;
  bool weighed = weigh(ck, &N->x[w->x], rate);
  for (int i = 0; i < w->n && !weighed; i++) {
    weighed = weigh(ck, &N->x[w->k[i]], rate);
  }
  return weighed;
}

/* A spring is level in its play, a graph between points of one force. */
static bool has_level(const pw_row *r) {
  bool level = r->kind == PW_KIND_SPRING;
  for (int i = 1; i < r->clause.n_graph && !level; i++) {
    level = !(r->clause.graph[i].f > r->clause.graph[i - 1].f);
  }
  return level;
}

/* A spring with play or level graph, if such ones alone could give the direction a place: there is
 * none where they are level. */
static const pw_row *level_only(const pw_nodes *N, const pw_node_way *w, pw_node V) {
  pw_check *ck = N->ck;
  pw_massless *x = &N->x[w->x];
  const pw_row *level = NULL;
  bool stiff = !pw_is_value(ck->dag, pw_along(N, w, pw_slope(ck, V, x->q), false), 0);
  for (int i = 0; i < ck->m->rows.n && !stiff; i++) {
    const pw_row *r = &ck->m->rows.items[i];
    if (is_plain_spring(r) && pw_depends(ck->dag, r->value, of_massless, x)) {
      stiff = !has_level(r);
      level = level == NULL || r->kind == PW_KIND_LAW ? r : level;
    }
  }
  return stiff ? NULL : level;
}

static bool has_play_only(pw_nodes *N, const pw_node_way *w, pw_node V) {
  const pw_row *level = level_only(N, w, V);
  if (level == NULL) {
    return false;
  }
  N->by = level->law;
  N->why = level->kind == PW_KIND_SPRING
               ? "inside its play nothing says where the coordinate is: give it a damper, "
                 "`dissipation D = 1/2*c*n'^2`, or another spring"
               : "where its graph is level nothing says where the coordinate is: give it a "
                 "damper, `dissipation D = 1/2*c*n'^2`, or another spring";
  return true;
}

/* Frictions and contacts beside springs alone, (E7), divide by the stiffness, and a level graph has
 * none at forces that need not be zero. */
static bool lacks_stiffness(pw_nodes *N, const pw_node_way *w, pw_node V) {
  const pw_row *level = level_only(N, w, V);
  return level != NULL && level->kind == PW_KIND_LAW &&
         pw_is_value(N->ck->dag, pw_along(N, w, pw_resistance(N, w), true), 0) &&
         has_play_only(N, w, V);
}

/* The balance along a direction without laws: (E4) on velocities, (E5) on positions. */
static bool add_balance(pw_nodes *N, int way, pw_node V) {
  pw_check *ck = N->ck;
  const pw_node_way *w = &N->way[way];
  pw_node sum = w->undamped ? pw_at_zero_rates(N, pw_resistance(N, w)) : pw_resistance(N, w);
  pw_node rate = sum;
  unsigned has = pw_has(ck, sum);
  bool by_rate = !pw_is_value(ck->dag, pw_along(N, w, sum, true), 0);
  bool by_place = (has & PW_HAS_U) == 0 && !pw_is_value(ck->dag, pw_along(N, w, sum, false), 0);
  bool jumps = (has & (PW_HAS_KINK_U | PW_HAS_SIGN_U | (by_rate ? 0 : PW_HAS_HELD))) != 0;
  if (!(by_rate || by_place) || jumps || (!by_rate && has_play_only(N, w, V)) ||
      (!by_rate && !pw_elab_rate(ck, &sum, 1, &rate))) {
    return false;
  }
  pw_kind kind = by_rate                    ? PW_KIND_NONHOLONOMIC
                 : (has & PW_HAS_TIME) != 0 ? PW_KIND_RHEONOMIC
                                            : PW_KIND_HOLONOMIC;
  return pw_add_rate(N, way, kind, sum, rate);
}

static bool is_equality(pw_kind kind) {
  return kind == PW_KIND_HOLONOMIC || kind == PW_KIND_RHEONOMIC || kind == PW_KIND_NONHOLONOMIC;
}

/* A servo that always acts, along coordinates without inertia among others. */
static bool drives(pw_check *ck, const pw_row *r, const pw_massless *x) {
  return r->kind == PW_KIND_SERVO && pw_row_is_equality(r) && r->clause.by != NULL &&
         !pw_is_value(ck->dag, r->clause.by[x->u_index], 0);
}

/* Constraints, and servos along it, that hold the coordinate give it its motion, and their forces
 * keep the balance. */
static bool is_held(pw_check *ck, pw_massless *x) {
  bool held = false;
  for (int i = 0; i < ck->m->rows.n; i++) {
    const pw_row *r = &ck->m->rows.items[i];
    pw_node rate = r->value;
    bool holds =
        (is_equality(r->kind) || drives(ck, r, x)) && pw_depends(ck->dag, r->value, of_massless, x);
    if (holds && (r->on_velocity || pw_elab_rate(ck, &r->value, 1, &rate))) {
      held = weigh(ck, x, rate) || held;
    }
  }
  return held;
}

/* ---- laws on coordinates ---- */

static const char *const other_law =
    "on a coordinate without inertia only frictions, springs with play, graphs over a stretch "
    "without steps, contacts on positions and servos that hold it can act: give it a small mass";
static const char *const other_spring =
    "a spring on a coordinate without inertia has neither `damping` nor `preload`: state a "
    "damper of its own, `dissipation D = 1/2*c*n'^2`, or give the coordinate a small mass";

/* A row whose force acts on coordinates of the list. False: it may not. */
static bool add_law(pw_nodes *N, int i, const int *var) {
  pw_check *ck = N->ck;
  const pw_row *r = &ck->m->rows.items[i];
  pw_node rate = r->value, *a = PW_TAKE(ck->arena, N->n, pw_node);
  if (!r->on_velocity && !pw_elab_rate(ck, &r->value, 1, &rate)) {
    return false;
  }
  pw_gradient(ck->dag, rate, var, N->n, a);
  bool acts = false;
  pw_node b = rate;
  for (int k = 0; k < N->n; k++) {
    acts = acts || !pw_is_value(ck->dag, a[k], 0) ||
           (r->clause.by != NULL && !pw_is_value(ck->dag, r->clause.by[N->x[k].u_index], 0));
  }
  if (!acts) {
    return true;
  }
  bool contact = r->kind == PW_KIND_UNILATERAL;
  if (r->kind != PW_KIND_FRICTION && !contact) {
    N->by = r->law;
    N->why = r->kind == PW_KIND_SPRING ? other_spring : other_law;
    return false;
  }
  b = pw_at_zero_rates(N, b);
  N->law[N->n_law++] =
      (pw_node_law){.row = i, .contact = contact, .slip = rate, .a = a, .b = b, .push = -1};
  return true;
}

static bool find_laws(pw_nodes *N) {
  pw_check *ck = N->ck;
  int *var = PW_TAKE(ck->arena, N->n, int);
  N->law = PW_TAKE(ck->arena, ck->m->rows.n + 1, pw_node_law);
  for (int k = 0; k < N->n; k++) {
    var[k] = N->x[k].u;
  }
  for (int i = 0; i < ck->m->rows.n; i++) {
    const pw_row *r = &ck->m->rows.items[i];
    if (!is_equality(r->kind) && !is_plain_spring(r) && !add_law(N, i, var)) {
      return false;
    }
  }
  return true;
}

/* ---- messages ---- */

static void report(const pw_nodes *N, const pw_coord *c) {
  pw_check *ck = N->ck;
  pw_diag_ref d = pw_error(ck->diags, "E0320", c->span, "coordinate `%s` has no inertia", c->name);
  if (N->by != NULL) {
    pw_label(d, "%s' does not occur in any `kinetic` line, and the force of `%s` acts on it",
             c->name, N->by);
    pw_help(d, "%s", N->why);
    return;
  }
  pw_label(d, "%s' does not occur in any `kinetic` line, so %s'' is undetermined", c->name,
           c->name);
  pw_help(d, "add its kinetic energy, or define it with `let` instead of as a coordinate");
}

static void report_rotation(pw_check *ck, const pw_coord *c) {
  pw_diag_ref d = pw_error(ck->diags, "E0320", c->span, "rotation `%s` has no inertia", c->name);
  pw_label(d, "a component of %s.W does not occur in any `kinetic` line", c->name);
  pw_help(d, "add its kinetic energy: `1/2*(Jx*%s.W[1]^2 + Jy*%s.W[2]^2 + Jz*%s.W[3]^2)`", c->name,
          c->name, c->name);
}

/* One message for a whole family. */
static bool is_news(const pw_check *ck, int c, int last) {
  const pw_coord *now = &ck->m->coords.items[c];
  return last < 0 || now->span.begin != ck->m->coords.items[last].span.begin ||
         now->span.file != ck->m->coords.items[last].span.file;
}

/* ---- all ---- */

static void settle(pw_nodes *N) {
  pw_check *ck = N->ck;
  int last = -1, energy;
  pw_node V = sum_of(ck, PW_ST_POTENTIAL, &energy), D = sum_of(ck, PW_ST_DISSIPATION, &energy);
  N->resist = PW_TAKE(ck->arena, N->n, pw_node);
  N->way = PW_TAKE(ck->arena, N->n, pw_node_way);
  for (int k = 0; k < N->n; k++) {
    N->resist[k] = balance_of(ck, &N->x[k], V, D);
    ck->m->coords.items[N->x[k].coord].balanced = true;
  }
  if (!find_laws(N) || !pw_nodes_find_ways(N)) {
    report(N, &ck->m->coords.items[N->x[0].coord]);
    return;
  }
  pw_nodes_find_undamped(N);
  for (int w = 0; w < N->n; w++) {
    int c = N->x[N->way[w].x].coord;
    N->by = N->why = NULL;
    bool stays = ck->symbols && N->way[w].laws > 0; /* in print laws stay as they are stated */
    bool fine =
        stays || (N->way[w].laws == 0 ? add_balance(N, w, V)
                                      : !lacks_stiffness(N, &N->way[w], V) && pw_node_laws(N, w));
    if (!fine && is_news(ck, c, last)) {
      report(N, &ck->m->coords.items[c]);
    }
    last = fine ? last : c;
  }
}

static bool is_massless(const pw_check *ck, const pw_coord *c, const pw_node *dT) {
  bool massless = false;
  for (int i = 0; i < (c->is_rotation ? 3 : 1); i++) {
    massless = massless || pw_is_value(ck->dag, dT[c->u + i], 0);
  }
  return massless;
}

static void report_rotations(pw_check *ck, const pw_node *dT) {
  for (int c = 0, last = -1; c < ck->m->coords.n; c++) {
    const pw_coord *coord = &ck->m->coords.items[c];
    bool missing = coord->is_rotation && is_massless(ck, coord, dT);
    if (missing && is_news(ck, c, last)) {
      report_rotation(ck, coord);
    }
    last = missing ? c : last;
  }
}

/* Velocities with dT/du identically zero. */
void pw_check_inertia(pw_check *ck) {
  pw_model *m = ck->m;
  pw_massless x = {.kinetic = 0};
  x.T = sum_of(ck, PW_ST_KINETIC, &x.kinetic);
  int *var = PW_TAKE(ck->arena, m->nv, int);
  pw_node *dT = PW_TAKE(ck->arena, m->nv, pw_node);
  pw_nodes N = {.ck = ck,
                .x = PW_TAKE(ck->arena, m->nv + 1, pw_massless),
                .of = PW_TAKE(ck->arena, m->nv + 1, int)};
  for (int i = 0; i < m->nv; i++) {
    var[i] = pw_var_of(PW_VAR_U, i);
    N.of[i] = -1;
  }
  pw_gradient(ck->dag, x.T, var, m->nv, dT);
  for (int c = 0; c < m->coords.n; c++) {
    const pw_coord *coord = &m->coords.items[c];
    if (!is_massless(ck, coord, dT)) {
      continue;
    }
    x.coord = c;
    x.q = pw_var_of(PW_VAR_Q, coord->q);
    x.u_index = coord->u;
    x.u = var[coord->u];
    if (!coord->is_rotation && !is_held(ck, &x)) {
      N.of[coord->u] = N.n;
      N.x[N.n++] = x;
    }
  }
  if (N.n > 0) {
    settle(&N);
  }
  report_rotations(ck, dT);
}
