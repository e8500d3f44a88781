// SPDX-License-Identifier: MIT
/* How exact numbers are by how they are written. */
#include "verify/digits.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "check.h"

/* 200 numbers a + b sin k, written by a format. */
static pw_digits written(const char *format, double a, double b) {
  pw_digits d = {0};
  for (int k = 0; k < 200; k++) {
    char text[64];
    snprintf(text, sizeof text, format, a + b * sin(k));
    pw_digits_note(&d, strtod(text, NULL), text);
  }
  return d;
}

static void all_digits_are_no_rounding(void) {
  pw_digits d = written("%.17g", 0, 3);
  CHECK(pw_digits_tell(&d));
  CHECK(pw_digits_error(&d) < 1e-15);
}

static void digits_and_places(void) {
  pw_digits d = written("%.6g", 0, 3), p = written("%.4f", 0, 3), e = written("%.5e", 0, 3);
  CHECK_NEAR(pw_digits_error(&d), 0.5e-5 * d.size, 1e-12);
  CHECK_NEAR(pw_digits_error(&p), 0.5e-4, 1e-12);
  CHECK_NEAR(pw_digits_error(&e), 0.5e-5 * e.size, 1e-12);
}

/* Short numbers among long ones are exact: 0.8 k/500 as a program prints it. */
static void short_numbers_are_exact(void) {
  pw_digits d = {0};
  for (int k = 1; k < 300; k++) {
    char text[64];
    double x = 0.8 * (k * 0.002);
    for (int n = 1; n < 18; n++) { /* as few digits as tell the number */
      snprintf(text, sizeof text, "%.*g", n, x);
      if (strtod(text, NULL) == x) {
        break;
      }
    }
    pw_digits_note(&d, x, text);
  }
  CHECK(pw_digits_tell(&d) && d.wide);
  CHECK(pw_digits_error(&d) < 1e-15);
}

/* A constant tells nothing by itself; it is as exact as the others. */
static void constants(void) {
  pw_digits d[2] = {{0}, written("%.6g", 0, 3)};
  for (int k = 0; k < 100; k++) {
    pw_digits_note(&d[0], 0.8, "0.8");
  }
  CHECK(!pw_digits_tell(&d[0]));
  CHECK_NEAR(pw_digits_still(d, 2, 0), 0.8 * 0.5e-5, 1e-12);
  d[1] = written("%.17g", 0, 3);
  CHECK(pw_digits_still(d, 2, 0) < 1e-15);
}

static void single_precision(void) {
  pw_digits d = {0};
  for (int k = 0; k < 100; k++) {
    char text[64];
    double x = (double)(float)sin(k);
    snprintf(text, sizeof text, "%.17g", x);
    pw_digits_note(&d, x, text);
  }
  CHECK_NEAR(pw_digits_error(&d), PW_SINGLE * d.size, 1e-12);
}

CHECK_MAIN({"all_digits_are_no_rounding", all_digits_are_no_rounding},
           {"digits_and_places", digits_and_places},
           {"short_numbers_are_exact", short_numbers_are_exact}, {"constants", constants},
           {"single_precision", single_precision})
