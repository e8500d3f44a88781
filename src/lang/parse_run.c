// SPDX-License-Identifier: MIT
/* Start values, events, outputs, pictures, the run and its expectations. */
#include <string.h>

#include "lang/parser.h"

/* label {"'"}: a family `x[i in 1..N]'`, also written `x'[i in 1..N]`; a part of each member, as in
 * `b[i in 1..N].p`; or a ref */
static void rule_init_left(pw_parser *p, pw_init *init) {
  pw_ex *head = NULL;
  if (pw_at(p, PW_TOK_NAME)) {
    pw_name name = {.span = pw_token_span(p, p->tok)};
    head = pw_rule_name_ex(p);
    name.text = head->name;
    int begin = head->span.begin;
    int primes = 0;
    for (; pw_at(p, PW_TOK_PRIME); primes++) {
      pw_ex *inner = head;
      pw_token sign = p->tok;
      pw_next(p);
      if (primes >= PW_MAX_DEPTH) {
        pw_too_deep(p);
        break;
      }
      head = pw_new_ex(p, PW_EX_PRIME, begin, 1);
      head->arg[0] = inner;
      head->mark = pw_token_span(p, sign);
    }
    if (!pw_at_family(p)) {
      p->height = primes + 1;
      init->ref = pw_ref_tail(p, head);
      return;
    }
    init->label.name = name;
    pw_rule_family(p, &init->label);
    if (primes == 0 && pw_at(p, PW_TOK_DOT)) { /* a part of each member */
      pw_ex *index = pw_new_ex(p, PW_EX_NAME, begin, 0);
      index->name = init->label.index.text;
      index->span = index->mark = init->label.index.span;
      pw_ex *member = pw_new_ex(p, PW_EX_INDEX, begin, 2);
      member->arg[0] = head;
      member->arg[1] = index;
      p->height = 2;
      init->ref = pw_ref_tail(p, member);
      return;
    }
    while (pw_accept(p, PW_TOK_PRIME)) {
      primes++;
    }
    init->primes = primes;
  } else {
    pw_unexpected(p, "a coordinate, or `force(...)`", NULL);
  }
}

/* "force" "(" ref ")" */
static void rule_init_force(pw_parser *p, pw_init *init) {
  pw_next(p);
  pw_token open = p->tok;
  pw_next(p);
  init->is_force = true;
  init->ref = pw_rule_ref(p, "the name of a law");
  pw_expect_close(p, open);
}

/* init = (ref | label {"'"} | "force" "(" ref ")") ("="|"~") expr | ref "closed" */
static pw_init rule_init(pw_parser *p) {
  static const char *const words[] = {"closed", NULL};
  pw_init init = {.mode = PW_INIT_FIX};
  int begin = p->tok.begin;
  if (pw_at_word(p, "force") && pw_peek(p, 1).kind == PW_TOK_LPAREN) {
    rule_init_force(p, &init);
  } else {
    rule_init_left(p, &init);
  }
  bool plain = init.ref != NULL && !init.is_force && init.label.name.text == NULL;
  if (plain && pw_accept_word(p, "closed")) {
    init.mode = PW_INIT_CLOSED;
  } else if (pw_at(p, PW_TOK_EQ) || pw_at(p, PW_TOK_TILDE)) {
    init.mode = pw_at(p, PW_TOK_EQ) ? PW_INIT_FIX : PW_INIT_GUESS;
    pw_next(p);
    init.value = pw_rule_expr(p);
  } else {
    pw_unexpected(p, plain ? "`=`, `~` or `closed`" : "`=` or `~`", plain ? words : NULL);
  }
  init.span = pw_span_from(p, begin);
  return init;
}

/* "start" init {"," init} | "end" init {"," init} */
void pw_rule_start(pw_parser *p, pw_st_start *start) {
  do {
    pw_init init = rule_init(p);
    PW_PUSH(p->env->arena, start, init);
  } while (pw_accept(p, PW_TOK_COMMA));
}

