// SPDX-License-Identifier: MIT
/* Positions of the numbers of motion and laws in the outputs of the tapes `motion`, `contact`,
 * `graph` and `clause`. All code that evaluates these tapes reads them through this file. */
#ifndef PW_SYSTEM_VIEW_H
#define PW_SYSTEM_VIEW_H

#include "system/sparsity.h"
#include "system/system.h"

/* ---- places: the number of an output; a series of order k has k + 1 coefficients of each ---- */

/* Numbers of one law in `contact`, in this order; its gradient J (nv) follows. */
enum { PW_VIEW_VALUE, PW_VIEW_RATE, PW_VIEW_ZETA, PW_VIEW_HEAD };

/* Doubles per law in the output of `contact`: value, rate, zeta, J. */
static inline int pw_view_stride(const pw_system *sys) {
  return PW_VIEW_HEAD + sys->nv;
}

static inline int pw_view_law_at(const pw_system *sys, int law, int number) {
  return law * pw_view_stride(sys) + number;
}

/* In `graph`: -force below (0) or above (1) the kink. */
static inline int pw_view_graph_at(int law, bool above) {
  return 2 * law + above;
}

/* In `clause`. */
static inline int pw_view_restitution_at(int law) {
  return law;
}
static inline int pw_view_limit_at(const pw_system *sys, int law) {
  return sys->ni + law;
}
/* For a law on coordinates without inertia its phase is stored there. */
static inline int pw_view_phase_at(const pw_system *sys, int law) {
  return sys->ni + law;
}

typedef struct pw_motion_places { /* in `motion` */
  int M, h, J, zeta, q_rate, z_rate;
} pw_motion_places;

static inline pw_motion_places pw_view_places(const pw_system *sys) {
  pw_motion_places at = {.M = 0, .h = sys->pattern.n_mass};
  at.J = at.h + sys->nv;
  at.zeta = at.J + sys->pattern.n_slope;
  at.q_rate = at.zeta + sys->nc;
  at.z_rate = at.q_rate + sys->nq;
  return at;
}

/* Entry (i, j) of M within its lower triangle by columns; -1: it is zero and has no place. */
static inline int pw_view_mass_at(const pw_system *sys, int i, int j) {
  int row = i > j ? i : j, column = i > j ? j : i;
  return sys->pattern.sparse != NULL
             ? pw_pattern_find(&sys->pattern.sparse->mass, column, row)
             : column * sys->nv - column * (column - 1) / 2 + (row - column);
}

/* Entry k of the gradient of an equality within J; -1: it is zero and has no place. */
static inline int pw_view_slope_at(const pw_system *sys, int row, int k) {
  return sys->pattern.sparse != NULL ? pw_pattern_find(&sys->pattern.sparse->rows, row, k)
                                     : row * sys->nv + k;
}

/* The entries of a gradient: value[i] at the velocity at[i], or at i if there is no list. */
typedef struct pw_slope_view {
  int n;
  const int *at;
  const double *value;
} pw_slope_view;

static inline pw_slope_view pw_view_slope(const pw_system *sys, const double *J, int row) {
  if (sys->pattern.sparse == NULL) {
    return (pw_slope_view){sys->nv, NULL, J + (size_t)row * (size_t)sys->nv};
  }
  const pw_pattern *p = &sys->pattern.sparse->rows;
  int from = p->start[row];
  return (pw_slope_view){p->start[row + 1] - from, p->index + from, J + from};
}

/* A gradient as nv numbers: in J itself, or put into `room`. */
const double *pw_view_slope_whole(const pw_system *sys, const double *J, int row, double *room);
double pw_view_slope_dot(pw_slope_view slope, const double *v);

/* ---- numbers at one state ---- */

typedef struct pw_motion_view { /* parts of the output of `motion` */
  const double *M;              /* lower triangle by columns, see pw_view_mass_at */
  const double *h;              /* nv */
  const double *J;              /* by rows: equalities, see pw_view_slope */
  const double *zeta;           /* nc */
  const double *q_rate, *z_rate;
} pw_motion_view;

static inline pw_motion_view pw_view_motion(const pw_system *sys, const double *out) {
  pw_motion_places at = pw_view_places(sys);
  return (pw_motion_view){.M = out + at.M,
                          .h = out + at.h,
                          .J = out + at.J,
                          .zeta = out + at.zeta,
                          .q_rate = out + at.q_rate,
                          .z_rate = out + at.z_rate};
}

typedef struct pw_law_view { /* outputs of the tapes at one state; NULL: not evaluated */
  const double *contact, *graph, *clause;
} pw_law_view;

/* The force of a law away from its kink, from the output of `graph`. */
static inline double pw_view_force_beside(const double *graph, int law, bool above) {
  return -graph[pw_view_graph_at(law, above)];
}
/* In a plane forces are along s/|s|, which is undefined at s = 0: there the law is at its kink. */
void pw_view_no_direction(const pw_system *sys, double *graph);

/* Law row `law` at that state. Numbers of tapes that were not evaluated are NAN. */
pw_law_row pw_view_law(const pw_system *sys, pw_law_view view, int law);

/* Coefficient j of the row where the tapes were evaluated as series of this order; without J. */
pw_law_row pw_view_law_series(const pw_system *sys, pw_law_view view, int law, int order, int j);

#endif
