// SPDX-License-Identifier: MIT
/* One panel of a figure: which curves, and the range of its axes. */
#ifndef PW_PLOT_PANEL_H
#define PW_PLOT_PANEL_H

#include "plot/axis.h"
#include "plot/figure.h"

typedef struct pw_panel {
  int first, n; /* curves of the figure */
  bool over_time;
  double low[2], high[2]; /* of x and y, over all curves; low > high: there are no numbers */
} pw_panel;

pw_panel pw_panel_of(const pawl_figure *f, int panel);

/* Colour of a curve in its panel. */
unsigned pw_curve_color(int i);

#endif
