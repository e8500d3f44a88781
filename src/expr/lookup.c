// SPDX-License-Identifier: MIT
#include "expr/lookup.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"

/* ---- slopes at the points ---- */

/* Second derivatives m of the natural spline: h[i-1] m[i-1] + 2 (h[i-1] + h[i]) m[i] + h[i] m[i+1]
 * = 6 (s[i] - s[i-1]), m = 0 at the ends (de Boor, A Practical Guide to Splines, ch. IV). Thomas'
 * elimination; `d` (n) is scratch. */
static void natural(int n, const double *h, const double *s, double *m, double *d) {
  m[0] = m[n - 1] = 0;
  for (int i = 1; i < n - 1; i++) {
    double below = i > 1 ? h[i - 1] / d[i - 1] : 0;
    d[i] = 2 * (h[i - 1] + h[i]) - below * (i > 1 ? h[i - 1] : 0);
    m[i] = 6 * (s[i] - s[i - 1]) - below * (i > 1 ? m[i - 1] : 0);
  }
  for (int i = n - 2; i >= 1; i--) {
    m[i] = (m[i] - h[i] * m[i + 1]) / d[i];
  }
}

/* The same around the circle, m[n-1] = m[0]: the elimination with a rank-one correction (Sherman
 * and Morrison). z, d, w (n): scratch. */
static void periodic(int n, const double *h, const double *s, double *m, double *z, double *d) {
  int k = n - 1; /* unknowns m[0..k-1] */
  if (k == 1) {
    m[0] = m[1] = 0;
    return;
  }
  double corner = h[k - 1], gamma = -2 * (h[k - 1] + h[0]);
  for (int i = 0; i < k; i++) {
    double left = h[(i + k - 1) % k], diagonal = 2 * (left + h[i]);
    diagonal -= i == 0 ? gamma : 0;
    diagonal -= i == k - 1 ? corner * corner / gamma : 0;
    double below = i > 0 ? h[i - 1] / d[i - 1] : 0;
    double right = 6 * (s[i] - s[(i + k - 1) % k]);
    double u = i == 0 ? gamma : i == k - 1 ? corner : 0;
    d[i] = diagonal - below * (i > 0 ? h[i - 1] : 0);
    m[i] = right - below * (i > 0 ? m[i - 1] : 0);
    z[i] = u - below * (i > 0 ? z[i - 1] : 0);
  }
  for (int i = k - 1; i >= 0; i--) {
    double above = i < k - 1 ? h[i] : 0;
    m[i] = (m[i] - above * (i < k - 1 ? m[i + 1] : 0)) / d[i];
    z[i] = (z[i] - above * (i < k - 1 ? z[i + 1] : 0)) / d[i];
  }
  double part = corner / gamma;
  double factor = (m[0] + part * m[k - 1]) / (1 + z[0] + part * z[k - 1]);
  for (int i = 0; i < k; i++) {
    m[i] -= factor * z[i];
  }
  m[k] = m[0];
}

/* The weighted harmonic mean of the slopes on both sides of a point, 0 where they differ in sign
 * (Fritsch and Butland 1984, as in PCHIP). */
static double harmonic(double h0, double h1, double s0, double s1) {
  double w0 = 2 * h1 + h0, w1 = h1 + 2 * h0;
  return s0 * s1 > 0 ? (w0 + w1) / (w0 / s0 + w1 / s1) : 0;
}

/* Three-point slope at an end, limited to keep the data's monotonicity. */
static double at_end(double h0, double h1, double s0, double s1) {
  double d = ((2 * h0 + h1) * s0 - h0 * s1) / (h0 + h1);
  if (d * s0 <= 0) {
    return 0;
  }
  return s0 * s1 <= 0 && fabs(d) > 3 * fabs(s0) ? 3 * s0 : d;
}

static void monotone_slopes(const pw_lut *t, const double *h, const double *s, double *d) {
  int k = t->n - 1;
  for (int i = 1; i < k; i++) {
    d[i] = harmonic(h[i - 1], h[i], s[i - 1], s[i]);
  }
  if (t->periodic) {
    d[0] = d[k] = harmonic(h[k - 1], h[0], s[k - 1], s[0]);
  } else {
    d[0] = k > 1 ? at_end(h[0], h[1], s[0], s[1]) : s[0];
    d[k] = k > 1 ? at_end(h[k - 1], h[k - 2], s[k - 1], s[k - 2]) : s[0];
  }
}

