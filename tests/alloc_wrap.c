// SPDX-License-Identifier: MIT
#include "alloc_wrap.h"

#include <stdatomic.h>
#include <stddef.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void __real_free(void *p);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void __wrap_free(void *p);

static atomic_long calls, live, countdown;
static atomic_int hit;

static int refuse(void) {
  calls++;
  if (countdown > 0 && --countdown == 0) {
    hit = 1;
    return 1;
  }
  return 0;
}

void *__wrap_malloc(size_t size) {
  void *p = refuse() ? NULL : __real_malloc(size);
  live += p != NULL;
  return p;
}

void *__wrap_calloc(size_t count, size_t size) {
  void *p = refuse() ? NULL : __real_calloc(count, size);
  live += p != NULL;
  return p;
}

void *__wrap_realloc(void *old, size_t size) {
  void *p = refuse() ? NULL : __real_realloc(old, size);
  live += old == NULL && p != NULL;
  return p;
}

void __wrap_free(void *p) {
  live -= p != NULL;
  __real_free(p);
}

long alloc_calls(void) {
  return calls;
}

long alloc_live(void) {
  return live;
}

void alloc_fail_at(long k) {
  hit = 0;
  countdown = k;
}

int alloc_failed(void) {
  return hit;
}

long alloc_sweep(void (*attempt)(void *payload), void *payload) {
  for (long k = 1;; k++) {
    long before = live;
    alloc_fail_at(k);
    attempt(payload);
    int was_hit = hit;
    alloc_fail_at(0);
    if (live != before) {
      return -1;
    }
    if (!was_hit) {
      return k;
    }
  }
}
