// SPDX-License-Identifier: MIT
/* Forces and laws at a position with velocities that stay as they are, and their derivatives:
 *   h(q, u) + sum_i Phi_i force_i = 0
 * is equilibrium for u = 0 (Glocker 1998, 0 in dV(q), sec. 6.6) and steady motion for velocities
 * of cyclic coordinates alone (h in dPhi(u), sec. 6.5). Derivatives are exact: series of order 1.
 */
#ifndef PW_STATIC_STILL_H
#define PW_STATIC_STILL_H

#include "base/arena.h"
#include "mech/mech.h"

typedef struct pw_still_row {
  pw_law_row law; /* form, and numbers; a bound of sticking only if it is the larger one */
  pw_law_set set; /* forces at the kink; friction on a contact: per unit of the normal force */
  int only;       /* 1, -1: far above or below the kink only the force of that side; else 0 */
  int on;         /* row of the contact that it acts with, -1: none */
  int plane;      /* slip in a plane: its first row, else -1 */
} pw_still_row;

typedef struct pw_still {
  const pw_system *sys;
  pw_mech *mech;
  double t;
  double *q, *u, *side; /* nq, nv, n_switch */
  double *h;            /* nv */
  double *M;            /* nv x nv, lower triangle */
  pw_still_row *row;    /* nr */
  double *J, *phi;      /* nv x nr: gradients and directions of the forces */
  /* by direction k = 0 .. nv - 1 (positions) and nv .. 2 nv - 1 (velocities) */
  double *dh;        /* nv x 2 nv */
  double *dphi;      /* nv x nr x 2 nv */
  double *dvalue;    /* nr x 2 nv */
  double *dlo, *dhi; /* nr x 2 nv */
  double *in, *work, *out, *scratch;
  double *v, *dq;       /* nv, nq */
  const double *lambda; /* nr: forces that bound frictions; NULL: none */
} pw_still;

/* Memory from the arena; takes mech as its work space. */
pw_still *pw_still_new(pw_arena *arena, const pw_system *sys, pw_mech *mech, double t);
/* Numbers at x->q, x->u; with derivatives or without. False: some number is not finite. */
bool pw_still_look(pw_still *x, bool derivatives);
/* True if h or a row changes with time at this position; *row: -1 for h. */
bool pw_still_in_time(pw_still *x, int *row);
/* Forces of row i at its kink under the normal force of its contact, if it has one. */
pw_law_set pw_still_forces(const pw_still *x, int i, const double *lambda, bool sticks);
/* Largest finite bound of row i at its kink, 0: none. */
double pw_still_largest(const pw_still *x, int i);
/* q <- q + small motion v (nv), quaternions to unit length. */
void pw_still_move(pw_still *x, const double *v);
/* Index of the position that has this velocity, -1: a rotation. */
int pw_still_position(const pw_system *sys, int velocity);

#endif
