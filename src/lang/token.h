// SPDX-License-Identifier: MIT
/* Tokens and the lexer. The lexer has no list of tokens: its state is one offset, so looking ahead
 * means copying it, and a text of any size is read in constant memory. */
#ifndef PW_LANG_TOKEN_H
#define PW_LANG_TOKEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/source.h"

typedef enum pw_token_kind {
  PW_TOK_END, /* end of the statement (parser) or of the text (lexer) */
  PW_TOK_ERROR,
  PW_TOK_COMMENT, /* only with keep_comments */
  PW_TOK_NAME,
  PW_TOK_NUMBER,
  PW_TOK_STRING,
  PW_TOK_PLUS,
  PW_TOK_MINUS,
  PW_TOK_STAR, /* also U+00B7 */
  PW_TOK_SLASH,
  PW_TOK_CARET,
  PW_TOK_PRIME,
  PW_TOK_LPAREN,
  PW_TOK_RPAREN,
  PW_TOK_LBRACKET,
  PW_TOK_RBRACKET,
  PW_TOK_COMMA,
  PW_TOK_COLON,
  PW_TOK_DOT,
  PW_TOK_DOTDOT,
  PW_TOK_EQ,
  PW_TOK_GE, /* also U+2265 */
  PW_TOK_LE, /* also U+2264 */
  PW_TOK_GT,
  PW_TOK_LT,
  PW_TOK_TILDE,
  PW_TOK_PLUSMINUS /* also U+00B1 */
} pw_token_kind;

typedef enum pw_lex_fault {
  PW_LEX_OK,
  PW_LEX_CHARACTER, /* no token starts with it */
  PW_LEX_OPEN_STRING,
  PW_LEX_ESCAPE,
  PW_LEX_LONG_NAME
} pw_lex_fault;

typedef struct pw_token {
  pw_token_kind kind;
  pw_lex_fault fault; /* with PW_TOK_ERROR: what is wrong with the bytes begin..end */
  int begin, end;
  bool in_column_1, first_on_line;
} pw_token;

typedef struct pw_lexer {
  const char *text;
  int len, pos;
  bool keep_comments;
} pw_lexer;

enum {
  PW_MAX_NAME = 200,        /* bytes */
  PW_MAX_FILE_ERRORS = 1000 /* then the rest of a file is not read */
};

pw_lexer pw_lexer_on(const pw_source *source);
pw_token pw_lex(pw_lexer *lexer);
const char *pw_token_kind_name(pw_token_kind kind);

/* Reports a lexical error with its place and help. */
void pw_lex_report(pawl_diags *diags, const pw_source *source, int file, pw_token token);

/* ---- characters ---- */

/* Is a code point above 127 allowed in a name? Letters, marks and subscripts; no punctuation. */
bool pw_char_in_name(int32_t code_point);
/* Reports NUL, bytes that are not UTF-8 and control characters, once per file, and counts. False:
 * this is not text; stop. */
bool pw_text_check(pawl_diags *diags, const pw_source *source, int file, int *errors);

/* ---- numbers and words ---- */

typedef enum pw_number_fault {
  PW_NUMBER_OK,
  PW_NUMBER_TOO_LARGE,
  PW_NUMBER_TOO_SMALL
} pw_number_fault;

/* The double nearest to a NUMBER token; the same in every locale. */
pw_number_fault pw_number_value(const char *text, int len, double *value);

/* A statement keyword's index in pw_keywords, or -1. */
int pw_keyword_find(const char *text, int len);
extern const char *const pw_keywords[]; /* in the order of pw_stmt_kind, then NULL */

/* An example of a statement by its keyword; NULL for -1. */
const char *pw_statement_form(int keyword);

/* Why a name cannot be given to something ("a function"), or NULL if it can. */
const char *pw_reserved_as(const char *name);

#endif
