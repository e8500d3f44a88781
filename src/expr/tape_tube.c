// SPDX-License-Identifier: MIT
/* Runs a tape on forms: every register is an enclosure. */
#include "expr/enclosure.h"

/* A product of a register with itself is a square. */
static pw_form pair(pw_tape_op op, const pw_form *work, int a, int b) {
  if (a == b && (op == PW_TAPE_MUL || op == PW_TAPE_NEGMUL)) {
    pw_form square = pw_form_square(work[a]);
    return op == PW_TAPE_MUL ? square : pw_form_neg(square);
  }
  return pw_form_binary(op, work[a], work[b]);
}

static pw_form fused(const pw_instruction *x, int reads, const pw_form *work) {
  const pw_fusion *f = pw_tape_fusion(x->op);
  const int *arg = x->arg;
  if (x->op == PW_TAPE_MUL_MUL && arg[0] == arg[1] && arg[1] == arg[2]) {
    return pw_form_powi(work[arg[0]], 3);
  }
  pw_form inner = pair(f->inner, work, arg[0], arg[1]);
  if (reads == 4) {
    return pw_form_binary(f->outer, inner, pair(f->inner, work, arg[2], arg[3]));
  }
  return f->swapped ? pw_form_binary(f->outer, work[arg[2]], inner)
                    : pw_form_binary(f->outer, inner, work[arg[2]]);
}

static pw_form apply(const pw_tape *tape, const pw_instruction *x, const pw_form *work) {
  int reads = pw_tape_op_reads(x->op);
  if (x->op == PW_TAPE_POWI) {
    return pw_form_powi(work[x->arg[0]], x->n);
  }
  if (x->op == PW_TAPE_LOOKUP) { /* the piece is the same all along */
    return pw_form_value(pw_tape_lookup(tape->table, x->n, work[x->arg[0]].c));
  }
  if (x->op == PW_TAPE_SINCOS) {
    return pw_form_unary(PW_TAPE_SIN, work[x->arg[0]]);
  }
  if (x->op == PW_TAPE_SELECT) {
    return pw_form_choice(work[x->arg[0]], work[x->arg[1]], work[x->arg[2]]);
  }
  if (reads == 1) {
    return pw_form_unary(x->op, work[x->arg[0]]);
  }
  return reads == 2 ? pair(x->op, work, x->arg[0], x->arg[1]) : fused(x, reads, work);
}

void pw_tape_tube(const pw_tape *tape, const pw_form *in, pw_form *work, pw_form *out) {
  for (int i = 0; i < tape->n_const; i++) {
    work[i] = pw_form_value(tape->constant[i]);
  }
  for (int i = 0; i < tape->n_in; i++) {
    work[tape->n_const + i] = in[tape->input[i]];
  }
  pw_instruction x;
  for (int at = pw_tape_decode(tape, 0, &x); x.op != PW_TAPE_END;
       at = pw_tape_decode(tape, at, &x)) {
    pw_form value = apply(tape, &x, work);
    if (x.op == PW_TAPE_SINCOS) {
      work[x.d2] = pw_form_unary(PW_TAPE_COS, work[x.arg[0]]);
    }
    work[x.d] = value;
  }
  for (int i = 0; i < tape->n_out; i++) {
    out[i] = work[tape->output[i]];
  }
}
