// SPDX-License-Identifier: MIT
/* Messages for syntax errors: what was expected, what was found, and what to write instead. */
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "lang/parser.h"

void pw_count_error(pw_parser *p) {
  p->failed = true;
  p->errors++;
}

static pw_diag_ref report(pw_parser *p, const char *code, pw_span at, const char *fmt,
                          va_list args) {
  char message[400];
  vsnprintf(message, sizeof message, fmt, args);
  return pw_error(p->env->diags, code, at, "%s", message);
}

pw_diag_ref pw_fail(pw_parser *p, const char *code, pw_span at, const char *fmt, ...) {
  pw_diag_ref ref = {0};
  if (!p->failed) {
    va_list args;
    va_start(args, fmt);
    ref = report(p, code, at, fmt, args);
    va_end(args);
    pw_count_error(p);
  }
  return ref;
}

pw_diag_ref pw_blame(pw_parser *p, const char *code, pw_span at, const char *fmt, ...) {
  pw_diag_ref ref = {0};
  if (!p->failed) {
    va_list args;
    va_start(args, fmt);
    ref = report(p, code, at, fmt, args);
    va_end(args);
    p->spoilt = true;
    p->errors++;
  }
  return ref;
}

const char *pw_show(const pw_parser *p, pw_token tok, char *out, size_t size) {
  if (tok.kind == PW_TOK_END) {
    return "the end of the statement";
  }
  const char *text = p->source->text + tok.begin;
  int len = tok.end - tok.begin;
  const char *more = "";
  if (len > PW_SHOWN) {
    len = PW_SHOWN;
    more = "...";
    while (len > 0 && ((unsigned char)text[len] & 0xC0) == 0x80) {
      len--;
    }
  }
  snprintf(out, size, "`%.*s%s`", len, text, more);
  return out;
}

static bool is_keyword(const pw_parser *p, pw_token tok) {
  return tok.kind == PW_TOK_NAME &&
         pw_keyword_find(p->source->text + tok.begin, tok.end - tok.begin) >= 0;
}

static bool is_indented_keyword(const pw_parser *p) {
  return p->tok.first_on_line && is_keyword(p, p->tok);
}

static bool wants_end(const char *wanted) {
  return strcmp(wanted, PW_STATEMENT_END) == 0 || strcmp(wanted, PW_ONLY_END) == 0;
}

static bool is_comparison(pw_token_kind kind) {
  return kind == PW_TOK_GE || kind == PW_TOK_LE || kind == PW_TOK_GT || kind == PW_TOK_LT;
}

static bool ends_operand(pw_token_kind kind) {
  return kind == PW_TOK_NUMBER || kind == PW_TOK_NAME || kind == PW_TOK_RPAREN ||
         kind == PW_TOK_RBRACKET || kind == PW_TOK_PRIME;
}

/* A definition, an energy or a force contains only an expression. */
static bool is_only_expression(const pw_parser *p, const char *wanted) {
  return strcmp(wanted, PW_ONLY_END) == 0 && p->keyword >= PW_ST_LET && p->keyword <= PW_ST_FORCE;
}

/* `2 x`, `(a)(b)`, `x' y`: two operands side by side; two names may also be a misspelt word. */
static bool is_product_without_sign(const pw_parser *p, const char *wanted) {
  pw_token_kind next = p->tok.kind;
  if (p->expr_end != p->last.end && strcmp(wanted, PW_OPERATOR) != 0) {
    return false;
  }
  bool operand = next == PW_TOK_NAME || next == PW_TOK_NUMBER || next == PW_TOK_LPAREN;
  return operand && ends_operand(p->last.kind) &&
         (p->last.kind != PW_TOK_NAME || next == PW_TOK_NUMBER || is_only_expression(p, wanted));
}

/* `x = 0 restitution 1`, `run 0..1 tol 1e-9`, `start x = 0 x' = 1`: the next part begins, but the
 * comma before it is missing. */
