// SPDX-License-Identifier: MIT
/* Least distance from a vector to a set of forces: min |c - A x| with lo <= x <= hi, by active sets
 * (Lawson and Hanson's method with two-sided bounds; 0 <= x < infinity is NNLS). Columns that share
 * no row are problems of their own. The optimality of the answer is measured apart from how it was
 * found. */
#ifndef PW_VERIFY_REACH_H
#define PW_VERIFY_REACH_H

#include "base/layout.h"
#include "linalg/gram.h"
#include "linalg/qr.h"

typedef struct pw_reach {
  int n, most;         /* rows; columns there is room for */
  int usual;           /* rows of pw_reach_begin */
  int k;               /* columns now */
  double *A;           /* n x k, columns of any length */
  double *lo, *hi, *x; /* k */
  double *radius;      /* k: of the disk or ball in the columns from j on; 0: none */
  int *width;          /* k: its columns */
  /* results */
  double *rest;    /* n: c - A x */
  double distance; /* |rest| */
  double kkt;      /* largest violation of the optimality conditions, relative to |c| */
  /* scratch */
  double *size, *trial, *answer, *qr_real;
  int *free_of, *qr_int;
  pw_gram *gram; /* of many columns */
  signed char *state;
  /* one of the parts that do not share a row, and what it shall reach */
  struct pw_reach *part;
  double *part_c;
  pw_parts parts;
  int *member; /* memory of `parts` */
} pw_reach;

/* Memory for vectors of n and `most` columns; with room for vectors of n + more. */
void pw_reach_lay(pw_reach *r, int n, int most, pw_layout *l);
void pw_reach_lay_more(pw_reach *r, int n, int more, int most, pw_layout *l);

/* Of vectors of n, or of another length that there is room for. */
void pw_reach_begin(pw_reach *r);
void pw_reach_begin_with(pw_reach *r, int n);
/* Appends a column; returns it to be filled, or NULL if there is no room. */
double *pw_reach_add(pw_reach *r, double lo, double hi);
/* The last columns, 2 or 3, are the axes of a disk or ball as wide as their bounds. */
void pw_reach_join(pw_reach *r, int columns);
/* Solves for the vector c (n). Of a disk the square around it is taken, of a ball the cube, turned
 * so that the force lies along an axis, as its corners help nobody then: potentials (P13). */
void pw_reach_solve(pw_reach *r, const double *c);
/* The same from the last solution, which had the first `known` columns. */
void pw_reach_resume(pw_reach *r, const double *c, int known);

#endif
