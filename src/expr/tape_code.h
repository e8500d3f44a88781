// SPDX-License-Identifier: MIT
/* Instruction set of tapes, shared by compiler, interpreters and printer.
 *
 * The code is one array of words, 16 bit wide, or 32 bit if a register number needs it:
 *   op d a | op d a b | op d a b c | op d a b c e     value of the expression in a, b, c, e -> d
 *   POWI d a n+BIAS    SINCOS d1 d2 a    LOOKUP d a table*RADIX+column    END
 * Registers: constants, then the inputs used, then intermediate values. */
#ifndef PW_EXPR_TAPE_CODE_H
#define PW_EXPR_TAPE_CODE_H

#include <stdint.h>

#include "expr/tape.h"

enum { PW_TAPE_BIAS = 32768 };

/* F(name) is replaced by each interpreter with its own version of the function. Fused operations
 * round twice, exactly as the two operations they replace. */
#define PW_TAPE_LIST1(OP) \
  OP(NEG, -a)             \
  OP(SQRT, F(sqrt)(a))    \
  OP(EXP, F(exp)(a))      \
  OP(LOG, F(log)(a))      \
  OP(SIN, F(sin)(a))      \
  OP(COS, F(cos)(a))      \
  OP(TAN, F(tan)(a))      \
  OP(ASIN, F(asin)(a))    \
  OP(ACOS, F(acos)(a))    \
  OP(ATAN, F(atan)(a))    \
  OP(SINH, F(sinh)(a))    \
  OP(COSH, F(cosh)(a))    \
  OP(TANH, F(tanh)(a))    \
  OP(ABS, F(abs)(a))      \
  OP(SIGN, F(sign)(a))

#define PW_TAPE_LIST2(OP)   \
  OP(ADD, a + b)            \
  OP(SUB, a - b)            \
  OP(MUL, a *b)             \
  OP(DIV, a / b)            \
  OP(NEGMUL, -(a * b))      \
  OP(POW, F(pow)(a, b))     \
  OP(ATAN2, F(atan2)(a, b)) \
  OP(HYPOT, F(hypot)(a, b)) \
  OP(MIN, F(min)(a, b))     \
  OP(MAX, F(max)(a, b))

#define PW_TAPE_LIST3(OP)        \
  OP(SELECT, F(select)(a, b, c)) \
  OP(MUL_ADD, a *b + c)          \
  OP(MUL_SUB, a *b - c)          \
  OP(SUB_MUL, c - a * b)         \
  OP(MUL_MUL, a *b *c)           \
  OP(ADD_MUL, (a + b) * c)       \
  OP(DIFF_MUL, (a - b) * c)      \
  OP(ADD_ADD, a + b + c)         \
  OP(ADD_SUB, a + b - c)         \
  OP(SUB_ADD, c - (a + b))       \
  OP(DIFF_ADD, a - b + c)        \
  OP(DIFF_SUB, a - b - c)        \
  OP(SUB_DIFF, c - (a - b))

#define PW_TAPE_LIST4(OP)       \
  OP(MUL_ADD_MUL, a *b + c * e) \
  OP(MUL_SUB_MUL, a *b - c * e)

typedef enum pw_tape_op {
#define PW_TAPE_ENUM(name, value) PW_TAPE_##name,
  PW_TAPE_LIST1(PW_TAPE_ENUM) PW_TAPE_LIST2(PW_TAPE_ENUM) PW_TAPE_LIST3(PW_TAPE_ENUM)
      PW_TAPE_LIST4(PW_TAPE_ENUM)
#undef PW_TAPE_ENUM
          PW_TAPE_POWI,
  PW_TAPE_SINCOS,
  PW_TAPE_LOOKUP,
  PW_TAPE_END
} pw_tape_op;

/* The same as the code from in to the moving outputs, as machine code: native.h. */
typedef void pw_native_fn(double *reg, const double *in, double *out);

struct pw_tape {
  const void *code; /* uint16_t or, if wide, uint32_t */
  bool wide;
  int words, length;
  int n_const, n_in, n_out, n_reg;
  const double *constant;     /* register i */
  const int *input;           /* register n_const + i is in[input[i]] */
  const int *output;          /* out[i] is register output[i] */
  int n_moving;               /* outputs that are not constants, ascending, */
  const int *moving;          /* then the constant ones */
  const pw_lut *const *table; /* of LOOKUP */
  pw_native_fn *native;       /* NULL: interpreted */
};

/* A fused operation of three operands is  outer(inner(a, b), c), or outer(c, inner(a, b)) if
 * swapped; of four operands  outer(inner(a, b), inner(c, e)). */
typedef struct pw_fusion {
  pw_tape_op outer, inner;
  bool swapped;
} pw_fusion;

/* Of MUL_ADD and the operations after it, up to MUL_SUB_MUL. */
const pw_fusion *pw_tape_fusion(pw_tape_op fused);
/* The fused operation of three operands; outer and inner are ADD, SUB or MUL. */
pw_tape_op pw_tape_fuse(pw_tape_op outer, pw_tape_op inner, bool swapped);

const char *pw_tape_op_text(pw_tape_op op);
/* Number of operands read; POWI, SINCOS and LOOKUP read one. */
int pw_tape_op_reads(pw_tape_op op);

static inline int pw_tape_word(const pw_tape *tape, int i) {
  return tape->wide ? (int)((const uint32_t *)tape->code)[i] : ((const uint16_t *)tape->code)[i];
}

static inline double pw_tape_lookup(const pw_lut *const *table, int n, double piece) {
  return pw_lut_column_of(table[n / PW_LUT_RADIX], (pw_lut_column)(n % PW_LUT_RADIX), piece);
}

/* One instruction, decoded. */
typedef struct pw_instruction {
  pw_tape_op op;
  int d, d2; /* d2: cosine of SINCOS */
  int arg[4];
  int n; /* exponent of POWI, table and column of LOOKUP */
} pw_instruction;

/* Packs the words (tape->words of them) and sorts the outputs: code, wide, moving of a tape of
 * which all else is known. */
void pw_tape_complete(pw_arena *arena, pw_tape *tape, const int *word);

/* Decodes the instruction at word `at` and returns where the next one starts. */
int pw_tape_decode(const pw_tape *tape, int at, pw_instruction *out);

#endif
