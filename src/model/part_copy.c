// SPDX-License-Identifier: MIT
/* Copies of the statements of a part, with its names in its name space. Names that the part does
 * not define get the same prefix, so that a part cannot see what is around it; words of the
 * language stay as they are. */
#include <string.h>

#include "model/part.h"

typedef struct copier {
  pw_check *ck;
  const pw_env *own; /* NULL: no name is changed */
  const char *scope;
  PW_LIST(const char *) locals; /* indices and arguments around the expression */
  const char *index;            /* replaced by `value` */
  double value;
} copier;

/* ---- names ---- */

static const char *inside(copier *c, const char *name) {
  return pw_intern_format(c->ck->names, "%s%s", c->scope, name);
}

static pw_name copy_name(copier *c, pw_name name) {
  name.text = name.text == NULL || c->own == NULL ? name.text : inside(c, name.text);
  return name;
}

static bool is_local(const copier *c, const char *name) {
  for (int i = 0; i < c->locals.n; i++) {
    if (c->locals.items[i] == name) {
      return true;
    }
  }
  return false;
}

/* Known without a definition, unless the part defines it. */
static bool is_word(const char *name) {
  static const char *const words[] = {"energy", "action", "slip", "stretch", "ground"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    if (strcmp(words[i], name) == 0) {
      return true;
    }
  }
  return pw_is_reserved(name);
}

static bool is_own(const copier *c, const char *name, bool called) {
  if (c->own == NULL || is_local(c, name)) {
    return false;
  }
  return pw_env_find(c->own, name) != NULL || !(called || is_word(name));
}

/* ---- expressions ---- */

static pw_ex *copy_ex(copier *c, const pw_ex *ex);

static void copy_node(copier *c, const pw_ex *ex, bool called, pw_ex *out) {
  *out = *ex;
  if (ex->kind == PW_EX_NAME && ex->name == c->index) {
    out->kind = PW_EX_NUM;
    out->value = c->value;
    out->name = NULL;
  } else if (ex->kind == PW_EX_NAME && is_own(c, ex->name, called)) {
    out->name = inside(c, ex->name);
  }
}

static void copy_rest(copier *c, const pw_ex *ex, pw_ex *out) {
  for (int i = 1; i < ex->n_arg; i++) {
    bool body = ex->kind == PW_EX_EACH && i == 2;
    if (body) {
      PW_PUSH(c->ck->arena, &c->locals, ex->name);
    }
    out->arg[i] = copy_ex(c, ex->arg[i]);
    c->locals.n -= body;
  }
}

/* Along the first arguments without recursion: a sum may have any number of terms. */
static pw_ex *copy_ex(copier *c, const pw_ex *ex) {
  pw_ex *first = NULL;
  pw_ex **place = &first;
  bool called = false;
  while (ex != NULL && pw_spend(c->ck, 1)) {
    pw_ex *out = PW_NEW(c->ck->arena, pw_ex);
    copy_node(c, ex, called, out);
    *place = out;
    if (ex->n_arg > 0) {
      out->arg = PW_TAKE(c->ck->arena, ex->n_arg, pw_ex *);
      copy_rest(c, ex, out);
      place = &out->arg[0];
    }
    called = ex->kind == PW_EX_CALL;
    ex = ex->n_arg > 0 ? ex->arg[0] : NULL;
  }
  return ex == NULL ? first : NULL;
}

pw_ex *pw_part_setting(pw_check *ck, const pw_ex *ex, const char *index, double value) {
  copier c = {.ck = ck, .index = index, .value = value};
  return copy_ex(&c, ex);
}

/* ---- parts of statements ---- */

static void copy_label(copier *c, const pw_heading *label, pw_heading *out) {
  out->name = copy_name(c, label->name);
  out->from = copy_ex(c, label->from);
  out->to = copy_ex(c, label->to);
  if (label->index.text != NULL) {
    PW_PUSH(c->ck->arena, &c->locals, label->index.text);
  }
  out->from2 = copy_ex(c, label->from2);
  out->to2 = copy_ex(c, label->to2);
  if (label->second.text != NULL) {
    PW_PUSH(c->ck->arena, &c->locals, label->second.text);
  }
}

static void copy_rel(copier *c, pw_rel *rel) {
  rel->left = copy_ex(c, rel->left);
  rel->right = copy_ex(c, rel->right);
}

/* Memory of its own for the items of a list. */
static void *own_items(copier *c, const void *items, int n, size_t size) {
  void *copy = pw_arena_take(c->ck->arena, (size_t)n, size);
  if (n > 0) {
    memcpy(copy, items, (size_t)n * size);
  }
  return copy;
}

#define COPY_LIST(list) \
  ((list).items = own_items(c, (list).items, (list).n, sizeof *(list).items), (list).cap = (list).n)

