// SPDX-License-Identifier: MIT
/* What multipliers say about neighbouring motions, as far as their errors let them. */
#ifndef PW_ORBIT_STABILITY_H
#define PW_ORBIT_STABILITY_H

#include <stdbool.h>

typedef enum pw_stability { PW_STABLE, PW_NEUTRAL, PW_UNSTABLE } pw_stability;

typedef struct pw_return_matrix { /* the derivative of a return map */
  const double *D; /* d x d by columns, each entry in the units of its row and column */
  int d;
  double error; /* of its entries, in parts of the largest */
} pw_return_matrix;

/* z (count pairs): eigenvalues of D. A multiplier is on the unit circle if a matrix as near to D as
 * its error has the eigenvalue z/|z|: the smallest singular value of D - z/|z| says how near
 * (orbits (O8)). Stable: all are inside. Unstable: one is outside. Neutral: neither. False: out of
 * memory. */
bool pw_stability_of(const pw_return_matrix *m, const double *z, int count, pw_stability *out);

#endif
