// SPDX-License-Identifier: MIT
/* Tables of the instruction set, packing, decoding and printing. */
#include "expr/tape_code.h"

#include "base/assert.h"

static const pw_fusion fusions[PW_TAPE_END] = {
    [PW_TAPE_MUL_ADD] = {PW_TAPE_ADD, PW_TAPE_MUL, false},
    [PW_TAPE_MUL_SUB] = {PW_TAPE_SUB, PW_TAPE_MUL, false},
    [PW_TAPE_SUB_MUL] = {PW_TAPE_SUB, PW_TAPE_MUL, true},
    [PW_TAPE_MUL_MUL] = {PW_TAPE_MUL, PW_TAPE_MUL, false},
    [PW_TAPE_ADD_MUL] = {PW_TAPE_MUL, PW_TAPE_ADD, false},
    [PW_TAPE_DIFF_MUL] = {PW_TAPE_MUL, PW_TAPE_SUB, false},
    [PW_TAPE_ADD_ADD] = {PW_TAPE_ADD, PW_TAPE_ADD, false},
    [PW_TAPE_ADD_SUB] = {PW_TAPE_SUB, PW_TAPE_ADD, false},
    [PW_TAPE_SUB_ADD] = {PW_TAPE_SUB, PW_TAPE_ADD, true},
    [PW_TAPE_DIFF_ADD] = {PW_TAPE_ADD, PW_TAPE_SUB, false},
    [PW_TAPE_DIFF_SUB] = {PW_TAPE_SUB, PW_TAPE_SUB, false},
    [PW_TAPE_SUB_DIFF] = {PW_TAPE_SUB, PW_TAPE_SUB, true},
    [PW_TAPE_MUL_ADD_MUL] = {PW_TAPE_ADD, PW_TAPE_MUL, false},
    [PW_TAPE_MUL_SUB_MUL] = {PW_TAPE_SUB, PW_TAPE_MUL, false},
};

const pw_fusion *pw_tape_fusion(pw_tape_op fused) {
  return &fusions[fused];
}

pw_tape_op pw_tape_fuse(pw_tape_op outer, pw_tape_op inner, bool swapped) {
  bool ordered = swapped && outer == PW_TAPE_SUB; /* + and * commute, bit for bit */
  for (int op = PW_TAPE_MUL_ADD; op < PW_TAPE_MUL_ADD_MUL; op++) {
    const pw_fusion *f = &fusions[op];
    if (f->outer == outer && f->inner == inner && f->swapped == ordered) {
      return (pw_tape_op)op;
    }
  }
  return PW_TAPE_END;
}

const char *pw_tape_op_text(pw_tape_op op) {
  static const char *const names[] = {
#define TEXT(name, value) #name,
      PW_TAPE_LIST1(TEXT) PW_TAPE_LIST2(TEXT) PW_TAPE_LIST3(TEXT) PW_TAPE_LIST4(TEXT)
#undef TEXT
          "POWI",
      "SINCOS", "LOOKUP", "END"};
  return names[op];
}

int pw_tape_op_reads(pw_tape_op op) {
  static const signed char reads[] = {
#define ONE(name, value) 1,
#define TWO(name, value) 2,
#define THREE(name, value) 3,
#define FOUR(name, value) 4,
      PW_TAPE_LIST1(ONE) PW_TAPE_LIST2(TWO) PW_TAPE_LIST3(THREE) PW_TAPE_LIST4(FOUR)
#undef ONE
#undef TWO
#undef THREE
#undef FOUR
          1,
      1, 1, 0};
  return reads[op];
}

static const void *pack(pw_arena *arena, const int *word, int n, bool wide) {
  if (wide) {
    uint32_t *code = PW_TAKE(arena, n, uint32_t);
    for (int i = 0; i < n; i++) {
      code[i] = (uint32_t)word[i];
    }
    return code;
  }
  uint16_t *code = PW_TAKE(arena, n, uint16_t);
  for (int i = 0; i < n; i++) {
    code[i] = (uint16_t)word[i];
  }
  return code;
}

/* Outputs that are not constants, then constants. */
static void sort_outputs(pw_arena *arena, pw_tape *tape) {
  int *sorted = PW_TAKE(arena, tape->n_out, int), n = 0;
  for (int moves = 1; moves >= 0; moves--) {
    for (int i = 0; i < tape->n_out; i++) {
      if ((tape->output[i] >= tape->n_const) == moves) {
        sorted[n++] = i;
      }
    }
    tape->n_moving = moves ? n : tape->n_moving;
  }
  tape->moving = sorted;
}

void pw_tape_complete(pw_arena *arena, pw_tape *tape, const int *word) {
  tape->wide = false;
  for (int i = 0; i < tape->words; i++) {
    tape->wide = tape->wide || word[i] < 0 || word[i] > UINT16_MAX;
  }
  tape->code = pack(arena, word, tape->words, tape->wide);
  sort_outputs(arena, tape);
}

int pw_tape_decode(const pw_tape *tape, int at, pw_instruction *out) {
  *out = (pw_instruction){.op = (pw_tape_op)pw_tape_word(tape, at++), .d2 = -1};
  if (out->op == PW_TAPE_END) {
    return at;
  }
  out->d = pw_tape_word(tape, at++);
  if (out->op == PW_TAPE_SINCOS) {
    out->d2 = pw_tape_word(tape, at++);
  }
  int reads = pw_tape_op_reads(out->op);
  for (int i = 0; i < reads; i++) {
    out->arg[i] = pw_tape_word(tape, at++);
  }
  if (out->op == PW_TAPE_POWI) {
    out->n = pw_tape_word(tape, at++) - PW_TAPE_BIAS;
  }
  if (out->op == PW_TAPE_LOOKUP) {
    out->n = pw_tape_word(tape, at++);
  }
  PW_ASSERT(at <= tape->words && out->d < tape->n_reg && out->d2 < tape->n_reg);
  return at;
}

static void dump_head(pw_buf *out, const pw_tape *tape) {
  pw_buf_printf(out, "tape: %d instructions, %d words of %d bit, %d registers\n", tape->length,
                tape->words, tape->wide ? 32 : 16, tape->n_reg);
  for (int i = 0; i < tape->n_const; i++) {
    pw_buf_printf(out, "  r%d = ", i);
    pw_buf_real(out, tape->constant[i]);
    pw_buf_puts(out, "\n");
  }
  for (int i = 0; i < tape->n_in; i++) {
    pw_buf_printf(out, "  r%d = in[%d]\n", tape->n_const + i, tape->input[i]);
  }
}

void pw_tape_dump(pw_buf *out, const pw_tape *tape) {
  dump_head(out, tape);
  pw_instruction x;
  for (int at = pw_tape_decode(tape, 0, &x); x.op != PW_TAPE_END;
       at = pw_tape_decode(tape, at, &x)) {
    pw_buf_printf(out, "  r%d", x.d);
    if (x.d2 >= 0) {
      pw_buf_printf(out, ", r%d", x.d2);
    }
    pw_buf_printf(out, " = %s", pw_tape_op_text(x.op));
    for (int i = 0; i < pw_tape_op_reads(x.op); i++) {
      pw_buf_printf(out, " r%d", x.arg[i]);
    }
    if (x.op == PW_TAPE_POWI || x.op == PW_TAPE_LOOKUP) {
      pw_buf_printf(out, " %d", x.n);
    }
    pw_buf_puts(out, "\n");
  }
  for (int i = 0; i < tape->n_out; i++) {
    pw_buf_printf(out, "  out[%d] = r%d\n", i, tape->output[i]);
  }
}
