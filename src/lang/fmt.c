// SPDX-License-Identifier: MIT
/* The formatter: the same tokens and comments in the same lines, with standard spacing. It needs no
 * syntax tree, only which names act as words (`mu 0.3 on floor`): a word is followed by a space,
 * and after it `-` is a sign and `(` is not a call. */
#include <string.h>

#include "lang/print.h"
#include "lang/token.h"

typedef struct item { /* a token with information from its context */
  pw_token tok;
  bool is_word;  /* a keyword or clause word: an expression or a name may follow directly */
  bool is_sign;  /* + or - in front of an operand */
  bool is_tight; /* no spaces around it: inside a unit or a hyphenated word */
  bool opens_unit;
} item;

typedef struct formatter {
  pw_buf *out;
  size_t start; /* of the text in `out` */
  const char *text;
  pw_lexer ahead; /* after `next` */
  item last;
  pw_token next; /* after the current token, without comments */
  int keyword;   /* of the current statement, or -1 */
  int depth;     /* open brackets */
  bool in_unit;
  bool in_options; /* after the first comma of `run` */
  bool in_head;    /* before the colon of `table`, the `=` of an output: brackets hold units */
} formatter;

static bool ends_operand(const item *it) {
  switch (it->tok.kind) {
  case PW_TOK_NAME: return !it->is_word;
  case PW_TOK_NUMBER:
  case PW_TOK_STRING:
  case PW_TOK_PRIME:
  case PW_TOK_RPAREN:
  case PW_TOK_RBRACKET: return true;
  default: return false;
  }
}

static bool token_is(const formatter *f, pw_token tok, const char *word) {
  size_t len = (size_t)(tok.end - tok.begin);
  return strlen(word) == len && memcmp(f->text + tok.begin, word, len) == 0;
}

/* Words of clauses by statement; they follow `,`, `:` or the keyword. */
static bool is_clause_word(const formatter *f, pw_token tok) {
  static const char *const words[][9] = {
      [PW_ST_BODY] = {"mass", "inertia"},
      [PW_ST_FORCE] = {"at"},
      [PW_ST_CONSTRAINT] = {"restitution", "poisson", "vakonomic", "inertia", "viscous",
                            "stiffness"},
      [PW_ST_FRICTION] = {"slip", "mu", "rough", "bound", "restitution", "static"},
      [PW_ST_SPRING] = {"stretch", "stiffness", "play", "preload", "damping", "pull"},
      [PW_ST_LAW] = {"stretch", "slip", "graph", "damping"},
      [PW_ST_SERVO] = {"by"},
      [PW_ST_JOINT] = {"axis"},
      [PW_ST_SHAPE] = {"angle", "radius", "size"},
      [PW_ST_CONTACT] = {"restitution", "poisson", "mu", "rough", "static", "roll", "spin"},
      [PW_ST_INPUT] = {"from"},
      [PW_ST_SAMPLE] = {"every"},
      [PW_ST_EVENT] = {"every"},
      [PW_ST_DRAW] = {"angle", "radius", "size"},
      [PW_ST_EXPECT] = {NULL}};
  if (f->keyword < 0) {
    return false;
  }
  for (int i = 0; i < 9 && words[f->keyword][i] != NULL; i++) {
    if (token_is(f, tok, words[f->keyword][i])) {
      return true;
    }
  }
  return false;
}

/* May an expression start with this token? Then a clause word in front of it is one. */
static bool starts_operand(pw_token_kind kind) {
  return kind == PW_TOK_NAME || kind == PW_TOK_NUMBER || kind == PW_TOK_LPAREN ||
         kind == PW_TOK_MINUS || kind == PW_TOK_PLUS || kind == PW_TOK_STRING;
}

static bool is_word(const formatter *f, pw_token tok) {
  if (tok.in_column_1) {
    return true;
  }
  if (ends_operand(&f->last)) {
    return true; /* `0.3 on`, `x in`: two operands are never adjacent */
  }
  bool at_part = f->depth == 0 && (f->last.tok.kind == PW_TOK_COMMA ||
                                   f->last.tok.kind == PW_TOK_COLON || f->last.tok.in_column_1);
  if (!at_part || !starts_operand(f->next.kind)) {
    return false;
  }
  bool is_shape = (f->keyword == PW_ST_DRAW && f->last.tok.in_column_1) ||
                  (f->keyword == PW_ST_SHAPE && f->last.tok.kind == PW_TOK_COLON);
  return is_shape || f->in_options || is_clause_word(f, tok);
}

