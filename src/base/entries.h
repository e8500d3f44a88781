// SPDX-License-Identifier: MIT
/* Vectors of many bodies are nearly all zero. */
#ifndef PW_BASE_ENTRIES_H
#define PW_BASE_ENTRIES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Eight numbers are zero, of either sign. */
static inline bool pw_zeros(const double *a) {
  uint64_t b[8];
  memcpy(b, a, sizeof b);
  uint64_t any = (b[0] | b[1]) | (b[2] | b[3]) | (b[4] | b[5]) | (b[6] | b[7]);
  return any << 1 == 0;
}

/* The first of the n entries from i on that is not zero; n: there is none. Eight at a time; NAN
 * counts as an entry. */
static inline int pw_next_entry(const double *a, int i, int n) {
  while (i + 8 <= n && pw_zeros(a + i)) {
    i += 8;
  }
  while (i < n && a[i] == 0) {
    i++;
  }
  return i;
}

#endif
