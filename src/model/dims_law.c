// SPDX-License-Identifier: MIT
/* Dimensions in laws and forces. A multiplier times its function is an energy (functions of
 * position) or a power (functions of velocity); everything a law is given follows from that. */
#include <stdio.h>
#include <string.h>

#include "model/dims_walk.h"

enum { TEXT = 160 };

static pw_quantity per(pw_dims *w, const pw_quantity *q, pw_quantity whole) {
  if (q->kind == PW_QT_VECTOR) {
    pw_quantity r = pw_vector_of(w, *q, q->n);
    for (int i = 0; i < q->n; i++) {
      r.v[i] = per(w, &q->v[i], whole);
    }
    return r;
  }
  pw_quantity r = pw_scale(whole, *q, -1);
  r.flags = 0;
  return r.kind == PW_QT_ANY ? (pw_quantity){0} : r;
}

static bool is_rate(const pw_quantity *q) {
  bool rate = (q->flags & PW_QT_RATE) != 0;
  for (int i = 0; i < q->n && q->kind == PW_QT_VECTOR; i++) {
    rate = rate || is_rate(&q->v[i]);
  }
  return rate;
}

static pw_quantity energy(void) {
  return pw_known(2, 1, -2);
}

static pw_quantity power(void) {
  return pw_known(2, 1, -3);
}

pw_quantity pw_conjugate(pw_dims *w, const pw_quantity *q) {
  return per(w, q, is_rate(q) ? power() : energy());
}

/* A vector law is isotropic: its first component stands for all. */
static pw_quantity first_of(const pw_quantity *q) {
  bool many = q->kind == PW_QT_VECTOR && q->n > 0;
  return many ? q->v[0] : *q;
}

typedef struct law_dims { /* of the law at hand */
  const pw_stmt *stmt;
  pw_quantity argument; /* relation, slip or stretch */
  pw_quantity lambda;   /* its multiplier */
  pw_quantity ratio;    /* tangential to normal multiplier, for mu; else unknown */
  bool rate;
} law_dims;

static void demand_clause(pw_dims *w, const law_dims *law, const pw_clause *c, const pw_ex *ex,
                          const pw_quantity *want) {
  char what[TEXT];
  snprintf(what, sizeof what, "`%s` of", pw_clause_word(c->kind));
  pw_demand demand = {.code = "E0157", .what = what, .name = law->stmt->u.law.label.name.text};
  pw_quantity got = pw_dims_of(w, ex);
  if (ex != NULL) {
    pw_require(w, ex, &got, want, &demand);
  }
}

/* by (x: a, th: b): the powers a x' and b th' belong to one multiplier. */
static void check_by(pw_dims *w, law_dims *law, const pw_clause *c) {
  pw_quantity first = {0};
  const pw_ex *first_ex = NULL;
  for (int i = 0; i < c->by.n; i++) {
    const pw_by *by = &c->by.items[i];
    pw_quantity place = pw_dims_of(w, by->ref);
    pw_quantity factor = by->factor == NULL ? pw_pure(0) : pw_dims_of(w, by->factor);
    pw_quantity work = pw_scale(first_of(&factor), first_of(&place), 1);
    const pw_ex *ex = by->factor == NULL ? by->ref : by->factor;
    if (first_ex != NULL) {
      pw_alike(w, "E0157", "the parts of `by`, each times its coordinate,", first_ex, &first, ex,
               &work);
    }
    if (first_ex == NULL || first.kind == PW_QT_ANY) {
      first = work;
      first_ex = ex;
      law->lambda = per(w, &work, is_rate(&place) ? power() : energy());
    }
  }
}

static void check_graph(pw_dims *w, const law_dims *law, const pw_clause *c) {
  for (int i = 0; i < c->points.n; i++) {
    const pw_ex *point = c->points.items[i];
    if (point->kind == PW_EX_VECTOR && point->n_arg == 2) {
      demand_clause(w, law, c, point->arg[0], &law->argument);
      demand_clause(w, law, c, point->arg[1], &law->lambda);
    }
  }
}

/* mu relates the multiplier of the slip to that of the contact: a pure number if the slip is the
 * speed and the gap the distance. */
