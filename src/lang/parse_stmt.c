// SPDX-License-Identifier: MIT
/* Definitions, energies and forces, and the parts that several statements share. */
#include "lang/parser.h"

/* expr ".." expr */
void pw_rule_range(pw_parser *p, pw_ex **from, pw_ex **to) {
  *from = pw_rule_expr(p);
  int height = p->height;
  pw_expect(p, PW_TOK_DOTDOT, "`..` and the end of the range");
  *to = pw_rule_expr(p);
  p->height = height > p->height ? height : p->height;
}

static bool at_relation(const pw_parser *p) {
  return pw_at(p, PW_TOK_EQ) || pw_at(p, PW_TOK_GE) || pw_at(p, PW_TOK_LE);
}

static void fail_relation(pw_parser *p, const char *what) {
  pw_span at = pw_token_span(p, p->tok);
  pw_diag_ref ref;
  if (pw_at(p, PW_TOK_GT) || pw_at(p, PW_TOK_LT)) {
    const char *sign = pw_at(p, PW_TOK_GT) ? ">" : "<";
    ref = pw_blame(p, "E0021", at, "`%s` is not a relation of %s", sign, what);
    pw_label(ref, p->keyword == PW_ST_EVENT ? "an event is the instant when both sides are equal"
                                            : "the boundary must belong to the admissible side");
    pw_help(ref, "write `%s=`", sign);
    pw_next(p);
  } else if (pw_at(p, PW_TOK_COMMA) || pw_at(p, PW_TOK_END)) {
    ref = pw_fail(p, "E0021", at, "%s needs a relation", what);
    pw_label(ref, "expected `=`, `>=` or `<=`");
    pw_help(ref, "compare two expressions: `x = 0`, `y >= 0`");
  } else {
    pw_unexpected(p, "`=`, `>=` or `<=`", NULL);
  }
}

/* rel = expr ("=" | ">=" | "<=") expr */
pw_rel pw_rule_rel(pw_parser *p, const char *what) {
  pw_rel rel = {.op = PW_REL_EQ};
  int begin = p->tok.begin;
  rel.left = pw_rule_expr(p);
  rel.mark = pw_token_span(p, p->tok);
  if (!p->failed && !at_relation(p)) {
    fail_relation(p, what);
  }
  rel.op = pw_at(p, PW_TOK_GE) ? PW_REL_GE : pw_at(p, PW_TOK_LE) ? PW_REL_LE : PW_REL_EQ;
  if (at_relation(p)) {
    pw_next(p);
  }
  rel.right = pw_rule_expr(p);
  rel.span = pw_span_from(p, begin);
  if (at_relation(p) || pw_at(p, PW_TOK_GT) || pw_at(p, PW_TOK_LT)) {
    pw_diag_ref ref = pw_fail(p, "E0020", pw_token_span(p, p->tok), "two relations in a row");
    pw_label(ref, "a second relation");
    pw_second(ref, rel.mark, "the first one");
    pw_help(ref, "write two statements, one for each relation");
  }
  return rel;
}

bool pw_at_family(const pw_parser *p) {
  return pw_at(p, PW_TOK_LBRACKET) && pw_peek(p, 1).kind == PW_TOK_NAME &&
         pw_token_is(p, pw_peek(p, 2), "in");
}

/* "[" NAME "in" expr ".." expr "]" */
void pw_rule_family(pw_parser *p, pw_heading *label) {
  pw_token open = p->tok;
  pw_next(p);
  label->index = pw_define(p, "an index");
  pw_expect_word(p, "in");
  pw_rule_range(p, &label->from, &label->to);
  pw_expect_close(p, open);
}

/* "[" NAME "in" expr ".." expr "," NAME "in" expr ".." expr "]" */
void pw_rule_pairs(pw_parser *p, pw_heading *label) {
  pw_token open = p->tok;
  pw_next(p);
  label->index = pw_define(p, "an index");
  pw_expect_word(p, "in");
  pw_rule_range(p, &label->from, &label->to);
  if (pw_accept(p, PW_TOK_COMMA)) {
    label->second = pw_define(p, "an index");
    pw_expect_word(p, "in");
    pw_rule_range(p, &label->from2, &label->to2);
  }
  pw_expect_close(p, open);
}

/* label = NAME [ "[" NAME "in" expr ".." expr "]" ], of laws also over pairs */
pw_heading pw_rule_label(pw_parser *p, const char *what, bool pairs) {
  pw_heading label = {.name = pw_define(p, what)};
  if (pw_at_family(p) && pairs) {
    pw_rule_pairs(p, &label);
  } else if (pw_at_family(p)) {
    pw_rule_family(p, &label);
  } else if (pw_at(p, PW_TOK_LBRACKET)) {
    pw_diag_ref ref =
        pw_fail(p, "E0031", pw_token_span(p, p->tok), "a family needs an index and its range");
    pw_label(ref, "expected `[i in 1..N]`");
    pw_help(ref, "write `%s[i in 1..N]`", label.name.text);
  }
  return label;
}

static void rule_colon(pw_parser *p) {
  pw_expect(p, PW_TOK_COLON, "`:` behind the name");
}

