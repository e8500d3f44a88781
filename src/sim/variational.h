// SPDX-License-Identifier: MIT
/* Steps of a discrete Lagrangian, theory (69), (70), whose collisions keep the energy itself in
 * place of theory (71): the midpoint rule
 *   L_d(q0, q1) = h L((q0 + q1)/2, (q1 - q0)/h),  p0 = -D1 L_d,  p1 = D2 L_d,
 * with rows on positions as in RATTLE. Solved for the mean velocity v = (q1 - q0)/h and the
 * percussions lam of the rows at q0:
 *   p(m) - h/2 p'(m) - p0 - J0^T lam = 0,   g(q1) = 0,      p1 = p(m) + h/2 p'(m) + J1^T mu,
 * m the midpoint, p' with forces (discrete d'Alembert), mu so that the rows hold for velocities.
 * Other laws, stepping (T8)-(T10): rows on velocities hold for v at the midpoint; reactions act
 * along the Phi of both ends, where a contact has the friction that slides on it; forces beside
 * kinks are part of p'. */
#ifndef PW_SIM_VARIATIONAL_H
#define PW_SIM_VARIATIONAL_H

#include "base/layout.h"
#include "linalg/qr.h"
#include "mech/discrete.h"
#include "sim/step.h"

typedef struct pw_variational {
  pw_stepper *s;
  pw_discrete at;
  pw_qr gram;               /* J1 K^-1 J0^T, K the derivative of the first equation by v */
  double *v, *lam;          /* nv, rows: unknowns */
  double *p0, *q;           /* nv, nq */
  double *residual, *value; /* nv, rows */
  double *J0, *J1, *Z;      /* rows x nv by rows; Z: columns K^-1 J0^T */
  double *K;                /* nv x nv: factor of the derivative */
  double *dp, *place;       /* nv */
  double *dlam, *drive;     /* rows */
  double *force, *ahead;    /* nv: of laws beside their kinks at the midpoint; beside it */
  bool laws;                /* the step has other laws than rows on positions */
  int *pivot;               /* nv */
} pw_variational;

/* `s` is set by the owner; mech: not used while the layout counts. */
void pw_variational_lay_out(pw_variational *x, const pw_system *sys, pw_mech *mech, pw_layout *l);

/* The step of rk: y1 from y0. PAWL_E_STEP if its equations are not solved. */
PAWL_NODISCARD pawl_status pw_variational_step(void *variational, pw_rk *rk);

/* ---- parts of the step ---- */

/* sqrt(sum M_ii v_i^2) */
double pw_variational_size(const pw_variational *x, const double *v);
/* Factors K, then the matrix that is left for the impulses of m rows. False: K is singular. */
bool pw_variational_reduce(pw_variational *x, int m);
/* One correction of (v, lam): dv = Z dlam - K^-1 residual, J1 dv = -value. Leaves dv in dp. */
void pw_variational_correct(pw_variational *x, int m);
/* Whether a correction of this size is rounding; of one that has stalled less is asked. */
bool pw_variational_is_round_off(const pw_variational *x, const pw_rk *rk, double size,
                                 bool stalled);
/* Velocities at the end: stepping (T8), second equation, with the last line of (T9). x->q is the
 * end, x->p0 its momenta without reactions, x->v a guess that becomes the answer. PAWL_E_STEP:
 * there is none, as a slip ends before. */
PAWL_NODISCARD pawl_status pw_variational_land(pw_variational *x, const pw_rk *rk);

#endif
