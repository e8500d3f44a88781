// SPDX-License-Identifier: MIT
/* Signs of quadratic forms: on a polyhedral cone (for equilibria on one-sided constraints), and of
 * the spectrum of a linear system. Small dense matrices, column-major. */
#ifndef PW_STATIC_CONE_MIN_H
#define PW_STATIC_CONE_MIN_H

#include "base/arena.h"

typedef enum pw_form_sign {
  PW_FORM_POSITIVE, /* v.A v > 0 on the cone without 0 */
  PW_FORM_NEGATIVE, /* some v with v.A v < 0 */
  PW_FORM_BORDER    /* undecided */
} pw_form_sign;

enum { PW_CONE_LARGEST = 12 };

/* Eigenvalues of the symmetric A (n x n, destroyed) and orthonormal eigenvectors V (n x n). */
void pw_eigen(double *A, int n, double *value, double *V);

/* A on { v : B_i . v >= 0 } (n x k): a form is not positive there exactly if some face has an
 * eigenvector of the form on its span, with eigenvalue 0 or less, inside the cone; all 2^k faces
 * are tried. */
pw_form_sign pw_cone_form(pw_arena *arena, const double *A, int n, const double *B, int k);

/* x' = F x (n x n): POSITIVE if all eigenvalues have negative real parts, NEGATIVE if one has a
 * positive one, by the inertia of P in F^T P + P F = -1. */
pw_form_sign pw_linear_form(pw_arena *arena, const double *F, int n);

#endif
