// SPDX-License-Identifier: MIT
/* Constraints and servos: the relation decides the kind, clauses change it. */
#include <math.h>
#include <string.h>

#include "model/law_rows.h"
#include "model/pieces.h"

static bool is_impact_clause(pw_clause_kind kind) {
  return kind == PW_CL_RESTITUTION || kind == PW_CL_POISSON;
}

/* The clause that replaces the constraint by something else, or NULL. */
static const pw_clause *replacing_clause(const pw_stmt *s) {
  for (int i = 0; i < s->u.law.n; i++) {
    pw_clause_kind k = s->u.law.items[i].kind;
    if (k == PW_CL_VAKONOMIC || k == PW_CL_INERTIA || k == PW_CL_VISCOUS) {
      return &s->u.law.items[i];
    }
  }
  return NULL;
}

static pw_kind infer_kind(const pw_stmt *s, unsigned has) {
  const pw_clause *r = replacing_clause(s);
  bool velocity = (has & PW_HAS_U) != 0;
  if (r != NULL) {
    return r->kind == PW_CL_VAKONOMIC ? PW_KIND_VAKONOMIC
           : r->kind == PW_CL_INERTIA ? PW_KIND_INERTIA
                                      : PW_KIND_VISCOUS;
  }
  if (s->u.law.rel.op == PW_REL_EQ) {
    return velocity                   ? PW_KIND_NONHOLONOMIC
           : (has & PW_HAS_TIME) != 0 ? PW_KIND_RHEONOMIC
                                      : PW_KIND_HOLONOMIC;
  }
  return velocity ? PW_KIND_ONE_SIDED_VELOCITY : PW_KIND_UNILATERAL;
}

static bool check_dependence(pw_check *ck, unsigned has) {
  const pw_rel *rel = &ck->stmt->u.law.rel;
  if ((has & (PW_HAS_Q | PW_HAS_U)) != 0) {
    return true;
  }
  pw_diag_ref d = pw_error(ck->diags, "E0201", rel->span, "`%s` does not restrict the motion",
                           ck->stmt->u.law.label.name.text);
  pw_label(d, (has & PW_HAS_TIME) != 0 ? "only the time occurs in it, no coordinate"
                                       : "no coordinate occurs in it");
  return false;
}

/* ---- impact laws ---- */

static const char *impact_question(pw_check *ck) {
  const pw_rel *rel = &ck->stmt->u.law.rel;
  const pw_ex *l = rel->left;
  bool simple = l->kind == PW_EX_NAME || l->kind == PW_EX_INDEX || l->kind == PW_EX_FIELD;
  const char *left = pw_text_of(ck, l->span), *right = pw_text_of(ck, rel->right->span);
  bool number = rel->right->kind == PW_EX_NUM || rel->right->kind == PW_EX_NAME ||
                (rel->right->kind == PW_EX_NEG && rel->right->arg[0]->kind <= PW_EX_NAME);
  if (!simple || !number) {
    return "what happens when the two sides meet with a velocity?";
  }
  return pw_format_text(ck, "what happens when %s reaches %s with %s' %s 0?", left, right, left,
                        rel->op == PW_REL_GE ? "<" : ">");
}

static bool report_no_impact_law(pw_check *ck) {
  pw_name name = ck->stmt->u.law.label.name;
  pw_diag_ref d = pw_error(ck->diags, "E0202", name.span,
                           "unilateral constraint `%s` has no impact law", name.text);
  pw_label(d, "%s", impact_question(ck));
  if (pw_find_clause(ck->stmt, PW_CL_STIFFNESS) != NULL) {
    pw_help(d, "a floor that gives way has damping too: add `, viscous N` to `stiffness`");
  } else {
    pw_help(d, "add `, restitution 0` (no bounce), `, restitution 0.8`, or `, poisson 0.8`");
  }
  return false;
}

