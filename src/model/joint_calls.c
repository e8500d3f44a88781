// SPDX-License-Identifier: MIT
/* What can be asked of a joint: force(j), moment(j), angle(j), shift(j). */
#include <string.h>

#include "base/pi.h"
#include "model/joint_form.h"
#include "model/part.h"
#include "model/signal.h"

/* ---- what a joint transmits and how far it has moved ---- */

static pw_node multiplier(pw_check *ck, const pw_joint_form *joint, pw_var_class class, int k) {
  return pw_var(ck->dag, pw_var_of(class, joint->row + k));
}

/* sum += factor * v */
static void add_scaled(pw_check *ck, pw_node sum[3], pw_node factor, const pw_node v[3]) {
  for (int i = 0; i < 3; i++) {
    pw_node term = pw_mul(ck->dag, factor, v[i]);
    sum[i] = pw_add(ck->dag, sum[i], term);
  }
}

static void zero(pw_check *ck, pw_node out[3]) {
  for (int i = 0; i < 3; i++) {
    out[i] = pw_const(ck->dag, 0);
  }
}

pw_val pw_joint_force(pw_check *ck, const pw_joint_form *joint, pw_var_class class) {
  pw_node sum[3];
  zero(ck, sum);
  for (int k = 0; k < joint->n_place; k++) {
    pw_node lambda = multiplier(ck, joint, class, k), u[3];
    if (joint->in_space) {
      sum[k] = lambda;
    } else {
      pw_joint_direction(ck, joint, 0, joint->place[k], u);
      add_scaled(ck, sum, lambda, u);
    }
  }
  return pw_vector_val(ck, sum, 3);
}

/* The moment on the second body about its point: each turn gives lambda (R_B v) x (R_A u). */
static pw_val moment(pw_check *ck, const pw_joint_form *joint) {
  pw_node sum[3];
  zero(ck, sum);
  for (int k = 0; k < joint->n_turn; k++) {
    pw_node u[3], v[3], w[3];
    pw_joint_direction(ck, joint, 0, joint->turn[k].u, u);
    pw_joint_direction(ck, joint, 1, joint->turn[k].v, v);
    for (int i = 0; i < 3; i++) {
      int a = (i + 1) % 3, b = (i + 2) % 3;
      pw_node plus = pw_mul(ck->dag, v[a], u[b]);
      pw_node minus = pw_mul(ck->dag, v[b], u[a]);
      w[i] = pw_sub(ck->dag, plus, minus);
    }
    pw_node lambda = multiplier(ck, joint, PW_VAR_FORCE, joint->n_place + k);
    add_scaled(ck, sum, lambda, w);
  }
  return pw_vector_val(ck, sum, 3);
}

static void quaternion(pw_check *ck, int body, pw_node q[4]) {
  for (int i = 0; i < 4; i++) {
    q[i] = body < 0 ? pw_const(ck->dag, i == 0)
                    : pw_var(ck->dag, pw_var_of(PW_VAR_Q, ck->m->coords.items[body + 3].q + i));
  }
}

/* The quaternion conj(q_A) q_B = (s, r) of the second body against the first: s and r.n. */
static void relative(pw_check *ck, const pw_joint_form *joint, pw_node *s, pw_node *along) {
  pw_dag *dag = ck->dag;
  pw_node a[4], b[4], r[3], n[3];
  quaternion(ck, joint->body[0], a);
  quaternion(ck, joint->body[1], b);
  *s = pw_dot_nodes(dag, a, b, 4);
  for (int i = 0; i < 3; i++) { /* r = a0 b - b0 a - a x b */
    int j = (i + 1) % 3, k = (i + 2) % 3;
    pw_node left = pw_mul(dag, a[0], b[1 + i]);
    pw_node right = pw_mul(dag, b[0], a[1 + i]);
    pw_node plus = pw_mul(dag, a[1 + j], b[1 + k]);
    pw_node minus = pw_mul(dag, a[1 + k], b[1 + j]);
    pw_node turned = pw_sub(dag, plus, minus);
    r[i] = pw_sub(dag, left, right);
    r[i] = pw_sub(dag, r[i], turned);
    n[i] = pw_const(dag, joint->n[i]);
  }
  *along = pw_dot_nodes(dag, r, n, 3);
}

