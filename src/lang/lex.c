// SPDX-License-Identifier: MIT
/* The lexer: longest match at each place. */
#include <string.h>

#include "base/assert.h"
#include "base/glyph.h"
#include "lang/token.h"

static const char BYTE_ORDER_MARK[] = "\xEF\xBB\xBF";

pw_lexer pw_lexer_on(const pw_source *source) {
  return (pw_lexer){.text = source->text, .len = source->len};
}

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* The byte at an offset; NUL past the end. */
static char at(const pw_lexer *lx, int pos) {
  return pos < lx->len ? lx->text[pos] : '\0';
}

static int digits(const pw_lexer *lx, int pos) {
  while (is_digit(at(lx, pos))) {
    pos++;
  }
  return pos;
}

/* NUMBER = (digits ["." [digits]] | "." digits) [("e"|"E") ["+"|"-"] digits];
 * a "." that begins ".." is not part of it. */
static int number_end(const pw_lexer *lx, int pos) {
  pos = digits(lx, pos);
  if (at(lx, pos) == '.' && at(lx, pos + 1) != '.') {
    pos = digits(lx, pos + 1);
  }
  if (at(lx, pos) == 'e' || at(lx, pos) == 'E') {
    int sign = at(lx, pos + 1) == '+' || at(lx, pos + 1) == '-';
    if (is_digit(at(lx, pos + 1 + sign))) {
      pos = digits(lx, pos + 1 + sign);
    }
  }
  return pos;
}

/* Bytes of the name character at an offset, 0 if there is none. */
static int name_char(const pw_lexer *lx, int pos, bool first) {
  char c = at(lx, pos);
  if (is_letter(c) || (!first && is_digit(c))) {
    return 1;
  }
  if ((unsigned char)c < 0x80) {
    return 0;
  }
  int32_t code;
  int bytes = pw_glyph_next(lx->text + pos, lx->text + lx->len, &code);
  return pw_char_in_name(code) ? bytes : 0;
}

static void lex_name(pw_lexer *lx, pw_token *tok) {
  tok->kind = PW_TOK_NAME;
  for (int n = name_char(lx, lx->pos, true); n > 0; n = name_char(lx, lx->pos, false)) {
    lx->pos += n;
  }
  if (lx->pos - tok->begin > PW_MAX_NAME) {
    tok->kind = PW_TOK_ERROR;
    tok->fault = PW_LEX_LONG_NAME;
  }
  tok->end = lx->pos;
}

/* STRING: to the next quote of the same line; the error token covers the wrong part only. */
static void lex_string(pw_lexer *lx, pw_token *tok) {
  int bad_escape = -1;
  int pos = lx->pos + 1;
  while (pos < lx->len && lx->text[pos] != '"' && lx->text[pos] != '\n') {
    if (lx->text[pos] == '\\') {
      char next = at(lx, pos + 1);
      if (next != '"' && next != '\\') {
        bad_escape = bad_escape < 0 ? pos : bad_escape;
      } else {
        pos++;
      }
    }
    pos++;
  }
  bool closed = at(lx, pos) == '"';
  lx->pos = pos + closed;
  tok->kind = closed && bad_escape < 0 ? PW_TOK_STRING : PW_TOK_ERROR;
  tok->end = lx->pos;
  if (!closed) {
    tok->fault = PW_LEX_OPEN_STRING;
    tok->end -= lx->text[pos - 1] == '\r' && pos < lx->len;
  } else if (bad_escape >= 0) {
    int32_t code;
    int next = pw_glyph_next(lx->text + bad_escape + 1, lx->text + lx->len, &code);
    tok->fault = PW_LEX_ESCAPE;
    tok->begin = bad_escape;
    tok->end = bad_escape + 1 + next;
  }
}

