// SPDX-License-Identifier: MIT
/* Contacts: every pair of the shapes listed becomes constraints with friction, one for each point
 * at which they may meet. */
#include <math.h>

#include "model/law_rows.h"
#include "model/pile.h"
#include "model/shape_touch.h"

enum {
  MOST_PAIRS = 100000, /* of one contact: each is an expression with its derivatives */
  MOST_CORNERS = 2000  /* contact points of polygons: memory grows with their square */
};

typedef PW_LIST(int) shape_list;

typedef struct clauses { /* of the statement */
  pw_row_draft normal, slip;
  bool has_slip;
  const pw_clause *turn[2]; /* `roll` and `spin`; NULL: none */
  pw_row_draft resists[2];  /* their laws */
  int *turns;               /* 2: how many pairs they act on */
} clauses;

enum { ROLL, SPIN };

/* ---- the shapes ---- */

static bool add_shape(pw_check *ck, const pw_ex *ref, shape_list *out) {
  const pw_ex *base = ref->kind == PW_EX_INDEX ? ref->arg[0] : ref;
  const pw_symbol *sym = base->kind == PW_EX_NAME ? pw_env_find(&ck->env, base->name) : NULL;
  if (sym == NULL || sym->kind != PW_SYM_SHAPE) {
    pw_diag_ref d =
        pw_error(ck->diags, "E0252", ref->span, "`%s` is not a shape", pw_text_of(ck, ref->span));
    pw_label(d, "a contact lists shapes, then its clauses");
    pw_help(d, "define it before: `shape %s: disk (x, y), radius r`", pw_text_of(ck, base->span));
    return false;
  }
  pw_val val = pw_elab(ck, base);
  int lo = val.lo, n = val.n;
  if (val.kind != PW_V_SHAPE) {
    return false; /* it has an error, or stands below */
  }
  if (ref != base && !pw_elab_index(ck, ref->arg[1], val.lo, val.n, base, &lo)) {
    return false;
  }
  n = ref != base ? 1 : n;
  for (int i = 0; i < n; i++) {
    int shape = val.row + lo - val.lo + i;
    PW_PUSH(ck->arena, out, shape);
  }
  return true;
}

/* ---- clauses ---- */

static bool read_clauses(pw_check *ck, clauses *out) {
  const pw_stmt *s = ck->stmt;
  const pw_clause *e = pw_find_clause(s, PW_CL_RESTITUTION);
  const pw_clause *poisson = pw_find_clause(s, PW_CL_POISSON), *mu = pw_find_clause(s, PW_CL_MU);
  const pw_clause *rough = pw_find_clause(s, PW_CL_ROUGH), *st = pw_find_clause(s, PW_CL_STATIC);
  *out = (clauses){.normal = {PW_KIND_UNILATERAL, PW_NO_CLAUSES},
                   .slip = {rough != NULL ? PW_KIND_ROUGH : PW_KIND_FRICTION, PW_NO_CLAUSES},
                   .has_slip = mu != NULL || rough != NULL};

  /* Clauses that exclude each other, and a clause without the one it belongs to. */
  if (e != NULL && poisson != NULL) {
    return pw_exclude(ck, e, poisson, "an impact has one law: Newton's or Poisson's");
  }
  if (mu != NULL && rough != NULL) {
    return pw_exclude(ck, mu, rough, "a rough contact does not slip at all");
  }
  if (st != NULL && mu == NULL) {
    return pw_no_effect(ck, st, "it is the bound of `mu` while a contact sticks");
  }

  /* Shapes that meet collide: without an impact law the motion is not determined. */
  if (e == NULL && poisson == NULL && !ck->outside.laws_open) {
    pw_diag_ref d = pw_error(ck->diags, "E0202", s->u.law.label.name.span,
                             "contact `%s` has no impact law", s->u.law.label.name.text);
    pw_label(d, "what happens when two shapes meet?");
    pw_help(d, "add `restitution 0` (no bounce), `restitution 1` (elastic) or a number between");
    return false;
  }

  /* Newton's law unless Poisson's is named. No coefficient may be negative. */
  out->normal.clause.impact = poisson != NULL ? PW_IMPACT_POISSON : PW_IMPACT_NEWTON;
  const pw_clause *law = e != NULL ? e : poisson;
  bool ok =
      law == NULL || pw_clause_value(ck, law, 0, (double)INFINITY, &out->normal.clause.restitution);
  ok = ok && (mu == NULL || pw_clause_value(ck, mu, 0, (double)INFINITY, &out->slip.clause.mu));
  return ok && (st == NULL ||
                pw_clause_value(ck, st, 0, (double)INFINITY, &out->slip.clause.static_bound));
}

