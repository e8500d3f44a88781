// SPDX-License-Identifier: MIT
#include "import/xml.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DEPTH = 200, MOST_ELEMENTS = 50000, LONGEST_NUMBER = 63 };

typedef struct reader {
  pw_arena *arena;
  const char *text;
  int len, at, file, elements;
  pawl_diags *diags;
  bool failed;
} reader;

static pw_span here(const reader *r, int from) {
  int end = r->at > from ? r->at : from + 1;
  return (pw_span){r->file, from, end <= r->len ? end : r->len};
}

static void fail(reader *r, int from, const char *what, const char *label) {
  if (!r->failed) {
    pw_diag_ref d = pw_error(r->diags, "E0624", here(r, from), "%s", what);
    pw_label(d, "%s", label);
    r->failed = true;
  }
}

static int peek(const reader *r) {
  return r->at < r->len ? (unsigned char)r->text[r->at] : -1;
}

static bool skip(reader *r, const char *word) {
  size_t n = strlen(word);
  if ((size_t)(r->len - r->at) < n || memcmp(r->text + r->at, word, n) != 0) {
    return false;
  }
  r->at += (int)n;
  return true;
}

static void skip_space(reader *r) {
  while (peek(r) >= 0 && isspace(peek(r))) {
    r->at++;
  }
}

static void skip_past(reader *r, const char *end, const char *what) {
  int from = r->at;
  while (r->at < r->len) {
    if (skip(r, end)) {
      return;
    }
    r->at++;
  }
  fail(r, from, what, "it begins here and does not end");
}

static const char *copy(reader *r, const char *from, size_t n) {
  char *to = PW_TAKE(r->arena, n + 1, char);
  memcpy(to, from, n);
  return to;
}

static bool is_name_sign(int c) {
  return c > 127 || isalnum(c) || c == '_' || c == '-' || c == '.' || c == ':';
}

static const char *take_name(reader *r, pw_span *span) {
  int from = r->at;
  while (peek(r) >= 0 && is_name_sign(peek(r))) {
    r->at++;
  }
  *span = here(r, from);
  if (r->at == from) {
    fail(r, from, "this is not XML", "expected a name");
    return "";
  }
  return copy(r, r->text + from, (size_t)(r->at - from));
}

/* The five entities of XML. Others would be defined elsewhere. */
static char entity(reader *r) {
  static const struct {
    const char *name;
    char sign;
  } known[] = {{"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&apos;", '\''}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    if (skip(r, known[i].name)) {
      return known[i].sign;
    }
  }
  fail(r, r->at, "entities are not expanded", "write the text itself");
  r->at++;
  return '?';
}

static pw_xml_attr take_value(reader *r, const char *name) {
  int quote = peek(r), from = r->at;
  if (quote != '"' && quote != '\'') {
    fail(r, from, "this is not XML", "expected the value in quotes");
    return (pw_xml_attr){name, "", here(r, from)};
  }
  r->at++;
  int begin = r->at;
  const char *end = memchr(r->text + begin, quote, (size_t)(r->len - begin));
  if (end == NULL) {
    fail(r, from, "a value does not end", "no closing quote follows");
    return (pw_xml_attr){name, "", here(r, from)};
  }
  int stop = (int)(end - r->text);
  char *to = PW_TAKE(r->arena, stop - begin + 1, char);
  int n = 0;
  while (r->at < stop && !r->failed) {
    to[n++] = peek(r) == '&' ? entity(r) : r->text[r->at++];
  }
  r->at = stop + 1;
  return (pw_xml_attr){name, to, {r->file, begin, stop}};
}

static void take_attributes(reader *r, pw_xml *x) {
  for (skip_space(r); !r->failed && peek(r) >= 0 && peek(r) != '>' && peek(r) != '/';
       skip_space(r)) {
    pw_span span;
    const char *name = take_name(r, &span);
    skip_space(r);
    if (!r->failed && !skip(r, "=")) {
      fail(r, r->at, "this is not XML", "expected `=` and a value");
    }
    skip_space(r);
    if (!r->failed) {
      pw_xml_attr attr = take_value(r, name);
      PW_PUSH(r->arena, &x->attr, attr);
    }
  }
}

static pw_xml *open_element(reader *r, pw_xml *parent) {
  pw_xml *x = PW_NEW(r->arena, pw_xml);
  x->name = take_name(r, &x->span);
  x->parent = parent;
  take_attributes(r, x);
  if (parent != NULL) {
    *(parent->last == NULL ? &parent->first : &parent->last->next) = x;
    parent->last = x;
  }
  return x;
}

static void close_element(reader *r, const pw_xml *x) {
  pw_span span;
  const char *name = take_name(r, &span);
  skip_space(r);
  if (!r->failed && (x == NULL || strcmp(name, x->name) != 0)) {
    pw_diag_ref d = pw_error(r->diags, "E0624", span, "`</%s>` closes nothing that is open", name);
    if (x != NULL) {
      pw_second(d, x->span, "this is open");
    }
    r->failed = true;
  }
  if (!r->failed && !skip(r, ">")) {
    fail(r, r->at, "this is not XML", "expected `>`");
  }
}

