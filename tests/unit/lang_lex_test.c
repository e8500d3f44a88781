// SPDX-License-Identifier: MIT
/* Tokens, numbers, and what is text at all. */
#include <locale.h>

#include "lang_support.h"

/* The tokens of a text as "kind:text kind:text ...". */
static const char *tokens_of(const char *text) {
  static char out[2000];
  pw_source source = {.name = "t", .text = text, .len = (int)strlen(text)};
  pw_lexer lexer = pw_lexer_on(&source);
  size_t used = 0;
  out[0] = '\0';
  for (pw_token tok = pw_lex(&lexer); tok.kind != PW_TOK_END; tok = pw_lex(&lexer)) {
    used += (size_t)snprintf(out + used, sizeof out - used, "%s%s:%.*s", used == 0 ? "" : " ",
                             pw_token_kind_name(tok.kind), tok.end - tok.begin, text + tok.begin);
  }
  return out;
}

static void reads_numbers_and_ranges(void) {
  static const char *const table[][2] = {
      {"0..10", "number:0 dotdot:.. number:10"},
      {"1..N", "number:1 dotdot:.. name:N"},
      {"1. ..2", "number:1. dotdot:.. number:2"},
      {"1...5", "number:1 dotdot:.. number:.5"},
      {".5..1.", "number:.5 dotdot:.. number:1."},
      {"1.5e-3x", "number:1.5e-3 name:x"},
      {"1e5 1E+5 1.e5 .5e1", "number:1e5 number:1E+5 number:1.e5 number:.5e1"},
      {"1e 1e+ 2.e", "number:1 name:e number:1 name:e plus:+ number:2. name:e"},
      {"0x10", "number:0 name:x10"},
      {"a.5", "name:a number:.5"},
      {"a.b", "name:a dot:. name:b"},
      {"1.2.3", "number:1.2 number:.3"},
      {"....", "dotdot:.. dotdot:.."},
      {"-1..1", "minus:- number:1 dotdot:.. number:1"}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    CHECK_STR(tokens_of(table[i][0]), table[i][1]);
  }
}

static void reads_signs(void) {
  static const char *const table[][2] = {
      {"a+-b", "name:a plusminus:+- name:b"},
      {"a + -b", "name:a plus:+ minus:- name:b"},
      {"\xC2\xB1", "plusminus:\xC2\xB1"},
      {"a\xE2\x89\xA5"
       "b\xE2\x89\xA4"
       "c\xC2\xB7"
       "d",
       "name:a ge:\xE2\x89\xA5 name:b le:\xE2\x89\xA4 name:c star:\xC2\xB7 name:d"},
      {">=><=<==~", "ge:>= gt:> le:<= le:<= eq:= tilde:~"},
      {"x''[1]'", "name:x prime:' prime:' lbracket:[ number:1 rbracket:] prime:'"},
      {"one-way", "name:one minus:- name:way"},
      {"(a,b):c/d^e*f", "lparen:( name:a comma:, name:b rparen:) colon:: name:c slash:/ name:d "
                        "caret:^ name:e star:* name:f"},
      {"a # b \" c\nd", "name:a name:d"},
      {"\"a # b\" c", "string:\"a # b\" name:c"},
      {"\"a\\\"b\\\\\" c", "string:\"a\\\"b\\\\\" name:c"},
      {"_a1 \xCE\xB1x\xE2\x82\x82", "name:_a1 name:\xCE\xB1x\xE2\x82\x82"},
      {"a\r\n\tb", "name:a name:b"},
      {"\xEF\xBB\xBFlet", "name:let"},
      {"", ""}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    CHECK_STR(tokens_of(table[i][0]), table[i][1]);
  }
}

static void marks_what_it_cannot_read(void) {
  static const struct {
    const char *text;
    pw_lex_fault fault;
    int begin, end;
  } table[] = {{"a $ b", PW_LEX_CHARACTER, 2, 3},
               {"x\xC2\xB2", PW_LEX_CHARACTER, 1, 3},
               {"a \xE2\x88\x92 b", PW_LEX_CHARACTER, 2, 5},
               {"\"ab\nc\"", PW_LEX_OPEN_STRING, 0, 3},
               {"\"ab\r\nc", PW_LEX_OPEN_STRING, 0, 3},
               {"\"a\\n\"", PW_LEX_ESCAPE, 2, 4},
               {"\"abc\\\"", PW_LEX_OPEN_STRING, 0, 6},
               {"\xFFx", PW_LEX_CHARACTER, 0, 1},
               {"\xE2\x89", PW_LEX_CHARACTER, 0, 2}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    pw_source source = {.name = "t", .text = table[i].text, .len = (int)strlen(table[i].text)};
    pw_lexer lexer = pw_lexer_on(&source);
    pw_token tok = pw_lex(&lexer);
    while (tok.kind != PW_TOK_ERROR && tok.kind != PW_TOK_END) {
      tok = pw_lex(&lexer);
    }
    CHECK_INT(tok.kind, PW_TOK_ERROR);
    CHECK_INT(tok.fault, table[i].fault);
    CHECK_INT(tok.begin, table[i].begin);
    CHECK_INT(tok.end, table[i].end);
  }
}