/* Friction against rolling and spinning: moments up to an arm times the normal force. */
static bool read_turns(pw_check *ck, clauses *out) {
  static const pw_clause_kind kind[2] = {PW_CL_ROLL, PW_CL_SPIN};
  for (int i = 0; i < 2; i++) {
    out->turn[i] = pw_find_clause(ck->stmt, kind[i]);
    out->resists[i] = (pw_row_draft){PW_KIND_FRICTION, PW_NO_CLAUSES};
    if (out->turn[i] != NULL &&
        !pw_clause_value(ck, out->turn[i], 0, (double)INFINITY, &out->resists[i].clause.mu)) {
      return false;
    }
  }
  return true;
}

static bool check_turns(pw_check *ck, const clauses *c) {
  if (c->turn[ROLL] != NULL && c->turns[ROLL] == 0) {
    return pw_no_effect(ck, c->turn[ROLL], "no shape of the contact turns against the others");
  }
  if (c->turn[SPIN] != NULL && c->turns[SPIN] == 0) {
    return pw_no_effect(ck, c->turn[SPIN],
                        "no shape of the contact spins about a normal; in the "
                        "plane none can");
  }
  return true;
}

/* ---- pairs ---- */

bool pw_shape_moves(pw_check *ck, const pw_shape_def *s) {
  unsigned has = s->body >= 0 ? PW_HAS_Q : 0;
  for (int i = 0; i < s->dim; i++) {
    has |= pw_has(ck, s->p[i]);
    has |= s->kind == PW_SHAPE_SEGMENT ? pw_has(ck, s->q[i]) : 0;
  }
  has |= s->angle >= 0 ? pw_has(ck, s->angle) : 0;
  return (has & PW_HAS_Q) != 0;
}

bool pw_no_pair(pw_check *ck, const pw_shape_def *a, const pw_shape_def *b) {
  pw_diag_ref d =
      pw_error(ck->diags, "E0253", ck->stmt->u.law.label.name.span,
               a->dim != b->dim ? "`%s` lies in the plane, `%s` in space"
                                : "how `%s` and `%s` touch is not known",
               a->dim < b->dim ? a->name : b->name, a->dim < b->dim ? b->name : a->name);
  pw_label(d, "the contact has both of them");
  pw_second(d, b->span, "one of them");
  bool round = a->kind == PW_SHAPE_CYLINDER || b->kind == PW_SHAPE_CYLINDER;
  const char *hindered = pw_pile_hindrance(ck);
  if (a->dim == b->dim && !round && hindered != NULL) {
    pw_help(d,
            "leave out %s: with it steps need pairs that the event method knows, too, and in "
            "space these are what touches planes and spheres",
            hindered);
  } else if (a->dim == b->dim && !round) {
    pw_help(d, "`run ..., method moreau` knows how all shapes but cylinders touch each other; the "
               "event method knows disks and polygons in the plane, and in space what touches "
               "planes and spheres");
  } else {
    pw_help(d, "cylinders touch planes and spheres, with `run ..., method moreau`");
  }
  return false;
}

static bool add_friction(pw_check *ck, const pw_row_draft *law, int on, const pw_node *slip, int n,
                         const char *name) {
  pw_row_draft drafts[2] = {*law, *law};
  pw_node v[2] = {slip[0], n > 1 ? slip[1] : slip[0]};
  drafts[0].clause.on = drafts[1].clause.on = on;
  pw_val val = {.kind = PW_V_VECTOR, .n = n, .v = v};
  return pw_add_rows(ck, name, drafts, &val, ck->stmt->span);
}

/* Pairs that do not turn against each other have no such law. */
static bool add_turns(pw_check *ck, const clauses *c, const pw_touch_draft *x, int on,
                      const char *name) {
  unsigned rolls = pw_has(ck, x->roll[0]) | pw_has(ck, x->roll[1]), spins = pw_has(ck, x->spin);
  bool ok = true;
  if (c->turn[ROLL] != NULL && (rolls & PW_HAS_U) != 0) {
    c->turns[ROLL]++;
    ok = add_friction(ck, &c->resists[ROLL], on, x->roll, x->touch.dim - 1,
                      pw_intern_format(ck->names, "%s:roll", name));
  }
  if (ok && c->turn[SPIN] != NULL && (spins & PW_HAS_U) != 0) {
    c->turns[SPIN]++;
    ok = add_friction(ck, &c->resists[SPIN], on, &x->spin, 1,
                      pw_intern_format(ck->names, "%s:spin", name));
  }
  return ok;
}

