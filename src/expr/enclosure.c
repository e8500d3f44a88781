// SPDX-License-Identifier: MIT
/* Operations on forms: products with the square of x replaced by 1/2 + [-1/2, 1/2], functions by
 * Taylor's theorem of second order about the middle of their argument (theory (106), (107)). */
#include "expr/enclosure.h"

#include "expr/op_real.h"

static pw_interval ends(pw_form a) {
  return (pw_interval){a.lo, a.hi};
}

/* 0 times infinity is 0: the infinite factor is a bound, the other one a value. */
static double times(double a, double b) {
  return a == 0 || b == 0 ? 0 : a * b;
}

pw_form pw_form_mul(pw_form a, pw_form b) {
  double both = a.s * b.s, bend = 0.5 * fabs(both);
  double r = bend + (fabs(a.c) + fabs(a.s)) * b.r + (fabs(b.c) + fabs(b.s)) * a.r + a.r * b.r;
  double blur = 0;
  if (a.blur > 0 || b.blur > 0) {
    blur = times(pw_form_size(a), b.blur) + times(pw_form_size(b), a.blur);
  }
  return pw_form_join(a.c * b.c + 0.5 * both, a.c * b.s + a.s * b.c, r,
                      pw_interval_binary(PW_TAPE_MUL, ends(a), ends(b)), blur);
}

pw_form pw_form_square(pw_form a) {
  double bend = 0.5 * a.s * a.s, r = bend + (2 * (fabs(a.c) + fabs(a.s)) + a.r) * a.r;
  double blur = times(2 * pw_form_size(a), a.blur);
  return pw_form_join(a.c * a.c + bend, 2 * a.c * a.s, r, pw_interval_powi(ends(a), 2), blur);
}

/* ---- functions ---- */

/* Over the range of the argument: value and slope in the middle, bounds of |slope| and of |second
 * derivative|. An unknown bound is infinite or NaN; then only the interval remains. */
typedef struct curve {
  double value, slope, steepest, bend;
} curve;

static pw_form along(pw_form a, curve f, pw_interval range, bool tame) {
  double middle = 0.5 * (a.lo + a.hi), radius = 0.5 * (a.hi - a.lo);
  double blur = !tame ? range.hi - range.lo : a.blur > 0 ? times(f.steepest, a.blur) : 0;
  return pw_form_join(f.value + f.slope * (a.c - middle), f.slope * a.s,
                      fabs(f.slope) * a.r + 0.5 * f.bend * radius * radius, range, blur);
}

static double largest(pw_form a) {
  return pw_form_size(a);
}

static double smallest(pw_form a) {
  return a.lo <= 0 && a.hi >= 0 ? 0 : fmin(fabs(a.lo), fabs(a.hi));
}

/* |n x^(n-1)| and |n (n-1) x^(n-2)| are largest where |x| is, or is least for negative powers. */
static double power_bound(pw_form a, double n) {
  return n == 0 ? 1 : pow(n > 0 ? largest(a) : smallest(a), n);
}

static pw_form power(pw_form a, double n, pw_interval range, bool tame) {
  double m = 0.5 * (a.lo + a.hi);
  curve f = {.value = pow(m, n),
             .slope = n * pow(m, n - 1),
             .steepest = fabs(n) * power_bound(a, n - 1),
             .bend = fabs(n * (n - 1)) * power_bound(a, n - 2)};
  return along(a, f, range, tame);
}

pw_form pw_form_powi(pw_form a, int n) {
  if (n == 2) {
    return pw_form_square(a);
  }
  return power(a, n, pw_interval_powi(ends(a), n),
               pw_op_is_tame(PW_TAPE_POWI, n, ends(a), ends(a)));
}

static pw_form reciprocal(pw_form b) {
  pw_interval one = {1, 1};
  pw_interval range = pw_interval_binary(PW_TAPE_DIV, one, ends(b));
  double m = 0.5 * (b.lo + b.hi), least = smallest(b);
  curve f = {.value = 1 / m,
             .slope = -1 / (m * m),
             .steepest = 1 / (least * least),
             .bend = 2 / (least * least * least)};
  return along(b, f, range, pw_op_is_tame(PW_TAPE_DIV, 0, one, ends(b)));
}

static curve curve_of(pw_tape_op op, pw_form a, pw_interval range) {
  double m = 0.5 * (a.lo + a.hi), big = largest(a), small = smallest(a);
  double top = fmax(fabs(range.lo), fabs(range.hi));
  double root, cosine, least;
  switch (op) {
  case PW_TAPE_EXP: return (curve){exp(m), exp(m), range.hi, range.hi};
  case PW_TAPE_LOG:
    return (curve){log(m), 1 / m, 1 / a.lo, a.lo > 0 ? 1 / (a.lo * a.lo) : INFINITY};
  case PW_TAPE_SQRT:
    root = sqrt(m);
    least = a.lo > 0 ? sqrt(a.lo) : 0;
    return (curve){root, 0.5 / root, 0.5 / least, 0.25 / (least * least * least)};
  case PW_TAPE_SIN: return (curve){sin(m), cos(m), 1, top}; /* sin'' = -sin */
  case PW_TAPE_COS: return (curve){cos(m), -sin(m), 1, top};
  case PW_TAPE_TAN:
    return (curve){tan(m), 1 + tan(m) * tan(m), 1 + top * top, 2 * top * (1 + top * top)};
  case PW_TAPE_ASIN:
  case PW_TAPE_ACOS:
    cosine = sqrt(1 - m * m);
    least = sqrt(1 - big * big);
    return (curve){op == PW_TAPE_ASIN ? asin(m) : acos(m),
                   op == PW_TAPE_ASIN ? 1 / cosine : -1 / cosine, 1 / least,
                   big / (least * least * least)};
  case PW_TAPE_ATAN: /* 2 |x| / (1 + x^2)^2 <= 0.65 */
    least = 1 + small * small;
    return (curve){atan(m), 1 / (1 + m * m), 1 / least, fmin(0.65, 2 * big / (least * least))};
  case PW_TAPE_SINH: return (curve){sinh(m), cosh(m), cosh(big), top};
  case PW_TAPE_COSH: return (curve){cosh(m), sinh(m), sinh(big), top};
  default: /* tanh; |2 tanh (1 - tanh^2)| <= 0.77 */
    least = 1 - tanh(small) * tanh(small);
    return (curve){tanh(m), 1 - tanh(m) * tanh(m), least, fmin(0.77, 2 * tanh(big) * least)};
  }
}