/* { "[" expr "]" }: a member of a family, a component of a vector */
static void rule_member(pw_parser *p, pw_ex_list *at) {
  pw_token open = p->tok;
  while (pw_accept(p, PW_TOK_LBRACKET)) {
    pw_ex *index = pw_rule_expr(p);
    PW_PUSH(p->env->arena, at, index);
    pw_expect_close(p, open);
    open = p->tok;
  }
}

/* The name so far is that of a part; a `.` and a name follow. */
static void rule_inside(pw_parser *p, int begin, pw_par *set) {
  pw_ex *ex = pw_new_ex(p, set->of == NULL ? PW_EX_NAME : PW_EX_FIELD, begin, set->of != NULL);
  ex->name = set->label.name.text;
  ex->mark = set->label.name.span;
  if (set->of != NULL) {
    ex->arg[0] = set->of;
  }
  for (int i = 0; i < set->at.n; i++) {
    pw_ex *member = pw_new_ex(p, PW_EX_INDEX, begin, 2);
    member->arg[0] = ex;
    member->arg[1] = set->at.items[i];
    ex = member;
  }
  set->of = ex;
  set->at = (pw_ex_list){0};
  pw_next(p);
  set->label.name = pw_define(p, "a parameter of the part");
}

/* setting = NAME { "[" expr "]" | "." NAME } "=" expr */
static pw_par rule_setting(pw_parser *p) {
  enum { DEEPEST = 20 }; /* as files nest */
  int begin = p->tok.begin;
  pw_par set = {.label.name = pw_define(p, "a parameter of the part")};
  rule_member(p, &set.at);
  for (int depth = 0; depth < DEEPEST && set.at.n <= DEEPEST && pw_at(p, PW_TOK_DOT); depth++) {
    rule_inside(p, begin, &set);
    rule_member(p, &set.at);
  }
  pw_expect(p, PW_TOK_EQ, "`=` and a value");
  set.value = pw_rule_expr(p);
  return set;
}

/* "as" label {"," setting} after the name of the file */
static pw_lang_part *rule_part(pw_parser *p) {
  pw_lang_part *part = PW_NEW(p->env->arena, pw_lang_part);
  part->label = pw_rule_label(p, "a part", false);
  while (pw_accept(p, PW_TOK_COMMA)) {
    pw_par set = rule_setting(p);
    PW_PUSH(p->env->arena, &part->settings, set);
  }
  return part;
}

/* STRING */
static void rule_string(pw_parser *p, pw_st_string *string) {
  string->span = pw_token_span(p, p->tok);
  if (pw_at(p, PW_TOK_STRING)) {
    string->text = pw_take_string(p);
    return;
  }
  if (pw_at(p, PW_TOK_END)) {
    pw_unexpected(p, "a text in quotes", NULL);
    return;
  }
  char shown[PW_SHOWN + 8];
  pw_show(p, p->tok, shown, sizeof shown);
  pw_diag_ref ref =
      pw_fail(p, "E0026", pw_token_span(p, p->tok), "expected a text in quotes, found %s", shown);
  pw_label(ref, "expected `\"...\"`");
  pw_help(ref, "put the text between quotes: `\"...\"`");
}

/* "include" STRING ["as" ...] */
static void rule_include(pw_parser *p, pw_st_string *string) {
  rule_string(p, string);
  if (string->text != NULL && pw_accept_word(p, "as")) {
    string->part = rule_part(p);
  }
}

/* par = (label | NAME "[" expr "]" {"[" expr "]"}) "=" expr ["in" expr ".." expr] */
static pw_par rule_par(pw_parser *p) {
  int begin = p->tok.begin;
  pw_par par = {.label.name = pw_define(p, "a parameter")};
  if (pw_at_family(p)) {
    pw_rule_family(p, &par.label);
  } else {
    rule_member(p, &par.at);
  }
  pw_expect(p, PW_TOK_EQ, "`=` and a value");
  par.value = pw_rule_expr(p);
  if (pw_accept_word(p, "in")) {
    pw_rule_range(p, &par.lo, &par.hi);
  }
  par.span = (pw_span){p->file, begin, p->last.end};
  return par;
}

/* "parameter" par {"," par} */
static void rule_parameter(pw_parser *p, pw_st_parameter *parameter) {
  do {
    pw_par par = rule_par(p);
    PW_PUSH(p->env->arena, parameter, par);
  } while (pw_accept(p, PW_TOK_COMMA));
}

/* crd = NAME ["[" expr ".." expr "]"] */
static pw_crd rule_crd(pw_parser *p) {
  pw_crd crd = {.name = pw_define(p, "a coordinate")};
  pw_token open = p->tok;
  if (pw_accept(p, PW_TOK_LBRACKET)) {
    pw_rule_range(p, &crd.from, &crd.to);
    pw_expect_close(p, open);
  }
  return crd;
}

/* "coordinates" crd {"," crd} */
static void rule_coordinates(pw_parser *p, pw_st_coordinates *coordinates) {
  do {
    pw_crd crd = rule_crd(p);
    PW_PUSH(p->env->arena, coordinates, crd);
  } while (pw_accept(p, PW_TOK_COMMA));
}

