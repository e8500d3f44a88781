// SPDX-License-Identifier: MIT
/* The velocities that a row can change: the velocities in its gradient, and those that M couples
 * with them. In the metric of M every row is zero elsewhere, so that the cost is the sum of the
 * costs of the bodies. */
#ifndef PW_SYSTEM_MOVED_H
#define PW_SYSTEM_MOVED_H

#include "linalg/sparse_chol.h"
#include "system/system.h"

typedef struct pw_moved {
  const int *extent; /* nv: last velocity that M couples with this one, directly or indirectly */
  pw_pattern rows;   /* nr: velocities that each row can move */
  pw_pattern movers; /* nv: rows that can move each velocity */
} pw_moved;

struct pw_equations;
/* From the patterns of the equations. NULL: most rows move most velocities, or there are few. */
const pw_moved *pw_moved_find(const pw_system *sys, const struct pw_equations *eq);

/* The velocities that a row can move: `n` of them; at NULL: 0 to n - 1. */
typedef struct pw_moved_list {
  int n;
  const int *at;
} pw_moved_list;
static inline pw_moved_list pw_moved_by(const pw_system *sys, int row) {
  const pw_moved *x = sys->pattern.moved;
  return x == NULL ? (pw_moved_list){sys->nv, NULL}
                   : (pw_moved_list){x->rows.start[row + 1] - x->rows.start[row],
                                     x->rows.index + x->rows.start[row]};
}

/* The rows that can move the velocity v, ascending; only where the lists are known. */
static inline pw_moved_list pw_moved_movers(const pw_system *sys, int v) {
  const pw_pattern *x = &sys->pattern.moved->movers;
  return (pw_moved_list){x->start[v + 1] - x->start[v], x->index + x->start[v]};
}

/* The product of two vectors (nv) over the velocities that the row can change; a is zero
 * elsewhere. */
double pw_moved_dot(const pw_system *sys, int row, const double *a, const double *b);
/* y += x a there. */
void pw_moved_axpy(const pw_system *sys, int row, double x, const double *a, double *y);
/* As pw_chol_forward_in wants it. */
static inline const int *pw_moved_extent(const pw_system *sys) {
  return sys->pattern.moved == NULL ? NULL : sys->pattern.moved->extent;
}

#endif
