// SPDX-License-Identifier: MIT
/* Common parts of the pages of figures and of sweeps: size and colours, the box of a picture with
 * its axes, and output to a file. */
#ifndef PW_PLOT_PLOT_FRAME_H
#define PW_PLOT_PLOT_FRAME_H

#include "plot/axis.h"
#include "plot/canvas.h"

enum { PW_PAGE = 760, PW_PAGE_RIGHT = 24, PW_PAGE_FOOT = 40, PW_PAGE_CAPTION = 30 };
enum { PW_INK = 0x222222, PW_FAINT = 0x6f6f6f, PW_PLOT_LINE = 0x9c9c9c };
#define PW_TEXT_SIZE 12.5
#define PW_SMALL_SIZE 11.5

typedef struct pw_plot_frame {
  pw_axis axis[2];
  double left, top, width, height;
} pw_plot_frame;

double pw_plot_frame_x(const pw_plot_frame *f, double x);
double pw_plot_frame_y(const pw_plot_frame *f, double y);
/* Where a box begins whose axis has these labels on its left. */
double pw_plot_frame_left(const pw_axis *axis);
/* Lines and numbers of both axes, and the two sides with the numbers. */
void pw_plot_frame_draw(const pw_plot_frame *f, pw_canvas *canvas);
/* Below the last picture. */
void pw_page_caption(pw_canvas *canvas, double top, const char *text);

/* A page of the height, drawn by `draw` on a canvas, and sent to the sink. */
typedef pawl_status (*pw_page_painter)(void *picture, pw_canvas *canvas);
PAWL_NODISCARD pawl_status pw_page_svg(void *picture, pw_page_painter draw, double height,
                                       const char *title, pawl_sink sink, void *payload);
PAWL_NODISCARD pawl_status pw_page_png(void *picture, pw_page_painter draw, double height,
                                       pawl_sink sink, void *payload);

#endif