/* `one-way` and `energy-gain` are written without spaces; a difference with them stays one. */
static bool is_hyphen(const formatter *f, const item *it) {
  bool possible = f->in_options || (f->keyword == PW_ST_SERVO && token_is(f, f->last.tok, "one"));
  return possible && it->tok.kind == PW_TOK_MINUS && f->depth == 0 &&
         f->last.tok.kind == PW_TOK_NAME && it->tok.begin == f->last.tok.end &&
         f->next.kind == PW_TOK_NAME && f->next.begin == it->tok.end;
}

/* Would the two tokens be read differently without a space? */
static bool must_part(const formatter *f, const item *a, const item *b) {
  pw_token_kind left = a->tok.kind, right = b->tok.kind;
  bool point = right == PW_TOK_DOT || right == PW_TOK_DOTDOT;
  switch (left) {
  case PW_TOK_NAME: return right == PW_TOK_NAME || right == PW_TOK_NUMBER;
  case PW_TOK_NUMBER:
    return right == PW_TOK_NUMBER || right == PW_TOK_NAME || right == PW_TOK_DOT ||
           (right == PW_TOK_DOTDOT && f->text[a->tok.end - 1] == '.');
  case PW_TOK_DOT: return point || right == PW_TOK_NUMBER;
  case PW_TOK_PLUS: return right == PW_TOK_MINUS;
  default: return false;
  }
}

static bool is_spaced_operator(const item *it) {
  switch (it->tok.kind) {
  case PW_TOK_PLUS:
  case PW_TOK_MINUS: return !it->is_sign && !it->is_tight;
  case PW_TOK_EQ:
  case PW_TOK_GE:
  case PW_TOK_LE:
  case PW_TOK_GT:
  case PW_TOK_LT:
  case PW_TOK_TILDE:
  case PW_TOK_PLUSMINUS: return true;
  default: return false;
  }
}

/* No space after these; `'` binds to the left only. */
static bool binds(pw_token_kind kind) {
  return kind == PW_TOK_STAR || kind == PW_TOK_SLASH || kind == PW_TOK_CARET ||
         kind == PW_TOK_DOT || kind == PW_TOK_DOTDOT || kind == PW_TOK_LPAREN ||
         kind == PW_TOK_LBRACKET;
}

static bool wants_space(const item *a, const item *b) {
  pw_token_kind left = a->tok.kind, right = b->tok.kind;
  if (left == PW_TOK_COMMA || left == PW_TOK_COLON) {
    return true;
  }
  if (right == PW_TOK_COMMA || right == PW_TOK_COLON || right == PW_TOK_RPAREN ||
      right == PW_TOK_RBRACKET) {
    return false;
  }
  if (is_spaced_operator(a) || is_spaced_operator(b)) {
    return true;
  }
  bool hyphen = (left == PW_TOK_MINUS && a->is_tight) || (right == PW_TOK_MINUS && b->is_tight);
  if (binds(left) || a->is_sign || hyphen) {
    return false;
  }
  if (right == PW_TOK_LBRACKET) {
    return b->opens_unit;
  }
  if (right == PW_TOK_LPAREN) {
    return a->is_word;
  }
  return right != PW_TOK_PRIME && !binds(right);
}

static void classify(formatter *f, item *it) {
  pw_token_kind kind = it->tok.kind;
  if (kind == PW_TOK_LBRACKET && (f->last.tok.kind == PW_TOK_NUMBER || f->in_head)) {
    it->opens_unit = f->in_unit = true;
  }
  it->is_tight = f->in_unit;
  it->is_word = kind == PW_TOK_NAME && !f->in_unit && is_word(f, it->tok);
  if (is_hyphen(f, it)) {
    it->is_tight = true;
  } else if (kind == PW_TOK_PLUS || kind == PW_TOK_MINUS) {
    it->is_sign = !ends_operand(&f->last);
  }
}

