// SPDX-License-Identifier: MIT
/* Broyden's method for F(x) = 0 with few unknowns: G approximates the inverse derivative of F and
 * begins as -1, so that the first step is x + F (Broyden 1965). The caller evaluates F. */
#ifndef PW_LINALG_BROYDEN_H
#define PW_LINALG_BROYDEN_H

#include <stddef.h>

typedef struct pw_broyden {
  int n;
  double *x, *F;         /* n: the point and the misses there */
  double *old_x, *old_F; /* n: values before the last step */
  double *G;             /* n x n, by rows */
  double *scratch;       /* 2 n */
} pw_broyden;

size_t pw_broyden_doubles(int n);
void pw_broyden_lay(pw_broyden *b, int n, double *memory);

/* G <- -1. */
void pw_broyden_begin(pw_broyden *b);
/* After the first step, with F at the new x: updates G by the change of F over the step. */
void pw_broyden_improve(pw_broyden *b);
/* x <- x - G F, no component by more than `most`. */
void pw_broyden_step(pw_broyden *b, double most);
/* The largest of n misses. */
double pw_broyden_worst(const double *F, int n);

#endif
