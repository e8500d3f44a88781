// SPDX-License-Identifier: MIT
/* Dimensional check of a model: one silent pass finds the units and with them the dimensions of
 * the coordinates, a second one compares. A model without units is not looked at. */
#include "model/dims.h"

#include <stdio.h>
#include <string.h>

#include "model/dims_walk.h"

/* ---- declarations ---- */

static bool states_unit(const pw_quantity *q) {
  bool unit = q->kind == PW_QT_KNOWN && (q->flags & PW_QT_BARE) == 0;
  for (int i = 0; i < q->n && q->kind == PW_QT_VECTOR; i++) {
    unit = unit || states_unit(&q->v[i]);
  }
  return unit;
}

static void doubt_bare(pw_dims *w, pw_meaning *m, pw_quantity *q) {
  if ((q->flags & PW_QT_BARE) != 0) {
    *q = pw_doubt(w, m);
  }
  for (int i = 0; i < q->n && q->kind == PW_QT_VECTOR; i++) {
    doubt_bare(w, m, &q->v[i]);
  }
}

static void require_si(pw_dims *w, const char *code, const char *what, const char *name,
                       const pw_ex *ex, pw_quantity want) {
  pw_demand demand = {.code = code, .what = what, .name = name, .bare_is_si = true};
  if (ex != NULL) {
    pw_quantity got = pw_dims_of(w, ex);
    pw_require(w, ex, &got, &want, &demand);
  }
}

/* What an override of a member or component replaces, "k[2]" of the quantity k; false: it is one of
 * another name. */
static bool replaced_part(const pw_ex *target, const char *name, pw_quantity *q) {
  if (target->kind == PW_EX_INDEX && replaced_part(target->arg[0], name, q)) {
    *q = pw_dims_component(q, target->arg[1]);
    return true;
  }
  return target->kind == PW_EX_NAME && target->name == name;
}

/* A parameter has the dimension of its text; if that states none, of its value on the command
 * line. */
static pw_quantity dims_of_parameter(pw_dims *w, const pw_par *par) {
  const char *name = par->label.name.text;
  pw_quantity q = pw_dims_of(w, par->value);
  unsigned family = par->label.index.text != NULL ? PW_QT_FAMILY : 0;
  q.flags |= family;
  for (int i = 0; i < w->n_replaced; i++) {
    const pw_replaced *r = &w->replaced[i];
    pw_quantity part = q;
    if (!replaced_part(r->target, name, &part)) {
      continue;
    }
    if (states_unit(&part)) {
      require_si(w, "E0158", "the value of", name, r->value, part);
    } else if (r->target->kind == PW_EX_NAME) {
      q = pw_dims_of(w, r->value);
      q.flags |= family;
    }
  }
  return q;
}

/* A member or component of a parameter above: a bare number is in SI. */
static void walk_member(pw_dims *w, const pw_par *par) {
  const pw_meaning *m = pw_dims_find(w, par->label.name.text);
  pw_quantity want = m != NULL ? m->value : (pw_quantity){0};
  for (int i = 0; i < par->at.n; i++) {
    want = pw_dims_component(&want, par->at.items[i]);
  }
  require_si(w, "E0158", "the value of", par->label.name.text, par->value, want);
}

static void walk_parameter(pw_dims *w, const pw_stmt *stmt, const pw_par *par) {
  const char *name = par->label.name.text;
  int base = w->locals.n;
  if (par->label.index.text != NULL) {
    pw_dims_push(w, par->label.index.text, pw_pure(PW_QT_BARE));
  }
  pw_quantity q = dims_of_parameter(w, par);
  pw_dims_define(w, par->label.name, PW_MN_PARAMETER, stmt, q);
  pw_meaning *m = pw_dims_find(w, name);
  doubt_bare(w, m, &m->value);
  m->value.flags |= q.flags & PW_QT_FAMILY;
  require_si(w, "E0158", "a limit of", name, par->lo, m->value);
  require_si(w, "E0158", "a limit of", name, par->hi, m->value);
  w->locals.n = base;
}

