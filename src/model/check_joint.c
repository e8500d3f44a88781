// SPDX-License-Identifier: MIT
/* Joints: bodies, points and axes of the statement, then its rows. */
#include <math.h>
#include <string.h>

#include "model/joint_form.h"
#include "model/law_rows.h"

static bool needs_axis(pw_joint_kind kind) {
  return kind != PW_JOINT_FIXED && kind != PW_JOINT_SPHERICAL;
}

/* The first coordinate of the body; -1 for space. */
static bool resolve_body(pw_check *ck, const pw_joint_end *end, int *body) {
  const pw_symbol *named = pw_joint_on_ground(end) ? pw_env_find(&ck->env, end->body->name) : NULL;
  if (named != NULL) {
    pw_diag_ref d = pw_error(ck->diags, "E0261", end->body->span, "`ground` is space in a joint");
    pw_label(d, "and the model has a %s of this name", pw_symbol_kind_name(named));
    pw_second(d, named->span, "defined here");
    pw_help(d, "choose another name for it");
    return false;
  }
  *body = -1;
  if (pw_joint_on_ground(end)) {
    return true;
  }
  pw_val val = pw_elab(ck, end->body);
  if (val.kind != PW_V_BODY) {
    pw_bad_kind(ck, end->body, val, "a body or `ground`");
    return false;
  }
  *body = val.coord;
  return true;
}

static bool check_pair(pw_check *ck, const pw_joint *joint, const pw_joint_form *form) {
  if (form->body[0] != form->body[1]) {
    return true;
  }
  pw_diag_ref d = pw_error(ck->diags, "E0261", joint->end[1].body->span,
                           form->body[0] < 0 ? "a joint between `ground` and itself"
                                             : "a joint between a body and itself");
  pw_label(d, "the same as the first one");
  pw_second(d, joint->end[0].body->span, "the first one");
  pw_help(d, form->body[0] < 0 ? "name a body: a joint connects two bodies, or one with space"
                               : "name another body, or `ground` for space");
  return false;
}

/* A point moves with its body: in the body's frame it is given by numbers and the time. */
static bool check_point(pw_check *ck, const pw_joint_end *end, pw_node out[3]) {
  pw_val at;
  if (end->at == NULL) {
    for (int i = 0; i < 3; i++) {
      out[i] = pw_const(ck->dag, 0);
    }
    return true;
  }
  if (!pw_elab_list(ck, end->at, 3, "the point of a joint", &at)) {
    return false;
  }
  memcpy(out, at.v, 3 * sizeof *out);
  for (int i = 0; i < 3; i++) {
    if ((pw_has(ck, at.v[i]) & ~(unsigned)PW_HAS_TIME) != 0) {
      pw_diag_ref d = pw_error(ck->diags, "E0262", end->at->span,
                               "the point of a joint cannot depend on the motion");
      pw_label(d, "a fixed point in the frame of `%s`", pw_text_of(ck, end->body->span));
      pw_help(d, "use numbers, parameters and `t`; what moves otherwise is a `constraint`");
      return false;
    }
  }
  return true;
}

/* A unit vector, whatever its size in the text. */
static bool check_direction(pw_check *ck, const pw_ex *ex, double out[3]) {
  pw_val val;
  if (!pw_elab_list(ck, ex, 3, "the axis of a joint", &val)) {
    return false;
  }
  double scale = 0;
  for (int i = 0; i < 3; i++) {
    if (!pw_known_number(ck, val.v[i], &out[i])) {
      pw_diag_ref d = pw_error(ck->diags, "E0262", ex->span,
                               "the axis of a joint must be known before the run");
      pw_label(d, "use numbers and parameters");
      return false;
    }
    scale = fmax(scale, fabs(out[i]));
  }
  if (!(scale > 0)) {
    pw_diag_ref d = pw_error(ck->diags, "E0263", ex->span, "the axis of a joint is zero");
    pw_label(d, "(0, 0, 0) is no direction");
    return false;
  }
  double x = out[0] / scale, y = out[1] / scale, z = out[2] / scale;
  double norm = sqrt(x * x + y * y + z * z);
  out[0] = x / norm;
  out[1] = y / norm;
  out[2] = z / norm;
  return true;
}

