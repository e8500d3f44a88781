// SPDX-License-Identifier: MIT
/* Runs a tape in double precision. Nothing is allocated. */
#include <math.h>
#include <string.h>

#include "expr/op_real.h"
#include "expr/tape_code.h"

#if defined(__GNUC__) && !defined(PW_NO_THREADED)
#define PW_THREADED
#endif

#define F(name) F_##name
#define F_sqrt sqrt
#define F_exp exp
#define F_log log
#define F_sin sin
#define F_cos cos
#define F_tan tan
#define F_asin asin
#define F_acos acos
#define F_atan atan
#define F_sinh sinh
#define F_cosh cosh
#define F_tanh tanh
#define F_abs fabs
#define F_sign pw_real_sign
#define F_pow pow
#define F_atan2 atan2
#define F_hypot hypot
#define F_min pw_min
#define F_max pw_max
#define F_select pw_real_select

#define BODY_POWI                                                     \
  CASE(POWI) : {                                                      \
    reg[ip[1]] = pw_real_powi(reg[ip[2]], (int)ip[3] - PW_TAPE_BIAS); \
    ip += 4;                                                          \
    NEXT;                                                             \
  }
#define BODY_SINCOS              \
  CASE(SINCOS) : {               \
    const double a = reg[ip[3]]; \
    reg[ip[1]] = sin(a);         \
    reg[ip[2]] = cos(a);         \
    ip += 4;                     \
    NEXT;                        \
  }

#define BODY_LOOKUP                                             \
  CASE(LOOKUP) : {                                              \
    reg[ip[1]] = pw_tape_lookup(table, (int)ip[3], reg[ip[2]]); \
    ip += 4;                                                    \
    NEXT;                                                       \
  }

#define LOOP run_narrow
#define WORD uint16_t
#include "expr/tape_loop.h"
#undef LOOP
#undef WORD
#define LOOP run_wide
#define WORD uint32_t
#include "expr/tape_loop.h"

void pw_tape_prepare(const pw_tape *tape, double *reg) {
  if (tape->n_const > 0) {
    memcpy(reg, tape->constant, (size_t)tape->n_const * sizeof *reg);
  }
}

void pw_tape_prepare_out(const pw_tape *tape, double *out) {
  for (int i = 0; i < tape->n_out; i++) {
    if (tape->output[i] < tape->n_const) {
      out[i] = tape->constant[tape->output[i]];
    }
  }
}

static void interpret(const pw_tape *tape, const double *in, double *reg) {
  double *first = reg + tape->n_const;
  for (int i = 0; i < tape->n_in; i++) {
    first[i] = in[tape->input[i]];
  }
  if (tape->wide) {
    run_wide(tape->code, reg, tape->table);
  } else {
    run_narrow(tape->code, reg, tape->table);
  }
}

bool pw_tape_is_constant(const pw_tape *tape) {
  return tape->n_moving == 0;
}

void pw_tape_update(const pw_tape *tape, const double *in, double *reg, double *out) {
  if (tape->native != NULL) {
    tape->native(reg, in, out);
    return;
  }
  interpret(tape, in, reg);
  for (int i = 0; i < tape->n_moving; i++) {
    out[tape->moving[i]] = reg[tape->output[tape->moving[i]]];
  }
}

void pw_tape_run(const pw_tape *tape, const double *in, double *reg, double *out) {
  pw_tape_update(tape, in, reg, out);
  for (int i = tape->n_moving; i < tape->n_out; i++) {
    out[tape->moving[i]] = tape->constant[tape->output[tape->moving[i]]];
  }
}
