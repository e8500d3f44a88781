// SPDX-License-Identifier: MIT
/* The table as a picture, read back twice: for the ranges, then for the points. With one name that
 * varies each record is a panel of points over it (a bifurcation diagram); with two the first
 * record is a colour in their plane (a basin of attraction). Points are gathered in cells of the
 * page, so the size of a picture does not grow with the table. */
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "law/scale_run.h"
#include "plot/figure.h"
#include "plot/plot_frame.h"
#include "sweep/sweep.h"
#include "write/csv_read.h"

enum { HEAD = 34, BAR = 90, BAR_WIDTH = 14 };
enum { PANEL_HEIGHT = 380, MAP_HEIGHT = 460, MOST_PANELS = 4, FEW = 1500 };
static const double dot_radius = 1.1;
static const double point_margin = 0.25; /* a point is a little larger than its cell */
static const unsigned unknown = 0xd4d4d4, point_color = 0x0067b1;

typedef struct range {
  double low, high; /* low > high: no numbers */
} range;

typedef struct chart {
  pawl_sweep *sweep;
  pw_canvas *canvas;
  pw_csv csv;
  int x, y;      /* columns on the axes; y of points: the record */
  int record;    /* column of the first record */
  int panels;    /* of points; 0: a map */
  range *ranges; /* of all columns */
  double *row;   /* numbers of all columns, NAN for texts */
  pw_plot_frame frame;
  int nx, ny;          /* cells of the box */
  float *cell;         /* nx * ny: value of the colour; points: 1. NAN: nothing there */
  int64_t n_row, used; /* rows; cells that are used */
} chart;

/* ---- reading ---- */

static pawl_status rewind_rows(chart *c) {
  rewind(c->csv.file);
  return pw_csv_next(&c->csv); /* the header */
}

/* PAWL_E_STATE: there are no more. */
static pawl_status next_row(chart *c) {
  pawl_status status = pw_csv_next(&c->csv);
  if (status != PAWL_OK || c->csv.n != c->sweep->n_column) {
    return status == PAWL_OK ? PAWL_E_FILE : status;
  }
  const char *field = c->csv.text.text;
  for (int i = 0; i < c->sweep->n_column; i++, field = pw_csv_after(field)) {
    if (!pw_csv_number(field, &c->row[i])) {
      c->row[i] = NAN;
    }
  }
  return PAWL_OK;
}

static pawl_status find_ranges(chart *c) {
  for (int i = 0; i < c->sweep->n_column; i++) {
    c->ranges[i] = (range){INFINITY, -INFINITY};
  }
  pawl_status status = rewind_rows(c);
  while (status == PAWL_OK && (status = next_row(c)) == PAWL_OK) {
    for (int i = 0; i < c->sweep->n_column; i++) {
      if (isfinite(c->row[i])) {
        c->ranges[i].low = fmin(c->ranges[i].low, c->row[i]);
        c->ranges[i].high = fmax(c->ranges[i].high, c->row[i]);
      }
    }
    c->n_row++;
  }
  return status == PAWL_E_STATE ? PAWL_OK : status;
}

/* ---- cells ---- */

/* Which of n equal parts of the axis a value is in; -1: none. */
static int part_of(const pw_axis *a, double value, int n) {
  double part = floor((value - a->low) / (a->high - a->low) * n);
  return part >= 0 && part < n ? (int)part : part == n && value <= a->high ? n - 1 : -1;
}

/* A member later in the table takes the place of one before. */
static pawl_status fill_cells(chart *c) {
  int64_t n = (int64_t)c->nx * c->ny;
  for (int64_t i = 0; i < n; i++) {
    c->cell[i] = NAN;
  }
  c->used = 0;
  pawl_status status = rewind_rows(c);
  while (status == PAWL_OK && (status = next_row(c)) == PAWL_OK) {
    int x = part_of(&c->frame.axis[0], c->row[c->x], c->nx);
    int y = part_of(&c->frame.axis[1], c->row[c->y], c->ny);
    if (x >= 0 && y >= 0) {
      float *cell = &c->cell[(int64_t)y * c->nx + x];
      double value = c->row[c->record];
      c->used += isnan(*cell);
      *cell = c->panels > 0 ? 1 : isfinite(value) ? (float)value : INFINITY;
    }
  }
  return status == PAWL_E_STATE ? PAWL_OK : status;
}

