// SPDX-License-Identifier: MIT
/* The features that an operation can hide (theory (109)). A function that is analytic within a
 * distance R of the middle m of an interval of radius d is there a power series in (x - m)/R: with
 * d/R below about a half only few terms matter. Then it has at most one hump or rise, and points a
 * quarter of the interval apart detect it. */
#include "expr/enclosure.h"

#include "base/pi.h"

static const double most_growth = 4;      /* of an exponent: a bell from exp(-4) to 1 and back */
static const double most_ratio = 4;       /* of sizes: d/R = 0.6 for a pole at zero */
static const double most_of_radius = 0.6; /* the same, of the distance of a pole */
enum { LOW_POWER = 8 };                   /* x^n up to here is resolved as well as its samples */

static bool is_near(pw_interval a, double radius) {
  return a.hi - a.lo <= 2 * radius;
}

static double middle(pw_interval a) {
  return 0.5 * (a.lo + a.hi);
}

/* A pole or branch point at zero; x^n also grows. */
static bool is_off_zero(pw_interval a, double n) {
  double least = fmin(fabs(a.lo), fabs(a.hi)), most = fmax(fabs(a.lo), fabs(a.hi));
  bool one_side = a.lo > 0 || a.hi < 0;
  return one_side && most <= most_ratio * least &&
         (fabs(n) <= 1 || fabs(n) * log(most / least) <= most_growth);
}

static bool is_power_tame(pw_interval a, double n) {
  bool low = n >= 0 && n <= LOW_POWER && n == floor(n);
  return low ? isfinite(a.lo) && isfinite(a.hi) : is_off_zero(a, n);
}

static bool is_tangent_tame(pw_interval a) {
  double m = middle(a), turn = m - PW_PI * floor(m / PW_PI + 0.5); /* poles at +-pi/2 */
  return is_near(a, most_of_radius * (PW_PI / 2 - fabs(turn)));
}

/* Away from the origin of the plane. */
static bool is_angle_tame(pw_interval a, pw_interval b) {
  double radius = hypot(0.5 * (a.hi - a.lo), 0.5 * (b.hi - b.lo));
  return radius <= most_of_radius * hypot(middle(a), middle(b));
}

bool pw_op_is_tame(pw_tape_op op, int n, pw_interval a, pw_interval b) {
  switch (op) {
  case PW_TAPE_EXP:
  case PW_TAPE_SINH:
  case PW_TAPE_COSH: return is_near(a, most_growth / 2);
  case PW_TAPE_SIN:
  case PW_TAPE_COS:
  case PW_TAPE_SINCOS: return is_near(a, PW_PI / 2); /* half a wave */
  case PW_TAPE_TANH: return is_near(a, PW_PI / 2);   /* poles at +-i pi/2 */
  case PW_TAPE_ATAN: return is_near(a, hypot(1, middle(a)));
  case PW_TAPE_TAN: return is_tangent_tame(a);
  case PW_TAPE_ASIN:
  case PW_TAPE_ACOS: return is_near(a, most_of_radius * (1 - fabs(middle(a))));
  case PW_TAPE_SQRT:
  case PW_TAPE_LOG: return a.lo > 0 && is_off_zero(a, 1);
  case PW_TAPE_DIV: return is_off_zero(b, -1);
  case PW_TAPE_POWI: return is_power_tame(a, n);
  case PW_TAPE_POW:
    return b.lo == b.hi ? is_power_tame(a, b.lo)
                        : a.lo > 0 && is_off_zero(a, fmax(fabs(b.lo), fabs(b.hi))) &&
                              (b.hi - b.lo) * fmax(fabs(log(a.lo)), fabs(log(a.hi))) <= most_growth;
  case PW_TAPE_ATAN2:
  case PW_TAPE_HYPOT: return is_angle_tame(a, b);
  case PW_TAPE_ABS:
  case PW_TAPE_SIGN:
  case PW_TAPE_SELECT: return a.lo >= 0 || a.hi < 0;
  case PW_TAPE_MIN:
  case PW_TAPE_MAX: return a.hi <= b.lo || b.hi <= a.lo;
  default: return true;
  }
}