static void check_mu(pw_dims *w, law_dims *law, const pw_clause *c) {
  pw_quantity on = pw_dims_of(w, c->on->kind == PW_EX_VECTOR ? c->on->arg[0] : c->on);
  pw_quantity along = first_of(&law->lambda);
  pw_quantity across = on.kind == PW_QT_LAW ? first_of(&on.sym->force) : (pw_quantity){0};
  law->ratio = pw_scale(along, across, -1);
  if (c->ex->kind == PW_EX_VECTOR && c->ex->n_arg == 2 && law->lambda.kind == PW_QT_VECTOR &&
      law->lambda.n == 2) { /* an ellipse: each coefficient belongs to its own slip */
    for (int i = 0; i < 2; i++) {
      pw_quantity ratio = pw_scale(law->lambda.v[i], across, -1);
      demand_clause(w, law, c, c->ex->arg[i], &ratio);
    }
  } else if (law->ratio.kind == PW_QT_KNOWN) {
    demand_clause(w, law, c, c->ex, &law->ratio);
  } else {
    (void)pw_dims_of(w, c->ex);
  }
}

static void check_clause(pw_dims *w, law_dims *law, const pw_clause *c) {
  pw_quantity one = pw_pure(0);
  pw_quantity argument = first_of(&law->argument), lambda = first_of(&law->lambda);
  pw_quantity per_argument = pw_scale(lambda, argument, -1);
  switch (c->kind) {
  case PW_CL_RESTITUTION:
  case PW_CL_POISSON: demand_clause(w, law, c, c->ex, &one); break;
  case PW_CL_VISCOUS:
    per_argument = law->rate ? per_argument : pw_scale(per_argument, pw_known(0, 0, 1), 1);
    demand_clause(w, law, c, c->ex, &per_argument);
    break;
  case PW_CL_DAMPING: {
    pw_quantity per_rate = pw_scale(per_argument, pw_known(0, 0, 1), 1);
    demand_clause(w, law, c, c->ex, &per_rate);
    break;
  }
  case PW_CL_STIFFNESS: demand_clause(w, law, c, c->ex, &per_argument); break;
  case PW_CL_MU: check_mu(w, law, c); break;
  case PW_CL_STATIC:
    demand_clause(w, law, c, c->ex, law->ratio.kind == PW_QT_KNOWN ? &law->ratio : &lambda);
    break;
  case PW_CL_BOUND:
  case PW_CL_PRELOAD: demand_clause(w, law, c, c->ex, &lambda); break;
  case PW_CL_PLAY:
    demand_clause(w, law, c, c->ex, &argument);
    demand_clause(w, law, c, c->ex2, &argument);
    break;
  case PW_CL_GRAPH: check_graph(w, law, c); break;
  case PW_CL_BY: check_by(w, law, c); break;
  case PW_CL_INERTIA: { /* T + lambda phi is an energy */
    pw_quantity phi = pw_dims_of(w, c->ex);
    law->lambda = per(w, &phi, energy());
    break;
  }
  case PW_CL_VAKONOMIC: law->lambda = per(w, &law->argument, energy()); break;
  case PW_CL_ROUGH:
  case PW_CL_ROLL: /* of contacts only, contact_dims */
  case PW_CL_SPIN:
  case PW_CL_PULL:
  case PW_CL_ONE_WAY: break;
  }
}

static pw_quantity relation(pw_dims *w, const pw_stmt *stmt) {
  const pw_rel *rel = &stmt->u.law.rel;
  char what[TEXT];
  pw_quantity a = pw_dims_of(w, rel->left);
  pw_quantity b = pw_dims_of(w, rel->right);
  snprintf(what, sizeof what, "the sides of `%.100s`", stmt->u.law.label.name.text);
  bool ok = pw_alike(w, "E0156", what, rel->left, &a, rel->right, &b);
  if (a.kind != PW_QT_VECTOR || b.kind != PW_QT_VECTOR || a.n != b.n) {
    return ok ? pw_common(&a, &b) : (pw_quantity){0};
  }
  pw_quantity q = pw_vector_of(w, a, a.n);
  for (int i = 0; i < a.n; i++) {
    q.v[i] = pw_common(&a.v[i], &b.v[i]);
  }
  return ok ? q : (pw_quantity){0};
}

