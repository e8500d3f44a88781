// SPDX-License-Identifier: MIT
/* Is every principal minor of D positive? Then and only then y = D x + b has exactly one
 * complementary solution for every b: the test for Painleve's paradox (Cottle, Pang and Stone, The
 * Linear Complementarity Problem, 3.3). */
#ifndef PW_SOLVE_PMATRIX_H
#define PW_SOLVE_PMATRIX_H

#include <stddef.h>

typedef enum pw_p_answer {
  PW_P_YES,
  PW_P_NO,
  PW_P_BORDER, /* a minor vanishes to working precision */
  PW_P_UNKNOWN /* too large to try all minors, and the sufficient test fails */
} pw_p_answer;

enum { PW_P_LARGEST = 12 }; /* all minors are tried up to this size: 2^m */

size_t pw_pmatrix_doubles(int m);

/* D m x m, column-major. *margin: least pivot met, of a matrix with unit diagonal (the ratio of a
 * principal minor to the one inside it). Beyond PW_P_LARGEST rows: YES if the symmetric part is
 * positive definite, NO if a diagonal entry or 2 x 2 minor is not positive. */
pw_p_answer pw_pmatrix(const double *D, int m, double *margin, double *real);

#endif
