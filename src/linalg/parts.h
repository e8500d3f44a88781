// SPDX-License-Identifier: MIT
/* Connected parts of a matrix: columns that share a coordinate belong together, others do not feel
 * each other. Everything lives in the caller's memory. */
#ifndef PW_LINALG_PARTS_H
#define PW_LINALG_PARTS_H

#include <stddef.h>

typedef struct pw_parts {
  int n, k;                 /* coordinates, columns */
  int count;                /* parts, in the order of their first columns */
  int *root;                /* n + k: forest of the items joined so far; -1: no column met it */
  int *place;               /* n + k: scratch */
  int *span;                /* 2: first and last coordinate with a column */
  int *coord_start, *coord; /* count + 1, n: coordinates of each part, ascending */
  int *col_start, *col;     /* count + 1, k: columns of each part, ascending */
} pw_parts;

/* Ints for up to n coordinates and k columns. */
size_t pw_parts_ints(int n, int k);
/* All items apart; memory of that size. */
void pw_parts_begin(pw_parts *p, int n, int k, int *memory);
/* Column j has the entries a (n): it belongs to the coordinates where they are not zero. */
void pw_parts_add(pw_parts *p, int j, const double *a);
/* The same where only these `count` entries may not be zero. */
void pw_parts_add_list(pw_parts *p, int j, const double *a, const int *at, int count);
/* Columns i and j belong together. */
void pw_parts_join(pw_parts *p, int i, int j);
/* Lists the parts. Coordinates without a column are in none. Returns their number. */
int pw_parts_end(pw_parts *p);
/* The part of column j, after that. */
int pw_parts_of(pw_parts *p, int j);

#endif
