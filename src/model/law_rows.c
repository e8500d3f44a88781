// SPDX-License-Identifier: MIT
#include "model/law_rows.h"

#include <math.h>
#include <stdio.h>

#include "base/assert.h"
#include "model/part.h"

/* ---- members ---- */

static bool same_size(pw_check *ck, const char *name, int rows, int each) {
  if (rows == each) {
    return true;
  }
  pw_error(ck->diags, "E0106", ck->stmt->u.law.label.name.span,
           "the members of a family must have the same number of components (`%s` has %d, not %d)",
           name, rows, each);
  return false;
}

/* The family that a statement of the same name goes on with: `c[i in 1..3]`, then `c[i in 4..5]`
 * with nothing else between them. NULL: it begins one. */
static pw_val *continued(pw_check *ck, int lo) {
  pw_symbol *sym = pw_env_find(&ck->env, ck->stmt->u.law.label.name.text);
  pw_val *law = sym != NULL && sym->defined ? &sym->val : NULL;
  bool family = law != NULL && law->kind == PW_V_LAW && law->is_family && law->pairs == NULL;
  bool next = family && lo == law->lo + law->n && ck->m->rows.n == law->row + law->n * law->each;
  return next ? law : NULL;
}

static bool expand(pw_check *ck, pw_member_fn member, int lo, int hi, pw_val *law) {
  const pw_heading *label = &ck->stmt->u.law.label;
  const pw_val *before_it = continued(ck, lo);
  int each = before_it != NULL && before_it->n > 0 ? before_it->each : 0;
  bool ok = true;
  for (int i = lo; i <= hi && ok; i++) {
    int before = ck->m->rows.n;
    const char *name = label->name.text;
    if (law->is_family) {
      pw_env_push(&ck->env, label->index, pw_scalar_val(pw_const(ck->dag, i)));
      name = pw_intern_format(ck->names, "%s[%d]", name, i);
    }
    ok = pw_spend(ck, 1) && member(ck, name);
    pw_env_clear(&ck->env);
    int rows = ck->m->rows.n - before;
    law->each = i > lo ? law->each : each > 0 ? each : rows;
    ok = ok && same_size(ck, name, rows, law->each);
  }
  return ok;
}

/* Members c[i][j] with j from lo2 to hi2. */
static bool expand_row(pw_check *ck, pw_member_fn member, int i, pw_pairs *out, pw_val *law) {
  const pw_heading *label = &ck->stmt->u.law.label;
  int lo, hi;
  pw_val first = pw_scalar_val(pw_const(ck->dag, i));
  pw_env_push(&ck->env, label->index, first);
  bool ok = pw_elab_range(ck, label->from2, label->to2, true, &lo, &hi);
  pw_env_clear(&ck->env);
  *out = (pw_pairs){.lo = ok ? lo : 0, .n = ok ? hi - lo + 1 : 0, .row = ck->m->rows.n};
  for (int j = out->lo; j < out->lo + out->n && ok; j++) {
    int before = ck->m->rows.n;
    const char *name = pw_intern_format(ck->names, "%s[%d][%d]", label->name.text, i, j);
    pw_env_push(&ck->env, label->index, first);
    pw_env_push(&ck->env, label->second, pw_scalar_val(pw_const(ck->dag, j)));
    ok = pw_spend(ck, 1) && member(ck, name);
    pw_env_clear(&ck->env);
    int rows = ck->m->rows.n - before;
    law->each = law->each == 0 ? rows : law->each;
    ok = ok && same_size(ck, name, rows, law->each);
  }
  return ok;
}

static void pair_members(pw_check *ck, pw_member_fn member) {
  const pw_heading *label = &ck->stmt->u.law.label;
  pw_val law = {.kind = PW_V_LAW, .row = ck->m->rows.n, .is_family = true};
  int lo, hi;
  bool ok = pw_elab_range(ck, label->from, label->to, true, &lo, &hi);
  law.lo = ok ? lo : 0;
  law.n = ok ? hi - lo + 1 : 0;
  pw_pairs *pairs = PW_TAKE(ck->arena, law.n + 1, pw_pairs);
  for (int i = 0; i < law.n && ok; i++) {
    ok = expand_row(ck, member, law.lo + i, &pairs[i], &law);
  }
  law.pairs = pairs;
  law.sym = pw_define_name(ck, label->name);
  if (law.sym != NULL) {
    law.sym->val = ok ? law : PW_BAD_VAL;
  }
}

