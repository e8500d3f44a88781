// SPDX-License-Identifier: MIT
#include "export/notation.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "law/scale_export.h"

bool pw_is_latex(const pw_notation *n) {
  return n->format == PAWL_LATEX;
}

void pw_math(const pw_notation *n, const char *latex, const char *typst) {
  pw_buf_puts(n->out, pw_is_latex(n) ? latex : typst);
}

/* ---- names ---- */

typedef struct greek {
  const char *name; /* as in both notations */
  const char *sign; /* the letter itself */
  const char *brief;
} greek;

static const greek letters[] = {
    {"alpha", "\u03b1", "al"}, {"beta", "\u03b2", "be"},    {"gamma", "\u03b3", "ga"},
    {"delta", "\u03b4", NULL}, {"epsilon", "\u03b5", NULL}, {"zeta", "\u03b6", NULL},
    {"eta", "\u03b7", NULL},   {"theta", "\u03b8", "th"},   {"iota", "\u03b9", NULL},
    {"kappa", "\u03ba", NULL}, {"lambda", "\u03bb", NULL},  {"mu", "\u03bc", NULL},
    {"nu", "\u03bd", NULL},    {"xi", "\u03be", NULL},      {"pi", "\u03c0", NULL},
    {"rho", "\u03c1", NULL},   {"sigma", "\u03c3", NULL},   {"tau", "\u03c4", NULL},
    {"phi", "\u03c6", "ph"},   {"chi", "\u03c7", NULL},     {"psi", "\u03c8", "ps"},
    {"omega", "\u03c9", "om"}, {"Gamma", "\u0393", NULL},   {"Delta", "\u0394", NULL},
    {"Theta", "\u0398", NULL}, {"Lambda", "\u039b", NULL},  {"Xi", "\u039e", NULL},
    {"Pi", "\u03a0", NULL},    {"Sigma", "\u03a3", NULL},   {"Phi", "\u03a6", NULL},
    {"Psi", "\u03a8", NULL},   {"Omega", "\u03a9", NULL}};

static bool is_word(const char *text, size_t len, const char *word) {
  return word != NULL && strlen(word) == len && strncmp(text, word, len) == 0;
}

static const greek *find_greek(const char *text, size_t len) {
  for (size_t i = 0; i < sizeof letters / sizeof *letters; i++) {
    if (is_word(text, len, letters[i].name) || is_word(text, len, letters[i].sign) ||
        is_word(text, len, letters[i].brief)) {
      return &letters[i];
    }
  }
  return NULL;
}

/* Where the letter of a name ends and its index begins: after a Greek one (mu0, thM), after one
 * letter before a capital or a digit (yS, x1), at an underscore. */
static size_t stem(const char *text, size_t len) {
  size_t under = 0;
  while (under < len && text[under] != '_') {
    under++;
  }
  if (under < len && under > 0) {
    return under;
  }
  for (size_t n = len; n > 1; n--) {
    bool sign = n == 2 && (unsigned char)text[0] >= 0x80; /* the letter itself */
    bool ends =
        n == len || sign || isdigit((unsigned char)text[n]) || isupper((unsigned char)text[n]);
    if (ends && find_greek(text, n) != NULL) {
      return n;
    }
  }
  bool capital = isupper((unsigned char)text[0]) && len <= 3; /* Jr, Jxx */
  bool index =
      len > 1 && isalpha((unsigned char)text[0]) &&
      (len == 2 || capital || isdigit((unsigned char)text[1]) || isupper((unsigned char)text[1]));
  return index && (unsigned char)text[1] < 0x80 ? 1 : len;
}

/* ---- letters of all alphabets ---- */

/* The character at the beginning of the text and its bytes; invalid UTF-8 counts as one byte. */
static unsigned decode(const char *text, size_t len, size_t *bytes) {
  unsigned char first = (unsigned char)text[0];
  *bytes = first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (*bytes == 1 || *bytes > len) {
    *bytes = 1;
    return first;
  }
  unsigned code = first & (0xffu >> (*bytes + 1));
  for (size_t i = 1; i < *bytes; i++) {
    code = code << 6 | ((unsigned char)text[i] & 0x3f);
  }
  return code;
}

