// SPDX-License-Identifier: MIT
/* All rows at a state in the metric of M = L L^T, theory (12), (16), (17), (55): used by impacts
 * and by the choice of modes. With A = L^-1 J^T (columns a_i of unit length, J_i = |J_i| a_i^T L^T
 * in that metric): velocities rate_i = |J_i| a_i . (L^T u) + b_i, u+ = u- + L^-T A x
 *   accelerations  J_i a + zeta_i,                             a = L^-T (L^-1 h + A x)
 * where x_i = |J_i| lambda_i are impulses or forces of the scaled rows. */
#ifndef PW_MECH_FRAME_H
#define PW_MECH_FRAME_H

#include "mech/mech.h"

typedef struct pw_frame {
  const pw_system *sys;           /* NULL: the sparsity of A is unknown */
  int n, m;                       /* nv, nr */
  const double *A;                /* n x m */
  const double *length;           /* m: sqrt(D_ii); 0: the gradient vanishes */
  const double *value, *zeta;     /* m; value of an equality on velocities is its rate */
  double *rate;                   /* m */
  const double *terms;            /* m: size of the terms that the value is a sum of */
  const double *c_force;          /* n: L^-1 h */
  double *c_velocity;             /* n: L^T u */
  const double *L;                /* n x n */
  const double *phi, *phi_length; /* n x m, m: unit columns along the forces and their lengths;
                                     NULL if all forces act along the gradients */
} pw_frame;

/* Doubles needed for the arrays of a frame. */
size_t pw_frame_doubles(const pw_system *sys);
/* Evaluates at a state; the arrays lie in `memory`. Also does pw_mech_rates there. */
PAWL_NODISCARD pawl_status pw_mech_frame(pw_mech *m, double t, const double *q, const double *u,
                                         const double *side, double *memory, pw_frame *out);
/* The same at the state of the last pw_mech_rates, whose velocities are `u`. */
PAWL_NODISCARD pawl_status pw_mech_frame_here(pw_mech *m, const double *u, double *memory,
                                              pw_frame *out);
/* Rates and velocity as if the velocity were c (n, as L^T u), with the rows as they are: for rows
 * that are not linear in the velocities, their tangents at the velocity of the frame. */
void pw_frame_move(pw_frame *f, const double *c);
/* a_i . v of row i; v (n). */
double pw_frame_dot(const pw_frame *f, int row, const double *v);
/* Rate of the rate of a row under the forces of the frame alone. */
double pw_frame_free(const pw_frame *f, int row);
/* out <- L^T v: coordinates of a velocity or acceleration in the metric. */
void pw_frame_lift(const pw_frame *f, const double *v, double *out);
/* x <- L^-T x: a velocity or acceleration from its coordinates in the metric. */
void pw_frame_back(const pw_frame *f, double *x);

#endif
