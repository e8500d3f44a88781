// SPDX-License-Identifier: MIT
/* Scratch of solvers: doubles and ints in two strips of the caller's memory. One function counts
 * and hands out, as in base/layout.h, but without red zones: the memory serves other solvers later,
 * and a solver that runs often must not spend time on it.
 *
 *   static void lay_out(state *s, int n, pw_strip *m) { s->x = pw_strip_real(m, n); ... }
 *
 *   pw_strip m = {0};                          counts m.n_real doubles and m.n_whole ints
 *   pw_strip m = {.real = ..., .whole = ...};  hands out */
#ifndef PW_BASE_STRIP_H
#define PW_BASE_STRIP_H

#include <stddef.h>

typedef struct pw_strip {
  double *real; /* NULL: counts only */
  int *whole;
  size_t n_real, n_whole; /* counted or handed out so far */
} pw_strip;

static inline double *pw_strip_real(pw_strip *s, size_t n) {
  double *at = s->real == NULL ? NULL : s->real + s->n_real;
  s->n_real += n;
  return at;
}

static inline int *pw_strip_whole(pw_strip *s, size_t n) {
  int *at = s->whole == NULL ? NULL : s->whole + s->n_whole;
  s->n_whole += n;
  return at;
}

#endif
