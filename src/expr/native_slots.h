// SPDX-License-Identifier: MIT
/* Which value is where while the machine code of a tape is written: in one of sixteen registers,
 * and in memory if it was stored. A register that is needed is taken from the value whose next use
 * is farthest away (Belady 1966). */
#ifndef PW_EXPR_NATIVE_SLOTS_H
#define PW_EXPR_NATIVE_SLOTS_H

#include "expr/native_bytes.h"
#include "expr/tape_code.h"

enum { PW_XMM = 16, PW_NEVER = 0x7fffffff };

typedef struct pw_native_value { /* of a constant, an input, or a result */
  int next;                      /* instruction that reads it next, or PW_NEVER */
  int xmm;                       /* register that holds it, or -1 */
  pw_x86_place home;             /* where it is stored, */
  bool stored;                   /* if it is */
  int out;                       /* first of the outputs that it is, or -1 */
} pw_native_value;

typedef struct pw_reads { /* of one instruction */
  pw_instruction x;
  int value[4], after[4]; /* of each operand, and who reads it next */
  int result[2];          /* values; the second of SINCOS alone */
} pw_reads;

typedef struct pw_slots {
  const pw_tape *tape;
  pw_bytes *code;
  pw_native_value *value;
  pw_reads *reads; /* by instruction */
  int *next_out;   /* by output: another one with the same value, or -1 */
  int at;          /* instruction that is written */
  int holds[PW_XMM];
  unsigned pinned; /* registers that the instruction works with */
} pw_slots;

/* All values of the tape and who reads them. False: no memory. */
bool pw_slots_open(pw_slots *v, const pw_tape *tape, pw_bytes *code);
void pw_slots_close(pw_slots *v);

/* ---- one instruction: begin, its operands, then end ---- */

/* Loads operands that are read again into registers; operands already in registers stay. */
void pw_slots_begin(pw_slots *v, int instruction);
/* A fresh register that holds a copy of operand k. */
int pw_slots_copy(pw_slots *v, int k);
/* A register for an intermediate result. */
int pw_slots_take(pw_slots *v);
/* Operand k can be changed in place: it is not read again. */
bool pw_slots_is_last(const pw_slots *v, int k);
/* to <- to op operand k; for PW_SSE_COPY: to <- operand k. */
void pw_slots_apply(pw_slots *v, pw_sse op, int to, int k);
/* Before a call: stores values that are needed later, and puts the operands into xmm0 and xmm1. */
void pw_slots_pass(pw_slots *v);
/* After it no register holds anything. */
void pw_slots_forget(pw_slots *v);
/* The result is in this register. */
void pw_slots_end(pw_slots *v, int xmm);
/* Results were written to their homes by a call. */
void pw_slots_end_stored(pw_slots *v);
pw_x86_place pw_slots_home(const pw_slots *v, int result);

#endif