void pw_law_members(pw_check *ck, pw_member_fn member) {
  const pw_heading *label = &ck->stmt->u.law.label;
  if (label->second.text != NULL) {
    pair_members(ck, member);
    return;
  }
  pw_val law = {
      .kind = PW_V_LAW, .row = ck->m->rows.n, .each = 1, .is_family = label->index.text != NULL};
  int lo = 0, hi = 0;
  bool ok = !law.is_family || pw_elab_range(ck, label->from, label->to, true, &lo, &hi);
  law.lo = lo;
  law.n = hi - lo + 1;
  pw_val *first = ok && law.is_family ? continued(ck, lo) : NULL;
  ok = ok && expand(ck, member, lo, hi, &law);
  if (first != NULL) {
    first->each = first->n > 0 ? first->each : law.each;
    first->n += law.n;
    *first = ok ? *first : PW_BAD_VAL;
    return;
  }
  law.sym = pw_define_name(ck, label->name);
  if (law.sym != NULL) {
    law.sym->val = ok ? law : PW_BAD_VAL;
  }
}

/* ---- rows ---- */

/* A constraint on positions acts along its gradient by positions, else by velocities: the rate of
 * its value must contain velocities, or accelerations. */
static bool check_gradient(pw_check *ck, pw_node value, bool on_velocity, pw_span span) {
  pw_node rate;
  if (!pw_elab_rate(ck, &value, 1, &rate)) {
    return false;
  }
  if ((pw_has(ck, rate) & (on_velocity ? PW_HAS_A : PW_HAS_U)) != 0) {
    return true;
  }
  pw_diag_ref d = pw_error(ck->diags, "E0207", span, "the gradient of this expression is zero");
  pw_label(d, "its derivative with respect to every %s vanishes, so no force can act on it",
           on_velocity ? "velocity" : "coordinate");
  return false;
}

bool pw_add_rows(pw_check *ck, const char *name, const pw_row_draft *drafts, const pw_val *value,
                 pw_span span) {
  int first = ck->m->rows.n;
  for (int i = 0; i < value->n; i++) {
    pw_row row = {.name = name,
                  .kind = drafts[i].kind,
                  .stmt = ck->stmt,
                  .span = ck->stmt->u.law.label.name.span,
                  .rel_span = span,
                  .first = first,
                  .count = value->n,
                  .clause = drafts[i].clause,
                  .start_force = (double)NAN};
    row.value = value->v[i];
    row.on_velocity = (pw_has(ck, row.value) & PW_HAS_U) != 0;
    if (value->n > 1) {
      row.name = pw_intern_format(ck->names, "%s[%d]", name, i + 1);
    }
    row.law = row.column = pw_acts_as_one(row.kind) ? name : row.name;
    PW_ASSERT(row.clause.on < first); /* a contact stands above its friction */
    if (!check_gradient(ck, row.value, row.on_velocity, span)) {
      return false;
    }
    PW_PUSH(ck->arena, &ck->m->rows, row);
  }
  return true;
}

bool pw_elab_relation(pw_check *ck, const pw_rel *rel, pw_val *out) {
  pw_val left, right;
  bool ok = pw_elab_list(ck, rel->left, 0, "the left side", &left);
  ok = pw_elab_list(ck, rel->right, 0, "the right side", &right) && ok;
  if (!ok) {
    return false;
  }
  if (left.n != right.n) {
    pw_diag_ref d = pw_error(ck->diags, "E0106", rel->span, "the two sides differ in length");
    pw_label(d, "%d component%s on the left, %d on the right", left.n, left.n == 1 ? "" : "s",
             right.n);
    return false;
  }
  pw_node *v = PW_TAKE(ck->arena, left.n, pw_node);
  for (int i = 0; i < left.n; i++) {
    v[i] = rel->op == PW_REL_LE ? pw_sub(ck->dag, right.v[i], left.v[i])
                                : pw_sub(ck->dag, left.v[i], right.v[i]);
  }
  *out = (pw_val){.kind = PW_V_VECTOR, .n = left.n, .v = v};
  return true;
}

/* ---- references ---- */

static bool unknown_law(pw_check *ck, const pw_ex *name) {
  if (pw_env_excuses(&ck->env, name->name)) {
    return false;
  }
  pw_diag_ref d = pw_elab_error(ck, "E0101", name->span, "unknown name `%s`", name->name);
  pw_label(d, "not the name of a law");
  pw_suggest s = pw_suggest_begin(name->name);
  for (int i = 0; i < ck->env.all.n && pawl_diags_dropped(ck->diags) == 0; i++) {
    const pw_symbol *sym = ck->env.all.items[i];
    if (sym->defined && (sym->kind == PW_SYM_LAW || sym->kind == PW_SYM_EVENT)) {
      pw_suggest_try(&s, sym->name);
    }
  }
  if (s.best != NULL) {
    const pw_symbol *sym = pw_env_find(&ck->env, s.best);
    pw_help(d, "did you mean `%s` (%s,%s)?", s.best, pw_symbol_kind_name(sym),
            pw_where(ck, sym->span));
  }
  return false;
}

