// SPDX-License-Identifier: MIT
/* Expressions. Sums and products are loops, so their length is not limited; nesting (brackets,
 * powers, primes) is limited to PW_MAX_DEPTH levels, so later passes may recurse into it as long as
 * they walk down the left sides of binary nodes in a loop. */
#include <stdio.h>

#include "lang/parser.h"

static pw_ex *rule_unary(pw_parser *p);

pw_ex *pw_new_ex(pw_parser *p, pw_ex_kind kind, int begin, int n_arg) {
  pw_ex *ex = PW_NEW(p->env->arena, pw_ex);
  ex->kind = kind;
  ex->span = pw_span_from(p, begin);
  ex->mark = ex->span;
  ex->n_arg = n_arg;
  ex->arg = n_arg == 0 ? NULL : PW_TAKE(p->env->arena, n_arg, pw_ex *);
  return ex;
}

/* left OP rule, for the operator at the current token; the left side adds no height. */
static pw_ex *join(pw_parser *p, pw_ex_kind kind, int begin, pw_ex *left,
                   pw_ex *(*rule)(pw_parser *)) {
  pw_span mark = pw_token_span(p, p->tok);
  int height = p->height;
  pw_next(p);
  pw_ex *right = rule(p);
  pw_ex *ex = pw_new_ex(p, kind, begin, 2);
  ex->mark = mark;
  ex->arg[0] = left;
  ex->arg[1] = right;
  p->height = height > p->height + 1 ? height : p->height + 1;
  return ex;
}

/* One more node around the expression parsed last. */
static void grow(pw_parser *p) {
  if (++p->height > PW_MAX_DEPTH) {
    pw_too_deep(p);
  }
}

pw_ex *pw_rule_name_ex(pw_parser *p) {
  int begin = p->tok.begin;
  pw_name name = pw_take_name(p);
  pw_ex *ex = pw_new_ex(p, PW_EX_NAME, begin, 0);
  ex->name = name.text;
  p->height = 1;
  return ex;
}

/* "'" | "[" expr "]" | "." NAME after `head`; NULL if none of them follows. */
static pw_ex *rule_suffix(pw_parser *p, int begin, pw_ex *head) {
  pw_token sign = p->tok;
  pw_ex *ex = NULL;
  if (pw_accept(p, PW_TOK_PRIME)) {
    ex = pw_new_ex(p, PW_EX_PRIME, begin, 1);
    ex->mark = pw_token_span(p, sign);
  } else if (pw_accept(p, PW_TOK_DOT)) {
    pw_name field = pw_take_name(p);
    if (field.text == NULL) {
      pw_unexpected(p, "a name behind the `.`", NULL);
    }
    ex = pw_new_ex(p, PW_EX_FIELD, begin, 1);
    ex->name = field.text;
    ex->mark = field.span;
  } else if (pw_accept(p, PW_TOK_LBRACKET)) {
    int height = p->height;
    pw_ex *index = pw_rule_expr(p);
    pw_expect_close(p, sign);
    ex = pw_new_ex(p, PW_EX_INDEX, begin, 2);
    ex->mark = (pw_span){p->file, sign.begin, p->last.end};
    ex->arg[1] = index;
    p->height = height > p->height ? height : p->height;
  } else {
    return NULL;
  }
  ex->arg[0] = head;
  grow(p);
  return ex;
}

/* { "[" expr "]" | "." NAME | "'" } */
pw_ex *pw_ref_tail(pw_parser *p, pw_ex *head) {
  int begin = head->span.begin;
  for (pw_ex *next = head; next != NULL; next = rule_suffix(p, begin, head)) {
    head = next;
  }
  return head;
}

/* ref = NAME { "[" expr "]" | "." NAME | "'" } */
pw_ex *pw_rule_ref(pw_parser *p, const char *what) {
  if (!pw_at(p, PW_TOK_NAME)) {
    pw_unexpected(p, what, NULL);
    return NULL;
  }
  return pw_ref_tail(p, pw_rule_name_ex(p));
}

