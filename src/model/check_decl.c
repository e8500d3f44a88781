// SPDX-License-Identifier: MIT
/* Declarations: coordinates, rotations, bodies, definitions. */
#include <string.h>

#include "base/inertia.h"
#include "law/scale_model.h"
#include "model/check.h"

/* ---- coordinates ---- */

/* The identity, unless the start or the end says otherwise. */
static void set_identity(pw_coordinate_draft *draft, int q) {
  draft->q_starts.items[q].value = 1;
  draft->q_ends.items[q].value = 1;
}

static void add_position(pw_check *ck, const char *name) {
  PW_PUSH(ck->arena, &ck->draft.q_names, name);
  PW_PUSH(ck->arena, &ck->draft.q_starts, ((pw_value){.mode = PW_UNSET, .span = PW_NO_SPAN}));
  PW_PUSH(ck->arena, &ck->draft.q_ends, ((pw_value){.mode = PW_UNSET, .span = PW_NO_SPAN}));
  PW_PUSH(ck->arena, &ck->draft.of_q, ck->m->coords.n);
}

static void add_velocity(pw_check *ck, const char *name) {
  PW_PUSH(ck->arena, &ck->draft.u_names, name);
  PW_PUSH(ck->arena, &ck->draft.u_starts, ((pw_value){.mode = PW_UNSET, .span = PW_NO_SPAN}));
  PW_PUSH(ck->arena, &ck->draft.of_u, ck->m->coords.n);
}

static void push_coord(pw_check *ck, pw_coord coord) {
  PW_PUSH(ck->arena, &ck->m->coords, coord);
  PW_PUSH(ck->arena, &ck->draft.spins, ((pw_spin){.span = PW_NO_SPAN}));
  ck->m->nq = ck->draft.q_names.n;
  ck->m->nv = ck->draft.u_names.n;
}

static void add_place(pw_check *ck, const char *name, pw_name of, bool of_body) {
  pw_coord coord = {.name = name,
                    .of = of.text,
                    .span = of.span,
                    .of_body = of_body,
                    .q = ck->draft.q_names.n,
                    .u = ck->draft.u_names.n};
  add_position(ck, name);
  add_velocity(ck, pw_intern_format(ck->names, "%s'", name));
  push_coord(ck, coord);
}

/* `owner` names the angular velocity: "R" for R.w, "ball" for ball.w. */
static void add_rotation(pw_check *ck, const char *name, const char *owner, pw_span span) {
  pw_coord coord = {.name = name,
                    .span = span,
                    .is_rotation = true,
                    .q = ck->draft.q_names.n,
                    .u = ck->draft.u_names.n};
  for (int i = 1; i <= 4; i++) {
    add_position(ck, pw_intern_format(ck->names, "%s.q[%d]", name, i));
  }
  set_identity(&ck->draft, coord.q);
  for (int i = 1; i <= 3; i++) {
    add_velocity(ck, pw_intern_format(ck->names, "%s.w[%d]", owner, i));
  }
  push_coord(ck, coord);
}

bool pw_take_members(pw_check *ck, pw_span span, int n) {
  if (!pw_more_members(&ck->spent, n)) {
    pw_diag_ref d =
        pw_error(ck->diags, "E0113", span, "the model has too many members of families");
    pw_label(d, "more than %d in all", PW_MAX_MEMBERS);
    return false;
  }
  return pw_spend(ck, n);
}

static void check_crd(pw_check *ck, const pw_crd *crd) {
  pw_val val = {.kind = PW_V_FAMILY, .coord = ck->m->coords.n, .each = 1};
  int lo = 0, hi = 0;
  bool family = crd->from != NULL;
  bool ok = !family || pw_elab_range(ck, crd->from, crd->to, false, &lo, &hi);
  pw_symbol *sym = pw_define_name(ck, crd->name);
  if (!ok || sym == NULL || !pw_take_members(ck, crd->name.span, hi - lo + 1)) {
    return;
  }
  if (!family) {
    add_place(ck, crd->name.text, crd->name, false);
    pw_node q = pw_var(ck->dag, pw_var_of(PW_VAR_Q, ck->m->coords.items[val.coord].q));
    sym->val = pw_scalar_val(q);
    return;
  }
  for (int i = lo; i <= hi; i++) {
    add_place(ck, pw_intern_format(ck->names, "%s[%d]", crd->name.text, i), crd->name, false);
  }
  val.lo = lo;
  val.n = hi - lo + 1;
  val.sym = sym;
  sym->val = val;
}

