// SPDX-License-Identifier: MIT
/* The solutions of a box problem on one pattern of pieces: each row is inside (y_i = 0) or at one
 * of its bounds. A point, a whole polytope (then its affine dimension), or nothing. */
#ifndef PW_SOLVE_LEAF_H
#define PW_SOLVE_LEAF_H

#include <stddef.h>

#include "solve/box_lcp.h"

enum { PW_PIECE_INSIDE, PW_PIECE_LO, PW_PIECE_HI };

typedef enum pw_leaf_answer {
  PW_LEAF_NONE,
  PW_LEAF_FOUND,
  PW_LEAF_BORDER /* the conditions are missed by more than tol, but by less than 1e4 tol */
} pw_leaf_answer;

size_t pw_leaf_doubles(int m);
size_t pw_leaf_ints(int m);

/* p must be in common units (box_lcp.h). piece: m. tol is relative to the largest of b and x.
 * x, y (m): a point, in a polytope the mean of its extremes; *dimension 0 for a single point. */
pw_leaf_answer pw_leaf_solve(const pw_box_lcp *p, const int *piece, double tol, double *x,
                             double *y, int *dimension, double *real, int *whole);

/* True if x, y meet the equations of the pattern up to tol: x_i = lo_i, x_i = hi_i or y_i = 0. */
bool pw_leaf_contains(const pw_box_lcp *p, const int *piece, const double *x, const double *y,
                      double tol);

#endif
