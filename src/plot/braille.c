// SPDX-License-Identifier: MIT
/* A figure as text: each character is a field of 2 by 4 dots of braille (U+2800 and the bits of the
 * dots). The right edge names the curves where they end. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/glyph.h"
#include "plot/panel.h"

enum { LEAST_COLUMNS = 40, MOST_COLUMNS = 200, ROWS = 14, MARGIN = 10, NAMES = 22 };

typedef struct field {
  const pawl_figure *figure;
  pw_panel panel;
  pw_axis axis[2];
  int columns;                    /* of characters */
  unsigned char *dots;            /* ROWS x columns */
  signed char *curve;             /* ROWS x columns: the last one there, or -1 */
  char name[ROWS][4 * NAMES + 1]; /* at the right edge */
  int name_curve[ROWS];
  bool color;
} field;

/* ---- dots ---- */

static void dot(field *f, double x, double y, int curve) {
  static const unsigned char bit[4][2] = {{1, 8}, {2, 16}, {4, 32}, {64, 128}};
  int column = (int)floor(x), row = (int)floor(y);
  if (column < 0 || row < 0 || column >= 2 * f->columns || row >= 4 * ROWS) {
    return;
  }
  int at = row / 4 * f->columns + column / 2;
  f->dots[at] |= bit[row % 4][column % 2];
  f->curve[at] = (signed char)curve;
}

/* Steps of less than a dot from a to b. */
static void join(field *f, const double *a, const double *b, int curve) {
  double length = fmax(fabs(b[0] - a[0]), fabs(b[1] - a[1]));
  int n = length < 1e4 ? 1 + (int)(2 * length) : 1;
  for (int i = 0; i <= n; i++) {
    double part = (double)i / n;
    dot(f, a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1]), curve);
  }
}

static double across(const field *f, double x) {
  return (x - f->axis[0].low) / (f->axis[0].high - f->axis[0].low) * (2 * f->columns - 1) + 0.5;
}

static double down(const field *f, double y) {
  return (f->axis[1].high - y) / (f->axis[1].high - f->axis[1].low) * (4 * ROWS - 1) + 0.5;
}

static void name_end(field *f, int i, double y) {
  pawl_curve c = pawl_figure_curve(f->figure, f->panel.first + i);
  int row = (int)floor(y) / 4;
  row = row < 0 ? 0 : row >= ROWS ? ROWS - 1 : row;
  for (int k = 0; k < ROWS; k++) { /* the nearest row that is free, below first */
    int below = row + k, above = row - k;
    int at = below < ROWS && f->name[below][0] == '\0' ? below
             : above >= 0 && f->name[above][0] == '\0' ? above
                                                       : -1;
    if (at >= 0) {
      snprintf(f->name[at], sizeof f->name[at], "%s", c.y);
      f->name_curve[at] = i;
      return;
    }
  }
}

static void draw_curve(field *f, int i) {
  pawl_curve c = pawl_figure_curve(f->figure, f->panel.first + i);
  double last[2] = {NAN, NAN}, end = NAN;
  for (int64_t k = 0; k < c.n; k++) {
    double point[] = {across(f, c.xs[k]), down(f, c.ys[k])};
    bool known = isfinite(point[0]) && isfinite(point[1]);
    bool side = k > 0 && c.ts[k] == c.ts[k - 1] &&
                hypot(point[0] - last[0], point[1] - last[1]) > 2; /* a jump that shows */
    if (known && isfinite(last[0]) && isfinite(last[1]) && !side) {
      join(f, last, point, i);
    } else if (known) {
      dot(f, point[0], point[1], i);
    }
    end = known ? point[1] : end;
    memcpy(last, point, sizeof last);
  }
  if (isfinite(end) && f->panel.over_time && f->panel.n > 1) {
    name_end(f, i, end);
  }
}

/* ---- text ---- */

static int columns_of(const char *text) {
  const char *end = text + strlen(text);
  int n = 0;
  while (text < end) {
    int32_t code;
    text += pw_glyph_next(text, end, &code);
    n += pw_glyph_width(code);
  }
  return n;
}

