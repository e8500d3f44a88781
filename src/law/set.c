// SPDX-License-Identifier: MIT
#include "law/set.h"

#include <math.h>
#include <stddef.h>

#include "base/assert.h"
#include "base/real.h"

static const double two_pi = 6.28318530717958647692;

enum { MOST_ITERATIONS = 200 };

pw_law_set pw_law_interval(double lo, double hi) {
  return (pw_law_set){.shape = PW_LAW_INTERVAL, .lo = lo, .hi = hi};
}

pw_law_set pw_law_point(double x) {
  return pw_law_interval(x, x);
}

pw_law_set pw_law_line(void) {
  return pw_law_interval(-INFINITY, INFINITY);
}

pw_law_set pw_law_pushes(void) {
  return pw_law_interval(0, INFINITY);
}

pw_law_set pw_law_disk(double radius) {
  return pw_law_ellipse(radius, radius);
}

pw_law_set pw_law_ellipse(double a, double b) {
  return (pw_law_set){.shape = PW_LAW_ELLIPSE, .axis = {a, b}};
}

int pw_law_set_dimension(const pw_law_set *set) {
  return set->shape == PW_LAW_ELLIPSE ? 2 : 1;
}

pw_law_set pw_law_set_extent(const pw_law_set *set, int k) {
  PW_ASSERT(k >= 0 && k < pw_law_set_dimension(set));
  bool interval = set->shape == PW_LAW_INTERVAL;
  return pw_law_interval(interval ? set->lo : -set->axis[k], interval ? set->hi : set->axis[k]);
}

static double times(double bound, double factor) {
  return bound == 0 || factor == 0 ? 0 : bound * factor;
}

pw_law_set pw_law_set_stretched(pw_law_set set, const double *factor) {
  bool interval = set.shape == PW_LAW_INTERVAL;
  return interval ? pw_law_interval(times(set.lo, factor[0]), times(set.hi, factor[0]))
                  : pw_law_ellipse(times(set.axis[0], factor[0]), times(set.axis[1], factor[1]));
}

pw_law_set pw_law_set_scaled(pw_law_set set, double factor) {
  PW_ASSERT(!(factor < 0));
  return pw_law_set_stretched(set, (const double[2]){factor, factor});
}

pw_law_set pw_law_set_hull(pw_law_set a, pw_law_set b) {
  PW_ASSERT(a.shape == PW_LAW_INTERVAL && b.shape == PW_LAW_INTERVAL);
  return pw_law_interval(fmin(a.lo, b.lo), fmax(a.hi, b.hi));
}

pw_law_set pw_law_set_with_zero(pw_law_set set) {
  return set.shape == PW_LAW_INTERVAL ? pw_law_set_hull(set, pw_law_point(0)) : set;
}

bool pw_law_set_is_number(const pw_law_set *set) {
  return set->shape == PW_LAW_INTERVAL ? !isnan(set->lo) && !isnan(set->hi)
                                       : !isnan(set->axis[0]) && !isnan(set->axis[1]);
}

bool pw_law_set_is_larger(const pw_law_set *a, const pw_law_set *b) {
  return a->shape == PW_LAW_INTERVAL ? a->hi > b->hi : a->axis[0] > b->axis[0];
}

bool pw_law_set_is_empty(const pw_law_set *set) {
  if (set->shape == PW_LAW_INTERVAL) {
    return !(set->lo <= set->hi);
  }
  return !(set->axis[0] >= 0 && set->axis[1] >= 0);
}

/* ---- ellipses ---- */

/* The nearest point x of the ellipse to y outside of it satisfies x_i = a_i^2 y_i / (a_i^2 + s)
 * with the one s > 0 at which x lies on the boundary. In z = s/b^2 with the shorter half axis b,
 *   F(z) = (r0 w0/(z + r0))^2 + (w1/(z + 1))^2 - 1,   r0 = (a/b)^2, w = y/a resp. y/b,
 * falls and is convex, so that Newton's method from the left of the root does not pass it. */
static double nearest_parameter(double r0, double w0, double w1) {
  double z = pw_max(w1 - 1, 0);

  for (int i = 0; i < MOST_ITERATIONS; i++) {
    double p = r0 * w0 / (z + r0), q = w1 / (z + 1);
    double F = p * p + q * q - 1;
    double slope = -2 * (p * p / (z + r0) + q * q / (z + 1));
    if (!(F > 0) || !(slope < 0)) {
      break;
    }
    double next = z - F / slope;
    if (!(next > z)) {
      break;
    }
    z = next;
  }
  return z;
}

static void project_segment(double axis, double x, double *along, double *across) {
  *along = fmin(fmax(x, -axis), axis);
  *across = 0;
}

