// SPDX-License-Identifier: MIT
/* Roots of a quadratic in (cos, sin): on four overlapping arcs, with t = tan(half the angle), it is
 * a quartic whose Bernstein coefficients enclose it; arcs are halved until at most one root is left
 * in each. */
#include <math.h>
#include <string.h>

#include "base/pi.h"
#include "law/scale_solve.h"
#include "solve/contact_exact.h"

double pw_circle_value(const double k[5], double c, double s) {
  return k[0] * c + k[1] * s + k[2] * c * c + k[3] * c * s + k[4] * s * s;
}

bool pw_circle_polish(const double k[5], double *angle) {
  double start = *angle, size = 0;
  for (int i = 0; i < 5; i++) {
    size += fabs(k[i]);
  }
  for (int i = 0; i < 12; i++) {
    double c = cos(*angle), s = sin(*angle);
    double f = pw_circle_value(k, c, s);
    double slope =
        -k[0] * s + k[1] * c - 2 * k[2] * c * s + k[3] * (c * c - s * s) + 2 * k[4] * c * s;
    double step = f / slope;
    if (!(fabs(step) <= 0.5) || !(fabs(*angle - step - start) <= 0.5)) {
      return false;
    }
    *angle -= step;
    if (fabs(step) <= PW_SCALE(ROOT_SETTLED) || fabs(f) <= PW_SCALE(ROOT_ZERO) * size) {
      return true;
    }
    if (i >= 3 && fabs(step) <= PW_SCALE(ROOT_ENOUGH)) {
      return true;
    }
  }
  return false;
}

typedef struct arc {
  double lo, hi;
  double b[5]; /* Bernstein coefficients on [lo, hi] */
} arc;

static double quartic(const double *a, double t) {
  return (((a[4] * t + a[3]) * t + a[2]) * t + a[1]) * t + a[0];
}

/* Monomials on [-h, h] to Bernstein form. */
static void to_bernstein(const double *a, double h, double *b) {
  static const double choose[5] = {1, 4, 6, 4, 1};
  double g[5]; /* coefficients in x, t = h (2 x - 1) */
  for (int i = 0; i < 5; i++) {
    g[i] = 0;
  }
  double power[5] = {1, 0, 0, 0, 0}; /* of (2 x - 1) h */
  for (int k = 0; k < 5; k++) {
    for (int i = 0; i < 5; i++) {
      g[i] += a[k] * power[i];
    }
    for (int i = 4; i >= 0; i--) {
      power[i] = h * ((i > 0 ? 2 * power[i - 1] : 0) - power[i]);
    }
  }
  for (int j = 0; j < 5; j++) {
    b[j] = 0;
    double c = 1; /* binomial(j, i) */
    for (int i = 0; i <= j; i++) {
      b[j] += c / choose[i] * g[i];
      c = c * (j - i) / (i + 1);
    }
  }
}

/* Sign changes; coefficients within rounding of zero count as zero. *touch: one of them is. */
static int sign_changes(const double *b, double tiny, bool *touch) {
  int changes = 0, last = 0;
  *touch = false;
  for (int i = 0; i < 5; i++) {
    int sign = b[i] > tiny ? 1 : b[i] < -tiny ? -1 : 0;
    *touch = *touch || sign == 0;
    changes += sign != 0 && last != 0 && sign != last;
    last = sign != 0 ? sign : last;
  }
  return changes;
}

static void halve(arc *left, arc *right) {
  double b[5];
  memcpy(b, left->b, sizeof b);
  right->lo = 0.5 * (left->lo + left->hi);
  right->hi = left->hi;
  left->hi = right->lo;
  for (int k = 0; k < 5; k++) {
    left->b[k] = b[0];
    right->b[4 - k] = b[4 - k];
    for (int i = 0; i < 4 - k; i++) {
      b[i] = 0.5 * (b[i] + b[i + 1]);
    }
  }
}

/* A bracketed root, by bisection with regula falsi (Illinois). */
static double bracketed(const double *a, double lo, double hi) {
  double f = quartic(a, lo), g = quartic(a, hi);
  for (int i = 0; i < 100 && hi - lo > PW_SCALE(ROOT_WIDTH); i++) {
    double t = i % 4 == 3 ? 0.5 * (lo + hi) : lo - f * (hi - lo) / (g - f);
    if (!(t > lo && t < hi)) {
      t = 0.5 * (lo + hi);
    }
    double y = quartic(a, t);
    if (y == 0) {
      return t;
    }
    if ((y > 0) == (g > 0)) {
      hi = t;
      g = y;
      f *= 0.5;
    } else {
      lo = t;
      f = y;
      g *= 0.5;
    }
  }
  return 0.5 * (lo + hi);
}

static int arc_roots(const double *a, double h, double tiny, double *t, int most) {
  arc stack[64];
  int depth = 1, count = 0;
  stack[0] = (arc){.lo = -h, .hi = h};
  to_bernstein(a, h, stack[0].b);
  while (depth > 0 && count < most) {
    arc *s = &stack[depth - 1];
    bool touch;
    int changes = sign_changes(s->b, tiny, &touch);
    if (changes == 0 && !touch) {
      depth--;
    } else if (changes == 1 && !touch) {
      t[count++] = bracketed(a, s->lo, s->hi);
      depth--;
    } else if (s->hi - s->lo < PW_SCALE(ROOT_DOUBLE) || depth >= 63) {
      t[count++] = 0.5 * (s->lo + s->hi);
      depth--;
    } else {
      halve(s, &stack[depth]);
      depth++;
    }
  }
  return count;
}

int pw_circle_roots(const double k[5], double *angle) {
  const double right = PW_PI / 2; /* h = tan(pi/8) */
  const double h = 0.41421356237309505 * (1 + PW_SCALE(ROOT_OVERLAP));
  double c[5], size = 0;
  int count = 0;
  memcpy(c, k, sizeof c);
  for (int i = 0; i < 5; i++) {
    size += fabs(k[i]);
  }
  if (!(size > 0)) {
    return 0;
  }
  for (int quarter = 0; quarter < 4; quarter++) {
    double a[5] = {c[0] + c[2], 2 * (c[1] + c[3]), 4 * c[4] - 2 * c[2], 2 * (c[1] - c[3]),
                   c[2] - c[0]};
    double t[PW_CIRCLE_MOST / 4];
    int found = arc_roots(a, h, PW_SCALE(ROOT_SETTLED) * size, t, PW_CIRCLE_MOST / 4);
    for (int i = 0; i < found; i++) {
      angle[count] = quarter * right + 2 * atan(t[i]);
      pw_circle_polish(k, &angle[count++]);
    }
    /* the frame turns by a right angle: (cos, sin) becomes (-sin, cos) */
    double turned[5] = {c[1], -c[0], c[4], -c[3], c[2]};
    memcpy(c, turned, sizeof c);
  }
  return count;
}
