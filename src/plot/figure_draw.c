// SPDX-License-Identifier: MIT
/* A figure on a page: panels one below the other. A jump is shown by both of its sides, joined by
 * dots: hollow before, filled after. Over the time, ticks at the foot of a panel mark events. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plot/font.h"
#include "plot/panel.h"
#include "plot/plot_frame.h"

enum { HEAD = 14, LEGEND = 20 };
enum { WIDE_HEIGHT = 200, LONE_HEIGHT = 260, PHASE_HEIGHT = 360 };
enum { MOST_MARKED = 60 };     /* instants whose points are marked on the curves */
static const double pixel = 1; /* a jump that is smaller cannot be seen */

typedef struct page {
  const pawl_figure *figure;
  pw_canvas *canvas;
  pw_panel panel;
  pw_plot_frame frame; /* of the panel */
  double *points;      /* of a line: room for 2 (2 n + 2) numbers */
} page;

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
    double width = swatch + 6 + 1.08 * pw_font_width(text, PW_TEXT_SIZE);
    if (x > left && x + width > PW_PAGE - PW_PAGE_RIGHT) {
      x = left;
      lines++;
    }
    double y = top + LEGEND * lines - 6;
    if (canvas != NULL) {
      double line[] = {x, y - 4, x + swatch, y - 4};
      canvas->line(canvas, line, 2, (pw_stroke){pw_curve_color(i), 2.4, false});
      canvas->text(canvas, x + swatch + 6, y, PW_TEXT_SIZE, PW_TEXT_START, PW_INK, text);
    }
    x += width + gap;
  }
  return lines;
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
  double x = p->frame.axis[0].high - p->frame.axis[0].low,
         y = p->frame.axis[1].high - p->frame.axis[1].low;
  const double slender = 4;
  if (!is_path(p->figure, &p->panel) || x > slender * y || y > slender * x) {
    return;
  }
  double scale = fmin(p->frame.width / x, p->frame.height / y);
  p->frame.width = scale * x;
  p->frame.height = scale * y;
}

/* Axes and box of a panel that begins at `top`. Returns where the next one begins. */
static double arrange(page *p, int panel, double top) {
  const pawl_figure *f = p->figure;
  p->panel = pw_panel_of(f, panel);
  bool none = !(p->panel.low[0] <= p->panel.high[0] && p->panel.low[1] <= p->panel.high[1]);
  double zero[] = {0, 0};
  const double *low = none ? zero : p->panel.low, *high = none ? zero : p->panel.high;
  p->frame.height = !p->panel.over_time ? PHASE_HEIGHT : f->panels > 1 ? WIDE_HEIGHT : LONE_HEIGHT;
  p->frame.axis[1] = pw_axis_of(low[1], high[1], f->noise, (int)(p->frame.height / 34));
  p->frame.left = pw_plot_frame_left(&p->frame.axis[1]);
  p->frame.width = PW_PAGE - PW_PAGE_RIGHT - p->frame.left;
  p->frame.axis[0] = pw_axis_of(low[0], high[0], f->noise, (int)(p->frame.width / 84));
  if (p->panel.over_time && !none && high[0] > low[0]) { /* time has no margin */
    p->frame.axis[0] = pw_axis_span(low[0], high[0], (int)(p->frame.width / 84));
  }
  p->frame.top = top + HEAD + LEGEND * legend(p, p->frame.left, 0, NULL) + 4;
  equalise(p);
  return p->frame.top + p->frame.height + PW_PAGE_FOOT;
}

/* ---- axes ---- */

static void draw_names(const page *p) {
  pw_canvas *c = p->canvas;
  pawl_curve curve = pawl_figure_curve(p->figure, p->panel.first);
  char name[160], unit[80], power[32], text[300];
  pw_label_text(curve.x == NULL ? "t" : curve.x, name, sizeof name);
  pw_unit_text(curve.x_unit, unit, sizeof unit);
  pw_axis_power(&p->frame.axis[0], power, sizeof power);
  snprintf(text, sizeof text, "%s%s%s", name, unit, power);
  c->text(c, p->frame.left + p->frame.width, p->frame.top + p->frame.height + 33, PW_TEXT_SIZE,
          PW_TEXT_END, PW_INK, text);
  pw_axis_power(&p->frame.axis[1], power, sizeof power);
  if (power[0] != '\0') {
    c->text(c, p->frame.left - 8, p->frame.top - 8, PW_SMALL_SIZE, PW_TEXT_END, PW_FAINT,
            power + 1);
  }
  legend(p, p->frame.left, p->frame.top - 4 - LEGEND * legend(p, p->frame.left, 0, NULL), c);
}