/* 2 atan2(y, x), joints (J5) */
static pw_node doubled_angle(pw_dag *dag, pw_node y, pw_node x) {
  pw_node half = pw_apply2(dag, PW_OP_ATAN2, y, x);
  pw_node two = pw_const(dag, 2);
  return pw_mul(dag, two, half);
}

/* The signal that counts the full turns of a joint; one for all places that ask for its angle. */
static int turns_of(pw_check *ck, const pw_joint_form *joint) {
  for (int i = 0; i < ck->m->signals.n; i++) {
    const pw_signal *s = &ck->m->signals.items[i];
    if (s->kind == PW_SIGNAL_TURNS && s->row == joint->row) {
      return i;
    }
  }
  const pw_row *row = &ck->m->rows.items[joint->row]; /* "link[2][1]", the first of link[2] */
  int length = (int)(strrchr(row->name, '[') - row->name);
  pw_name name = {pw_intern_format(ck->names, "%.*s.turns", length, row->name), row->span};
  int k = pw_add_signal(ck, name, PW_SIGNAL_TURNS, 1);
  ck->m->signals.items[k].row = joint->row;
  ck->m->signals.items[k].known = true;
  pw_start_signal(ck, k, 0, row->span);
  return k;
}

/* Angle of the second body against the first about n, continuous along the motion: 2 pi k with the
 * full turns k, and the angle beyond them (joints (J6)). In print the count is of double turns,
 * which leaves no trace in derivatives. */
static pw_val angle(pw_check *ck, const pw_joint_form *joint) {
  pw_dag *dag = ck->dag;
  pw_node s, along;
  relative(ck, joint, &s, &along);
  int signal = turns_of(ck, joint);
  pw_node turns = pw_signal_slot(ck, signal, 0);
  pw_node half_turns = pw_mul(dag, pw_const(dag, PW_PI), turns);
  pw_node sign = ck->symbols ? pw_const(dag, 1) : pw_apply1(dag, PW_OP_COS, half_turns);
  pw_node y = pw_mul(dag, sign, along);
  pw_node x = pw_mul(dag, sign, s);
  pw_node beyond = doubled_angle(dag, y, x);
  ck->m->signals.items[signal].value = beyond;
  pw_node whole = pw_mul(dag, pw_const(dag, ck->symbols ? 4 : 2), half_turns);
  return pw_scalar_val(pw_add(dag, whole, beyond));
}

static pw_val shift(pw_check *ck, const pw_joint_form *joint) {
  if (joint->kind != PW_JOINT_PLANAR) {
    return pw_scalar_val(pw_joint_along(ck, joint, joint->n));
  }
  pw_node out[2];
  for (int i = 0; i < 2; i++) {
    out[i] = pw_joint_along(ck, joint, joint->e[i]);
  }
  return pw_vector_val(ck, out, 2);
}

/* ---- calls ---- */

typedef enum joint_question { ANGLE, SHIFT, MOMENT, QUESTIONS } joint_question;

static const char *const questions[QUESTIONS] = {"angle", "shift", "moment"};

static joint_question question_of(const char *name) {
  int which = 0;
  while (which < QUESTIONS && strcmp(questions[which], name) != 0) {
    which++;
  }
  return (joint_question)which;
}

bool pw_is_joint_call(const char *name) {
  return question_of(name) != QUESTIONS;
}

static bool has_answer(const pw_joint_form *joint, joint_question which) {
  switch (joint->kind) {
  case PW_JOINT_REVOLUTE: return which != SHIFT;
  case PW_JOINT_PRISMATIC: return which != ANGLE;
  case PW_JOINT_CYLINDRICAL:
  case PW_JOINT_PLANAR: return true;
  default: return which == MOMENT;
  }
}