void pw_dims_law(pw_dims *w, const pw_stmt *stmt) {
  bool has_relation = stmt->kind == PW_ST_CONSTRAINT || stmt->kind == PW_ST_SERVO;
  bool is_slip = stmt->kind == PW_ST_FRICTION || (stmt->kind == PW_ST_LAW && stmt->u.law.is_slip);
  const pw_heading *label = &stmt->u.law.label;
  int base = w->locals.n;
  if (label->index.text != NULL) {
    (void)pw_dims_of(w, label->from);
    (void)pw_dims_of(w, label->to);
    pw_dims_push(w, label->index.text, pw_pure(PW_QT_BARE));
  }
  if (label->second.text != NULL) {
    (void)pw_dims_of(w, label->from2);
    (void)pw_dims_of(w, label->to2);
    pw_dims_push(w, label->second.text, pw_pure(PW_QT_BARE));
  }
  law_dims law = {.stmt = stmt};
  law.argument = has_relation ? relation(w, stmt) : pw_dims_of(w, stmt->u.law.measure);
  law.rate = has_relation ? is_rate(&law.argument) : is_slip;
  law.lambda = per(w, &law.argument, law.rate ? power() : energy());
  if (!has_relation) {
    pw_dims_push(w, is_slip ? "slip" : "stretch", law.argument);
  }
  for (int i = 0; i < stmt->u.law.n; i++) {
    check_clause(w, &law, &stmt->u.law.items[i]);
  }
  w->locals.n = base;
  pw_dims_define(w, label->name, PW_MN_LAW, stmt, law.argument);
  pw_dims_find(w, label->name.text)->force = law.lambda;
}

static void contact_dims(pw_dims *w, const pw_stmt *stmt) {
  pw_quantity number = pw_pure(PW_QT_KNOWN), length = pw_known(1, 0, 0);
  for (int i = 0; i < stmt->u.law.n; i++) {
    const pw_ex *ex = stmt->u.law.items[i].ex;
    pw_clause_kind kind = stmt->u.law.items[i].kind;
    bool arm = kind == PW_CL_ROLL || kind == PW_CL_SPIN; /* a moment is an arm times a force */
    pw_quantity got = pw_dims_of(w, ex);
    pw_demand demand = {.code = "E0157", .what = arm ? "the arm" : "the coefficient"};
    if (ex != NULL) {
      pw_require(w, ex, &got, arm ? &length : &number, &demand);
    }
  }
  pw_dims_define(w, stmt->u.law.label.name, PW_MN_LAW, stmt, (pw_quantity){0});
}

void pw_dims_shape(pw_dims *w, const pw_stmt *stmt) {
  const pw_heading *label = &stmt->u.shape.label;
  int base = w->locals.n;
  if (stmt->kind == PW_ST_CONTACT) {
    contact_dims(w, stmt);
    return;
  }
  if (label->index.text != NULL) {
    (void)pw_dims_of(w, label->from);
    (void)pw_dims_of(w, label->to);
    pw_dims_push(w, label->index.text, pw_pure(PW_QT_BARE));
  }
  for (int i = 0; i < stmt->u.shape.n; i++) {
    (void)pw_dims_of(w, stmt->u.shape.items[i].ex);
  }
  for (int i = 0; i < stmt->u.shape.corners.n; i++) {
    (void)pw_dims_of(w, stmt->u.shape.corners.items[i]);
  }
  w->locals.n = base;
}

void pw_dims_force(pw_dims *w, const pw_stmt *stmt) {
  pw_quantity target = pw_dims_of(w, stmt->u.force.target);
  pw_quantity force = pw_dims_of(w, stmt->u.force.ex);
  pw_quantity want = pw_conjugate(w, &target);
  pw_demand demand = {.code = "E0155",
                      .what = stmt->u.force.at ? "the force at a point"
                                               : "the force on the coordinate"};
  if (target.kind == PW_QT_VECTOR) {
    demand.what = stmt->u.force.at ? "the force at a point" : "the force on the body";
  } else if (stmt->u.force.target->kind == PW_EX_NAME) {
    demand.what = "the force on";
    demand.name = stmt->u.force.target->name;
  }
  if (target.kind == PW_QT_KNOWN && pw_is_pure(&target)) {
    demand.help = "the force on an angle is a torque: J is N*m";
  }
  pw_require(w, stmt->u.force.ex, &force, &want, &demand);
}