/* Marks that turn or hide text have no place in print. */
static bool is_mark(unsigned code) {
  static const unsigned ranges[][2] = {{0x7f, 0x9f},     {0x61c, 0x61c},   {0x200b, 0x200f},
                                       {0x2028, 0x202e}, {0x2060, 0x206f}, {0xfeff, 0xfeff},
                                       {0xfff9, 0xfffb}};
  bool mark = false;
  for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
    mark = mark || (code >= ranges[i][0] && code <= ranges[i][1]);
  }
  return mark;
}

static const char *command_of(const char *text, size_t bytes) {
  static const struct {
    const char *sign, *command;
  } signs[] = {{"\u2192", "\\to"},      {"\u221e", "\\infty"}, {"\u2264", "\\le"},
               {"\u2265", "\\ge"},      {"\u2260", "\\ne"},    {"\u2248", "\\approx"},
               {"\u2212", "-"},         {"\u221a", "\\surd"},  {"\u2202", "\\partial"},
               {"\u2032", "'"},         {"\u03d5", "\\phi"},   {"\u03d1", "\\vartheta"},
               {"\u03f5", "\\epsilon"}, {"\u2080", "{}_{0}"},  {"\u2081", "{}_{1}"},
               {"\u2082", "{}_{2}"},    {"\u2083", "{}_{3}"}};
  for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
    if (is_word(text, bytes, signs[i].sign)) {
      return signs[i].command;
    }
  }
  return NULL;
}

/* LaTeX supports the letters of Latin alphabets. A Greek letter or a sign is written as a command,
 * in text and in formulas, and characters without a glyph by their number. */
static void put_letter(const pw_notation *n, const char *text, size_t bytes, unsigned code,
                       bool math) {
  const greek *g = find_greek(text, bytes);
  const char *command = command_of(text, bytes);
  bool latin = code >= 0xa1 && code <= 0x17f;
  if (g != NULL) {
    pw_buf_printf(n->out, "\\ensuremath{\\%s}", g->name);
  } else if (command != NULL) {
    pw_buf_printf(n->out, "\\ensuremath{%s}", command);
  } else if (latin) {
    pw_buf_puts(n->out, math ? "\\text{" : "");
    pw_buf_add(n->out, text, bytes);
    pw_buf_puts(n->out, math ? "}" : "");
  } else {
    pw_buf_printf(n->out, math ? "\\text{[U+%04X]}" : "[U+%04X]", code);
  }
}

/* A non-ASCII character at the beginning of the text. Returns its bytes, 0: it is ASCII. */
static size_t put_sign(const pw_notation *n, const char *text, size_t len, bool math) {
  size_t bytes;
  unsigned code = decode(text, len, &bytes);
  if (code >= 0x20 && code < 0x7f) {
    return 0;
  }
  if (code < 0x20) {
    pw_buf_puts(n->out, " ");
  } else if (!is_mark(code) && pw_is_latex(n)) {
    put_letter(n, text, bytes, code, math);
  } else if (!is_mark(code)) {
    pw_buf_add(n->out, text, bytes);
  }
  return bytes;
}

/* Signs that LaTeX has commands for; NULL: it is none of them. */
static const char *latex_word(char c) {
  return c == '^'    ? "\\textasciicircum{}"
         : c == '~'  ? "\\textasciitilde{}"
         : c == '\\' ? "\\textbackslash{}"
                     : NULL;
}

static void put_escaped(const pw_notation *n, const char *text, size_t len) {
  for (size_t i = 0; i < len; i++) {
    size_t sign = put_sign(n, text + i, len - i, true);
    if (sign > 0) {
      i += sign - 1;
      continue;
    }
    const char *word = pw_is_latex(n) ? latex_word(text[i]) : NULL;
    bool special =
        pw_is_latex(n) ? strchr("_&%$#{}", text[i]) != NULL : strchr("\"\\", text[i]) != NULL;
    if (word != NULL) {
      pw_buf_puts(n->out, word);
      continue;
    }
    pw_buf_puts(n->out, special ? "\\" : "");
    pw_buf_add(n->out, text + i, 1);
  }
}

