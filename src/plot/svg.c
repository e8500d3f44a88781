// SPDX-License-Identifier: MIT
/* A page as SVG. Numbers have two places: a hundredth of a pixel. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "plot/canvas.h"

static void put_escaped(pw_buf *out, const char *text) {
  for (; *text != '\0'; text++) {
    unsigned char c = (unsigned char)*text;
    switch (c) {
    case '<': pw_buf_puts(out, "&lt;"); break;
    case '>': pw_buf_puts(out, "&gt;"); break;
    case '&': pw_buf_puts(out, "&amp;"); break;
    case '"': pw_buf_puts(out, "&quot;"); break;
    default:
      if (c >= 0x20 || c == '\t') { /* other control characters are not allowed in XML */
        pw_buf_add(out, text, 1);
      }
    }
  }
}

/* In hundredths, without a locale: 12.34, 5, -0.5. */
static void put_number(pw_buf *out, double x) {
  long long n = llround(fmax(-1e12, fmin(1e12, x)) * 100);
  unsigned long long size = (unsigned long long)(n < 0 ? -n : n);
  pw_buf_printf(out, "%s%llu", n < 0 ? "-" : "", size / 100);
  if (size % 100 != 0) {
    pw_buf_printf(out, size % 10 == 0 ? ".%llu" : ".%02llu",
                  size % 10 == 0 ? size % 100 / 10 : size % 100);
  }
}

static pw_svg *svg_of(pw_canvas *c) {
  return (pw_svg *)c;
}

static void draw_line(pw_canvas *c, const double *xy, int64_t n, pw_stroke stroke) {
  pw_buf *out = svg_of(c)->out;
  bool down = false;
  pw_buf_puts(out, "<path d=\"");
  for (int64_t i = 0; i < n; i++) {
    if (isnan(xy[2 * i]) || isnan(xy[2 * i + 1])) {
      down = false;
      continue;
    }
    pw_buf_puts(out, down ? " " : "M");
    put_number(out, xy[2 * i]);
    pw_buf_puts(out, " ");
    put_number(out, xy[2 * i + 1]);
    down = true;
  }
  pw_buf_printf(out, "\" stroke=\"#%06x\" stroke-width=\"", stroke.color);
  put_number(out, stroke.width);
  pw_buf_puts(out, stroke.dotted ? "\" stroke-dasharray=\"1 4\"/>\n" : "\"/>\n");
}

static void draw_dot(pw_canvas *c, double x, double y, double radius, unsigned color, bool hollow) {
  pw_buf *out = svg_of(c)->out;
  pw_buf_puts(out, "<circle cx=\"");
  put_number(out, x);
  pw_buf_puts(out, "\" cy=\"");
  put_number(out, y);
  pw_buf_puts(out, "\" r=\"");
  put_number(out, radius);
  pw_buf_printf(out, "\" fill=\"#%06x\" stroke=\"#%06x\" stroke-width=\"1.2\"/>\n",
                hollow ? 0xffffffu : color, color);
}

static void draw_text(pw_canvas *c, double x, double y, double size, pw_anchor anchor,
                      unsigned color, const char *text) {
  static const char *const anchors[] = {"start", "middle", "end"};
  pw_buf *out = svg_of(c)->out;
  pw_buf_puts(out, "<text x=\"");
  put_number(out, x);
  pw_buf_puts(out, "\" y=\"");
  put_number(out, y);
  pw_buf_puts(out, "\" font-size=\"");
  put_number(out, size);
  pw_buf_printf(out, "\" fill=\"#%06x\" text-anchor=\"%s\">", color, anchors[anchor]);
  put_escaped(out, text);
  pw_buf_puts(out, "</text>\n");
}

static void set_clip(pw_canvas *c, double x, double y, double width, double height) {
  pw_svg *s = svg_of(c);
  if (s->clipped) {
    pw_buf_puts(s->out, "</g>\n");
  }
  s->clipped = width > 0;
  if (!s->clipped) {
    return;
  }
  double box[] = {x, y, width, height};
  static const char *const names[] = {"x", "y", "width", "height"};
  pw_buf_printf(s->out, "<clipPath id=\"box%d\"><rect", ++s->clips);
  for (int i = 0; i < 4; i++) {
    pw_buf_printf(s->out, " %s=\"", names[i]);
    put_number(s->out, box[i]);
    pw_buf_puts(s->out, "\"");
  }
  pw_buf_printf(s->out, "/></clipPath>\n<g clip-path=\"url(#box%d)\">\n", s->clips);
}

/* Boxes of one colour that follow each other are one path. */
static void draw_box(pw_canvas *c, double x, double y, double width, double height,
                     unsigned color) {
  pw_svg *s = svg_of(c);
  pw_buf *out = s->out;
  char end[32];
  int length = snprintf(end, sizeof end, "\" fill=\"#%06x\"/>\n", color);
  if (s->box_end == out->len && s->box_color == color && !out->failed) {
    out->len -= (size_t)length;
  } else {
    pw_buf_puts(out, "<path d=\"");
  }
  const double corner[] = {x, y, width, height, -width};
  static const char *const before[] = {"M", " ", "h", "v", "h"};
  for (int i = 0; i < 5; i++) {
    pw_buf_puts(out, before[i]);
    put_number(out, corner[i]);
  }
  pw_buf_puts(out, "z");
  pw_buf_puts(out, end);
  s->box_end = out->len;
  s->box_color = color;
}

void pw_svg_begin(pw_svg *svg, double width, double height, const char *title, pw_buf *out) {
  *svg = (pw_svg){.canvas = {draw_line, draw_dot, draw_text, set_clip, draw_box}, .out = out};
  pw_buf_printf(out,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" "
                "width=\"%.0f\" height=\"%.0f\" fill=\"none\" stroke-linejoin=\"round\" "
                "stroke-linecap=\"round\" font-family=\"system-ui, 'DejaVu Sans', sans-serif\">\n"
                "<title>",
                width, height, width, height);
  put_escaped(out, title);
  pw_buf_puts(out, "</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n");
}

void pw_svg_end(pw_svg *svg) {
  set_clip(&svg->canvas, 0, 0, 0, 0);
  pw_buf_puts(svg->out, "</svg>\n");
}
