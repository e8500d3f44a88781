// SPDX-License-Identifier: MIT
/* A figure on a page: panels one below the other. A jump is shown by both of its sides, joined by
 * dots: hollow before, filled after. Over the time, ticks at the foot of a panel mark events. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plot/canvas.h"
#include "plot/font.h"
#include "plot/panel.h"

enum { PAGE = 760, RIGHT = 24, FOOT = 40, HEAD = 14, LEGEND = 20, CAPTION = 30 };
enum { WIDE_HEIGHT = 200, LONE_HEIGHT = 260, PHASE_HEIGHT = 360 };
enum { MOST_MARKED = 60 }; /* instants whose points are marked on the curves */
static const double text_size = 12.5, small_size = 11.5;
static const double pixel = 1; /* a jump that is smaller cannot be seen */
static const unsigned ink = 0x222222, faint = 0x6f6f6f, grid = 0xe8e8e8, frame = 0x9c9c9c;

typedef struct page {
  const pawl_figure *figure;
  pw_canvas *canvas;
  pw_panel panel;
  pw_axis axis[2];
  double left, top, width, height; /* of the box of the panel */
  double *points;                  /* of a line: room for 2 (2 n + 2) numbers */
} page;

static double at_x(const page *p, double x) {
  return p->left + (x - p->axis[0].low) / (p->axis[0].high - p->axis[0].low) * p->width;
}

static double at_y(const page *p, double y) {
  return p->top + p->height - (y - p->axis[1].low) / (p->axis[1].high - p->axis[1].low) * p->height;
}

/* ---- layout ---- */

static void legend_label(const pawl_figure *f, int i, char *text, size_t room) {
  pawl_curve c = pawl_figure_curve(f, i);
  char name[160], unit[80];
  pw_label_text(c.y, name, sizeof name);
  pw_unit_text(c.y_unit, unit, sizeof unit);
  snprintf(text, room, "%s%s", name, unit);
}

/* Lines of the legend; draws it if there is a canvas. */
static int legend(const page *p, double left, double top, pw_canvas *canvas) {
  const double swatch = 16, gap = 22;
  double x = left;
  int lines = 1;
  for (int i = 0; i < p->panel.n; i++) {
    char text[256];
    legend_label(p->figure, p->panel.first + i, text, sizeof text);
    double width = swatch + 6 + 1.08 * pw_font_width(text, text_size);
    if (x > left && x + width > PAGE - RIGHT) {
      x = left;
      lines++;
    }
    double y = top + LEGEND * lines - 6;
    if (canvas != NULL) {
      double line[] = {x, y - 4, x + swatch, y - 4};
      canvas->line(canvas, line, 2, (pw_stroke){pw_curve_color(i), 2.4, false});
      canvas->text(canvas, x + swatch + 6, y, text_size, PW_TEXT_START, ink, text);
    }
    x += width + gap;
  }
  return lines;
}

static double label_width(const pw_axis *a) {
  double most = 0;
  for (int i = 0; i < a->ticks; i++) {
    char text[64];
    pw_axis_label(a, i, text, sizeof text);
    most = fmax(most, pw_font_width(text, small_size));
  }
  return most;
}

/* Two lengths, or two positions whose unit the model does not state: a path in the plane. */
static bool is_path(const pawl_figure *f, const pw_panel *panel) {
  pawl_curve c = pawl_figure_curve(f, panel->first);
  if (panel->over_time || strchr(c.x, '\'') != NULL || strchr(c.y, '\'') != NULL ||
      strstr(c.y, "force") != NULL || strstr(c.y, "energy") != NULL) {
    return false;
  }
  const char *x = c.x_unit == NULL ? "" : c.x_unit, *y = c.y_unit == NULL ? "" : c.y_unit;
  return strcmp(x, y) == 0 && (x[0] == '\0' || strcmp(x, "m") == 0);
}