static void put_letters(const pw_notation *n, const char *text, size_t len) {
  pw_math(n, "\\mathit{", "italic(\"");
  put_escaped(n, text, len);
  pw_math(n, "}", "\")");
}

static void put_word(const pw_notation *n, const char *text, size_t len) {
  const greek *g = find_greek(text, len);
  bool one = len == 1 || ((unsigned char)text[0] >= 0x80 && len <= 4);
  bool number = strspn(text, "0123456789") >= len;
  if (g != NULL) {
    pw_math(n, "\\", "");
    pw_buf_puts(n->out, g->name);
  } else if (one || number) {
    put_escaped(n, text, len);
  } else {
    put_letters(n, text, len);
  }
}

static void put_dots(const pw_notation *n, int primes, bool open) {
  static const char *const latex[] = {"", "\\dot{", "\\ddot{"};
  static const char *const typst[] = {"", "dot(", "dot.double("};
  if (open) {
    pw_math(n, latex[primes], typst[primes]);
  } else if (primes > 0) {
    pw_math(n, "}", ")");
  }
}

static bool is_plain(const pw_notation *n, const char *text, size_t len) {
  for (int i = 0; i < n->n_plain; i++) {
    if (is_word(text, len, n->plain[i])) {
      return true;
    }
  }
  return false;
}

/* One part of a name: letter and index, further indices after a comma. */
static void put_part(const pw_notation *n, const char *text, size_t len, int primes,
                     const char *index, size_t index_len) {
  bool plain = is_plain(n, text, len);
  size_t first = plain ? len : stem(text, len), skip = first < len && text[first] == '_' ? 1 : 0;
  put_dots(n, primes, true);
  if (plain) {
    put_letters(n, text, len);
  } else {
    put_word(n, text, first);
  }
  put_dots(n, primes, false);
  bool own = first + skip < len;
  if (own || index_len > 0) {
    pw_math(n, "_{", "_(");
    if (own) {
      put_word(n, text + first + skip, len - first - skip);
    }
    pw_buf_puts(n->out, own && index_len > 0 ? "," : "");
    put_escaped(n, index, index_len);
    pw_math(n, "}", ")");
  }
}

/* "x", "x[3]", "ball.p[1]", "link[2][1]": brackets are indices, and what a field belongs to is one
 * more, as it is written ("leg[1].rod.p[3]"). */
void pw_math_name(const pw_notation *n, const char *name, int primes) {
  char index[128] = "";
  const char *dot = strrchr(name, '.'), *field = dot == NULL ? NULL : dot + 1;
  size_t len = dot == NULL ? strcspn(name, "[") : (size_t)(dot - name), used = 0;
  size_t field_len = field == NULL ? 0 : strcspn(field, "[");
  const char *rest = field == NULL ? name + len : field + field_len;
  for (; *rest != '\0' && used + 2 < sizeof index; rest++) {
    if (*rest == '[' && used > 0) {
      index[used++] = ',';
    } else if (*rest != '[' && *rest != ']') {
      index[used++] = *rest;
    }
  }
  if (field == NULL) {
    put_part(n, name, len, primes, index, used);
    return;
  }
  char whole[160]; /* p of ball: p with the index ball, and the component */
  size_t w = len < 100 ? len : 100;
  memcpy(whole, name, w);
  if (used > 0 && w + 1 + used < sizeof whole) {
    whole[w++] = ',';
    memcpy(whole + w, index, used);
    w += used;
  }
  put_dots(n, primes, true);
  put_word(n, field, field_len);
  put_dots(n, primes, false);
  pw_math(n, "_{\\mathrm{", "_(upright(\"");
  put_escaped(n, whole, w);
  pw_math(n, "}}", "\"))");
}