static bool report_axis(pw_check *ck, const pw_joint *joint, bool missing) {
  const char *word = pw_joint_word(joint->kind);
  if (missing) {
    pw_diag_ref d = pw_error(ck->diags, "E0263", joint->span, "a %s joint needs an axis", word);
    pw_label(d, "its direction is not given");
    pw_help(d, "add `, axis (0, 0, 1)`: the components in the frame of the first body");
    return false;
  }
  bool second = joint->axis[1] != NULL;
  pw_diag_ref d = pw_error(ck->diags, "E0263", joint->axis[second]->span, "a %s joint has %s", word,
                           second ? "one axis" : "no axis");
  pw_label(d, second ? "a second one" : "has no effect");
  pw_help(d, "remove it");
  return false;
}

/* The axes of a universal joint are across each other where its frames coincide; a second one that
 * is not given follows the first in the order x, y, z. */
static bool check_second_axis(pw_check *ck, const pw_joint *joint, const double n[3],
                              double second[3]) {
  if (joint->axis[1] == NULL) {
    int most = 0;
    for (int i = 1; i < 3; i++) {
      most = fabs(n[i]) > fabs(n[most]) ? i : most;
    }
    double along = n[(most + 1) % 3];
    double norm = sqrt(1 - along * along);
    for (int i = 0; i < 3; i++) {
      second[i] = ((i == (most + 1) % 3) - along * n[i]) / norm;
    }
    return true;
  }
  return check_direction(ck, joint->axis[1], second);
}

static bool check_axes(pw_check *ck, const pw_joint *joint, pw_joint_form *form, double second[3]) {
  bool universal = joint->kind == PW_JOINT_UNIVERSAL;
  if (joint->axis[0] == NULL) {
    return needs_axis(joint->kind) ? report_axis(ck, joint, true) : true;
  }
  if (!needs_axis(joint->kind) || (joint->axis[1] != NULL && !universal)) {
    return report_axis(ck, joint, false);
  }
  return check_direction(ck, joint->axis[0], form->n) &&
         (!universal || check_second_axis(ck, joint, form->n, second));
}

static bool add_rows(pw_check *ck, const char *name, const pw_joint_form *form, pw_span span) {
  pw_node values[PW_JOINT_ROWS];
  pw_row_draft drafts[PW_JOINT_ROWS];
  int n = form->n_place + form->n_turn;
  pw_joint_values(ck, form, values);
  for (int k = 0; k < n; k++) {
    bool moves = (pw_has(ck, values[k]) & PW_HAS_TIME) != 0;
    drafts[k] = (pw_row_draft){moves ? PW_KIND_RHEONOMIC : PW_KIND_HOLONOMIC, PW_NO_CLAUSES};
  }
  pw_val value = pw_vector_val(ck, values, n);
  return pw_add_rows(ck, name, drafts, &value, span);
}

static bool joint_member(pw_check *ck, const char *name) {
  const pw_joint *joint = ck->stmt->u.law.joint;
  pw_joint_form form = {.row = ck->m->rows.n, .kind = joint->kind};
  double second[3] = {0};
  bool ok = true;
  for (int i = 0; i < 2; i++) {
    ok = resolve_body(ck, &joint->end[i], &form.body[i]) && ok;
    ok = check_point(ck, &joint->end[i], form.at[i]) && ok;
  }
  ok = check_axes(ck, joint, &form, second) && ok;
  if (!ok || !check_pair(ck, joint, &form)) {
    return false;
  }
  pw_joint_lay_out(&form, second);
  PW_PUSH(ck->arena, &ck->joints, form);
  return add_rows(ck, name, &form, joint->span);
}

void pw_check_joint(pw_check *ck) {
  pw_law_members(ck, joint_member);
}