/* A path in the plane is shown with equal scales, if it is not too slender. */
static void equalise(page *p) {
  double x = p->axis[0].high - p->axis[0].low, y = p->axis[1].high - p->axis[1].low;
  const double slender = 4;
  if (!is_path(p->figure, &p->panel) || x > slender * y || y > slender * x) {
    return;
  }
  double scale = fmin(p->width / x, p->height / y);
  p->width = scale * x;
  p->height = scale * y;
}

/* Axes and box of a panel that begins at `top`. Returns where the next one begins. */
static double arrange(page *p, int panel, double top) {
  const pawl_figure *f = p->figure;
  p->panel = pw_panel_of(f, panel);
  bool none = !(p->panel.low[0] <= p->panel.high[0] && p->panel.low[1] <= p->panel.high[1]);
  double zero[] = {0, 0};
  const double *low = none ? zero : p->panel.low, *high = none ? zero : p->panel.high;
  p->height = !p->panel.over_time ? PHASE_HEIGHT : f->panels > 1 ? WIDE_HEIGHT : LONE_HEIGHT;
  p->axis[1] = pw_axis_of(low[1], high[1], f->noise, (int)(p->height / 34));
  p->left = fmax(48, label_width(&p->axis[1]) + 20);
  p->width = PAGE - RIGHT - p->left;
  p->axis[0] = pw_axis_of(low[0], high[0], f->noise, (int)(p->width / 84));
  if (p->panel.over_time && !none && high[0] > low[0]) { /* time has no margin */
    p->axis[0] = pw_axis_span(low[0], high[0], (int)(p->width / 84));
  }
  p->top = top + HEAD + LEGEND * legend(p, p->left, 0, NULL) + 4;
  equalise(p);
  return p->top + p->height + FOOT;
}

/* ---- axes ---- */

static void draw_grid(const page *p) {
  pw_canvas *c = p->canvas;
  char text[64];
  double bottom = p->top + p->height, right = p->left + p->width;
  for (int i = 0; i < p->axis[0].ticks; i++) {
    double x = at_x(p, pw_axis_tick(&p->axis[0], i)), line[] = {x, p->top, x, bottom};
    c->line(c, line, 2, (pw_stroke){grid, 1, false});
    pw_axis_label(&p->axis[0], i, text, sizeof text);
    c->text(c, x, bottom + 16, small_size, PW_TEXT_MIDDLE, ink, text);
  }
  for (int i = 0; i < p->axis[1].ticks; i++) {
    double value = pw_axis_tick(&p->axis[1], i);
    double y = at_y(p, value), line[] = {p->left, y, right, y};
    c->line(c, line, 2, (pw_stroke){value == 0 ? frame : grid, 1, false});
    pw_axis_label(&p->axis[1], i, text, sizeof text);
    c->text(c, p->left - 8, y + 4, small_size, PW_TEXT_END, ink, text);
  }
  double corner[] = {p->left, p->top, p->left, bottom, right, bottom};
  c->line(c, corner, 3, (pw_stroke){frame, 1, false});
}

static void draw_names(const page *p) {
  pw_canvas *c = p->canvas;
  pawl_curve curve = pawl_figure_curve(p->figure, p->panel.first);
  char name[160], unit[80], power[32], text[300];
  pw_label_text(curve.x == NULL ? "t" : curve.x, name, sizeof name);
  pw_unit_text(curve.x_unit, unit, sizeof unit);
  pw_axis_power(&p->axis[0], power, sizeof power);
  snprintf(text, sizeof text, "%s%s%s", name, unit, power);
  c->text(c, p->left + p->width, p->top + p->height + 33, text_size, PW_TEXT_END, ink, text);
  pw_axis_power(&p->axis[1], power, sizeof power);
  if (power[0] != '\0') {
    c->text(c, p->left - 8, p->top - 8, small_size, PW_TEXT_END, faint, power + 1);
  }
  legend(p, p->left, p->top - 4 - LEGEND * legend(p, p->left, 0, NULL), c);
}

/* ---- curves ---- */

typedef struct tracing {
  double *xy;
  long n;
  long column; /* over the time: half a pixel, whose points are gathered */
  double first[2], least[2], most[2], last[2];
  bool gathers, least_first;
} tracing;