#define COPY_EXPRESSIONS(list)                         \
  do {                                                 \
    COPY_LIST(list);                                   \
    for (int i_ = 0; i_ < (list).n; i_++) {            \
      (list).items[i_] = copy_ex(c, (list).items[i_]); \
    }                                                  \
  } while (0)

static void copy_clause(copier *c, pw_clause *clause) {
  clause->ex = copy_ex(c, clause->ex);
  clause->ex2 = copy_ex(c, clause->ex2);
  clause->on = copy_ex(c, clause->on);
  COPY_EXPRESSIONS(clause->points);
  COPY_LIST(clause->by);
  for (int i = 0; i < clause->by.n; i++) {
    clause->by.items[i].ref = copy_ex(c, clause->by.items[i].ref);
    clause->by.items[i].factor = copy_ex(c, clause->by.items[i].factor);
  }
}

static pw_joint *copy_joint(copier *c, const pw_joint *joint) {
  pw_joint *out = PW_NEW(c->ck->arena, pw_joint);
  *out = *joint;
  for (int i = 0; i < 2; i++) {
    out->end[i].body = copy_ex(c, joint->end[i].body);
    out->end[i].at = copy_ex(c, joint->end[i].at);
    out->axis[i] = copy_ex(c, joint->axis[i]);
  }
  return out;
}

static void copy_law(copier *c, pw_stmt *s) {
  pw_heading label = s->u.law.label;
  copy_label(c, &label, &s->u.law.label);
  copy_rel(c, &s->u.law.rel);
  s->u.law.measure = copy_ex(c, s->u.law.measure);
  s->u.law.joint = s->kind == PW_ST_JOINT ? copy_joint(c, s->u.law.joint) : NULL;
  COPY_EXPRESSIONS(s->u.law.shapes);
  COPY_LIST(s->u.law);
  for (int i = 0; i < s->u.law.n; i++) {
    copy_clause(c, &s->u.law.items[i]);
  }
}

static void copy_init(copier *c, pw_init *init) {
  int locals = c->locals.n;
  pw_heading label = init->label;
  copy_label(c, &label, &init->label);
  init->ref = copy_ex(c, init->ref);
  init->value = copy_ex(c, init->value);
  c->locals.n = locals;
}

static void copy_part(copier *c, pw_stmt *s) {
  pw_lang_part *part = PW_NEW(c->ck->arena, pw_lang_part);
  *part = *s->u.string.part;
  copy_label(c, &s->u.string.part->label, &part->label);
  COPY_LIST(part->settings);
  for (int i = 0; i < part->settings.n; i++) {
    part->settings.items[i].ex = copy_ex(c, part->settings.items[i].ex);
  }
  s->u.string.part = part;
}

static void copy_let(copier *c, pw_stmt *s) {
  s->u.let.name = copy_name(c, s->u.let.name);
  for (int i = 0; i < s->u.let.n_arg; i++) {
    PW_PUSH(c->ck->arena, &c->locals, s->u.let.args[i].text);
  }
  s->u.let.ex = copy_ex(c, s->u.let.ex);
}

static void copy_body(copier *c, pw_stmt *s) {
  pw_heading label = s->u.body.label;
  copy_label(c, &label, &s->u.body.label);
  s->u.body.mass = copy_ex(c, s->u.body.mass);
  s->u.body.inertia = copy_ex(c, s->u.body.inertia);
}

static void copy_parameters(copier *c, pw_stmt *s) {
  COPY_LIST(s->u.parameter);
  for (int i = 0; i < s->u.parameter.n; i++) {
    pw_par *par = &s->u.parameter.items[i];
    par->name = copy_name(c, par->name);
    par->value = copy_ex(c, par->value);
    par->lo = copy_ex(c, par->lo);
    par->hi = copy_ex(c, par->hi);
  }
}

static void copy_coordinates(copier *c, pw_stmt *s) {
  COPY_LIST(s->u.coordinates);
  for (int i = 0; i < s->u.coordinates.n; i++) {
    pw_crd *crd = &s->u.coordinates.items[i];
    crd->name = copy_name(c, crd->name);
    crd->from = copy_ex(c, crd->from);
    crd->to = copy_ex(c, crd->to);
  }
}

static void copy_rotations(copier *c, pw_stmt *s) {
  COPY_LIST(s->u.rotation);
  for (int i = 0; i < s->u.rotation.n; i++) {
    s->u.rotation.items[i] = copy_name(c, s->u.rotation.items[i]);
  }
}

static void copy_starts(copier *c, pw_stmt *s) {
  COPY_LIST(s->u.start);
  for (int i = 0; i < s->u.start.n; i++) {
    copy_init(c, &s->u.start.items[i]);
  }
}