/* ---- drawing ---- */

static void axis_name(const chart *c, int column, const pw_axis *axis, char *text, size_t room) {
  char name[200], power[32] = "";
  pw_label_text(c->sweep->column[column], name, sizeof name);
  pw_axis_power(axis, power, sizeof power);
  snprintf(text, room, "%s%s", name, power);
}

static void draw_names(const chart *c) {
  pw_canvas *k = c->canvas;
  char text[256];
  axis_name(c, c->x, &c->frame.axis[0], text, sizeof text);
  k->text(k, c->frame.left + c->frame.width, c->frame.top + c->frame.height + 33, PW_TEXT_SIZE,
          PW_TEXT_END, PW_INK, text);
  axis_name(c, c->y, &c->frame.axis[1], text, sizeof text);
  k->text(k, c->frame.left, c->frame.top - 10, PW_TEXT_SIZE, PW_TEXT_START, PW_INK, text);
}

/* From dark blue over green to yellow, evenly lighter. */
static unsigned color_of(double part) {
  static const double anchors[][3] = {
      {52, 24, 92}, {46, 76, 138}, {34, 128, 140}, {76, 176, 100}, {248, 224, 56}};
  enum { LAST = sizeof anchors / sizeof *anchors - 1 };
  double at = fmax(0, fmin(1, part)) * LAST;
  int i = at >= LAST ? LAST - 1 : (int)at;
  unsigned color = 0;
  for (int k = 0; k < 3; k++) {
    double value = anchors[i][k] + (at - i) * (anchors[i + 1][k] - anchors[i][k]);
    color = color << 8 | (unsigned)lround(value);
  }
  return color;
}

static double part_in(range r, double value) {
  return r.high > r.low ? (value - r.low) / (r.high - r.low) : 0.5;
}

static unsigned cell_color(const chart *c, float value) {
  return c->panels > 0      ? point_color
         : !isfinite(value) ? unknown
                            : color_of(part_in(c->ranges[c->record], value));
}

/* Cells of one colour side by side are one box. */
static void draw_cells(const chart *c) {
  double w = c->frame.width / c->nx, h = c->frame.height / c->ny,
         fat = c->panels > 0 ? point_margin : 0;
  for (int y = 0; y < c->ny; y++) {
    const float *row = c->cell + (int64_t)y * c->nx;
    for (int x = 0, end; x < c->nx; x = end) {
      end = x + 1;
      if (isnan(row[x])) {
        continue;
      }
      unsigned color = cell_color(c, row[x]);
      while (end < c->nx && !isnan(row[end]) && cell_color(c, row[end]) == color) {
        end++;
      }
      c->canvas->box(c->canvas, c->frame.left + x * w - fat,
                     c->frame.top + c->frame.height - (y + 1) * h - fat, (end - x) * w + 2 * fat,
                     h + 2 * fat, color);
    }
  }
}

/* Few points are dots that can be seen. */
static void draw_dots(const chart *c) {
  double w = c->frame.width / c->nx, h = c->frame.height / c->ny;
  for (int y = 0; y < c->ny; y++) {
    for (int x = 0; x < c->nx; x++) {
      if (!isnan(c->cell[(int64_t)y * c->nx + x])) {
        c->canvas->dot(c->canvas, c->frame.left + (x + 0.5) * w,
                       c->frame.top + c->frame.height - (y + 0.5) * h, dot_radius,
                       cell_color(c, c->cell[(int64_t)y * c->nx + x]), false);
      }
    }
  }
}

