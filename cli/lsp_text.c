// SPDX-License-Identifier: MIT
#include "lsp_text.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

/* ---- places ---- */

const char *lsp_line(const char *text, int64_t line) {
  for (; line > 0; line--) {
    text = strchr(text, '\n');
    if (text == NULL) {
      return NULL;
    }
    text++;
  }
  return line < 0 ? NULL : text;
}

/* Of a character that begins with this byte: 2 outside the first plane, 0 inside a character. */
static int units(char byte) {
  unsigned char c = (unsigned char)byte;
  return c >= 0xf0 ? 2 : c >= 0x80 && c < 0xc0 ? 0 : 1;
}

static bool ends(char c) {
  return c == '\0' || c == '\n';
}

int64_t lsp_units_of_bytes(const char *line, size_t bytes) {
  int64_t n = 0;
  for (size_t i = 0; i < bytes && !ends(line[i]); i++) {
    n += units(line[i]);
  }
  return n;
}

int64_t lsp_units_of_characters(const char *line, int64_t characters) {
  int64_t n = 0;
  for (; !ends(*line); line++) {
    characters -= units(*line) > 0;
    if (characters < 0) {
      break;
    }
    n += units(*line);
  }
  return n;
}

size_t lsp_bytes(const char *line, int64_t unit) {
  size_t i = 0;
  for (; !ends(line[i]); i++) {
    unit -= units(line[i]);
    if (unit < 0) {
      break;
    }
  }
  return i;
}

lsp_position lsp_end(const char *text) {
  lsp_position end = {0, 0};
  const char *last = text;
  for (const char *at = text; (at = strchr(at, '\n')) != NULL; last = ++at) {
    end.line++;
  }
  end.unit = lsp_units_of_bytes(last, strlen(last));
  return end;
}

/* ---- names ---- */

/* Bytes of the character of a name that begins here, 0 if there is none. Signs that the language
 * reads as operators or units end a name; any other sign outside of ASCII is taken for a letter. */
static size_t name_bytes(const char *at) {
  static const char *const signs[] = {"\xC2\xB1", "\xC2\xB7",
                                      "\xC2\xB0",                      /* plus-minus, dot, degree */
                                      "\xE2\x89\xA4", "\xE2\x89\xA5"}; /* at most, at least */
  unsigned char c = (unsigned char)*at;
  if (c < 0x80) {
    return isalnum(c) || c == '_';
  }
  for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
    if (strncmp(at, signs[i], strlen(signs[i])) == 0) {
      return 0;
    }
  }
  size_t n = c < 0xc2 || c > 0xf4 ? 0 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
  for (size_t i = 1; i < n; i++) {
    if (units(at[i]) != 0) { /* no UTF-8 */
      return 0;
    }
  }
  return n;
}

static size_t name_length(const char *at) {
  size_t n = 0;
  for (size_t more = name_bytes(at); more > 0; more = name_bytes(at + n)) {
    n += more;
  }
  return n;
}

lsp_word lsp_word_at(const char *text, lsp_position at) {
  const char *line = lsp_line(text, at.line);
  if (line == NULL || at.unit < 0) {
    return (lsp_word){"", 0};
  }
  const char *here = line + lsp_bytes(line, at.unit), *from = here;
  while (from > line) {
    const char *before = from - 1;
    while (before > line && units(*before) == 0) {
      before--;
    }
    if (before + name_bytes(before) != from) {
      break;
    }
    from = before;
  }
  return (lsp_word){from, (size_t)(here - from) + name_length(here)};
}

static lsp_word name_from(const char *at) {
  at += strspn(at, " \t");
  return (lsp_word){at, name_length(at)};
}

typedef enum declares { NOTHING, ONE, SEVERAL } declares;

