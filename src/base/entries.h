// SPDX-License-Identifier: MIT
/* Vectors of many bodies are nearly all zero. */
#ifndef PW_BASE_ENTRIES_H
#define PW_BASE_ENTRIES_H

/* The first of the n entries from i on that is not zero; n: there is none. Four at a time; NAN
 * counts as an entry. */
static inline int pw_next_entry(const double *a, int i, int n) {
  while (i + 4 <= n && a[i] == 0 && a[i + 1] == 0 && a[i + 2] == 0 && a[i + 3] == 0) {
    i += 4;
  }
  while (i < n && a[i] == 0) {
    i++;
  }
  return i;
}

#endif
