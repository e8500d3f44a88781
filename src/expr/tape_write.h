// SPDX-License-Identifier: MIT
/* Tapes that are put together from instructions and from other tapes. A value is a constant, an
 * input or the result of an instruction; values are numbered as they are made. Operations on
 * constants become constants, and products with the constant 0 are left out: all numbers are those
 * of the instructions one by one, as long as they are finite, but for the sign of a zero. */
#ifndef PW_EXPR_TAPE_WRITE_H
#define PW_EXPR_TAPE_WRITE_H

#include "expr/tape_code.h"

typedef enum pw_written_kind {
  PW_WRITTEN_CONSTANT,
  PW_WRITTEN_INPUT,
  PW_WRITTEN_RESULT
} pw_written_kind;

typedef struct pw_written { /* a value */
  pw_written_kind kind;
  int place;     /* among those of its kind */
  int in;        /* of an input */
  double number; /* of a constant */
} pw_written;

typedef struct pw_tape_writer {
  pw_arena *arena; /* of everything, the finished tape as well */
  struct {
    pw_written *items;
    int n, cap;
  } value;
  struct {
    pw_instruction *items; /* with values in place of registers */
    int n, cap;
  } code;
  int n_of[3]; /* values of each kind */
  const pw_lut *const *table;
} pw_tape_writer;

int pw_write_constant(pw_tape_writer *w, double number);
int pw_write_input(pw_tape_writer *w, int in);
/* op is MUL, DIV, SUB (without c), MUL_ADD or SUB_MUL. */
int pw_write_value(pw_tape_writer *w, pw_tape_op op, int a, int b, int c);
bool pw_write_is_constant(const pw_tape_writer *w, int value, double *number);

/* All instructions of a tape; leaf[i] takes the place of its input i (tape->input[i]), and out gets
 * its outputs. Tapes with tables are of one system. */
void pw_write_tape(pw_tape_writer *w, const pw_tape *tape, const int *leaf, int *out);

/* The tape with these outputs. */
pw_tape *pw_write_end(pw_tape_writer *w, const int *out, int n_out);

#endif
