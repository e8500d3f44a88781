// SPDX-License-Identifier: MIT
#include "law/set.h"

#include <math.h>
#include <stddef.h>

#include "base/assert.h"
#include "base/pi.h"
#include "base/real.h"

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

pw_law_set pw_law_ball(double radius, int n) {
  PW_ASSERT(n >= 1 && n <= PW_LAW_MOST);
  return n == 1   ? pw_law_interval(-radius, radius)
         : n == 2 ? pw_law_disk(radius)
                  : (pw_law_set){.shape = PW_LAW_ELLIPSOID, .axis = {radius, radius, radius}};
}

int pw_law_set_dimension(const pw_law_set *set) {
  return set->shape == PW_LAW_INTERVAL ? 1 : set->shape == PW_LAW_ELLIPSE ? 2 : 3;
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
  if (set.shape == PW_LAW_INTERVAL) {
    return pw_law_interval(times(set.lo, factor[0]), times(set.hi, factor[0]));
  }
  for (int k = 0; k < pw_law_set_dimension(&set); k++) {
    set.axis[k] = times(set.axis[k], factor[k]);
  }
  return set;
}

pw_law_set pw_law_set_scaled(pw_law_set set, double factor) {
  PW_ASSERT(!(factor < 0));
  return pw_law_set_stretched(set, (const double[PW_LAW_MOST]){factor, factor, factor});
}

pw_law_set pw_law_set_hull(pw_law_set a, pw_law_set b) {
  PW_ASSERT(a.shape == PW_LAW_INTERVAL && b.shape == PW_LAW_INTERVAL);
  return pw_law_interval(fmin(a.lo, b.lo), fmax(a.hi, b.hi));
}

pw_law_set pw_law_set_with_zero(pw_law_set set) {
  return set.shape == PW_LAW_INTERVAL ? pw_law_set_hull(set, pw_law_point(0)) : set;
}

bool pw_law_set_is_number(const pw_law_set *set) {
  if (set->shape == PW_LAW_INTERVAL) {
    return !isnan(set->lo) && !isnan(set->hi);
  }
  return !isnan(pw_norm_inf(set->axis, pw_law_set_dimension(set)));
}

bool pw_law_set_is_larger(const pw_law_set *a, const pw_law_set *b) {
  return a->shape == PW_LAW_INTERVAL ? a->hi > b->hi : a->axis[0] > b->axis[0];
}

bool pw_law_set_is_empty(const pw_law_set *set) {
  if (set->shape == PW_LAW_INTERVAL) {
    return !(set->lo <= set->hi);
  }
  bool empty = false;
  for (int k = 0; k < pw_law_set_dimension(set); k++) {
    empty = empty || !(set->axis[k] >= 0);
  }
  return empty;
}

/* ---- ellipses and ellipsoids ---- */

/* The nearest point x of the ellipsoid to y outside of it satisfies x_i = a_i^2 y_i / (a_i^2 + s)
 * with the one s > 0 at which x lies on the boundary. In z = s/b^2 with the shortest half axis b,
 *   F(z) = sum (r_i w_i/(z + r_i))^2 - 1,   r_i = (a_i/b)^2, w_i = |y_i|/a_i,
 * falls and is convex, so that Newton's method from the left of the root does not pass it. */
