// SPDX-License-Identifier: MIT
/* Coordinates without inertia. Where constraints hold one, or the forces on it balance for one rate
 * only, its motion is determined all the same, engineering (E4), (E5): the balance becomes an
 * equality, and the square of its rate, which is zero along every motion, is added to the kinetic
 * energy, so that the matrix of inertia is regular. Neither changes the motion or an energy. */
#include "model/massless.h"

#include <math.h>

bool pw_of_massless(void *payload, int var) {
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

static bool is_plain_spring(const pw_row *r) {
  return r->kind == PW_KIND_SPRING && r->clause.preload < 0 && r->clause.damping < 0 &&
         !r->on_velocity;
}

/* The force of a spring with play against n, as a function: k max(0, d - hi) + k min(0, d - lo). */
static pw_node spring_on(pw_check *ck, const pw_massless *x, const pw_row *r) {
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
  return pw_mul(dag, force, pw_slope(ck, r->value, x->q));
}

/* V_n + D_n' - Q_n, and springs */
static pw_node balance_of(pw_check *ck, const pw_massless *x) {
  int last;
  pw_node V = sum_of(ck, PW_ST_POTENTIAL, &last), D = sum_of(ck, PW_ST_DISSIPATION, &last);
  pw_node sum = pw_slope(ck, V, x->q);
  sum = pw_add(ck->dag, sum, pw_slope(ck, D, x->u));
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

bool pw_weigh_massless(pw_check *ck, const pw_massless *x, pw_node rate) {
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

/* The balance as a law: (E4) on velocities, (E5) on positions. */
static bool add_balance(pw_check *ck, const pw_coord *c, const pw_massless *x, pw_node sum) {
  unsigned has = pw_has(ck, sum);
  bool by_rate = !pw_is_value(ck->dag, pw_slope(ck, sum, x->u), 0);
  bool by_place = (has & PW_HAS_U) == 0 && !pw_is_value(ck->dag, pw_slope(ck, sum, x->q), 0);
  bool jumps = (has & (PW_HAS_KINK_U | PW_HAS_SIGN_U | (by_rate ? 0 : PW_HAS_HELD))) != 0;
  if (!(by_rate || by_place) || jumps) {
    return false;
  }
  pw_node rate = sum;
  if (!by_rate && !pw_elab_rate(ck, &sum, 1, &rate)) {
    return false;
  }
  const char *name = pw_intern_format(ck->names, "%s.balance", c->name);
  pw_val value = {.kind = PW_V_VECTOR, .n = 1, .v = &sum};
  pw_row_draft draft = {.kind = by_rate                    ? PW_KIND_NONHOLONOMIC
                                : (has & PW_HAS_TIME) != 0 ? PW_KIND_RHEONOMIC
                                                           : PW_KIND_HOLONOMIC,
                        .clause = PW_NO_CLAUSES};
  pw_stand before = pw_stand_in(ck, statement_of(ck, c, name));
  bool ok = pw_add_rows(ck, name, &draft, &value, c->span);
  pw_stand_back(ck, &before);
  if (ok) {
    ck->m->rows.items[ck->m->rows.n - 1].is_balance = true;
  }
  return ok && pw_weigh_massless(ck, x, rate);
}

static bool is_equality(pw_kind kind) {
  return kind == PW_KIND_HOLONOMIC || kind == PW_KIND_RHEONOMIC || kind == PW_KIND_NONHOLONOMIC;
}

/* A law that is no equality. Springs have a force at every place. */
static void note_law(pw_massless *x, const pw_row *r, int i) {
  if (is_plain_spring(r)) {
    return;
  }
  x->laws++;
  x->friction = i;
  x->by = r->law;
}

/* Constraints that hold the coordinate give it its motion, and their forces keep the balance. */
static bool is_held(pw_check *ck, pw_massless *x) {
  bool held = false;
  for (int i = 0; i < ck->m->rows.n; i++) {
    const pw_row *r = &ck->m->rows.items[i];
    if (r->is_balance || !pw_depends(ck->dag, r->value, pw_of_massless, x)) {
      continue;
    }
    pw_node rate = r->value;
    if (!is_equality(r->kind)) {
      note_law(x, r, i);
    } else if (r->on_velocity || pw_elab_rate(ck, &r->value, 1, &rate)) {
      held = pw_weigh_massless(ck, x, rate) || held;
    }
  }
  return held;
}

/* What would determine its motion. */
static const char *advice_for(pw_check *ck, const pw_massless *x) {
  const pw_row *row = &ck->m->rows.items[0];
  for (int i = 0; i < ck->m->rows.n; i++) {
    row = ck->m->rows.items[i].law == x->by ? &ck->m->rows.items[i] : row;
  }
  return row->kind == PW_KIND_SPRING
             ? "give it a damper, `dissipation D = 1/2*c*n'^2`, or state the spring as an energy: "
               "`potential V = 1/2*k*max(0, n - a)^2`"
         : row->kind == PW_KIND_FRICTION
             ? "friction needs a `bound` without its own slip, springs or a damper on the same "
               "coordinate, and starts given by `=`; else give it a small mass"
             : "give it a small mass";
}

static void report(pw_check *ck, const pw_coord *c, const pw_massless *x) {
  pw_diag_ref d = pw_error(ck->diags, "E0320", c->span, "coordinate `%s` has no inertia", c->name);
  if (x->by != NULL) {
    pw_label(d, "%s' does not occur in any `kinetic` line, and the force of `%s` acts on it",
             c->name, x->by);
    pw_help(d, "%s", advice_for(ck, x));
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

/* The spring that keeps a balance of springs alone from being one law on positions: its edges. */
static const char *kinked_spring(pw_check *ck, pw_massless *x) {
  for (int i = 0; i < ck->m->rows.n; i++) {
    const pw_row *r = &ck->m->rows.items[i];
    if (is_plain_spring(r) && pw_depends(ck->dag, r->value, pw_of_massless, x)) {
      return r->law;
    }
  }
  return NULL;
}

static bool is_determined(pw_check *ck, const pw_coord *c, pw_massless *x) {
  if (c->is_rotation) {
    return false;
  }
  if (is_held(ck, x)) {
    return true;
  }
  pw_node balance = balance_of(ck, x);
  const char *spring = kinked_spring(ck, x);
  if (spring != NULL && pw_is_value(ck->dag, pw_slope(ck, balance, x->u), 0)) {
    x->by = spring;
    return false;
  }
  pw_coord *own = &ck->m->coords.items[c - ck->m->coords.items];
  own->balanced = x->laws == 0   ? add_balance(ck, c, x, balance)
                  : x->laws == 1 ? ck->symbols || pw_node_friction(ck, x, balance)
                                 : false;
  return own->balanced;
}

/* A velocity with dT/du identically zero. */
void pw_check_inertia(pw_check *ck) {
  pw_model *m = ck->m;
  pw_massless x = {.kinetic = 0};
  x.T = sum_of(ck, PW_ST_KINETIC, &x.kinetic);
  int *var = PW_TAKE(ck->arena, m->nv, int);
  pw_node *dT = PW_TAKE(ck->arena, m->nv, pw_node);
  for (int i = 0; i < m->nv; i++) {
    var[i] = pw_var_of(PW_VAR_U, i);
  }
  pw_gradient(ck->dag, x.T, var, m->nv, dT);
  int last = -1;
  for (int c = 0; c < m->coords.n; c++) {
    const pw_coord *coord = &m->coords.items[c];
    bool massless = false;
    for (int i = 0; i < (coord->is_rotation ? 3 : 1); i++) {
      massless |= pw_is_value(ck->dag, dT[coord->u + i], 0);
    }
    x.q = pw_var_of(PW_VAR_Q, coord->q);
    x.u = var[coord->u];
    x.u_index = coord->u;
    x.by = NULL;
    x.laws = 0;
    bool reported = c > 0 && coord->span.begin == coord[-1].span.begin &&
                    coord->span.file == coord[-1].span.file && last == c - 1;
    bool missing = massless && (reported || !is_determined(ck, coord, &x));
    if (missing && !reported && coord->is_rotation) {
      report_rotation(ck, coord);
    } else if (missing && !reported) {
      report(ck, coord, &x);
    }
    last = missing ? c : last; /* one message for a whole family */
  }
}