static void walk_parameters(pw_dims *w, const pw_stmt *stmt) {
  for (int i = 0; i < stmt->u.parameter.n; i++) {
    const pw_par *par = &stmt->u.parameter.items[i];
    if (par->at.n > 0) {
      walk_member(w, par);
    } else {
      walk_parameter(w, stmt, par);
    }
  }
}

/* Coordinates and bodies keep what the first pass found out about them. */
static void declare(pw_dims *w, pw_name name, pw_meaning_kind kind, const pw_stmt *stmt) {
  if (pw_dims_find(w, name.text) == NULL) {
    pw_dims_define(w, name, kind, stmt, (pw_quantity){0});
  }
}

static void walk_body(pw_dims *w, const pw_stmt *stmt) {
  const pw_heading *label = &stmt->u.body.label;
  int base = w->locals.n;
  if (label->index.text != NULL) {
    pw_dims_push(w, label->index.text, pw_pure(PW_QT_BARE));
  }
  declare(w, label->name, PW_MN_BODY, stmt);
  pw_meaning *m = pw_dims_find(w, label->name.text);
  pw_quantity mass = pw_dims_of(w, stmt->u.body.mass);
  pw_quantity inertia = pw_dims_of(w, stmt->u.body.inertia);
  m->has_unit = m->has_unit || states_unit(&mass) || states_unit(&inertia);
  require_si(w, "E0155", "the mass of", label->name.text, stmt->u.body.mass, pw_known(0, 1, 0));
  require_si(w, "E0155", "the inertia of", label->name.text, stmt->u.body.inertia,
             pw_known(2, 1, 0));
  w->locals.n = base;
}

static void walk_let(pw_dims *w, const pw_stmt *stmt) {
  if (stmt->u.let.is_function) {
    pw_dims_define(w, stmt->u.let.label.name, PW_MN_FUNCTION, stmt, (pw_quantity){0});
    return;
  }
  const pw_heading *label = &stmt->u.let.label;
  int base = w->locals.n;
  if (label->index.text != NULL) {
    pw_dims_push(w, label->index.text, pw_pure(PW_QT_BARE));
  }
  pw_quantity q = pw_dims_of(w, stmt->u.let.ex);
  q.flags |= label->index.text != NULL ? PW_QT_FAMILY : 0;
  pw_dims_define(w, label->name, PW_MN_VALUE, stmt, q);
  w->locals.n = base;
}

static void walk_energy(pw_dims *w, const pw_stmt *stmt) {
  bool loss = stmt->kind == PW_ST_DISSIPATION;
  pw_demand demand = {.code = "E0154", .name = stmt->u.energy.name.text};
  pw_quantity q = pw_dims_of(w, stmt->u.energy.ex);
  pw_quantity want = pw_known(2, 1, loss ? -3 : -2);
  demand.what = loss                          ? "the dissipation"
                : stmt->kind == PW_ST_KINETIC ? "the kinetic energy"
                                              : "the potential energy";
  pw_require(w, stmt->u.energy.ex, &q, &want, &demand);
  pw_dims_define(w, stmt->u.energy.name, PW_MN_VALUE, stmt, q);
}

/* ---- start ---- */

/* The declared name a reference begins with, and the primes it carries. */
static pw_meaning *target_of(pw_dims *w, const pw_init *init, int *primes) {
  *primes = init->primes;
  if (init->label.name.text != NULL) {
    return pw_dims_find(w, init->label.name.text);
  }
  const pw_ex *ex = init->ref;
  *primes = 0;
  for (; ex != NULL && ex->kind != PW_EX_NAME; ex = ex->n_arg > 0 ? ex->arg[0] : NULL) {
    pw_meaning *member = pw_dims_member(w, ex);
    if (member != NULL) {
      return member;
    }
    *primes += ex->kind == PW_EX_PRIME;
  }
  return ex == NULL ? NULL : pw_dims_find(w, ex->name);
}

