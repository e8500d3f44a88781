// SPDX-License-Identifier: MIT
/* The parser's view of the tokens: one statement at a time, ended by a token in column 1. */
#include <string.h>

#include "lang/parser.h"

void pw_next(pw_parser *p) {
  if (p->tok.kind == PW_TOK_END) {
    return;
  }
  p->last = p->tok;
  p->tok = pw_lex(&p->lexer);
  if (p->tok.kind == PW_TOK_END || p->tok.in_column_1) {
    p->pending = p->tok;
    p->tok = (pw_token){.kind = PW_TOK_END, .begin = p->last.end, .end = p->last.end};
  } else if (p->tok.kind == PW_TOK_ERROR && !p->failed) {
    pw_lex_report(p->env->diags, p->source, p->file, p->tok);
    pw_count_error(p);
  }
}

pw_token pw_peek(const pw_parser *p, int ahead) {
  pw_lexer copy = p->lexer;
  pw_token tok = p->tok;
  for (int i = 0; i < ahead && tok.kind != PW_TOK_END; i++) {
    tok = pw_lex(&copy);
    if (tok.in_column_1) {
      tok.kind = PW_TOK_END;
    }
  }
  return tok;
}

/* After an error the rest of the statement is empty. */
bool pw_at(const pw_parser *p, pw_token_kind kind) {
  return (p->failed ? PW_TOK_END : p->tok.kind) == kind;
}

bool pw_token_is(const pw_parser *p, pw_token tok, const char *word) {
  int len = tok.end - tok.begin;
  return tok.kind == PW_TOK_NAME && (int)strlen(word) == len &&
         memcmp(p->source->text + tok.begin, word, (size_t)len) == 0;
}

bool pw_at_word(const pw_parser *p, const char *word) {
  return !p->failed && pw_token_is(p, p->tok, word);
}

bool pw_accept(pw_parser *p, pw_token_kind kind) {
  if (!pw_at(p, kind) || kind == PW_TOK_END) {
    return false;
  }
  pw_next(p);
  return true;
}

bool pw_accept_word(pw_parser *p, const char *word) {
  return pw_at_word(p, word) && pw_accept(p, PW_TOK_NAME);
}

bool pw_starts_expr(const pw_parser *p, pw_token tok) {
  switch (tok.kind) {
  case PW_TOK_NAME: return !pw_token_is(p, tok, "in");
  case PW_TOK_NUMBER:
  case PW_TOK_LPAREN:
  case PW_TOK_PLUS:
  case PW_TOK_MINUS: return true;
  default: return false;
  }
}

bool pw_at_word_before_expr(const pw_parser *p, const char *word) {
  return pw_at_word(p, word) && pw_starts_expr(p, pw_peek(p, 1));
}

pw_span pw_token_span(const pw_parser *p, pw_token tok) {
  return (pw_span){p->file, tok.begin, tok.end};
}

pw_span pw_span_from(const pw_parser *p, int begin) {
  return (pw_span){p->file, begin, p->last.end};
}

const char *pw_token_text(const pw_parser *p, pw_token tok) {
  return pw_intern(p->env->names, p->source->text + tok.begin, tok.end - tok.begin);
}

pw_name pw_take_name(pw_parser *p) {
  pw_name name = {.span = pw_token_span(p, p->tok)};
  if (pw_at(p, PW_TOK_NAME)) {
    name.text = pw_token_text(p, p->tok);
    pw_next(p);
  }
  return name;
}

pw_name pw_take_word(pw_parser *p) {
  pw_name word = pw_take_name(p);
  while (word.text != NULL && pw_at(p, PW_TOK_MINUS) && p->tok.begin == word.span.end) {
    pw_token next = pw_peek(p, 1);
    if (next.kind != PW_TOK_NAME || next.begin != p->tok.end) {
      break;
    }
    word.span.end = next.end;
    pw_next(p);
    pw_next(p);
  }
  int len = word.span.end - word.span.begin;
  if (len > PW_MAX_NAME) {
    pw_diag_ref ref = pw_fail(p, "E0008", word.span, "a word of %d bytes", len);
    pw_label(ref, "words have at most %d bytes", PW_MAX_NAME);
    pw_help(ref, "put spaces around `-` if a difference is meant");
  } else if (word.text != NULL) {
    word.text = pw_intern(p->env->names, p->source->text + word.span.begin, len);
  }
  return word;
}

/* The text without quotes and escapes. */
const char *pw_take_string(pw_parser *p) {
  const char *from = p->source->text + p->tok.begin + 1;
  int len = p->tok.end - p->tok.begin - 2;
  char *text = PW_TAKE(p->env->arena, len + 1, char);
  int n = 0;
  for (int i = 0; i < len; i++) {
    i += from[i] == '\\';
    text[n++] = from[i];
  }
  text[n] = '\0';
  pw_next(p);
  return text;
}
