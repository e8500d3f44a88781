// SPDX-License-Identifier: MIT
/* Eigenvalues of a small real matrix. */
#ifndef PW_ORBIT_EIGEN_H
#define PW_ORBIT_EIGEN_H

#include <stdbool.h>

/* A n x n by columns, which is kept; out: n pairs (real part, imaginary part), the largest first,
 * of a pair of complex ones that above the axis first. False: out of memory, or no convergence. */
bool pw_eigenvalues(const double *A, int n, double *out);

#endif