/* ---- curves ---- */

typedef struct tracing {
  double *xy;
  int64_t n;
  int64_t column; /* over the time: half a pixel, whose points are gathered */
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
  int64_t column = (int64_t)floor(2 * point[0]);
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
  for (int64_t k = 0; k < c.n; k++) {
    double point[] = {pw_plot_frame_x(&p->frame, c.xs[k]), pw_plot_frame_y(&p->frame, c.ys[k])};
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
  for (int64_t k = 1; k < c.n; k++) {
    if (c.ts[k] != c.ts[k - 1]) {
      continue;
    }
    double before[] = {pw_plot_frame_x(&p->frame, c.xs[k - 1]),
                       pw_plot_frame_y(&p->frame, c.ys[k - 1])};
    double after[] = {pw_plot_frame_x(&p->frame, c.xs[k]), pw_plot_frame_y(&p->frame, c.ys[k])};
    if (hypot(after[0] - before[0], after[1] - before[1]) > pixel) { /* false for NaN */
      mark_jump(p, before, after, pw_curve_color(i));
    }
  }
}

static void draw_events(const page *p) {
  pw_canvas *c = p->canvas;
  double last = -1, bottom = p->frame.top + p->frame.height;
  for (int64_t i = 0; p->panel.over_time && i < p->figure->n_mark; i++) {
    double x = pw_plot_frame_x(&p->frame, p->figure->marks[i].t);
    if (x - last >= pixel / 2) {
      double line[] = {x, bottom - 7, x, bottom - 1};
      c->line(c, line, 2, (pw_stroke){PW_FAINT, 1, false});
      last = x;
    }
  }
}

static void draw_panel(const page *p) {
  pw_canvas *c = p->canvas;
  pw_plot_frame_draw(&p->frame, c);
  draw_names(p);
  c->clip(c, p->frame.left - 4, p->frame.top - 4, p->frame.width + 8, p->frame.height + 8);
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
  pw_page_caption(p->canvas, top, text);
}

static double page_height(page *p) {
  double top = 0;
  for (int i = 0; i < p->figure->panels; i++) {
    top = arrange(p, i, top);
  }
  return top + PW_PAGE_CAPTION;
}

static pawl_status draw_page(void *picture, pw_canvas *canvas) {
  page *p = picture;
  double top = 0;
  p->canvas = canvas;
  for (int i = 0; i < p->figure->panels; i++) {
    top = arrange(p, i, top);
    draw_panel(p);
  }
  draw_caption(p, top);
  return PAWL_OK;
}

/* ---- files ---- */

static pawl_status prepare(page *p, const pawl_figure *f, pawl_sink sink) {
  *p = (page){.figure = f};
  if (f == NULL || sink == NULL) {
    return PAWL_E_ARGUMENT;
  }
  p->points = malloc(2 * (4 * (size_t)f->n + 4) * sizeof *p->points);
  return p->points == NULL ? PAWL_E_MEMORY : PAWL_OK;
}

pawl_status pawl_figure_svg(const pawl_figure *f, pawl_sink sink, void *payload) {
  page p;
  pawl_status status = prepare(&p, f, sink);
  if (status == PAWL_OK) {
    const char *title = pawl_system_title(f->system);
    status = pw_page_svg(&p, draw_page, page_height(&p), title == NULL ? "pawl plot" : title, sink,
                         payload);
  }
  free(p.points);
  return status;
}

pawl_status pawl_figure_png(const pawl_figure *f, pawl_sink sink, void *payload) {
  page p;
  pawl_status status = prepare(&p, f, sink);
  if (status == PAWL_OK) {
    status = pw_page_png(&p, draw_page, page_height(&p), sink, payload);
  }
  free(p.points);
  return status;
}