static bool add_rows(pw_check *ck, const clauses *c, const pw_touch_draft *x, const char *pair) {
  const char *contact = ck->stmt->u.law.label.name.text;
  pw_span span = ck->stmt->span;
  const char *name = x->touch.number == 0
                         ? pw_intern_format(ck->names, "%s:%s", contact, pair)
                         : pw_intern_format(ck->names, "%s:%s#%d", contact, pair, x->touch.number);
  pw_touch touch = x->touch;
  touch.row = ck->m->rows.n;
  touch.contact = contact;
  touch.pair = pair;
  touch.n_slip = c->has_slip ? touch.n_slip : 0;
  pw_val gap = {.kind = PW_V_VECTOR, .n = 1, .v = &x->gap};
  if (!pw_spend(ck, 1) || !pw_add_rows(ck, name, &c->normal, &gap, span)) {
    return false;
  }
  PW_PUSH(ck->arena, &ck->m->touches, touch);
  if (c->has_slip && !add_friction(ck, &c->slip, touch.row, x->slip, touch.n_slip,
                                   pw_intern_format(ck->names, "%s:slip", name))) {
    return false;
  }
  return add_turns(ck, c, x, touch.row, name);
}

/* Pairs whose gap no motion changes have no contact. */
static bool changes(pw_check *ck, pw_node gap) {
  pw_node rate;
  return pw_elab_rate(ck, &gap, 1, &rate) && (pw_has(ck, rate) & PW_HAS_U) != 0;
}

static bool stay_together(pw_check *ck, const pw_shape_def *a, const pw_shape_def *b) {
  return (!pw_shape_moves(ck, a) && !pw_shape_moves(ck, b)) ||
         (a->body >= 0 && a->body == b->body) || pw_shapes_move_alike(ck, a, b);
}

static int corners_in(const pw_touch_list *list) {
  int n = 0;
  for (int i = 0; i < list->n; i++) {
    n += list->items[i].touch.n_beside > 0;
  }
  return n;
}

/* Events and steps both know how the two touch. */
static bool is_pair(pw_check *ck, pw_shape_def *a, pw_shape_def *b, int *corners) {
  pw_touch_list list = {0};
  bool known = pw_need_solid(ck, a) && pw_need_solid(ck, b) && pw_meets_known(a->solid, b->solid) &&
               pw_shapes_meet(ck, a, b, &list);
  *corners += known ? corners_in(&list) : 0;
  return known;
}

static bool are_solid(pw_check *ck, const shape_list *shapes) {
  bool all = true;
  for (int i = 0; i < shapes->n; i++) {
    all = all && pw_may_be_solid(ck, &ck->m->shapes.items[shapes->items[i]]);
  }
  return all;
}

/* Few shapes, and each pair is known to the event method. */
static bool has_pairs(pw_check *ck, const shape_list *shapes) {
  enum { FEW = 12 }; /* pairs of more shapes cost more than steps, whatever happens */
  int corners = 0;
  bool known = shapes->n <= FEW;
  for (int i = 0; known && i < shapes->n; i++) {
    for (int j = i + 1; known && j < shapes->n; j++) {
      pw_shape_def *a = &ck->m->shapes.items[shapes->items[i]];
      pw_shape_def *b = &ck->m->shapes.items[shapes->items[j]];
      known = stay_together(ck, a, b) || is_pair(ck, a, b, &corners);
    }
  }
  return known && corners <= MOST_CORNERS;
}

static bool add_pair(pw_check *ck, const clauses *c, pw_shape_def *a, pw_shape_def *b) {
  if (stay_together(ck, a, b)) {
    return true;
  }
  pw_touch_list list = {0};
  bool plane = a->kind == PW_SHAPE_PLANE || b->kind == PW_SHAPE_PLANE; /* any corners do */
  if (!plane && (!pw_need_solid(ck, a) || !pw_need_solid(ck, b))) {
    return false;
  }
  if (!pw_shapes_meet(ck, a, b, &list)) {
    return pw_no_pair(ck, a, b);
  }
  const char *pair = pw_intern_format(ck->names, "%s-%s", a->name, b->name);
  bool ok = true;
  for (int i = 0; i < list.n && ok; i++) {
    ok = !changes(ck, list.items[i].gap) || add_rows(ck, c, &list.items[i], pair);
  }
  return ok;
}

