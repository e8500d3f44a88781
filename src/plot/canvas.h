// SPDX-License-Identifier: MIT
/* The canvas of figures: a page in units of pixels, y down. Made as SVG or as pixels. */
#ifndef PW_PLOT_CANVAS_H
#define PW_PLOT_CANVAS_H

#include <stdint.h>

#include "base/buf.h"

typedef enum pw_anchor { PW_TEXT_START, PW_TEXT_MIDDLE, PW_TEXT_END } pw_anchor;

typedef struct pw_stroke {
  unsigned color; /* 0xrrggbb */
  double width;
  bool dotted;
} pw_stroke;

typedef struct pw_canvas pw_canvas;
struct pw_canvas {
  /* n points x, y; a coordinate that is NaN lifts the pen. Cut at the box of `clip`. */
  void (*line)(pw_canvas *c, const double *xy, int64_t n, pw_stroke stroke);
  /* Filled, or with a hole of the page's colour. */
  void (*dot)(pw_canvas *c, double x, double y, double radius, unsigned color, bool hollow);
  void (*text)(pw_canvas *c, double x, double y, double size, pw_anchor anchor, unsigned color,
               const char *text);
  void (*clip)(pw_canvas *c, double x, double y, double width, double height); /* width 0: none */
  /* A filled rectangle with its corner at (x, y). */
  void (*box)(pw_canvas *c, double x, double y, double width, double height, unsigned color);
};

/* The page as SVG; the text grows in `out` from pw_svg_begin to pw_svg_end. */
typedef struct pw_svg {
  pw_canvas canvas;
  pw_buf *out;
  int clips;
  bool clipped;
  size_t box_end; /* where the last box ended in the text, and its colour */
  unsigned box_color;
} pw_svg;
void pw_svg_begin(pw_svg *svg, double width, double height, const char *title, pw_buf *out);
void pw_svg_end(pw_svg *svg);

/* The page as pixels, `scale` in each direction for one of its units. */
typedef struct pw_raster {
  pw_canvas canvas;
  int width, height;
  double scale;
  unsigned char *rgb;   /* height x width x 3 */
  unsigned char *cover; /* height x width: of the line that is being drawn */
  int clip[4];          /* left, top, right, bottom */
  int touched[4];       /* the part of `cover` in use */
} pw_raster;
/* False: no memory. pw_raster_free in any case. */
bool pw_raster_begin(pw_raster *r, double width, double height, double scale);
void pw_raster_free(pw_raster *r);
/* An image as PNG, appended to `out`. */
void pw_png_write(const unsigned char *rgb, int width, int height, pw_buf *out);

#endif