/* "rotation" NAME {"," NAME} */
static void rule_rotation(pw_parser *p, pw_name_list *rotation) {
  do {
    pw_name name = pw_define(p, "a rotation");
    PW_PUSH(p->env->arena, rotation, name);
  } while (pw_accept(p, PW_TOK_COMMA));
}

/* "body" label ":" "mass" expr "," "inertia" expr */
static void rule_body(pw_parser *p, pw_st_body *body) {
  body->label = pw_rule_label(p, "a body", false);
  rule_colon(p);
  pw_expect_word(p, "mass");
  body->mass = pw_rule_expr(p);
  pw_expect(p, PW_TOK_COMMA, "`, inertia` and a value");
  pw_expect_word(p, "inertia");
  body->inertia = pw_rule_expr(p);
}

/* "(" NAME {"," NAME} ")" of a function that is being defined */
static void rule_let_args(pw_parser *p, pw_st_let *let) {
  pw_name_list list = {0};
  pw_token open = p->tok;
  pw_next(p);
  do {
    pw_name name = pw_define(p, "an argument");
    PW_PUSH(p->env->arena, &list, name);
  } while (pw_accept(p, PW_TOK_COMMA));
  pw_expect_close(p, open);
  let->is_function = true;
  let->args = list.items;
  let->n_arg = list.n;
}

/* "let" (label | NAME "(" NAME {"," NAME} ")") "=" expr */
static void rule_let(pw_parser *p, pw_st_let *let) {
  let->label = pw_rule_label(p, "a definition", false);
  if (pw_at(p, PW_TOK_LPAREN) && let->label.index.text == NULL) {
    rule_let_args(p, let);
  }
  pw_expect(p, PW_TOK_EQ, "`=` and an expression");
  let->ex = pw_rule_expr(p);
}

/* ("kinetic"|"potential"|"dissipation") NAME "=" expr */
static void rule_energy(pw_parser *p, pw_st_energy *energy) {
  energy->name = pw_define(p, "an energy");
  pw_expect(p, PW_TOK_EQ, "`=` and an expression");
  energy->ex = pw_rule_expr(p);
}

/* "force" target ":" expr;  target = ref | "at" expr */
static void rule_force(pw_parser *p, pw_st_force *force) {
  force->at = pw_at_word_before_expr(p, "at");
  if (force->at) {
    pw_next(p);
    force->target = pw_rule_expr(p);
  } else {
    force->target = pw_rule_ref(p, "a coordinate, or `at` and a point");
  }
  pw_expect(p, PW_TOK_COLON, "`:` and the force");
  force->ex = pw_rule_expr(p);
}

/* One rule for each kind of statement. It takes the part of the statement that it fills. */
void pw_rule_statement(pw_parser *p, pw_stmt *s) {
  switch (s->kind) {
  case PW_ST_MODEL: rule_string(p, &s->u.string); break;
  case PW_ST_INCLUDE: rule_include(p, &s->u.string); break;
  case PW_ST_PARAMETER: rule_parameter(p, &s->u.parameter); break;
  case PW_ST_COORDINATES: rule_coordinates(p, &s->u.coordinates); break;
  case PW_ST_ROTATION: rule_rotation(p, &s->u.rotation); break;
  case PW_ST_BODY: rule_body(p, &s->u.body); break;
  case PW_ST_LET: rule_let(p, &s->u.let); break;
  case PW_ST_KINETIC:
  case PW_ST_POTENTIAL:
  case PW_ST_DISSIPATION: rule_energy(p, &s->u.energy); break;
  case PW_ST_FORCE: rule_force(p, &s->u.force); break;
  case PW_ST_CONSTRAINT:
  case PW_ST_FRICTION:
  case PW_ST_SPRING:
  case PW_ST_LAW:
  case PW_ST_SERVO:
  case PW_ST_JOINT: pw_rule_law(p, s->kind, &s->u.law); break;
  case PW_ST_SHAPE: pw_rule_shape(p, &s->u.shape); break;
  case PW_ST_CONTACT: pw_rule_contact(p, &s->u.law); break;
  case PW_ST_INPUT: pw_rule_input(p, &s->u.input); break;
  case PW_ST_TABLE: pw_rule_table(p, &s->u.table); break;
  case PW_ST_STATE: pw_rule_state(p, &s->u.output); break;
  case PW_ST_SAMPLE: pw_rule_sample(p, &s->u.sample); break;
  case PW_ST_START:
  case PW_ST_END: pw_rule_start(p, &s->u.start); break;
  case PW_ST_EVENT: pw_rule_event(p, &s->u.event); break;
  case PW_ST_OUTPUT: pw_rule_output(p, &s->u.output); break;
  case PW_ST_PLOT: pw_rule_plot(p, &s->u.plot); break;
  case PW_ST_DRAW: pw_rule_draw(p, &s->u.draw); break;
  case PW_ST_RUN: pw_rule_run(p, &s->u.run); break;
  case PW_ST_EXPECT: pw_rule_expect(p, &s->u.expect); break;
  }
}
