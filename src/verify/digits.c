// SPDX-License-Identifier: MIT
#include "verify/digits.h"

#include <math.h>
#include <stdint.h>

#include "base/real.h"
#include "law/scale_verify.h"
#include "verify/table.h"

enum { ENOUGH = 8, SHORT = 12 }; /* numbers; digits, fewer than results in double precision have */

/* Whether a number, as far as it is written, is none of single precision. */
static bool is_wide(double x, const char *text) {
  return fabs(x - (double)(float)x) > pw_table_unit(text) / 2;
}

void pw_digits_note(pw_digits *d, double x, const char *text) {
  bool fresh = x != 0 && !(d->any && x == d->last);
  d->any = true;
  d->last = x;
  d->size = pw_max(d->size, fabs(x));
  if (!fresh) {
    return;
  }
  int digits = pw_table_digits(text);
  double unit = pw_table_unit(text);
  d->wide = d->wide || is_wide(x, text);
  if (digits > d->most) {
    d->most = digits;
    d->full = 0;
  }
  if (d->n == 0 || unit < 0.5 * d->unit) {
    d->unit = unit;
    d->deep = 0;
  }
  d->full += digits == d->most;
  d->deep += unit < 2 * d->unit;
  d->n++;
}

bool pw_digits_tell(const pw_digits *d) {
  return d->n >= ENOUGH;
}

static bool is_most(const pw_digits *d, int64_t part) {
  return (double)part >= PW_SCALE(CERT_NEARLY_ALL) * (double)d->n;
}

/* Of numbers up to `size` that are written as those of the column are. Where exact numbers are
 * among rounded ones neither is common, and all are short. */
static double error_at(const pw_digits *d, double size) {
  bool places = is_most(d, d->deep), digits = is_most(d, d->full) || (!places && d->most <= SHORT);
  double by_place = places ? d->unit / 2 : INFINITY;
  double by_digits = digits ? size * pow(10, 1 - d->most) / 2 : INFINITY;
  double decimal = places || digits ? pw_min(by_place, by_digits) : 0;
  return pw_max(decimal, d->wide ? 0 : PW_SINGLE * size);
}

double pw_digits_error(const pw_digits *d) {
  return error_at(d, d->size);
}

double pw_digits_still(const pw_digits *d, int n, int i) {
  double error = 0;
  for (int k = 0; k < n; k++) {
    error = pw_digits_tell(&d[k]) ? pw_max(error, error_at(&d[k], d[i].size)) : error;
  }
  return error;
}