static void project_ellipse(const double *axis, const double *x, double *out) {
  if (!(axis[0] > 0) || !(axis[1] > 0)) { /* a segment or a point */
    bool first = axis[0] > 0;
    project_segment(axis[first ? 0 : 1], x[first ? 0 : 1], &out[first ? 0 : 1],
                    &out[first ? 1 : 0]);
    return;
  }
  if (hypot(x[0] / axis[0], x[1] / axis[1]) <= 1) {
    out[0] = x[0];
    out[1] = x[1];
    return;
  }

  int longer = axis[0] >= axis[1] ? 0 : 1;
  double a = axis[longer], b = axis[1 - longer];
  double r0 = a / b * (a / b);
  double w0 = fabs(x[longer]) / a, w1 = fabs(x[1 - longer]) / b;
  double z = nearest_parameter(r0, w0, w1);
  out[longer] = copysign(a * (r0 * w0 / (z + r0)), x[longer]);
  out[1 - longer] = copysign(b * (w1 / (z + 1)), x[1 - longer]);
}

/* ---- all shapes ---- */

void pw_law_set_project(const pw_law_set *set, const double *x, double *out) {
  PW_ASSERT(!pw_law_set_is_empty(set));
  if (set->shape == PW_LAW_INTERVAL) {
    out[0] = fmin(fmax(x[0], set->lo), set->hi);
    return;
  }
  double y[2] = {x[0], x[1]};
  project_ellipse(set->axis, y, out);
}

/* With x_i = a_i^2 y_i/(a_i^2 + s) and sum (a_i y_i/(a_i^2 + s))^2 = 1:
 *   P = diag(a_i^2/(a_i^2 + s)) - w w^T / sum a_i^2 y_i^2/(a_i^2 + s)^3,
 *   w_i = a_i^2 y_i/(a_i^2 + s)^2. */
static void ellipse_slope(const double *axis, const double *y, double *P) {
  double x[2];
  if (!(axis[0] > 0) || !(axis[1] > 0)) { /* a segment or a point */
    P[0] = fabs(y[0]) < axis[0];
    P[3] = fabs(y[1]) < axis[1];
    P[1] = P[2] = 0;
    return;
  }
  project_ellipse(axis, y, x);
  bool inside = x[0] == y[0] && x[1] == y[1];
  double w[2], D[2], sum = 0;

  for (int i = 0; i < 2; i++) {
    /* a_i^2/(a_i^2 + s) = x_i/y_i, and 1/(a_i^2 + s) = x_i/(a_i^2 y_i) */
    double square = axis[i] * axis[i];
    double ratio = y[i] != 0 ? x[i] / y[i] : 0;
    if (y[i] == 0 && !inside && y[1 - i] != 0) { /* s from the other component */
      double s = axis[1 - i] * (fabs(y[1 - i]) - axis[1 - i]);
      ratio = square / (square + s);
    }
    D[i] = inside ? 1 : ratio;
    w[i] = inside ? 0 : D[i] * D[i] * y[i] / square;
    sum += D[i] * w[i] * y[i] / square;
  }
  for (int i = 0; i < 2; i++) {
    for (int j = 0; j < 2; j++) {
      P[2 * j + i] = (i == j) * D[i] - (sum > 0 ? w[i] * w[j] / sum : 0);
    }
  }
}

void pw_law_set_project_slope(const pw_law_set *set, const double *x, double *P) {
  if (set->shape == PW_LAW_INTERVAL) {
    P[0] = x[0] >= set->lo && x[0] <= set->hi ? 1 : 0;
    return;
  }
  ellipse_slope(set->axis, x, P);
}

double pw_law_set_distance(const pw_law_set *set, const double *x) {
  double nearest[2] = {0, 0};
  pw_law_set_project(set, x, nearest);
  if (set->shape == PW_LAW_INTERVAL) {
    return fabs(x[0] - nearest[0]);
  }
  return hypot(x[0] - nearest[0], x[1] - nearest[1]);
}

bool pw_law_set_contains(const pw_law_set *set, const double *x, double room) {
  return !pw_law_set_is_empty(set) && pw_law_set_distance(set, x) <= room;
}

double pw_law_set_support(const pw_law_set *set, const double *d, double *out) {
  double scratch[2], *x = out != NULL ? out : scratch;
  if (set->shape == PW_LAW_INTERVAL) {
    x[0] = d[0] > 0 ? set->hi : d[0] < 0 ? set->lo : fmin(fmax(0, set->lo), set->hi);
    return d[0] == 0 ? 0 : d[0] * x[0];
  }

  /* x_i = a_i^2 d_i / |(a d)| */
  double p = set->axis[0] * d[0], q = set->axis[1] * d[1], size = hypot(p, q);
  x[0] = size > 0 ? set->axis[0] * (p / size) : 0;
  x[1] = size > 0 ? set->axis[1] * (q / size) : 0;
  return size;
}

int pw_law_set_edges(const pw_law_set *set, int n, double *out) {
  if (set->shape == PW_LAW_INTERVAL) {
    int count = 0;
    if (isfinite(set->lo)) {
      out[count++] = set->lo;
    }
    if (isfinite(set->hi) && set->hi != set->lo) {
      out[count++] = set->hi;
    }
    return count;
  }

  /* A circle of radius 1/cos(pi/n) goes through the corners of the polygon around the unit one. */
  double wide = 1 / cos(two_pi / (2 * n));
  for (int i = 0; i < n; i++) {
    double angle = two_pi * i / n;
    out[2 * i] = set->axis[0] * wide * cos(angle);
    out[2 * i + 1] = set->axis[1] * wide * sin(angle);
  }
  return n;
}
