// SPDX-License-Identifier: MIT
/* What is looked at: events, outputs, plots, expectations. */
#include <math.h>
#include <string.h>

#include "law/scale_model.h"
#include "model/check.h"
#include "model/law_rows.h"
#include "model/units.h"

/* ---- event ---- */

static bool check_every(pw_check *ck, pw_event_def *e) {
  const pw_stmt *s = ck->stmt;
  if (!pw_elab_const(ck, s->u.event.every, 0, "the period", &e->period)) {
    return false;
  }
  if (!(e->period > 0)) {
    pw_diag_ref d =
        pw_error(ck->diags, "E0401", s->u.event.every->span, "a period must be positive");
    pw_label(d, "this is %s", pw_format_real(ck, e->period));
    return false;
  }
  if (e->rising || e->falling) {
    pw_diag_ref d = pw_error(ck->diags, "E0401", s->u.event.name.span,
                             "`%s` has no effect on `every`", e->rising ? "rising" : "falling");
    pw_label(d, "a clock has no direction");
    pw_help(d, "delete `, %s`", e->rising ? "rising" : "falling");
    return false;
  }
  e->every = true;
  return true;
}

static bool check_crossing(pw_check *ck, pw_event_def *e) {
  const pw_rel *rel = &ck->stmt->u.event.rel;
  pw_node left, right;
  if (!pw_elab_scalar(ck, rel->left, "an event", &left) ||
      !pw_elab_scalar(ck, rel->right, "an event", &right)) {
    return false;
  }
  e->holds_at_zero = rel->op != PW_REL_EQ;
  e->w = rel->op == PW_REL_LE ? pw_sub(ck->dag, right, left) : pw_sub(ck->dag, left, right);
  if (pw_has(ck, e->w) == 0) {
    pw_diag_ref d = pw_error(ck->diags, "E0401", rel->span, "event `%s` never happens", e->name);
    pw_label(d, "neither a coordinate nor the time occurs in it");
    return false;
  }
  if (!e->rising && !e->falling) {
    e->rising = true;
    e->falling = rel->op == PW_REL_EQ;
  }
  return true;
}

void pw_check_event(pw_check *ck) {
  const pw_stmt *s = ck->stmt;
  pw_event_def e = {.name = s->u.event.name.text,
                    .span = s->u.event.name.span,
                    .rising = s->u.event.rising,
                    .falling = s->u.event.falling,
                    .stop = s->u.event.stop};
  bool ok = s->u.event.every != NULL ? check_every(ck, &e) : check_crossing(ck, &e);
  pw_symbol *sym = pw_define_name(ck, s->u.event.name);
  if (ok && sym != NULL) {
    sym->val = (pw_val){.kind = PW_V_EVENT, .sym = sym};
    PW_PUSH(ck->arena, &ck->m->events, e);
  }
}

/* ---- output ---- */

/* "[rpm]" as "rpm", and what it is in SI. */
static bool check_shown(pw_check *ck, const pw_unit *unit, const char **text, double *factor) {
  pw_dim dim;
  *text = NULL;
  *factor = 1;
  if (unit == NULL) {
    return true;
  }
  pw_span inside = {unit->span.file, unit->span.begin + 1, unit->span.end - 1};
  *text = pw_text_of(ck, inside);
  return pw_unit_resolve(unit, ck->diags, factor, &dim);
}

static void check_def(pw_check *ck, const pw_def *def) {
  pw_val val;
  const char *shown;
  double factor;
  bool ok = check_shown(ck, def->unit, &shown, &factor);
  ok = ok && pw_elab_list(ck, def->ex, 0, "an output", &val);
  pw_symbol *sym = pw_define_name(ck, def->name);
  if (!ok || sym == NULL) {
    return;
  }
  sym->val = val;
  for (int i = 0; i < val.n; i++) {
    pw_output o = {.name = def->name.text,
                   .span = def->name.span,
                   .value = val.v[i],
                   .ex = def->ex,
                   .component = i,
                   .shown = shown,
                   .factor = factor};
    if (val.kind == PW_V_VECTOR) {
      o.name = pw_intern_format(ck->names, "%s[%d]", def->name.text, i + 1);
    }
    PW_PUSH(ck->arena, &ck->m->outputs, o);
  }
}

