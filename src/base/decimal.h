// SPDX-License-Identifier: MIT
/* Seventeen significant digits of a double in whole numbers: exact, and much faster than printf. */
#ifndef PW_BASE_DECIMAL_H
#define PW_BASE_DECIMAL_H

#include <stdbool.h>

enum { PW_DECIMAL_ROOM = 32 };

/* The text of printf("%.17g") with a point, whatever the locale, NUL-terminated. False for numbers
 * beside 1e-11 < |x| < 1e17 that are not zero; nothing is written then. */
bool pw_decimal_17(double x, char text[PW_DECIMAL_ROOM]);

#endif
