// SPDX-License-Identifier: MIT
/* Interval arithmetic (Moore, Interval Analysis), without outward rounding: the callers widen. An
 * unknown interval is the whole line. */
#include "expr/interval.h"

#include <math.h>

#include "base/pi.h"
#include "expr/op_real.h"

enum { MOST_POWER = 1000 }; /* whole powers beyond it overflow or vanish: logarithms will do */

static const pw_interval everything = {-INFINITY, INFINITY};

static pw_interval between(double a, double b) {
  if (isnan(a) || isnan(b)) {
    return everything;
  }
  return a <= b ? (pw_interval){a, b} : (pw_interval){b, a};
}

static pw_interval hull(pw_interval a, pw_interval b) {
  return (pw_interval){fmin(a.lo, b.lo), fmax(a.hi, b.hi)};
}

static bool holds_zero(pw_interval a) {
  return a.lo <= 0 && a.hi >= 0;
}

/* Of a monotone function by its values at both ends. */
static pw_interval monotone(double (*f)(double), pw_interval a) {
  return between(f(a.lo), f(a.hi));
}

static pw_interval absolute(pw_interval a) {
  pw_interval r = between(fabs(a.lo), fabs(a.hi));
  return holds_zero(a) ? (pw_interval){0, r.hi} : r;
}

static double product_of(double a, double b) {
  return a == 0 || b == 0 ? 0 : a * b;
}

static pw_interval product(pw_interval a, pw_interval b) {
  pw_interval first = between(product_of(a.lo, b.lo), product_of(a.lo, b.hi));
  return hull(first, between(product_of(a.hi, b.lo), product_of(a.hi, b.hi)));
}

static pw_interval quotient(pw_interval a, pw_interval b) {
  return holds_zero(b) ? everything : product(a, (pw_interval){1 / b.hi, 1 / b.lo});
}

pw_interval pw_interval_powi(pw_interval a, int n) {
  if (n < 0) {
    return quotient((pw_interval){1, 1}, pw_interval_powi(a, -n));
  }
  pw_interval base = n % 2 == 0 ? absolute(a) : a;
  return between(pw_real_powi(base.lo, n), pw_real_powi(base.hi, n));
}

static pw_interval logarithm(pw_interval a) {
  return a.hi < 0 ? everything : (pw_interval){a.lo > 0 ? log(a.lo) : -INFINITY, log(a.hi)};
}

static pw_interval power(pw_interval a, pw_interval b) {
  if (b.lo == b.hi && b.lo == floor(b.lo) && fabs(b.lo) < MOST_POWER) {
    return pw_interval_powi(a, (int)b.lo);
  }
  if (a.lo < 0) {
    return everything;
  }
  return monotone(exp, product(b, logarithm(a)));
}

/* Of the sine; shifted by half a turn its largest value is its least. */
static pw_interval sine(pw_interval a) {
  static const double turn = 2 * PW_PI, quarter = PW_PI / 2;
  if (!(a.hi - a.lo < turn) || !isfinite(a.lo) || !isfinite(a.hi)) {
    return (pw_interval){-1, 1};
  }
  pw_interval r = monotone(sin, a);
  double peak = ceil((a.lo - quarter) / turn) * turn + quarter;
  double trough = ceil((a.lo + quarter) / turn) * turn - quarter;
  return (pw_interval){trough <= a.hi ? -1 : r.lo, peak <= a.hi ? 1 : r.hi};
}

static pw_interval cosine(pw_interval a) {
  static const double quarter = PW_PI / 2;
  return sine((pw_interval){a.lo + quarter, a.hi + quarter});
}

static pw_interval tangent(pw_interval a) {
  pw_interval c = cosine(a);
  return holds_zero(c) ? everything : monotone(tan, a);
}

static pw_interval inverse(double (*f)(double), pw_interval a) {
  return a.hi < -1 || a.lo > 1 ? everything
                               : monotone(f, (pw_interval){fmax(a.lo, -1), fmin(a.hi, 1)});
}

pw_interval pw_interval_unary(pw_tape_op op, pw_interval a) {
  switch (op) {
  case PW_TAPE_NEG: return (pw_interval){-a.hi, -a.lo};
  case PW_TAPE_ABS: return absolute(a);
  case PW_TAPE_SQRT: return a.hi < 0 ? everything : (pw_interval){sqrt(fmax(a.lo, 0)), sqrt(a.hi)};
  case PW_TAPE_EXP: return monotone(exp, a);
  case PW_TAPE_LOG: return logarithm(a);
  case PW_TAPE_SIN: return sine(a);
  case PW_TAPE_COS: return cosine(a);
  case PW_TAPE_TAN: return tangent(a);
  case PW_TAPE_ASIN: return inverse(asin, a);
  case PW_TAPE_ACOS: return inverse(acos, a);
  case PW_TAPE_ATAN: return monotone(atan, a);
  case PW_TAPE_SINH: return monotone(sinh, a);
  case PW_TAPE_COSH: return monotone(cosh, absolute(a));
  case PW_TAPE_TANH: return monotone(tanh, a);
  default: /* sign */ return (pw_interval){pw_real_sign(a.lo), pw_real_sign(a.hi)};
  }
}

static pw_interval angle(pw_interval y, pw_interval x) {
  if (holds_zero(y) && x.lo <= 0) {
    return (pw_interval){-PW_PI, PW_PI};
  }
  pw_interval first = between(atan2(y.lo, x.lo), atan2(y.lo, x.hi));
  return hull(first, between(atan2(y.hi, x.lo), atan2(y.hi, x.hi)));
}

pw_interval pw_interval_binary(pw_tape_op op, pw_interval a, pw_interval b) {
  switch (op) {
  case PW_TAPE_ADD: return between(a.lo + b.lo, a.hi + b.hi);
  case PW_TAPE_SUB: return between(a.lo - b.hi, a.hi - b.lo);
  case PW_TAPE_MUL: return product(a, b);
  case PW_TAPE_NEGMUL: return pw_interval_unary(PW_TAPE_NEG, product(a, b));
  case PW_TAPE_DIV: return quotient(a, b);
  case PW_TAPE_POW: return power(a, b);
  case PW_TAPE_ATAN2: return angle(a, b);
  case PW_TAPE_HYPOT:
    a = absolute(a);
    b = absolute(b);
    return (pw_interval){hypot(a.lo, b.lo), hypot(a.hi, b.hi)};
  case PW_TAPE_MIN: return (pw_interval){fmin(a.lo, b.lo), fmin(a.hi, b.hi)};
  default: /* max */ return (pw_interval){fmax(a.lo, b.lo), fmax(a.hi, b.hi)};
  }
}

pw_interval pw_interval_choice(pw_interval c, pw_interval a, pw_interval b) {
  return c.lo >= 0 ? a : c.hi < 0 ? b : hull(a, b);
}
