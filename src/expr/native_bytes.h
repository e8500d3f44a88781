// SPDX-License-Identifier: MIT
/* Instructions of x86-64 as bytes: the few that tapes need. Scalars in double precision live in the
 * registers xmm0 to xmm15, addresses are a base and a distance. Only SSE2 is used, which every
 * x86-64 has, and which never contracts a product and a sum. */
#ifndef PW_EXPR_NATIVE_BYTES_H
#define PW_EXPR_NATIVE_BYTES_H

#include <stdbool.h>
#include <stddef.h>

typedef struct pw_bytes { /* grows; `failed`: no memory, and nothing is added any more */
  unsigned char *at;
  size_t n, room;
  bool failed;
} pw_bytes;

void pw_bytes_add(pw_bytes *b, const void *from, size_t count);

/* Base registers that functions keep over calls: rbx, rbp, r14; PW_BASE_CODE: the code itself. */
typedef enum pw_base {
  PW_BASE_REG = 3,
  PW_BASE_IN = 5,
  PW_BASE_OUT = 14,
  PW_BASE_CODE = -1
} pw_base;

typedef struct pw_x86_place { /* 8 bytes, or for masks 16, at a distance */
  pw_base base;
  int offset; /* in bytes; from the beginning of all code if base is the code */
} pw_x86_place;

/* Low byte: opcode after 0F; above: prefix. */
typedef enum pw_sse {
  PW_SSE_LOAD = 0xf210,    /* movsd xmm, m */
  PW_SSE_STORE = 0xf211,   /* movsd m, xmm */
  PW_SSE_COPY = 0x6628,    /* movapd */
  PW_SSE_COMPARE = 0x662e, /* ucomisd */
  PW_SSE_SQRT = 0xf251,
  PW_SSE_AND = 0x6654,
  PW_SSE_XOR = 0x6657,
  PW_SSE_ADD = 0xf258,
  PW_SSE_MUL = 0xf259,
  PW_SSE_SUB = 0xf25c,
  PW_SSE_DIV = 0xf25e
} pw_sse;

void pw_put_sse(pw_bytes *b, pw_sse op, int to, int from);
void pw_put_sse_at(pw_bytes *b, pw_sse op, int xmm, pw_x86_place place);

/* Saves and loads the bases from the arguments reg, in, out; and back. */
void pw_put_enter(pw_bytes *b);
void pw_put_leave(pw_bytes *b);
/* First and second integer argument of a call. */
typedef enum pw_argument { PW_ARGUMENT_1 = 7, PW_ARGUMENT_2 = 6 } pw_argument;
void pw_put_address(pw_bytes *b, pw_argument to, pw_x86_place place);
void pw_put_pointer(pw_bytes *b, pw_argument to, const void *pointer);
void pw_put_number(pw_bytes *b, pw_argument to, int number);
/* Calls a function by its address, which is copied from *function. */
void pw_put_call(pw_bytes *b, const void *function);

/* Forward jumps: their target is filled in later with the current end of the code. */
typedef enum pw_x86_jump {
  PW_JUMP_UNORDERED = 0x7a,
  PW_JUMP_BELOW = 0x72,
  PW_JUMP_NOT_BELOW = 0x73,
  PW_JUMP_EQUAL = 0x74,
  PW_JUMP_ALWAYS = 0xeb
} pw_x86_jump;
size_t pw_put_jump(pw_bytes *b, pw_x86_jump when);
void pw_aim_jump(pw_bytes *b, size_t jump);

#endif
