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
  pw_st_law *law = &s->u.law;
  pw_heading label = law->label;
  copy_label(c, &label, &law->label);
  copy_rel(c, &law->rel);
  law->measure = copy_ex(c, law->measure);
  law->joint = s->kind == PW_ST_JOINT ? copy_joint(c, law->joint) : NULL;
  COPY_EXPRESSIONS(law->shapes);
  COPY_LIST(*law);
  for (int i = 0; i < law->n; i++) {
    copy_clause(c, &law->items[i]);
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

/* The path of a setting begins with the family itself, a name here, or inside of the part. */
static pw_ex *copy_path(copier *c, const pw_ex *of, const char *family) {
  pw_ex *out = copy_ex(c, of), *root = out;
  while (out != NULL && root->n_arg > 0) {
    root = root->arg[0];
    of = of->arg[0];
  }
  if (out != NULL) {
    root->name = family != NULL && of->name == family ? inside(c, family) : of->name;
  }
  return out;
}

static void copy_part(copier *c, pw_stmt *s) {
  pw_st_string *string = &s->u.string;
  pw_lang_part *part = PW_NEW(c->ck->arena, pw_lang_part);
  *part = *string->part;
  copy_label(c, &string->part->label, &part->label);
  COPY_LIST(part->settings);
  for (int i = 0; i < part->settings.n; i++) {
    const pw_heading *label = &string->part->label;
    COPY_EXPRESSIONS(part->settings.items[i].at);
    part->settings.items[i].of = copy_path(c, part->settings.items[i].of,
                                           label->index.text != NULL ? label->name.text : NULL);
    part->settings.items[i].value = copy_ex(c, part->settings.items[i].value);
  }
  string->part = part;
}

static void copy_let(copier *c, pw_stmt *s) {
  pw_st_let *let = &s->u.let;
  pw_heading label = let->label;
  copy_label(c, &label, &let->label);
  for (int i = 0; i < let->n_arg; i++) {
    PW_PUSH(c->ck->arena, &c->locals, let->args[i].text);
  }
  let->ex = copy_ex(c, let->ex);
}

static void copy_body(copier *c, pw_stmt *s) {
  pw_st_body *body = &s->u.body;
  pw_heading label = body->label;
  copy_label(c, &label, &body->label);
  body->mass = copy_ex(c, body->mass);
  body->inertia = copy_ex(c, body->inertia);
}

static void copy_parameters(copier *c, pw_stmt *s) {
  pw_st_parameter *parameter = &s->u.parameter;
  COPY_LIST(*parameter);
  for (int i = 0; i < parameter->n; i++) {
    pw_par *par = &parameter->items[i];
    int locals = c->locals.n;
    pw_heading label = par->label;
    copy_label(c, &label, &par->label);
    COPY_EXPRESSIONS(par->at);
    par->value = copy_ex(c, par->value);
    par->lo = copy_ex(c, par->lo);
    par->hi = copy_ex(c, par->hi);
    c->locals.n = locals;
  }
}

static void copy_coordinates(copier *c, pw_stmt *s) {
  pw_st_coordinates *coordinates = &s->u.coordinates;
  COPY_LIST(*coordinates);
  for (int i = 0; i < coordinates->n; i++) {
    pw_crd *crd = &coordinates->items[i];
    crd->name = copy_name(c, crd->name);
    crd->from = copy_ex(c, crd->from);
    crd->to = copy_ex(c, crd->to);
  }
}

static void copy_rotations(copier *c, pw_stmt *s) {
  pw_name_list *rotation = &s->u.rotation;
  COPY_LIST(*rotation);
  for (int i = 0; i < rotation->n; i++) {
    rotation->items[i] = copy_name(c, rotation->items[i]);
  }
}

static void copy_starts(copier *c, pw_stmt *s) {
  pw_st_start *start = &s->u.start;
  COPY_LIST(*start);
  for (int i = 0; i < start->n; i++) {
    copy_init(c, &start->items[i]);
  }
}

static void copy_event(copier *c, pw_stmt *s) {
  pw_st_event *event = &s->u.event;
  event->name = copy_name(c, event->name);
  event->every = copy_ex(c, event->every);
  copy_rel(c, &event->rel);
}

static void copy_outputs(copier *c, pw_stmt *s) {
  pw_st_output *output = &s->u.output;
  COPY_LIST(*output);
  for (int i = 0; i < output->n; i++) {
    output->items[i].name = copy_name(c, output->items[i].name);
    output->items[i].ex = copy_ex(c, output->items[i].ex);
  }
}

static void copy_plot(copier *c, pw_stmt *s) {
  pw_st_plot *plot = &s->u.plot;
  COPY_EXPRESSIONS(*plot);
  plot->vs = copy_ex(c, plot->vs);
}

static void copy_draw(copier *c, pw_stmt *s) {
  pw_st_draw *draw = &s->u.draw;
  COPY_LIST(*draw);
  for (int i = 0; i < draw->n; i++) {
    draw->items[i].ex = copy_ex(c, draw->items[i].ex);
  }
}

static void copy_shape(copier *c, pw_stmt *s) {
  pw_st_shape *shape = &s->u.shape;
  pw_heading label = shape->label;
  copy_label(c, &label, &shape->label);
  COPY_LIST(*shape);
  for (int i = 0; i < shape->n; i++) {
    shape->items[i].ex = copy_ex(c, shape->items[i].ex);
  }
  COPY_EXPRESSIONS(shape->corners);
}

static void copy_inputs(copier *c, pw_stmt *s) {
  pw_st_input *input = &s->u.input;
  COPY_LIST(*input);
  for (int i = 0; i < input->n; i++) {
    pw_input *in = &input->items[i];
    in->name = copy_name(c, in->name);
    in->value = copy_ex(c, in->value);
    COPY_EXPRESSIONS(in->points);
  }
}

static void copy_sample(copier *c, pw_stmt *s) {
  pw_st_sample *sample = &s->u.sample;
  sample->name = copy_name(c, sample->name);
  sample->ex = copy_ex(c, sample->ex);
  sample->every = copy_ex(c, sample->every);
}

static void copy_table(copier *c, pw_stmt *s) {
  pw_st_table *table = &s->u.table;
  table->name = copy_name(c, table->name);
  COPY_EXPRESSIONS(table->points);
}

static void copy_contents(copier *c, pw_stmt *s) {
  pw_st_energy *energy = &s->u.energy;
  pw_st_force *force = &s->u.force;
  switch (s->kind) {
  case PW_ST_PARAMETER: copy_parameters(c, s); break;
  case PW_ST_COORDINATES: copy_coordinates(c, s); break;
  case PW_ST_ROTATION: copy_rotations(c, s); break;
  case PW_ST_BODY: copy_body(c, s); break;
  case PW_ST_LET: copy_let(c, s); break;
  case PW_ST_KINETIC:
  case PW_ST_POTENTIAL:
  case PW_ST_DISSIPATION:
    energy->name = copy_name(c, energy->name);
    energy->ex = copy_ex(c, energy->ex);
    break;
  case PW_ST_FORCE:
    force->target = copy_ex(c, force->target);
    force->ex = copy_ex(c, force->ex);
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