static bool check_impact_clauses(pw_check *ck, unsigned has, pw_clauses *out) {
  const pw_stmt *s = ck->stmt;
  const pw_clause *restitution = pw_find_clause(s, PW_CL_RESTITUTION);
  const pw_clause *poisson = pw_find_clause(s, PW_CL_POISSON);
  const pw_clause *given = restitution != NULL ? restitution : poisson;
  const pw_clause *replaced = replacing_clause(s);
  if (restitution != NULL && poisson != NULL) {
    return pw_exclude(ck, restitution, poisson, "an impact has one law: Newton's or Poisson's");
  }
  if (given == NULL) {
    bool needed = s->u.law.rel.op != PW_REL_EQ && (has & PW_HAS_U) == 0 && replaced == NULL;
    return needed && !ck->outside.laws_open ? report_no_impact_law(ck) : true;
  }
  if (replaced != NULL) {
    return pw_no_effect(ck, given, "with `%s` there are no impacts",
                        pw_clause_word(replaced->kind));
  }
  if (s->u.law.rel.op == PW_REL_EQ) {
    return pw_no_effect(ck, given, "an equality never opens, so nothing can hit it");
  }
  if ((has & PW_HAS_U) != 0) {
    return pw_no_effect(ck, given, "velocities do not jump at a constraint on velocities");
  }
  out->impact = poisson != NULL ? PW_IMPACT_POISSON : PW_IMPACT_NEWTON;
  /* above 1 only a run option allows it, which is not known yet: see the checks of the start */
  return pw_clause_value(ck, given, 0, (double)INFINITY, &out->restitution);
}

/* ---- vakonomic, inertia, viscous ---- */

static bool check_vakonomic(pw_check *ck, const pw_clause *c, unsigned has) {
  if ((has & PW_HAS_U) == 0) {
    return pw_no_effect(ck, c, "for a constraint on positions both principles agree");
  }
  return true;
}

static bool report_no_inertia(pw_check *ck, const pw_clause *c) {
  pw_diag_ref d =
      pw_error(ck->diags, "E0221", c->ex->span, "`inertia` needs a function of the velocities");
  pw_label(d, "no velocity occurs in it");
  pw_note(d,
          "the multiplier of `%s` adds lambda times this to the kinetic energy, as a flywheel does",
          ck->stmt->u.law.label.name.text);
  pw_help(d,
          "write the momentum that is controlled: `inertia th'`, or `vakonomic` for the constraint "
          "itself");
  return false;
}

/* `inertia` gives one function for each of the n components; `which` is the one asked for. */
static bool check_inertia_clause(pw_check *ck, const pw_clause *c, int n, int which,
                                 pw_clauses *out) {
  pw_val phi;
  if (!pw_elab_list(ck, c->ex, n, "`inertia`", &phi)) {
    return false;
  }
  for (int i = 0; i < phi.n; i++) {
    if ((pw_has(ck, phi.v[i]) & PW_HAS_U) == 0) {
      return report_no_inertia(ck, c);
    }
  }
  if (c->word != NULL && ck->stmt->u.law.rel.op == PW_REL_EQ) {
    pw_diag_ref d = pw_error(ck->diags, "E0203", c->span, "`%s` has no effect on `%s`", c->word,
                             ck->stmt->u.law.label.name.text);
    pw_label(d, "it is a choice for `>=` only");
    pw_help(d, "remove the word");
    return false;
  }
  out->phi = phi.v[which];
  out->complementary = c->word != NULL && strcmp(c->word, "complementary") == 0;
  return true;
}

static bool check_viscous(pw_check *ck, const pw_clause *viscous, const pw_clause *stiffness,
                          unsigned has, pw_clauses *out) {
  bool ok = pw_clause_value(ck, viscous, 0, (double)INFINITY, &out->viscous);
  bool velocity = (has & PW_HAS_U) != 0;
  if (stiffness == NULL && !velocity) {
    pw_diag_ref d = pw_error(ck->diags, "E0217", viscous->span,
                             "a viscous constraint on positions needs a stiffness");
    pw_label(d, "without one it would sink in without end");
    pw_help(d, "add `, stiffness K` (with `--realise`: `viscous:N:K`)");
    return false;
  }
  if (stiffness != NULL && velocity) {
    return pw_no_effect(ck, stiffness, "a constraint on velocities has no position to restore");
  }
  if (ok && velocity && pw_is_value(ck->dag, out->viscous, 0)) {
    pw_diag_ref d = pw_error(ck->diags, "E0205", viscous->ex->span, "`viscous` must be positive");
    pw_label(d, "with 0 no force acts");
    pw_help(d, "delete `%s` to see the motion without it", ck->stmt->u.law.label.name.text);
    return false;
  }
  return (stiffness == NULL ||
          pw_clause_value(ck, stiffness, 0, (double)INFINITY, &out->stiffness)) &&
         ok;
}

