// SPDX-License-Identifier: MIT
/* Diagnostics as text: level, code, message, then the source line with its underline, as rustc.
 * Source text is shown safely: tabs become spaces, controls and damaged UTF-8 a replacement sign,
 * and of a very long line only the surroundings of the place are shown. */
#include <stdbool.h>
#include <string.h>

#include "base/buf.h"
#include "base/glyph.h"
#include "pawl/diag.h"

enum { TAB = 4, WIDEST = 120, LEAD = 40 }; /* terminal columns */

typedef struct look { /* terminal codes; all empty without colour */
  const char *level, *bold, *frame, *off;
} look;

typedef struct window { /* the part of a line that is shown, in characters counted from 0 */
  int first, last;      /* last is exclusive */
  int size;             /* of the whole line */
} window;

static look look_of(pawl_severity severity, int color) {
  if (!color) {
    return (look){"", "", "", ""};
  }
  static const char *const level[] = {"\033[1;31m", "\033[1;33m", "\033[1;32m"};
  return (look){level[severity], "\033[1m", "\033[1;34m", "\033[0m"};
}

static const char *level_name(pawl_severity severity) {
  return severity == PAWL_ERROR ? "error" : severity == PAWL_WARNING ? "warning" : "note";
}

static void repeat(pw_buf *out, char c, int count) {
  for (int i = 0; i < count; i++) {
    pw_buf_add(out, &c, 1);
  }
}

static bool is_control(int32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || (code >= 0x202A && code <= 0x202E) ||
         (code >= 0x2066 && code <= 0x2069); /* the last two reorder text on the screen */
}

static int char_width(int32_t code) {
  return code == '\t' ? TAB : is_control(code) ? 1 : pw_glyph_width(code);
}

static void put_char(pw_buf *out, const char *bytes, int len, int32_t code) {
  if (code == '\t') {
    repeat(out, ' ', TAB);
  } else if (is_control(code)) {
    pw_buf_puts(out, "\xEF\xBF\xBD");
  } else {
    pw_buf_add(out, bytes, (size_t)len);
  }
}

/* Text of a message; a line end in it is followed by an indent. */
static void put_text(pw_buf *out, const char *text, int indent) {
  const char *end = text + strlen(text);
  while (text < end) {
    int32_t code;
    int len = pw_glyph_next(text, end, &code);
    if (code == '\n') {
      pw_buf_puts(out, "\n");
      repeat(out, ' ', indent);
    } else {
      put_char(out, text, len, code);
    }
    text += len;
  }
}

/* Continuation bytes at the start of a line belong to no character. */
static const char *skip_stray(const char *text) {
  while (((unsigned char)*text & 0xC0) == 0x80) {
    text++;
  }
  return text;
}

static int larger(int a, int b) {
  return a > b ? a : b;
}

/* The end of the characters from `first` on that fit into the given columns. */
static int fitting(const char *text, int first, int columns) {
  const char *end = text + strlen(text);
  int index = 0, used = 0;
  text = skip_stray(text);
  while (text < end) {
    int32_t code;
    text += pw_glyph_next(text, end, &code);
    if (index >= first) {
      used += char_width(code);
      if (used > columns) {
        break;
      }
    }
    index++;
  }
  return index;
}

static int count_chars(const char *text) {
  int count = 0;
  for (text = skip_stray(text); *text != '\0'; text++) {
    count += ((unsigned char)*text & 0xC0) != 0x80;
  }
  return count;
}

static window choose_window(const pawl_place *place) {
  window w = {.size = count_chars(place->source)};
  w.last = fitting(place->source, 0, WIDEST);
  if (w.last < w.size && place->column - 1 + place->length > w.last) {
    w.first = larger(0, place->column - 1 - LEAD);
    w.last = fitting(place->source, w.first, WIDEST);
  }
  return w;
}

