// SPDX-License-Identifier: MIT
/* Which characters a name may hold, and the check that a file is text at all. */
#include "base/glyph.h"
#include "lang/token.h"

bool pw_char_in_name(int32_t code_point) {
  static const struct {
    int32_t first, last;
  } excluded[] = {
      {0x00, 0xA9},       {0xAB, 0xB4},       {0xB6, 0xB9},     {0xBB, 0xBF},
      {0xD7, 0xD7},       {0xF7, 0xF7},       {0x2000, 0x207F}, /* punctuation, superscripts */
      {0x20A0, 0x20CF},   {0x2190, 0x2BFF},                     /* arrows, operators, drawings */
      {0x2E00, 0x2E7F},   {0x3000, 0x3020},   {0xE000, 0xF8FF}, {0xFE00, 0xFE0F},
      {0xFE30, 0xFE4F},   {0xFEFF, 0xFEFF},   {0xFF00, 0xFF20}, {0xFFE0, 0xFFFF},
      {0x1F000, 0x1FAFF}, {0xE0000, 0x10FFFF}};
  for (size_t i = 0; i < sizeof excluded / sizeof *excluded; i++) {
    if (code_point >= excluded[i].first && code_point <= excluded[i].last) {
      return false;
    }
  }
  return code_point >= 0x80;
}

static bool is_control(const pw_source *s, int pos, int32_t code) {
  if (code == '\r') {
    return pos + 1 >= s->len || s->text[pos + 1] != '\n';
  }
  return (code < 0x20 && code != '\t' && code != '\n') || (code >= 0x7F && code < 0xA0);
}

static void report_bytes(pawl_diags *diags, const pw_source *s, pw_span at) {
  unsigned char byte = (unsigned char)s->text[at.begin];
  for (int i = at.begin; i < at.end && byte != 0 && byte < 0x80; i++) {
    byte = (unsigned char)s->text[i]; /* a letter followed by stray continuation bytes */
  }
  pw_diag_ref ref =
      pw_error(diags, "E0001", at, "this is not a text file: byte 0x%02X", (unsigned)byte);
  pw_label(ref, byte == 0 ? "a NUL byte" : "not valid UTF-8");
  pw_help(ref, "a model is a text file in UTF-8; save it as such in your editor");
}

static void report_control(pawl_diags *diags, const pw_source *s, pw_span at) {
  int32_t code;
  pw_glyph_next(s->text + at.begin, s->text + s->len, &code);
  pw_diag_ref ref =
      pw_error(diags, "E0002", at, "control character U+%04lX in the text", (unsigned long)code);
  pw_label(ref,
           code == '\r' ? "a carriage return that does not end a line" : "invisible character");
  pw_help(ref, "delete it; only spaces, tabs and line ends may stand between words");
}

bool pw_text_check(pawl_diags *diags, const pw_source *source, int file, int *errors) {
  int control = -1;
  for (int pos = 0, bytes = 1; pos < source->len; pos += bytes) {
    int32_t code;
    bytes = pw_glyph_next(source->text + pos, source->text + source->len, &code);
    if (code <= 0) {
      report_bytes(diags, source, (pw_span){file, pos, pos + bytes});
      (*errors)++;
      return false;
    }
    control = control < 0 && is_control(source, pos, code) ? pos : control;
  }
  if (control >= 0) {
    report_control(diags, source, (pw_span){file, control, control + 1});
    (*errors)++;
  }
  return control < 0; /* the rest of an escape sequence would be misread */
}