void pw_check_output(pw_check *ck) {
  for (int i = 0; i < ck->stmt->u.output.n; i++) {
    check_def(ck, &ck->stmt->u.output.items[i]);
  }
}

/* ---- plot ---- */

/* An output that has a unit of its own is plotted in it. */
static pw_node in_shown_unit(pw_check *ck, const pw_ex *ex, pw_node value, const char **shown) {
  while (ex->kind == PW_EX_INDEX) {
    ex = ex->arg[0];
  }
  for (int i = 0; ex->kind == PW_EX_NAME && i < ck->m->outputs.n; i++) {
    const pw_output *o = &ck->m->outputs.items[i];
    size_t len = strlen(ex->name);
    bool own =
        strncmp(o->name, ex->name, len) == 0 && (o->name[len] == '\0' || o->name[len] == '[');
    if (own && o->shown != NULL) {
      *shown = o->shown;
      return pw_div(ck->dag, value, pw_const(ck->dag, o->factor));
    }
  }
  *shown = NULL;
  return value;
}

static void add_plot(pw_check *ck, const pw_ex *ex, const pw_val *y, int i, pw_plot p) {
  p.span = ex->span;
  p.y = in_shown_unit(ck, ex, y->v[i], &p.y_shown);
  p.y_ex = ex;
  p.component = i;
  p.y_text = pw_text_of(ck, ex->span);
  if (y->n > 1) {
    p.y_text = pw_format_text(ck, "(%s)[%d]", p.y_text, i + 1);
    p.y_text = ex->kind == PW_EX_NAME ? pw_format_text(ck, "%s[%d]", ex->name, i + 1) : p.y_text;
  }
  PW_PUSH(ck->arena, &ck->m->plots, p);
}

void pw_check_plot(pw_check *ck) {
  const pw_stmt *s = ck->stmt;
  pw_node x = pw_var(ck->dag, pw_var_of(PW_VAR_TIME, 0));
  const char *x_text = NULL, *x_shown = NULL;
  bool ok = true;
  if (s->u.plot.vs != NULL) {
    ok = pw_elab_scalar(ck, s->u.plot.vs, "the horizontal axis", &x);
    x_text = pw_text_of(ck, s->u.plot.vs->span);
    x = ok ? in_shown_unit(ck, s->u.plot.vs, x, &x_shown) : x;
  }
  int before = ck->m->plots.n;
  pw_plot plot = {.x_text = x_text, .x = x, .x_ex = s->u.plot.vs, .x_shown = x_shown};
  plot.statement = before == 0 ? 1 : ck->m->plots.items[before - 1].statement + 1;
  for (int i = 0; i < s->u.plot.n; i++) {
    pw_val y;
    if (pw_elab_list(ck, s->u.plot.items[i], 0, "a curve", &y) && ok) {
      for (int k = 0; k < y.n; k++) {
        add_plot(ck, s->u.plot.items[i], &y, k, plot);
      }
    }
  }
}

/* ---- expect ---- */

static const char *const event_kinds[] = {"impact",  "close",  "liftoff", "stick", "slip",
                                          "reverse", "engage", "release", "rest",  "strobe",
                                          "user",    "stop",   "event"};

static bool check_event_kind(pw_check *ck, pw_name kind) {
  pw_suggest s = pw_suggest_begin(kind.text);
  for (size_t i = 0; i < sizeof event_kinds / sizeof *event_kinds; i++) {
    if (strcmp(event_kinds[i], kind.text) == 0) {
      return true;
    }
    pw_suggest_try(&s, event_kinds[i]);
  }
  pw_diag_ref d = pw_error(ck->diags, "E0405", kind.span, "unknown kind of event `%s`", kind.text);
  pw_label(d, "not a kind of event");
  if (s.best != NULL) {
    pw_help(d, "did you mean `%s`?", s.best);
  } else {
    pw_help(d, "the kinds are impact, close, liftoff, stick, slip, reverse, engage, release, rest, "
               "strobe, user, stop, and event for any");
  }
  return false;
}