void pw_check_coordinates(pw_check *ck) {
  for (int i = 0; i < ck->stmt->u.coordinates.n; i++) {
    check_crd(ck, &ck->stmt->u.coordinates.items[i]);
  }
}

void pw_check_rotation(pw_check *ck) {
  for (int i = 0; i < ck->stmt->u.rotation.n; i++) {
    pw_name name = ck->stmt->u.rotation.items[i];
    pw_symbol *sym = pw_define_name(ck, name);
    if (sym != NULL) {
      sym->val = (pw_val){.kind = PW_V_ROTATION, .coord = ck->m->coords.n, .sym = sym};
      add_rotation(ck, name.text, name.text, name.span);
    }
  }
}

/* ---- bodies ---- */

/* W.J W for the inertia J, (J1, J2, J3) or (Jxx, Jyy, Jzz, Jxy, Jxz, Jyz). */
static pw_node inertia_form(pw_check *ck, pw_val J, const pw_node W[3]) {
  static const int pair[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
  pw_dag *dag = ck->dag;
  pw_node sum = pw_const(dag, 0);
  for (int k = 0; k < (J.n == 6 ? 6 : 3); k++) {
    pw_node factor = pw_const(dag, k < 3 ? 1 : 2);
    pw_node product = pw_mul(dag, W[pair[k][0]], W[pair[k][1]]);
    pw_node entry = J.n == 1 ? J.v[0] : J.v[k];
    product = pw_mul(dag, product, entry);
    product = pw_mul(dag, product, factor);
    sum = pw_add(dag, sum, product);
  }
  return sum;
}

static pw_node body_energy(pw_check *ck, int coord, pw_node mass, pw_val J) {
  pw_dag *dag = ck->dag;
  pw_node v[3], W[3];
  for (int i = 0; i < 3; i++) {
    v[i] = pw_var(dag, pw_var_of(PW_VAR_U, ck->m->coords.items[coord + i].u));
    W[i] = pw_var(dag, pw_var_of(PW_VAR_U, ck->m->coords.items[coord + 3].u + i));
  }
  pw_node moving = pw_dot_nodes(dag, v, v, 3);
  moving = pw_mul(dag, mass, moving);
  pw_node turning = inertia_form(ck, J, W);
  pw_node half = pw_const(dag, 0.5);
  pw_node sum = pw_add(dag, moving, turning);
  return pw_mul(dag, half, sum);
}

/* A mass or moment of inertia that is constant must be positive. */
static bool check_positive(pw_check *ck, const pw_ex *ex, pw_node node, const char *what) {
  unsigned has = pw_has(ck, node);
  if ((has & ~(unsigned)PW_HAS_TIME) != 0) {
    pw_diag_ref d =
        pw_error(ck->diags, "E0110", ex->span, "%s of a body cannot depend on the motion", what);
    pw_label(d, "use numbers, parameters and `t`");
    return false;
  }
  if (pw_is_const(ck->dag, node) && !(pw_node_value(ck->dag, node) > 0)) {
    pw_diag_ref d = pw_error(ck->diags, "E0205", ex->span, "%s of a body must be positive", what);
    pw_label(d, "this is %s", pw_format_real(ck, pw_node_value(ck->dag, node)));
    return false;
  }
  return true;
}

static bool check_inertia_size(pw_check *ck, const pw_ex *ex, pw_val J) {
  if (J.n == 1 || J.n == 3 || J.n == 6) {
    return true;
  }
  pw_diag_ref d = pw_error(ck->diags, "E0106", ex->span, "an inertia has 1, 3 or 6 components");
  pw_label(d, "this has %d", J.n);
  pw_help(d, "write `J`, `(Jx, Jy, Jz)` or `(Jxx, Jyy, Jzz, Jxy, Jxz, Jyz)`");
  return false;
}

/* Constant moments that no distribution of mass has: the equations are those of such numbers. */
static void warn_of_inertia(pw_check *ck, const pw_ex *ex, pw_val J) {
  double value[6] = {0}, principal[3];
  for (int k = 0; k < J.n; k++) {
    if (!pw_is_const(ck->dag, J.v[k])) {
      return;
    }
    value[k] = pw_node_value(ck->dag, J.v[k]);
  }
  pw_principal_moments(value, principal);
  if (J.n >= 3 && pw_inertia_excess(principal) > PW_SCALE(INERTIA_DIGITS)) {
    pw_diag_ref d = pw_warning(ck->diags, "W0205", ex->span, "no rigid body has this inertia");
    pw_label(d, "principal moments %.6g, %.6g, %.6g: the largest exceeds the sum of the others",
             principal[2], principal[1], principal[0]);
  }
}

/* One body: its coordinates exist even if its inertia is wrong, so that uses of it can be checked.
 */
static bool add_body(pw_check *ck, const char *name) {
  const pw_stmt *s = ck->stmt;
  pw_span span = s->u.body.label.name.span;
  int coord = ck->m->coords.n;
  pw_node mass;
  pw_val J;
  bool ok = pw_elab_scalar(ck, s->u.body.mass, "the mass", &mass);
  ok = pw_elab_list(ck, s->u.body.inertia, 0, "the inertia", &J) &&
       check_inertia_size(ck, s->u.body.inertia, J) && ok;
  ok = ok && check_positive(ck, s->u.body.mass, mass, "the mass");
  for (int k = 0; ok && k < (J.n < 3 ? J.n : 3); k++) {
    ok = check_positive(ck, s->u.body.inertia, J.v[k], "the moment of inertia");
  }
  if (ok) {
    warn_of_inertia(ck, s->u.body.inertia, J);
  }
  for (int i = 1; i <= 3; i++) {
    add_place(ck, pw_intern_format(ck->names, "%s.p[%d]", name, i), s->u.body.label.name, true);
  }
  add_rotation(ck, pw_intern_format(ck->names, "%s.R", name), name, span);
  if (ok) {
    pw_energy e = {.kind = PW_ST_KINETIC, .name = name, .span = span};
    e.value = e.held = body_energy(ck, coord, mass, J);
    PW_PUSH(ck->arena, &ck->m->energies, e);
  }
  pw_kinetic_fails(&ck->energy, !ok);
  return ok;
}

void pw_check_body(pw_check *ck) {
  const pw_heading *label = &ck->stmt->u.body.label;
  bool family = label->index.text != NULL;
  int lo = 0, hi = 0;
  bool ok = !family || pw_elab_range(ck, label->from, label->to, false, &lo, &hi);
  pw_symbol *sym = pw_define_name(ck, label->name);
  if (!ok || sym == NULL || !pw_take_members(ck, label->name.span, 4 * (hi - lo + 1))) {
    return;
  }
  pw_val val = {.kind = family ? PW_V_FAMILY : PW_V_BODY,
                .coord = ck->m->coords.n,
                .each = 4,
                .lo = lo,
                .n = hi - lo + 1,
                .sym = sym};
  for (int i = lo; i <= hi && (ok || i == lo); i++) {
    if (family) {
      pw_env_push(&ck->env, label->index, pw_scalar_val(pw_const(ck->dag, i)));
    }
    const char *name = label->name.text;
    ok = add_body(ck, family ? pw_intern_format(ck->names, "%s[%d]", name, i) : name);
    pw_env_clear(&ck->env);
  }
  sym->val = ok || !family ? val : PW_BAD_VAL;
}

/* ---- definitions ---- */

static bool is_argument(const pw_stmt *s, const char *name) {
  for (int i = 0; i < s->u.let.n_arg; i++) {
    if (s->u.let.args[i].text == name) {
      return true;
    }
  }
  return false;
}

static bool is_predefined(const char *name) {
  static const char *const known[] = {"energy",  "action", "force", "impulse", "slip",
                                      "stretch", "delay",  "noise", "mod",     "floor",
                                      "ceil",    "round",  "angle", "shift",   "moment"};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    if (strcmp(known[i], name) == 0) {
      return true;
    }
  }
  return pw_is_reserved(name);
}

