// SPDX-License-Identifier: MIT
#include "plot/axis.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "law/scale_run.h"

static const double margin = 0.04; /* of the range, on either side of the values */

enum { FEWEST = 3 }; /* ticks: two labels hardly show the scale, one does not */

/* 1, 2 or 5 times a power of ten: the least that gives at most this number of ticks. */
static double round_step(double range, int most) {
  double raw = range / most, unit = pow(10, floor(log10(raw)));
  double part = raw / unit;
  return unit * (part <= 1 ? 1 : part <= 2 ? 2 : part <= 5 ? 5 : 10);
}

pw_axis pw_axis_of(double low, double high, double spread, int most) {
  double size = fmax(fabs(low), fabs(high)), range = high - low;
  if (!(range > spread * size)) { /* a constant in the middle of a range of its size */
    double room = size > 0 ? size / 2 : 1, middle = (low + high) / 2;
    return pw_axis_span(middle - room, middle + room, most);
  }
  return pw_axis_span(low - margin * range, high + margin * range, most);
}

static void put_ticks(pw_axis *a, int most) {
  const double slack = PW_SCALE(TICK_AT_END);
  a->step = round_step(a->high - a->low, most);
  double first = ceil(a->low / a->step - slack), last = floor(a->high / a->step + slack);
  a->first = first * a->step;
  a->ticks = (int)(last - first) + 1;
}

pw_axis pw_axis_span(double low, double high, int most) {
  const double slack = PW_SCALE(TICK_AT_END);
  pw_axis a = {.low = low, .high = high};
  for (int n = most; n == most || (a.ticks < FEWEST && n <= 3 * most); n++) {
    put_ticks(&a, n);
  }
  double largest = fmax(fabs(low), fabs(high));
  int decade = (int)floor(log10(largest) + slack);
  a.power = decade >= 5 || decade <= -4 ? (int)floor(decade / 3.0) * 3 : 0;
  int unit = (int)floor(log10(a.step) + slack) - a.power;
  a.places = unit < 0 ? -unit : 0;
  return a;
}

double pw_axis_tick(const pw_axis *a, int i) {
  double value = a->first + i * a->step;
  return fabs(value) < a->step / 2 ? 0 : value;
}

void pw_axis_label(const pw_axis *a, int i, char *text, size_t room) {
  double value = pw_axis_tick(a, i) / pow(10, a->power);
  snprintf(text, room, "%s%.*f", value < 0 ? "\u2212" : "", a->places, fabs(value));
  for (char *at = text; *at != '\0'; at++) { /* a locale may have another point */
    *at = *at == ',' ? '.' : *at;
  }
}

void pw_axis_power(const pw_axis *a, char *text, size_t room) {
  static const char *const raised[] = {"\u2070", "\u00b9", "\u00b2", "\u00b3", "\u2074",
                                       "\u2075", "\u2076", "\u2077", "\u2078", "\u2079"};
  char digits[16];
  text[0] = '\0';
  if (a->power == 0) {
    return;
  }
  snprintf(digits, sizeof digits, "%d", a->power < 0 ? -a->power : a->power);
  int n = snprintf(text, room, " \u00d710%s", a->power < 0 ? "\u207b" : "");
  for (const char *d = digits; *d != '\0' && n > 0 && (size_t)n < room; d++) {
    n += snprintf(text + n, room - (size_t)n, "%s", raised[*d - '0']);
  }
}
