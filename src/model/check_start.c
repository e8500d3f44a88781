// SPDX-License-Identifier: MIT
/* Start values: which coordinate, which number, fixed or guessed. `end` is checked alike. */
#include <math.h>

#include "model/part.h"

/* ---- numbers ---- */

static bool is_known(pw_check *ck, const pw_ex *ex, pw_node node, double *out) {
  if (!pw_is_known_now(ck, node)) {
    pw_diag_ref d = pw_error(ck->diags, "E0110", ex->span,
                             "a start value must be known before "
                             "the run");
    pw_label(d, "depends on the motion or the time");
    pw_help(d, "use numbers and parameters only");
    return false;
  }
  *out = pw_value_now(ck, node);
  return isfinite(*out);
}

/* n numbers, or with `spread` one for all. */
static bool known_list(pw_check *ck, const pw_ex *ex, int n, bool spread, double *out) {
  pw_val val;
  if (!pw_elab_list(ck, ex, spread ? 0 : n, "a start value", &val)) {
    return false;
  }
  if (spread && val.n != 1 && val.n != n) {
    pw_diag_ref d = pw_error(ck->diags, "E0106", ex->span, "one number or %d are needed", n);
    pw_label(d, "this is a vector of %d", val.n);
    return false;
  }
  for (int i = 0; i < n; i++) {
    if (!is_known(ck, ex, val.v[val.n == 1 ? 0 : i], &out[i])) {
      return false;
    }
  }
  return true;
}

/* ---- storing ---- */

static bool report_twice(pw_check *ck, const char *name, pw_span now, pw_span before) {
  const char *which = ck->stmt != NULL && ck->stmt->kind == PW_ST_END ? "end" : "start";
  pw_diag_ref d = pw_error(ck->diags, "E0304", now, "the %s of `%s` is given twice", which, name);
  pw_label(d, "second value");
  pw_second(d, before, "first value");
  pw_help(d, "delete one of them");
  return false;
}

static bool store(pw_check *ck, pw_value *slot, const char *name, double x,
                  const pw_start_value *v) {
  bool overrides = slot->each && !v->each; /* a member after the formula of its family */
  if (slot->mode != PW_UNSET && !v->replace && !overrides &&
      !pw_scope_outranks(v->scope, slot->scope)) {
    return report_twice(ck, name, v->span, slot->span);
  }
  pw_span span = slot->mode != PW_UNSET ? slot->span : v->span;
  *slot = (pw_value){.mode = v->guess ? PW_GUESS : PW_FIXED,
                     .value = x,
                     .span = overrides ? v->span : span,
                     .overridden = v->replace,
                     .each = v->each,
                     .scope = v->scope};
  return true;
}

static pw_value *place_of(pw_check *ck, int q, const pw_start_value *v) {
  return v->is_end ? &ck->draft.q_ends.items[q] : &ck->draft.q_starts.items[q];
}

static void set_places(pw_check *ck, const pw_target *t, bool spread, const pw_start_value *v) {
  double *x = PW_TAKE(ck->arena, t->n, double);
  if (!pw_spend(ck, t->n) || !known_list(ck, v->ex, t->n, spread, x)) {
    return;
  }
  for (int i = 0; i < t->n; i++) {
    const pw_coord *c = &ck->m->coords.items[t->coord + i];
    bool ok =
        t->primes == 0
            ? store(ck, place_of(ck, c->q, v), ck->draft.q_names.items[c->q], x[i], v)
            : store(ck, &ck->draft.u_starts.items[c->u], ck->draft.u_names.items[c->u], x[i], v);
    if (!ok) {
      return;
    }
  }
}

static void set_signal(pw_check *ck, const pw_target *t, const pw_start_value *v) {
  const pw_signal *s = &ck->m->signals.items[t->coord];
  double x;
  if (known_list(ck, v->ex, 1, false, &x)) {
    (void)store(ck, &ck->draft.q_starts.items[s->q], s->name, x, v);
  }
}

static void set_rotation(pw_check *ck, const pw_target *t, const pw_start_value *v) {
  pw_val val = pw_elab_at(ck, v->ex, PW_MAY_AXIS);
  if (val.kind != PW_V_TURN) {
    pw_bad_kind(ck, v->ex, val, "an orientation `axis(u1, u2, u3, angle)`");
    return;
  }
  const pw_coord *c = &ck->m->coords.items[t->coord];
  for (int i = 0; i < 4; i++) {
    double x = pw_value_now(ck, val.v[i]);
    if (!store(ck, place_of(ck, c->q + i, v), c->name, x, v)) {
      return;
    }
  }
}