static void follow(formatter *f, const item *it) {
  pw_token_kind kind = it->tok.kind;
  if (it->tok.in_column_1) {
    f->keyword = kind == PW_TOK_NAME
                     ? pw_keyword_find(f->text + it->tok.begin, it->tok.end - it->tok.begin)
                     : -1;
    f->depth = 0;
    f->in_options = f->in_unit = false;
    f->in_head = f->keyword == PW_ST_TABLE || f->keyword == PW_ST_OUTPUT;
  }
  f->in_head = f->in_head && kind != PW_TOK_COLON && kind != PW_TOK_EQ;
  f->in_head = f->in_head || (f->keyword == PW_ST_OUTPUT && kind == PW_TOK_COMMA && f->depth == 0);
  if (kind == PW_TOK_LPAREN || kind == PW_TOK_LBRACKET) {
    f->depth++;
  } else if ((kind == PW_TOK_RPAREN || kind == PW_TOK_RBRACKET) && f->depth > 0) {
    f->depth--;
  }
  if (kind == PW_TOK_RBRACKET) {
    f->in_unit = false;
  }
  f->in_options =
      f->in_options || (kind == PW_TOK_COMMA && f->depth == 0 && f->keyword == PW_ST_RUN);
  f->last = *it;
}

/* Ends the line, keeping at most one blank line; nothing at the start of the text. */
static void break_line(formatter *f, int lines, bool in_column_1) {
  if (f->out->len > f->start) {
    pw_buf_puts(f->out, lines > 1 ? "\n\n" : "\n");
  }
  pw_buf_puts(f->out, in_column_1 ? "" : "  ");
}

static int count_lines(const char *text, int begin, int end) {
  int lines = 0;
  for (int i = begin; i < end; i++) {
    lines += text[i] == '\n';
  }
  return lines;
}

static void put_token(formatter *f, pw_token tok, int last_end) {
  item it = {.tok = tok};
  bool is_comment = tok.kind == PW_TOK_COMMENT;
  if (!is_comment) {
    classify(f, &it);
  }
  if (tok.first_on_line) {
    break_line(f, count_lines(f->text, last_end, tok.begin), tok.in_column_1);
  } else if (is_comment) {
    pw_buf_puts(f->out, "  ");
  } else if (wants_space(&f->last, &it) || must_part(f, &f->last, &it)) {
    pw_buf_puts(f->out, " ");
  }
  pw_buf_add(f->out, f->text + tok.begin, (size_t)(tok.end - tok.begin));
  if (!is_comment) {
    follow(f, &it);
  }
}

static bool has_lexical_errors(const pw_source *source, int file, pawl_diags *diags) {
  int found = 0;
  if (!pw_text_check(diags, source, file, &found)) {
    return true;
  }
  pw_lexer lexer = pw_lexer_on(source);
  pw_token tok = pw_lex(&lexer);
  for (; tok.kind != PW_TOK_END && found < PW_MAX_FILE_ERRORS; tok = pw_lex(&lexer)) {
    if (tok.kind == PW_TOK_ERROR) {
      pw_lex_report(diags, source, file, tok);
      found++;
    }
  }
  return found > 0;
}

bool pw_format(pw_buf *out, const pw_sources *sources, int file, pawl_diags *diags) {
  const pw_source *source = &sources->items[file];
  pw_diags_use_sources(diags, sources);
  if (has_lexical_errors(source, file, diags)) {
    return false;
  }
  pw_lexer lexer = pw_lexer_on(source);
  lexer.keep_comments = true;
  formatter f = {.out = out, .start = out->len, .text = source->text, .keyword = -1};
  f.ahead = pw_lexer_on(source);
  f.next = pw_lex(&f.ahead);
  int last_end = 0;
  for (pw_token tok = pw_lex(&lexer); tok.kind != PW_TOK_END; tok = pw_lex(&lexer)) {
    if (tok.kind != PW_TOK_COMMENT) {
      f.next = pw_lex(&f.ahead);
      f.next.kind = f.next.in_column_1 ? PW_TOK_END : f.next.kind;
    }
    put_token(&f, tok, last_end);
    last_end = tok.end;
  }
  pw_buf_puts(out, out->len > f.start ? "\n" : "");
  return true;
}
