// SPDX-License-Identifier: MIT
/* Definitions that the mathematics needs: those that energies, forces and laws use, and those that
 * these use. Definitions used only in drawings and results are not printed. */
#include "export/used.h"

typedef struct search {
  const pw_ast *ast;
  bool *used; /* of each statement */
} search;

static void mark_name(search *s, const char *name) {
  for (int i = 0; i < s->ast->n; i++) {
    const pw_stmt *t = s->ast->items[i];
    if (t->kind == PW_ST_LET && t->u.let.label.name.text == name) {
      s->used[i] = true;
    }
  }
}

/* First operands in a loop: a sum of many terms leans to the left. */
static void mark(search *s, const pw_ex *ex) {
  while (ex != NULL) {
    if (ex->kind == PW_EX_NAME) {
      mark_name(s, ex->name);
    }
    for (int i = 1; i < ex->n_arg; i++) {
      mark(s, ex->arg[i]);
    }
    ex = ex->n_arg > 0 ? ex->arg[0] : NULL;
  }
}

static void mark_law(search *s, const pw_stmt *t) {
  mark(s, t->u.law.rel.left);
  mark(s, t->u.law.rel.right);
  mark(s, t->u.law.measure);
  for (int i = 0; i < t->u.law.n; i++) {
    const pw_clause *c = &t->u.law.items[i];
    mark(s, c->ex);
    mark(s, c->ex2);
    for (int k = 0; k < c->points.n; k++) {
      mark(s, c->points.items[k]);
    }
    for (int k = 0; k < c->by.n; k++) {
      mark(s, c->by.items[k].factor);
    }
  }
}

static void mark_joint(search *s, const pw_joint *joint) {
  for (int i = 0; i < 2; i++) {
    mark(s, joint->end[i].at);
    mark(s, joint->axis[i]);
  }
}

static void mark_statement(search *s, const pw_stmt *t) {
  switch (t->kind) {
  case PW_ST_KINETIC:
  case PW_ST_POTENTIAL:
  case PW_ST_DISSIPATION: mark(s, t->u.energy.ex); break;
  case PW_ST_FORCE:
    mark(s, t->u.force.target);
    mark(s, t->u.force.ex);
    break;
  case PW_ST_BODY:
    mark(s, t->u.body.mass);
    mark(s, t->u.body.inertia);
    break;
  case PW_ST_CONSTRAINT:
  case PW_ST_FRICTION:
  case PW_ST_SPRING:
  case PW_ST_LAW:
  case PW_ST_SERVO: mark_law(s, t); break;
  case PW_ST_CONTACT: mark_law(s, t); break;
  case PW_ST_STATE:
    for (int i = 0; i < t->u.output.n; i++) {
      mark(s, t->u.output.items[i].ex);
    }
    break;
  case PW_ST_SAMPLE:
    mark(s, t->u.sample.ex);
    mark(s, t->u.sample.every);
    break;
  case PW_ST_INPUT:
    for (int i = 0; i < t->u.input.n; i++) {
      mark(s, t->u.input.items[i].value);
    }
    break;
  case PW_ST_JOINT: mark_joint(s, t->u.law.joint); break;
  case PW_ST_SHAPE:
    for (int i = 0; i < t->u.shape.n; i++) {
      mark(s, t->u.shape.items[i].ex);
    }
    break;
  default: break;
  }
}

/* A definition uses only earlier ones, so one backward pass finds all. */
bool *pw_used_definitions(pw_arena *arena, const pw_ast *ast) {
  search s = {.ast = ast, .used = PW_TAKE(arena, ast->n + 1, bool)};
  for (int i = ast->n - 1; i >= 0; i--) {
    const pw_stmt *t = ast->items[i];
    mark_statement(&s, t);
    if (t->kind == PW_ST_LET && s.used[i]) {
      mark(&s, t->u.let.ex);
    }
  }
  return s.used;
}
