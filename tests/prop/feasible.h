// SPDX-License-Identifier: MIT
/* Is there an x with rows w.x + c = 0 (equalities) and w.x + c >= 0 (the others)? By trying all
 * sets of rows that may hold with equality: the point of least length of a polyhedron lies on one.
 */
#ifndef PW_TESTS_FEASIBLE_H
#define PW_TESTS_FEASIBLE_H

#include "scene.h"

typedef struct row {
  double w[POLY_VARS], c;
  int equality;
} row;

/* x: such a point, no longer than `most`; rows are met to tol times their own size. */
int feasible(const row *rows, int m, int n, double most, double tol, double *x);

#endif
