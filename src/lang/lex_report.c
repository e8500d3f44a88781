// SPDX-License-Identifier: MIT
/* Messages for lexical errors. */
#include <string.h>

#include "base/glyph.h"
#include "lang/token.h"

/* What to write instead of a character that looks right but is not. */
static const char *replacement_of(int32_t code) {
  static const struct {
    int32_t code;
    const char *advice;
  } table[] = {
      /* Minus, product and quotient, as printed. */
      {0x2212, "write `-` (the sign on the keyboard) for minus"},
      {0x2013, "write `-` (the sign on the keyboard) for minus"},
      {0x2014, "write `-` (the sign on the keyboard) for minus"},
      {0x2010, "write `-` (the sign on the keyboard) for minus"},
      {0x2011, "write `-` (the sign on the keyboard) for minus"},
      {0x00D7, "write `*` for a product"},
      {0x22C5, "write `*` for a product"},
      {0x2217, "write `*` for a product"},
      {0x00F7, "write `/` for a quotient"},
      {0x2215, "write `/` for a quotient"},

      /* Primes and quotes. */
      {0x2032, "write `'` for a time derivative"},
      {0x2019, "write `'` for a time derivative"},
      {0x00B4, "write `'` for a time derivative"},
      {'`', "write `'` for a time derivative"},
      {0x201C, "write `\"` around a string"},
      {0x201D, "write `\"` around a string"},

      /* Powers, constants and ranges, as printed. */
      {0x00B2, "write `^2` for a square"},
      {0x00B3, "write `^3` for a cube"},
      {0x221A, "write `sqrt(...)` for a root"},
      {0x221E, "write `inf` for infinity"},
      {0x2026, "write `..` in a range"},
      {0x00B0, "write `[deg]` behind a number for degrees"},
      {0x00A0, "this is a no-break space; replace it by a space"},

      /* Signs of other languages. */
      {0x2260, "the relations are `=`, `>=` and `<=`"},
      {'!', "the relations are `=`, `>=` and `<=`"},
      {';', "a statement ends where the next line starts in column 1; parts are separated by `,`"},
      {'%', "a comment starts with `#`"},
      {'&', "write `and` between comparisons in `if`"},
      {'|', "write `or` between comparisons in `if`; an absolute value is `abs(...)`"},
      {'{', "group with `(` and `)`"},
      {'}', "group with `(` and `)`"}};

  /* NULL: no other character is meant. */
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    if (table[i].code == code) {
      return table[i].advice;
    }
  }
  return NULL;
}

static void report_character(pawl_diags *diags, const pw_source *s, pw_span at) {
  int32_t code;
  int bytes = pw_glyph_next(s->text + at.begin, s->text + s->len, &code);
  pw_diag_ref ref;
  if (code < 0x20) {
    ref = pw_error(diags, "E0003", at, "a byte that is not text");
  } else {
    ref = pw_error(diags, "E0003", at, "`%.*s` (U+%04lX) is not part of the language", bytes,
                   s->text + at.begin, (unsigned long)code);
  }
  pw_label(ref, "cannot be read here");
  const char *advice = replacement_of(code);
  pw_help(ref, "%s", advice != NULL ? advice : "delete it, or put it into a comment (`# ...`)");
}

static void report_open_string(pawl_diags *diags, const pw_source *s, pw_span at) {
  char before = at.begin > 0 ? s->text[at.begin - 1] : ' ';
  bool behind_operand = strchr(" \t\n,(", before) == NULL;
  pw_diag_ref ref = pw_error(diags, "E0004", at, "this string has no closing `\"` on its line");
  pw_label(ref, "starts here");
  pw_help(ref, behind_operand ? "a second time derivative is written with two single quotes: `x''`"
                              : "add `\"` where the text ends");
}

void pw_lex_report(pawl_diags *diags, const pw_source *source, int file, pw_token token) {
  pw_span at = {file, token.begin, token.end};
  pw_diag_ref ref;
  switch (token.fault) {
  case PW_LEX_OK: break;
  case PW_LEX_CHARACTER: report_character(diags, source, at); break;
  case PW_LEX_OPEN_STRING: report_open_string(diags, source, at); break;
  case PW_LEX_ESCAPE:
    ref = pw_error(diags, "E0005", at, "unknown escape `%.*s` in a string", at.end - at.begin,
                   source->text + at.begin);
    pw_label(ref, "only `\\\"` and `\\\\` have a meaning");
    pw_help(ref, "write `\\\\` for a backslash; in paths use `/`");
    break;
  case PW_LEX_LONG_NAME:
    at.end = at.begin + 20;
    ref = pw_error(diags, "E0008", at, "a name of %d bytes", token.end - token.begin);
    pw_label(ref, "starts here; names have at most %d bytes", PW_MAX_NAME);
    pw_help(ref, "choose a shorter name");
    break;
  }
}