static void add_point(tracing *l, const double *point) {
  l->xy[2 * l->n] = point[0];
  l->xy[2 * l->n + 1] = point[1];
  l->n++;
}

/* Of the points in a column: the first, the lowest and highest in their order, the last. */
static void end_column(tracing *l) {
  if (!l->gathers) {
    return;
  }
  add_point(l, l->first);
  if (l->least[1] < fmin(l->first[1], l->last[1]) || l->most[1] > fmax(l->first[1], l->last[1])) {
    add_point(l, l->least_first ? l->least : l->most);
    add_point(l, l->least_first ? l->most : l->least);
  }
  if (l->last[0] != l->first[0] || l->last[1] != l->first[1]) {
    add_point(l, l->last);
  }
  l->gathers = false;
}

static void gather(tracing *l, const double *point) {
  long column = (long)floor(2 * point[0]);
  size_t size = sizeof l->first;
  if (l->gathers && column != l->column) {
    end_column(l);
  }
  if (!l->gathers) {
    l->column = column;
    memcpy(l->first, point, size);
    memcpy(l->least, point, size);
    memcpy(l->most, point, size);
    l->gathers = true;
  }
  if (point[1] < l->least[1]) {
    memcpy(l->least, point, size);
    l->least_first = false;
  } else if (point[1] > l->most[1]) {
    memcpy(l->most, point, size);
    l->least_first = true;
  }
  memcpy(l->last, point, size);
}

/* Points of a path closer than a quarter of a pixel are one. */
static void follow(tracing *l, const double *point) {
  const double *last = l->xy + (l->n == 0 ? 0 : 2 * (l->n - 1));
  bool lifted = l->n == 0 || isnan(last[0]);
  if (lifted || hypot(point[0] - last[0], point[1] - last[1]) > pixel / 4) {
    add_point(l, point);
  }
  memcpy(l->last, point, sizeof l->last);
}

static void lift(tracing *l) {
  const double nothing[] = {NAN, NAN};
  end_column(l);
  add_point(l, nothing);
}

static void mark_jump(const page *p, const double *before, const double *after, unsigned color) {
  pw_canvas *c = p->canvas;
  double line[] = {before[0], before[1], after[0], after[1]};
  c->line(c, line, 2, (pw_stroke){color, 1, true});
  if (p->figure->n_mark <= MOST_MARKED) {
    c->dot(c, before[0], before[1], 2.2, color, true);
    c->dot(c, after[0], after[1], 2.2, color, false);
  }
}

static void draw_curve(const page *p, int i) {
  pawl_curve c = pawl_figure_curve(p->figure, p->panel.first + i);
  tracing l = {.xy = p->points};
  unsigned color = pw_curve_color(i);
  double last[2] = {NAN, NAN};
  for (long k = 0; k < c.n; k++) {
    double point[] = {at_x(p, c.xs[k]), at_y(p, c.ys[k])};
    bool known = isfinite(point[0]) && isfinite(point[1]);
    bool jumps = known && k > 0 && c.ts[k] == c.ts[k - 1] &&
                 hypot(point[0] - last[0], point[1] - last[1]) > pixel;
    if (!known || jumps) {
      lift(&l);
    }
    if (known && p->panel.over_time) {
      gather(&l, point);
    } else if (known) {
      follow(&l, point);
    }
    memcpy(last, point, sizeof last);
  }
  end_column(&l);
  p->canvas->line(p->canvas, l.xy, l.n, (pw_stroke){color, 1.6, false});
}

/* Marks lie above all curves. */
static void draw_jumps(const page *p, int i) {
  pawl_curve c = pawl_figure_curve(p->figure, p->panel.first + i);
  for (long k = 1; k < c.n; k++) {
    if (c.ts[k] != c.ts[k - 1]) {
      continue;
    }
    double before[] = {at_x(p, c.xs[k - 1]), at_y(p, c.ys[k - 1])};
    double after[] = {at_x(p, c.xs[k]), at_y(p, c.ys[k])};
    if (hypot(after[0] - before[0], after[1] - before[1]) > pixel) { /* false for NaN */
      mark_jump(p, before, after, pw_curve_color(i));
    }
  }
}