/* "stop" | "rising" | "falling" */
static void rule_event_flag(pw_parser *p, pw_st_event *event) {
  static const char *const words[] = {"stop", "rising", "falling", NULL};
  bool *flags[] = {&event->stop, &event->rising, &event->falling};
  for (int i = 0; i < 3; i++) {
    pw_span at = pw_token_span(p, p->tok);
    if (pw_accept_word(p, words[i])) {
      if (*flags[i]) {
        pw_diag_ref ref = pw_blame(p, "E0035", at, "`%s` is given twice", words[i]);
        pw_label(ref, "the second time");
        pw_help(ref, "delete one of them");
      }
      *flags[i] = true;
      return;
    }
  }
  pw_unexpected(p, "`stop`, `rising` or `falling`", words);
}

/* "event" NAME ":" ("every" expr | rel) {"," ("stop"|"rising"|"falling")} */
void pw_rule_event(pw_parser *p, pw_st_event *event) {
  event->name = pw_define(p, "an event");
  pw_expect(p, PW_TOK_COLON, "`:` behind the name");
  if (pw_at_word_before_expr(p, "every")) {
    pw_next(p);
    event->every = pw_rule_expr(p);
  } else {
    event->rel = pw_rule_rel(p, "an event");
  }
  while (pw_accept(p, PW_TOK_COMMA)) {
    rule_event_flag(p, event);
  }
}

/* "output" NAME "=" expr {"," NAME "=" expr} */
void pw_rule_output(pw_parser *p, pw_st_output *output) {
  do {
    pw_def def = {.name = pw_define(p, "an output")};
    def.unit = pw_at(p, PW_TOK_LBRACKET) ? pw_rule_unit(p) : NULL;
    pw_expect(p, PW_TOK_EQ, "`=` and an expression");
    def.ex = pw_rule_expr(p);
    PW_PUSH(p->env->arena, output, def);
  } while (pw_accept(p, PW_TOK_COMMA));
}

/* "plot" expr {"," expr} ["vs" expr] */
void pw_rule_plot(pw_parser *p, pw_st_plot *plot) {
  do {
    pw_ex *ex = pw_rule_expr(p);
    PW_PUSH(p->env->arena, plot, ex);
  } while (pw_accept(p, PW_TOK_COMMA));
  if (pw_accept_word(p, "vs")) {
    plot->vs = pw_rule_expr(p);
  }
}

/* darg = STRING | ["angle"|"radius"|"size"] expr */
static pw_darg rule_darg(pw_parser *p) {
  static const char *const words[] = {"angle", "radius", "size"};
  pw_darg arg = {0};
  int begin = p->tok.begin;
  for (int i = 0; i < 3 && arg.word == NULL; i++) {
    if (pw_at_word_before_expr(p, words[i])) {
      arg.word = pw_take_name(p).text;
    }
  }
  if (arg.word == NULL && pw_at(p, PW_TOK_STRING)) {
    arg.text = pw_take_string(p);
  } else {
    arg.ex = pw_rule_expr(p);
  }
  arg.span = pw_span_from(p, begin);
  return arg;
}

/* "draw" NAME darg {"," darg} */
void pw_rule_draw(pw_parser *p, pw_st_draw *draw) {
  draw->shape = pw_take_name(p);
  if (draw->shape.text == NULL) {
    pw_unexpected(p, "a shape such as `line` or `circle`", NULL);
  }
  do {
    pw_darg arg = rule_darg(p);
    PW_PUSH(p->env->arena, draw, arg);
  } while (pw_accept(p, PW_TOK_COMMA));
}

/* Corners `(..)(..)..` of a polygon or a hull follow its position. */
static void rule_corners(pw_parser *p, pw_st_shape *shape) {
  while (pw_at(p, PW_TOK_LPAREN)) {
    pw_ex *corner = pw_rule_parentheses(p);
    PW_PUSH(p->env->arena, &shape->corners, corner);
  }
}

/* "shape" label ":" NAME darg {"," (darg | corners)} */
void pw_rule_shape(pw_parser *p, pw_st_shape *shape) {
  shape->label = pw_rule_label(p, "a shape", false);
  pw_expect(p, PW_TOK_COLON, "`:` and what it is, such as `disk (x, y), radius r`");
  shape->kind = pw_take_name(p);
  if (shape->kind.text == NULL) {
    pw_unexpected(p, "a shape such as `disk` or `plane`", NULL);
    return;
  }
  bool cornered = strcmp(shape->kind.text, "polygon") == 0 || strcmp(shape->kind.text, "hull") == 0;
  do {
    if (cornered && shape->n > 0 && pw_at(p, PW_TOK_LPAREN)) {
      rule_corners(p, shape);
    } else {
      pw_darg arg = rule_darg(p);
      PW_PUSH(p->env->arena, shape, arg);
    }
  } while (pw_accept(p, PW_TOK_COMMA));
}