/* A coordinate takes its dimension from the first unit in its start: of itself or of a rate. */
static void learn(const pw_init *init, pw_meaning *m, int primes, const pw_quantity *q) {
  if (m == NULL || m->has_unit || init->is_force || !states_unit(q)) {
    return;
  }
  if (m->kind == PW_MN_COORDINATE && q->kind == PW_QT_KNOWN) {
    m->value = pw_scale(*q, pw_known(0, 0, 1), primes);
    m->has_unit = true;
  } else if (m->kind == PW_MN_BODY) {
    m->has_unit = true;
  }
}

static pw_quantity wanted_start(pw_dims *w, const pw_init *init, pw_meaning *m) {
  if (init->is_force) {
    return m != NULL && m->kind == PW_MN_LAW ? m->force : (pw_quantity){0};
  }
  if (init->ref != NULL) {
    return pw_dims_of(w, init->ref);
  }
  pw_ex name = {.kind = PW_EX_NAME, .name = init->label.name.text};
  pw_quantity q = pw_dims_of(w, &name);
  for (int i = 0; i < init->primes; i++) {
    q = pw_rate_of(w, &q);
  }
  return q;
}

static void walk_init(pw_dims *w, const pw_init *init) {
  int primes, base = w->locals.n;
  pw_meaning *m = target_of(w, init, &primes);
  if (init->value == NULL) {
    return;
  }
  if (init->label.index.text != NULL) {
    pw_dims_push(w, init->label.index.text, pw_pure(PW_QT_BARE));
  }
  pw_quantity got = pw_dims_of(w, init->value);
  if (w->silent) {
    learn(init, m, primes, &got);
  } else {
    pw_demand demand = {.code = "E0158", .what = "the start value", .bare_is_si = true};
    pw_quantity want = wanted_start(w, init, m);
    pw_require(w, init->value, &got, &want, &demand);
  }
  w->locals.n = base;
}

/* ---- results ---- */

static void walk_event(pw_dims *w, const pw_stmt *stmt) {
  const pw_rel *rel = &stmt->u.event.rel;
  const char *name = stmt->u.event.name.text;
  pw_dims_define(w, stmt->u.event.name, PW_MN_EVENT, stmt, (pw_quantity){0});
  if (stmt->u.event.every != NULL) {
    require_si(w, "E0159", "the period of", name, stmt->u.event.every, pw_known(0, 0, 1));
    return;
  }
  char what[160];
  snprintf(what, sizeof what, "the sides of `%.100s`", name);
  pw_quantity a = pw_dims_of(w, rel->left);
  pw_quantity b = pw_dims_of(w, rel->right);
  pw_alike(w, "E0156", what, rel->left, &a, rel->right, &b);
}

static void walk_run(pw_dims *w, const pw_stmt *stmt) {
  pw_quantity second = pw_known(0, 0, 1);
  require_si(w, "E0159", "the start time", NULL, stmt->u.run.from, second);
  require_si(w, "E0159", "the end time", NULL, stmt->u.run.to, second);
  for (int i = 0; i < stmt->u.run.n; i++) {
    const pw_runopt *o = &stmt->u.run.items[i];
    bool time = strcmp(o->word.text, "every") == 0 || strcmp(o->word.text, "step") == 0;
    if (o->ex != NULL) {
      require_si(w, "E0159", "the option", o->word.text, o->ex, time ? second : pw_pure(0));
    }
  }
}

static void walk_expect(pw_dims *w, const pw_stmt *stmt) {
  const pw_ex *ex = stmt->u.expect.right;
  pw_quantity left = pw_dims_of(w, stmt->u.expect.left);
  pw_quantity want = left;
  if ((left.flags & PW_QT_BARE) != 0) {
    want = pw_dims_of(w, stmt->u.expect.right);
    ex = stmt->u.expect.left;
  }
  require_si(w, "E0159", "the expected value", NULL, ex, want);
  require_si(w, "E0159", "the tolerance", NULL, stmt->u.expect.tol, want);
  if (stmt->u.expect.at == PW_AT_TIME) {
    require_si(w, "E0159", "the time", NULL, stmt->u.expect.time, pw_known(0, 0, 1));
  }
}