static bool is_missing_comma(const pw_parser *p) {
  /* In a list `(a, b)(c, d)`, the comma between the items. */
  bool list = p->keyword == PW_ST_DRAW || p->keyword == PW_ST_PLOT;
  if (list && p->last.kind == PW_TOK_RPAREN && p->tok.kind == PW_TOK_LPAREN) {
    return true;
  }

  /* Elsewhere an expression has just ended, and a name follows. */
  if (p->expr_end != p->last.end || p->tok.kind != PW_TOK_NAME) {
    return false;
  }

  /* That name must be able to begin a part of this statement. */
  switch (p->keyword) {
  case PW_ST_CONSTRAINT:
  case PW_ST_FRICTION:
  case PW_ST_SPRING:
  case PW_ST_LAW:
  case PW_ST_SERVO:
  case PW_ST_CONTACT: return pw_is_clause_word(pw_token_text(p, p->tok));
  case PW_ST_BODY: return pw_at_word(p, "inertia");
  case PW_ST_RUN: return pw_starts_expr(p, pw_peek(p, 1));
  case PW_ST_PARAMETER:
  case PW_ST_INPUT:
  case PW_ST_STATE:
  case PW_ST_OUTPUT:
  case PW_ST_START:
  case PW_ST_END: {
    /* `x =`, `x' =`, `x' ~`: the next item. */
    int i = 1;
    while (i <= 2 && pw_peek(p, i).kind == PW_TOK_PRIME) {
      i++;
    }
    return pw_peek(p, i).kind == PW_TOK_EQ || pw_peek(p, i).kind == PW_TOK_TILDE;
  }
  default: return false;
  }
}

static const char *nearest_word(const pw_parser *p, const char *const *words) {
  if (words == NULL || p->tok.kind != PW_TOK_NAME) {
    return NULL;
  }
  pw_suggest s = pw_suggest_begin(pw_token_text(p, p->tok));
  for (int i = 0; words[i] != NULL; i++) {
    pw_suggest_try(&s, words[i]);
  }
  return s.best;
}

static void help_with_form(const pw_parser *p, pw_diag_ref ref) {
  const char *form = pw_statement_form(p->keyword);
  if (form != NULL) {
    pw_help(ref, "for example: `%s`", form);
  }
}

static void fail_at_end(pw_parser *p, const char *wanted) {
  char shown[PW_SHOWN + 8];
  pw_diag_ref ref = pw_fail(p, "E0014", pw_token_span(p, p->tok),
                            "the statement ends too early: expected %s", wanted);
  pw_label(ref, "expected %s here", wanted);
  if (p->pending.kind != PW_TOK_END && !is_keyword(p, p->pending)) {
    pw_second(ref, pw_token_span(p, p->pending), "this line starts in column 1");
    pw_help(ref, "if the line with %s continues the statement, indent it",
            pw_show(p, p->pending, shown, sizeof shown));
    p->swallow = true;
  } else if (p->last.kind == PW_TOK_COMMA) {
    pw_help(ref, "delete the `,`, or go on in an indented line");
  } else {
    help_with_form(p, ref);
  }
}

static void fail_indented_keyword(pw_parser *p) {
  char shown[PW_SHOWN + 8];
  pw_show(p, p->tok, shown, sizeof shown);
  pw_diag_ref ref = pw_fail(p, "E0013", pw_token_span(p, p->tok),
                            "%s is indented, so it continues the statement above", shown);
  pw_label(ref, "a statement starts in column 1");
  pw_help(ref, "delete the spaces in front of %s", shown);
}

static void fail_missing_sign(pw_parser *p) {
  char left[PW_SHOWN + 8], right[PW_SHOWN + 8];
  pw_show(p, p->last, left, sizeof left);
  pw_show(p, p->tok, right, sizeof right);
  pw_diag_ref ref = pw_fail(p, "E0017", pw_token_span(p, p->tok),
                            "there is no operator between %s and %s", left, right);
  pw_label(ref, "expected an operator or the end of the expression");
  int len = p->tok.end - p->tok.begin;
  const char *text = p->source->text + p->tok.begin;
  if (p->last.kind == PW_TOK_NAME && pw_reserved_as(pw_token_text(p, p->last)) != NULL) {
    pw_help(ref, "the argument of a function stands in parentheses: `%s(%.*s)`",
            pw_token_text(p, p->last), len, text);
    return;
  }
  pw_help(ref, "a product needs a sign: write `*` between the factors");
  if (p->last.kind == PW_TOK_NUMBER && p->tok.kind == PW_TOK_NAME) {
    pw_help(ref, "if `%.*s` is a unit, it stands in brackets: `[%.*s]`", len, text, len, text);
  }
}

static void fail_missing_comma(pw_parser *p) {
  char shown[PW_SHOWN + 8];
  pw_show(p, p->tok, shown, sizeof shown);
  pw_diag_ref ref = pw_fail(p, "E0015", pw_token_span(p, p->tok), "expected `,` before %s", shown);
  pw_label(ref, "a new part of the statement begins here");
  pw_help(ref, "put a `,` in front of %s", shown);
}