/* V[k]: kink k of an energy line; V[k][i]: component of a tip. */
static const pw_symbol *energy_with_kinks(const pw_check *ck, const pw_ex *whole) {
  const pw_ex *ref = whole;
  if (ref->kind == PW_EX_INDEX && ref->arg[0]->kind == PW_EX_INDEX) {
    ref = ref->arg[0];
  }
  bool indexed = ref->kind == PW_EX_INDEX && ref->arg[0]->kind == PW_EX_NAME;
  const pw_symbol *sym = indexed ? pw_env_find(&ck->env, ref->arg[0]->name) : NULL;
  return sym != NULL && sym->kind == PW_SYM_ENERGY && sym->n_kink > 0 ? sym : NULL;
}

static bool kink_row(pw_check *ck, const pw_ex *ref, const pw_symbol *energy, int *row, int *n) {
  int number, component;
  bool whole = ref->arg[0]->kind == PW_EX_NAME;
  const pw_ex *law = whole ? ref : ref->arg[0];
  if (!pw_elab_index(ck, law->arg[1], 1, energy->n_kink, law->arg[0], &number)) {
    return false;
  }
  *row = energy->kink_row;
  for (int k = 1; k < number; k++) {
    *row += ck->m->rows.items[*row].count;
  }
  *n = ck->m->rows.items[*row].count;
  if (whole) {
    return true;
  }
  if (!pw_elab_index(ck, ref->arg[1], 1, *n, law, &component)) {
    return false;
  }
  *row += component - 1;
  *n = 1;
  return true;
}

/* The indices of a reference c[i][j].., the first one first, and what they belong to. */
enum { MOST_INDICES = 3 };
static const pw_ex *indices_of(const pw_ex *ref, const pw_ex **index, int *n) {
  const pw_ex *found[MOST_INDICES];
  *n = 0;
  while (ref->kind == PW_EX_INDEX && *n < MOST_INDICES) {
    found[(*n)++] = ref;
    ref = ref->arg[0];
  }
  for (int k = 0; k < *n; k++) {
    index[k] = found[*n - 1 - k];
  }
  return ref;
}

static bool needs_index(pw_check *ck, const pw_ex *ref, const pw_val *law) {
  pw_diag_ref d = pw_elab_error(ck, "E0107", ref->span, "`%s` is a family of laws", law->sym->name);
  pw_label(d,
           law->pairs != NULL ? "needs two indices, such as `%s[%d][%d]`"
                              : "needs an index, such as `%s[%d]`",
           law->sym->name, law->lo, law->pairs != NULL && law->n > 0 ? law->pairs[0].lo : 0);
  return false;
}

/* The member that the first indices choose: its first row. *used: how many they are. */
static bool member_of(pw_check *ck, const pw_ex *ref, const pw_val *law, const pw_ex *const *index,
                      int n, int *row, int *used) {
  int i, wanted = !law->is_family ? 0 : law->pairs != NULL ? 2 : 1;
  *used = wanted;
  if (n < wanted) {
    return needs_index(ck, ref, law);
  }
  if (wanted == 0) {
    return true;
  }
  if (!pw_elab_index(ck, index[0]->arg[1], law->lo, law->n, index[0]->arg[0], &i)) {
    return false;
  }
  if (law->pairs == NULL) {
    *row += (i - law->lo) * law->each;
    PW_ASSERT(*row >= law->row && *row + law->each <= ck->m->rows.n);
    return true;
  }
  const pw_pairs *of = &law->pairs[i - law->lo];
  if (!pw_elab_index(ck, index[1]->arg[1], of->lo, of->n, index[1]->arg[0], &i)) {
    return false;
  }
  *row = of->row + (i - of->lo) * law->each;
  return true;
}

/* `tip.low`, `tip[2].high`: a face of a contact. */
bool pw_face_row(pw_check *ck, const pw_ex *ref, int *row, int *n) {
  const pw_ex *index[MOST_INDICES];
  int count;
  const pw_ex *base = ref->kind == PW_EX_FIELD ? indices_of(ref->arg[0], index, &count) : ref;
  base = pw_part_member(ck, base);
  const pw_symbol *sym = ref->kind == PW_EX_FIELD && base->kind == PW_EX_NAME
                             ? pw_env_find(&ck->env, base->name)
                             : NULL;
  if (sym == NULL || !sym->defined || sym->val.kind != PW_V_LAW ||
      !pw_law_rows(ck, ref->arg[0], row, n) || *n != 1) {
    return false;
  }
  const pw_row *face = pw_face_named(ck, *row, ref->name);
  *row = face == NULL ? *row : (int)(face - ck->m->rows.items);
  return face != NULL;
}

/* c, c[i] for a member of a family or a component, c[i][k] for a component of a member; of a family
 * over pairs c[i][j] and c[i][j][k]. */