/* A word that is the whole value of an option, without consuming it; text NULL if it is none. */
static pw_name peek_choice(const pw_parser *p) {
  pw_name word = {.span = pw_token_span(p, p->tok)};
  pw_lexer ahead = p->lexer;
  pw_token tok = pw_lex(&ahead);
  while (tok.kind == PW_TOK_MINUS && tok.begin == word.span.end) {
    pw_token part = pw_lex(&ahead);
    if (part.kind != PW_TOK_NAME || part.begin != tok.end) {
      return word;
    }
    word.span.end = part.end;
    tok = pw_lex(&ahead);
  }
  int len = word.span.end - word.span.begin;
  if (tok.kind == PW_TOK_COMMA || tok.kind == PW_TOK_END || tok.in_column_1) {
    word.text =
        len > PW_MAX_NAME ? NULL : pw_intern(p->env->names, p->source->text + word.span.begin, len);
  }
  return word;
}

/* runopt = WORD (expr | WORD): `method moreau` is both a choice and the name `moreau`; the option
 * decides. */
static pw_runopt rule_runopt(pw_parser *p) {
  pw_runopt option = {.word = pw_take_word(p)};
  if (option.word.text == NULL) {
    pw_unexpected(p, "an option such as `tol` or `every`", NULL);
  } else if (pw_at(p, PW_TOK_EQ)) {
    pw_diag_ref ref = pw_fail(p, "E0032", pw_token_span(p, p->tok), "an option takes no `=`");
    pw_label(ref, "delete this sign");
    pw_help(ref, "write the value behind the word: `run 0..10, tol 1e-9`");
  } else if (pw_at(p, PW_TOK_NAME)) {
    option.choice = peek_choice(p);
  }
  option.ex = pw_rule_expr(p);
  return option;
}

/* "run" expr ".." expr {"," runopt} */
void pw_rule_run(pw_parser *p, pw_st_run *run) {
  pw_rule_range(p, &run->from, &run->to);
  while (pw_accept(p, PW_TOK_COMMA)) {
    pw_runopt option = rule_runopt(p);
    PW_PUSH(p->env->arena, run, option);
  }
}

/* "t" "=" expr | KIND expr "of" ref */
static void rule_expect_at(pw_parser *p, pw_st_expect *expect) {
  if (pw_accept_word(p, "t")) {
    pw_expect(p, PW_TOK_EQ, "`=` and the time");
    expect->at = PW_AT_TIME;
    expect->time = pw_rule_expr(p);
    return;
  }
  expect->at = PW_AT_EVENT;
  expect->kind = pw_take_name(p);
  if (expect->kind.text == NULL) {
    pw_unexpected(p, "`t = ...`, or a kind of event such as `impact 1 of floor`", NULL);
  }
  expect->count = pw_rule_expr(p);
  pw_expect_word(p, "of");
  expect->of = pw_rule_ref(p, "the name of a law or an event");
}

/* "expect" expr "=" expr "+-" expr ["at" ("t" "=" expr | KIND expr "of" ref)] */
void pw_rule_expect(pw_parser *p, pw_st_expect *expect) {
  expect->left = pw_rule_expr(p);
  pw_expect(p, PW_TOK_EQ, "`=` and the expected value");
  expect->right = pw_rule_expr(p);
  if (!p->failed && !pw_at(p, PW_TOK_PLUSMINUS)) {
    if (pw_at(p, PW_TOK_END) || pw_at_word(p, "at")) {
      pw_diag_ref ref = pw_fail(p, "E0033", pw_token_span(p, p->tok), "`expect` needs a tolerance");
      pw_label(ref, "expected `+-` and a number");
      pw_help(ref, "write for example `+- 1e-6`");
    } else {
      pw_unexpected(p, "`+-` and a tolerance", NULL);
    }
  }
  pw_accept(p, PW_TOK_PLUSMINUS);
  expect->tol = pw_rule_expr(p);
  if (pw_accept_word(p, "at")) {
    rule_expect_at(p, expect);
  }
}