static void draw_bar(const chart *c) {
  pw_canvas *k = c->canvas;
  range r = c->ranges[c->record];
  double x = PW_PAGE - BAR + 20;
  char text[256];
  enum { PARTS = 100 };
  if (!(r.low <= r.high)) {
    return;
  }
  for (int i = 0; i < PARTS; i++) {
    double h = c->frame.height / PARTS;
    k->box(k, x, c->frame.top + c->frame.height - (i + 1) * h, BAR_WIDTH, h,
           color_of((i + 0.5) / PARTS));
  }
  pw_axis axis = r.low < r.high ? pw_axis_span(r.low, r.high, (int)(c->frame.height / 60))
                                : pw_axis_of(r.low, r.high, 0, 4);
  for (int i = 0; i < axis.ticks; i++) {
    double value = pw_axis_tick(&axis, i);
    if (value >= r.low && value <= r.high) {
      pw_axis_label(&axis, i, text, sizeof text);
      k->text(k, x + BAR_WIDTH + 6, c->frame.top + c->frame.height * (1 - part_in(r, value)) + 4,
              PW_SMALL_SIZE, PW_TEXT_START, PW_INK, text);
    }
  }
  axis_name(c, c->record, &axis, text, sizeof text);
  k->text(k, PW_PAGE - PW_PAGE_RIGHT, c->frame.top - 10, PW_TEXT_SIZE, PW_TEXT_END, PW_INK, text);
}

/* ---- layout ---- */

static pw_axis axis_for(range r, int most) {
  bool none = !(r.low <= r.high);
  return pw_axis_of(none ? 0 : r.low, none ? 0 : r.high, PW_SCALE(TICK_AT_END), most);
}

static void arrange(chart *c, double top) {
  c->frame.height = c->panels > 0 ? PANEL_HEIGHT : MAP_HEIGHT;
  c->frame.axis[1] = axis_for(c->ranges[c->y], (int)(c->frame.height / 40));
  c->frame.left = pw_plot_frame_left(&c->frame.axis[1]);
  c->frame.width = PW_PAGE - (c->panels > 0 ? PW_PAGE_RIGHT : BAR) - c->frame.left;
  c->frame.axis[0] = axis_for(c->ranges[c->x], (int)(c->frame.width / 84));
  c->frame.top = top + HEAD;
  c->nx = (int)c->frame.width;
  c->ny = (int)c->frame.height;
}

/* A grid has a cell for each value, as far as there is room; the ends are in the middle of theirs.
 */
static void fit_to_grid(chart *c) {
  int *cells[] = {&c->nx, &c->ny};
  const int column[] = {c->x, c->y};
  for (int k = 0; k < 2; k++) {
    const pw_varied *v = &c->sweep->design.axis[column[k]];
    range r = c->ranges[column[k]];
    if (v->kind == PW_VARIED_GRID && v->n > 1 && r.low < r.high) {
      double half = (r.high - r.low) / (double)(v->n - 1) / 2;
      int ticks = k == 0 ? (int)(c->frame.width / 84) : (int)(c->frame.height / 40);
      c->frame.axis[k] = pw_axis_span(r.low - half, r.high + half, ticks);
      *cells[k] = v->n < *cells[k] ? (int)v->n : *cells[k];
    }
  }
}

static bool is_scattered(const chart *c) {
  const pw_varied *a = c->sweep->design.axis;
  return a[c->x].kind != PW_VARIED_GRID || a[c->y].kind != PW_VARIED_GRID;
}

static pawl_status draw_one(chart *c, double top) {
  arrange(c, top);
  if (c->panels == 0) {
    fit_to_grid(c);
  }
  free(c->cell);
  c->cell = malloc((size_t)c->nx * (size_t)c->ny * sizeof *c->cell);
  pawl_status status = c->cell == NULL ? PAWL_E_MEMORY : fill_cells(c);
  if (status != PAWL_OK) {
    return status;
  }
  pw_plot_frame_draw(&c->frame, c->canvas);
  draw_names(c);
  bool points = c->panels > 0 || is_scattered(c);
  if (points && c->used <= FEW) {
    draw_dots(c);
  } else {
    draw_cells(c);
  }
  if (c->panels == 0) {
    draw_bar(c);
  }
  return PAWL_OK;
}

