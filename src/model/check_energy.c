// SPDX-License-Identifier: MIT
/* Energies, dissipation and forces, and the coordinates without inertia. */
#include <string.h>

#include "model/joint_form.h"

/* ---- energies ---- */

static bool check_velocities(pw_check *ck, const pw_ex *ex, unsigned has) {
  pw_diag_ref d;
  switch (ck->stmt->kind) {
  /* The mass matrix is the second derivative of T by the velocities, so T must have one. */
  case PW_ST_KINETIC:
    if ((has & PW_HAS_KINK_U) == 0) {
      return true;
    }
    d = pw_error(ck->diags, "E0211", ex->span,
                 "the kinetic energy is not smooth in the velocities");
    pw_label(d, "`abs`, `min`, `max`, `sign` or `if` of a velocity comes in through a definition");
    pw_help(d, "a force that jumps with a velocity is a `friction` or a `law ... slip`");
    return false;

  /* A potential is a function of place and time. */
  case PW_ST_POTENTIAL:
    if ((has & PW_HAS_U) == 0) {
      return true;
    }
    d = pw_error(ck->diags, "E0212", ex->span, "a potential cannot contain velocities");
    pw_label(d, "velocities occur in this expression");
    pw_help(d, "damping is `dissipation D = ...`; terms of the Lagrangian with velocities belong "
               "into `kinetic`");
    return false;

  /* The force of a dissipation is -dD/dq': zero if D has no velocities. */
  default:
    if ((has & PW_HAS_U) != 0) {
      return true;
    }
    d = pw_error(ck->diags, "E0213", ex->span, "a dissipation without velocities has no effect");
    pw_label(d, "no velocity occurs in this expression");
    pw_help(d, "its force is -dD/dq', for example `dissipation D = 1/2*c*x'^2`");
    return false;
  }
}

void pw_check_energy(pw_check *ck) {
  const pw_stmt *s = ck->stmt;
  pw_node value = 0;
  bool ok = pw_elab_scalar(ck, s->u.energy.ex, "an energy", &value);
  bool no_loss = ok && s->kind == PW_ST_DISSIPATION && pw_is_value(ck->dag, value, 0); /* c = 0 */
  ok = ok && (no_loss || check_velocities(ck, s->u.energy.ex, pw_has(ck, value)));
  ok = ok && (s->kind == PW_ST_DISSIPATION ||
              pw_refuse_signal(ck, value, s->u.energy.ex->span,
                               s->kind == PW_ST_KINETIC ? "a kinetic energy" : "a potential"));
  pw_symbol *sym = pw_define_name(ck, s->u.energy.name);
  if (!ok || sym == NULL) {
    pw_kinetic_fails(&ck->energy, s->kind == PW_ST_KINETIC);
  } else {
    sym->val = pw_scalar_val(value);
    pw_energy e = {
        .kind = s->kind, .name = sym->name, .span = sym->span, .value = value, .held = value};
    if (s->kind != PW_ST_KINETIC) {
      pw_energy_kinks(ck, sym, &e);
    }
    PW_PUSH(ck->arena, &ck->m->energies, e);
  }
}

/* ---- forces ---- */

typedef struct velocities { /* collected below a node */
  pw_check *ck;
  PW_LIST(int) vars;
} velocities;

static void collect_velocity(void *payload, pw_node node) {
  velocities *list = payload;
  pw_dag *dag = list->ck->dag;
  if (pw_node_op(dag, node) == PW_OP_VAR && pw_var_kind(pw_node_var(dag, node)) == PW_VAR_U) {
    PW_PUSH(list->ck->arena, &list->vars, pw_node_var(dag, node));
  }
}

/* theory (10): Q_i = sum_k (dP_k'/du_i) F_k: the rate of the point is linear in the velocities. */
void pw_add_rate_covector(pw_check *ck, const pw_node *rate, const pw_node *f, int n,
                          pw_force_draft *draft) {
  for (int k = 0; k < n; k++) {
    velocities list = {.ck = ck};
    pw_dag_walk(ck->dag, &rate[k], 1, collect_velocity, &list);
    pw_node *slope = PW_TAKE(ck->arena, list.vars.n, pw_node);
    pw_gradient(ck->dag, rate[k], list.vars.items, list.vars.n, slope);
    for (int i = 0; i < list.vars.n; i++) {
      pw_node Q = pw_mul(ck->dag, slope[i], f[k]);
      PW_PUSH(ck->arena, &draft->parts, ((pw_force_part){pw_var_index(list.vars.items[i]), Q}));
    }
  }
}

