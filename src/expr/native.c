// SPDX-License-Identifier: MIT
/* One function of machine code per tape; one piece of memory for all of them. */
#include "expr/native.h"

#include "expr/tape_code.h"

#if defined(__x86_64__) && !defined(__ILP32__) && !defined(_WIN32)

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/module.h"
#include "expr/native_slots.h"
#include "expr/op_real.h"

struct pw_native {
  void *code;
  size_t bytes;
};

/* Constants in front of the code. Masks have 16 bytes, as the instructions want. */
static const pw_x86_place sign_bit = {PW_BASE_CODE, 0}, all_but_sign = {PW_BASE_CODE, 16},
                          zero = {PW_BASE_CODE, 32}, one = {PW_BASE_CODE, 40},
                          minus_one = {PW_BASE_CODE, 48};

static void put_constants(pw_bytes *b) {
  const uint64_t high = (uint64_t)1 << 63, mask[4] = {high, 0, ~high, 0};
  const double number[4] = {0, 1, -1, 0};
  pw_bytes_add(b, mask, sizeof mask);
  pw_bytes_add(b, number, sizeof number);
}

/* ---- arithmetic ---- */

static pw_sse sse_of(pw_tape_op op) {
  return op == PW_TAPE_ADD   ? PW_SSE_ADD
         : op == PW_TAPE_SUB ? PW_SSE_SUB
         : op == PW_TAPE_MUL ? PW_SSE_MUL
                             : PW_SSE_DIV;
}

/* Operand i op operand k, in a register. + and * commute, bit for bit. */
static int combine(pw_slots *v, pw_tape_op op, int i, int k) {
  bool commutes = op == PW_TAPE_ADD || op == PW_TAPE_MUL;
  bool swap = commutes && pw_slots_is_last(v, k) && !pw_slots_is_last(v, i);
  int to = pw_slots_copy(v, swap ? k : i);
  pw_slots_apply(v, sse_of(op), to, swap ? i : k);
  return to;
}

static int fused(pw_slots *v, pw_tape_op op) {
  const pw_fusion *f = pw_tape_fusion(op);
  int inner = combine(v, f->inner, 0, 1);
  if (op >= PW_TAPE_MUL_ADD_MUL) {
    int other = combine(v, f->inner, 2, 3);
    pw_put_sse(v->code, sse_of(f->outer), inner, other);
    return inner;
  }
  if (!f->swapped) {
    pw_slots_apply(v, sse_of(f->outer), inner, 2);
    return inner;
  }
  int outer = pw_slots_copy(v, 2);
  pw_put_sse(v->code, sse_of(f->outer), outer, inner);
  return outer;
}

/* As pw_real_powi. */
static int power(pw_slots *v, int n) {
  unsigned m = n < 0 ? 0u - (unsigned)n : (unsigned)n;
  int square = pw_slots_copy(v, 0), r = pw_slots_take(v);
  if (m == 0) {
    pw_put_sse_at(v->code, PW_SSE_LOAD, r, one);
  }
  for (bool begun = false; m != 0; m >>= 1) {
    if (m & 1u) {
      pw_put_sse(v->code, begun ? PW_SSE_MUL : PW_SSE_COPY, r, square);
      begun = true;
    }
    if (m > 1) {
      pw_put_sse(v->code, PW_SSE_MUL, square, square);
    }
  }
  if (n < 0) {
    pw_put_sse_at(v->code, PW_SSE_LOAD, square, one);
    pw_put_sse(v->code, PW_SSE_DIV, square, r);
    return square;
  }
  return r;
}

static int with_mask(pw_slots *v, pw_sse op, int xmm, pw_x86_place mask) {
  pw_put_sse_at(v->code, op, xmm, mask);
  return xmm;
}

/* ---- decisions; NaN stays ---- */