/* Kept aside until the orientation is known: the state holds W in body axes. */
static void set_spin(pw_check *ck, const pw_target *t, const pw_start_value *v) {
  double x[3];
  if (!known_list(ck, v->ex, t->n, false, x)) {
    return;
  }
  pw_spin *spin = &ck->draft.spins.items[t->coord];
  const char *name = ck->draft.u_names.items[ck->m->coords.items[t->coord].u + t->first];
  if (pw_scope_outranks(v->scope, spin->scope)) {
    *spin = (pw_spin){.span = v->span};
  }
  bool any = spin->set[0] || spin->set[1] || spin->set[2];
  if (any && spin->each && !v->each && !v->replace) { /* a member after the formula of its family */
    *spin = (pw_spin){.span = v->span};
    any = false;
  }
  spin->each = v->each;
  if (any && spin->space != t->space) {
    if (!v->replace) {
      report_twice(ck, name, v->span, spin->span);
      return;
    }
    *spin = (pw_spin){.span = spin->span};
  }
  for (int i = 0; i < t->n; i++) {
    if (spin->set[t->first + i] && !v->replace) {
      report_twice(ck, name, v->span, spin->span);
      return;
    }
    spin->set[t->first + i] = true;
    spin->w[t->first + i] = x[i];
    spin->guess[t->first + i] = v->guess;
  }
  for (int i = 0; i < 3; i++) {
    spin->guess[i] = spin->guess[i] && !v->replace;
  }
  spin->space = t->space;
  spin->scope = v->scope;
  spin->overridden |= v->replace;
  spin->span = any ? spin->span : v->span;
}

static bool may_prime(pw_check *ck, const pw_target *t, const pw_start_value *v, int most) {
  if (t->primes <= most) {
    return true;
  }
  pw_diag_ref d = pw_error(ck->diags, "E0300", v->span, "this cannot be set at the start");
  pw_label(d, t->kind == PW_TG_SIGNAL ? "its rate follows from its statement"
              : most == 0             ? "an angular acceleration or the rate of a rotation"
                                      : "accelerations follow from the laws of motion");
  return false;
}

/* An end is a position; how fast it is reached follows from the motion. */
static void refuse_rate(pw_check *ck, pw_span span) {
  pw_diag_ref d = pw_error(ck->diags, "E0309", span, "the end of a motion is a position");
  pw_label(d, "velocities and forces there follow from the motion");
  pw_help(d, "delete this; `end` takes positions, as in `end x = 1 [m]`");
}

void pw_start_set(pw_check *ck, const pw_target *t, const pw_start_value *v) {
  pw_target places = *t;
  pw_start_value every = *v;
  pw_diag_ref d;
  if (v->is_end && (t->primes > 0 || t->kind == PW_TG_SPIN)) {
    refuse_rate(ck, v->span);
    return;
  }
  switch (t->kind) {
  case PW_TG_BAD: return;
  case PW_TG_PLACE:
    if (may_prime(ck, t, v, 1)) {
      set_places(ck, t, false, v);
    }
    return;
  case PW_TG_SIGNAL:
    if (v->is_end || v->guess) {
      d = pw_error(ck->diags, "E0300", v->span, "`%s` takes a fixed value, at the start", t->name);
      pw_label(d, "it follows from its own rate or from samples, not from constraints");
    } else if (may_prime(ck, t, v, 0)) {
      set_signal(ck, t, v);
    }
    return;
  case PW_TG_ROTATION:
    if (may_prime(ck, t, v, 0)) {
      set_rotation(ck, t, v);
    }
    return;
  case PW_TG_SPIN:
    if (may_prime(ck, t, v, 0)) {
      set_spin(ck, t, v);
    }
    return;
  case PW_TG_FAMILY:
    if (t->each == 1) {
      places.kind = PW_TG_PLACE;
      every.each = true; /* a member named later overrides it */
      if (may_prime(ck, t, v, 1)) {
        set_places(ck, &places, true, &every);
      }
      return;
    }
    break;
  case PW_TG_BODY:
  case PW_TG_JOINT: break; /* of a start: a body */
  }
  d = pw_error(ck->diags, "E0300", v->span, "a body starts by its parts");
  pw_label(d, "set `.p`, `.p'`, `.R`, and `.w` or `.W`");
}

/* ---- the statement ---- */

