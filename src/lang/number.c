// SPDX-License-Identifier: MIT
/* Decimal literal to the nearest double. The C library rounds correctly but reads the decimal point
 * of the host's locale, so the literal is rewritten as an integer with an exponent: 9.81 -> 981e-2.
 * Halfway points between doubles have at most 767 digits; beyond 800, one sticky digit decides. */
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "lang/token.h"

enum { KEPT_DIGITS = 800 };
static const int64_t EXPONENT_CAP = 1000000000000; /* far above any file's count of digits */

typedef struct decimal {
  char digits[KEPT_DIGITS + 64];
  int n;
  int64_t exponent; /* of ten, for the digits read as an integer */
  bool sticky;      /* a digit that was not kept is not zero */
} decimal;

static void add_digit(decimal *d, char digit, bool behind_point) {
  if (d->n == KEPT_DIGITS) {
    d->sticky = d->sticky || digit != '0';
    d->exponent += !behind_point;
    return;
  }
  if (d->n > 0 || digit != '0') {
    d->digits[d->n++] = digit;
  }
  d->exponent -= behind_point;
}

static int64_t read_exponent(const char *text, int len) {
  int64_t value = 0;
  int i = text[0] == '+' || text[0] == '-';
  for (; i < len; i++) {
    value = value < EXPONENT_CAP ? 10 * value + (text[i] - '0') : value;
  }
  return text[0] == '-' ? -value : value;
}

pw_number_fault pw_number_value(const char *text, int len, double *value) {
  decimal d = {.n = 0};
  bool behind_point = false;
  int i = 0;
  for (; i < len && text[i] != 'e' && text[i] != 'E'; i++) {
    if (text[i] == '.') {
      behind_point = true;
    } else {
      add_digit(&d, text[i], behind_point);
    }
  }
  *value = 0;
  if (d.n == 0) {
    return PW_NUMBER_OK;
  }
  if (i + 1 < len) {
    d.exponent += read_exponent(text + i + 1, len - i - 1);
  }
  if (d.sticky) {
    d.digits[d.n++] = '1';
    d.exponent--;
  }
  snprintf(d.digits + d.n, sizeof d.digits - (size_t)d.n, "e%" PRId64, d.exponent);
  *value = strtod(d.digits, NULL);
  if (isinf(*value)) {
    return PW_NUMBER_TOO_LARGE;
  }
  return *value == 0 ? PW_NUMBER_TOO_SMALL : PW_NUMBER_OK;
}
