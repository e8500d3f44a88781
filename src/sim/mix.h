// SPDX-License-Identifier: MIT
/* Fixed points x = G(x) of maps that contract but in a few directions (Anderson 1965): of the
 * values met so far the combination with the least residual is taken. For a linear map it is GMRES,
 * which finds the fixed point also where G magnifies. */
#ifndef PW_SIM_MIX_H
#define PW_SIM_MIX_H

#include <stdbool.h>
#include <stddef.h>

enum { PW_MIX_DEPTH = 6 };

typedef struct pw_mix {
  int n, count;     /* size of x; differences seen */
  bool any;         /* some value was */
  double *value;    /* n: the last G(x) */
  double *rest;     /* n: the last G(x) - x */
  double *step;     /* depth x n: differences of successive values */
  double *fall;     /* depth x n: differences of successive residuals */
  double *unit;     /* depth x n: the latter, orthonormal */
  double *triangle; /* depth x depth: fall = unit * triangle, by columns */
} pw_mix;

size_t pw_mix_size(int n);
void pw_mix_init(pw_mix *m, int n, double *memory);
void pw_mix_begin(pw_mix *m);
/* x (n) with its value G(x) becomes the next place to look at. */
void pw_mix_next(pw_mix *m, const double *value, double *x);

#endif