static bool check_of(pw_check *ck, const pw_ex *of, const char **name) {
  const pw_ex *base = of;
  while (base->kind == PW_EX_INDEX) {
    base = base->arg[0];
  }
  int row, n;
  if (base->kind == PW_EX_NAME && pw_env_find(&ck->env, base->name) == NULL) {
    return pw_law_rows(ck, base, &row, &n); /* says so */
  }
  if (base != of && base->kind == PW_EX_NAME &&
      pw_env_find(&ck->env, base->name)->n_kink > 0) { /* kinks of an energy */
    bool known = pw_law_rows(ck, of, &row, &n);
    *name = known ? ck->m->rows.items[row].law : NULL;
    return known;
  }
  if (pw_face_row(ck, of, &row, &n)) {
    *name = ck->m->rows.items[row].name;
    return true;
  }
  pw_val val = pw_elab(ck, base);
  if (val.kind == PW_V_EVENT && base == of) {
    *name = val.sym->name;
    return true;
  }
  if (val.kind != PW_V_LAW) {
    pw_bad_kind(ck, base, val, "the name of a law or an event");
    return false;
  }
  if (!val.is_family && base == of) {
    *name = val.sym->name;
    return true;
  }
  if (!pw_law_rows(ck, of, &row, &n)) {
    return false;
  }
  *name = ck->m->rows.items[row].name;
  if (n > 1) { /* a member of a family of vectors: its name without the component */
    *name =
        pw_intern_format(ck->names, "%s[%d]", val.sym->name, val.lo + (row - val.row) / val.each);
  }
  return true;
}

static bool check_count(pw_check *ck, const pw_ex *ex, int *out) {
  double x;
  if (!pw_elab_const(ck, ex, 0, "the number of the event", &x)) {
    return false;
  }
  if (!(x >= 1 && x <= 1e9) || fabs(x - round(x)) > PW_SCALE(WHOLE_NUMBER)) {
    pw_diag_ref d = pw_error(ck->diags, "E0405", ex->span, "events are counted 1, 2, 3, ...");
    pw_label(d, "this is %s", pw_format_real(ck, x));
    return false;
  }
  *out = (int)round(x);
  return true;
}

static bool check_when(pw_check *ck, pw_expectation *e) {
  const pw_stmt *s = ck->stmt;
  e->at = (int)s->u.expect.at;
  if (s->u.expect.at == PW_AT_TIME) {
    return pw_elab_const(ck, s->u.expect.time, 0, "the time", &e->time);
  }
  if (s->u.expect.at == PW_AT_EVENT) {
    e->kind = s->u.expect.kind.text;
    bool ok = check_event_kind(ck, s->u.expect.kind);
    ok = check_count(ck, s->u.expect.count, &e->count) && ok;
    return check_of(ck, s->u.expect.of, &e->of) && ok;
  }
  return true;
}

void pw_check_expect(pw_check *ck) {
  const pw_stmt *s = ck->stmt;
  pw_expectation e = {.span = s->span};
  bool ok = pw_elab_scalar(ck, s->u.expect.left, "an expectation", &e.left);
  ok = pw_elab_scalar(ck, s->u.expect.right, "an expectation", &e.right) && ok;
  ok = pw_elab_const(ck, s->u.expect.tol, 0, "a tolerance", &e.tol) && ok;
  if (ok && !(e.tol > 0)) {
    pw_diag_ref d = pw_error(ck->diags, "E0405", s->u.expect.tol->span,
                             "the tolerance of an expectation must be positive");
    pw_label(d, "this is %s", pw_format_real(ck, e.tol));
    ok = false;
  }
  ok = check_when(ck, &e) && ok;
  if (ok) {
    pw_span rest = {s->span.file, s->keyword.end, s->span.end};
    e.text = pw_text_of(ck, rest);
    PW_PUSH(ck->arena, &ck->m->expectations, e);
  }
}
