// SPDX-License-Identifier: MIT
/* Consistent start values: fixed ones are kept, guesses are moved onto the constraints and onto the
 * contacts that start closed. */
#ifndef PW_MECH_START_H
#define PW_MECH_START_H

#include "mech/mech.h"

typedef struct pw_start {
  double t;
  double *q, *u;   /* nq, nv; consistent */
  double *side;    /* n_switch: +1 or -1 */
  int rank, dof;   /* contacts that start closed count as constraints */
  bool *dependent; /* nr */
} pw_start;

/* Memory from the model's arena. False after reporting an error. */
bool pw_start_solve(pw_mech *m, pawl_diags *diags, pw_start *out);

/* True for a contact with `start c closed`, and for a rough law on one. */
bool pw_starts_closed(const pw_system *s, int law);

/* Side of every switching surface at a state: the sign of c or, where it is zero, of its first
 * non-zero derivative. `scratch`: 3 n_sides. */
PAWL_NODISCARD pawl_status pw_start_sides(pw_mech *m, double t, const double *q, const double *u,
                                          double *side, double *scratch);

/* First values of samples and delays at a state, written into q, and the sides with them. Samples
 * that name others use first values of these, or start values if there are some. `scratch`:
 * 3 n_sides + n_tick. */
PAWL_NODISCARD pawl_status pw_start_signals(pw_mech *m, double t, double *q, const double *u,
                                            double *side, double *scratch);

#endif