static void walk_views(pw_dims *w, const pw_stmt *stmt) {
  for (int i = 0; stmt->kind == PW_ST_OUTPUT && i < stmt->u.output.n; i++) {
    const pw_def *def = &stmt->u.output.items[i];
    pw_quantity q = pw_dims_of(w, def->ex);
    if (def->unit != NULL) {
      pw_demand demand = {.code = "E0160", .what = "output", .name = def->name.text};
      pw_quantity want = pw_dims_of_unit(def->unit);
      pw_require(w, def->ex, &q, &want, &demand);
    }
    pw_dims_define(w, def->name, PW_MN_VALUE, stmt, q);
  }
  for (int i = 0; stmt->kind == PW_ST_PLOT && i < stmt->u.plot.n; i++) {
    (void)pw_dims_of(w, stmt->u.plot.items[i]);
  }
  if (stmt->kind == PW_ST_PLOT) {
    (void)pw_dims_of(w, stmt->u.plot.vs);
  }
  for (int i = 0; stmt->kind == PW_ST_DRAW && i < stmt->u.draw.n; i++) {
    (void)pw_dims_of(w, stmt->u.draw.items[i].ex);
  }
}

/* ---- the whole model ---- */

static void walk_coordinates(pw_dims *w, const pw_stmt *stmt) {
  for (int i = 0; stmt->kind == PW_ST_COORDINATES && i < stmt->u.coordinates.n; i++) {
    declare(w, stmt->u.coordinates.items[i].name, PW_MN_COORDINATE, stmt);
  }
  for (int i = 0; stmt->kind == PW_ST_ROTATION && i < stmt->u.rotation.n; i++) {
    declare(w, stmt->u.rotation.items[i], PW_MN_ROTATION, stmt);
  }
}

/* Behind the statement stand those of its first member, if it has any. */
static void walk_part(pw_dims *w, const pw_ast *ast, int i) {
  const pw_lang_part *part = ast->items[i]->u.string.part;
  const char *first = i + 1 < ast->n ? ast->items[i + 1]->scope : NULL;
  if (first == NULL || strncmp(first, part->label.name.text, strlen(part->label.name.text)) != 0) {
    return;
  }
  pw_dims_define(w, part->label.name, PW_MN_PART, ast->items[i], (pw_quantity){0});
  pw_dims_find(w, part->label.name.text)->scope = first;
}

static void walk(pw_dims *w, const pw_stmt *stmt) {
  switch (stmt->kind) {
  /* Declarations: what dimension each name has. */
  case PW_ST_PARAMETER: walk_parameters(w, stmt); break;
  case PW_ST_COORDINATES:
  case PW_ST_ROTATION: walk_coordinates(w, stmt); break;
  case PW_ST_BODY: walk_body(w, stmt); break;
  case PW_ST_LET: walk_let(w, stmt); break;

  /* Energies, forces and laws must have the dimensions of mechanics. */
  case PW_ST_KINETIC:
  case PW_ST_POTENTIAL:
  case PW_ST_DISSIPATION: walk_energy(w, stmt); break;
  case PW_ST_FORCE: pw_dims_force(w, stmt); break;
  case PW_ST_CONSTRAINT:
  case PW_ST_FRICTION:
  case PW_ST_SPRING:
  case PW_ST_LAW:
  case PW_ST_SERVO: pw_dims_law(w, stmt); break;
  case PW_ST_JOINT: pw_dims_joint(w, stmt); break;
  case PW_ST_SHAPE:
  case PW_ST_CONTACT: pw_dims_shape(w, stmt); break;

  /* Start values and results are compared with what they refer to. */
  case PW_ST_START:
  case PW_ST_END:
    for (int i = 0; i < stmt->u.start.n; i++) {
      walk_init(w, &stmt->u.start.items[i]);
    }
    break;
  case PW_ST_EVENT: walk_event(w, stmt); break;
  case PW_ST_OUTPUT:
  case PW_ST_PLOT:
  case PW_ST_DRAW: walk_views(w, stmt); break;
  case PW_ST_RUN: walk_run(w, stmt); break;
  case PW_ST_EXPECT: walk_expect(w, stmt); break;

  /* Signals carry the dimensions of their values. */
  case PW_ST_INPUT:
  case PW_ST_TABLE:
  case PW_ST_STATE:
  case PW_ST_SAMPLE: pw_dims_signal(w, stmt); break;

  /* A title has no dimension; parts are walked in their own scope. */
  case PW_ST_MODEL:
  case PW_ST_INCLUDE: break;
  }
}

