// SPDX-License-Identifier: MIT
/* Which value is where while the machine code of a tape is written: in one of sixteen registers,
 * and in memory if it was stored. A register that is needed is taken from the value whose next use
 * is farthest away (Belady 1966). */
#ifndef PW_EXPR_NATIVE_VALUES_H
#define PW_EXPR_NATIVE_VALUES_H

#include "expr/native_bytes.h"
#include "expr/tape_code.h"

enum { PW_XMM = 16, PW_NEVER = 0x7fffffff };

typedef struct pw_value { /* of a constant, an input, or a result */
  int next;               /* instruction that reads it next, or PW_NEVER */
  int xmm;                /* register that holds it, or -1 */
  pw_place home;          /* where it is stored, */
  bool stored;            /* if it is */
  int out;                /* first of the outputs that it is, or -1 */
} pw_value;

typedef struct pw_reads { /* of one instruction */
  pw_instruction x;
  int value[4], after[4]; /* of each operand, and who reads it next */
  int result[2];          /* values; the second of SINCOS alone */
} pw_reads;

typedef struct pw_values {
  const pw_tape *tape;
  pw_bytes *code;
  pw_value *value;
  pw_reads *reads; /* by instruction */
  int *next_out;   /* by output: another one with the same value, or -1 */
  int at;          /* instruction that is written */
  int holds[PW_XMM];
  unsigned pinned; /* registers that the instruction works with */
} pw_values;

/* All values of the tape and who reads them. False: no memory. */
bool pw_values_open(pw_values *v, const pw_tape *tape, pw_bytes *code);
void pw_values_close(pw_values *v);

/* ---- one instruction: begin, then what it needs, then end ---- */

/* Operands that are read again, or that are in registers already, are there now. */
void pw_values_begin(pw_values *v, int instruction);
/* A register of its own that holds operand k. */
int pw_values_copy(pw_values *v, int k);
/* A register for an intermediate result. */
int pw_values_take(pw_values *v);
/* Operand k can be changed in place: nobody reads it any more. */
bool pw_values_is_last(const pw_values *v, int k);
/* to <- to op operand k; for PW_SSE_COPY: to <- operand k. */
void pw_values_apply(pw_values *v, pw_sse op, int to, int k);
/* Before a call: what is needed later is stored, and operands are in xmm0 and xmm1. */
void pw_values_pass(pw_values *v);
/* After it no register holds anything. */
void pw_values_forget(pw_values *v);
/* The result is in this register. */
void pw_values_end(pw_values *v, int xmm);
/* Results were written to their homes by a call. */
void pw_values_end_stored(pw_values *v);
pw_place pw_values_home(const pw_values *v, int result);

#endif
