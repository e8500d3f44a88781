// SPDX-License-Identifier: MIT
/* An axis: its range, and round numbers on it. */
#ifndef PW_PLOT_AXIS_H
#define PW_PLOT_AXIS_H

#include <stddef.h>

typedef struct pw_axis {
  double low, high;   /* low < high */
  double step, first; /* ticks: first, first + step, ... */
  int ticks;
  int power;  /* labels are values divided by 10^power, a multiple of 3 */
  int places; /* digits after the decimal point of the labels */
} pw_axis;

/* An axis for values between `low` and `high`, of which `spread` (relative to the size of the
 * values) is noise: a smaller range is shown as a constant. `most`: ticks that find room. */
pw_axis pw_axis_of(double low, double high, double spread, int most);
/* An axis from `low` to `high` exactly. */
pw_axis pw_axis_span(double low, double high, int most);
double pw_axis_tick(const pw_axis *axis, int i);
/* "0.25", "−3": with a real minus sign. */
void pw_axis_label(const pw_axis *axis, int i, char *text, size_t room);
/* " ×10⁻³" after a name, "" without a power. */
void pw_axis_power(const pw_axis *axis, char *text, size_t room);

#endif