/* Errors with special messages, whatever was expected. */
static bool fail_specially(pw_parser *p, const char *wanted) {
  pw_span at = pw_token_span(p, p->tok);
  char shown[PW_SHOWN + 8];
  pw_diag_ref ref;
  if (p->tok.kind == PW_TOK_PLUSMINUS) {
    ref = pw_fail(p, "E0007", at, "`+-` is the tolerance sign of `expect`");
    pw_label(ref, "cannot stand in an expression");
    pw_help(ref, "write `-`, or `+ -` with a space between");
  } else if (is_indented_keyword(p)) {
    fail_indented_keyword(p);
  } else if (is_comparison(p->tok.kind) || pw_at_word(p, "and") || pw_at_word(p, "or")) {
    ref = pw_fail(p, "E0019", at, "%s is only allowed in `if(...)`",
                  is_comparison(p->tok.kind) ? "a comparison" : "a condition");
    pw_label(ref, "%s cannot stand here", pw_show(p, p->tok, shown, sizeof shown));
    pw_help(ref, "write `if(a > b, x, y)` for a value that depends on a condition");
  } else if ((p->tok.kind == PW_TOK_RPAREN || p->tok.kind == PW_TOK_RBRACKET) &&
             wants_end(wanted)) {
    ref = pw_fail(p, "E0016", at, "%s closes nothing", pw_show(p, p->tok, shown, sizeof shown));
    pw_label(ref, "no bracket is open here");
    pw_help(ref, "delete it, or open the bracket further left");
  } else {
    return false;
  }
  return true;
}

void pw_unexpected(pw_parser *p, const char *wanted, const char *const *words) {
  /* One fault for each statement. */
  if (p->failed) {
    return;
  }
  if (p->tok.kind == PW_TOK_END) {
    fail_at_end(p, wanted);
    return;
  }

  /* A misspelt word is the best explanation; then errors with special messages. */
  const char *word = nearest_word(p, words);
  if (word == NULL && fail_specially(p, wanted)) {
    return;
  }
  if (word == NULL && is_missing_comma(p)) {
    fail_missing_comma(p);
    return;
  }
  if (word == NULL && is_product_without_sign(p, wanted)) {
    fail_missing_sign(p);
    return;
  }

  /* Otherwise report what was expected and what was found. */
  bool family = p->keyword == PW_ST_FORCE && pw_at_word(p, "in");
  char shown[PW_SHOWN + 8];
  pw_diag_ref ref = pw_fail(p, "E0015", pw_token_span(p, p->tok), "expected %s, found %s", wanted,
                            pw_show(p, p->tok, shown, sizeof shown));
  pw_label(ref, "expected %s", wanted);

  /* Advice, from the most special case to the most general. */
  if (word != NULL) {
    pw_help(ref, "did you mean `%s`?", word);
  } else if (p->tok.kind == PW_TOK_NAME && p->last.kind == PW_TOK_NAME && wants_end(wanted)) {
    pw_help(ref, p->expr_end == p->last.end
                     ? "parts are separated by `,`; a product needs `*` between its factors"
                     : "parts are separated by `,`");
  } else if (strcmp(wanted, "`]`") == 0) {
    pw_help(ref, family ? "forces have no families: write a line for each member, or an energy "
                          "with `sum(i in 1..N: ...)`"
                        : "an index is one whole number: `x[2]`, `x[i + 1]`");
  } else if (p->depth > 0) {
    pw_help(ref, "functions are written `sin(x)`, `max(a, b)`, `if(x > 0, a, b)`, "
                 "`sum(i in 1..N: x[i])`");
  } else {
    help_with_form(p, ref);
  }
}

bool pw_expect(pw_parser *p, pw_token_kind kind, const char *wanted) {
  if (pw_accept(p, kind)) {
    return true;
  }
  pw_unexpected(p, wanted, NULL);
  return false;
}

bool pw_expect_word(pw_parser *p, const char *word) {
  if (pw_accept_word(p, word)) {
    return true;
  }
  char wanted[40];
  snprintf(wanted, sizeof wanted, "`%s`", word);
  const char *words[] = {word, NULL};
  pw_unexpected(p, wanted, words);
  return false;
}

void pw_expect_close(pw_parser *p, pw_token open) {
  bool paren = open.kind == PW_TOK_LPAREN;
  pw_token_kind close = paren ? PW_TOK_RPAREN : PW_TOK_RBRACKET;
  pw_token_kind other = paren ? PW_TOK_RBRACKET : PW_TOK_RPAREN;
  if (pw_accept(p, close) || p->failed) {
    return;
  }
  if (p->tok.kind != PW_TOK_END && p->tok.kind != other) {
    pw_unexpected(p, paren ? "`,` or `)`" : "`]`", NULL);
    return;
  }
  bool at_end = p->tok.kind == PW_TOK_END;
  bool cut = at_end && p->pending.kind != PW_TOK_END && !is_keyword(p, p->pending);
  pw_diag_ref ref =
      pw_fail(p, "E0016", pw_token_span(p, open), "this `%s` is not closed", paren ? "(" : "[");
  pw_label(ref, "opened here");
  if (cut) {
    pw_second(ref, pw_token_span(p, p->pending), "this line starts in column 1");
    pw_help(ref, "indent the lines that continue a statement");
    p->swallow = true;
  } else {
    pw_second(ref, pw_token_span(p, p->tok), "expected `%s` here", paren ? ")" : "]");
    pw_help(ref, "add `%s`", paren ? ")" : "]");
  }
}

