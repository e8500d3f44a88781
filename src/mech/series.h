// SPDX-License-Identifier: MIT
/* Taylor series of the motion with the present rows imposed, theory (49):
 *   M_0 a_k - J_0^T lambda_k = h_k - sum_{j>=1} (M_j a_{k-j} - J_j^T lambda_{k-j}),
 *   J_0 a_k = -(zeta_k + sum_{j>=1} J_j a_{k-j}),   u_{k+1} = a_k/(k+1),  q_{k+1} = (q')_k/(k+1).
 * One factorisation serves all orders. */
#ifndef PW_MECH_SERIES_H
#define PW_MECH_SERIES_H

#include "mech/mech.h"

enum { PW_SERIES_MAX = 8 };

typedef struct pw_series {
  int order;
  double *a;      /* (order+1) x nv: a_k */
  double *lambda; /* (order+1) x nr: lambda_k, 0 for rows that are not imposed */
  double *law;    /* (order+1) x ni: coefficient k of J a + zeta of each law row */
  double *size;   /* (order+1) x ni: sum of the absolute terms of that */
  double *work;
} pw_series;

size_t pw_series_doubles(const pw_system *sys, int order);
/* Lays the arrays out in `memory`. */
void pw_series_init(pw_series *s, const pw_system *sys, int order, double *memory);
/* Coefficients 0 .. order at a state. Calls pw_mech_rates there. */
PAWL_NODISCARD pawl_status pw_mech_series(pw_mech *m, double t, const double *q, const double *u,
                                          const double *side, pw_series *out);

/* ---- derivatives along any direction ----
 *
 * The same equations with k = 1 for inputs x + epsilon d of the tapes:
 *   M da - J^T dlambda = dh - dM a + dJ^T lambda,   J da = -(dzeta + dJ a),
 * d of every entry by a series of order 1, that is exactly. Forces beside kinks and friction that
 * slides follow as they do along the motion. The series `s` is of order 1. */

/* Calls pw_mech_rates at a state and prepares derivatives there. */
PAWL_NODISCARD pawl_status pw_mech_vary_at(pw_mech *m, double t, const double *q, const double *u,
                                           const double *side, pw_series *s);
/* Along `direction` (n_in, as the inputs of the tapes; accelerations and forces in it are not
 * read): da is s->a + nv, dlambda is s->lambda + nr, and dq_rate (nq) that of q'. */
void pw_mech_vary(pw_mech *m, pw_series *s, const double *direction, double *dq_rate);
/* Changes dq and du in the direction as little as possible, in the metric of M, so that the imposed
 * rows stay as they are along it: their values and rates do not change. gradients (D7) */
void pw_mech_vary_settle(pw_mech *m, pw_series *s, double *direction);
/* Value and derivative, in turn, of each output of a tape of the system along the direction, with
 * the inputs of the tapes as they are. The result lies in `s` until the next call. */
const double *pw_mech_vary_tape(pw_mech *m, pw_series *s, const pw_tape *tape,
                                const double *direction);
/* The state alone as inputs of the tapes, for pw_mech_vary_tape. */
void pw_mech_stand(pw_mech *m, double t, const double *q, const double *u, const double *side);
/* Accelerations, forces and integrals of the last pw_mech_rates become inputs of the tapes. */
void pw_mech_show_results(pw_mech *m, const double quad[PW_QUAD_NAMED]);
/* Changes of the forces of the laws (rows of the model) for changes of multipliers of the rows (nr)
 * and of the positions (nq). */
void pw_mech_vary_forces(const pw_mech *m, const double *dlambda, const double *dq, double *force);
/* Along component j of (q, u), 0 .. nq + nv - 1: the change of (q', u'), after pw_mech_vary_at. */
void pw_mech_slope(pw_mech *m, int j, pw_series *s, double *column);

#endif
