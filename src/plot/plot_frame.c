// SPDX-License-Identifier: MIT
#include "plot/plot_frame.h"

#include <math.h>

#include "plot/font.h"

enum { GRID = 0xe8e8e8, LEAST_LEFT = 48, PIXELS = 2 /* of a PNG, for each unit of the page */ };

double pw_plot_frame_x(const pw_plot_frame *f, double x) {
  return f->left + (x - f->axis[0].low) / (f->axis[0].high - f->axis[0].low) * f->width;
}

double pw_plot_frame_y(const pw_plot_frame *f, double y) {
  return f->top + f->height - (y - f->axis[1].low) / (f->axis[1].high - f->axis[1].low) * f->height;
}

double pw_plot_frame_left(const pw_axis *axis) {
  double most = 0;
  for (int i = 0; i < axis->ticks; i++) {
    char text[64];
    pw_axis_label(axis, i, text, sizeof text);
    most = fmax(most, pw_font_width(text, PW_SMALL_SIZE));
  }
  return fmax(LEAST_LEFT, most + 20);
}

void pw_plot_frame_draw(const pw_plot_frame *f, pw_canvas *c) {
  char text[64];
  double bottom = f->top + f->height, right = f->left + f->width;
  for (int i = 0; i < f->axis[0].ticks; i++) {
    double x = pw_plot_frame_x(f, pw_axis_tick(&f->axis[0], i)), line[] = {x, f->top, x, bottom};
    c->line(c, line, 2, (pw_stroke){GRID, 1, false});
    pw_axis_label(&f->axis[0], i, text, sizeof text);
    c->text(c, x, bottom + 16, PW_SMALL_SIZE, PW_TEXT_MIDDLE, PW_INK, text);
  }
  for (int i = 0; i < f->axis[1].ticks; i++) {
    double value = pw_axis_tick(&f->axis[1], i);
    double y = pw_plot_frame_y(f, value), line[] = {f->left, y, right, y};
    c->line(c, line, 2, (pw_stroke){value == 0 ? PW_PLOT_LINE : GRID, 1, false});
    pw_axis_label(&f->axis[1], i, text, sizeof text);
    c->text(c, f->left - 8, y + 4, PW_SMALL_SIZE, PW_TEXT_END, PW_INK, text);
  }
  double corner[] = {f->left, f->top, f->left, bottom, right, bottom};
  c->line(c, corner, 3, (pw_stroke){PW_PLOT_LINE, 1, false});
}

void pw_page_caption(pw_canvas *canvas, double top, const char *text) {
  canvas->text(canvas, 16, top + 10, PW_SMALL_SIZE, PW_TEXT_START, PW_FAINT, text);
}

pawl_status pw_page_svg(void *picture, pw_page_painter draw, double height, const char *title,
                        pawl_sink sink, void *payload) {
  pw_buf out = {0};
  pw_svg svg;
  pw_svg_begin(&svg, PW_PAGE, height, title, &out);
  pawl_status status = draw(picture, &svg.canvas);
  pw_svg_end(&svg);
  status = status == PAWL_OK ? pw_buf_flush(&out, sink, payload) : status;
  pw_buf_free(&out);
  return status;
}

pawl_status pw_page_png(void *picture, pw_page_painter draw, double height, pawl_sink sink,
                        void *payload) {
  pw_buf out = {0};
  pw_raster raster;
  bool there = pw_raster_begin(&raster, PW_PAGE, height, PIXELS);
  pawl_status status = there ? draw(picture, &raster.canvas) : PAWL_E_MEMORY;
  if (status == PAWL_OK) {
    pw_png_write(raster.rgb, raster.width, raster.height, &out);
    status = pw_buf_flush(&out, sink, payload);
  }
  pw_raster_free(&raster);
  pw_buf_free(&out);
  return status;
}
