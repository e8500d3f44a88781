// SPDX-License-Identifier: MIT
/* Forces of contacts that depend on each other: the motion fixes their sum only. The one with the
 * least sum of D_ii lambda_i^2 within the bounds is shown, which no scaling of a law changes
 * (theory (18)). */
#ifndef PW_SIM_LEAST_H
#define PW_SIM_LEAST_H

#include "linalg/qr.h"
#include "mech/frame.h"
#include "solve/box_min.h"

typedef struct pw_least {
  int n, m;  /* rows taken */
  int *row;  /* m */
  double *A; /* n x m */
  double *lo, *hi, *x, *y, *none;
  double *real;
  int *whole;
  pw_qr qr;
} pw_least;

size_t pw_least_doubles(const pw_system *sys);
size_t pw_least_ints(const pw_system *sys);
void pw_least_init(pw_least *p, const pw_system *sys, double *real, int *whole);

/* lambda (nr): a solution, with zeros for the laws that rest on others; on return the least one.
 * holds (ni): not zero for the laws that are closed, imposed or not. dependent (nr): whose force is
 * not unique. */
void pw_least_forces(pw_least *p, const pw_frame *f, int nc, const unsigned char *holds,
                     double *lambda, bool *dependent);

#endif
