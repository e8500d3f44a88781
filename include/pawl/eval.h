// SPDX-License-Identifier: MIT
/* Mechanics at given states, without a motion: M, h, J, accelerations, forces, energies, gaps.
 *
 *   M(t,q) a = h(t,q,u) + J^T lambda + forces of the laws,   J a + zeta = 0   for the equalities
 *
 * One evaluator serves one thread; nothing is allocated after it was made. Velocities are given as
 * shown (pawl_velocity_name); M, h, J and accelerations belong to velocities of rotations in the
 * body, as the accelerations of pawl_point do. */
#ifndef PAWL_EVAL_H
#define PAWL_EVAL_H

#include "pawl/system.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pawl_eval pawl_eval;

/* PAWL_E_ARGUMENT if the system was only checked. The system needs no start values. */
PAWL_API PAWL_NODISCARD pawl_status pawl_eval_new(const pawl_system *system, pawl_eval **out);
PAWL_API void pawl_eval_free(pawl_eval *eval);

/* Sizes: nq, nv, laws and outputs as of the system; nc rows of equalities (a law that is a vector
 * has several); multipliers that are states (of vakonomic and inertia laws). */
PAWL_API int pawl_eval_rows(const pawl_eval *eval);             /* nc */
PAWL_API int pawl_eval_row_law(const pawl_eval *eval, int row); /* its law, or -1 */
PAWL_API int pawl_eval_multipliers(const pawl_eval *eval);

typedef struct pawl_eval_in { /* k states, one after the other */
  int k;
  const double *t;           /* k */
  const double *q;           /* k x nq; quaternions are scaled to unit length */
  const double *u;           /* k x nv */
  const double *multipliers; /* k x multipliers; NULL: 0 */
  /* Laws that are held at their kink, the same for all states: contacts that stay closed, friction
   * that sticks. All other laws act with the force of their side of the kink: zero for an open
   * contact, the force of the current slip for friction. Equalities are always held. NULL: no law
   * is held. */
  const unsigned char *closed;
  /* k x laws: forces used by outputs, plots and drawings, for example from a row of a trajectory;
   * NULL: the forces computed here */
  const double *force;
  /* k x 2: action and energy lost since the start, k x laws: impulses of the last jumps, for
   * outputs, plots and drawings; NULL: 0 */
  const double *integrals, *impulse;
  int no_accelerations; /* 1: the held laws are unknown; accelerations in outputs are NaN */
} pawl_eval_in;

typedef struct pawl_eval_out { /* NULL: not wanted. Matrices by rows. Numbers of states that cannot
                                  be evaluated are NaN */
  pawl_status *status;         /* k: PAWL_E_NAN, PAWL_E_INERTIA, PAWL_E_CONTRADICTION, ... */
  double *M;                   /* k x nv x nv */
  double *h;                   /* k x nv */
  double *J;                   /* k x nc x nv */
  double *zeta;                /* k x nc */
  double *g;      /* k x nc: values of the equalities, including equalities on velocities */
  double *g_rate; /* k x nc: rates of equalities on positions; values of equalities on velocities */
  double *a;      /* k x nv: accelerations */
  double *force;  /* k x laws: the least ones where they are not unique */
  double *T, *V;  /* k */
  double *gap;    /* k x laws: measure of each law: gap, slip, stretch; value of an equality */
  double *gap_rate; /* k x laws: its rate; of laws on velocities it is the value again */
  double *output;   /* k x outputs */
  double *plot;     /* k x curves x 2: vertical, horizontal; see pawl/picture.h */
  double *draw;     /* k x pawl_draw_numbers */
  double *touch;    /* k x pawl_system_touches x PAWL_TOUCH_NUMBERS */
} pawl_eval_out;

/* All k states are tried. PAWL_OK if all could be evaluated, else the status of the first that
 * could not. PAWL_E_ARGUMENT: something is missing, nothing is written. */
PAWL_API PAWL_NODISCARD pawl_status pawl_eval_at(pawl_eval *eval, const pawl_eval_in *in,
                                                 const pawl_eval_out *out);

#ifdef __cplusplus
}
#endif

#endif