/* As pw_real_select. */
static int choose(pw_slots *v) {
  pw_bytes *b = v->code;
  int to = pw_slots_take(v);
  pw_slots_apply(v, PW_SSE_COPY, to, 0);
  pw_put_sse_at(b, PW_SSE_COMPARE, to, zero);
  size_t nan = pw_put_jump(b, PW_JUMP_UNORDERED), below = pw_put_jump(b, PW_JUMP_BELOW);
  pw_slots_apply(v, PW_SSE_COPY, to, 1);
  size_t done = pw_put_jump(b, PW_JUMP_ALWAYS);
  pw_aim_jump(b, below);
  pw_slots_apply(v, PW_SSE_COPY, to, 2);
  pw_aim_jump(b, nan);
  pw_aim_jump(b, done);
  return to;
}

/* As pw_real_sign. */
static int sign(pw_slots *v) {
  pw_bytes *b = v->code;
  int to = pw_slots_copy(v, 0);
  pw_put_sse_at(b, PW_SSE_COMPARE, to, zero);
  size_t nan = pw_put_jump(b, PW_JUMP_UNORDERED), none = pw_put_jump(b, PW_JUMP_EQUAL);
  size_t below = pw_put_jump(b, PW_JUMP_BELOW);
  pw_put_sse_at(b, PW_SSE_LOAD, to, one);
  size_t done = pw_put_jump(b, PW_JUMP_ALWAYS);
  pw_aim_jump(b, below);
  pw_put_sse_at(b, PW_SSE_LOAD, to, minus_one);
  pw_aim_jump(b, nan);
  pw_aim_jump(b, none);
  pw_aim_jump(b, done);
  return to;
}

/* As pw_min and pw_max. */
static int extreme(pw_slots *v, bool least) {
  pw_bytes *b = v->code;
  int to = pw_slots_take(v), other = pw_slots_take(v);
  pw_slots_apply(v, PW_SSE_COPY, to, 0);
  pw_slots_apply(v, PW_SSE_COPY, other, 1);
  pw_put_sse(b, PW_SSE_COMPARE, to, to);
  size_t nan = pw_put_jump(b, PW_JUMP_UNORDERED);
  pw_put_sse(b, PW_SSE_COMPARE, least ? other : to, least ? to : other);
  size_t first = pw_put_jump(b, PW_JUMP_NOT_BELOW); /* not taken if the other is NaN */
  pw_put_sse(b, PW_SSE_COPY, to, other);
  pw_aim_jump(b, nan);
  pw_aim_jump(b, first);
  return to;
}

/* ---- functions ---- */

typedef double function1(double);
typedef double function2(double, double);

static function1 *function_of(pw_tape_op op) {
  switch (op) {
  case PW_TAPE_EXP: return exp;
  case PW_TAPE_LOG: return log;
  case PW_TAPE_SIN: return sin;
  case PW_TAPE_COS: return cos;
  case PW_TAPE_TAN: return tan;
  case PW_TAPE_ASIN: return asin;
  case PW_TAPE_ACOS: return acos;
  case PW_TAPE_ATAN: return atan;
  case PW_TAPE_SINH: return sinh;
  case PW_TAPE_COSH: return cosh;
  default: return tanh;
  }
}

static int call1(pw_slots *v, pw_tape_op op) {
  function1 *f = function_of(op);
  pw_slots_pass(v);
  pw_put_call(v->code, &f);
  pw_slots_forget(v);
  return 0;
}

static int call2(pw_slots *v, pw_tape_op op) {
  function2 *f = op == PW_TAPE_POW ? pow : op == PW_TAPE_ATAN2 ? atan2 : hypot;
  pw_slots_pass(v);
  pw_put_call(v->code, &f);
  pw_slots_forget(v);
  return 0;
}

static int look_up(pw_slots *v, int n) {
  double (*f)(const pw_lut *const *, int, double) = pw_tape_lookup;
  pw_slots_pass(v);
  pw_put_pointer(v->code, PW_ARGUMENT_1, v->tape->table);
  pw_put_number(v->code, PW_ARGUMENT_2, n);
  pw_put_call(v->code, &f);
  pw_slots_forget(v);
  return 0;
}

static void sine_and_cosine(double a, double *sine, double *cosine) {
  *sine = sin(a);
  *cosine = cos(a);
}

static void turn(pw_slots *v) {
  void (*f)(double, double *, double *) = sine_and_cosine;
  pw_slots_pass(v);
  pw_put_address(v->code, PW_ARGUMENT_1, pw_slots_home(v, 0));
  pw_put_address(v->code, PW_ARGUMENT_2, pw_slots_home(v, 1));
  pw_put_call(v->code, &f);
  pw_slots_forget(v);
  pw_slots_end_stored(v);
}

