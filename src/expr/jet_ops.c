// SPDX-License-Identifier: MIT
/* Recurrences of univariate Taylor arithmetic, each from the differential equation of its
 * function [Griewank and Walther, ch. 13]. Where a function is singular at the zeroth coefficient
 * (division, sqrt, hypot, log at 0) the coefficients come out infinite or NaN, never guessed. */
#include "expr/jet_ops.h"

#include <math.h>
#include <string.h>

#include "expr/dag_impl.h"
#include "expr/op_real.h"

void pw_jet_mul(int n, const double *a, const double *b, double *r) {
  for (int k = 0; k <= n; k++) {
    double sum = a[0] * b[k];
    for (int j = 1; j <= k; j++) {
      sum += a[j] * b[k - j];
    }
    r[k] = sum;
  }
}

/* a = r b */
void pw_jet_div(int n, const double *a, const double *b, double *r) {
  for (int k = 0; k <= n; k++) {
    double sum = a[k];
    for (int j = 1; j <= k; j++) {
      sum -= b[j] * r[k - j];
    }
    r[k] = sum / b[0];
  }
}

/* sum_{j=1..k} j a_j w_{k-j}: coefficient k - 1 of a' w. */
static double slope_times(int k, const double *a, const double *w) {
  double sum = 0;
  for (int j = 1; j <= k; j++) {
    sum += j * a[j] * w[k - j];
  }
  return sum;
}

/* r' w = p with p given by p[k] = k times coefficient k of the integral of p, r_0 given. */
static void integrate_quotient(int n, const double *p, const double *w, double *r) {
  for (int k = 1; k <= n; k++) {
    double sum = p[k];
    for (int j = 1; j < k; j++) {
      sum -= j * r[j] * w[k - j];
    }
    r[k] = sum / (k * w[0]);
  }
}

/* r' w = a' */
static void integrate_slope(int n, const double *a, const double *w, double *r) {
  double p[PW_JET_ROOM];
  for (int k = 0; k <= n; k++) {
    p[k] = k * a[k];
  }
  integrate_quotient(n, p, w, r);
}

static void reciprocal(int n, const double *a, double *r) {
  double one[PW_JET_ROOM] = {1};
  pw_jet_div(n, one, a, r);
}

/* r = r b */
static void multiply_into(int n, double *r, const double *b) {
  double t[PW_JET_ROOM];
  pw_jet_mul(n, r, b, t);
  memcpy(r, t, (size_t)(n + 1) * sizeof *r);
}

/* By squaring, so that a zero of a needs no special case. */
void pw_jet_powi(int n, const double *a, int exponent, double *r) {
  size_t bytes = (size_t)(n + 1) * sizeof *r;
  double square[PW_JET_ROOM];
  unsigned m = exponent < 0 ? 0u - (unsigned)exponent : (unsigned)exponent;
  bool started = false;
  memcpy(square, a, bytes);
  memset(r, 0, bytes);
  r[0] = 1;
  for (; m != 0; m >>= 1) {
    if ((m & 1u) && started) {
      multiply_into(n, r, square);
    } else if (m & 1u) {
      memcpy(r, square, bytes);
      started = true;
    }
    if (m > 1) {
      multiply_into(n, square, square);
    }
  }
  if (exponent < 0) {
    memcpy(square, r, bytes);
    reciprocal(n, square, r);
  }
}

/* Constant exponent c and a_0 = 0: with a = t^p(...) the power starts at t^(cp), so lower
 * coefficients vanish; from there on it is not a power series in general. */
static void power_of_zero(int n, const double *a, double c, double *r) {
  int p = 0;
  while (p <= n && a[p] == 0) {
    p++;
  }
  r[0] = pow(a[0], c);
  for (int k = 1; k <= n; k++) {
    r[k] = c > 0 && k < c * p ? 0 : (double)NAN;
  }
}

/* a r' = c r a' */
static void power_const(int n, const double *a, double c, double *r) {
  if (c == floor(c) && fabs(c) <= PW_POWI_MAX) {
    pw_jet_powi(n, a, (int)c, r);
    return;
  }
  if (a[0] == 0) {
    power_of_zero(n, a, c, r);
    return;
  }
  r[0] = pow(a[0], c);
  for (int k = 1; k <= n; k++) {
    double sum = 0;
    for (int j = 1; j <= k; j++) {
      sum += (c * j - (k - j)) * a[j] * r[k - j];
    }
    r[k] = sum / (k * a[0]);
  }
}

/* a^b = exp(b log a) */
void pw_jet_pow(int n, const double *a, const double *b, double *r) {
  bool constant = true;
  for (int k = 1; k <= n; k++) {
    constant = constant && b[k] == 0;
  }
  if (constant) {
    power_const(n, a, b[0], r);
    return;
  }
  double log_a[PW_JET_ROOM], exponent[PW_JET_ROOM];
  pw_jet_log(n, a, log_a);
  pw_jet_mul(n, b, log_a, exponent);
  r[0] = pow(a[0], b[0]);
  for (int k = 1; k <= n; k++) {
    r[k] = slope_times(k, exponent, r) / k;
  }
}

