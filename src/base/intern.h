// SPDX-License-Identifier: MIT
/* One copy of every name, so that equal names are equal pointers. */
#ifndef PW_BASE_INTERN_H
#define PW_BASE_INTERN_H

#include "base/arena.h"

typedef struct pw_interner {
  pw_arena *arena;
  const char **slots;
  int n, cap; /* cap is a power of two */
} pw_interner;

void pw_interner_init(pw_interner *in, pw_arena *arena);
const char *pw_intern(pw_interner *in, const char *text, int len);
/* printf into an interned string: names such as "link[3]". */
const char *pw_intern_format(pw_interner *in, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

#endif
