// SPDX-License-Identifier: MIT
#include "plot/panel.h"

#include <math.h>
#include <stdint.h>

static const double most = 1e150; /* beyond it ranges overflow */

static void note(double x, double *low, double *high) {
  if (fabs(x) <= most) {
    *low = fmin(*low, x);
    *high = fmax(*high, x);
  }
}

pw_panel pw_panel_of(const pawl_figure *f, int panel) {
  pw_panel p = {.first = -1, .low = {INFINITY, INFINITY}, .high = {-INFINITY, -INFINITY}};
  for (int i = 0; i < f->curves; i++) {
    pawl_curve c = pawl_figure_curve(f, i);
    if (c.panel != panel) {
      continue;
    }
    p.first = p.first < 0 ? i : p.first;
    p.n++;
    p.over_time = c.x == NULL;
    for (int64_t k = 0; k < c.n; k++) {
      note(c.xs[k], &p.low[0], &p.high[0]);
      note(c.ys[k], &p.low[1], &p.high[1]);
    }
  }
  return p;
}

/* Colours that are distinguishable with any kind of colour vision and dark enough for thin
 * lines. */
unsigned pw_curve_color(int i) {
  static const unsigned colors[] = {0x0067b1, 0xd1550b, 0x00875f, 0xa8458c,
                                    0x9a7500, 0x3e8fc4, 0x444444};
  return colors[i % (int)(sizeof colors / sizeof *colors)];
}