/* Names in the body of a function are looked up where it is written, not where it is called: each
 * must be an argument, an index of a sum around it, or defined above. */
static bool check_free_names(pw_check *ck, const pw_ex *ex, int depth) {
  bool ok = true;
  if (depth >= PW_MAX_DEPTH) {
    pw_error(ck->diags, "E0114", ex->span, "expression nested too deeply");
    return false;
  }
  while (ex != NULL) {
    if (ex->kind == PW_EX_NAME && !is_argument(ck->stmt, ex->name)) {
      const pw_symbol *sym = pw_env_find(&ck->env, ex->name);
      if (sym != NULL ? !sym->defined : !is_predefined(ex->name)) {
        pw_elab(ck, ex);
        return false;
      }
    }
    if (ex->kind == PW_EX_EACH) {
      pw_env_push(&ck->env, (pw_name){ex->name, ex->mark}, PW_BAD_VAL);
    }
    for (int i = 1; i < ex->n_arg; i++) {
      ok = check_free_names(ck, ex->arg[i], depth + 1) && ok;
    }
    if (ex->kind == PW_EX_EACH) {
      pw_env_drop(&ck->env, 1);
    }
    ex = ex->n_arg > 0 ? ex->arg[0] : NULL;
  }
  return ok;
}

static void check_function(pw_check *ck) {
  const pw_stmt *s = ck->stmt;
  bool ok = check_free_names(ck, s->u.let.ex, 0);
  for (int i = 0; i < s->u.let.n_arg; i++) {
    pw_name arg = s->u.let.args[i];
    for (int j = 0; j < i; j++) {
      if (s->u.let.args[j].text == arg.text) {
        pw_diag_ref d =
            pw_error(ck->diags, "E0103", arg.span, "argument `%s` is named twice", arg.text);
        pw_label(d, "the second time");
        pw_second(d, s->u.let.args[j].span, "the first time");
        pw_help(d, "give each argument its own name");
        ok = false;
      }
    }
  }
  pw_symbol *sym = pw_define_name(ck, s->u.let.label.name);
  if (ok && sym != NULL) {
    sym->val = (pw_val){.kind = PW_V_FUNCTION, .sym = sym};
  }
}

