// SPDX-License-Identifier: MIT
/* All solutions of a box problem theory (45) with a general matrix, by depth-first search over
 * the pieces of each row: {x = lo, y >= 0}, {y = 0}, {x = hi, y <= 0}. */
#ifndef PW_SOLVE_ENUMERATE_H
#define PW_SOLVE_ENUMERATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "solve/box_lcp.h"
#include "solve/leaf.h"
#include "solve/outcome.h"

typedef struct pw_branch {
  int dimension; /* 0: an isolated point; else x, y are one point of a continuum */
  bool strict;   /* no row is at a bound with y_i = 0 */
  double norm;   /* |K x|, or |x| in the units of box_lcp.h: the least is the least forced motion */
} pw_branch;

/* Room for `capacity` solutions, sorted by norm on return. */
typedef struct pw_branches {
  int capacity, count;
  bool overflow;     /* there are more */
  pw_branch *branch; /* capacity */
  double *x, *y;     /* m x capacity */
  int *piece;        /* m x capacity: PW_PIECE_* */
} pw_branches;

typedef struct pw_enumerate_opts {
  const double *K; /* k x m, or NULL. Solutions with the same K x count as one: with K = L^-1 W
                      those are the ones with the same acceleration. */
  int k;
  int64_t budget; /* leaves; 0: 2^20 */
  double tol;     /* relative; 0: 1e-10 */
} pw_enumerate_opts;

typedef struct pw_enumerate_info {
  int64_t leaves, nodes;
  bool complete; /* false: the budget ended the search */
  int border;    /* patterns that miss a solution by less than 1e4 tol: not counted as solutions */
} pw_enumerate_info;

size_t pw_enumerate_doubles(int m);
size_t pw_enumerate_ints(int m);

/* SOLVED: at least one solution; INFEASIBLE: none, and the search was complete; MAX_ITER: none
 * found before the budget ended; BREAKDOWN: data not finite. */
pw_outcome pw_enumerate(const pw_box_lcp *p, const pw_enumerate_opts *opts, pw_branches *out,
                        double *real, int *whole, pw_enumerate_info *info);

#endif
