// SPDX-License-Identifier: MIT
/* Accelerations from samples: exact for polynomials of degree nine, of high order otherwise. */
#include "verify/fit.h"

#include "check.h"
#include "verify/newton_fit.h"

static const double t[] = {0, 0.11, 0.2, 0.29, 0.42, 0.5, 0.63};
enum { ROWS = 7 };

static double power(double x, int n) {
  double p = 1;
  for (int i = 0; i < n; i++) {
    p *= x;
  }
  return p;
}

static void exact_for_polynomials(void) {
  for (int degree = 0; degree <= 8; degree++) {
    for (int j = 0; j < ROWS; j++) {
      pw_fit_weights w;
      CHECK_INT(pw_fit_window(t, 0, ROWS - 1, j, 0.01, PW_FIT_POINTS, &w), PW_FIT_POINTS);
      double second = 0, slope = 0;
      for (int i = 0; i < w.m; i++) {
        double x = t[w.row[i]], v = degree == 0 ? 0 : degree * power(x, degree - 1);
        second += w.q[i] * power(x, degree) + w.v[i] * v;
        slope += w.kq[i] * power(x, degree) + w.kv[i] * v;
      }
      double exact = degree < 2 ? 0 : degree * (degree - 1) * power(t[j], degree - 2);
      CHECK_NEAR(second, exact, 1e-8);
      CHECK_NEAR(slope, 0, 1e-9);
    }
  }
}

static void an_error_of_one_velocity_is_seen(void) {
  pw_fit_weights w;
  pw_fit_window(t, 0, ROWS - 1, 3, 0.01, PW_FIT_POINTS, &w);
  double slope = 0;
  for (int i = 0; i < w.m; i++) {
    double x = t[w.row[i]];
    slope += w.kq[i] * sin(x) + w.kv[i] * (cos(x) + (i == w.at ? 0.01 : 0));
  }
  CHECK_NEAR(slope, 0.01, 1e-9);
}

static void samples_that_are_too_near_are_left_out(void) {
  const double close[] = {0, 1e-9, 0.1, 0.2, 0.3, 0.4};
  pw_fit_weights w;
  CHECK_INT(pw_fit_window(close, 0, 5, 0, 0.05, PW_FIT_POINTS, &w), 5);
  CHECK_INT(w.row[1], 2);
}

static void carried_beyond_the_end(void) {
  double x[3], v[3], value, slope;
  for (int i = 0; i < 3; i++) {
    x[i] = power(t[i], 5);
    v[i] = 5 * power(t[i], 4);
  }
  pw_newton_fit(t, x, v, 3, 0.7, &value, &slope, NULL);
  CHECK_NEAR(value, power(0.7, 5), 1e-13);
  CHECK_NEAR(slope, 5 * power(0.7, 4), 1e-12);
}

CHECK_MAIN({"exact_for_polynomials", exact_for_polynomials},
           {"an_error_of_one_velocity_is_seen", an_error_of_one_velocity_is_seen},
           {"samples_that_are_too_near_are_left_out", samples_that_are_too_near_are_left_out},
           {"carried_beyond_the_end", carried_beyond_the_end})