static void knows_lines_and_columns(void) {
  const char *text = "let a\n  b\n# c\n\nd e # f\n";
  pw_source source = {.name = "t", .text = text, .len = (int)strlen(text)};
  pw_lexer lexer = pw_lexer_on(&source);
  static const struct {
    bool column_1, first;
  } wanted[] = {{true, true}, {false, false}, {false, true}, {true, true}, {false, false}};
  for (int i = 0; i < 5; i++) {
    pw_token tok = pw_lex(&lexer);
    CHECK_INT(tok.in_column_1, wanted[i].column_1);
    CHECK_INT(tok.first_on_line, wanted[i].first);
  }
  CHECK_INT(pw_lex(&lexer).kind, PW_TOK_END);
}

static double value_of(const char *text) {
  double x = -1;
  CHECK_INT(pw_number_value(text, (int)strlen(text), &x), PW_NUMBER_OK);
  return x;
}

static void converts_exactly(void) {
  CHECK(value_of("0.1") == 0.1);
  CHECK(value_of("9.81") == 9.81);
  CHECK(value_of(".5") == 0.5);
  CHECK(value_of("5.") == 5);
  CHECK(value_of("1e22") == 1e22);
  CHECK(value_of("1.7976931348623157e308") == 1.7976931348623157e308);
  CHECK(value_of("5e-324") == 0x1p-1074);
  CHECK(value_of("00012.50e1") == 125);
  CHECK(value_of("0e999999999999999999999") == 0);
  CHECK(value_of("0.000") == 0);
  /* 2^53 + 1 lies halfway: to even, unless one digit far behind tips it. */
  CHECK(value_of("9007199254740993") == 9007199254740992.0);
  char text[2000] = "9007199254740993.";
  memset(text + 17, '0', 1500);
  CHECK(value_of(text) == 9007199254740992.0);
  text[1516] = '1';
  CHECK(value_of(text) == 9007199254740994.0);
  memset(text, '1', 1999);
  memcpy(text + 1900, "e-1890", 7);
  CHECK_NEAR(value_of(text), 1111111111.1111112, 0);
}

static void refuses_what_doubles_cannot_hold(void) {
  double x;
  CHECK_INT(pw_number_value("1e999", 5, &x), PW_NUMBER_TOO_LARGE);
  CHECK_INT(pw_number_value("1e99999999999999999999", 22, &x), PW_NUMBER_TOO_LARGE);
  CHECK_INT(pw_number_value("1e-999", 6, &x), PW_NUMBER_TOO_SMALL);
  CHECK_INT(pw_number_value("1e-99999999999999999999", 23, &x), PW_NUMBER_TOO_SMALL);
}

static void ignores_the_locale(void) {
  static const char *const names[] = {"de_DE.UTF-8", "de_DE", "fr_FR.UTF-8", "C.UTF-8"};
  for (int i = 0; i < 4; i++) {
    if (setlocale(LC_NUMERIC, names[i]) != NULL) {
      CHECK(value_of("1.5") == 1.5);
    }
  }
  setlocale(LC_NUMERIC, "C");
}

static int text_errors(const char *text, size_t len, bool *is_text) {
  world *w = world_new();
  pw_diags_use_sources(w->diags, &w->sources);
  int file = pw_sources_add(&w->arena, &w->sources, "t", text, (int)len);
  int errors = 0;
  *is_text = pw_text_check(w->diags, &w->sources.items[file], file, &errors);
  CHECK_INT(errors, pawl_diags_errors(w->diags));
  world_free(w);
  return errors;
}

static void tells_text_from_data(void) {
  bool is_text;
  CHECK_INT(text_errors("let a = 1\r\n\t# \xC3\xA4\n", 16, &is_text), 0);
  CHECK(is_text);
  CHECK_INT(text_errors("a\0b", 3, &is_text), 1);
  CHECK(!is_text);
  CHECK_INT(text_errors("a\xF6z\xFF", 4, &is_text), 1);
  CHECK(!is_text);
  CHECK_INT(text_errors("a\x01\x02\x1B z", 6, &is_text), 1);
  CHECK(!is_text);
  CHECK_INT(text_errors("a\rb", 3, &is_text), 1);
  CHECK_INT(text_errors("\xED\xA0\x80", 3, &is_text), 1); /* a surrogate */
  CHECK(!is_text);
  CHECK_INT(text_errors("\xC0\x80", 2, &is_text), 1); /* an overlong NUL */
  CHECK(!is_text);
}

static void dumps_tokens(void) {
  world *w = parse_string("let a\xCE\xB1 = 1\n  + \"\xC3\xA4\" b");
  pw_buf out = {0};
  pw_dump_tokens(&out, &w->sources.items[0]);
  CHECK_STR(out.text, "1:1 name let\n1:5 name a\xCE\xB1\n1:8 eq =\n1:10 number 1\n2:3 plus +\n"
                      "2:5 string \"\xC3\xA4\"\n2:9 name b\n");
  pw_buf_free(&out);
  world_free(w);
}

CHECK_MAIN({"reads numbers and ranges", reads_numbers_and_ranges}, {"reads signs", reads_signs},
           {"marks what it cannot read", marks_what_it_cannot_read},
           {"knows lines and columns", knows_lines_and_columns},
           {"converts exactly", converts_exactly},
           {"refuses what doubles cannot hold", refuses_what_doubles_cannot_hold},
           {"ignores the locale", ignores_the_locale},
           {"tells text from data", tells_text_from_data}, {"dumps tokens", dumps_tokens})
