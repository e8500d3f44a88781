// SPDX-License-Identifier: MIT
#include "base/arena.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"

struct pw_arena_chunk {
  pw_arena_chunk *next;
  size_t used, size;
  _Alignas(max_align_t) unsigned char bytes[];
};

enum { FIRST_CHUNK = 16 * 1024, LARGEST_CHUNK = 4 * 1024 * 1024, ALIGN = 16 };

void pw_arena_init(pw_arena *arena, size_t limit) {
  *arena = (pw_arena){.limit = limit, .failure = PAWL_OK};
}

void pw_arena_free(pw_arena *arena) {
  pw_arena_chunk *chunk = arena->chunks;
  while (chunk != NULL) {
    pw_arena_chunk *next = chunk->next;
    free(chunk);
    chunk = next;
  }
  arena->chunks = NULL;
  arena->total = 0;
}

_Noreturn void pw_arena_fail(pw_arena *arena, pawl_status why) {
  PW_ASSERT(why != PAWL_OK && arena->on_fail != NULL);
  arena->failure = why;
  longjmp(*arena->on_fail, 1);
}

static void add_chunk(pw_arena *arena, size_t bytes) {
  size_t size = arena->chunks == NULL ? FIRST_CHUNK : 2 * arena->chunks->size;
  if (size > LARGEST_CHUNK) {
    size = LARGEST_CHUNK;
  }
  if (size < bytes) {
    size = bytes;
  }
  pw_arena_chunk *chunk = malloc(sizeof *chunk + size);
  if (chunk == NULL) {
    pw_arena_fail(arena, PAWL_E_MEMORY);
  }
  chunk->next = arena->chunks;
  chunk->used = 0;
  chunk->size = size;
  arena->chunks = chunk;
}

void *pw_arena_take(pw_arena *arena, size_t count, size_t size) {
  if (size != 0 && count > (SIZE_MAX / 2 - ALIGN) / size) {
    pw_arena_fail(arena, PAWL_E_MEMORY);
  }
  size_t bytes = (count * size + (ALIGN - 1)) & ~(size_t)(ALIGN - 1);
  if (arena->limit != 0 && bytes > arena->limit - arena->total) {
    pw_arena_fail(arena, PAWL_E_LIMIT);
  }
  if (arena->chunks == NULL || arena->chunks->size - arena->chunks->used < bytes) {
    add_chunk(arena, bytes);
  }
  void *p = arena->chunks->bytes + arena->chunks->used;
  arena->chunks->used += bytes;
  PW_ASSERT(arena->chunks->used <= arena->chunks->size && (uintptr_t)p % ALIGN == 0);
  arena->total += bytes;
  return memset(p, 0, bytes);
}

void *pw_arena_grow(pw_arena *arena, const void *items, int *cap, size_t size) {
  if (*cap > INT_MAX / 2) {
    pw_arena_fail(arena, PAWL_E_LIMIT);
  }
  int wider = *cap == 0 ? 8 : 2 * *cap;
  void *grown = pw_arena_take(arena, (size_t)wider, size);
  if (*cap > 0) {
    memcpy(grown, items, (size_t)*cap * size);
  }
  *cap = wider;
  return grown;
}