/* Force components f on the target become generalised forces: on a position as they are, a torque
 * in body axes on W, a torque tau in space axes as R^T tau on W. */
void pw_add_covector(pw_check *ck, const pw_target *target, const pw_node *f,
                     pw_force_draft *draft) {
  /* On a joint: f times the derivative of the joint's rate by the velocities. */
  if (target->kind == PW_TG_JOINT) {
    pw_node rate;
    if (pw_joint_rate(ck, target->coord, &rate)) {
      pw_add_rate_covector(ck, &rate, f, 1, draft);
    }
    return;
  }

  /* On a place: the components as they are. */
  const pw_coord *coord = &ck->m->coords.items[target->coord];
  if (target->kind == PW_TG_PLACE) {
    for (int i = 0; i < target->n; i++) {
      PW_PUSH(ck->arena, &draft->parts, ((pw_force_part){coord[i].u, f[i]}));
    }
    return;
  }

  /* On a spin: components that are not named are zero. */
  pw_node torque[3];
  pw_node zero = pw_const(ck->dag, 0);
  for (int i = 0; i < 3; i++) {
    bool given = i >= target->first && i < target->first + target->n;
    torque[i] = given ? f[i - target->first] : zero;
  }

  /* A torque tau in space axes acts as R^T tau on W. */
  if (target->space) {
    pw_node turned[3];
    pw_rotate(ck, target->coord, torque, true, turned);
    for (int i = 0; i < 3; i++) {
      torque[i] = turned[i];
    }
  }
  for (int i = 0; i < 3; i++) {
    PW_PUSH(ck->arena, &draft->parts, ((pw_force_part){coord->u + i, torque[i]}));
  }
}

bool pw_target_takes_force(pw_check *ck, const pw_ex *ref, const pw_target *t) {
  pw_diag_ref d;
  const char *text = pw_text_of(ck, ref->span);

  /* One coordinate, a place or a spin takes a force; whole bodies and families do not. */
  switch (t->kind) {
  case PW_TG_BAD: return false;
  case PW_TG_FAMILY:
    d = pw_error(ck->diags, "E0215", ref->span, "a force acts on one coordinate");
    pw_label(d, "`%s` is a family; name a member: `%s[%d]`", text, text, t->lo);
    return false;
  case PW_TG_BODY:
    d = pw_error(ck->diags, "E0215", ref->span, "a force acts on a part of a body");
    pw_label(d, "use `%s.p` for a force, `%s.w` or `%s.W` for a torque", text, text, text);
    return false;
  case PW_TG_ROTATION:
    d = pw_error(ck->diags, "E0215", ref->span, "a rotation takes a torque");
    pw_label(d, "use `%s.w` (space axes) or `%s.W` (body axes)", text, text);
    return false;
  case PW_TG_SIGNAL:
    d = pw_error(ck->diags, "E0215", ref->span, "a force acts on a coordinate");
    pw_label(d, "`%s` has no inertia: its rate is given", text);
    return false;
  default: break;
  }

  /* A force acts on q; `q'` would name its rate. */
  if (t->primes > 0) {
    d = pw_error(ck->diags, "E0215", ref->span, "a force acts on a coordinate, not on its rate");
    pw_label(d, "write it without `'`");
    return false;
  }
  return true;
}

static bool check_sign(pw_check *ck, const pw_ex *ex, const pw_val *f) {
  for (int i = 0; i < f->n; i++) {
    if ((pw_has(ck, f->v[i]) & PW_HAS_SIGN_U) != 0) {
      pw_diag_ref d = pw_error(ck->diags, "E0210", ex->span, "`sign` of a velocity in a force");
      pw_label(d, "comes in through a definition; this is dry friction");
      pw_help(d, "write it as   friction %s: slip v, bound F", pw_friction_name(ck));
      return false;
    }
  }
  return true;
}

