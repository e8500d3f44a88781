// SPDX-License-Identifier: MIT
/* The reader of numbers as a system compiles it on which `long` has 32 bits: the same source once
 * more, with `long` replaced by `int`. All results must be those of the library. */
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "check.h"
#include "lang/token.h"

pw_number_fault narrow_value(const char *text, int len, double *value);

/* The keyword is hidden on purpose. */
#ifdef __clang__
#pragma clang diagnostic ignored "-Wkeyword-macro"
#endif
#define long int
#define pw_number_value narrow_value
#include "lang/number.c"
#undef pw_number_value
#undef long

static void reads_alike(void) {
  static const char *const text[] = {"9.81",
                                     "1e5",
                                     "1e-5",
                                     "6.674e-11",
                                     "1.5E+3",
                                     "1e308",
                                     "1e309",
                                     "4e-324",
                                     "1e-999",
                                     "1e9999",
                                     "1e99999999999999999999",
                                     "0e99999999999",
                                     "1e-99999999999999999999",
                                     "0.0000000001e10",
                                     "1e2147483648",
                                     "1e4294967297"};
  for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
    double wide, narrow;
    int len = (int)strlen(text[i]);
    CHECK_INT(narrow_value(text[i], len, &narrow), pw_number_value(text[i], len, &wide));
    CHECK(narrow == wide);
  }
}

static void reads_exponents(void) {
  double x;
  CHECK_INT(narrow_value("1e5", 3, &x), PW_NUMBER_OK);
  CHECK_NEAR(x, 100000, 0);
  CHECK_INT(narrow_value("25e-2", 5, &x), PW_NUMBER_OK);
  CHECK_NEAR(x, 0.25, 0);
  CHECK_INT(narrow_value("1e2147483648", 12, &x), PW_NUMBER_TOO_LARGE);
  CHECK_INT(narrow_value("1e-4294967297", 13, &x), PW_NUMBER_TOO_SMALL);
}

CHECK_MAIN({"reads_alike", reads_alike}, {"reads_exponents", reads_exponents})
