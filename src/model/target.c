// SPDX-License-Identifier: MIT
/* References to coordinates, as start values, forces and `by` name them: x, x[3], x', b.p, b.p[1]',
 * R, b.R, R.w, b.W[2]. */
#include <string.h>

#include "model/part.h"

static const pw_target bad = {.kind = PW_TG_BAD};

static pw_target not_a_coordinate(pw_check *ck, const pw_ex *ref, const char *found,
                                  const char *purpose) {
  pw_diag_ref d = pw_error(ck->diags, "E0300", ref->span, "`%s` is not a coordinate",
                           pw_text_of(ck, ref->span));
  pw_label(d, "this is %s; %s", found, purpose);
  return bad;
}

static pw_target resolve_name(pw_check *ck, const pw_ex *ref, const char *purpose) {
  const pw_symbol *sym = pw_env_find(&ck->env, ref->name);
  if (sym != NULL && sym->kind == PW_SYM_ENERGY) { /* else: known only in outputs */
    return not_a_coordinate(ck, ref, "an energy", purpose);
  }
  pw_val val = pw_elab(ck, ref);
  pw_target t = {.coord = val.coord, .n = 1, .each = 1, .name = ref->name};
  if (val.kind == PW_V_BAD) {
    return bad;
  }
  if (sym != NULL && sym->kind == PW_SYM_COORDINATE && val.kind == PW_V_SCALAR) {
    t.kind = PW_TG_PLACE;
    t.coord = ck->draft.of_q.items[pw_var_index(pw_node_var(ck->dag, val.node))];
    return t;
  }
  if (sym != NULL && (sym->kind == PW_SYM_STATE || sym->kind == PW_SYM_SAMPLE)) {
    t.kind = PW_TG_SIGNAL;
    t.coord = pw_signal_of(ck->m, pw_var_index(pw_node_var(ck->dag, val.node)));
    return t;
  }
  switch (val.kind) {
  case PW_V_ROTATION: t.kind = PW_TG_ROTATION; return t;
  case PW_V_BODY: t.kind = PW_TG_BODY; return t;
  case PW_V_FAMILY:
    t.kind = PW_TG_FAMILY;
    t.n = val.n;
    t.lo = val.lo;
    t.each = val.each;
    return t;
  default: break;
  }
  const char *found = sym == NULL ? pw_val_kind_name(ck, val)
                                  : pw_format_text(ck, "a %s", pw_symbol_kind_name(sym));
  return not_a_coordinate(ck, ref, found, purpose);
}

pw_target pw_target_member(const pw_target *family, int index) {
  pw_target t = *family;
  t.kind = family->each == 1 ? PW_TG_PLACE : PW_TG_BODY;
  t.coord += (index - family->lo) * family->each;
  t.n = 1;
  return t;
}

static pw_target resolve_index(pw_check *ck, const pw_ex *ref, const char *purpose) {
  pw_target t = pw_resolve(ck, ref->arg[0], purpose);
  int i;
  if (t.kind == PW_TG_FAMILY) {
    return pw_elab_index(ck, ref->arg[1], t.lo, t.n, ref->arg[0], &i) ? pw_target_member(&t, i)
                                                                      : bad;
  }
  if (t.kind == PW_TG_BAD) {
    return t;
  }
  if (!t.is_vector || t.n != 3) {
    pw_diag_ref d = pw_error(ck->diags, "E0107", ref->span, "`%s` has no components",
                             pw_text_of(ck, ref->arg[0]->span));
    pw_label(d, "it is not a vector");
    return bad;
  }
  if (!pw_elab_index(ck, ref->arg[1], 1, 3, ref->arg[0], &i)) {
    return bad;
  }
  if (t.kind == PW_TG_SPIN) {
    t.first = i - 1;
  } else {
    t.coord += i - 1;
  }
  t.n = 1;
  t.is_vector = false;
  return t;
}

static pw_target resolve_field(pw_check *ck, const pw_ex *ref, const char *purpose) {
  pw_target t = pw_resolve(ck, ref->arg[0], purpose);
  bool body = t.kind == PW_TG_BODY;

  /* Parts belong to one body or rotation, not to a family. */
  if (t.kind == PW_TG_BAD) {
    return t;
  }
  if (t.kind == PW_TG_FAMILY) {
    pw_diag_ref d = pw_error(ck->diags, "E0105", ref->arg[0]->span, "`%s` is a family", t.name);
    pw_label(d, "name a member: `%s[%d]`", t.name, t.lo);
    return bad;
  }

  /* A body has its place first, then its rotation. */
  if (body && strcmp(ref->name, "p") == 0) {
    t.kind = PW_TG_PLACE;
    t.n = 3;
    t.is_vector = true;
    return t;
  }
  if (body && strcmp(ref->name, "R") == 0) {
    t.kind = PW_TG_ROTATION;
    t.coord += 3;
    return t;
  }

  /* Angular velocity, `w` in space axes and `W` in body axes. */
  bool spin = strcmp(ref->name, "w") == 0 || strcmp(ref->name, "W") == 0;
  if (spin && (body || t.kind == PW_TG_ROTATION)) {
    t.coord += body ? 3 : 0;
    t.kind = PW_TG_SPIN;
    t.n = 3;
    t.is_vector = true;
    t.space = ref->name[0] == 'w';
    return t;
  }

  /* The four numbers of a quaternion are not free: |q| = 1. */
  if (t.kind == PW_TG_ROTATION && strcmp(ref->name, "q") == 0) {
    pw_diag_ref d =
        pw_error(ck->diags, "E0300", ref->span, "the quaternion of a rotation cannot be set");
    pw_label(d, "give an axis and an angle: `%s = axis(u1, u2, u3, angle)`",
             pw_text_of(ck, ref->arg[0]->span));
    return bad;
  }

  /* No other parts can be set. */
  pw_diag_ref d = pw_error(ck->diags, "E0109", ref->mark, "`%s` has no part `%s`",
                           pw_text_of(ck, ref->arg[0]->span), ref->name);
  pw_label(d, body ? "a body has `p`, `R`, `w` and `W`" : "only bodies and rotations have parts");
  return bad;
}

pw_target pw_resolve(pw_check *ck, const pw_ex *ref, const char *purpose) {
  if (ck->spent.depth >= PW_MAX_DEPTH) {
    pw_elab(ck, ref);
    return bad;
  }
  pw_deeper(&ck->spent, 1);
  ref = pw_part_member(ck, ref);
  pw_target t = bad;
  switch (ref->kind) {
  case PW_EX_NAME: t = resolve_name(ck, ref, purpose); break;
  case PW_EX_INDEX: t = resolve_index(ck, ref, purpose); break;
  case PW_EX_FIELD: t = resolve_field(ck, ref, purpose); break;
  case PW_EX_PRIME:
    t = pw_resolve(ck, ref->arg[0], purpose);
    t.primes++;
    break;
  default: t = not_a_coordinate(ck, ref, "an expression", purpose); break;
  }
  pw_deeper(&ck->spent, -1);
  return t;
}