static void force_on_target(pw_check *ck) {
  const pw_stmt *s = ck->stmt;
  pw_target t = pw_resolve_driven(ck, s->u.force.target, "forces act on coordinates");
  bool ok = pw_target_takes_force(ck, s->u.force.target, &t);
  pw_val f;
  bool fits = pw_elab_list_at(ck, s->u.force.ex, PW_NO_SIGN, ok ? t.n : 0, "this force", &f);
  if (!ok || !fits || !check_sign(ck, s->u.force.ex, &f)) {
    return;
  }
  pw_force_draft draft = {.span = s->u.force.target->span};
  draft.name = t.kind == PW_TG_PLACE && t.n == 1 ? ck->m->coords.items[t.coord].name
                                                 : pw_text_of(ck, s->u.force.target->span);
  pw_add_covector(ck, &t, f.v, &draft);
  PW_PUSH(ck->arena, &ck->forces, draft);
}

/* "force at P"; the line tells apart what has no short name or acts at the same point. */
static const char *name_of_point_force(pw_check *ck, const pw_stmt *s) {
  const pw_ex *at = s->u.force.target;
  bool named = at->kind == PW_EX_NAME || at->kind == PW_EX_INDEX || at->kind == PW_EX_FIELD;
  const char *name = pw_format_text(ck, "force at %s", named ? pw_text_of(ck, at->span) : "");
  for (int i = 0; named && i < ck->forces.n; i++) {
    named = strcmp(ck->forces.items[i].name, name) != 0;
  }
  return named ? name : pw_format_text(ck, "force at line %d", pw_line_of(ck, s->span));
}

static void force_at_point(pw_check *ck) {
  const pw_stmt *s = ck->stmt;
  pw_val p, f;
  bool ok = pw_elab_list(ck, s->u.force.target, 0, "the point", &p);
  unsigned has = 0;
  for (int i = 0; ok && i < p.n; i++) {
    has |= pw_has(ck, p.v[i]);
  }
  if (ok && ((has & PW_HAS_U) != 0 || (has & PW_HAS_Q) == 0)) {
    pw_diag_ref d =
        pw_error(ck->diags, "E0215", s->u.force.target->span, "this is not a moving point");
    pw_label(d, (has & PW_HAS_U) != 0 ? "it contains velocities" : "no coordinate occurs in it");
    ok = false;
  }
  bool fits =
      pw_elab_list_at(ck, s->u.force.ex, PW_NO_SIGN, ok ? p.n : 0, "the force at this point", &f);
  if (!ok || !fits || !check_sign(ck, s->u.force.ex, &f)) {
    return;
  }
  pw_node *rate = PW_TAKE(ck->arena, p.n, pw_node);
  if (!pw_elab_rate(ck, p.v, p.n, rate)) {
    return;
  }
  pw_force_draft draft = {.span = s->u.force.target->span};
  draft.name = name_of_point_force(ck, s);
  pw_add_rate_covector(ck, rate, f.v, p.n, &draft);
  PW_PUSH(ck->arena, &ck->forces, draft);
}

void pw_check_force(pw_check *ck) {
  if (ck->stmt->u.force.at) {
    force_at_point(ck);
  } else {
    force_on_target(ck);
  }
}

/* Now that the number of velocities is known, a covector gets one entry for each; NULL beyond the
 * limits. */
static pw_node *write_out(pw_check *ck, const pw_force_draft *draft) {
  int nv = ck->m->nv;
  pw_node zero = pw_const(ck->dag, 0);
  if (!pw_spend(ck, nv)) {
    return NULL;
  }
  pw_node *Q = PW_TAKE(ck->arena, nv, pw_node);
  for (int i = 0; i < nv; i++) {
    Q[i] = zero;
  }
  for (int i = 0; i < draft->parts.n; i++) {
    const pw_force_part *part = &draft->parts.items[i];
    Q[part->u] = pw_add(ck->dag, Q[part->u], part->c);
  }
  return Q;
}

void pw_finish_forces(pw_check *ck) {
  for (int k = 0; k < ck->forces.n; k++) {
    const pw_force_draft *draft = &ck->forces.items[k];
    pw_force force = {.name = draft->name, .span = draft->span, .Q = write_out(ck, draft)};
    if (force.Q == NULL) {
      return;
    }
    PW_PUSH(ck->arena, &ck->m->forces, force);
  }
}

void pw_finish_servos(pw_check *ck) {
  for (int k = 0; k < ck->bys.n; k++) {
    pw_node *phi = write_out(ck, &ck->bys.items[k].covector);
    if (phi == NULL) {
      return;
    }
    ck->m->rows.items[ck->bys.items[k].row].clause.by = phi;
  }
}