static bool check_replacing_clauses(pw_check *ck, const pw_val *value, int which, pw_clauses *out) {
  unsigned has = pw_has(ck, value->v[which]);
  const pw_stmt *s = ck->stmt;
  const pw_clause *first = replacing_clause(s);
  const pw_clause *stiffness = pw_find_clause(s, PW_CL_STIFFNESS);
  for (int i = 0; first != NULL && i < s->u.law.n; i++) {
    const pw_clause *c = &s->u.law.items[i];
    bool replaces =
        c->kind == PW_CL_VAKONOMIC || c->kind == PW_CL_INERTIA || c->kind == PW_CL_VISCOUS;
    if (replaces && c != first) {
      return pw_exclude(ck, first, c, "a constraint is realised in one way");
    }
  }
  if (stiffness != NULL && (first == NULL || first->kind != PW_CL_VISCOUS)) {
    return pw_no_effect(ck, stiffness, "it belongs to `viscous N` on a position constraint");
  }
  if (first == NULL) {
    return true;
  }
  switch (first->kind) {
  case PW_CL_VAKONOMIC: out->phi = value->v[which]; return check_vakonomic(ck, first, has);
  case PW_CL_INERTIA: return check_inertia_clause(ck, first, value->n, which, out);
  default: return check_viscous(ck, first, stiffness, has, out);
  }
}

static bool check_foreign_clauses(pw_check *ck) {
  const pw_stmt *s = ck->stmt;
  for (int i = 0; i < s->u.law.n; i++) {
    const pw_clause *c = &s->u.law.items[i];
    if (!is_impact_clause(c->kind) && c->kind > PW_CL_STIFFNESS) {
      return pw_no_effect(ck, c, "it does not belong to a constraint");
    }
  }
  return true;
}

/* ---- constraint ---- */

static bool is_one_sided(pw_kind kind) {
  return kind == PW_KIND_UNILATERAL || kind == PW_KIND_ONE_SIDED_VELOCITY;
}

/* The pieces of one constraint with corners share its clauses. */
static bool add_pieces(pw_check *ck, const char *name, const pw_row_draft *whole,
                       const pw_val *value) {
  pw_row_draft *drafts = PW_TAKE(ck->arena, value->n, pw_row_draft);
  int first = ck->m->rows.n;
  for (int i = 0; i < value->n; i++) {
    drafts[i] = *whole;
  }
  bool ok = pw_add_rows(ck, name, drafts, value, ck->stmt->u.law.rel.span);
  for (int i = first; i < ck->m->rows.n; i++) {
    ck->m->rows.items[i].is_piece = true;
  }
  return ok;
}

static bool constraint_member(pw_check *ck, const char *name) {
  const pw_rel *rel = &ck->stmt->u.law.rel;
  pw_val value;
  if (!check_foreign_clauses(ck) || !pw_elab_relation(ck, rel, &value)) {
    return false;
  }
  pw_row_draft *drafts = PW_TAKE(ck->arena, value.n, pw_row_draft);
  bool one_sided = false;
  for (int i = 0; i < value.n; i++) {
    unsigned has = pw_has(ck, value.v[i]);
    drafts[i] = (pw_row_draft){infer_kind(ck->stmt, has), PW_NO_CLAUSES};
    if (!pw_check_place_signals(ck, value.v[i], rel->span) || !check_dependence(ck, has) ||
        !check_impact_clauses(ck, has, &drafts[i].clause) ||
        !check_replacing_clauses(ck, &value, i, &drafts[i].clause)) {
      return false;
    }
    one_sided = is_one_sided(drafts[i].kind);
    if (one_sided && !pw_check_corner(ck, name, value.v[i], (has & PW_HAS_U) != 0)) {
      return false;
    }
  }

  /* Corners that point outwards are where several smooth constraints meet. */
  int stated = value.n;
  if (one_sided && !pw_constraint_pieces(ck, name, &value)) {
    return false;
  }
  return value.n > stated ? add_pieces(ck, name, drafts, &value)
                          : pw_add_rows(ck, name, drafts, &value, rel->span);
}

void pw_check_constraint(pw_check *ck) {
  int first = ck->m->rows.n, errors = pw_check_errors(ck);
  pw_law_members(ck, constraint_member);
  if (pw_check_errors(ck) == errors) {
    pw_add_flanks(ck, first);
  }
}

