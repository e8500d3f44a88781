// SPDX-License-Identifier: MIT
/* What users see with a unit: parameters, coordinates and their rates, forces of laws, outputs and
 * curves. Each is asked for as an expression of the model. */
#include "model/unit_asks.h"

#include <string.h>

static void ask(const pw_model *m, pw_unit_asks *asks, const pw_ex *ex, int component,
                const char **unit) {
  pw_unit_ask one = {ex, component, unit};
  PW_PUSH(m->arena, asks, one);
}

static pw_ex *new_ex(const pw_model *m, pw_ex_kind kind, const char *name, pw_ex *arg) {
  pw_ex *ex = PW_NEW(m->arena, pw_ex);
  *ex = (pw_ex){.kind = kind, .span = PW_NO_SPAN, .name = name};
  if (arg != NULL) {
    ex->arg = PW_TAKE(m->arena, 2, pw_ex *);
    ex->n_arg = 1;
    ex->arg[0] = arg;
  }
  return ex;
}

static void ask_coordinate(const pw_model *m, pw_coord *c, pw_unit_asks *asks) {
  if (c->is_rotation) {
    c->q_unit = "1";
    c->u_unit = "1/s";
    return;
  }
  pw_ex *ex = new_ex(m, PW_EX_NAME, c->of, NULL); /* members of a family are alike */
  if (c->of_body) {
    ex = new_ex(m, PW_EX_FIELD, pw_intern(m->names, "p", 1), ex);
  }
  ask(m, asks, ex, 0, &c->q_unit);
  ask(m, asks, new_ex(m, PW_EX_PRIME, NULL, ex), 0, &c->u_unit);
}

/* The rows of a joint hold places by forces, then turns by moments. */
static const char *multiplier_of(const pw_row *row, int *component) {
  bool turn =
      row->stmt->kind == PW_ST_JOINT && *component >= pw_joint_places(row->stmt->u.law.joint->kind);
  *component = row->stmt->kind == PW_ST_JOINT ? 0 : *component;
  return turn ? "moment" : "force";
}

static pw_ex *call_of(const pw_model *m, const char *name, const char *law) {
  pw_ex *callee = new_ex(m, PW_EX_NAME, pw_intern(m->names, name, (int)strlen(name)), NULL);
  pw_ex *call = new_ex(m, PW_EX_CALL, NULL, callee);
  call->arg[call->n_arg++] = new_ex(m, PW_EX_NAME, law, NULL);
  return call;
}

const pw_ex *pw_force_ex(const pw_model *m, const char *law) {
  return call_of(m, "force", law);
}

static void ask_row(const pw_model *m, pw_row *row, int component, pw_unit_asks *asks) {
  const char *name = multiplier_of(row, &component);
  const pw_ex *call = call_of(m, name, row->stmt->u.law.label.name.text);
  ask(m, asks, call, component, &row->unit);
}

pw_unit_asks pw_unit_asks_of(pw_model *m) {
  pw_unit_asks asks = {0};
  for (int i = 0; i < m->parameters.n; i++) {
    pw_parameter *p = &m->parameters.items[i];
    ask(m, &asks, new_ex(m, PW_EX_NAME, p->of, NULL), p->component, &p->unit);
  }
  for (int i = 0; i < m->coords.n; i++) {
    ask_coordinate(m, &m->coords.items[i], &asks);
  }
  for (int i = 0; i < m->signals.n; i++) {
    pw_signal *s = &m->signals.items[i];
    if (s->kind == PW_SIGNAL_TURNS) {
      s->unit = "1";
    } else if (s->kind != PW_SIGNAL_DELAY) { /* which have no name */
      ask(m, &asks, new_ex(m, PW_EX_NAME, s->name, NULL), 0, &s->unit);
    }
  }
  for (int i = 0; i < m->rows.n; i++) {
    pw_row *row = &m->rows.items[i];
    if (row->kind != PW_KIND_KINK && !row->is_balance &&
        !row->is_face) { /* measures of energies differ in unit */
      ask_row(m, row, i - row->first, &asks);
    }
  }
  for (int i = 0; i < m->outputs.n; i++) {
    pw_output *o = &m->outputs.items[i];
    ask(m, &asks, o->ex, o->component, &o->unit);
  }
  for (int i = 0; i < m->plots.n; i++) {
    pw_plot *p = &m->plots.items[i];
    ask(m, &asks, p->y_ex, p->component, &p->y_unit);
    if (p->x_ex != NULL) {
      ask(m, &asks, p->x_ex, 0, &p->x_unit);
    } else {
      p->x_unit = "s";
    }
  }
  return asks;
}
