// SPDX-License-Identifier: MIT
/* Runs a tape on truncated power series: every register is a row of order + 1 coefficients.
 * Kinks follow the branch of the series for small t > 0, by its lexicographic sign. */
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "expr/jet_ops.h"
#include "expr/tape_code.h"

static void fill(int n, double value, double *r) {
  for (int k = 0; k <= n; k++) {
    r[k] = value;
  }
}

static void copy(int n, const double *a, double *r) {
  memcpy(r, a, (size_t)(n + 1) * sizeof *r);
}

static void scale(int n, double c, const double *a, double *r) {
  for (int k = 0; k <= n; k++) {
    r[k] = c * a[k];
  }
}

/* sign >= 0 ? a : b */
static void choose(int n, double sign, const double *a, const double *b, double *r) {
  if (isnan(sign)) {
    fill(n, NAN, r);
  } else {
    copy(n, sign >= 0 ? a : b, r);
  }
}

static void kink(pw_tape_op op, int n, const double *a, double *r) {
  double sign = pw_jet_sign(n, a);
  if (isnan(sign)) {
    fill(n, NAN, r);
  } else if (op == PW_TAPE_ABS) {
    scale(n, sign, a, r);
  } else {
    fill(n, 0, r);
    r[0] = sign;
  }
}

static void unary(pw_tape_op op, int n, const double *a, double *r) {
  double other[PW_JET_ROOM];
  switch (op) {
#define SERIES(NAME, name) \
  case PW_TAPE_##NAME: pw_jet_##name(n, a, r); break;
    SERIES(SQRT, sqrt)
    SERIES(EXP, exp)
    SERIES(LOG, log)
    SERIES(TAN, tan)
    SERIES(ASIN, asin)
    SERIES(ACOS, acos)
    SERIES(ATAN, atan)
    SERIES(TANH, tanh)
#undef SERIES
  case PW_TAPE_NEG: scale(n, -1, a, r); break;
  case PW_TAPE_SIN: pw_jet_sincos(n, a, r, other); break;
  case PW_TAPE_COS: pw_jet_sincos(n, a, other, r); break;
  case PW_TAPE_SINH: pw_jet_sinhcosh(n, a, r, other); break;
  case PW_TAPE_COSH: pw_jet_sinhcosh(n, a, other, r); break;
  default: /* abs, sign */ kink(op, n, a, r); break;
  }
}

static void binary(pw_tape_op op, int n, const double *a, const double *b, double *r) {
  double t[PW_JET_ROOM];
  switch (op) {
  case PW_TAPE_ADD:
    for (int k = 0; k <= n; k++) {
      r[k] = a[k] + b[k];
    }
    break;
  case PW_TAPE_SUB:
    for (int k = 0; k <= n; k++) {
      r[k] = a[k] - b[k];
    }
    break;
  case PW_TAPE_MUL: pw_jet_mul(n, a, b, r); break;
  case PW_TAPE_NEGMUL:
    pw_jet_mul(n, a, b, t);
    scale(n, -1, t, r);
    break;
  case PW_TAPE_DIV: pw_jet_div(n, a, b, r); break;
  case PW_TAPE_POW: pw_jet_pow(n, a, b, r); break;
  case PW_TAPE_ATAN2: pw_jet_atan2(n, a, b, r); break;
  case PW_TAPE_HYPOT: pw_jet_hypot(n, a, b, r); break;
  case PW_TAPE_MIN: choose(n, pw_jet_compare(n, b, a), a, b, r); break;
  default: /* max */ choose(n, pw_jet_compare(n, a, b), a, b, r); break;
  }
}

static void fused(pw_tape_op op, int n, const double *const *row, double *r) {
  const pw_fusion *f = pw_tape_fusion(op);
  double t[PW_JET_ROOM], t2[PW_JET_ROOM];
  binary(f->inner, n, row[0], row[1], t);
  if (pw_tape_op_reads(op) == 4) {
    binary(f->inner, n, row[2], row[3], t2);
    binary(f->outer, n, t, t2, r);
  } else if (f->swapped) {
    binary(f->outer, n, row[2], t, r);
  } else {
    binary(f->outer, n, t, row[2], r);
  }
}

static void step(const pw_tape *tape, const pw_instruction *x, int n, double *work) {
  size_t width = (size_t)n + 1;
  const double *row[4] = {work, work, work, work};
  double r[PW_JET_ROOM], second[PW_JET_ROOM];
  int reads = pw_tape_op_reads(x->op);
  for (int i = 0; i < reads; i++) {
    row[i] = work + (size_t)x->arg[i] * width;
  }
  if (x->op == PW_TAPE_POWI) {
    pw_jet_powi(n, row[0], x->n, r);
  } else if (x->op == PW_TAPE_SINCOS) {
    pw_jet_sincos(n, row[0], r, second);
    copy(n, second, work + (size_t)x->d2 * width);
  } else if (x->op == PW_TAPE_LOOKUP) {
    fill(n, 0, r);
    r[0] = pw_tape_lookup(tape->table, x->n, row[0][0]);
  } else if (x->op == PW_TAPE_SELECT) {
    choose(n, pw_jet_sign(n, row[0]), row[1], row[2], r);
  } else if (reads == 1) {
    unary(x->op, n, row[0], r);
  } else if (reads == 2) {
    binary(x->op, n, row[0], row[1], r);
  } else {
    fused(x->op, n, row, r);
  }
  copy(n, r, work + (size_t)x->d * width);
}

void pw_tape_jet(const pw_tape *tape, int order, const double *in, double *work, double *out) {
  PW_ASSERT(order >= 0 && order <= 24);
  size_t width = (size_t)order + 1;
  for (int i = 0; i < tape->n_const; i++) {
    double *row = work + (size_t)i * width;
    fill(order, 0, row);
    row[0] = tape->constant[i];
  }
  for (int i = 0; i < tape->n_in; i++) {
    size_t from = (size_t)tape->input[i] * width;
    copy(order, in + from, work + (size_t)(tape->n_const + i) * width);
  }
  pw_instruction x;
  for (int at = pw_tape_decode(tape, 0, &x); x.op != PW_TAPE_END;
       at = pw_tape_decode(tape, at, &x)) {
    step(tape, &x, order, work);
  }
  for (int i = 0; i < tape->n_out; i++) {
    copy(order, work + (size_t)tape->output[i] * width, out + (size_t)i * width);
  }
}
