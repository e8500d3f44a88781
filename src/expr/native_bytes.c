// SPDX-License-Identifier: MIT
#include "expr/native_bytes.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"

enum { RBX = 3, RBP = 5, R14 = 14, RDX = 2, RSI = 6, RDI = 7 };

void pw_bytes_add(pw_bytes *b, const void *from, size_t count) {
  if (b->n + count > b->room && !b->failed) {
    size_t room = 2 * (b->n + count) + 1024;
    unsigned char *at = realloc(b->at, room);
    b->failed = at == NULL;
    b->at = at == NULL ? b->at : at;
    b->room = at == NULL ? b->room : room;
  }
  if (!b->failed) {
    memcpy(b->at + b->n, from, count);
    b->n += count;
  }
}

static void put(pw_bytes *b, unsigned byte) {
  unsigned char one = (unsigned char)byte;
  pw_bytes_add(b, &one, 1);
}

static void put_int(pw_bytes *b, int32_t x) {
  uint32_t u = (uint32_t)x;
  for (int i = 0; i < 4; i++) {
    put(b, u >> 8 * i & 0xff);
  }
}

/* REX, if some register needs it: W for 64 bits, R and B the upper halves. */
static void put_rex(pw_bytes *b, bool wide, int reg, int rm) {
  unsigned rex = 0x40u | (wide ? 8u : 0u) | (reg >= 8 ? 4u : 0u) | (rm >= 8 ? 1u : 0u);
  if (rex != 0x40) {
    put(b, rex);
  }
}

static void put_modes(pw_bytes *b, unsigned mod, int reg, int rm) {
  put(b, mod << 6 | ((unsigned)reg & 7) << 3 | ((unsigned)rm & 7));
}

/* Operands (reg, place): the bases need no index byte. */
static void put_place(pw_bytes *b, int reg, pw_x86_place p) {
  if (p.base == PW_BASE_CODE) {
    put_modes(b, 0, reg, 5);
    put_int(b, (int32_t)(p.offset - (int64_t)b->n - 4)); /* from the next instruction */
  } else if (p.offset >= -128 && p.offset < 128) {
    put_modes(b, 1, reg, (int)p.base);
    put(b, (unsigned)p.offset & 0xff);
  } else {
    put_modes(b, 2, reg, (int)p.base);
    put_int(b, p.offset);
  }
}

static int upper(pw_x86_place p) {
  return p.base == PW_BASE_CODE ? 0 : (int)p.base;
}

void pw_put_sse(pw_bytes *b, pw_sse op, int to, int from) {
  put(b, (unsigned)op >> 8);
  put_rex(b, false, to, from);
  put(b, 0x0f);
  put(b, (unsigned)op & 0xff);
  put_modes(b, 3, to, from);
}

void pw_put_sse_at(pw_bytes *b, pw_sse op, int xmm, pw_x86_place place) {
  put(b, (unsigned)op >> 8);
  put_rex(b, false, xmm, upper(place));
  put(b, 0x0f);
  put(b, (unsigned)op & 0xff);
  put_place(b, xmm, place);
}

static void put_move(pw_bytes *b, int to, int from) { /* mov to, from: 64 bits */
  put_rex(b, true, from, to);
  put(b, 0x89);
  put_modes(b, 3, from, to);
}

/* Three pushes and the return address: the stack stays at a multiple of 16. */
void pw_put_enter(pw_bytes *b) {
  put(b, 0x50 + RBX);
  put(b, 0x50 + RBP);
  put(b, 0x41);
  put(b, 0x50 + (R14 & 7));
  put_move(b, RBX, RDI);
  put_move(b, RBP, RSI);
  put_move(b, R14, RDX);
}

void pw_put_leave(pw_bytes *b) {
  put(b, 0x41);
  put(b, 0x58 + (R14 & 7));
  put(b, 0x58 + RBP);
  put(b, 0x58 + RBX);
  put(b, 0xc3);
}

void pw_put_address(pw_bytes *b, pw_argument to, pw_x86_place place) { /* lea */
  put_rex(b, true, (int)to, upper(place));
  put(b, 0x8d);
  put_place(b, (int)to, place);
}

static void put_pointer_in(pw_bytes *b, int to, const void *bytes) { /* mov to, 64 bits */
  put_rex(b, true, 0, to);
  put(b, 0xb8 + (unsigned)to);
  pw_bytes_add(b, bytes, 8);
}

void pw_put_pointer(pw_bytes *b, pw_argument to, const void *pointer) {
  put_pointer_in(b, (int)to, &pointer);
}

void pw_put_number(pw_bytes *b, pw_argument to, int number) { /* mov to, 32 bits */
  put(b, 0xb8 + (unsigned)to);
  put_int(b, number);
}

void pw_put_call(pw_bytes *b, const void *function) {
  put_pointer_in(b, 0, function); /* rax */
  put(b, 0xff);
  put(b, 0xd0);
}

size_t pw_put_jump(pw_bytes *b, pw_x86_jump when) {
  put(b, (unsigned)when);
  put(b, 0);
  return b->n;
}

void pw_aim_jump(pw_bytes *b, size_t jump) {
  if (!b->failed) {
    PW_ASSERT(b->n - jump < 128);
    b->at[jump - 1] = (unsigned char)(b->n - jump);
  }
}