pw_ex *pw_rule_parentheses(pw_parser *p) {
  pw_token open = p->tok;
  struct {
    pw_ex **items;
    int n, cap;
  } list = {0};
  int height = 0;
  do {
    pw_next(p);
    pw_ex *ex = pw_rule_expr(p);
    PW_PUSH(p->env->arena, &list, ex);
    height = p->height > height ? p->height : height;
  } while (pw_at(p, PW_TOK_COMMA));
  pw_expect_close(p, open);
  p->height = height;
  if (list.n == 1) {
    return list.items[0];
  }
  pw_ex *ex = pw_new_ex(p, PW_EX_VECTOR, open.begin, 0);
  ex->arg = list.items;
  ex->n_arg = list.n;
  grow(p);
  return ex;
}

/* atom = NUMBER ["[" unit "]"] | "inf" | "pi" | "t" | NAME | "(" expr {"," expr} ")" */
static pw_ex *rule_atom(pw_parser *p) {
  if (pw_at(p, PW_TOK_NUMBER)) {
    return pw_rule_number(p);
  }
  if (pw_at(p, PW_TOK_LPAREN)) {
    return pw_rule_parentheses(p);
  }
  if (pw_at(p, PW_TOK_NAME) && !pw_at_word(p, "in")) {
    return pw_rule_name_ex(p);
  }
  pw_no_expression(p);
  return NULL;
}

static void fail_prime_of_number(pw_parser *p) {
  pw_diag_ref ref = pw_fail(p, "E0030", pw_token_span(p, p->tok), "`'` cannot follow a number");
  pw_label(ref, "a time derivative of a number");
  pw_help(ref, "`'` stands behind a name, an index or `)`: `x'`, `x[2]'`, `(x*y)'`");
}

static pw_ex *rule_call(pw_parser *p, int begin, pw_ex *callee) {
  if (callee == NULL || callee->kind != PW_EX_NAME || p->last.kind != PW_TOK_NAME) {
    pw_unexpected(p, PW_OPERATOR, NULL); /* only names are functions: (a)(b) is no product */
    return NULL;
  }
  pw_ex *ex = pw_new_ex(p, PW_EX_CALL, begin, 1);
  ex->arg[0] = callee;
  ex->mark = callee->span;
  pw_rule_args(p, ex);
  ex->span = pw_span_from(p, begin);
  grow(p);
  return ex;
}

/* postfix = atom { "'" | "[" expr "]" | "." NAME | "(" args ")" } */
static pw_ex *rule_postfix(pw_parser *p) {
  int begin = p->tok.begin;
  bool is_number = pw_at(p, PW_TOK_NUMBER);
  pw_ex *ex = rule_atom(p);
  if (is_number) {
    if (pw_at(p, PW_TOK_PRIME)) {
      fail_prime_of_number(p);
    } else if (pw_at(p, PW_TOK_LPAREN)) {
      pw_unexpected(p, PW_OPERATOR, NULL);
    }
    return ex;
  }
  while (!p->failed) {
    pw_ex *next = pw_at(p, PW_TOK_LPAREN) ? rule_call(p, begin, ex) : rule_suffix(p, begin, ex);
    if (next == NULL) {
      break;
    }
    ex = next;
  }
  return ex;
}

/* power = postfix ["^" unary] */
static pw_ex *rule_power(pw_parser *p) {
  int begin = p->tok.begin;
  pw_ex *base = rule_postfix(p);
  if (!pw_at(p, PW_TOK_CARET)) {
    return base;
  }
  if (p->depth >= PW_MAX_DEPTH) {
    pw_too_deep(p);
    return NULL;
  }
  p->depth++;
  int height = p->height;
  pw_ex *ex = join(p, PW_EX_POW, begin, base, rule_unary);
  p->height = height + 1 > p->height ? height + 1 : p->height;
  p->depth--;
  return ex;
}