static void copy_event(copier *c, pw_stmt *s) {
  s->u.event.name = copy_name(c, s->u.event.name);
  s->u.event.every = copy_ex(c, s->u.event.every);
  copy_rel(c, &s->u.event.rel);
}

static void copy_outputs(copier *c, pw_stmt *s) {
  COPY_LIST(s->u.output);
  for (int i = 0; i < s->u.output.n; i++) {
    s->u.output.items[i].name = copy_name(c, s->u.output.items[i].name);
    s->u.output.items[i].ex = copy_ex(c, s->u.output.items[i].ex);
  }
}

static void copy_plot(copier *c, pw_stmt *s) {
  COPY_EXPRESSIONS(s->u.plot);
  s->u.plot.vs = copy_ex(c, s->u.plot.vs);
}

static void copy_draw(copier *c, pw_stmt *s) {
  COPY_LIST(s->u.draw);
  for (int i = 0; i < s->u.draw.n; i++) {
    s->u.draw.items[i].ex = copy_ex(c, s->u.draw.items[i].ex);
  }
}

static void copy_shape(copier *c, pw_stmt *s) {
  pw_heading label = s->u.shape.label;
  copy_label(c, &label, &s->u.shape.label);
  COPY_LIST(s->u.shape);
  for (int i = 0; i < s->u.shape.n; i++) {
    s->u.shape.items[i].ex = copy_ex(c, s->u.shape.items[i].ex);
  }
  COPY_EXPRESSIONS(s->u.shape.corners);
}

static void copy_inputs(copier *c, pw_stmt *s) {
  COPY_LIST(s->u.input);
  for (int i = 0; i < s->u.input.n; i++) {
    pw_input *in = &s->u.input.items[i];
    in->name = copy_name(c, in->name);
    in->value = copy_ex(c, in->value);
    COPY_EXPRESSIONS(in->points);
  }
}

static void copy_sample(copier *c, pw_stmt *s) {
  s->u.sample.name = copy_name(c, s->u.sample.name);
  s->u.sample.ex = copy_ex(c, s->u.sample.ex);
  s->u.sample.every = copy_ex(c, s->u.sample.every);
}

static void copy_table(copier *c, pw_stmt *s) {
  s->u.table.name = copy_name(c, s->u.table.name);
  COPY_EXPRESSIONS(s->u.table.points);
}

static void copy_contents(copier *c, pw_stmt *s) {
  switch (s->kind) {
  case PW_ST_PARAMETER: copy_parameters(c, s); break;
  case PW_ST_COORDINATES: copy_coordinates(c, s); break;
  case PW_ST_ROTATION: copy_rotations(c, s); break;
  case PW_ST_BODY: copy_body(c, s); break;
  case PW_ST_LET: copy_let(c, s); break;
  case PW_ST_KINETIC:
  case PW_ST_POTENTIAL:
  case PW_ST_DISSIPATION:
    s->u.energy.name = copy_name(c, s->u.energy.name);
    s->u.energy.ex = copy_ex(c, s->u.energy.ex);
    break;
  case PW_ST_FORCE:
    s->u.force.target = copy_ex(c, s->u.force.target);
    s->u.force.ex = copy_ex(c, s->u.force.ex);
    break;
  case PW_ST_CONSTRAINT:
  case PW_ST_FRICTION:
  case PW_ST_SPRING:
  case PW_ST_LAW:
  case PW_ST_SERVO:
  case PW_ST_JOINT:
  case PW_ST_CONTACT: copy_law(c, s); break;
  case PW_ST_SHAPE: copy_shape(c, s); break;
  case PW_ST_START:
  case PW_ST_END: copy_starts(c, s); break;
  case PW_ST_EVENT: copy_event(c, s); break;
  case PW_ST_INPUT: copy_inputs(c, s); break;
  case PW_ST_TABLE: copy_table(c, s); break;
  case PW_ST_SAMPLE: copy_sample(c, s); break;
  case PW_ST_STATE:
  case PW_ST_OUTPUT: copy_outputs(c, s); break;
  case PW_ST_PLOT: copy_plot(c, s); break;
  case PW_ST_DRAW: copy_draw(c, s); break;
  case PW_ST_INCLUDE: copy_part(c, s); break;
  case PW_ST_MODEL: /* of the model alone: not copied */
  case PW_ST_RUN:
  case PW_ST_EXPECT: break;
  }
}

pw_stmt *pw_part_copy(pw_check *ck, const pw_stmt *stmt, const pw_env *own, const char *scope) {
  copier c = {.ck = ck, .own = own, .scope = scope};
  pw_stmt *s = PW_NEW(ck->arena, pw_stmt);
  *s = *stmt;
  s->scope = scope;
  copy_contents(&c, s);
  return s;
}
