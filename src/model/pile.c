// SPDX-License-Identifier: MIT
#include "model/pile.h"

#include <string.h>

/* ---- when ---- */

static const pw_stmt *run_of(const pw_check *ck) {
  const pw_stmt *run = NULL;
  for (int i = 0; i < ck->whole->n && run == NULL; i++) {
    run = ck->whole->items[i]->kind == PW_ST_RUN ? ck->whole->items[i] : NULL;
  }
  return run;
}

/* The method that a run statement names; text NULL: none. */
static pw_name method_in(const pw_stmt *run) {
  for (int k = 0; run != NULL && k < run->u.run.n; k++) {
    if (strcmp(run->u.run.items[k].word.text, "method") == 0) {
      return run->u.run.items[k].choice;
    }
  }
  return (pw_name){0};
}

/* Whether a method takes fixed steps: always, at times (`auto`, where all pairs of the shapes are
 * known to the event method), or never. */
static pw_pile_use use_by(const char *method, bool pairs) {
  bool steps = method != NULL && strcmp(method, "moreau") == 0;
  bool turns = method != NULL && strcmp(method, "auto") == 0;
  return steps || (turns && !pairs) ? PW_PILE_ONLY : turns ? PW_PILE_BOTH : PW_PILE_NONE;
}

/* The method from outside makes other rows than the text: results keep a text that makes them. */
static void edit_method(pw_check *ck) {
  const pw_stmt *run = run_of(ck);
  pw_name stated = method_in(run);
  if (run == NULL) {
    return;
  }
  bool there = stated.text != NULL;
  pw_span end = {run->span.file, run->span.end, run->span.end}, at = there ? stated.span : end;
  for (int i = 0; i < ck->m->edits.n; i++) { /* by another contact */
    if (ck->m->edits.items[i].span.begin == at.begin && ck->m->edits.items[i].span.end == at.end) {
      return;
    }
  }
  const char *method = ck->outside.method;
  pw_edit edit = {at, there ? method : pw_format_text(ck, ", method %s", method)};
  PW_PUSH(ck->arena, &ck->m->edits, edit);
}

/* Laws beside contacts need the rows of both in one problem. */
static bool stands_alone(const pw_check *ck) {
  for (int i = 0; i < ck->whole->n; i++) {
    switch (ck->whole->items[i]->kind) {
    case PW_ST_CONSTRAINT:
    case PW_ST_FRICTION:
    case PW_ST_SPRING:
    case PW_ST_LAW:
    case PW_ST_SERVO:
    case PW_ST_JOINT:
    case PW_ST_INCLUDE: /* of a part */
    case PW_ST_INPUT:
    case PW_ST_STATE:
    case PW_ST_SAMPLE: return false;
    default: break;
    }
  }
  return true;
}

static bool is_number(pw_check *ck, pw_node x) {
  return x < 0 || pw_is_const(ck->dag, x);
}

bool pw_may_take_turns(pw_check *ck) {
  const char *stated = method_in(run_of(ck)).text;
  return use_by(stated, true) == PW_PILE_BOTH || use_by(ck->outside.method, true) == PW_PILE_BOTH;
}

pw_pile_use pw_pile_use_of(pw_check *ck, const pw_clauses *normal, const pw_row_draft *slip,
                           bool pairs) {
  pw_pile_use stated = use_by(method_in(run_of(ck)).text, pairs);
  pw_pile_use use = ck->outside.method == NULL ? stated : use_by(ck->outside.method, pairs);
  bool plain = slip == NULL || (slip->kind != PW_KIND_ROUGH && slip->clause.static_bound < 0 &&
                                is_number(ck, slip->clause.mu));
  bool may = plain && pw_impact_is_by_rates(normal->impact) && is_number(ck, normal->restitution) &&
             stands_alone(ck);
  if (may && use != stated) {
    edit_method(ck);
  }
  return may ? use : PW_PILE_NONE;
}

/* ---- which methods the model allows ---- */

bool pw_model_has_pairs(const pw_model *m) {
  bool all = true;
  for (int i = 0; i < m->piles.n; i++) {
    all = all && m->piles.items[i].n_row > 0;
  }
  return all;
}

int pw_model_other_rows(const pw_model *m) {
  int others = m->rows.n;
  for (int i = 0; i < m->piles.n; i++) {
    others -= m->piles.items[i].n_row;
  }
  return others;
}

bool pw_model_takes_turns(const pw_model *m) {
  return m->piles.n > 0 && pw_model_has_pairs(m) && pw_model_other_rows(m) == 0;
}

const char *pw_pile_hindrance(pw_check *ck) {
  static const struct {
    pw_clause_kind kind;
    const char *word;
  } clause[] = {{PW_CL_ROLL, "`roll`"},
                {PW_CL_SPIN, "`spin`"},
                {PW_CL_ROUGH, "`rough`"},
                {PW_CL_STATIC, "`static`"},
                {PW_CL_POISSON, "`poisson`"}};
  const char *stated = method_in(run_of(ck)).text;
  if (use_by(ck->outside.method == NULL ? stated : ck->outside.method, false) == PW_PILE_NONE) {
    return NULL;
  }
  for (size_t i = 0; i < sizeof clause / sizeof *clause; i++) {
    if (pw_find_clause(ck->stmt, clause[i].kind) != NULL) {
      return clause[i].word;
    }
  }
  return stands_alone(ck) ? "an expression in its numbers" : "another law beside it";
}

/* ---- shapes as numbers ---- */

