// SPDX-License-Identifier: MIT
/* Significant digits of a double in whole numbers: exact, and much faster than printf. */
#ifndef PW_BASE_DECIMAL_H
#define PW_BASE_DECIMAL_H

#include <stdbool.h>

enum { PW_DECIMAL_ROOM = 40 }; /* a sign, 17 digits, a point, 17 that are written over, an end */

/* The text of printf("%.17g") with a point, whatever the locale, NUL-terminated. False for nonzero
 * numbers outside 1e-63 < |x| < 1e17; nothing is written then. */
bool pw_decimal_17(double x, char text[PW_DECIMAL_ROOM]);
/* The same with the fewest digits, from 15 on, that read back as x. False also if two candidates
 * are too close to decide, and for powers of two. */
bool pw_decimal_shortest(double x, char text[PW_DECIMAL_ROOM]);

#endif