/* `a == b`, `a => b`, `a ** b`: signs of other languages. */
static const char *other_sign(const pw_parser *p) {
  static const struct {
    pw_token_kind first, second;
    const char *advice;
  } table[] = {{PW_TOK_EQ, PW_TOK_EQ, "write a single `=`"},
               {PW_TOK_EQ, PW_TOK_GT, "write `>=`"},
               {PW_TOK_EQ, PW_TOK_LT, "write `<=`"},
               {PW_TOK_LT, PW_TOK_GT, "the relations are `=`, `>=` and `<=`"},
               {PW_TOK_STAR, PW_TOK_STAR, "write `^` for a power"},
               {PW_TOK_SLASH, PW_TOK_SLASH, "a comment starts with `#`"},
               {PW_TOK_COLON, PW_TOK_EQ, "delete the `=`"}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    if (p->last.kind == table[i].first && p->tok.kind == table[i].second) {
      return table[i].advice;
    }
  }
  return NULL;
}

void pw_no_expression(pw_parser *p) {
  char shown[PW_SHOWN + 8];
  pw_show(p, p->tok, shown, sizeof shown);
  pw_span at = pw_token_span(p, p->tok);
  const char *advice = p->failed ? NULL : other_sign(p);

  /* Cases from the most special to the most general. */
  if (p->failed || p->tok.kind == PW_TOK_END) {
    pw_unexpected(p, "an expression", NULL);
  } else if (p->tok.kind == PW_TOK_PLUS || p->tok.kind == PW_TOK_MINUS) {
    pw_diag_ref ref = pw_fail(p, "E0018", at, "two signs in a row");
    pw_label(ref, "a second sign needs parentheses");
    pw_help(ref, "write `-(-x)`, or leave out both signs");
  } else if (advice != NULL) {
    /* `==`, `**` and others: the fault begins at the sign before. */
    at.begin = p->last.begin;
    pw_diag_ref ref = pw_fail(p, "E0009", at, "unknown operator `%.*s`", at.end - at.begin,
                              p->source->text + at.begin);
    pw_label(ref, "not an operator of the language");
    pw_help(ref, "%s", advice);
  } else if (p->tok.kind == PW_TOK_LBRACKET) {
    /* `[1, 2]` is a vector in other languages. */
    pw_diag_ref ref = pw_fail(p, "E0015", at, "expected an expression, found `[`");
    pw_label(ref, "expected an expression");
    pw_help(ref, "a vector is written `(a, b)`; `[...]` is an index, or a unit behind a number");
  } else if (p->tok.kind == PW_TOK_PLUSMINUS ||
             (p->tok.kind == PW_TOK_NAME && !pw_at_word(p, "in"))) {
    pw_unexpected(p, "an expression", NULL);
  } else {
    pw_diag_ref ref = pw_fail(p, "E0015", at, "expected an expression, found %s", shown);
    pw_label(ref, "expected an expression");
    pw_help(ref, "an expression starts with a number, a name, `(` or `-`");
  }
}

void pw_too_deep(pw_parser *p) {
  pw_diag_ref ref = pw_fail(p, "E0024", pw_token_span(p, p->tok),
                            "this expression is nested more than %d levels deep", PW_MAX_DEPTH);
  pw_label(ref, "level %d", PW_MAX_DEPTH + 1);
  pw_help(ref, "give parts of it names with `let`");
}

/* `kinetic T` in an indented line is a statement, not a name; `kinetic = 3` is a name. */
static bool at_indented_statement(const pw_parser *p) {
  return pw_at(p, PW_TOK_NAME) && is_indented_keyword(p) && pw_peek(p, 1).kind == PW_TOK_NAME;
}

pw_name pw_define(pw_parser *p, const char *what) {
  if (!pw_at(p, PW_TOK_NAME) || at_indented_statement(p)) {
    char wanted[80];
    snprintf(wanted, sizeof wanted, "the name of %s", what);
    pw_unexpected(p, wanted, NULL);
    return (pw_name){0};
  }
  pw_name name = pw_take_name(p);
  const char *taken = pw_reserved_as(name.text);
  if (taken != NULL) {
    pw_diag_ref ref =
        pw_blame(p, "E0023", name.span, "`%s` cannot be the name of %s", name.text, what);
    pw_label(ref, "is %s already", taken);
    pw_help(ref, "choose another name, for example `%s1`", name.text);
  }
  return name;
}
