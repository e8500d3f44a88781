// SPDX-License-Identifier: MIT
/* LU of sparse matrices made of 3 x 3 blocks with a symmetric pattern. The order is one of least
 * degree and is kept: there are no exchanges between blocks, only inside the diagonal ones. */
#ifndef PW_SOLVE_FRICTION_FACTOR_H
#define PW_SOLVE_FRICTION_FACTOR_H

#include <stddef.h>

#include "solve/friction.h"

typedef struct pw_block_plan {
  int n;
  int fill;         /* blocks above the diagonal; as many below */
  int *order, *at;  /* n: at[order[k]] = k */
  int *first, *up;  /* n + 1, fill: pivots after k that row k of U couples to, ascending */
  int *start, *low; /* n + 1, fill: pivots before k, ascending, for row k of L */
} pw_block_plan;

/* Ints for a plan of n blocks with that much fill; n (n - 1) / 2 always is enough. Ints of work
 * that only planning needs (friction_order.c): a multiple of the blocks of W. */
size_t pw_block_plan_ints(int n, size_t fill);
size_t pw_block_work_ints(int n, size_t blocks);
/* Writes the order for the pattern of W (3 n of whole) and returns the fill. */
int pw_block_order(const pw_friction *p, pw_block_plan *plan, int *whole, int *work);
/* The lists. whole as pw_block_order left it. */
void pw_block_lists(const pw_friction *p, pw_block_plan *plan, int *whole, int *work);

/* Doubles of a factor: 9 (n + 2 fill) and 9 n of work. */
size_t pw_block_factor_doubles(int n, size_t fill);

/* B: 9 per block, in the pattern of p. Returns 0, or i + 1 for the first diagonal block that is
 * singular to working precision or not finite. */
int pw_block_factor(const pw_friction *p, const pw_block_plan *plan, const double *B, double *real);
/* x <- B^-1 x; work: 3 n */
void pw_block_solve(const pw_block_plan *plan, const double *real, double *x, double *work);

#endif
