// SPDX-License-Identifier: MIT
/* Friction whose bound is a coefficient times the norm of the forces of equalities: the friction of
 * a pin, of a slider between two guides, of a joint (engineering (E1)). The bound contains the
 * multipliers as variables; the mechanics finds both together (mech/loads.c). */
#include <math.h>

#include "model/joint_form.h"
#include "model/law_rows.h"

static int count_of(const pw_ex *on) {
  return on->kind == PW_EX_VECTOR ? on->n_arg : 1;
}

static const pw_ex *ref_of(const pw_ex *on, int i) {
  return on->kind == PW_EX_VECTOR ? on->arg[i] : on;
}

/* Rows whose forces are multipliers that the equations determine at once. */
static bool has_reaction(const pw_row *r) {
  switch (r->kind) {
  case PW_KIND_HOLONOMIC:
  case PW_KIND_RHEONOMIC:
  case PW_KIND_NONHOLONOMIC: return true;
  default: return false;
  }
}

bool pw_is_on_equalities(pw_check *ck, const pw_ex *on, bool *answer) {
  int row, n;
  *answer = on->kind == PW_EX_VECTOR;
  if (*answer) {
    return true;
  }
  bool known = pw_law_rows(ck, on, &row, &n);
  *answer = known && has_reaction(&ck->m->rows.items[row]);
  return known;
}

static bool refuse(pw_check *ck, const pw_ex *ref, const pw_row *r) {
  pw_diag_ref d =
      pw_error(ck->diags, "E0206", ref->span, "`%s` is not an equality", pw_text_of(ck, ref->span));
  pw_label(d, "this is %s (%s)", pw_kind_name(r->kind), pw_kind_about(r->kind));
  pw_second(d, r->span, "stated here");
  pw_help(d, "a list `on (jx, jy)` names constraints `g = 0`; friction on a contact `g >= 0` has a "
             "line of its own");
  return false;
}

typedef PW_LIST(pw_node) node_list;
typedef PW_LIST(int) row_list;

static void add_rows(pw_check *ck, int row, int n, node_list *forces, row_list *rows) {
  for (int k = 0; k < n; k++) {
    pw_node lambda = pw_var(ck->dag, pw_var_of(PW_VAR_FORCE, row + k));
    PW_PUSH(ck->arena, forces, lambda);
    PW_PUSH(ck->arena, rows, row + k);
  }
}

static bool add_joint(pw_check *ck, const pw_ex *ref, const pw_joint_form *joint, node_list *forces,
                      row_list *rows) {
  if (joint->n_place == 0) {
    pw_diag_ref d = pw_error(ck->diags, "E0206", ref->span, "joint `%s` transmits no force",
                             pw_text_of(ck, ref->span));
    pw_label(d, "friction `on` it would have the bound 0");
    return false;
  }
  pw_val force = pw_joint_force(ck, joint, PW_VAR_FORCE);
  for (int i = 0; i < 3; i++) {
    PW_PUSH(ck->arena, forces, force.v[i]);
  }
  for (int k = 0; k < joint->n_place; k++) {
    PW_PUSH(ck->arena, rows, joint->row + k);
  }
  return true;
}

static bool add_ref(pw_check *ck, const pw_ex *ref, node_list *forces, row_list *rows) {
  int row, n;
  if (!pw_law_rows(ck, ref, &row, &n)) {
    return false;
  }
  const pw_joint_form *joint = pw_joint_of(ck, row);
  if (joint != NULL && n == joint->n_place + joint->n_turn) {
    return add_joint(ck, ref, joint, forces, rows);
  }
  if (!has_reaction(&ck->m->rows.items[row])) {
    return refuse(ck, ref, &ck->m->rows.items[row]);
  }
  add_rows(ck, row, n, forces, rows);
  return true;
}

static pw_node norm_of(pw_check *ck, const node_list *forces) {
  pw_node sum = pw_dot_nodes(ck->dag, forces->items, forces->items, forces->n);
  return pw_apply1(ck->dag, PW_OP_SQRT, sum);
}

/* The clauses that remain: `static` larger, no `restitution`. */
static bool allowed(pw_check *ck, const pw_clause *mu) {
  for (int i = 0; i < ck->stmt->u.law.n; i++) {
    const pw_clause *c = &ck->stmt->u.law.items[i];
    if (c != mu && c->kind != PW_CL_STATIC) {
      return pw_no_effect(ck, c, "friction on an equality acts between impacts only");
    }
  }
  return true;
}

bool pw_check_loaded(pw_check *ck, const pw_clause *mu, const pw_clause *stick, pw_clauses *out) {
  node_list forces = {0};
  row_list rows = {0};
  pw_node m, hold = -1;
  bool ok = allowed(ck, mu);
  for (int i = 0; i < count_of(mu->on) && ok; i++) {
    ok = add_ref(ck, ref_of(mu->on, i), &forces, &rows);
  }
  if (!ok || !pw_clause_value(ck, mu, 0, (double)INFINITY, &m) ||
      !pw_check_static(ck, stick, m, &hold)) {
    return false;
  }
  pw_node norm = norm_of(ck, &forces);
  out->bound = pw_mul(ck->dag, m, norm);
  out->static_bound = hold < 0 ? -1 : pw_mul(ck->dag, hold, norm);
  out->loads = rows.items;
  out->n_load = rows.n;
  return true;
}
