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

#endif
