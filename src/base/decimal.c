// SPDX-License-Identifier: MIT
/* |x| = f 2^e with f < 2^53, and |x| 10^k = f 5^k 2^(e+k): for 0 <= k <= 27 the product f 5^k has
 * less than 128 bits, so that the digits and what is rounded off are known exactly. */
#include "base/decimal.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { DIGITS = 17, MOST_POWER = 27 };
static const uint64_t limit = 100000000000000000u; /* 10^17 */

static uint64_t power_of_five(int k) {
  uint64_t p = 1;
  for (; k >= 3; k -= 3) {
    p *= 125;
  }
  return k == 2 ? 25 * p : k == 1 ? 5 * p : p;
}

static void multiply(uint64_t a, uint64_t b, uint64_t *high, uint64_t *low) {
  uint64_t a0 = a & 0xffffffffu, a1 = a >> 32, b0 = b & 0xffffffffu, b1 = b >> 32;
  uint64_t middle = a1 * b0 + (a0 * b0 >> 32), cross = a0 * b1 + (middle & 0xffffffffu);
  *low = a * b;
  *high = a1 * b1 + (middle >> 32) + (cross >> 32);
}

/* floor(f 5^k 2^(e+k)); *up: the nearest whole number, of two the even one, is one more. */
static uint64_t scaled(uint64_t f, int e, int k, bool *up) {
  uint64_t high, low;
  int shift = -(e + k);
  multiply(f, power_of_five(k), &high, &low);
  if (shift <= 0) {
    *up = false;
    return low << -shift;
  }
  uint64_t whole = high << (64 - shift) | low >> shift; /* shift is at most 62 */
  uint64_t half = (uint64_t)1 << (shift - 1), rest = low & (2 * half - 1);
  *up = rest > half || (rest == half && whole % 2 == 1);
  return whole;
}

/* As %g does: exponents from -4 to 16 without e, zeros at the end dropped. */
static void lay_out(uint64_t m, int exponent, char *at) {
  char digit[DIGITS];
  for (int i = DIGITS - 1; i >= 0; i--) {
    digit[i] = (char)('0' + m % 10);
    m /= 10;
  }
  int n = DIGITS, whole = exponent < -4 ? 1 : exponent + 1;
  while (n > 1 && digit[n - 1] == '0') {
    n--;
  }
  if (whole <= 0) {
    memcpy(at, "0.0000", 6);
    at += 2 - whole;
    memcpy(at, digit, (size_t)n);
    at += n;
  } else {
    int before = whole < n ? whole : n;
    memcpy(at, digit, (size_t)before);
    memset(at + before, '0', (size_t)(whole - before));
    at += whole;
    if (n > whole) {
      *at++ = '.';
      memcpy(at, digit + whole, (size_t)(n - whole));
      at += n - whole;
    }
  }
  if (exponent < -4) { /* two digits: none here is below -11 */
    memcpy(at, "e-", 2);
    at[2] = (char)('0' - exponent / 10);
    at[3] = (char)('0' - exponent % 10);
    at += 4;
  }
  *at = '\0';
}

/* size = m 10^(exponent - 16), 10^16 <= m < 10^17, rounded; for 1e-11 < size < 1e17. */
static uint64_t digits_of(double size, int *exponent) {
  int e;
  uint64_t f = (uint64_t)ldexp(frexp(size, &e), 53), m;
  bool up;
  *exponent =
      (int)floor((e - 1) * 0.30102999566398120); /* of 2^(e-1) <= size: at most 1 too small */
  *exponent += DIGITS - 1 - *exponent > MOST_POWER;
  m = scaled(f, e - 53, DIGITS - 1 - *exponent, &up);
  if (m >= limit) {
    ++*exponent;
    m = scaled(f, e - 53, DIGITS - 1 - *exponent, &up);
  }
  return m + up;
}

static void put(double x, uint64_t m, int exponent, char *text) {
  if (m == limit) {
    m /= 10;
    exponent++;
  }
  *text = '-';
  lay_out(m, exponent, text + (x < 0));
}

static bool put_zero(double x, char *text) {
  if (x == 0) {
    memcpy(text, signbit(x) ? "-0" : "0", signbit(x) ? 3 : 2);
  }
  return x == 0;
}

bool pw_decimal_17(double x, char text[PW_DECIMAL_ROOM]) {
  double size = fabs(x);
  if (put_zero(x, text)) {
    return true;
  }
  if (!(size > 1e-11 && size < 1e17)) { /* the double 1e-11 is less than 10^-11 */
    return false;
  }
  int exponent;
  uint64_t m = digits_of(size, &exponent);
  put(x, m, exponent, text);
  return true;
}

/* w 10^p, rounded once: both are doubles (Clinger 1990). False: one of them is not. */
static bool read_back(uint64_t w, int p, double *out) {
  static const double power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                 1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  if (w > (uint64_t)1 << 53 || p > 22 || p < -22) {
    return false;
  }
  *out = p < 0 ? (double)w / power[-p] : (double)w * power[p];
  return true;
}

bool pw_decimal_shortest(double x, char text[PW_DECIMAL_ROOM]) {
  static const uint64_t units[] = {100, 10}; /* of 15 and 16 digits */
  double size = fabs(x), back;
  if (put_zero(x, text)) {
    return true;
  }
  if (!(size > 1e-9 && size < 1e15)) {
    return false;
  }
  int exponent;
  uint64_t m = digits_of(size, &exponent);
  for (int k = 0; k < 2; k++) {
    uint64_t unit = units[k], rest = m % unit, w = m / unit + (2 * rest > unit);
    if (2 * rest == unit || !read_back(w, exponent - 14 - k, &back)) {
      return false; /* m is rounded itself, and does not say which way; or not readable here */
    }
    if (back == size) {
      put(x, w * unit, exponent, text);
      return true;
    }
  }
  put(x, m, exponent, text);
  return true;
}
