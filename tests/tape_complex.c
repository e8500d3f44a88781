// SPDX-License-Identifier: MIT
/* Runs a tape in complex arithmetic. For complex steps f(x + ih) = f + ih f' the imaginary parts
 * may be as small as 1e-200, so functions whose library version would lose them are written by
 * their real and imaginary parts or corrected by one Newton step on the inverse function. */
#include "tape_complex.h"

#include <limits.h>
#include <math.h>

#include "expr/tape_code.h"

typedef double complex cplx;

static cplx powi(cplx x, int n) {
  unsigned m = n < 0 ? 0u - (unsigned)n : (unsigned)n;
  cplx r = 1;
  for (; m != 0; m >>= 1) {
    if (m & 1u) {
      r *= x;
    }
    x *= x;
  }
  return n < 0 ? 1 / r : r;
}

static cplx from_parts(double re, double im) {
  union {
    double part[2];
    cplx z;
  } u = {.part = {re, im}};
  return u.z;
}

static cplx power(cplx a, cplx b) {
  double n = creal(b);
  if (cimag(b) == 0 && n == floor(n) && fabs(n) <= INT_MAX) {
    return powi(a, (int)n);
  }
  return cexp(b * clog(a));
}

/* sin w = z near the real axis. */
static cplx arcsine(cplx z) {
  double w = asin(creal(z));
  return w + (z - sin(w)) / cos(w);
}

static cplx arccosine(cplx z) {
  double w = acos(creal(z));
  return w + (cos(w) - z) / sin(w);
}

/* tan w = z near the real axis: w + (z - tan w)/(1 + z tan w) to first order in the second. */
static cplx arctangent(cplx z) {
  double w = atan(creal(z));
  return w + (z - tan(w)) / (1 + z * tan(w));
}

static cplx arctangent2(cplx y, cplx x) {
  double w = atan2(creal(y), creal(x));
  return w + (y * cos(w) - x * sin(w)) / (x * cos(w) + y * sin(w));
}

static cplx tangent(cplx z) {
  return csin(z) / ccos(z);
}

static cplx hyperbolic_tangent(cplx z) {
  return from_parts(tanh(creal(z)), tan(cimag(z))) /
         (1 + tanh(creal(z)) * from_parts(0, tan(cimag(z))));
}

static cplx absolute(cplx z) {
  return creal(z) < 0 ? -z : z;
}

static cplx signum(cplx z) {
  return creal(z) > 0 ? 1 : creal(z) < 0 ? -1 : creal(z);
}

static cplx hypotenuse(cplx a, cplx b) {
  return csqrt(a * a + b * b);
}

static cplx smaller(cplx a, cplx b) {
  return isnan(creal(a)) || creal(a) <= creal(b) ? a : b;
}

static cplx larger(cplx a, cplx b) {
  return isnan(creal(a)) || creal(a) >= creal(b) ? a : b;
}

static cplx selected(cplx c, cplx a, cplx b) {
  return creal(c) >= 0 ? a : creal(c) < 0 ? b : c;
}

#define F(name) F_##name
#define F_sqrt csqrt
#define F_exp cexp
#define F_log clog
#define F_sin csin
#define F_cos ccos
#define F_tan tangent
#define F_asin arcsine
#define F_acos arccosine
#define F_atan arctangent
#define F_sinh csinh
#define F_cosh ccosh
#define F_tanh hyperbolic_tangent
#define F_abs absolute
#define F_sign signum
#define F_pow power
#define F_atan2 arctangent2
#define F_hypot hypotenuse
#define F_min smaller
#define F_max larger
#define F_select selected

#define CASE(name, value) \
  case PW_TAPE_##name: return value;

static cplx value1(pw_tape_op op, cplx a) {
  switch (op) {
    PW_TAPE_LIST1(CASE)
  default: return NAN;
  }
}

static cplx value2(pw_tape_op op, cplx a, cplx b) {
  switch (op) {
    PW_TAPE_LIST2(CASE)
  default: return NAN;
  }
}

static cplx value3(pw_tape_op op, cplx a, cplx b, cplx c, cplx e) {
  switch (op) {
    PW_TAPE_LIST3(CASE)
    PW_TAPE_LIST4(CASE)
  default: return NAN;
  }
}

static void step(const pw_tape *tape, const pw_instruction *x, cplx *reg) {
  cplx arg[4];
  int n = pw_tape_op_reads(x->op);
  for (int i = 0; i < n; i++) {
    arg[i] = reg[x->arg[i]];
  }
  if (x->op == PW_TAPE_POWI) {
    reg[x->d] = powi(arg[0], x->n);
  } else if (x->op == PW_TAPE_LOOKUP) {
    reg[x->d] = pw_tape_lookup(tape->table, x->n, creal(arg[0]));
  } else if (x->op == PW_TAPE_SINCOS) {
    reg[x->d] = csin(arg[0]);
    reg[x->d2] = ccos(arg[0]);
  } else if (n == 1) {
    reg[x->d] = value1(x->op, arg[0]);
  } else if (n == 2) {
    reg[x->d] = value2(x->op, arg[0], arg[1]);
  } else {
    reg[x->d] = value3(x->op, arg[0], arg[1], arg[2], n == 4 ? arg[3] : 0);
  }
}

void run_complex(const pw_tape *tape, const double complex *in, double complex *work,
                 double complex *out) {
  for (int i = 0; i < tape->n_const; i++) {
    work[i] = tape->constant[i];
  }
  for (int i = 0; i < tape->n_in; i++) {
    work[tape->n_const + i] = in[tape->input[i]];
  }
  pw_instruction x;
  for (int at = pw_tape_decode(tape, 0, &x); x.op != PW_TAPE_END;
       at = pw_tape_decode(tape, at, &x)) {
    step(tape, &x, work);
  }
  for (int i = 0; i < tape->n_out; i++) {
    out[i] = work[tape->output[i]];
  }
}
