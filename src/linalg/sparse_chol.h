// SPDX-License-Identifier: MIT
/* Cholesky factor of a sparse matrix whose pattern does not change. The positions of all entries
 * are computed once, in a plan; the numerical factorisation follows it without a search. Rows and
 * columns keep their numbers: the plan orders the elimination, not the matrix, so that the factor F
 * of A = F F^T is triangular only in the order of the plan (docs/sparse.md). */
#ifndef PW_LINALG_SPARSE_CHOL_H
#define PW_LINALG_SPARSE_CHOL_H

#include <stddef.h>

#include "base/arena.h"

/* n lists of ascending numbers: list i is index[start[i]] .. index[start[i + 1] - 1]. */
typedef struct pw_pattern {
  int n;
  const int *start, *index;
} pw_pattern;

/* Position of `item` of list i in `index`, or -1. */
int pw_pattern_find(const pw_pattern *p, int i, int item);

typedef struct pw_chol_plan {
  int n;
  int *order;  /* n: columns as they are eliminated */
  int *start;  /* n + 1: start of the off-diagonal entries, by step */
  int *row;    /* their rows */
  int *target; /* step by step, for each pair a <= b of entries: where their product goes in x */
  int *place;  /* for each entry of the pattern: where it goes in x */
  int given;   /* entries of the pattern */
  int numbers; /* length of x: n inverse diagonal entries by row, then the off-diagonal entries by
                  step */
  size_t work; /* products */
} pw_chol_plan;

/* lower: rows i >= j of each column j, the diagonal among them. Orders by least degree. NULL: the
 * factor needs more than `most` products. */
pw_chol_plan *pw_chol_plan_new(pw_arena *arena, const pw_pattern *lower, size_t most);

/* x: zeros and the entries of A at their places, becomes the factor, with inverse diagonal.
 * diagonal (n): of A, NULL: ones. Returns 0, or i + 1 where pivot i is not above CHOL_PIVOT times
 * it. */
int pw_chol_plan_factor(const pw_chol_plan *plan, double *x, const double *diagonal);
/* The least of the pivots of a factor: the lengths that columns leave. */
double pw_chol_plan_least(const pw_chol_plan *plan, const double *x);

void pw_chol_plan_forward(const pw_chol_plan *plan, const double *x, double *b);  /* b <- F^-1 b */
void pw_chol_plan_backward(const pw_chol_plan *plan, const double *x, double *b); /* b <- F^-T b */
/* out <- F^T v; out and v are different. */
void pw_chol_plan_lift(const pw_chol_plan *plan, const double *x, const double *v, double *out);

#endif