static void draw_events(const page *p) {
  pw_canvas *c = p->canvas;
  double last = -1, bottom = p->top + p->height;
  for (long i = 0; p->panel.over_time && i < p->figure->n_mark; i++) {
    double x = at_x(p, p->figure->marks[i].t);
    if (x - last >= pixel / 2) {
      double line[] = {x, bottom - 7, x, bottom - 1};
      c->line(c, line, 2, (pw_stroke){faint, 1, false});
      last = x;
    }
  }
}

static void draw_panel(const page *p) {
  pw_canvas *c = p->canvas;
  draw_grid(p);
  draw_names(p);
  c->clip(c, p->left - 4, p->top - 4, p->width + 8, p->height + 8);
  draw_events(p);
  for (int i = 0; i < p->panel.n; i++) {
    draw_curve(p, i);
  }
  for (int i = 0; i < p->panel.n; i++) {
    draw_jumps(p, i);
  }
  c->clip(c, 0, 0, 0, 0);
}

static void draw_caption(const page *p, double top) {
  char text[400], events[300];
  const char *title = pawl_system_title(p->figure->system);
  pw_tally_text(p->figure, events, sizeof events);
  snprintf(text, sizeof text, "%s%s%s", title == NULL ? "" : title,
           title == NULL || events[0] == '\0' ? "" : "   \u00b7   ", events);
  p->canvas->text(p->canvas, 16, top + 10, small_size, PW_TEXT_START, faint, text);
}

static double page_height(page *p) {
  double top = 0;
  for (int i = 0; i < p->figure->panels; i++) {
    top = arrange(p, i, top);
  }
  return top + CAPTION;
}

static void draw_page(page *p) {
  double top = 0;
  for (int i = 0; i < p->figure->panels; i++) {
    top = arrange(p, i, top);
    draw_panel(p);
  }
  draw_caption(p, top);
}

/* ---- files ---- */

static bool prepare(page *p, const pawl_figure *f, pawl_sink sink) {
  *p = (page){.figure = f};
  if (f != NULL && sink != NULL) {
    p->points = malloc(2 * (4 * (size_t)f->n + 4) * sizeof *p->points);
  }
  return p->points != NULL;
}

pawl_status pawl_figure_svg(const pawl_figure *f, pawl_sink sink, void *payload) {
  page p;
  if (!prepare(&p, f, sink)) {
    return f == NULL || sink == NULL ? PAWL_E_ARGUMENT : PAWL_E_MEMORY;
  }
  pw_buf out = {0};
  pw_svg svg;
  const char *title = pawl_system_title(f->system);
  pw_svg_begin(&svg, PAGE, page_height(&p), title == NULL ? "pawl plot" : title, &out);
  p.canvas = &svg.canvas;
  draw_page(&p);
  pw_svg_end(&svg);
  pawl_status status = pw_buf_flush(&out, sink, payload);
  pw_buf_free(&out);
  free(p.points);
  return status;
}

pawl_status pawl_figure_png(const pawl_figure *f, pawl_sink sink, void *payload) {
  page p;
  if (!prepare(&p, f, sink)) {
    return f == NULL || sink == NULL ? PAWL_E_ARGUMENT : PAWL_E_MEMORY;
  }
  pw_buf out = {0};
  pw_raster raster;
  pawl_status status = PAWL_E_MEMORY;
  if (pw_raster_begin(&raster, PAGE, page_height(&p), 2)) {
    p.canvas = &raster.canvas;
    draw_page(&p);
    pw_png_write(raster.rgb, raster.width, raster.height, &out);
    status = pw_buf_flush(&out, sink, payload);
  }
  pw_raster_free(&raster);
  pw_buf_free(&out);
  free(p.points);
  return status;
}