static bool too_many(pw_check *ck, int n) {
  if ((double)n * (n - 1) / 2 <= MOST_PAIRS) {
    return false;
  }
  pw_diag_ref d = pw_error(ck->diags, "E0254", ck->stmt->u.law.label.name.span,
                           "contact `%s` has too many pairs", ck->stmt->u.law.label.name.text);
  pw_label(d, "%d shapes are %.0f pairs; at most %d are written out", n, (double)n * (n - 1) / 2,
           MOST_PAIRS);
  pw_help(d, "list fewer shapes, or let neighbours touch only, by several contacts");
  return true;
}

static bool too_many_corners(pw_check *ck, int shapes) {
  int n = 0;
  for (int i = 0; i < ck->m->touches.n; i++) {
    n += ck->m->touches.items[i].n_beside > 0;
  }
  if (n <= MOST_CORNERS) {
    return false;
  }
  pw_diag_ref d =
      pw_error(ck->diags, "E0254", ck->stmt->u.law.label.name.span,
               "contact `%s` has too many contact points", ck->stmt->u.law.label.name.text);
  pw_label(d, "corners of its %d shapes may touch at more than %d points", shapes, MOST_CORNERS);
  pw_help(d, "`run ..., method moreau` finds them on the way; the event method is for few bodies");
  return true;
}

void pw_check_contact(pw_check *ck) {
  const pw_stmt *s = ck->stmt;
  shape_list shapes = {0};
  clauses c;
  int first = ck->m->rows.n, turns[2] = {0, 0};
  bool ok = true;

  /* Shapes and clauses are both read, so that faults in either are reported. */
  for (int i = 0; i < s->u.law.shapes.n; i++) {
    ok = add_shape(ck, s->u.law.shapes.items[i], &shapes) && ok;
  }
  ok = read_clauses(ck, &c) && read_turns(ck, &c) && ok;
  c.turns = turns;

  /* A pile finds its pairs during the run; it knows no friction of rolling and spinning. */
  bool plain = ok && c.turn[ROLL] == NULL && c.turn[SPIN] == NULL;
  bool by_size = plain && pw_may_take_turns(ck);
  plain = plain && (!by_size || are_solid(ck, &shapes));
  bool pairs = plain && by_size && has_pairs(ck, &shapes);
  pw_pile_use use = plain ? pw_pile_use_of(ck, &c.normal.clause, c.has_slip ? &c.slip : NULL, pairs)
                          : PW_PILE_NONE;
  bool rows = use != PW_PILE_ONLY;
  ok = ok && (use == PW_PILE_NONE || pw_add_pile(ck, c.normal.clause.restitution, c.slip.clause.mu,
                                                 shapes.items, shapes.n));
  ok = ok && (!rows || !too_many(ck, shapes.n));

  /* For the event method each pair of shapes gets rows of its own. */
  for (int i = 0; ok && rows && i < shapes.n; i++) {
    for (int j = i + 1; ok && j < shapes.n; j++) {
      ok = pw_spend(ck, 1) &&
           add_pair(ck, &c, &ck->m->shapes.items[shapes.items[i]],
                    &ck->m->shapes.items[shapes.items[j]]) &&
           !too_many_corners(ck, shapes.n);
    }
  }

  /* Shapes that never move against each other cannot meet. */
  if (ok && rows && ck->m->rows.n == first) {
    pw_diag_ref d = pw_error(ck->diags, "E0255", s->u.law.label.name.span,
                             "contact `%s` has no pair that can move", s->u.law.label.name.text);
    pw_label(d, "nothing listed here moves against the others");
    ok = false;
  }
  ok = ok && check_turns(ck, &c);
  if (ok && use == PW_PILE_BOTH) {
    ck->m->piles.items[ck->m->piles.n - 1].n_row = ck->m->rows.n - first;
  }

  /* The name of the contact stands for the rows of all its pairs. */
  pw_symbol *sym = pw_define_name(ck, s->u.law.label.name);
  if (sym != NULL) {
    sym->val = ok ? (pw_val){.kind = PW_V_LAW,
                             .row = first,
                             .n = 1,
                             .each = ck->m->rows.n - first,
                             .sym = sym}
                  : PW_BAD_VAL;
  }
}
