// SPDX-License-Identifier: MIT
/* Growing memory for everything that lives as long as a model: text, AST, DAG, names.
 * Freed as a whole. An allocation never returns NULL: on failure it jumps to `on_fail`, which every
 * public entry point sets, so that code between needs no checks and can leak nothing. */
#ifndef PW_BASE_ARENA_H
#define PW_BASE_ARENA_H

#include <setjmp.h>
#include <stddef.h>

#include "pawl/status.h"

typedef struct pw_arena_chunk pw_arena_chunk;

typedef struct pw_arena {
  pw_arena_chunk *chunks;
  size_t total;        /* bytes handed out */
  size_t limit;        /* 0: none */
  jmp_buf *on_fail;    /* must be set before the first allocation */
  pawl_status failure; /* why the jump happened: PAWL_E_MEMORY or PAWL_E_LIMIT */
} pw_arena;

void pw_arena_init(pw_arena *arena, size_t limit);
void pw_arena_free(pw_arena *arena);

/* Zeroed, 16-byte aligned; `count * size` is checked for overflow. */
void *pw_arena_take(pw_arena *arena, size_t count, size_t size);

/* Gives up: jumps to on_fail with the given reason. */
_Noreturn void pw_arena_fail(pw_arena *arena, pawl_status why);

#define PW_TAKE(arena, count, type) ((type *)pw_arena_take((arena), (size_t)(count), sizeof(type)))
#define PW_NEW(arena, type) PW_TAKE(arena, 1, type)

/* Appends to a growing array kept as `T *items; int n, cap;` inside the struct `list`. */
#define PW_PUSH(arena, list, value)                                                               \
  do {                                                                                            \
    if ((list)->n == (list)->cap) {                                                               \
      (list)->items = pw_arena_grow((arena), (list)->items, &(list)->cap, sizeof *(list)->items); \
    }                                                                                             \
    (list)->items[(list)->n++] = (value);                                                         \
  } while (0)

/* Doubles the capacity and copies; the old block stays in the arena. */
void *pw_arena_grow(pw_arena *arena, const void *items, int *cap, size_t size);

#endif