/* At most as many names as this are defined. */
static int count_names(const pw_ast *ast) {
  int n = 0;
  for (int i = 0; i < ast->n; i++) {
    const pw_stmt *s = ast->items[i];
    n += s->kind == PW_ST_PARAMETER                          ? s->u.parameter.n
         : s->kind == PW_ST_COORDINATES                      ? s->u.coordinates.n
         : s->kind == PW_ST_ROTATION                         ? s->u.rotation.n
         : s->kind == PW_ST_OUTPUT || s->kind == PW_ST_STATE ? s->u.output.n
         : s->kind == PW_ST_INPUT                            ? s->u.input.n
                                                             : 1;
  }
  return n;
}

/* Start values on the command line; values of parameters are not looked at here. */
static void walk_replaced(pw_dims *w) {
  for (int i = 0; i < w->n_replaced; i++) {
    pw_init init = {.ref = w->replaced[i].target, .value = w->replaced[i].value};
    int primes;
    const pw_meaning *m = target_of(w, &init, &primes);
    if (m != NULL && m->kind != PW_MN_PARAMETER) {
      walk_init(w, &init);
    }
  }
}

static void answer(pw_dims *w, const pw_unit_ask *ask) {
  pw_quantity q = pw_dims_of(w, ask->ex);
  if (q.kind == PW_QT_VECTOR && ask->component < q.n) {
    q = q.v[ask->component];
  }
  if (q.kind == PW_QT_KNOWN && states_unit(&q)) {
    char *text = PW_TAKE(w->arena, PW_DIM_TEXT, char);
    pw_dim_print(&q.dim, text, PW_DIM_TEXT);
    *ask->unit = text;
  }
}

bool pw_check_dimensions(pw_arena *arena, const pw_ast *ast, const pw_replaced *replaced,
                         int n_replaced, pawl_diags *diags, const pw_unit_ask *asks, int n_ask) {
  pw_dims *w = PW_NEW(arena, pw_dims);
  w->replaced = replaced;
  w->n_replaced = n_replaced;
  w->arena = arena;
  w->diags = diags;
  w->call = PW_NO_SPAN;

  /* Slots for the names: a power of two, at most half of them full. */
  w->n_slot = 16;
  while (w->n_slot < 2 * count_names(ast)) {
    w->n_slot *= 2;
  }
  w->slots = PW_TAKE(arena, w->n_slot, pw_meaning *);

  /* The first pass is silent and learns the dimensions. Only models with units need the second. */
  for (int pass = 0; pass < 2 && (pass == 0 || w->uses_units); pass++) {
    w->silent = pass == 0;
    w->steps = 0;
    for (int i = 0; i < ast->n; i++) {
      if (ast->items[i]->kind == PW_ST_INCLUDE) {
        walk_part(w, ast, i);
      } else {
        walk(w, ast->items[i]);
      }
    }
    walk_replaced(w);
  }

  /* Remarks and answers make sense only if all dimensions agree. */
  if (w->uses_units && !w->failed) {
    pw_dims_remark(w);
  }
  w->steps = 0;
  for (int i = 0; i < n_ask && w->uses_units && !w->failed; i++) {
    answer(w, &asks[i]);
  }
  return !w->failed;
}
