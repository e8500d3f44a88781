// SPDX-License-Identifier: MIT
/* Runs a tape on intervals (Moore, Interval Analysis): every value that the program takes for
 * inputs in the given intervals lies in the result, but for rounding. An interval that cannot be
 * known is the whole line. */
#include <math.h>

#include "expr/op_real.h"
#include "expr/tape_code.h"

typedef struct range {
  double lo, hi;
} range;

static const range everything = {-INFINITY, INFINITY};

static range between(double a, double b) {
  if (isnan(a) || isnan(b)) {
    return everything;
  }
  return a <= b ? (range){a, b} : (range){b, a};
}

static range hull(range a, range b) {
  return (range){fmin(a.lo, b.lo), fmax(a.hi, b.hi)};
}

static bool holds_zero(range a) {
  return a.lo <= 0 && a.hi >= 0;
}

/* Of a monotone function by its values at both ends. */
static range monotone(double (*f)(double), range a) {
  return between(f(a.lo), f(a.hi));
}

static range absolute(range a) {
  range r = between(fabs(a.lo), fabs(a.hi));
  return holds_zero(a) ? (range){0, r.hi} : r;
}

static double product_of(double a, double b) {
  return a == 0 || b == 0 ? 0 : a * b;
}

static range product(range a, range b) {
  range first = between(product_of(a.lo, b.lo), product_of(a.lo, b.hi));
  return hull(first, between(product_of(a.hi, b.lo), product_of(a.hi, b.hi)));
}

static range quotient(range a, range b) {
  return holds_zero(b) ? everything : product(a, (range){1 / b.hi, 1 / b.lo});
}

static range integer_power(range a, int n) {
  if (n < 0) {
    return quotient((range){1, 1}, integer_power(a, -n));
  }
  range base = n % 2 == 0 ? absolute(a) : a;
  return between(pw_real_powi(base.lo, n), pw_real_powi(base.hi, n));
}

static range logarithm(range a) {
  return a.hi < 0 ? everything : (range){a.lo > 0 ? log(a.lo) : -INFINITY, log(a.hi)};
}

static range power(range a, range b) {
  if (b.lo == b.hi && b.lo == floor(b.lo) && fabs(b.lo) < 1000) {
    return integer_power(a, (int)b.lo);
  }
  if (a.lo < 0) {
    return everything;
  }
  return monotone(exp, product(b, logarithm(a)));
}

/* Of the sine; shifted by half a turn its largest value is its least. */
static range sine(range a) {
  static const double turn = 6.283185307179586, quarter = 1.5707963267948966;
  if (!(a.hi - a.lo < turn) || !isfinite(a.lo) || !isfinite(a.hi)) {
    return (range){-1, 1};
  }
  range r = monotone(sin, a);
  double peak = ceil((a.lo - quarter) / turn) * turn + quarter;
  double trough = ceil((a.lo + quarter) / turn) * turn - quarter;
  return (range){trough <= a.hi ? -1 : r.lo, peak <= a.hi ? 1 : r.hi};
}

static range cosine(range a) {
  static const double quarter = 1.5707963267948966;
  return sine((range){a.lo + quarter, a.hi + quarter});
}

static range tangent(range a) {
  range c = cosine(a);
  return holds_zero(c) ? everything : monotone(tan, a);
}

static range inverse(double (*f)(double), range a) {
  return a.hi < -1 || a.lo > 1 ? everything : monotone(f, (range){fmax(a.lo, -1), fmin(a.hi, 1)});
}

static range unary(pw_tape_op op, range a) {
  switch (op) {
  case PW_TAPE_NEG: return (range){-a.hi, -a.lo};
  case PW_TAPE_ABS: return absolute(a);
  case PW_TAPE_SQRT: return a.hi < 0 ? everything : (range){sqrt(fmax(a.lo, 0)), sqrt(a.hi)};
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
  default: /* sign */ return (range){pw_real_sign(a.lo), pw_real_sign(a.hi)};
  }
}

static range angle(range y, range x) {
  static const double half_turn = 3.141592653589793;
  if (holds_zero(y) && x.lo <= 0) {
    return (range){-half_turn, half_turn};
  }
  range first = between(atan2(y.lo, x.lo), atan2(y.lo, x.hi));
  return hull(first, between(atan2(y.hi, x.lo), atan2(y.hi, x.hi)));
}

