// SPDX-License-Identifier: MIT
/* Operations on doubles that libm does not have. All of them hand a NaN on. */
#ifndef PW_EXPR_OP_REAL_H
#define PW_EXPR_OP_REAL_H

#include "base/real.h"

/* x^n by squaring; x^-n = 1/x^n. */
static inline double pw_real_powi(double x, int n) {
  unsigned m = n < 0 ? 0u - (unsigned)n : (unsigned)n;
  double r = 1;
  while (m != 0) {
    if (m & 1u) {
      r *= x;
    }
    m >>= 1;
    if (m != 0) {
      x *= x;
    }
  }
  return n < 0 ? 1 / r : r;
}

static inline double pw_real_sign(double a) {
  return a > 0 ? 1 : a < 0 ? -1 : a;
}

static inline double pw_real_select(double c, double a, double b) {
  return c >= 0 ? a : c < 0 ? b : c;
}

#endif
