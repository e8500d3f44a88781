// SPDX-License-Identifier: MIT
#include "base/intern.h"

#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/assert.h"

enum { FIRST_SLOTS = 64 };

/* FNV-1a, then the high bits folded in: the table uses the low ones. */
static uint64_t hash(const char *text, int len) {
  uint64_t h = 0xCBF29CE484222325u;
  for (int i = 0; i < len; i++) {
    h = (h ^ (unsigned char)text[i]) * 0x100000001B3u;
  }
  return h ^ (h >> 32);
}

/* The slot that holds the text or the free one where it belongs. */
static const char **find_slot(const char **slots, int cap, const char *text, int len) {
  PW_ASSERT(cap > 0 && (cap & (cap - 1)) == 0);
  uint64_t mask = (uint64_t)cap - 1;
  uint64_t i = hash(text, len) & mask;
  while (slots[i] != NULL && (strncmp(slots[i], text, (size_t)len) != 0 || slots[i][len] != '\0')) {
    i = (i + 1) & mask;
  }
  return &slots[i];
}

static void widen(pw_interner *in) {
  if (in->cap > INT_MAX / 2) {
    pw_arena_fail(in->arena, PAWL_E_LIMIT);
  }
  int cap = in->cap == 0 ? FIRST_SLOTS : 2 * in->cap;
  const char **slots = PW_TAKE(in->arena, cap, const char *);
  for (int i = 0; i < in->cap; i++) {
    if (in->slots[i] != NULL) {
      *find_slot(slots, cap, in->slots[i], (int)strlen(in->slots[i])) = in->slots[i];
    }
  }
  in->slots = slots;
  in->cap = cap;
}

void pw_interner_init(pw_interner *in, pw_arena *arena) {
  *in = (pw_interner){.arena = arena};
}

const char *pw_intern(pw_interner *in, const char *text, int len) {
  const char *zero = memchr(text, '\0', (size_t)len);
  len = zero == NULL ? len : (int)(zero - text); /* find_slot relies on it */
  if (in->n >= in->cap / 2) {
    widen(in);
  }
  const char **slot = find_slot(in->slots, in->cap, text, len);
  if (*slot == NULL) {
    char *copy = PW_TAKE(in->arena, (size_t)len + 1, char);
    memcpy(copy, text, (size_t)len);
    *slot = copy;
    in->n++;
    PW_ASSERT(in->n < in->cap); /* a free slot ends every search */
  }
  return *slot;
}

const char *pw_intern_format(pw_interner *in, const char *fmt, ...) {
  char small[256];
  va_list args;
  va_start(args, fmt);
  int len = vsnprintf(small, sizeof small, fmt, args);
  va_end(args);
  if (len < 0) {
    pw_arena_fail(in->arena, PAWL_E_LIMIT);
  }
  if ((size_t)len < sizeof small) {
    return pw_intern(in, small, len);
  }
  char *text = PW_TAKE(in->arena, (size_t)len + 1, char);
  va_start(args, fmt);
  vsnprintf(text, (size_t)len + 1, fmt, args);
  va_end(args);
  return pw_intern(in, text, len);
}
