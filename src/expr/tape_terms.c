// SPDX-License-Identifier: MIT
/* Running error analysis of a tape (Higham, Accuracy and Stability of Numerical Algorithms, sec.
 * 3.3), to first order and in units of DBL_EPSILON: every input and constant has an error of its
 * own size, and errors propagate with the derivatives. For a sum the result is the size of its
 * terms, of which the value may be a small difference. */
#include <float.h>
#include <math.h>

#include "expr/op_real.h"
#include "expr/tape_code.h"

typedef struct number {
  double x, e;
} number;

/* f(a), with its own rounding and the error of a times |f'(a)|. */
static number function(double f, double slope, number a) {
  return (number){f, fabs(f) + (a.e == 0 ? 0 : fabs(slope) * a.e)};
}

/* The slope is not bounded, but sqrt(a + e) - sqrt(a) <= sqrt(e). */
static number square_root(number a) {
  double f = sqrt(a.x);
  return (number){f, f + pw_min(a.e / (2 * f), sqrt(a.e / DBL_EPSILON))};
}

static number unary(pw_tape_op op, number a) {
  double x = a.x, f;
  switch (op) {
  case PW_TAPE_NEG: return (number){-x, a.e};
  case PW_TAPE_ABS: return (number){fabs(x), a.e};
  case PW_TAPE_SQRT: return square_root(a);
  case PW_TAPE_EXP: return function(exp(x), exp(x), a);
  case PW_TAPE_LOG: return function(log(x), 1 / x, a);
  case PW_TAPE_SIN: return function(sin(x), cos(x), a);
  case PW_TAPE_COS: return function(cos(x), sin(x), a);
  case PW_TAPE_TAN: f = tan(x); return function(f, 1 + f * f, a);
  case PW_TAPE_ASIN: return function(asin(x), 1 / sqrt(1 - x * x), a);
  case PW_TAPE_ACOS: return function(acos(x), 1 / sqrt(1 - x * x), a);
  case PW_TAPE_ATAN: return function(atan(x), 1 / (1 + x * x), a);
  case PW_TAPE_SINH: return function(sinh(x), cosh(x), a);
  case PW_TAPE_COSH: return function(cosh(x), sinh(x), a);
  case PW_TAPE_TANH: f = tanh(x); return function(f, 1 - f * f, a);
  default: /* sign */ return (number){pw_real_sign(x), 0};
  }
}

static number product(number a, number b) {
  return (number){a.x * b.x, fabs(a.x) * b.e + fabs(b.x) * a.e};
}

static number power(number a, number b) {
  double f = pow(a.x, b.x);
  number by_base = function(f, b.x * pow(a.x, b.x - 1), a);
  return (number){f, by_base.e + (b.e == 0 || f == 0 ? 0 : fabs(f * log(fabs(a.x))) * b.e)};
}

static number binary(pw_tape_op op, number a, number b) {
  double size;
  switch (op) {
  case PW_TAPE_ADD: return (number){a.x + b.x, a.e + b.e};
  case PW_TAPE_SUB: return (number){a.x - b.x, a.e + b.e};
  case PW_TAPE_MUL: return product(a, b);
  case PW_TAPE_NEGMUL: return unary(PW_TAPE_NEG, product(a, b));
  case PW_TAPE_DIV: return (number){a.x / b.x, (a.e + fabs(a.x / b.x) * b.e) / fabs(b.x)};
  case PW_TAPE_POW: return power(a, b);
  case PW_TAPE_ATAN2:
    size = a.x * a.x + b.x * b.x;
    return (number){atan2(a.x, b.x), (fabs(a.x) * b.e + fabs(b.x) * a.e) / size};
  case PW_TAPE_HYPOT:
    size = hypot(a.x, b.x);
    return (number){size, size > 0 ? (fabs(a.x) * a.e + fabs(b.x) * b.e) / size : a.e + b.e};
  case PW_TAPE_MIN: return b.x < a.x ? b : a;
  default: /* max */ return b.x > a.x ? b : a;
  }
}

static number fused(pw_tape_op op, const number *a) {
  const pw_fusion *f = pw_tape_fusion(op);
  number inner = binary(f->inner, a[0], a[1]);
  if (pw_tape_op_reads(op) == 4) {
    return binary(f->outer, inner, binary(f->inner, a[2], a[3]));
  }
  return f->swapped ? binary(f->outer, a[2], inner) : binary(f->outer, inner, a[2]);
}

static number integer_power(number a, int n) {
  double slope = n == 0 ? 0 : n * pw_real_powi(a.x, n - 1);
  return (number){pw_real_powi(a.x, n), a.e == 0 ? 0 : fabs(slope) * a.e};
}

static void step(const pw_tape *tape, const pw_instruction *x, double *value, double *error) {
  number a[4], r;
  int reads = pw_tape_op_reads(x->op);
  for (int i = 0; i < reads; i++) {
    a[i] = (number){value[x->arg[i]], error[x->arg[i]]};
  }
  if (x->op == PW_TAPE_POWI) {
    r = integer_power(a[0], x->n);
  } else if (x->op == PW_TAPE_SINCOS) {
    r = unary(PW_TAPE_SIN, a[0]);
    number second = unary(PW_TAPE_COS, a[0]);
    value[x->d2] = second.x;
    error[x->d2] = second.e;
  } else if (x->op == PW_TAPE_LOOKUP) {
    double f = pw_tape_lookup(tape->table, x->n, a[0].x);
    r = (number){f, fabs(f)};
  } else if (x->op == PW_TAPE_SELECT) {
    r = a[0].x >= 0 ? a[1] : a[2];
  } else if (reads == 1) {
    r = unary(x->op, a[0]);
  } else {
    r = reads == 2 ? binary(x->op, a[0], a[1]) : fused(x->op, a);
  }
  value[x->d] = r.x;
  error[x->d] = r.e;
}

void pw_tape_terms(const pw_tape *tape, const double *in, double *work, double *out) {
  double *value = work, *error = work + tape->n_reg;
  for (int i = 0; i < tape->n_const + tape->n_in; i++) {
    value[i] = i < tape->n_const ? tape->constant[i] : in[tape->input[i - tape->n_const]];
    error[i] = fabs(value[i]);
  }
  pw_instruction x;
  for (int at = pw_tape_decode(tape, 0, &x); x.op != PW_TAPE_END;
       at = pw_tape_decode(tape, at, &x)) {
    step(tape, &x, value, error);
  }
  for (int i = 0; i < tape->n_out; i++) {
    double e = error[tape->output[i]];
    out[i] = isfinite(e) ? e : fabs(value[tape->output[i]]);
  }
}