/* ---- servo ---- */

typedef PW_LIST(pw_target) target_list;

static bool is_named(const target_list *named, const pw_target *t) {
  for (int i = 0; i < named->n; i++) {
    const pw_target *o = &named->items[i];
    if (o->kind == t->kind && o->coord == t->coord && o->first == t->first &&
        o->space == t->space) {
      return true;
    }
  }
  return false;
}

/* One coordinate of `by`, and its factor. */
static bool check_by_part(pw_check *ck, const pw_by *part, target_list *named,
                          pw_force_draft *phi) {
  pw_target t = pw_resolve_driven(ck, part->ref, "`by` names the coordinates that are driven");
  pw_val factor = {.n = 1, .v = (pw_node[]){pw_const(ck->dag, 1)}};
  bool good = pw_target_takes_force(ck, part->ref, &t);
  if (good && t.n != 1) {
    pw_diag_ref d = pw_error(ck->diags, "E0218", part->ref->span, "`by` needs single components");
    pw_label(d, "name one of them: `%s[1]`", pw_text_of(ck, part->ref->span));
    good = false;
  } else if (good && is_named(named, &t)) {
    pw_diag_ref d = pw_error(ck->diags, "E0218", part->ref->span, "`by` names `%s` twice",
                             pw_text_of(ck, part->ref->span));
    pw_label(d, "has its factor already");
    pw_help(d, "write one factor, the sum of both");
    good = false;
  }
  if (part->factor != NULL) {
    good = pw_elab_list(ck, part->factor, 1, "a factor of `by`", &factor) && good;
  }
  if (good) {
    PW_PUSH(ck->arena, named, t);
    pw_add_covector(ck, &t, factor.v, phi);
  }
  return good;
}

/* The covector Phi of `by`. */
static bool check_by(pw_check *ck, const pw_clause *by, pw_force_draft *phi) {
  target_list named = {0};
  bool ok = true;
  for (int i = 0; i < by->by.n; i++) {
    ok = check_by_part(ck, &by->by.items[i], &named, phi) && ok;
  }
  bool zero = ok;
  for (int i = 0; i < phi->parts.n; i++) {
    zero = zero && pw_is_value(ck->dag, phi->parts.items[i].c, 0);
  }
  if (zero) {
    pw_diag_ref d = pw_error(ck->diags, "E0218", by->span, "the servo has no force");
    pw_label(d, "every factor is zero");
  }
  return ok && !zero;
}

static bool servo_member(pw_check *ck, const char *name) {
  const pw_stmt *s = ck->stmt;
  const pw_rel *rel = &s->u.law.rel;
  const pw_clause *by = pw_find_clause(s, PW_CL_BY);
  pw_val value;

  /* A servo fulfils its relation by a force, and the model must say which. */
  if (by == NULL) {
    pw_diag_ref d = pw_error(ck->diags, "E0217", s->u.law.label.name.span, "servo `%s` has no `by`",
                             s->u.law.label.name.text);
    pw_label(d, "which force realises it?");
    pw_help(d, "add the driven coordinate: `, by x`");
    return false;
  }

  /* One force fulfils one equation, so the relation is between numbers. */
  bool ok = pw_elab_relation(ck, rel, &value);
  if (ok && value.n != 1) {
    pw_diag_ref d = pw_error(ck->diags, "E0106", rel->span, "a servo needs a relation of numbers");
    pw_label(d, "this is a relation of vectors of %d", value.n);
    pw_help(d, "write one servo for each component, each with its own `by`");
    ok = false;
  }
  ok = ok && pw_check_place_signals(ck, value.v[0], rel->span) &&
       check_dependence(ck, pw_has(ck, value.v[0]));

  /* The row of the relation, with the covector along which its force acts. */
  pw_row_draft draft = {PW_KIND_SERVO, PW_NO_CLAUSES};
  draft.clause.one_way = pw_find_clause(s, PW_CL_ONE_WAY) != NULL;
  pw_by_draft phi = {.row = ck->m->rows.n};
  ok = check_by(ck, by, &phi.covector) && ok;
  if (!ok || !pw_add_rows(ck, name, &draft, &value, rel->span)) {
    return false;
  }
  PW_PUSH(ck->arena, &ck->bys, phi);
  return true;
}

void pw_check_servo(pw_check *ck) {
  pw_law_members(ck, servo_member);
}
