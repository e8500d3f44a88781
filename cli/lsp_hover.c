// SPDX-License-Identifier: MIT
#include "lsp_hover.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lsp_json.h"

/* "x" names x, and every x[i] of a family. */
static bool names(const char *name, lsp_word word) {
  return strncmp(name, word.text, word.len) == 0 &&
         (name[word.len] == '\0' || name[word.len] == '[' || name[word.len] == '.');
}

static void put_unit(cli_text *out, const char *before, const char *unit) {
  if (unit != NULL) {
    lsp_printf(out, "%s `%s`", before, strcmp(unit, "1") == 0 ? "1 (a pure number)" : unit);
  }
}

static bool tell_words(lsp_word word, cli_text *out) {
  for (int i = 0; pawl_keyword(i) != NULL; i++) {
    if (strlen(pawl_keyword(i)) == word.len && names(pawl_keyword(i), word)) {
      lsp_printf(out, "statement `%s`\n\n```pawl\n%s\n```", pawl_keyword(i), pawl_keyword_form(i));
      return true;
    }
  }
  for (int i = 0; pawl_function(i) != NULL; i++) {
    if (strlen(pawl_function(i)) == word.len && names(pawl_function(i), word)) {
      lsp_printf(out, "function `%s`", pawl_function(i));
      return true;
    }
  }
  return false;
}

static bool tell_parameter(const pawl_system *s, lsp_word word, cli_text *out) {
  for (int i = 0; i < pawl_system_parameters(s); i++) {
    pawl_parameter_info p = pawl_parameter_get(s, i);
    if (names(p.name, word)) {
      lsp_printf(out, "parameter `%s = %.10g`", p.name, p.value);
      put_unit(out, ", unit", p.unit);
      if (p.lo <= p.hi) {
        lsp_printf(out, ", in %.10g..%.10g", p.lo, p.hi);
      }
      return true;
    }
  }
  return false;
}

/* Signals are numbers of the state like coordinates: the statement tells which. */
static const char *kind_of_position(const char *text, lsp_word word) {
  static const char *const kinds[] = {"input", "state", "sample", "body", "rotation"};
  lsp_position at;
  const char *line = lsp_declaration(text, word, &at) ? lsp_line(text, at.line) : "";
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    if (strncmp(line, kinds[i], strlen(kinds[i])) == 0) {
      return kinds[i];
    }
  }
  return "coordinate";
}

static bool tell_coordinate(const pawl_system *s, const char *text, lsp_word word, cli_text *out) {
  for (int i = 0; i < pawl_system_positions(s); i++) {
    if (names(pawl_position_name(s, i), word)) {
      lsp_printf(out, "%s `%s`", kind_of_position(text, word), pawl_position_name(s, i));
      put_unit(out, ", unit", pawl_position_unit(s, i));
      return true;
    }
  }
  return false;
}

static bool tell_law(const pawl_system *s, lsp_word word, cli_text *out) {
  for (int i = 0; i < pawl_system_laws(s); i++) {
    pawl_law_info law = pawl_law_get(s, i);
    if (names(law.law, word)) {
      lsp_printf(out, "law `%s`: **%s**, %s; %s", law.law, law.kind, law.about, law.cost);
      put_unit(out, "; unit of its force", law.unit);
      if (law.redundant) {
        lsp_put(out, "; its force at the start is not unique");
      }
      return true;
    }
  }
  return false;
}

static bool tell_output(const pawl_system *s, lsp_word word, cli_text *out) {
  for (int i = 0; i < pawl_system_outputs(s); i++) {
    if (names(pawl_output_name(s, i), word)) {
      lsp_printf(out, "output `%s`", pawl_output_name(s, i));
      put_unit(out, ", unit", pawl_output_unit(s, i));
      return true;
    }
  }
  return false;
}

static bool is(lsp_word word, const char *text) {
  return strlen(text) == word.len && strncmp(word.text, text, word.len) == 0;
}

char *lsp_value_of(const char *text, lsp_word word) {
  static const char *const kinds[] = {"let", "kinetic", "potential", "dissipation", "table"};
  lsp_word keyword;
  bool known = word.len < 200 && lsp_kind(text, word, &keyword), value = false;
  for (size_t i = 0; known && !value && i < sizeof kinds / sizeof *kinds; i++) {
    value = is(keyword, kinds[i]);
  }
  if (!value) {
    return NULL;
  }
  char *out = cli_enough(malloc(word.len + 4));
  snprintf(out, word.len + 4, "%.*s%s", (int)word.len, word.text,
           is(keyword, "table") ? "(0)" : "");
  return out;
}

/* Its kind and the line that declares it. */
static bool tell_statement(const char *text, lsp_word word, const char *unit, cli_text *out) {
  lsp_position at;
  lsp_word keyword;
  if (!lsp_declaration(text, word, &at) || !lsp_kind(text, word, &keyword)) {
    return false;
  }
  const char *line = lsp_line(text, at.line);
  bool several = is(keyword, "coordinates");
  lsp_printf(out, "%.*s `%.*s`", (int)(keyword.len - several), keyword.text, (int)word.len,
             word.text);
  put_unit(out, ", unit", unit);
  lsp_printf(out, "\n\n```pawl\n%.*s\n```", (int)(strcspn(line, "\r\n") % 400), line);
  return true;
}

bool lsp_tell(const pawl_system *s, const char *text, lsp_word word, const char *unit,
              cli_text *out) {
  bool known = word.len > 0 && s != NULL &&
               (tell_parameter(s, word, out) || tell_coordinate(s, text, word, out) ||
                tell_law(s, word, out) || tell_output(s, word, out));
  return known ||
         (word.len > 0 && (tell_statement(text, word, unit, out) || tell_words(word, out)));
}