static void put_color(pw_buf *out, const field *f, int curve) {
  static const int colors[] = {34, 33, 32, 35, 36, 31, 37};
  if (f->color && curve >= 0) {
    pw_buf_printf(out, "\033[%dm", colors[curve % 7]);
  } else if (f->color) {
    pw_buf_puts(out, "\033[0m");
  }
}

static void put_cell(pw_buf *out, unsigned char dots) {
  if (dots == 0) {
    pw_buf_puts(out, " ");
    return;
  }
  unsigned code = 0x2800u + dots;
  char bytes[] = {(char)(0xe0 | code >> 12), (char)(0x80 | (code >> 6 & 63)),
                  (char)(0x80 | (code & 63))};
  pw_buf_add(out, bytes, sizeof bytes);
}

/* The tick whose value lies in a row of characters, or -1. */
static int tick_in(const field *f, int row) {
  for (int i = 0; i < f->axis[1].ticks; i++) {
    if ((int)floor(down(f, pw_axis_tick(&f->axis[1], i))) / 4 == row) {
      return i;
    }
  }
  return -1;
}

static void put_row(pw_buf *out, const field *f, int row) {
  char label[64] = "";
  int tick = tick_in(f, row), now = -1;
  if (tick >= 0) {
    pw_axis_label(&f->axis[1], tick, label, sizeof label);
  }
  pw_buf_printf(out, "%*s%s %s", MARGIN - columns_of(label) > 0 ? MARGIN - columns_of(label) : 0,
                "", label, tick >= 0 ? "\u2524" : "\u2502");

  /* dots up to the last one; a color is written where it changes */
  int last = f->columns - 1;
  while (last >= 0 && f->dots[row * f->columns + last] == 0 && f->name[row][0] == '\0') {
    last--;
  }
  for (int i = 0; i <= last; i++) {
    int curve = f->curve[row * f->columns + i];
    if (f->dots[row * f->columns + i] != 0 && curve != now) {
      put_color(out, f, curve);
      now = curve;
    }
    put_cell(out, f->dots[row * f->columns + i]);
  }

  if (f->name[row][0] != '\0') {
    put_color(out, f, f->name_curve[row]);
    pw_buf_printf(out, " %s", f->name[row]);
    now = f->name_curve[row];
  }
  if (now >= 0) {
    put_color(out, f, -1);
  }
  pw_buf_puts(out, "\n");
}

static int column_of(const field *f, double x) {
  int at = (int)floor(across(f, x)) / 2;
  return at < 0 ? 0 : at >= f->columns ? f->columns - 1 : at;
}

static void put_foot(pw_buf *out, const field *f) {
  pw_buf_printf(out, "%*s\u2514", MARGIN + 1, "");
  for (int i = 0, tick = 0; i < f->columns; i++) {
    bool here = false;
    while (tick < f->axis[0].ticks && column_of(f, pw_axis_tick(&f->axis[0], tick)) == i) {
      here = true;
      tick++;
    }
    pw_buf_puts(out, here ? "\u2534" : "\u2500");
  }
  pw_buf_printf(out, "\n%*s", MARGIN + 2, "");
  int at = 0;
  for (int tick = 0; tick < f->axis[0].ticks; tick++) {
    char label[64];
    pw_axis_label(&f->axis[0], tick, label, sizeof label);
    int begin = column_of(f, pw_axis_tick(&f->axis[0], tick)) - (columns_of(label) - 1) / 2;
    begin = begin < 0 ? 0 : begin;
    if (tick == 0 || begin > at) {
      pw_buf_printf(out, "%*s%s", begin - at > 0 ? begin - at : 0, "", label);
      at = (begin > at ? begin : at) + columns_of(label);
    }
  }
  pw_buf_puts(out, "\n");
}

