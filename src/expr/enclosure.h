// SPDX-License-Identifier: MIT
/* Enclosures of functions of one variable x in [-1, 1] (time along a piece of a step): a straight
 * line with a remainder, and an interval. Both contain the function. Lines keep common terms, so
 * that differences do not grow; intervals still hold where lines fail (theory (105)-(108)). */
#ifndef PW_EXPR_ENCLOSURE_H
#define PW_EXPR_ENCLOSURE_H

#include <float.h>
#include <math.h>

#include "expr/interval.h"

typedef struct pw_form {
  double c, s, r; /* the value is in c + s x + [-r, r], */
  double lo, hi;  /* and in [lo, hi] */
  double blur;    /* how far operations that are not tame may change it unseen */
} pw_form;

/* One operation is wrong by at most this part of its result: two units in the last place, which
 * covers arithmetic and the functions of libm. */
#define PW_FORM_EPS (2 * DBL_EPSILON)

static inline pw_form pw_form_value(double x) {
  return (pw_form){.c = x, .lo = x, .hi = x};
}

static inline pw_form pw_form_line(double c, double s, double r) {
  double reach = fabs(s) + r;
  return (pw_form){.c = c, .s = s, .r = r, .lo = c - reach, .hi = c + reach};
}

static inline double pw_form_size(pw_form a) {
  return fmax(fabs(a.lo), fabs(a.hi));
}

/* The part of both enclosures that they have in common. NaN and infinities of the line leave the
 * interval. */
static inline pw_form pw_form_join(double c, double s, double r, pw_interval x, double blur) {
  r += PW_FORM_EPS * (fabs(c) + fabs(s) + r) + DBL_MIN;
  double reach = fabs(s) + r;
  x.lo = fmin(x.lo, DBL_MAX);
  x.hi = fmax(x.hi, -DBL_MAX);
  x.lo -= PW_FORM_EPS * fabs(x.lo) + DBL_MIN;
  x.hi += PW_FORM_EPS * fabs(x.hi) + DBL_MIN;
  pw_form f = {.c = c, .s = s, .r = r, .lo = fmax(x.lo, c - reach), .hi = fmin(x.hi, c + reach)};
  double radius = 0.5 * (f.hi - f.lo);
  if (!(r <= radius)) {
    bool known = radius >= 0 && radius < INFINITY;
    f.c = known ? 0.5 * (f.lo + f.hi) : 0;
    f.s = 0;
    f.r = known ? radius : INFINITY;
  }
  f.blur = blur > 0 ? fmin(blur, f.hi - f.lo) : 0;
  return f;
}

static inline pw_form pw_form_add(pw_form a, pw_form b) {
  return pw_form_join(a.c + b.c, a.s + b.s, a.r + b.r, (pw_interval){a.lo + b.lo, a.hi + b.hi},
                      a.blur + b.blur);
}

static inline pw_form pw_form_neg(pw_form a) {
  return (pw_form){-a.c, -a.s, a.r, -a.hi, -a.lo, a.blur};
}

static inline pw_form pw_form_sub(pw_form a, pw_form b) {
  return pw_form_add(a, pw_form_neg(b));
}

pw_form pw_form_mul(pw_form a, pw_form b);
pw_form pw_form_square(pw_form a);
pw_form pw_form_powi(pw_form a, int n);
pw_form pw_form_unary(pw_tape_op op, pw_form a);
pw_form pw_form_binary(pw_tape_op op, pw_form a, pw_form b);
/* c >= 0 ? a : b */
pw_form pw_form_choice(pw_form c, pw_form a, pw_form b);

/* The operation, on operands as wide as these, creates no feature narrower than about half of the
 * piece: features of the operands are as visible in the result as in the operands. n: exponent of
 * POWI. Sums and products are tame. b: second operand; ignored for other operations. */
bool pw_op_is_tame(pw_tape_op op, int n, pw_interval a, pw_interval b);

/* Enclosures of the outputs of a tape. in: by input index; work: one form per register. */
void pw_tape_tube(const pw_tape *tape, const pw_form *in, pw_form *work, pw_form *out);

#endif