/* Text that begins with `<` and is not an element. */
static bool skip_other(reader *r) {
  if (skip(r, "<!--")) {
    skip_past(r, "-->", "a comment does not end");
  } else if (skip(r, "<![CDATA[")) {
    skip_past(r, "]]>", "a text does not end");
  } else if (skip(r, "<?")) {
    skip_past(r, "?>", "an instruction does not end");
  } else if (peek(r) == '<' && r->at + 1 < r->len && r->text[r->at + 1] == '!') {
    fail(r, r->at, "a document type is not read", "remove it: nothing is expanded or loaded");
  } else {
    return false;
  }
  return true;
}

static void step(reader *r, pw_xml **root, pw_xml **open, int *depth) {
  /* Skips everything that is not an element: comments, instructions and CDATA. */
  if (skip_other(r)) {
    return;
  }
  int from = r->at++;

  /* `</name>` ends the element that is open. */
  if (skip(r, "/")) {
    close_element(r, *open);
    *open = *open == NULL ? NULL : (*open)->parent;
    *depth -= 1;
    return;
  }

  /* A document has one root, and a limited number of elements. */
  if (*open == NULL && *root != NULL) {
    fail(r, from, "a second element behind the first", "a document has one");
    return;
  }
  if (++r->elements > MOST_ELEMENTS) {
    fail(r, from, "the file has more than 50000 elements", "this is one too many");
    return;
  }

  /* `<name/>` ends at once; `<name>` contains what follows. */
  pw_xml *x = open_element(r, *open);
  *root = *root == NULL ? x : *root;
  if (!r->failed && !skip(r, "/>")) {
    if (!skip(r, ">")) {
      fail(r, r->at, "this is not XML", "expected `>`");
    }
    *open = x;
    if (++*depth > MOST_DEPTH) {
      fail(r, from, "elements are nested too deeply", "at most 200 levels are read");
    }
  }
}

pw_xml *pw_xml_parse(pw_arena *arena, const pw_source *source, int file, pawl_diags *diags) {
  reader r = {
      .arena = arena, .text = source->text, .len = source->len, .file = file, .diags = diags};
  pw_xml *root = NULL, *open = NULL;
  int depth = 0;
  (void)skip(&r, "\xef\xbb\xbf");
  while (!r.failed && r.at < r.len) {
    if (peek(&r) == '<') {
      step(&r, &root, &open, &depth);
    } else if (open == NULL && !isspace(peek(&r))) {
      fail(&r, r.at, "this is not XML", "text outside of elements");
    } else {
      r.at++;
    }
  }
  if (!r.failed && open != NULL) {
    pw_diag_ref d = pw_error(diags, "E0624", open->span, "`<%s>` does not end", open->name);
    pw_label(d, "no `</%s>` follows", open->name);
    r.failed = true;
  }
  if (!r.failed && root == NULL) {
    fail(&r, 0, "the file has no element", "expected XML");
  }
  return r.failed ? NULL : root;
}

/* ---- asking ---- */

const pw_xml_attr *pw_xml_find(const pw_xml *x, const char *name) {
  for (int i = 0; x != NULL && i < x->attr.n; i++) {
    if (strcmp(x->attr.items[i].name, name) == 0) {
      return &x->attr.items[i];
    }
  }
  return NULL;
}

const char *pw_xml_text(const pw_xml *x, const char *name) {
  const pw_xml_attr *a = pw_xml_find(x, name);
  return a == NULL ? NULL : a->value;
}

const pw_xml *pw_xml_child(const pw_xml *x, const char *name) {
  const pw_xml *c = x == NULL ? NULL : x->first;
  while (c != NULL && strcmp(c->name, name) != 0) {
    c = c->next;
  }
  return c;
}

bool pw_xml_is(const pw_xml *x, const char *name) {
  return strcmp(x->name, name) == 0;
}

/* The next number of a list; false: none. *bad: something else stands there. */
static bool next_real(const char **at, double *out, bool *bad) {
  char word[LONGEST_NUMBER + 1], *end;
  *at += strspn(*at, " \t\r\n,");
  size_t n = strcspn(*at, " \t\r\n,");
  if (n == 0) {
    return false;
  }
  *bad = n > LONGEST_NUMBER || strspn(*at, "+-.0123456789eE") < n;
  if (*bad) {
    return false;
  }
  memcpy(word, *at, n);
  word[n] = '\0';
  *out = strtod(word, &end);
  *bad = *end != '\0' || !isfinite(*out);
  *at += n;
  return !*bad;
}

int pw_xml_reals(const pw_xml *x, const char *name, double *out, int n, pawl_diags *diags) {
  const pw_xml_attr *a = pw_xml_find(x, name);
  const char *at = a == NULL ? "" : a->value;
  double value;
  bool bad = false;
  int count = 0;
  while (next_real(&at, &value, &bad)) {
    if (count < n) {
      out[count] = value;
    }
    count++;
  }
  if (bad) {
    pw_diag_ref d =
        pw_error(diags, "E0625", a->span, "`%s` of `%s` is not a list of numbers", name, x->name);
    pw_label(d, "only numbers can be read here");
    return -1;
  }
  return count;
}

bool pw_xml_vector(const pw_xml *x, const char *name, double *out, int n, pawl_diags *diags) {
  const pw_xml_attr *a = pw_xml_find(x, name);
  if (a == NULL) {
    return true;
  }
  int count = pw_xml_reals(x, name, out, n, diags);
  if (count >= 0 && count != n) {
    pw_diag_ref d = pw_error(diags, "E0625", a->span, "`%s` of `%s` has %d numbers, not %d", name,
                             x->name, count, n);
    pw_label(d, "%d are needed", n);
    return false;
  }
  return count == n;
}