static void lex_symbol(pw_lexer *lx, pw_token *tok) {
  static const struct {
    const char *text;
    pw_token_kind kind;
  } symbols[] = {/* longest first */
                 {"..", PW_TOK_DOTDOT},
                 {"+-", PW_TOK_PLUSMINUS},
                 {"\xC2\xB1", PW_TOK_PLUSMINUS},
                 {">=", PW_TOK_GE},
                 {"\xE2\x89\xA5", PW_TOK_GE},
                 {"<=", PW_TOK_LE},
                 {"\xE2\x89\xA4", PW_TOK_LE},
                 {"\xC2\xB7", PW_TOK_STAR},
                 {"+", PW_TOK_PLUS},
                 {"-", PW_TOK_MINUS},
                 {"*", PW_TOK_STAR},
                 {"/", PW_TOK_SLASH},
                 {"^", PW_TOK_CARET},
                 {"'", PW_TOK_PRIME},
                 {"(", PW_TOK_LPAREN},
                 {")", PW_TOK_RPAREN},
                 {"[", PW_TOK_LBRACKET},
                 {"]", PW_TOK_RBRACKET},
                 {",", PW_TOK_COMMA},
                 {":", PW_TOK_COLON},
                 {".", PW_TOK_DOT},
                 {"=", PW_TOK_EQ},
                 {">", PW_TOK_GT},
                 {"<", PW_TOK_LT},
                 {"~", PW_TOK_TILDE}};
  for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
    if (symbols[i].text[0] != lx->text[lx->pos]) {
      continue;
    }
    int n = (int)strlen(symbols[i].text);
    if (n <= lx->len - lx->pos && memcmp(lx->text + lx->pos, symbols[i].text, (size_t)n) == 0) {
      tok->kind = symbols[i].kind;
      lx->pos += n;
      tok->end = lx->pos;
      return;
    }
  }
  int32_t code;
  tok->kind = PW_TOK_ERROR;
  tok->fault = PW_LEX_CHARACTER;
  lx->pos += pw_glyph_next(lx->text + lx->pos, lx->text + lx->len, &code);
  tok->end = lx->pos;
}

/* Control characters count as spaces: pw_text_check has reported them. */
static bool is_space(char c) {
  return (c > '\0' && c <= ' ') || c == 0x7F;
}

static int line_end(const pw_lexer *lx, int pos) {
  const char *end = memchr(lx->text + pos, '\n', (size_t)(lx->len - pos));
  return end == NULL ? lx->len : (int)(end - lx->text);
}

/* Skips to the next token; true if a line (or the text) began before it. */
static bool skip_space(pw_lexer *lx) {
  bool new_line = lx->pos == 0;
  if (lx->pos == 0 && lx->len >= 3 && memcmp(lx->text, BYTE_ORDER_MARK, 3) == 0) {
    lx->pos = 3;
  }
  while (lx->pos < lx->len) {
    char c = lx->text[lx->pos];
    if (c == '#' && !lx->keep_comments) {
      lx->pos = line_end(lx, lx->pos);
    } else if (is_space(c)) {
      new_line = new_line || c == '\n';
      lx->pos++;
    } else {
      break;
    }
  }
  return new_line;
}

static void lex_comment(pw_lexer *lx, pw_token *tok) {
  tok->kind = PW_TOK_COMMENT;
  lx->pos = line_end(lx, lx->pos);
  tok->end = lx->pos;
  while (tok->end > tok->begin && is_space(lx->text[tok->end - 1])) {
    tok->end--;
  }
}

pw_token pw_lex(pw_lexer *lexer) {
  pw_token tok = {.kind = PW_TOK_END};
  tok.first_on_line = skip_space(lexer);
  int pos = lexer->pos;
  tok.begin = tok.end = pos;
  if (pos >= lexer->len) {
    return tok;
  }
  bool behind_mark = pos == 3 && memcmp(lexer->text, BYTE_ORDER_MARK, 3) == 0;
  tok.in_column_1 = pos == 0 || lexer->text[pos - 1] == '\n' || behind_mark;
  char c = lexer->text[pos];
  if (c == '#') {
    lex_comment(lexer, &tok);
  } else if (is_digit(c) || (c == '.' && is_digit(at(lexer, pos + 1)))) {
    tok.kind = PW_TOK_NUMBER;
    tok.end = lexer->pos = number_end(lexer, pos);
  } else if (c == '"') {
    lex_string(lexer, &tok);
  } else if (name_char(lexer, pos, true) > 0) {
    lex_name(lexer, &tok);
  } else {
    lex_symbol(lexer, &tok);
  }
  PW_ASSERT(tok.end > tok.begin && lexer->pos >= tok.end && tok.end <= lexer->len); /* progress */
  return tok;
}

const char *pw_token_kind_name(pw_token_kind kind) {
  static const char *const names[] = {
      "end",      "error",    "comment", "name",  "number", "string",   "plus",
      "minus",    "star",     "slash",   "caret", "prime",  "lparen",   "rparen",
      "lbracket", "rbracket", "comma",   "colon", "dot",    "dotdot",   "eq",
      "ge",       "le",       "gt",      "lt",    "tilde",  "plusminus"};
  return names[kind];
}