static bool bad_corners(pw_check *ck, const pw_shape_def *s, const char *why) {
  pw_diag_ref d = pw_error(ck->diags, "E0270", s->span, "`%s` cannot touch other shapes", s->name);
  pw_label(d, "%s", why);
  pw_second(d, ck->stmt->u.law.label.name.span, "the contact needs it");
  pw_help(d,
          "list the corners of a convex %s with a size above zero; make others of several shapes",
          s->dim == 2 ? "polygon, one after the other around it" : "hull");
  return false;
}

static bool take_corners(pw_check *ck, const pw_shape_def *s, pw_solid *out) {
  double(*corner)[3] = pw_arena_take(ck->arena, (size_t)s->n_corner, sizeof *corner);
  for (int i = 0; i < s->n_corner; i++) {
    for (int k = 0; k < 3; k++) {
      if (pw_has(ck, s->corner[i][k]) != 0) {
        return bad_corners(ck, s, "its corners are not known before the run");
      }
      corner[i][k] = pw_value_now(ck, s->corner[i][k]);
    }
  }
  const double(*given)[3] = (const double(*)[3])corner;
  const char *why = s->dim == 2 ? pw_solid_polygon(ck->arena, given, s->n_corner, out)
                                : pw_solid_hull(ck->arena, given, s->n_corner, out);
  return why == NULL || bad_corners(ck, s, why);
}

bool pw_may_be_solid(pw_check *ck, const pw_shape_def *s) {
  bool numbers = true;
  for (int i = 0; i < s->n_corner; i++) {
    for (int k = 0; k < 3; k++) {
      numbers = numbers && pw_has(ck, s->corner[i][k]) == 0;
    }
  }
  return numbers;
}

static double value_of(pw_check *ck, pw_node x) {
  return x >= 0 ? pw_value_now(ck, x) : 0;
}

static bool make_solid(pw_check *ck, pw_shape_def *s) {
  pw_solid *out = PW_NEW(ck->arena, pw_solid);
  *out = (pw_solid){.dim = s->dim, .radius = value_of(ck, s->radius)};
  bool ok = true;

  /* `size` is the radius of a ball round the centre that holds the whole solid. */
  switch (s->kind) {
  case PW_SHAPE_DISK:
  case PW_SHAPE_SPHERE:
    out->kind = PW_SOLID_BALL;
    out->size = out->radius;
    break;
  case PW_SHAPE_PLANE: out->kind = PW_SOLID_PLANE; break;
  /* Half the length between the ends; round ends add the radius. */
  case PW_SHAPE_SEGMENT:
  case PW_SHAPE_CAPSULE:
    out->kind = PW_SOLID_ROD;
    out->n_corner = 2;
    out->free_ends = s->kind == PW_SHAPE_SEGMENT;
    out->half = value_of(ck, s->size[0]) / 2;
    out->size = out->half + out->radius;
    break;
  case PW_SHAPE_CYLINDER:
    out->kind = PW_SOLID_CYLINDER;
    out->radius = value_of(ck, s->size[0]);
    out->half = value_of(ck, s->size[1]) / 2;
    out->size = out->half + out->radius;
    break;
  /* Corners must be numbers that are known before the run. */
  case PW_SHAPE_POLYGON:
  case PW_SHAPE_BOX:
  case PW_SHAPE_HULL: ok = take_corners(ck, s, out); break;
  }
  s->solid = out;
  return ok;
}

bool pw_need_solid(pw_check *ck, pw_shape_def *s) {
  return s->solid != NULL || make_solid(ck, s);
}

/* ---- the pile ---- */

/* One shape of each kind that moves, and one that does not, stand for all. */
static bool check_pairs(pw_check *ck, const int *shape, int n) {
  enum { KINDS = PW_SHAPE_HULL + 1 };
  const pw_shape_def *some[2 * KINDS] = {NULL}, *more[2 * KINDS] = {NULL};
  for (int i = 0; i < n; i++) {
    const pw_shape_def *s = &ck->m->shapes.items[shape[i]];
    int k = (int)s->kind + (pw_shape_moves(ck, s) ? KINDS : 0);
    more[k] = some[k] == NULL ? NULL : s;
    some[k] = some[k] == NULL ? s : some[k];
  }
  for (int i = KINDS; i < 2 * KINDS; i++) {
    for (int k = 0; k < 2 * KINDS; k++) {
      const pw_shape_def *other = k == i ? more[k] : some[k];
      if (some[i] != NULL && other != NULL && !pw_meets_known(some[i]->solid, other->solid)) {
        return pw_no_pair(ck, some[i], other);
      }
    }
  }
  return true;
}

static bool nothing_moves(pw_check *ck) {
  const char *name = ck->stmt->u.law.label.name.text;
  pw_diag_ref d = pw_error(ck->diags, "E0255", ck->stmt->u.law.label.name.span,
                           "contact `%s` has no pair that can move", name);
  pw_label(d, "nothing listed here moves against the others");
  return false;
}

bool pw_add_pile(pw_check *ck, pw_node restitution, pw_node mu, const int *shape, int n) {
  bool any = false;
  for (int i = 0; i < n; i++) {
    pw_shape_def *s = &ck->m->shapes.items[shape[i]];
    any = any || (n > 1 && pw_shape_moves(ck, s));
    if (!pw_need_solid(ck, s)) {
      return false;
    }
  }
  if (!any) {
    return nothing_moves(ck);
  }
  pw_pile pile = {.name = ck->stmt->u.law.label.name.text,
                  .span = ck->stmt->u.law.label.name.span,
                  .shape = PW_TAKE(ck->arena, n, int),
                  .n = n,
                  .restitution = pw_node_value(ck->dag, restitution),
                  .mu = mu >= 0 ? pw_node_value(ck->dag, mu) : -1};
  memcpy(pile.shape, shape, (size_t)n * sizeof *shape);
  PW_PUSH(ck->arena, &ck->m->piles, pile);
  return check_pairs(ck, shape, n);
}