static pw_val no_answer(pw_check *ck, const pw_ex *ex, const pw_joint_form *joint) {
  pw_diag_ref d = pw_elab_error(ck, "E0264", ex->span, "a %s joint has no `%s`",
                                pw_joint_word(joint->kind), ex->arg[0]->name);
  pw_label(d, strcmp(ex->arg[0]->name, "angle") == 0
                  ? "revolute, cylindrical and planar joints have one angle"
                  : "prismatic, cylindrical and planar joints have a shift");
  pw_help(d, "write it with `.R` and `.p` of its bodies");
  return PW_BAD_VAL;
}

static const pw_joint_form *joint_argument(pw_check *ck, const pw_ex *ex) {
  int row, n;
  if (ex->n_arg != 2) {
    pw_diag_ref d =
        pw_elab_error(ck, "E0108", ex->span, "`%s` takes the name of one joint", ex->arg[0]->name);
    pw_label(d, "%d arguments given", ex->n_arg - 1);
    return NULL;
  }
  if (!pw_law_rows(ck, ex->arg[1], &row, &n)) {
    return NULL;
  }
  const pw_joint_form *joint = pw_joint_of(ck, row);
  if (joint == NULL || n != joint->n_place + joint->n_turn) {
    pw_diag_ref d = pw_elab_error(ck, "E0264", ex->arg[1]->span, "`%s` is not a joint",
                                  pw_text_of(ck, ex->arg[1]->span));
    pw_label(d, "`%s` asks a joint", ex->arg[0]->name);
    return NULL;
  }
  return joint;
}

pw_val pw_elab_joint_call(pw_check *ck, const pw_ex *ex) {
  joint_question which = question_of(ex->arg[0]->name);
  if (which == MOMENT && (ck->site & PW_MAY_FORCE) == 0) {
    return pw_report_force_use(ck, ex);
  }
  const pw_joint_form *joint = joint_argument(ck, ex);
  if (joint == NULL) {
    return PW_BAD_VAL;
  }
  if (!has_answer(joint, which)) {
    return no_answer(ck, ex, joint);
  }
  return which == ANGLE ? angle(ck, joint) : which == SHIFT ? shift(ck, joint) : moment(ck, joint);
}

/* ---- joints that are driven ---- */

bool pw_joint_rate(pw_check *ck, int row, pw_node *out) {
  const pw_joint_form *joint = pw_joint_of(ck, row);
  pw_node freedom, s, along;
  if (joint->kind == PW_JOINT_REVOLUTE) { /* turns do not matter to a rate */
    relative(ck, joint, &s, &along);
    freedom = doubled_angle(ck->dag, along, s);
  } else {
    freedom = shift(ck, joint).node;
  }
  return pw_elab_rate(ck, &freedom, 1, out);
}

static bool names_joint(pw_check *ck, const pw_ex *ref) {
  while (ref->kind == PW_EX_INDEX) {
    ref = ref->arg[0];
  }
  ref = pw_part_member(ck, ref);
  const pw_symbol *sym = ref->kind == PW_EX_NAME ? pw_env_find(&ck->env, ref->name) : NULL;
  return sym != NULL && sym->defined && sym->val.kind == PW_V_LAW &&
         sym->val.sym->stmt->kind == PW_ST_JOINT;
}

pw_target pw_resolve_driven(pw_check *ck, const pw_ex *ref, const char *purpose) {
  pw_target bad = {.kind = PW_TG_BAD};
  int row, n;
  if (!names_joint(ck, ref)) {
    return pw_resolve(ck, ref, purpose);
  }
  if (!pw_law_rows(ck, ref, &row, &n)) {
    return bad;
  }
  const pw_joint_form *joint = pw_joint_of(ck, row);
  bool single = joint != NULL && n == joint->n_place + joint->n_turn &&
                (joint->kind == PW_JOINT_REVOLUTE || joint->kind == PW_JOINT_PRISMATIC);
  if (!single) {
    pw_diag_ref d = pw_error(ck->diags, "E0264", ref->span, "`%s` has not one freedom to drive",
                             pw_text_of(ck, ref->span));
    pw_label(d, "only revolute and prismatic joints can be driven as a whole");
    pw_help(d, "name what is driven: the coordinates of its bodies, or `force at` a point");
    return bad;
  }
  return (pw_target){.kind = PW_TG_JOINT, .coord = row, .n = 1, .each = 1, .name = ref->name};
}