/* Over the time: where something happens. */
static void put_events(pw_buf *out, const field *f) {
  if (!f->panel.over_time || f->figure->n_mark == 0) {
    return;
  }
  pw_buf_printf(out, "%*s ", MARGIN + 1, "events");
  int at = 0;
  for (int64_t i = 0; i < f->figure->n_mark; i++) {
    int column = column_of(f, f->figure->marks[i].t);
    if (column >= at) {
      pw_buf_printf(out, "%*s\u25b4", column - at, "");
      at = column + 1;
    }
  }
  pw_buf_puts(out, "\n");
}

static void put_head(pw_buf *out, const field *f) {
  char unit[80], power[32];
  pawl_curve c = {0};
  for (int i = 0; i < f->panel.n; i++) {
    c = pawl_figure_curve(f->figure, f->panel.first + i);
    pw_unit_text(c.y_unit, unit, sizeof unit);
    pw_buf_puts(out, i == 0 ? "" : ", ");
    put_color(out, f, i);
    pw_buf_printf(out, "%s%s", c.y, unit);
    put_color(out, f, -1);
  }
  pw_axis_power(&f->axis[1], power, sizeof power);
  pw_unit_text(c.x_unit, unit, sizeof unit);
  pw_buf_printf(out, "%s over %s%s", power, c.x == NULL ? "t" : c.x, unit);
  pw_axis_power(&f->axis[0], power, sizeof power);
  pw_buf_printf(out, "%s\n", power);
}

static void put_panel(pw_buf *out, field *f) {
  put_head(out, f);
  for (int row = 0; row < ROWS; row++) {
    put_row(out, f, row);
  }
  put_foot(out, f);
  put_events(out, f);
}

static void prepare(field *f, int panel) {
  f->panel = pw_panel_of(f->figure, panel);
  bool none = !(f->panel.low[0] <= f->panel.high[0] && f->panel.low[1] <= f->panel.high[1]);
  for (int k = 0; k < 2; k++) {
    double low = none ? 0 : f->panel.low[k], high = none ? 0 : f->panel.high[k];
    int most = k == 0 ? f->columns / 12 : ROWS / 3;
    bool exact = k == 0 && f->panel.over_time && high > low;
    f->axis[k] =
        exact ? pw_axis_span(low, high, most) : pw_axis_of(low, high, f->figure->noise, most);
  }
  memset(f->dots, 0, (size_t)(ROWS * f->columns));
  memset(f->curve, -1, (size_t)(ROWS * f->columns));
  memset(f->name, 0, sizeof f->name);
  for (int i = f->panel.n - 1; i >= 0; i--) { /* the first one lies above the others */
    draw_curve(f, i);
  }
}

pawl_status pawl_figure_text(const pawl_figure *figure, int columns, int color, pawl_sink sink,
                             void *payload) {
  if (figure == NULL || sink == NULL || columns < 0) {
    return PAWL_E_ARGUMENT;
  }
  columns = columns == 0 ? 80 : columns;
  columns = columns < LEAST_COLUMNS  ? LEAST_COLUMNS
            : columns > MOST_COLUMNS ? MOST_COLUMNS
                                     : columns;

  field f = {.figure = figure, .color = color != 0, .columns = columns - MARGIN - 3};
  f.dots = malloc((size_t)(ROWS * f.columns));
  f.curve = malloc((size_t)(ROWS * f.columns));
  pw_buf out = {0};
  pawl_status status = f.dots == NULL || f.curve == NULL ? PAWL_E_MEMORY : PAWL_OK;
  int room = f.columns;
  for (int i = 0; status == PAWL_OK && i < figure->panels; i++) {
    pw_panel p = pw_panel_of(figure, i);
    f.columns = p.over_time && p.n > 1 && room > 2 * NAMES ? room - NAMES / 2 : room;
    prepare(&f, i);
    pw_buf_puts(&out, i == 0 ? "" : "\n");
    put_panel(&out, &f);
  }

  char events[300];
  pw_tally_text(figure, events, sizeof events);
  if (events[0] != '\0') {
    pw_buf_printf(&out, "%s\n", events);
  }
  status = status == PAWL_OK ? pw_buf_flush(&out, sink, payload) : status;
  pw_buf_free(&out);
  free(f.dots);
  free(f.curve);
  return status;
}