/* r r = a */
void pw_jet_sqrt(int n, const double *a, double *r) {
  r[0] = sqrt(a[0]);
  for (int k = 1; k <= n; k++) {
    double sum = a[k];
    for (int j = 1; j < k; j++) {
      sum -= r[j] * r[k - j];
    }
    r[k] = sum / (2 * r[0]);
  }
}

/* r' = r a' */
void pw_jet_exp(int n, const double *a, double *r) {
  r[0] = exp(a[0]);
  for (int k = 1; k <= n; k++) {
    r[k] = slope_times(k, a, r) / k;
  }
}

/* r' a = a' */
void pw_jet_log(int n, const double *a, double *r) {
  r[0] = log(a[0]);
  integrate_slope(n, a, a, r);
}

/* s' = c a',  c' = -s a' */
void pw_jet_sincos(int n, const double *a, double *s, double *c) {
  s[0] = sin(a[0]);
  c[0] = cos(a[0]);
  for (int k = 1; k <= n; k++) {
    s[k] = slope_times(k, a, c) / k;
    c[k] = -slope_times(k, a, s) / k;
  }
}

/* s' = c a',  c' = s a' */
void pw_jet_sinhcosh(int n, const double *a, double *s, double *c) {
  s[0] = sinh(a[0]);
  c[0] = cosh(a[0]);
  for (int k = 1; k <= n; k++) {
    s[k] = slope_times(k, a, c) / k;
    c[k] = slope_times(k, a, s) / k;
  }
}

/* r' = w a', w = 1 + sign r^2, r_0 given */
static void tangent_series(int n, const double *a, int sign, double *r) {
  double w[PW_JET_ROOM];
  w[0] = 1 + sign * r[0] * r[0];
  for (int k = 1; k <= n; k++) {
    r[k] = slope_times(k, a, w) / k;
    w[k] = 0;
    for (int j = 0; j <= k; j++) {
      w[k] += sign * r[j] * r[k - j];
    }
  }
}

void pw_jet_tan(int n, const double *a, double *r) {
  r[0] = tan(a[0]);
  tangent_series(n, a, 1, r);
}

void pw_jet_tanh(int n, const double *a, double *r) {
  r[0] = tanh(a[0]);
  tangent_series(n, a, -1, r);
}

/* w = sqrt((1 - a)(1 + a)) */
static void arcsine_weight(int n, const double *a, double *w) {
  double below[PW_JET_ROOM], above[PW_JET_ROOM], product[PW_JET_ROOM];
  below[0] = 1 - a[0];
  above[0] = 1 + a[0];
  for (int k = 1; k <= n; k++) {
    below[k] = -a[k];
    above[k] = a[k];
  }
  pw_jet_mul(n, below, above, product);
  pw_jet_sqrt(n, product, w);
}

void pw_jet_asin(int n, const double *a, double *r) {
  double w[PW_JET_ROOM];
  arcsine_weight(n, a, w);
  r[0] = asin(a[0]);
  integrate_slope(n, a, w, r);
}

void pw_jet_acos(int n, const double *a, double *r) {
  pw_jet_asin(n, a, r);
  r[0] = acos(a[0]);
  for (int k = 1; k <= n; k++) {
    r[k] = -r[k];
  }
}

/* r' (1 + a^2) = a' */
void pw_jet_atan(int n, const double *a, double *r) {
  double w[PW_JET_ROOM];
  pw_jet_mul(n, a, a, w);
  w[0] += 1;
  r[0] = atan(a[0]);
  integrate_slope(n, a, w, r);
}

static void square_sum(int n, const double *a, const double *b, double *r) {
  double t[PW_JET_ROOM];
  pw_jet_mul(n, a, a, r);
  pw_jet_mul(n, b, b, t);
  for (int k = 0; k <= n; k++) {
    r[k] += t[k];
  }
}

/* r' (x^2 + y^2) = x y' - y x' */
void pw_jet_atan2(int n, const double *y, const double *x, double *r) {
  double w[PW_JET_ROOM], p[PW_JET_ROOM];
  square_sum(n, x, y, w);
  for (int k = 0; k <= n; k++) {
    p[k] = slope_times(k, y, x) - slope_times(k, x, y);
  }
  r[0] = atan2(y[0], x[0]);
  integrate_quotient(n, p, w, r);
}

void pw_jet_hypot(int n, const double *a, const double *b, double *r) {
  double w[PW_JET_ROOM];
  square_sum(n, a, b, w);
  pw_jet_sqrt(n, w, r);
}

double pw_jet_sign(int n, const double *a) {
  for (int k = 0; k <= n; k++) {
    if (!(a[k] == 0)) {
      return pw_real_sign(a[k]);
    }
  }
  return 0;
}

double pw_jet_compare(int n, const double *a, const double *b) {
  for (int k = 0; k <= n; k++) {
    if (!(a[k] == b[k])) {
      return pw_real_sign(a[k] - b[k]);
    }
  }
  return 0;
}