bool pw_law_rows(pw_check *ck, const pw_ex *ref, int *row, int *n) {
  /* A kink of an energy and a face of a contact are laws without a statement of their own. */
  const pw_symbol *energy = energy_with_kinks(ck, ref);
  if (energy != NULL) {
    return kink_row(ck, ref, energy, row, n);
  }
  if (pw_face_row(ck, ref, row, n)) {
    return true;
  }

  /* Below the indices stands the name of a law. */
  const pw_ex *index[MOST_INDICES];
  int count, used, i;
  const pw_ex *base = indices_of(ref, index, &count);
  base = pw_part_member(ck, base);
  if (base->kind == PW_EX_NAME && pw_env_find(&ck->env, base->name) == NULL) {
    return unknown_law(ck, base);
  }
  pw_val law = pw_elab(ck, base);
  if (law.kind != PW_V_LAW) {
    pw_bad_kind(ck, base, law, "the name of a law");
    return false;
  }

  /* Of a family, the first indices choose the member. */
  *row = law.row;
  *n = law.each;
  if (!member_of(ck, ref, &law, index, count, row, &used)) {
    return false;
  }

  /* One more index chooses a component. */
  if (count > used + 1) {
    pw_elab_error(ck, "E0107", ref->span, "`%s` is not a family of laws", law.sym->name);
    return false;
  }
  if (count == used + 1) {
    if (!pw_elab_index(ck, index[used]->arg[1], 1, law.each, index[used]->arg[0], &i)) {
      return false;
    }
    *row += i - 1;
    *n = 1;
  }
  return true;
}

/* ---- clauses ---- */

const pw_clause *pw_find_clause(const pw_stmt *s, pw_clause_kind kind) {
  for (int i = 0; i < s->u.law.n; i++) {
    if (s->u.law.items[i].kind == kind) {
      return &s->u.law.items[i];
    }
  }
  return NULL;
}

bool pw_no_effect(pw_check *ck, const pw_clause *clause, const char *fmt, ...) {
  char why[256];
  va_list args;
  va_start(args, fmt);
  vsnprintf(why, sizeof why, fmt, args);
  va_end(args);
  pw_diag_ref d = pw_error(ck->diags, "E0203", clause->span, "`%s` has no effect on `%s`",
                           pw_clause_word(clause->kind), ck->stmt->u.law.label.name.text);
  pw_label(d, "%s", why);
  pw_help(d, "remove the clause");
  return false;
}

bool pw_exclude(pw_check *ck, const pw_clause *a, const pw_clause *b, const char *why) {
  pw_diag_ref d = pw_error(ck->diags, "E0204", b->span, "`%s` and `%s` exclude each other",
                           pw_clause_word(a->kind), pw_clause_word(b->kind));
  pw_label(d, "%s", why);
  pw_second(d, a->span, "given here");
  pw_help(d, "delete one of them");
  return false;
}

bool pw_clause_value(pw_check *ck, const pw_clause *clause, double lo, double hi, pw_node *out) {
  const char *word = pw_clause_word(clause->kind);
  if (!pw_elab_scalar(ck, clause->ex, pw_format_text(ck, "`%s`", word), out)) {
    return false;
  }
  if (!pw_is_const(ck->dag, *out)) {
    return true;
  }
  double x = pw_node_value(ck->dag, *out);
  if (x >= lo && x <= hi) {
    return true;
  }
  if (isinf(hi)) {
    pw_diag_ref d = pw_error(ck->diags, "E0205", clause->ex->span, "`%s` cannot be negative", word);
    pw_label(d, "this is %s", pw_format_real(ck, x));
  } else {
    pw_diag_ref d = pw_error(ck->diags, "E0205", clause->ex->span, "`%s` must lie in %s..%s", word,
                             pw_format_real(ck, lo), pw_format_real(ck, hi));
    pw_label(d, "this is %s", pw_format_real(ck, x));
  }
  return false;
}

bool pw_acts_as_one(pw_kind kind) {
  return kind == PW_KIND_FRICTION || kind == PW_KIND_ROUGH || kind == PW_KIND_KINK;
}

static bool lets_go(const pw_row *row) {
  bool one_sided = row->clause.one_way || row->stmt->u.law.rel.op != PW_REL_EQ;
  bool controlled = row->kind == PW_KIND_SERVO || pw_kind_imposed(row->kind) == PW_IMPOSED_STATE;
  return controlled && one_sided;
}

bool pw_row_is_equality(const pw_row *row) {
  return pw_kind_imposed(row->kind) != PW_IMPOSED_SWITCHED && !lets_go(row);
}

bool pw_row_is_switched(const pw_row *row) {
  return pw_kind_imposed(row->kind) == PW_IMPOSED_SWITCHED || lets_go(row);
}

bool pw_is_complementary(const pw_row *row) {
  return lets_go(row) && (row->kind == PW_KIND_VAKONOMIC || row->clause.complementary);
}
