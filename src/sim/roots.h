// SPDX-License-Identifier: MIT
/* Isolation of all roots of a smooth function on [0, 1] from nine samples: no pair of roots is lost
 * between samples, and where the samples cannot decide, that is said. */
#ifndef PW_SIM_ROOTS_H
#define PW_SIM_ROOTS_H

#include <stdbool.h>

enum { PW_ROOT_DEGREE = 8, PW_ROOT_SAMPLES = 9, PW_ROOT_MAX = 10 };

typedef enum pw_root_kind {
  PW_ROOT_RISING,
  PW_ROOT_FALLING,
  PW_ROOT_GRAZING /* an extremum that is zero within the resolution of the samples */
} pw_root_kind;

typedef struct pw_root {
  pw_root_kind kind;
  double x;      /* in (0, 1] */
  double lo, hi; /* encloses x and no other root */
  double slope;  /* dw/dx; 0 if not known */
} pw_root;

typedef struct pw_root_poly {
  double b[PW_ROOT_SAMPLES]; /* Bernstein coefficients on [0, 1] of the polynomial of degree 8 */
  double tail;               /* its distance from the function, estimated with a safety factor */
  double scale;              /* largest |sample| */
  double noise;              /* of the samples: finer ones would not tell more. 0 after the fit */
  int start; /* sign right after 0, if it cannot be told from noise. 0 after the fit */
} pw_root_poly;

/* Where to sample: x_j = (1 - cos(j pi/8))/2, from 0 to 1. */
double pw_roots_node(int j);
void pw_roots_fit(const double w[PW_ROOT_SAMPLES], pw_root_poly *p);

typedef enum pw_root_trust {
  PW_ROOTS_TRUSTED,
  PW_ROOTS_NOISY,  /* the noise given decides: find them again with that of this interval */
  PW_ROOTS_NARROW, /* a grazing may be a dip that rounding hides: it is narrow, and in a shorter
                      interval the function and its rounding are smaller */
  PW_ROOTS_COARSE  /* the samples do not resolve the function */
} pw_root_trust;

/* All roots in (0, 1], in order; returns their number. A root at 0 (a first sample that is zero) is
 * known from before and is not given again. *trust: if not trusted, halve the interval and sample
 * again. A zero function has no roots. */
int pw_roots_find(const pw_root_poly *p, pw_root out[PW_ROOT_MAX], pw_root_trust *trust);

/* Sign right after 0: of the first value or derivative that is not zero. */
int pw_roots_first_sign(const pw_root_poly *p);

#endif