static double page_height(const chart *c) {
  int n = c->panels > 0 ? c->panels : 1;
  return n * (HEAD + (c->panels > 0 ? PANEL_HEIGHT : MAP_HEIGHT) + PW_PAGE_FOOT) + PW_PAGE_CAPTION;
}

static void draw_caption(const chart *c) {
  char text[200];
  snprintf(text, sizeof text, "%" PRId64 " members \u00b7 %" PRId64 " rows",
           (int64_t)c->sweep->at.tally.members, c->n_row);
  pw_page_caption(c->canvas, page_height(c) - PW_PAGE_CAPTION, text);
}

static pawl_status draw_page(void *picture, pw_canvas *canvas) {
  chart *c = picture;
  pawl_status status = PAWL_OK;
  c->canvas = canvas;
  int n = c->panels > 0 ? c->panels : 1;
  for (int i = 0; i < n && status == PAWL_OK; i++) {
    c->y = c->panels > 0 ? c->record + i : c->y;
    status = draw_one(c, i * (double)(HEAD + PANEL_HEIGHT + PW_PAGE_FOOT));
  }
  draw_caption(c);
  return status;
}

/* ---- files ---- */

static bool varies(const pw_varied *v) {
  return v->kind == PW_VARIED_SAMPLED ? v->from != v->to : v->n > 1;
}

/* The first two names that vary are the plane of a map. */
static void choose_columns(chart *c) {
  const pw_design *d = &c->sweep->design;
  int found[2] = {0, 0}, n = 0;
  for (int i = 0; i < d->n_axis && n < 2; i++) {
    if (varies(&d->axis[i])) {
      found[n++] = i;
    }
  }
  c->x = found[0];
  c->y = found[1];
  c->record = d->n_axis + 2;
  int records = c->sweep->records.n;
  c->panels = n == 2 ? 0 : records < MOST_PANELS ? records : MOST_PANELS;
}

static pawl_status begin(chart *c, pawl_sweep *s) {
  *c = (chart){.sweep = s};
  int reason = 0;
  if (s->store.spool != NULL) {
    c->csv.file = s->store.spool;
  } else {
    reason = pw_file_stream(s->store.rows, &c->csv.file);
  }
  if (reason != 0) {
    return pw_file_status(reason);
  }
  c->ranges = malloc((size_t)s->n_column * sizeof *c->ranges);
  c->row = malloc((size_t)s->n_column * sizeof *c->row);
  if (c->ranges == NULL || c->row == NULL) {
    return PAWL_E_MEMORY;
  }
  choose_columns(c);
  return find_ranges(c);
}

static void end(chart *c) {
  if (c->csv.file != NULL && c->csv.file != c->sweep->store.spool) {
    fclose(c->csv.file);
  }
  pw_csv_free(&c->csv);
  free(c->ranges);
  free(c->row);
  free(c->cell);
}

/* The table is complete and its rows are there as text. */
static bool is_drawable(const pawl_sweep *s, pawl_sink sink) {
  bool there = s != NULL && s->started && sink != NULL && s->records.n > 0;
  return there && (s->store.spool != NULL || s->store.rows != NULL) &&
         !(s->store.is_h5 && s->store.complete);
}

pawl_status pawl_sweep_svg(pawl_sweep *s, pawl_sink sink, void *payload) {
  if (!is_drawable(s, sink)) {
    return PAWL_E_ARGUMENT;
  }
  chart c;
  pawl_status status = begin(&c, s);
  if (status == PAWL_OK) {
    status = pw_page_svg(&c, draw_page, page_height(&c), "pawl sweep", sink, payload);
  }
  end(&c);
  return status;
}

pawl_status pawl_sweep_png(pawl_sweep *s, pawl_sink sink, void *payload) {
  if (!is_drawable(s, sink)) {
    return PAWL_E_ARGUMENT;
  }
  chart c;
  pawl_status status = begin(&c, s);
  if (status == PAWL_OK) {
    status = pw_page_png(&c, draw_page, page_height(&c), sink, payload);
  }
  end(&c);
  return status;
}
