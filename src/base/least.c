// SPDX-License-Identifier: MIT
#include "base/least.h"

#include <math.h>

void pw_least_lay_out(pw_least *l, int n, pw_layout *to) {
  l->leaves = 1;
  while (l->leaves < n) {
    l->leaves *= 2;
  }
  l->key = PW_LAY(to, l->leaves, double);
  l->winner = PW_LAY(to, 2 * l->leaves, int);
}

static void play(pw_least *l, int match) {
  int a = l->winner[2 * match], b = l->winner[2 * match + 1];
  l->winner[match] = l->key[b] < l->key[a] ? b : a;
}

void pw_least_clear(pw_least *l) {
  for (int i = 0; i < l->leaves; i++) {
    l->key[i] = INFINITY;
    l->winner[l->leaves + i] = i;
  }
  for (int k = l->leaves - 1; k > 0; k--) {
    play(l, k);
  }
}

void pw_least_set(pw_least *l, int i, double key) {
  if (l->key[i] == key) {
    return;
  }
  l->key[i] = key;
  for (int k = (l->leaves + i) / 2; k > 0; k /= 2) {
    play(l, k);
  }
}

int pw_least_first(const pw_least *l) {
  int first = l->winner[1];
  return l->key[first] < INFINITY ? first : -1;
}