/* |x| and sign(x): linear on either side of zero; across zero only the interval remains. */
static pw_form kink(pw_tape_op op, pw_form a, pw_interval range) {
  if (a.lo >= 0 || a.hi < 0) {
    double sign = a.lo >= 0 ? 1 : -1;
    bool is_abs = op == PW_TAPE_ABS;
    return is_abs ? (sign > 0 ? a : pw_form_neg(a))
                  : pw_form_value(a.lo > 0 || a.hi < 0 ? sign : 0);
  }
  pw_form f = pw_form_join(NAN, 0, 0, range, range.hi - range.lo);
  f.lo = op == PW_TAPE_ABS ? 0 : f.lo; /* no rounding: roots need it */
  return f;
}

pw_form pw_form_unary(pw_tape_op op, pw_form a) {
  if (op == PW_TAPE_NEG) {
    return pw_form_neg(a);
  }
  pw_interval range = pw_interval_unary(op, ends(a));
  if (op == PW_TAPE_ABS || op == PW_TAPE_SIGN) {
    return kink(op, a, range);
  }
  return along(a, curve_of(op, a, range), range, pw_op_is_tame(op, 0, ends(a), ends(a)));
}

/* ---- functions of two ---- */

/* The interval alone. */
static pw_form flat(pw_interval range) {
  return pw_form_join(NAN, 0, 0, range, range.hi - range.lo);
}

static pw_form raise(pw_form a, pw_form b) {
  pw_interval range = pw_interval_binary(PW_TAPE_POW, ends(a), ends(b));
  bool tame = pw_op_is_tame(PW_TAPE_POW, 0, ends(a), ends(b));
  if (b.lo == b.hi) {
    return power(a, b.lo, range, tame);
  }
  pw_form log_a = pw_form_unary(PW_TAPE_LOG, a);
  pw_form f = pw_form_unary(PW_TAPE_EXP, pw_form_mul(b, log_a));
  return pw_form_join(f.c, f.s, f.r, range, tame ? f.blur : range.hi - range.lo);
}

static pw_form pick(pw_tape_op op, pw_form a, pw_form b) {
  bool least = op == PW_TAPE_MIN;
  if (a.hi <= b.lo) {
    return least ? a : b;
  }
  if (b.hi <= a.lo) {
    return least ? b : a;
  }
  return flat(pw_interval_binary(op, ends(a), ends(b)));
}

/* atan2(y, x): its gradient is (x, -y)/d^2 at the distance d of the origin, second derivatives are
 * at most 1/d^2. Across the cut only the interval remains. */
static pw_form angle(pw_form y, pw_form x) {
  pw_interval range = pw_interval_binary(PW_TAPE_ATAN2, ends(y), ends(x));
  double near = hypot(smallest(y), smallest(x)), my = 0.5 * (y.lo + y.hi), mx = 0.5 * (x.lo + x.hi);
  double radius = 0.5 * (y.hi - y.lo + x.hi - x.lo), square = my * my + mx * mx;
  double by_y = mx / square, by_x = -my / square, bend = radius / near;
  bool cut = x.lo <= 0 && y.lo <= 0 && y.hi >= 0;
  bool tame = pw_op_is_tame(PW_TAPE_ATAN2, 0, ends(y), ends(x));
  return pw_form_join(cut ? NAN : atan2(my, mx) + by_y * (y.c - my) + by_x * (x.c - mx),
                      by_y * y.s + by_x * x.s,
                      fabs(by_y) * y.r + fabs(by_x) * x.r + 0.5 * bend * bend, range,
                      tame ? (y.blur + x.blur) / near : range.hi - range.lo);
}

pw_form pw_form_binary(pw_tape_op op, pw_form a, pw_form b) {
  switch (op) {
  case PW_TAPE_ADD: return pw_form_add(a, b);
  case PW_TAPE_SUB: return pw_form_sub(a, b);
  case PW_TAPE_MUL: return pw_form_mul(a, b);
  case PW_TAPE_NEGMUL: return pw_form_neg(pw_form_mul(a, b));
  case PW_TAPE_DIV: return pw_form_mul(a, reciprocal(b));
  case PW_TAPE_POW: return raise(a, b);
  case PW_TAPE_HYPOT:
    return pw_form_unary(PW_TAPE_SQRT, pw_form_add(pw_form_square(a), pw_form_square(b)));
  case PW_TAPE_ATAN2: return angle(a, b);
  default: /* min, max */ return pick(op, a, b);
  }
}

pw_form pw_form_choice(pw_form c, pw_form a, pw_form b) {
  if (c.lo >= 0 || c.hi < 0) {
    return c.lo >= 0 ? a : b;
  }
  return flat(pw_interval_choice(ends(c), ends(a), ends(b)));
}