static double nearest_parameter(const double *r, const double *w, int n) {
  double z = 0;
  for (int i = 0; i < n; i++) { /* where one term alone is 1 */
    z = pw_max(z, r[i] * (w[i] - 1));
  }
  for (int k = 0; k < MOST_ITERATIONS; k++) {
    double F = -1, slope = 0;
    for (int i = 0; i < n; i++) {
      double p = r[i] * w[i] / (z + r[i]);
      F += p * p;
      slope -= 2 * p * p / (z + r[i]);
    }
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

/* The axes along which it is not flat. */
static int thick_axes(const double *axis, int n, int *at) {
  int m = 0;
  for (int i = 0; i < n; i++) {
    if (axis[i] > 0) {
      at[m++] = i;
    }
  }
  return m;
}

static void project_ellipsoid(const double *axis, int n, const double *x, double *out) {
  int at[PW_LAW_MOST], m = thick_axes(axis, n, at);
  double r[PW_LAW_MOST], w[PW_LAW_MOST], y[PW_LAW_MOST], shortest = INFINITY;
  for (int i = 0; i < n; i++) {
    y[i] = x[i];
    out[i] = 0;
  }
  for (int i = 0; i < m; i++) {
    w[i] = fabs(y[at[i]]) / axis[at[i]];
    shortest = fmin(shortest, axis[at[i]]);
  }
  if (pw_length(w, m) <= 1) {
    for (int i = 0; i < m; i++) {
      out[at[i]] = y[at[i]];
    }
    return;
  }
  if (m == 1) {
    out[at[0]] = copysign(axis[at[0]], y[at[0]]);
    return;
  }

  for (int i = 0; i < m; i++) {
    double ratio = axis[at[i]] / shortest;
    r[i] = ratio * ratio;
  }
  double z = nearest_parameter(r, w, m);
  for (int i = 0; i < m; i++) {
    out[at[i]] = copysign(axis[at[i]] * (r[i] * w[i] / (z + r[i])), y[at[i]]);
  }
}

/* ---- all shapes ---- */

void pw_law_set_project(const pw_law_set *set, const double *x, double *out) {
  PW_ASSERT(!pw_law_set_is_empty(set));
  if (set->shape == PW_LAW_INTERVAL) {
    out[0] = fmin(fmax(x[0], set->lo), set->hi);
    return;
  }
  project_ellipsoid(set->axis, pw_law_set_dimension(set), x, out);
}

/* s of the projection x of y, from the component that determines it best; 0 inside. */
static double parameter_of(const double *axis, const int *at, int m, const double *y,
                           const double *x) {
  double s = 0, most = 0;
  for (int i = 0; i < m; i++) {
    int k = at[i];
    if (fabs(x[k] / axis[k]) > most) {
      most = fabs(x[k] / axis[k]);
      s = axis[k] * axis[k] * (y[k] - x[k]) / x[k];
    }
  }
  return s;
}

/* With x_i = a_i^2 y_i/(a_i^2 + s) and sum (a_i y_i/(a_i^2 + s))^2 = 1:
 *   P = diag(a_i^2/(a_i^2 + s)) - w w^T / sum a_i^2 y_i^2/(a_i^2 + s)^3,
 *   w_i = a_i^2 y_i/(a_i^2 + s)^2. */
static void ellipsoid_slope(const double *axis, int n, const double *y, double *P) {
  int at[PW_LAW_MOST], m = thick_axes(axis, n, at);
  double x[PW_LAW_MOST], w[PW_LAW_MOST] = {0}, D[PW_LAW_MOST] = {0}, sum = 0;
  project_ellipsoid(axis, n, y, x);
  double s = parameter_of(axis, at, m, y, x);
  for (int i = 0; i < m; i++) {
    int k = at[i];
    double square = axis[k] * axis[k];
    D[k] = square / (square + s);
    w[k] = s > 0 ? D[k] * D[k] * y[k] / square : 0;
    sum += D[k] * w[k] * y[k] / square;
  }
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      P[n * j + i] = (i == j) * D[i] - (sum > 0 ? w[i] * w[j] / sum : 0);
    }
  }
}

void pw_law_set_project_slope(const pw_law_set *set, const double *x, double *P) {
  if (set->shape == PW_LAW_INTERVAL) {
    P[0] = x[0] >= set->lo && x[0] <= set->hi ? 1 : 0;
    return;
  }
  ellipsoid_slope(set->axis, pw_law_set_dimension(set), x, P);
}

double pw_law_set_distance(const pw_law_set *set, const double *x) {
  double way[PW_LAW_MOST] = {0};
  int n = pw_law_set_dimension(set);
  pw_law_set_project(set, x, way);
  for (int k = 0; k < n; k++) {
    way[k] = x[k] - way[k];
  }
  return pw_length(way, n);
}

bool pw_law_set_contains(const pw_law_set *set, const double *x, double room) {
  return !pw_law_set_is_empty(set) && pw_law_set_distance(set, x) <= room;
}

double pw_law_set_support(const pw_law_set *set, const double *d, double *out) {
  double scratch[PW_LAW_MOST], *x = out != NULL ? out : scratch;
  if (set->shape == PW_LAW_INTERVAL) {
    x[0] = d[0] > 0 ? set->hi : d[0] < 0 ? set->lo : fmin(fmax(0, set->lo), set->hi);
    return d[0] == 0 ? 0 : d[0] * x[0];
  }

  /* x_i = a_i^2 d_i / |(a d)| */
  int n = pw_law_set_dimension(set);
  double p[PW_LAW_MOST];
  for (int k = 0; k < n; k++) {
    p[k] = set->axis[k] * d[k];
  }
  double size = pw_length(p, n);
  for (int k = 0; k < n; k++) {
    x[k] = size > 0 ? set->axis[k] * (p[k] / size) : 0;
  }
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

  if (set->shape == PW_LAW_ELLIPSOID) {
    enum { BOX = 1 << PW_LAW_MOST };
    for (int i = 0; i < BOX * PW_LAW_MOST; i++) {
      double axis = set->axis[i % PW_LAW_MOST];
      out[i] = (i / PW_LAW_MOST >> i % PW_LAW_MOST & 1) != 0 ? -axis : axis;
    }
    return BOX;
  }

  /* A circle of radius 1/cos(pi/n) goes through the corners of the polygon around the unit one. */
  double wide = 1 / cos(PW_PI / n);
  for (int i = 0; i < n; i++) {
    double angle = 2 * PW_PI * i / n;
    out[2 * i] = set->axis[0] * wide * cos(angle);
    out[2 * i + 1] = set->axis[1] * wide * sin(angle);
  }
  return n;
}