/* unary = ["-"|"+"] power */
static pw_ex *rule_unary(pw_parser *p) {
  pw_token sign = p->tok;
  bool minus = pw_at(p, PW_TOK_MINUS);
  if (!minus && !pw_at(p, PW_TOK_PLUS)) {
    return rule_power(p);
  }
  pw_next(p);
  pw_ex *operand = rule_power(p);
  pw_ex *ex = pw_new_ex(p, minus ? PW_EX_NEG : PW_EX_POS, sign.begin, 1);
  ex->mark = pw_token_span(p, sign);
  ex->arg[0] = operand;
  grow(p);
  return ex;
}

/* term = unary {("*"|"/") unary} */
static pw_ex *rule_term(pw_parser *p) {
  int begin = p->tok.begin;
  pw_ex *ex = rule_unary(p);
  while (pw_at(p, PW_TOK_STAR) || pw_at(p, PW_TOK_SLASH)) {
    ex = join(p, pw_at(p, PW_TOK_STAR) ? PW_EX_MUL : PW_EX_DIV, begin, ex, rule_unary);
  }
  return ex;
}

/* expr = term {("+"|"-") term} */
pw_ex *pw_rule_expr(pw_parser *p) {
  if (p->depth >= PW_MAX_DEPTH) {
    pw_too_deep(p);
    return NULL;
  }
  p->depth++;
  p->height = 0;
  int begin = p->tok.begin;
  pw_ex *ex = rule_term(p);
  while (pw_at(p, PW_TOK_PLUS) || pw_at(p, PW_TOK_MINUS)) {
    ex = join(p, pw_at(p, PW_TOK_PLUS) ? PW_EX_ADD : PW_EX_SUB, begin, ex, rule_term);
  }
  if (p->height > PW_MAX_DEPTH) {
    pw_too_deep(p);
  }
  p->depth--;
  p->expr_end = p->last.end;
  return ex;
}

static bool at_comparison(const pw_parser *p) {
  return pw_at(p, PW_TOK_GT) || pw_at(p, PW_TOK_GE) || pw_at(p, PW_TOK_LT) || pw_at(p, PW_TOK_LE);
}

static void fail_condition(pw_parser *p, int begin) {
  pw_diag_ref ref;
  if (pw_at(p, PW_TOK_EQ)) {
    ref = pw_fail(p, "E0034", pw_token_span(p, p->tok), "`=` is no condition of `if`");
    pw_label(ref, "equality holds at single instants only");
  } else if (pw_at(p, PW_TOK_COMMA) || pw_at(p, PW_TOK_RPAREN)) {
    ref = pw_fail(p, "E0034", pw_span_from(p, begin), "the first argument of `if` is a comparison");
    pw_label(ref, "this is a value");
  } else {
    pw_unexpected(p, "a comparison", NULL);
    return;
  }
  pw_help(ref, "compare with `>`, `>=`, `<` or `<=`: `if(x > 0, a, b)`");
}

/* crel = expr (">" | ">=" | "<" | "<=") expr */
static pw_ex *rule_crel(pw_parser *p) {
  int begin = p->tok.begin;
  pw_ex *left = pw_rule_expr(p);
  if (!at_comparison(p)) {
    fail_condition(p, begin);
    return NULL;
  }
  pw_ex_kind kind = pw_at(p, PW_TOK_GT)   ? PW_EX_GT
                    : pw_at(p, PW_TOK_GE) ? PW_EX_GE
                    : pw_at(p, PW_TOK_LT) ? PW_EX_LT
                                          : PW_EX_LE;
  pw_ex *ex = join(p, kind, begin, left, pw_rule_expr);
  if (at_comparison(p)) {
    pw_diag_ref ref = pw_fail(p, "E0020", pw_token_span(p, p->tok), "two comparisons in a row");
    pw_label(ref, "a second comparison");
    pw_second(ref, ex->mark, "the first one");
    pw_help(ref, "join two comparisons with `and`: `a < b and b < c`");
  }
  return ex;
}

