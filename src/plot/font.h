// SPDX-License-Identifier: MIT
/* Texts as strokes. */
#ifndef PW_PLOT_FONT_H
#define PW_PLOT_FONT_H

#include <stdbool.h>

enum { PW_FONT_UNITS = 20 }; /* of the drawings of letters in the size of a font */

/* Width of a text of UTF-8. */
double pw_font_width(const char *text, double size);

typedef void (*pw_font_line)(void *payload, double x1, double y1, double x2, double y2);
/* The lines of a text that begins at (x, y), y of its baseline, on a page whose y goes down. */
void pw_font_draw(const char *text, double x, double y, double size, pw_font_line line,
                  void *payload);

#endif
