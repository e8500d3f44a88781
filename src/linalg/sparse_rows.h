// SPDX-License-Identifier: MIT
/* Sparse rows J in the metric of a sparse M = F F^T: the columns of A = F^-1 J^T, scaled to unit
 * length, their Gram matrix G = A^T A and its factor (docs/sparse.md). For rows that are clearly
 * independent; which are, a dense decomposition decides in doubtful cases. */
#ifndef PW_LINALG_SPARSE_ROWS_H
#define PW_LINALG_SPARSE_ROWS_H

#include "linalg/sparse_chol.h"

typedef struct pw_rows_plan {
  int n, m;              /* coordinates, rows */
  pw_pattern A;          /* m: coordinates of each column of A, in the order of elimination */
  int *load;             /* for each entry of J: its place in A */
  int *step;             /* for each entry of A: when its coordinate is eliminated */
  int *target;           /* for each entry of A and of its column of F: place in A */
  pw_pattern product;    /* entries of G below its diagonal: pairs of places in A */
  const int *gram_place; /* for each of them: its place in the factor of G */
  const pw_chol_plan *gram;
  size_t work;
} pw_rows_plan;

/* rows: columns of each row of J. NULL: more than `most` products. */
pw_rows_plan *pw_rows_plan_new(pw_arena *arena, const pw_chol_plan *mass, const pw_pattern *rows,
                               size_t most);

typedef struct pw_sparse_rows { /* numbers, in the caller's memory */
  const pw_rows_plan *plan;
  const pw_chol_plan *mass;
  double *A;      /* entries of the unit columns */
  double *length; /* m: of the columns before scaling */
  double *G;      /* the factor of the Gram matrix */
  double *s, *z;  /* m: scratch */
} pw_sparse_rows;

size_t pw_sparse_rows_doubles(const pw_rows_plan *plan);
void pw_sparse_rows_init(pw_sparse_rows *r, const pw_rows_plan *plan, const pw_chol_plan *mass,
                         double *memory);

/* A and the lengths from the entries of J and the factor x of M. A row without entries keeps a zero
 * column. */
void pw_sparse_rows_load(pw_sparse_rows *r, const double *x, const double *J);
/* Factors G. Returns the least length of a column orthogonal to the columns before it; 0 if a
 * column depends on them or is not a number. */
double pw_sparse_rows_factor(pw_sparse_rows *r);
/* The smallest singular value of A, by inverse iteration. */
double pw_sparse_rows_smallest(pw_sparse_rows *r);

double pw_sparse_rows_dot(const pw_sparse_rows *r, int row, const double *y); /* a_row . y */
void pw_sparse_rows_sum(const pw_sparse_rows *r, const double *x, double *y); /* y = A x */

/* lambda (m): A^T A lambda = r; y (n) = A lambda. lambda and right may be the same. */
void pw_sparse_rows_solve(pw_sparse_rows *r, const double *right, double *lambda, double *y);
/* y (n) <- y - A (A^T A)^-1 A^T y; room (n). */
void pw_sparse_rows_reject(pw_sparse_rows *r, double *y, double *room);

#endif