/* The rows of a law; of all members if it is a family without index. */
static bool start_rows(pw_check *ck, const pw_ex *ref, const char *wanted, int *row, int *n) {
  bool unknown = ref->kind == PW_EX_NAME && pw_env_find(&ck->env, ref->name) == NULL;
  if (unknown || ref->kind == PW_EX_INDEX) {
    return pw_law_rows(ck, ref, row, n);
  }
  pw_val law = pw_elab(ck, ref);
  if (law.kind != PW_V_LAW) {
    pw_bad_kind(ck, ref, law, wanted);
    return false;
  }
  *row = law.row;
  *n = law.n * law.each;
  for (int i = 0; law.pairs != NULL && i < law.n; i++) {
    *n = law.pairs[i].row + law.pairs[i].n * law.each - law.row;
  }
  return true;
}

static void check_closed(pw_check *ck, const pw_init *init) {
  int row, n;
  if (!start_rows(ck, init->ref, "the name of a one-sided constraint", &row, &n)) {
    return;
  }
  for (int i = row; i < row + n; i++) {
    pw_row *r = &ck->m->rows.items[i];
    if (r->stmt->kind == PW_ST_CONTACT && pw_acts_as_one(r->kind)) {
      continue;
    }
    if (r->kind != PW_KIND_UNILATERAL && r->kind != PW_KIND_ONE_SIDED_VELOCITY) {
      pw_diag_ref d = pw_error(ck->diags, "E0306", init->span,
                               "`%s` cannot be closed: it is not a one-sided constraint",
                               r->stmt->u.law.label.name.text);
      pw_label(d, "this is %s (%s)", pw_kind_name(r->kind), pw_kind_about(r->kind));
      return;
    }
    r->start_closed = true;
  }
}

static void check_start_force(pw_check *ck, const pw_init *init) {
  int row, n;
  if (!start_rows(ck, init->ref, "the name of a law", &row, &n) || n == 0) {
    return;
  }
  pw_row *r = &ck->m->rows.items[row];
  if (r->kind != PW_KIND_VAKONOMIC && r->kind != PW_KIND_INERTIA) {
    pw_diag_ref d = pw_error(ck->diags, "E0307", init->span, "`force(%s)` cannot be set",
                             pw_text_of(ck, init->ref->span));
    pw_label(d, "the force of this law follows from the motion");
    pw_help(d, "delete it; only `vakonomic` and `inertia` laws have a force that is a state");
    return;
  }
  double *x = PW_TAKE(ck->arena, n, double);
  if (!known_list(ck, init->value, n, true, x)) {
    return;
  }
  for (int i = 0; i < n; i++) {
    if (!isnan(r[i].start_force)) {
      pw_diag_ref d = pw_error(ck->diags, "E0304", init->span,
                               "the start of `force(%s)` is given twice", r[i].name);
      pw_label(d, "second value");
      pw_help(d, "delete one of them");
      return;
    }
    r[i].start_force = x[i];
  }
}

/* What the members of an entry are taken from: a family of coordinates, of bodies or, with names
 * behind it, of parts. */
static pw_target family_of(pw_check *ck, const pw_init *init) {
  pw_ex name = {.kind = PW_EX_NAME,
                .span = init->label.name.span,
                .mark = init->label.name.span,
                .name = init->label.name.text};
  const pw_symbol *sym = pw_env_find(&ck->env, name.name);
  if (sym != NULL && sym->val.kind == PW_V_PART && sym->val.is_family && init->ref != NULL) {
    return (pw_target){.kind = PW_TG_FAMILY, .lo = sym->val.lo, .n = sym->val.n, .name = name.name};
  }
  pw_target t = pw_resolve(ck, &name, "only coordinates have start values");
  t.primes = init->primes;
  return t;
}

static void check_each(pw_check *ck, const pw_init *init, pw_start_value *v) {
  pw_target t = family_of(ck, init);

  /* Without an index there is one target. */
  if (init->label.index.text == NULL || t.kind == PW_TG_BAD) {
    pw_start_set(ck, &t, v);
    return;
  }
  int lo, hi;

  /* An index goes through a family, within the range of that family. */
  if (t.kind != PW_TG_FAMILY) {
    pw_diag_ref d = pw_error(ck->diags, "E0107", init->label.name.span, "`%s` is not a family",
                             init->label.name.text);
    pw_label(d, "it has no members to go through");
    return;
  }
  if (!pw_elab_range(ck, init->label.from, init->label.to, true, &lo, &hi)) {
    return;
  }
  if (hi >= lo && (lo < t.lo || hi > t.lo + t.n - 1)) {
    pw_diag_ref d =
        pw_error(ck->diags, "E0107", pw_span_join(init->label.from->span, init->label.to->span),
                 "%d..%d goes beyond the family", lo, hi);
    pw_label(d, "`%s` has the range %d..%d", t.name, t.lo, t.lo + t.n - 1);
    return;
  }

  /* Each member gets the value, with the index known; the first fault ends the loop. */
  int errors = pw_check_errors(ck);
  v->each = true;
  for (int i = lo; i <= hi && pw_check_errors(ck) == errors; i++) {
    pw_env_push(&ck->env, init->label.index, pw_scalar_val(pw_const(ck->dag, i)));
    pw_target member = init->ref == NULL
                           ? pw_target_member(&t, i)
                           : pw_resolve(ck, init->ref, "only coordinates have start values");
    pw_start_set(ck, &member, v);
    pw_env_clear(&ck->env);
  }
}

