// SPDX-License-Identifier: MIT
/* Disjoint sets: coordinates are items 0..n-1, columns n..n+k-1. The root of a set is its first
 * item, so that the result does not depend on the order of the unions. Most coordinates have no
 * column: they stay unmet, and cost one look each. */
#include "linalg/parts.h"

#include <stdbool.h>
#include <string.h>

#include "base/assert.h"
#include "base/entries.h"
#include "base/strip.h"

enum { UNMET = 0xff }; /* each byte of a root of -1 */

static void lay_out(pw_parts *p, int n, int k, pw_strip *to) {
  size_t items = (size_t)n + (size_t)k, parts = (size_t)k + 1;
  p->root = pw_strip_whole(to, items);
  p->place = pw_strip_whole(to, items);
  p->span = pw_strip_whole(to, 2);
  p->coord_start = pw_strip_whole(to, parts);
  p->coord = pw_strip_whole(to, (size_t)n);
  p->col_start = pw_strip_whole(to, parts);
  p->col = pw_strip_whole(to, (size_t)k);
}

size_t pw_parts_ints(int n, int k) {
  pw_parts p;
  pw_strip to = {0};
  lay_out(&p, n, k, &to);
  return to.n_whole;
}

void pw_parts_begin(pw_parts *p, int n, int k, int *memory) {
  lay_out(p, n, k, &(pw_strip){.whole = memory});
  p->n = n;
  p->k = k;
  p->count = 0;
  p->span[0] = n;
  p->span[1] = -1;
  memset(p->root, UNMET, (size_t)n * sizeof *p->root);
  for (int i = n; i < n + k; i++) {
    p->root[i] = i;
    p->place[i] = -1;
  }
}

static int find(pw_parts *p, int i) {
  while (p->root[i] != i) {
    p->root[i] = p->root[p->root[i]];
    i = p->root[i];
  }
  return i;
}

/* Coordinate c has an entry in some column. */
static void meet(pw_parts *p, int c) {
  if (p->root[c] < 0) {
    p->root[c] = c;
    p->place[c] = -1;
    p->span[0] = c < p->span[0] ? c : p->span[0];
    p->span[1] = c > p->span[1] ? c : p->span[1];
  }
}

static void unite(pw_parts *p, int i, int j) {
  int a = find(p, i), b = find(p, j);
  p->root[a > b ? a : b] = a > b ? b : a;
}

void pw_parts_add(pw_parts *p, int j, const double *a) {
  for (int c = pw_next_entry(a, 0, p->n); c < p->n; c = pw_next_entry(a, c + 1, p->n)) {
    meet(p, c);
    unite(p, c, p->n + j);
  }
}

void pw_parts_add_list(pw_parts *p, int j, const double *a, const int *at, int count) {
  for (int i = 0; i < count; i++) {
    if (a[at[i]] != 0) {
      meet(p, at[i]);
      unite(p, at[i], p->n + j);
    }
  }
}

void pw_parts_join(pw_parts *p, int i, int j) {
  unite(p, p->n + i, p->n + j);
}

int pw_parts_of(pw_parts *p, int j) {
  return p->place[find(p, p->n + j)];
}

int pw_parts_end(pw_parts *p) {
  int n = p->n;

  /* parts in the order of their columns, and how many columns and coordinates each has */
  p->col_start[0] = p->coord_start[0] = 0;
  for (int j = 0; j < p->k; j++) {
    int root = find(p, n + j);
    if (p->place[root] < 0) {
      p->place[root] = p->count++;
      p->col_start[p->count] = p->coord_start[p->count] = 0;
    }
    p->col_start[p->place[root] + 1]++;
  }
  for (int c = p->span[0]; c <= p->span[1]; c++) {
    if (p->root[c] >= 0) {
      p->coord_start[p->place[find(p, c)] + 1]++;
    }
  }
  for (int part = 0; part < p->count; part++) {
    p->col_start[part + 1] += p->col_start[part];
    p->coord_start[part + 1] += p->coord_start[part];
  }

  /* the lists: each start moves on to the next one while its list is filled */
  for (int c = p->span[0]; c <= p->span[1]; c++) {
    if (p->root[c] >= 0) {
      p->coord[p->coord_start[p->place[find(p, c)]]++] = c;
    }
  }
  for (int j = 0; j < p->k; j++) {
    p->col[p->col_start[pw_parts_of(p, j)]++] = j;
  }
  for (int part = p->count; part > 0; part--) {
    p->col_start[part] = p->col_start[part - 1];
    p->coord_start[part] = p->coord_start[part - 1];
  }
  p->col_start[0] = p->coord_start[0] = 0;
  PW_ASSERT(p->col_start[p->count] == p->k);
  return p->count;
}