/* ---- a tape ---- */

static int root(pw_slots *v) {
  int to = pw_slots_take(v);
  pw_slots_apply(v, PW_SSE_SQRT, to, 0);
  return to;
}

/* Register of the result. */
static int translate(pw_slots *v, const pw_instruction *x) {
  switch (x->op) {
  case PW_TAPE_ADD:
  case PW_TAPE_SUB:
  case PW_TAPE_MUL:
  case PW_TAPE_DIV: return combine(v, x->op, 0, 1);
  case PW_TAPE_NEG: return with_mask(v, PW_SSE_XOR, pw_slots_copy(v, 0), sign_bit);
  case PW_TAPE_ABS: return with_mask(v, PW_SSE_AND, pw_slots_copy(v, 0), all_but_sign);
  case PW_TAPE_NEGMUL: return with_mask(v, PW_SSE_XOR, combine(v, PW_TAPE_MUL, 0, 1), sign_bit);
  case PW_TAPE_SQRT: return root(v);
  case PW_TAPE_SIGN: return sign(v);
  case PW_TAPE_MIN: return extreme(v, true);
  case PW_TAPE_MAX: return extreme(v, false);
  case PW_TAPE_SELECT: return choose(v);
  case PW_TAPE_POWI: return power(v, x->n);
  case PW_TAPE_LOOKUP: return look_up(v, x->n);
  case PW_TAPE_POW:
  case PW_TAPE_ATAN2:
  case PW_TAPE_HYPOT: return call2(v, x->op);
  default: return pw_tape_op_reads(x->op) == 1 ? call1(v, x->op) : fused(v, x->op);
  }
}

static bool write_function(const pw_tape *tape, pw_bytes *code) {
  static const unsigned char filler[16] = {0};
  pw_slots v;
  pw_bytes_add(code, filler, (16 - code->n % 16) % 16);
  pw_put_enter(code);
  bool done = pw_slots_open(&v, tape, code);
  for (int i = 0; done && i < tape->length; i++) {
    const pw_instruction *x = &v.reads[i].x;
    pw_slots_begin(&v, i);
    if (x->op == PW_TAPE_SINCOS) {
      turn(&v);
    } else {
      pw_slots_end(&v, translate(&v, x));
    }
  }
  pw_put_leave(code);
  pw_slots_close(&v);
  return done && !code->failed;
}

/* ---- all tapes ---- */

static void adopt(pw_native *native, pw_tape *const *tape, const size_t *begin, int n) {
  for (int i = 0; i < n; i++) {
    const unsigned char *at = (const unsigned char *)native->code + begin[i];
    memcpy(&tape[i]->native, &at, sizeof at);
  }
}

static bool write_all(pw_native *native, pw_tape *const *tape, size_t *begin, int n) {
  pw_bytes code = {0};
  put_constants(&code);
  bool done = true;
  for (int i = 0; done && i < n; i++) {
    begin[i] = (code.n + 15) / 16 * 16;
    done = write_function(tape[i], &code);
  }
  native->bytes = code.n;
  native->code = done && !code.failed ? pw_code_map(code.at, code.n) : NULL;
  free(code.at);
  return native->code != NULL;
}

pw_native *pw_native_new(pw_tape *const *tape, int n) {
  pw_native *native = calloc(1, sizeof *native);
  size_t *begin = malloc(((size_t)n + 1) * sizeof *begin);
  if (native == NULL || begin == NULL || !write_all(native, tape, begin, n)) {
    free(native);
    native = NULL;
  } else {
    adopt(native, tape, begin, n);
  }
  free(begin);
  return native;
}

void pw_native_free(pw_native *native) {
  if (native != NULL) {
    pw_code_unmap(native->code, native->bytes);
  }
  free(native);
}

#else

pw_native *pw_native_new(pw_tape *const *tape, int n) {
  (void)tape;
  (void)n;
  return NULL;
}

void pw_native_free(pw_native *native) {
  (void)native;
}

#endif