static range binary(pw_tape_op op, range a, range b) {
  switch (op) {
  case PW_TAPE_ADD: return between(a.lo + b.lo, a.hi + b.hi);
  case PW_TAPE_SUB: return between(a.lo - b.hi, a.hi - b.lo);
  case PW_TAPE_MUL: return product(a, b);
  case PW_TAPE_NEGMUL: return unary(PW_TAPE_NEG, product(a, b));
  case PW_TAPE_DIV: return quotient(a, b);
  case PW_TAPE_POW: return power(a, b);
  case PW_TAPE_ATAN2: return angle(a, b);
  case PW_TAPE_HYPOT:
    a = absolute(a);
    b = absolute(b);
    return (range){hypot(a.lo, b.lo), hypot(a.hi, b.hi)};
  case PW_TAPE_MIN: return (range){fmin(a.lo, b.lo), fmin(a.hi, b.hi)};
  default: /* max */ return (range){fmax(a.lo, b.lo), fmax(a.hi, b.hi)};
  }
}

/* The same, of two registers: a product of one with itself is a square. */
static range pair(pw_tape_op op, const range *a, const int *arg) {
  bool square = arg[0] == arg[1] && (op == PW_TAPE_MUL || op == PW_TAPE_NEGMUL);
  range r = square ? integer_power(a[0], 2) : binary(op, a[0], a[1]);
  return square && op == PW_TAPE_NEGMUL ? unary(PW_TAPE_NEG, r) : r;
}

static range fused(pw_tape_op op, const range *a, const int *arg) {
  const pw_fusion *f = pw_tape_fusion(op);
  if (op == PW_TAPE_MUL_MUL && arg[0] == arg[1] && arg[1] == arg[2]) {
    return integer_power(a[0], 3);
  }
  range inner = pair(f->inner, a, arg);
  if (pw_tape_op_reads(op) == 4) {
    return binary(f->outer, inner, pair(f->inner, a + 2, arg + 2));
  }
  return f->swapped ? binary(f->outer, a[2], inner) : binary(f->outer, inner, a[2]);
}

static range choice(range c, range a, range b) {
  return c.lo >= 0 ? a : c.hi < 0 ? b : hull(a, b);
}

static void step(const pw_instruction *x, double *lo, double *hi) {
  range a[4], r;
  int reads = pw_tape_op_reads(x->op);
  for (int i = 0; i < reads; i++) {
    a[i] = (range){lo[x->arg[i]], hi[x->arg[i]]};
  }
  if (x->op == PW_TAPE_POWI) {
    r = integer_power(a[0], x->n);
  } else if (x->op == PW_TAPE_SINCOS) {
    range second = cosine(a[0]);
    r = sine(a[0]);
    lo[x->d2] = second.lo;
    hi[x->d2] = second.hi;
  } else if (x->op == PW_TAPE_SELECT) {
    r = choice(a[0], a[1], a[2]);
  } else if (reads == 1) {
    r = unary(x->op, a[0]);
  } else {
    r = reads == 2 ? pair(x->op, a, x->arg) : fused(x->op, a, x->arg);
  }
  lo[x->d] = r.lo;
  hi[x->d] = r.hi;
}

void pw_tape_range(const pw_tape *tape, const double *in_lo, const double *in_hi, double *work,
                   double *out_lo, double *out_hi) {
  double *lo = work, *hi = work + tape->n_reg;
  for (int i = 0; i < tape->n_const + tape->n_in; i++) {
    bool fixed = i < tape->n_const;
    lo[i] = fixed ? tape->constant[i] : in_lo[tape->input[i - tape->n_const]];
    hi[i] = fixed ? tape->constant[i] : in_hi[tape->input[i - tape->n_const]];
  }
  pw_instruction x;
  for (int at = pw_tape_decode(tape, 0, &x); x.op != PW_TAPE_END;
       at = pw_tape_decode(tape, at, &x)) {
    step(&x, lo, hi);
  }
  for (int i = 0; i < tape->n_out; i++) {
    out_lo[i] = lo[tape->output[i]];
    out_hi[i] = hi[tape->output[i]];
  }
}

bool pw_tape_reads(const pw_tape *tape, int input) {
  for (int i = 0; i < tape->n_in; i++) {
    if (tape->input[i] == input) {
      return true;
    }
  }
  return false;
}
