// SPDX-License-Identifier: MIT
/* The least of many keys against a search through all of them. */
#include "base/least.h"

#include <math.h>
#include <stdlib.h>

#include "check.h"

enum { MOST = 70, CHANGES = 2000 };

static int search(const double *key, int n) {
  int first = -1;
  for (int i = 0; i < n; i++) {
    first = key[i] < (first < 0 ? INFINITY : key[first]) ? i : first;
  }
  return first;
}

/* Keys are few small numbers, so that many of them are equal, and some are taken away. */
static void compare(int n) {
  pw_least l;
  pw_layout to = {0};
  double key[MOST];
  unsigned seed = (unsigned)n;
  pw_least_lay_out(&l, n, &to);
  void *memory = calloc(1, to.size);
  to = pw_layout_in(memory);
  pw_least_lay_out(&l, n, &to);
  pw_least_clear(&l);
  CHECK_INT(pw_least_first(&l), -1);
  for (int i = 0; i < n; i++) {
    key[i] = INFINITY;
  }
  int wrong = 0;
  for (int k = 0; k < CHANGES; k++) {
    seed = seed * 1664525u + 1013904223u;
    int i = (int)((seed >> 8) % (unsigned)n), value = (int)((seed >> 20) % 9);
    key[i] = value == 8 ? INFINITY : (double)(value - 4);
    pw_least_set(&l, i, key[i]);
    wrong += pw_least_first(&l) != search(key, n);
  }
  CHECK_INT(wrong, 0);
  pw_least_clear(&l);
  CHECK_INT(pw_least_first(&l), -1);
  free(memory);
}

static void sizes(void) {
  compare(1);
  compare(2);
  compare(17);
  compare(64);
  compare(MOST);
}

CHECK_MAIN({"sizes", sizes})