static void cubic_pieces(const pw_lut *t, const double *h, const double *s, const double *m,
                         double *c) {
  for (int i = 0; i + 1 < t->n; i++) {
    c[4 * i + 1] = s[i] - h[i] * (2 * m[i] + m[i + 1]) / 6;
    c[4 * i + 2] = m[i] / 2;
    c[4 * i + 3] = (m[i + 1] - m[i]) / (6 * h[i]);
  }
}

static void hermite_pieces(const pw_lut *t, const double *h, const double *s, const double *d,
                           double *c) {
  for (int i = 0; i + 1 < t->n; i++) {
    c[4 * i + 1] = d[i];
    c[4 * i + 2] = (3 * s[i] - 2 * d[i] - d[i + 1]) / h[i];
    c[4 * i + 3] = (d[i] + d[i + 1] - 2 * s[i]) / (h[i] * h[i]);
  }
}

void pw_lut_fit(pw_arena *arena, pw_lut *t, const double *y) {
  PW_ASSERT(t->n >= 2);
  size_t n = (size_t)t->n;
  double *c = PW_TAKE(arena, 4 * n, double), *h = PW_TAKE(arena, n, double);
  double *s = PW_TAKE(arena, n, double), *m = PW_TAKE(arena, 3 * n, double);
  for (int i = 0; i + 1 < t->n; i++) {
    h[i] = t->x[i + 1] - t->x[i];
    s[i] = h[i] > 0 ? (y[i + 1] - y[i]) / h[i] : 0;
    c[4 * i] = y[i];
    c[4 * i + 1] = s[i];
  }
  if (t->kind == PW_LUT_CUBIC && t->periodic) {
    periodic(t->n, h, s, m, m + n, m + 2 * n);
    cubic_pieces(t, h, s, m, c);
  } else if (t->kind == PW_LUT_CUBIC) {
    natural(t->n, h, s, m, m + n);
    cubic_pieces(t, h, s, m, c);
  } else if (t->kind == PW_LUT_MONOTONE) {
    monotone_slopes(t, h, s, m);
    hermite_pieces(t, h, s, m, c);
  }
  t->c = c;
  t->first = y[0];
  t->last = y[n - 1];
}

/* ---- pieces ---- */

pw_lut pw_lut_stairs(pw_lut_kind kind) {
  double origin = kind == PW_LUT_FLOOR ? 0 : kind == PW_LUT_CEIL ? -1 : -0.5;
  const char *name = kind == PW_LUT_FLOOR ? "floor" : kind == PW_LUT_CEIL ? "ceil" : "round";
  return (pw_lut){.kind = kind, .name = name, .jumps = true, .origin = origin, .tick = 1};
}

bool pw_lut_is_stairs(const pw_lut *t) {
  return t->kind == PW_LUT_FLOOR || t->kind == PW_LUT_CEIL || t->kind == PW_LUT_ROUND;
}

int pw_lut_degree(const pw_lut *t) {
  return pw_lut_is_stairs(t) ? 0 : t->kind == PW_LUT_LINEAR ? 1 : 3;
}

/* Pieces of one length without end, of which no points are kept. */
static bool is_even(const pw_lut *t) {
  return t->kind == PW_LUT_TICKS || pw_lut_is_stairs(t);
}

static double period(const pw_lut *t) {
  return t->x[t->n - 1] - t->x[0];
}

/* Piece i + 1 of the table as given, and how many periods away. */
static int within(const pw_lut *t, double piece, double *turns) {
  int k = t->n - 1;
  double zeroth = piece - 1;
  *turns = floor(zeroth / k);
  return (int)(zeroth - *turns * k);
}

double pw_lut_begin(const pw_lut *t, double piece) {
  double turns;
  if (is_even(t)) {
    return t->origin + piece * t->tick;
  }
  if (t->periodic) {
    int i = within(t, piece, &turns);
    return t->x[i] + turns * period(t);
  }
  bool open = piece < 1 || (t->extend && piece < 2);
  return open ? -INFINITY : t->x[(int)piece - 1];
}

double pw_lut_end(const pw_lut *t, double piece) {
  if (is_even(t) || t->periodic) {
    return pw_lut_begin(t, piece + 1);
  }
  bool open = piece > t->n - 1 || (t->extend && piece > t->n - 2);
  return open ? INFINITY : t->x[(int)piece];
}

