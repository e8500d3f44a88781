// SPDX-License-Identifier: MIT
/* Collects solutions without repetition: a point on a continuum already known belongs to it. */
#ifndef PW_SOLVE_BRANCHES_H
#define PW_SOLVE_BRANCHES_H

#include "solve/enumerate.h"

/* p and all x, y here are in common units; s (m): x_given = x / s. */
typedef struct pw_collector {
  const pw_box_lcp *p;
  const double *s;
  const pw_enumerate_opts *opts;
  double tol;
  pw_branches *out;
} pw_collector;

void pw_collect(pw_collector *c, const int *piece, const double *x, const double *y, int dimension);
/* Sorts by norm and returns to the units of the caller. */
void pw_collect_finish(pw_collector *c);

#endif