static void put_source(pw_buf *out, const char *text, window w) {
  const char *end = text + strlen(text);
  int index = 0;
  pw_buf_puts(out, w.first > 0 ? "..." : "");
  text = skip_stray(text);
  while (text < end && index < w.last) {
    int32_t code;
    int len = pw_glyph_next(text, end, &code);
    if (index >= w.first) {
      put_char(out, text, len, code);
    }
    text += len;
    index++;
  }
  pw_buf_puts(out, w.last < w.size ? "..." : "");
}

/* Terminal columns before character `index` of the shown part. */
static int columns_before(const char *text, window w, int index) {
  const char *end = text + strlen(text);
  int columns = w.first > 0 ? 3 : 0;
  text = skip_stray(text);
  for (int i = 0; i < index && text < end; i++) {
    int32_t code;
    text += pw_glyph_next(text, end, &code);
    columns += i >= w.first ? char_width(code) : 0;
  }
  return columns;
}

typedef struct mark { /* an underline in terminal columns */
  int begin, end;
  char sign;
  const char *color, *label;
} mark;

static mark mark_of(const pawl_place *place, window w, char sign, const char *color) {
  int first = larger(place->column - 1, w.first);
  int last = place->column - 1 + place->length;
  if (last > w.last && w.last < w.size) {
    last = w.last;
  }
  mark m = {.sign = sign, .color = color, .label = place->label};
  m.begin = columns_before(place->source, w, first);
  m.end = larger(m.begin + 1, columns_before(place->source, w, last));
  return m;
}

static void bar(pw_buf *out, const look *l, int gutter) {
  repeat(out, ' ', gutter);
  pw_buf_printf(out, " %s|%s", l->frame, l->off);
}

/* Up to two underlines in one row; the last label is printed next to it, the other one below. */
static void put_marks(pw_buf *out, const look *l, int gutter, const mark *marks, int n) {
  int column = 0;
  bar(out, l, gutter);
  pw_buf_puts(out, " ");
  for (int i = 0; i < n; i++) {
    repeat(out, ' ', marks[i].begin - column);
    pw_buf_puts(out, marks[i].color);
    repeat(out, marks[i].sign, marks[i].end - larger(column, marks[i].begin));
    if (i == n - 1 && marks[i].label[0] != '\0') {
      pw_buf_puts(out, " ");
      put_text(out, marks[i].label, gutter + 4);
    }
    pw_buf_puts(out, l->off);
    column = larger(column, marks[i].end);
  }
  pw_buf_puts(out, "\n");
  if (n == 2 && marks[0].label[0] != '\0') {
    for (int row = 0; row < 2; row++) {
      bar(out, l, gutter);
      repeat(out, ' ', marks[0].begin + 1);
      pw_buf_puts(out, marks[0].color);
      put_text(out, row == 0 ? "|" : marks[0].label, gutter + 4);
      pw_buf_printf(out, "%s\n", l->off);
    }
  }
}

static void put_line(pw_buf *out, const look *l, int gutter, const pawl_place *place, window w) {
  pw_buf_printf(out, "%s%*d |%s ", l->frame, gutter, place->line, l->off);
  put_source(out, place->source, w);
  pw_buf_puts(out, "\n");
}

static void put_snippet(pw_buf *out, const look *l, int gutter, const pawl_place *place, char sign,
                        const char *color) {
  window w = choose_window(place);
  mark m = mark_of(place, w, sign, color);
  put_line(out, l, gutter, place, w);
  put_marks(out, l, gutter, &m, 1);
}

/* Both places in one line: as in  servo hold: th = c, by x
 *                                             ------     ^  */
static bool put_both(pw_buf *out, const look *l, int gutter, const pawl_diag *d) {
  window w = choose_window(&d->at);
  int begin = d->second.column - 1, end = begin + d->second.length;
  if (begin < w.first || (end > w.last && w.last < w.size)) {
    return false; /* too far apart in a long line */
  }
  mark at = mark_of(&d->at, w, '^', l->level);
  mark second = mark_of(&d->second, w, '-', l->frame);
  bool ordered = second.begin <= at.begin;
  if (ordered ? second.end > at.begin : at.end > second.begin) {
    return false; /* they overlap */
  }
  mark marks[2] = {ordered ? second : at, ordered ? at : second};
  put_line(out, l, gutter, &d->at, w);
  put_marks(out, l, gutter, marks, 2);
  return true;
}