static bool exists(const pw_lut *t, double piece) {
  return is_even(t) || t->periodic ||
         (t->extend ? piece >= 1 && piece <= t->n - 1 : piece >= 0 && piece <= t->n);
}

double pw_lut_beside(const pw_lut *t, double piece, bool up) {
  double next = piece;
  do {
    next += up ? 1 : -1;
  } while (exists(t, next) && !(pw_lut_end(t, next) > pw_lut_begin(t, next)));
  return exists(t, next) ? next : piece;
}

/* The last point that is not after x; -1: none. */
static int point_before(const pw_lut *t, double x) {
  int lo = -1, hi = t->n;
  while (hi - lo > 1) {
    int mid = lo + (hi - lo) / 2;
    if (t->x[mid] <= x) {
      lo = mid;
    } else {
      hi = mid;
    }
  }
  return lo;
}

/* Rounding of the quotient is put right by the points themselves. */
static double tick_piece(const pw_lut *t, double x) {
  double k = floor((x - t->origin) / t->tick);
  k -= pw_lut_begin(t, k) > x ? 1 : 0;
  return k + (pw_lut_begin(t, k + 1) <= x ? 1 : 0);
}

double pw_lut_piece(const pw_lut *t, double x) {
  if (isnan(x)) {
    return NAN;
  }
  switch (t->kind) {
  case PW_LUT_TICKS: return tick_piece(t, x);
  case PW_LUT_FLOOR: return floor(x);
  case PW_LUT_CEIL: return ceil(x);
  case PW_LUT_ROUND: return round(x);
  default: break;
  }
  if (t->periodic) {
    double turns = floor((x - t->x[0]) / period(t));
    int i = point_before(t, x - turns * period(t));
    i = i < 0 ? 0 : i > t->n - 2 ? t->n - 2 : i;
    return turns * (t->n - 1) + i + 1;
  }
  int piece = point_before(t, x) + 1;
  if (t->extend) {
    piece = piece < 1 ? 1 : piece > t->n - 1 ? t->n - 1 : piece;
  }
  return piece;
}

static double coefficient(const pw_lut *t, int k, double piece) {
  double turns;
  if (is_even(t)) {
    return k == 0 && t->kind != PW_LUT_TICKS ? piece : 0;
  }
  if (t->periodic) {
    return t->c[4 * within(t, piece, &turns) + k];
  }
  if (piece < 1 || piece > t->n - 1) {
    return k > 0 ? 0 : piece < 1 ? t->first : t->last;
  }
  return t->c[4 * ((int)piece - 1) + k];
}

/* The polynomial is written about the point where its piece begins as given, also where that
 * reaches further. */
static double base(const pw_lut *t, double piece) {
  bool inside = is_even(t) || t->periodic;
  return inside ? pw_lut_begin(t, piece) : piece < 1 || piece > t->n - 1 ? 0 : t->x[(int)piece - 1];
}

double pw_lut_column_of(const pw_lut *t, pw_lut_column column, double piece) {
  if (!(isfinite(piece) && exists(t, piece))) {
    return NAN;
  }
  double begin = pw_lut_begin(t, piece), end = pw_lut_end(t, piece);
  double length = isinf(begin) || isinf(end) ? 1 : end - begin;
  switch (column) {
  case PW_LUT_BASE: return base(t, piece);
  case PW_LUT_LOW: return isinf(begin) ? 1 : -begin;
  case PW_LUT_LOW_SLOPE: return isinf(begin) ? 0 : 1;
  case PW_LUT_HIGH: return isinf(end) ? 1 : end / length;
  case PW_LUT_HIGH_SLOPE: return isinf(end) ? 0 : -1 / length;
  default: return coefficient(t, (int)column - (int)PW_LUT_C0, piece);
  }
}

double pw_lut_value(const pw_lut *t, int order, double x) {
  double piece = pw_lut_piece(t, x), sum = 0;
  double d = x - base(t, piece);
  for (int k = 3; k >= order; k--) {
    double factor = 1;
    for (int j = 0; j < order; j++) {
      factor *= k - j;
    }
    sum = sum * d + factor * coefficient(t, k, piece);
  }
  return sum;
}