void pw_math_function(const pw_notation *n, const char *name) {
  static const char *const known[] = {"sin",  "cos", "tan", "sinh", "cosh",
                                      "tanh", "exp", "log", "min",  "max"};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    if (strcmp(name, known[i]) == 0) {
      pw_math(n, "\\", "");
      pw_buf_puts(n->out, strcmp(name, "log") == 0 ? "ln" : name);
      return;
    }
  }
  const char *shown = strcmp(name, "asin") == 0   ? "arcsin"
                      : strcmp(name, "acos") == 0 ? "arccos"
                      : strcmp(name, "atan") == 0 ? "arctan"
                      : strcmp(name, "sign") == 0 ? "sgn"
                                                  : name;
  pw_math(n, "\\operatorname{", "op(\"");
  put_escaped(n, shown, strlen(shown));
  pw_math(n, "}", "\")");
}

/* ---- numbers ---- */

bool pw_is_fraction(double x, int64_t *above, int64_t *below) {
  for (int64_t k = 2; k <= 1000; k++) {
    double p = x * (double)k;
    if (fabs(p - round(p)) <= PW_SCALE(WHOLE_POWER) * fabs(p) && fabs(p) < 1e6) {
      *above = lround(p);
      *below = k;
      return round(x) != x && k % 5 != 0; /* 0.7 stays a decimal */
    }
  }
  return false;
}

void pw_math_number(const pw_notation *n, double x) {
  int64_t above, below;
  pw_buf text = {0};
  x = fabs(x);
  if (isinf(x)) {
    pw_math(n, "\\infty", "infinity");
    return;
  }
  pw_buf_printf(&text, "%.15g", x); /* rounding errors of products are no digits of the model */
  n->out->failed = n->out->failed || text.failed;
  const char *shown = text.failed ? "" : text.text;
  bool is_short = strlen(shown) <= 6 && strchr(shown, 'e') == NULL;
  const char *exponent = strchr(shown, 'e');
  if (!is_short && pw_is_fraction(x, &above, &below)) {
    pw_buf_printf(n->out,
                  pw_is_latex(n) ? "\\frac{%" PRId64 "}{%" PRId64 "}"
                                 : "frac(%" PRId64 ", %" PRId64 ")",
                  above, below);
  } else if (exponent != NULL) {
    put_escaped(n, shown, (size_t)(exponent - shown));
    pw_buf_printf(n->out, pw_is_latex(n) ? " \\cdot 10^{%d}" : " dot.op 10^(%d)",
                  (int)strtol(exponent + 1, NULL, 10));
  } else {
    pw_buf_puts(n->out, shown);
  }
  pw_buf_free(&text);
}

void pw_math_text(const pw_notation *n, const char *text) {
  put_escaped(n, text, strlen(text));
}

/* Typst takes a meaning from most signs, at least at some places (`//`, `~`, `--`, `=`): each of
 * them is escaped. */
void pw_math_words(const pw_notation *n, const char *text) {
  for (; *text != '\0'; text++) {
    size_t sign = put_sign(n, text, strlen(text), false);
    if (sign > 0) {
      text += sign - 1;
      continue;
    }
    const char *word = pw_is_latex(n) ? latex_word(*text) : NULL;
    bool special = pw_is_latex(n)
                       ? strchr("_&%$#{}", *text) != NULL
                       : ispunct((unsigned char)*text) && strchr(",;:!?()", *text) == NULL;
    if (word != NULL) {
      pw_buf_puts(n->out, word);
      continue;
    }
    pw_buf_puts(n->out, special ? "\\" : "");
    pw_buf_add(n->out, text, 1);
  }
}

size_t pw_math_width(const char *text, size_t len) {
  static const char *const bare[] = {"frac", "left", "right", "dot", "ddot", "mathrm", "mathit"};
  size_t width = 0;
  for (size_t i = 0; i < len; i++) {
    size_t word = 0;
    while (text[i] == '\\' && i + 1 + word < len && isalpha((unsigned char)text[i + 1 + word])) {
      word++;
    }
    bool counts = word > 0 || isalnum((unsigned char)text[i]) || strchr("+-=()", text[i]) != NULL;
    for (size_t k = 0; word > 0 && k < sizeof bare / sizeof *bare; k++) {
      counts = counts && (strlen(bare[k]) != word || strncmp(bare[k], text + i + 1, word) != 0);
    }
    width += counts ? (word == 3 ? 3 : strchr("+-=", text[i]) != NULL ? 2 : 1) : 0;
    i += word;
  }
  return width;
}