static pw_val elab_value(pw_check *ck) {
  const pw_ex *ex = ck->stmt->u.let.ex;
  pw_val val = pw_elab(ck, ex);
  bool named = val.kind == PW_V_LAW || val.kind == PW_V_EVENT || val.kind == PW_V_FUNCTION;
  return named ? pw_bad_kind(ck, ex, val, "a number or a vector") : val;
}

/* Numbers or vectors, one for each index. */
static pw_val elab_family(pw_check *ck, int lo, int n) {
  const pw_stmt *s = ck->stmt;
  pw_val val = {.kind = PW_V_MEMBERS, .lo = lo, .n = n, .members = PW_TAKE(ck->arena, n, pw_val)};
  for (int i = 0; i < n; i++) {
    pw_env_push(&ck->env, s->u.let.label.index, pw_scalar_val(pw_const(ck->dag, lo + i)));
    pw_val one = elab_value(ck);
    pw_env_drop(&ck->env, 1);
    if (one.kind != PW_V_SCALAR && one.kind != PW_V_VECTOR) {
      return pw_bad_kind(ck, s->u.let.ex, one, "a number or a vector");
    }
    val.members[i] = one;
  }
  return val;
}

void pw_check_let(pw_check *ck) {
  if (ck->stmt->u.let.is_function) {
    check_function(ck);
    return;
  }
  const pw_heading *label = &ck->stmt->u.let.label;
  bool family = label->index.text != NULL;
  int lo = 0, hi = 0;
  bool ok = !family || (pw_elab_range(ck, label->from, label->to, false, &lo, &hi) &&
                        pw_take_members(ck, label->name.span, hi - lo + 1));
  pw_val val = !ok ? PW_BAD_VAL : family ? elab_family(ck, lo, hi - lo + 1) : elab_value(ck);
  pw_symbol *sym = pw_define_name(ck, label->name);
  if (sym != NULL) {
    sym->val = val;
    sym->val.sym = family ? sym : val.sym;
  }
}