static void put_arrow(pw_buf *out, const look *l, int gutter, const char *sign,
                      const pawl_place *p) {
  repeat(out, ' ', gutter + 1);
  pw_buf_printf(out, "%s%s%s ", l->frame, sign, l->off);
  put_text(out, p->file, 0);
  pw_buf_printf(out, ":%d:%d\n", p->line, p->column);
}

static void put_second(pw_buf *out, const look *l, int gutter, const pawl_diag *d) {
  put_snippet(out, l, gutter, &d->second, '-', l->frame);
}

static void put_at(pw_buf *out, const look *l, int gutter, const pawl_diag *d) {
  put_snippet(out, l, gutter, &d->at, '^', l->level);
}

static void put_gap(pw_buf *out, const look *l, int lines) {
  if (lines > 1) {
    pw_buf_printf(out, "%s...%s\n", l->frame, l->off);
  }
}

static void put_places(pw_buf *out, const look *l, int gutter, const pawl_diag *d) {
  put_arrow(out, l, gutter, "-->", &d->at);
  if (d->second.line == 0) {
    put_at(out, l, gutter, d);
  } else if (strcmp(d->at.file, d->second.file) != 0) {
    put_at(out, l, gutter, d);
    put_arrow(out, l, gutter, ":::", &d->second);
    put_second(out, l, gutter, d);
  } else if (d->second.line < d->at.line) {
    put_second(out, l, gutter, d);
    put_gap(out, l, d->at.line - d->second.line);
    put_at(out, l, gutter, d);
  } else if (d->second.line > d->at.line || !put_both(out, l, gutter, d)) {
    put_at(out, l, gutter, d);
    put_gap(out, l, d->second.line - d->at.line);
    put_second(out, l, gutter, d);
  }
}

static void put_lines(pw_buf *out, const look *l, int gutter, const char *name,
                      const char *const *lines, int n) {
  for (int i = 0; i < n; i++) {
    repeat(out, ' ', gutter + 1);
    pw_buf_printf(out, "%s=%s %s%s%s: ", l->frame, l->off, l->bold, name, l->off);
    put_text(out, lines[i], gutter + 5 + (int)strlen(name));
    pw_buf_puts(out, "\n");
  }
}

static bool place_is_complete(const pawl_place *p) {
  return p->line <= 0 || (p->file != NULL && p->source != NULL && p->label != NULL);
}

static int digits(int number) {
  int count = 1;
  for (; number >= 10; number /= 10) {
    count++;
  }
  return count;
}

/* Diagnostics may also come from the caller. */
static bool is_complete(const pawl_diag *d) {
  return d != NULL && (int)d->severity >= PAWL_ERROR && (int)d->severity <= PAWL_NOTE &&
         d->code != NULL && d->message != NULL && (d->n_help <= 0 || d->help != NULL) &&
         (d->n_note <= 0 || d->note != NULL) && place_is_complete(&d->at) &&
         place_is_complete(&d->second);
}

pawl_status pawl_diag_write(const pawl_diag *diag, int color, pawl_sink sink, void *payload) {
  if (!is_complete(diag) || sink == NULL) {
    return PAWL_E_ARGUMENT;
  }
  look l = look_of(diag->severity, color);
  int gutter = digits(larger(diag->at.line, diag->second.line));
  pw_buf out = {0};
  pw_buf_printf(&out, "%s%s[%s]%s%s: ", l.level, level_name(diag->severity), diag->code, l.off,
                l.bold);
  put_text(&out, diag->message, gutter + 3);
  pw_buf_printf(&out, "%s\n", l.off);
  if (diag->at.line > 0) {
    put_places(&out, &l, gutter, diag);
  }
  put_lines(&out, &l, gutter, "help", diag->help, diag->n_help);
  put_lines(&out, &l, gutter, "note", diag->note, diag->n_note);
  pawl_status status = pw_buf_flush(&out, sink, payload);
  pw_buf_free(&out);
  return status;
}
