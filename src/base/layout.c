// SPDX-License-Identifier: MIT
#include "base/layout.h"

#include <stdint.h>
#include <string.h>

enum { ALIGN = 16 };

#if defined(__SANITIZE_ADDRESS__)
#define HAS_RED_ZONES 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_RED_ZONES 1
#endif
#endif

#ifdef HAS_RED_ZONES
#include <sanitizer/asan_interface.h>
enum { RED_ZONE = 32 };

static void forbid(void *zone) {
  ASAN_POISON_MEMORY_REGION(zone, RED_ZONE);
}

/* Through volatile bytes: the sanitizer does not check them, and no compiler replaces the loop by a
 * call. */
__attribute__((no_sanitize("address"))) void pw_layout_copy(void *to, const void *from,
                                                            size_t size) {
  volatile unsigned char *out = to;
  const volatile unsigned char *in = from;
  for (size_t i = 0; i < size; i++) {
    out[i] = in[i];
  }
}
#else
enum { RED_ZONE = 0 };

static void forbid(void *zone) {
  (void)zone;
}

void pw_layout_copy(void *to, const void *from, size_t size) {
  memcpy(to, from, size);
}
#endif

pw_layout pw_layout_in(void *memory) {
  return (pw_layout){.memory = memory};
}

void *pw_layout_take(pw_layout *l, size_t count, size_t item) {
  size_t spare = ALIGN + RED_ZONE;
  if (l->size > SIZE_MAX - spare || count > (SIZE_MAX - spare - l->size) / item) {
    l->size = SIZE_MAX;
    return NULL;
  }

  size_t bytes = (count * item + ALIGN - 1) / ALIGN * ALIGN;
  unsigned char *at = l->memory == NULL ? NULL : l->memory + l->size;
  l->size += bytes + RED_ZONE;
  if (at != NULL) {
    forbid(at + bytes);
  }
  return at;
}