/* What the statement with this keyword declares: the name behind it, or names between commas. */
static declares declares_names(lsp_word keyword) {
  static const char *const one[] = {
      "let",   "constraint", "friction", "spring",      "law",       "servo",  "event", "table",
      "joint", "body",       "kinetic",  "dissipation", "potential", "sample", "shape", "contact"};
  static const char *const several[] = {"parameter", "coordinates", "rotation",
                                        "input",     "state",       "output"};
  for (size_t i = 0; i < sizeof one / sizeof *one; i++) {
    if (strlen(one[i]) == keyword.len && strncmp(one[i], keyword.text, keyword.len) == 0) {
      return ONE;
    }
  }
  for (size_t i = 0; i < sizeof several / sizeof *several; i++) {
    if (strlen(several[i]) == keyword.len && strncmp(several[i], keyword.text, keyword.len) == 0) {
      return SEVERAL;
    }
  }
  return NOTHING;
}

/* Behind the next comma outside of brackets; NULL: the statement ends before. Lines that begin
 * with a blank go on. */
static const char *next_part(const char *at) {
  int depth = 0;
  for (; *at != '\0' && *at != '#'; at++) {
    depth += *at == '(' || *at == '[';
    depth -= *at == ')' || *at == ']';
    if (*at == '\n' && at[1] != ' ' && at[1] != '\t') {
      return NULL;
    }
    if (*at == ',' && depth == 0) {
      return at + 1;
    }
  }
  return NULL;
}

/* The name of a part: include "wheel.pawl" as left. */
static lsp_word part_name(const char *at) {
  const char *quote = strchr(at, '"'), *end = quote == NULL ? NULL : strchr(quote + 1, '"');
  size_t line = strcspn(at, "\n");
  if (end == NULL || end > at + line) {
    return (lsp_word){"", 0};
  }
  lsp_word as = name_from(end + 1);
  return as.len == 2 && strncmp(as.text, "as", 2) == 0 ? name_from(as.text + 2) : (lsp_word){"", 0};
}

/* The first name that the statement of a line declares. */
static lsp_word declared_on(const char *line) {
  lsp_word keyword = name_from(line);
  if (keyword.len == 7 && strncmp(keyword.text, "include", 7) == 0) {
    return part_name(keyword.text + 7);
  }
  return declares_names(keyword) == NOTHING ? (lsp_word){"", 0}
                                            : name_from(keyword.text + keyword.len);
}

/* The first word of the statement that holds this place. */
static lsp_word statement_of(const char *text, const char *place) {
  while (place > text && (place[-1] != '\n' || *place == ' ' || *place == '\t')) {
    place--;
  }
  return name_from(place);
}

static bool goes_on(const char *text, const char *name) {
  return declares_names(statement_of(text, name)) == SEVERAL;
}

bool lsp_next_declared(const char *text, const char **from, lsp_word *out) {
  const char *at = *from;
  if (at != NULL && goes_on(text, at)) {
    const char *part = next_part(at);
    *out = part == NULL ? (lsp_word){"", 0} : name_from(part + strspn(part, " \t\n"));
    if (out->len > 0) {
      *from = out->text;
      return true;
    }
  }
  for (at = at == NULL ? text : strchr(at, '\n'); at != NULL; at = strchr(at, '\n')) {
    at += *at == '\n';
    *out = declared_on(at);
    if (out->len > 0) {
      *from = out->text;
      return true;
    }
  }
  return false;
}

/* The name in its statement, or NULL. */
static const char *find_declared(const char *text, lsp_word name) {
  const char *from = NULL;
  lsp_word word;
  while (name.len > 0 && lsp_next_declared(text, &from, &word)) {
    if (word.len == name.len && strncmp(word.text, name.text, name.len) == 0) {
      return word.text;
    }
  }
  return NULL;
}

bool lsp_declaration(const char *text, lsp_word name, lsp_position *at) {
  const char *place = find_declared(text, name), *line = text;
  at->line = 0;
  for (const char *c = text; place != NULL && c < place; c++) {
    at->line += *c == '\n';
    line = *c == '\n' ? c + 1 : line;
  }
  at->unit = place == NULL ? 0 : lsp_units_of_bytes(line, (size_t)(place - line));
  return place != NULL;
}

bool lsp_kind(const char *text, lsp_word name, lsp_word *keyword) {
  const char *place = find_declared(text, name);
  *keyword = place == NULL ? (lsp_word){"", 0} : statement_of(text, place);
  return place != NULL;
}
