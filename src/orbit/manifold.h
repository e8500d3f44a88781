// SPDX-License-Identifier: MIT
/* The manifold of states on which equalities hold and quaternions have unit length. A state is
 * (q, u) with the velocities as integrated: those of rotations in the body. */
#ifndef PW_ORBIT_MANIFOLD_H
#define PW_ORBIT_MANIFOLD_H

#include "mech/series.h"

/* 1: every state is on it. */
bool pw_manifold_is_flat(const pw_system *sys);

typedef struct pw_manifold_at { /* a state, and the parameter that moves the manifold or -1 */
  double t;
  const double *x, *side;
  int parameter;
} pw_manifold_at;

/* Columns n x (n + 1): the projections of the unit vectors on the tangent space, then the shortest
 * change of the state that follows a change of the parameter by 1 (orbits (O7)). *freedom:
 * dimension of the tangent space. `mech` imposes the equalities alone. */
PAWL_NODISCARD pawl_status pw_manifold_columns(pw_mech *mech, const pw_manifold_at *at,
                                               double *columns, int *freedom);

/* q and -q are the same orientation: signs (nq + nv) that bring `image` to the side of x. */
void pw_manifold_signs(const pw_system *sys, const double *x, const double *image, double *sign);
/* Velocities as shown (nv): those of rotations in space. */
void pw_manifold_show(const pw_system *sys, const double *x, double *shown);

#endif
