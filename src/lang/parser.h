// SPDX-License-Identifier: MIT
/* Inside the parser: its state and one function per grammar rule. After an error the rest of the
 * statement looks empty (PW_TOK_END), so rules run out by themselves; a statement that failed may
 * hold NULL pointers and is dropped. Spans are computed from token offsets, never from nodes. */
#ifndef PW_LANG_PARSER_H
#define PW_LANG_PARSER_H

#include "lang/parse.h"
#include "lang/token.h"

enum {
  PW_MAX_DEPTH = 200, /* nesting of expressions, not counting the left sides of + - * / */
  PW_MAX_INCLUDE_DEPTH = 20,
  PW_MAX_FILES = 100,
  PW_SHOWN = 40 /* bytes of source quoted in a message */
};

typedef struct pw_parser {
  pw_parse *env;
  const pw_source *source;
  int file;
  pw_lexer lexer;
  pw_token tok;     /* the current token */
  pw_token pending; /* the token that ended the statement: the first of the next one, or the end */
  pw_token last;    /* the token before `tok` */
  int keyword;      /* of the statement, -1: none */
  bool failed;      /* the statement has an error, which was reported; it looks empty from here */
  bool spoilt;      /* the statement has an error, but can be read on */
  bool swallow;     /* the next statement is the rest of this one, not indented */
  int errors;       /* of this file */
  int depth;        /* open rules */
  int height;       /* of the expression parsed last */
  int expr_end;     /* where that ended */
} pw_parser;

/* Expectations that the messages treat in their own way. */
#define PW_STATEMENT_END "`,` or the end of the statement"
#define PW_ONLY_END "the end of the statement"
#define PW_OPERATOR "an operator"

/* ---- tokens (parse_token.c) ---- */

void pw_next(pw_parser *p);
pw_token pw_peek(const pw_parser *p, int ahead); /* 1: the token after `tok` */
bool pw_at(const pw_parser *p, pw_token_kind kind);
bool pw_at_word(const pw_parser *p, const char *word); /* a NAME with this text */
bool pw_token_is(const pw_parser *p, pw_token tok, const char *word);
bool pw_accept(pw_parser *p, pw_token_kind kind);
bool pw_accept_word(pw_parser *p, const char *word);
bool pw_starts_expr(const pw_parser *p, pw_token tok);
/* Is `tok` this word used as a word, that is, followed by an expression? */
bool pw_at_word_before_expr(const pw_parser *p, const char *word);
pw_span pw_token_span(const pw_parser *p, pw_token tok);
pw_span pw_span_from(const pw_parser *p, int begin); /* to the end of the last token */
const char *pw_token_text(const pw_parser *p, pw_token tok);
pw_name pw_take_name(pw_parser *p); /* the current NAME, whatever it is */
pw_name pw_take_word(pw_parser *p); /* WORD = NAME {"-" NAME}, no spaces */
const char *pw_take_string(pw_parser *p);

/* ---- errors (parse_error.c) ---- */

void pw_count_error(pw_parser *p); /* one was reported: the statement fails */
/* Reports an error after which the statement can be read on. */
pw_diag_ref pw_blame(pw_parser *p, const char *code, pw_span at, const char *fmt, ...)
    PW_PRINTF(4, 5);
/* Reports unless the statement has failed already, and makes it fail. */
pw_diag_ref pw_fail(pw_parser *p, const char *code, pw_span at, const char *fmt, ...)
    PW_PRINTF(4, 5);
/* "expected `wanted`, found ..." with the best explanation of the token found; `words` are the
 * words allowed here (NULL-terminated, or NULL). */
void pw_unexpected(pw_parser *p, const char *wanted, const char *const *words);
bool pw_expect(pw_parser *p, pw_token_kind kind, const char *wanted);
bool pw_expect_word(pw_parser *p, const char *word);
/* The bracket that closes the bracket at `open`. */
void pw_expect_close(pw_parser *p, pw_token open);
void pw_no_expression(pw_parser *p);
void pw_too_deep(pw_parser *p);
/* A new name: a NAME that is not reserved. `what` as in "the parameter". */
pw_name pw_define(pw_parser *p, const char *what);
/* The text of a token for messages, cut to PW_SHOWN bytes, in backquotes. */
const char *pw_show(const pw_parser *p, pw_token tok, char *out, size_t size);

bool pw_is_clause_word(const char *text); /* of any law (parse_law.c) */

/* ---- rules ---- */

pw_ex *pw_new_ex(pw_parser *p, pw_ex_kind kind, int begin, int n_arg);
pw_ex *pw_rule_expr(pw_parser *p);
/* "(" expr {"," expr} ")": one expression is itself, several are a vector. */
pw_ex *pw_rule_parentheses(pw_parser *p);
pw_ex *pw_rule_ref(pw_parser *p, const char *what);
pw_ex *pw_ref_tail(pw_parser *p, pw_ex *head); /* { "[" expr "]" | "." NAME | "'" } */
pw_ex *pw_rule_name_ex(pw_parser *p);          /* the current NAME as an expression */
void pw_rule_args(pw_parser *p, pw_ex *call);  /* args and the closing parenthesis */
pw_ex *pw_rule_number(pw_parser *p);
const pw_unit *pw_rule_unit(pw_parser *p);
void pw_rule_range(pw_parser *p, pw_ex **from, pw_ex **to);
pw_rel pw_rule_rel(pw_parser *p, const char *what);
pw_heading pw_rule_label(pw_parser *p, const char *what, bool pairs);
bool pw_at_family(const pw_parser *p); /* at "[" NAME "in" */
void pw_rule_family(pw_parser *p, pw_heading *label);
/* The same, or over pairs. */
void pw_rule_pairs(pw_parser *p, pw_heading *label);

/* constraint friction spring law servo joint: what follows the keyword */
void pw_rule_law(pw_parser *p, pw_stmt_kind kind, pw_st_law *law);
void pw_rule_joint(pw_parser *p, pw_st_law *law);
void pw_rule_shape(pw_parser *p, pw_st_shape *shape);
void pw_rule_contact(pw_parser *p, pw_st_law *law);
void pw_rule_input(pw_parser *p, pw_st_input *input);
void pw_rule_table(pw_parser *p, pw_st_table *table);
void pw_rule_state(pw_parser *p, pw_st_output *output);
void pw_rule_sample(pw_parser *p, pw_st_sample *sample);
void pw_rule_start(pw_parser *p, pw_st_start *start);
void pw_rule_event(pw_parser *p, pw_st_event *event);
void pw_rule_output(pw_parser *p, pw_st_output *output);
void pw_rule_plot(pw_parser *p, pw_st_plot *plot);
void pw_rule_draw(pw_parser *p, pw_st_draw *draw);
void pw_rule_run(pw_parser *p, pw_st_run *run);
void pw_rule_expect(pw_parser *p, pw_st_expect *expect);
void pw_rule_statement(pw_parser *p, pw_stmt *s); /* what follows the keyword */

#endif