static void check_init(pw_check *ck, const pw_init *init) {
  pw_start_value v = {.ex = init->value,
                      .span = init->span,
                      .scope = ck->stmt->scope,
                      .guess = init->mode == PW_INIT_GUESS,
                      .is_end = ck->stmt->kind == PW_ST_END};
  if (v.is_end && (init->mode == PW_INIT_CLOSED || init->is_force)) {
    refuse_rate(ck, init->span);
  } else if (init->mode == PW_INIT_CLOSED) {
    check_closed(ck, init);
  } else if (init->is_force) {
    check_start_force(ck, init);
  } else if (init->label.name.text != NULL) {
    check_each(ck, init, &v);
  } else {
    pw_target t = pw_resolve(ck, init->ref, "only coordinates have start values");
    pw_start_set(ck, &t, &v);
  }
}

void pw_check_start(pw_check *ck) {
  for (int i = 0; i < ck->stmt->u.start.n; i++) {
    check_init(ck, &ck->stmt->u.start.items[i]);
  }
}

/* ---- after the last statement ---- */

/* W = R^T w with the start orientation (the identity if none was given). */
static void space_to_body(const pw_value *q_start, const double w[3], double W[3]) {
  double s = 1, x[3] = {0, 0, 0};
  if (q_start[0].mode != PW_UNSET) {
    s = q_start[0].value;
    for (int i = 0; i < 3; i++) {
      x[i] = q_start[1 + i].value;
    }
  }
  /* q* w q = w - 2 s (x × w) + 2 x × (x × w) for a unit quaternion (s, x) */
  double a[3], b[3];
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    a[i] = x[j] * w[k] - x[k] * w[j];
  }
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    b[i] = x[j] * a[k] - x[k] * a[j];
    W[i] = w[i] - 2 * s * a[i] + 2 * b[i];
  }
}

void pw_finish_starts(pw_check *ck) {
  for (int c = 0; c < ck->m->coords.n; c++) {
    const pw_coord *coord = &ck->m->coords.items[c];
    const pw_spin *spin = &ck->draft.spins.items[c];
    if (!coord->is_rotation || !(spin->set[0] || spin->set[1] || spin->set[2])) {
      continue;
    }
    double W[3] = {spin->w[0], spin->w[1], spin->w[2]};
    if (spin->space) {
      space_to_body(&ck->draft.q_starts.items[coord->q], spin->w, W);
    }
    for (int i = 0; i < 3; i++) {
      pw_value w = {.mode = !spin->set[i]    ? PW_UNSET
                            : spin->guess[i] ? PW_GUESS
                                             : PW_FIXED,
                    .value = W[i],
                    .space = spin->space,
                    .given = spin->w[i],
                    .span = spin->span,
                    .overridden = spin->overridden};
      pw_draft_speed(&ck->draft, coord->u + i, w);
    }
  }
}

/* Said once per statement that leaves it out. */
void pw_warn_multipliers(const pw_model *m, bool searched, pawl_diags *diags) {
  const pw_stmt *last = NULL;
  for (int i = pw_next_state(m, -1); i >= 0; i = pw_next_state(m, i)) {
    const pw_row *r = &m->rows.items[i];
    bool found = searched && r->kind == PW_KIND_VAKONOMIC;
    if (found || !isnan(r->start_force) || r->stmt == last) {
      continue;
    }
    last = r->stmt;
    pw_diag_ref d = pw_warning(diags, "W0332", r->span,
                               "the multiplier of `%s` has no start value, 0 was used", r->name);
    pw_label(d, "its force is a state like a position: another value gives another motion");
    pw_help(d, "say what is meant: `start force(%s) = 0`", r->name);
  }
}