/* conj = crel {"and" crel} */
static pw_ex *rule_conj(pw_parser *p) {
  int begin = p->tok.begin;
  pw_ex *ex = rule_crel(p);
  while (pw_at_word(p, "and")) {
    ex = join(p, PW_EX_AND, begin, ex, rule_crel);
  }
  return ex;
}

/* cond = conj {"or" conj} */
static pw_ex *rule_cond(pw_parser *p) {
  int begin = p->tok.begin;
  pw_ex *ex = rule_conj(p);
  while (pw_at_word(p, "or")) {
    ex = join(p, PW_EX_OR, begin, ex, rule_conj);
  }
  return ex;
}

/* NAME "in" expr ".." expr ":" expr */
static pw_ex *rule_each(pw_parser *p) {
  int begin = p->tok.begin;
  pw_name index = pw_define(p, "an index");
  pw_expect_word(p, "in");
  pw_ex *from = NULL, *to = NULL;
  pw_rule_range(p, &from, &to);
  int height = p->height;
  pw_expect(p, PW_TOK_COLON, "`:` and the expression to sum");
  pw_ex *body = pw_rule_expr(p);
  pw_ex *ex = pw_new_ex(p, PW_EX_EACH, begin, 3);
  ex->name = index.text;
  ex->mark = index.span;
  ex->arg[0] = from;
  ex->arg[1] = to;
  ex->arg[2] = body;
  p->height = 1 + (height > p->height ? height : p->height);
  return ex;
}

/* args = arg {"," arg} | NAME "in" expr ".." expr ":" expr;  arg = expr | cond */
void pw_rule_args(pw_parser *p, pw_ex *call) {
  struct {
    pw_ex **items;
    int n, cap;
  } list = {0};
  pw_token open = p->tok;
  bool is_if = pw_token_is(p, p->last, "if");
  int height = 0;
  PW_PUSH(p->env->arena, &list, call->arg[0]);
  do {
    pw_next(p);
    bool each = list.n == 1 && pw_at(p, PW_TOK_NAME) && pw_token_is(p, pw_peek(p, 1), "in");
    pw_ex *ex = each ? rule_each(p) : is_if && list.n == 1 ? rule_cond(p) : pw_rule_expr(p);
    PW_PUSH(p->env->arena, &list, ex);
    height = p->height > height ? p->height : height;
    if (each) {
      break;
    }
  } while (pw_at(p, PW_TOK_COMMA));
  pw_expect_close(p, open);
  call->arg = list.items;
  call->n_arg = list.n;
  p->height = height;
}

static pw_diag_ref fail_number(pw_parser *p, const char *what) {
  char shown[PW_SHOWN + 8];
  pw_show(p, p->tok, shown, sizeof shown);
  return pw_blame(p, "E0006", pw_token_span(p, p->tok), "the number %s is too %s", shown, what);
}

/* NUMBER ["[" unit "]"] */
pw_ex *pw_rule_number(pw_parser *p) {
  int begin = p->tok.begin;
  double value;
  pw_number_fault fault = pw_number_value(p->source->text + begin, p->tok.end - begin, &value);
  if (fault == PW_NUMBER_TOO_LARGE) {
    pw_diag_ref ref = fail_number(p, "large");
    pw_label(ref, "numbers go up to 1.797e308");
    pw_help(ref, "write `inf` if you mean infinity, or use a larger unit");
  } else if (fault == PW_NUMBER_TOO_SMALL) {
    pw_diag_ref ref = fail_number(p, "small");
    pw_label(ref, "it would be rounded to 0; numbers go down to 4.9e-324");
    pw_help(ref, "write `0`, or use a smaller unit");
  }
  pw_accept(p, PW_TOK_NUMBER);
  const pw_unit *unit = pw_at(p, PW_TOK_LBRACKET) ? pw_rule_unit(p) : NULL;
  pw_ex *ex = pw_new_ex(p, PW_EX_NUM, begin, 0);
  ex->value = value;
  ex->unit = unit;
  p->height = 1;
  return ex;
}
