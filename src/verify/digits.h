// SPDX-License-Identifier: MIT
/* How exact the numbers of a column are, by how they are written: a column is rounded if nearly all
 * of its numbers end at one decimal place, or have one number of digits. A number that is short by
 * itself, as 0.8 is, tells nothing. */
#ifndef PW_VERIFY_DIGITS_H
#define PW_VERIFY_DIGITS_H

#include <stdbool.h>
#include <stdint.h>

#define PW_SINGLE 0x1p-24 /* relative error of single precision */

typedef struct pw_digits { /* of one column */
  int most;                /* digits of any number */
  double unit;             /* of the last digit, least of any number */
  int64_t n;               /* numbers that differ from the one before, and are not zero */
  int64_t full, deep;      /* of these: with most digits; with the least unit */
  double last, size;       /* the number before; the largest by size */
  bool any, wide;          /* wide: some number is of no single precision */
} pw_digits;

void pw_digits_note(pw_digits *d, double x, const char *text);
/* Whether the column has enough different numbers to tell; then half of the last digit of the
 * largest of them, decimal or of single precision, or 0 if it is not rounded. */
bool pw_digits_tell(const pw_digits *d);
double pw_digits_error(const pw_digits *d);
/* Of column i of n, which does not tell: as the others are rounded. */
double pw_digits_still(const pw_digits *d, int n, int i);

#endif
