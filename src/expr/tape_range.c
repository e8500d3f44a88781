// SPDX-License-Identifier: MIT
/* Runs a tape on intervals: every value that the program takes for inputs in the given intervals
 * lies in the result, but for rounding. */
#include <math.h>

#include "expr/interval.h"

/* The same, of two registers: a product of one with itself is a square. */
static pw_interval pair(pw_tape_op op, const pw_interval *a, const int *arg) {
  bool square = arg[0] == arg[1] && (op == PW_TAPE_MUL || op == PW_TAPE_NEGMUL);
  pw_interval r = square ? pw_interval_powi(a[0], 2) : pw_interval_binary(op, a[0], a[1]);
  return square && op == PW_TAPE_NEGMUL ? pw_interval_unary(PW_TAPE_NEG, r) : r;
}

static pw_interval fused(pw_tape_op op, const pw_interval *a, const int *arg) {
  const pw_fusion *f = pw_tape_fusion(op);
  if (op == PW_TAPE_MUL_MUL && arg[0] == arg[1] && arg[1] == arg[2]) {
    return pw_interval_powi(a[0], 3);
  }
  pw_interval inner = pair(f->inner, a, arg);
  if (pw_tape_op_reads(op) == 4) {
    return pw_interval_binary(f->outer, inner, pair(f->inner, a + 2, arg + 2));
  }
  return f->swapped ? pw_interval_binary(f->outer, a[2], inner)
                    : pw_interval_binary(f->outer, inner, a[2]);
}

/* A number of one piece; unknown if the range covers several pieces. */
static pw_interval lookup(const pw_tape *tape, int n, pw_interval a) {
  double x = pw_tape_lookup(tape->table, n, a.lo);
  return a.lo == a.hi ? (pw_interval){x, x} : (pw_interval){-INFINITY, INFINITY};
}

static void step(const pw_tape *tape, const pw_instruction *x, double *lo, double *hi) {
  pw_interval a[4], r;
  int reads = pw_tape_op_reads(x->op);
  for (int i = 0; i < reads; i++) {
    a[i] = (pw_interval){lo[x->arg[i]], hi[x->arg[i]]};
  }
  if (x->op == PW_TAPE_POWI) {
    r = pw_interval_powi(a[0], x->n);
  } else if (x->op == PW_TAPE_SINCOS) {
    pw_interval second = pw_interval_unary(PW_TAPE_COS, a[0]);
    r = pw_interval_unary(PW_TAPE_SIN, a[0]);
    lo[x->d2] = second.lo;
    hi[x->d2] = second.hi;
  } else if (x->op == PW_TAPE_LOOKUP) {
    r = lookup(tape, x->n, a[0]);
  } else if (x->op == PW_TAPE_SELECT) {
    r = pw_interval_choice(a[0], a[1], a[2]);
  } else if (reads == 1) {
    r = pw_interval_unary(x->op, a[0]);
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
    step(tape, &x, lo, hi);
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
