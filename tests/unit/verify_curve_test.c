// SPDX-License-Identifier: MIT
/* A segment as a curve: values and rates of polynomials of its degree, at its nodes, between them,
 * and so close to one that their distance is rounding. */
#include "verify/curve.h"

#include <math.h>

#include "check.h"

/* (1 + 2 x)^d and its rate. */
static double power(double x, int d, double *rate) {
  *rate = 2 * d * pow(1 + 2 * x, d - 1);
  return pow(1 + 2 * x, d);
}

static void check_at(const pw_curve *c, double part, double h, int degree) {
  double value, rate, exact_rate, exact = power(part, degree, &exact_rate);
  pw_curve_at(c, part, &value, &rate);
  CHECK_NEAR(value, exact, 1e-13 * exact);
  CHECK_NEAR(rate * h, exact_rate, 1e-11 * (exact + exact_rate));

  /* the same in one pass with the last coefficients, up to sign: 1 + 2x = 2 + z, z^d = 2^(1-d) T_d
   * + ... */
  double again, again_rate, last[PW_CURVE_TERMS];
  pw_curve_look(c, part, &again, &again_rate, last);
  CHECK_NEAR(again, exact, 1e-13 * exact);
  CHECK_NEAR(again_rate, rate, 1e-13 * fabs(rate));
  CHECK_NEAR(fabs(last[0]), pow(2, 1 - degree), 1e-13 * pow(3, degree));
}

static void rates_are_those_of_the_polynomial(void) {
  static const double near[] = {0, 1e-16, -3e-16, 1e-14, -1e-12, 1e-9, -1e-6};
  const double h = 1e-3;
  for (int n = 2; n <= 9; n++) {
    double value[PW_MOST_NODES], unused;
    for (int j = 0; j < n; j++) {
      value[j] = power(pw_segment_node(j, n), n - 1, &unused);
    }
    pw_segment s = {.from = 0, .to = h, .nodes = n, .value = value};
    pw_curve_table table = {0};
    pw_curve_prepare(&table, n);
    pw_curve c = {.segment = &s, .table = &table, .stride = 1, .n = 1};
    for (int j = 0; j < n; j++) {
      for (int k = 0; k < (int)(sizeof near / sizeof near[0]); k++) {
        check_at(&c, fmin(fmax(pw_segment_node(j, n) + near[k], 0), 1), h, n - 1);
      }
      check_at(&c, (j + 0.5) / n, h, n - 1);
    }
  }
}

CHECK_MAIN({"rates_are_those_of_the_polynomial", rates_are_those_of_the_polynomial})
