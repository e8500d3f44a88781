// SPDX-License-Identifier: MIT
/* Which velocities a row can move: those in its gradient, and those that M couples with them. In
 * the metric of M every row is zero elsewhere, so that many bodies cost what each of them does. */
#ifndef PW_SYSTEM_MOVED_H
#define PW_SYSTEM_MOVED_H

#include "linalg/sparse_chol.h"
#include "system/system.h"

typedef struct pw_moved {
  const int *extent; /* nv: last velocity that M couples with this one, directly or by others */
  pw_pattern rows;   /* nr: velocities that each row can move */
} pw_moved;

struct pw_equations;
/* From the patterns of the equations. NULL: most rows move most velocities, or there are few. */
const pw_moved *pw_moved_find(const pw_system *sys, const struct pw_equations *eq);

/* The product of two vectors over what the row can move. */
double pw_moved_dot(const pw_moved *moved, int row, const double *a, const double *b);
/* As pw_chol_forward_in wants it. */
static inline const int *pw_moved_extent(const pw_system *sys) {
  return sys->pattern.moved == NULL ? NULL : sys->pattern.moved->extent;
}

#endif
