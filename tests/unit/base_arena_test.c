// SPDX-License-Identifier: MIT
#include "alloc_wrap.h"
#include "base/arena.h"
#include "base/intern.h"
#include "check.h"

#include <limits.h>
#include <stdint.h>

static void memory_is_zeroed_and_aligned(void) {
  pw_arena arena;
  jmp_buf out;
  pw_arena_init(&arena, 0);
  arena.on_fail = &out;
  if (!CHECK(setjmp(out) == 0)) {
    return;
  }
  for (size_t size = 1; size < 70000; size = size * 3 + 1) {
    unsigned char *p = pw_arena_take(&arena, 1, size);
    CHECK((uintptr_t)p % 16 == 0);
    size_t zeros = 0;
    for (size_t i = 0; i < size; i++) {
      zeros += p[i] == 0;
    }
    CHECK_INT((long long)zeros, (long long)size);
    memset(p, 0xA5, size);
  }
  pw_arena_free(&arena);
  CHECK(arena.chunks == NULL && arena.total == 0);
}

/* The status with which taking count * size from an arena of that limit ends. */
static pawl_status take_once(size_t limit, size_t count, size_t size) {
  pw_arena arena;
  jmp_buf out;
  pw_arena_init(&arena, limit);
  arena.on_fail = &out;
  if (setjmp(out) == 0) {
    pw_arena_take(&arena, count, size);
  }
  pawl_status status = arena.failure;
  pw_arena_free(&arena);
  return status;
}

static void limit_is_kept(void) {
  CHECK_INT(take_once(1024, 64, 16), PAWL_OK);
  CHECK_INT(take_once(1024, 65, 16), PAWL_E_LIMIT);
  CHECK_INT(take_once(1024, 1025, 1), PAWL_E_LIMIT);
}

static void overflow_is_an_error(void) {
  CHECK_INT(take_once(0, SIZE_MAX / 8, 16), PAWL_E_MEMORY);
  CHECK_INT(take_once(0, SIZE_MAX, 1), PAWL_E_MEMORY);
  CHECK_INT(take_once(0, SIZE_MAX / 2 + 1, 2), PAWL_E_MEMORY);
  CHECK_INT(take_once(0, 0, 8), PAWL_OK);
}

static void limit_counts_all_takes(void) {
  pw_arena arena;
  jmp_buf out;
  volatile int taken = 0;
  pw_arena_init(&arena, 160);
  arena.on_fail = &out;
  if (setjmp(out) == 0) {
    for (;;) {
      pw_arena_take(&arena, 1, 10); /* 16 with alignment */
      taken++;
    }
  }
  CHECK_INT(taken, 10);
  CHECK_INT(arena.failure, PAWL_E_LIMIT);
  pw_arena_free(&arena);
}

static void pushed_items_stay_in_order(void) {
  struct {
    int *items;
    int n, cap;
  } list = {0};
  pw_arena arena;
  jmp_buf out;
  pw_arena_init(&arena, 0);
  arena.on_fail = &out;
  if (setjmp(out) == 0) {
    for (int i = 0; i < 1000; i++) {
      PW_PUSH(&arena, &list, 3 * i);
    }
    for (int i = 0; i < 1000; i++) {
      CHECK_INT(list.items[i], 3 * i);
    }
    CHECK_INT(list.n, 1000);
    int huge = INT_MAX - 1;
    pw_arena_grow(&arena, list.items, &huge, sizeof(int));
  }
  CHECK_INT(arena.failure, PAWL_E_LIMIT);
  pw_arena_free(&arena);
}

static void intern_many(void *payload) {
  int *done = payload;
  pw_arena arena;
  jmp_buf out;
  pw_interner in;
  pw_arena_init(&arena, 0);
  arena.on_fail = &out;
  *done = 0;
  if (setjmp(out) == 0) {
    pw_interner_init(&in, &arena);
    for (int i = 0; i < 5000; i++) {
      pw_intern_format(&in, "name[%d]", i);
    }
    *done = in.n;
  } else {
    CHECK_INT(arena.failure, PAWL_E_MEMORY);
  }
  pw_arena_free(&arena);
}

static void every_failing_allocation_is_survived(void) {
  int done = 0;
  CHECK(alloc_sweep(intern_many, &done) > 3);
  CHECK_INT(done, 5000);
}

CHECK_MAIN({"memory_is_zeroed_and_aligned", memory_is_zeroed_and_aligned},
           {"limit_is_kept", limit_is_kept}, {"overflow_is_an_error", overflow_is_an_error},
           {"limit_counts_all_takes", limit_counts_all_takes},
           {"pushed_items_stay_in_order", pushed_items_stay_in_order},
           {"every_failing_allocation_is_survived", every_failing_allocation_is_survived})
