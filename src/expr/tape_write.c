// SPDX-License-Identifier: MIT
#include "expr/tape_write.h"

/* ---- values ---- */

static int add_value(pw_tape_writer *w, pw_written x) {
  x.place = w->n_of[x.kind]++;
  PW_PUSH(w->arena, &w->value, x);
  return w->value.n - 1;
}

int pw_write_constant(pw_tape_writer *w, double number) {
  return add_value(w, (pw_written){.kind = PW_WRITTEN_CONSTANT, .number = number});
}

int pw_write_input(pw_tape_writer *w, int in) {
  return add_value(w, (pw_written){.kind = PW_WRITTEN_INPUT, .in = in});
}

bool pw_write_is_constant(const pw_tape_writer *w, int value, double *number) {
  const pw_written *x = &w->value.items[value];
  *number = x->number;
  return x->kind == PW_WRITTEN_CONSTANT;
}

/* ---- instructions ---- */

static double compute(pw_tape_op op, double a, double b, double c) {
  switch (op) {
  case PW_TAPE_MUL: return a * b;
  case PW_TAPE_DIV: return a / b;
  case PW_TAPE_SUB: return a - b;
  case PW_TAPE_MUL_ADD: return a * b + c;
  default: return c - a * b;
  }
}

int pw_write_value(pw_tape_writer *w, pw_tape_op op, int a, int b, int c) {
  bool three = pw_tape_op_reads(op) == 3, products = three || op == PW_TAPE_MUL;
  double x, y, z = 0;
  bool x_known = pw_write_is_constant(w, a, &x), y_known = pw_write_is_constant(w, b, &y);
  bool z_known = !three || pw_write_is_constant(w, c, &z);
  if (x_known && y_known && z_known) {
    return pw_write_constant(w, compute(op, x, y, z));
  }
  if (products && ((x_known && x == 0) || (y_known && y == 0))) {
    return three ? c : pw_write_constant(w, 0);
  }
  int result = add_value(w, (pw_written){.kind = PW_WRITTEN_RESULT});
  pw_instruction new = {.op = op, .d = result, .d2 = -1, .arg = {a, b, c, 0}};
  PW_PUSH(w->arena, &w->code, new);
  return result;
}

/* now: the value that each register of the tape holds. */
static void copy_instruction(pw_tape_writer *w, pw_instruction x, int *now) {
  for (int k = 0; k < pw_tape_op_reads(x.op); k++) {
    x.arg[k] = now[x.arg[k]];
  }
  int second = x.d2;
  now[x.d] = add_value(w, (pw_written){.kind = PW_WRITTEN_RESULT});
  x.d = now[x.d];
  if (second >= 0) {
    x.d2 = now[second] = add_value(w, (pw_written){.kind = PW_WRITTEN_RESULT});
  }
  PW_PUSH(w->arena, &w->code, x);
}

void pw_write_tape(pw_tape_writer *w, const pw_tape *tape, const int *leaf, int *out) {
  int *now = PW_TAKE(w->arena, tape->n_reg + 1, int);
  for (int i = 0; i < tape->n_const; i++) {
    now[i] = pw_write_constant(w, tape->constant[i]);
  }
  for (int i = 0; i < tape->n_in; i++) {
    now[tape->n_const + i] = leaf[i];
  }
  w->table = tape->table;
  pw_instruction x;
  for (int i = 0, at = 0; i < tape->length; i++) {
    at = pw_tape_decode(tape, at, &x);
    copy_instruction(w, x, now);
  }
  for (int i = 0; i < tape->n_out; i++) {
    out[i] = now[tape->output[i]];
  }
}

/* ---- the end ---- */

static int register_of(const pw_tape_writer *w, int value) {
  const pw_written *x = &w->value.items[value];
  int first = 0;
  for (pw_written_kind k = PW_WRITTEN_CONSTANT; k < x->kind; k++) {
    first += w->n_of[k];
  }
  return first + x->place;
}

/* The words of all instructions, see tape_code.h; returns how many. */
static int encode(const pw_tape_writer *w, int *word) {
  int n = 0;
  for (int i = 0; i < w->code.n; i++) {
    const pw_instruction *x = &w->code.items[i];
    word[n++] = (int)x->op;
    word[n++] = register_of(w, x->d);
    if (x->d2 >= 0) {
      word[n++] = register_of(w, x->d2);
    }
    for (int k = 0; k < pw_tape_op_reads(x->op); k++) {
      word[n++] = register_of(w, x->arg[k]);
    }
    if (x->op == PW_TAPE_POWI || x->op == PW_TAPE_LOOKUP) {
      word[n++] = x->n + (x->op == PW_TAPE_POWI ? PW_TAPE_BIAS : 0);
    }
  }
  word[n++] = PW_TAPE_END;
  return n;
}

pw_tape *pw_write_end(pw_tape_writer *w, const int *out, int n_out) {
  enum { MOST_WORDS = 7 }; /* of one instruction */
  double *constant = PW_TAKE(w->arena, w->n_of[PW_WRITTEN_CONSTANT], double);
  int *input = PW_TAKE(w->arena, w->n_of[PW_WRITTEN_INPUT], int);
  for (int i = 0; i < w->value.n; i++) {
    const pw_written *x = &w->value.items[i];
    if (x->kind == PW_WRITTEN_CONSTANT) {
      constant[x->place] = x->number;
    } else if (x->kind == PW_WRITTEN_INPUT) {
      input[x->place] = x->in;
    }
  }

  int *output = PW_TAKE(w->arena, n_out, int);
  for (int i = 0; i < n_out; i++) {
    output[i] = register_of(w, out[i]);
  }
  int *word = PW_TAKE(w->arena, MOST_WORDS * (size_t)w->code.n + 1, int);
  pw_tape *tape = PW_NEW(w->arena, pw_tape);
  *tape = (pw_tape){.words = encode(w, word),
                    .length = w->code.n,
                    .n_const = w->n_of[PW_WRITTEN_CONSTANT],
                    .n_in = w->n_of[PW_WRITTEN_INPUT],
                    .n_out = n_out,
                    .n_reg = w->value.n,
                    .constant = constant,
                    .input = input,
                    .output = output,
                    .table = w->table};
  pw_tape_complete(w->arena, tape, word);
  return tape;
}
