// SPDX-License-Identifier: MIT
/* Least squares over many columns with few entries each, where they are clearly independent: by the
 * Gram matrix G = A^T A of unit columns, factored within its envelope (George and Liu, Computer
 * Solution of Large Sparse Positive Definite Systems, chapter 4), and one correction. The cost is
 * linear for chains. Which columns depend on each other is not decided here. */
#ifndef PW_LINALG_GRAM_H
#define PW_LINALG_GRAM_H

#include <stdbool.h>

#include "base/layout.h"

typedef struct pw_gram {
  int n, m;      /* rows; columns now */
  int count;     /* entries now */
  int most;      /* entries there is room for */
  int *row;      /* most: of each entry, column by column */
  int *next;     /* most: the entry before it in its row, -1: none */
  int *column;   /* most */
  double *value; /* most */
  int *head;     /* n: the last entry of each row */
  int *start;    /* m + 1: first entry of each column */
  int *first;    /* m: first column that each one meets */
  double *L;     /* m x m by rows: the factor within its envelope */
  double *rest;  /* n */
  double *right; /* m */
} pw_gram;

/* Memory for n rows and m columns. */
void pw_gram_lay(pw_gram *g, int n, int m, pw_layout *l);

void pw_gram_begin(pw_gram *g, int n);
/* Appends the column a / size, of unit length. False: there are too many entries. */
bool pw_gram_add(pw_gram *g, const double *a, double size);
/* Factors G; returns the least length that a column leaves beside those before it, 0 where one
 * depends on them or is not a number. */
double pw_gram_factor(pw_gram *g);
/* x (m) minimises |A x - c|, c (n). */
void pw_gram_least_squares(pw_gram *g, const double *c, double *x);

#endif
