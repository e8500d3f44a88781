// SPDX-License-Identifier: MIT
#include "scene/near.h"

#include <math.h>
#include <stdlib.h>

static double low(const pw_placed *s, const double *margin, int i) {
  return s[i].lo[0] - margin[i];
}

/* Nearly sorted from the last call. */
static void sort(pw_near *x, const pw_placed *s, const double *margin, int n) {
  for (int i = 1; i < n; i++) {
    int moving = x->order[i], k = i;
    double at = low(s, margin, moving);
    for (; k > 0; k--) {
      double before = low(s, margin, x->order[k - 1]);
      if (before < at || (before == at && x->order[k - 1] < moving)) {
        break;
      }
      x->order[k] = x->order[k - 1];
    }
    x->order[k] = moving;
  }
}

static bool overlap(const pw_placed *a, const pw_placed *b, double margin) {
  bool all = true;
  for (int k = 0; k < 3; k++) {
    all = all && a->lo[k] <= b->hi[k] + margin && b->lo[k] <= a->hi[k] + margin;
  }
  return all;
}

static int by_shapes(const void *a, const void *b) {
  const int *p = a, *q = b;
  return p[0] != q[0] ? (p[0] > q[0] ? 1 : -1) : (p[1] > q[1]) - (p[1] < q[1]);
}

bool pw_near_find(pw_near *x, const pw_placed *shape, const double *margin, int n,
                  bool (*may)(void *payload, int i, int j), void *payload) {
  x->n_pair = 0;
  sort(x, shape, margin, n);
  for (int i = 0; i < n; i++) {
    int a = x->order[i];
    double end = shape[a].hi[0] + margin[a];
    for (int k = i + 1; k < n && low(shape, margin, x->order[k]) <= end; k++) {
      int b = x->order[k], first = a < b ? a : b, second = a < b ? b : a;
      if (!overlap(&shape[a], &shape[b], margin[a] + margin[b]) || !may(payload, first, second)) {
        continue;
      }
      if (x->n_pair == x->most) {
        return false;
      }
      x->pair[x->n_pair][0] = first;
      x->pair[x->n_pair++][1] = second;
    }
  }
  qsort(x->pair, (size_t)x->n_pair, sizeof *x->pair, by_shapes);
  return true;
}
