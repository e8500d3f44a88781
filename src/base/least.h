// SPDX-License-Identifier: MIT
/* The least of many keys of which few change at a time: a tree of matches, each won by the smaller
 * key. A change plays one match per level again, log2(n) of them. */
#ifndef PW_BASE_LEAST_H
#define PW_BASE_LEAST_H

#include "base/layout.h"

typedef struct pw_least {
  int leaves;  /* a power of 2, no less than n */
  double *key; /* leaves: INFINITY where there is none */
  int *winner; /* 2 * leaves: of match k those of 2 k and 2 k + 1; leaf i is match leaves + i */
} pw_least;

/* Memory for n keys. */
void pw_least_lay_out(pw_least *l, int n, pw_layout *to);
/* No keys. */
void pw_least_clear(pw_least *l);
/* Key i; INFINITY: none. */
void pw_least_set(pw_least *l, int i, double key);
/* The item with the least key, of equal keys the first; -1: there are none. */
int pw_least_first(const pw_least *l);

#endif
