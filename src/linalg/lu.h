// SPDX-License-Identifier: MIT
/* LU with row exchanges for small square systems, in the caller's memory. */
#ifndef PW_LINALG_LU_H
#define PW_LINALG_LU_H

/* P A = L U in place, A n x n column-major; pivot[n] holds the exchanges.
 * Returns 0, or j + 1 if column j depends on the columns before it to working precision
 * (pivot <= 1e-13 times the largest entry of that column of A) or is not finite. */
int pw_lu(double *A, int n, int *pivot);

void pw_lu_solve(const double *LU, int n, const int *pivot, double *b); /* b <- A^-1 b */

#endif
