// SPDX-License-Identifier: MIT
/* Accelerations at a row from the rows beside it, with what is known about their accuracy. Sizes
 * are in the metric of M. */
#ifndef PW_VERIFY_ESTIMATE_H
#define PW_VERIFY_ESTIMATE_H

#include "verify/checker.h"

typedef struct pw_estimate {
  bool ok;                /* false: the row stands alone */
  bool inside;            /* not at an end of the piece, and resolved by several windows */
  bool few;               /* one window is all there is */
  const double *a, *du;   /* nv each: acceleration; velocity minus its value by the other data */
  double floor, du_floor; /* how well these are known */
  double dq, dq_floor;    /* position minus its value by the rows beside it; inner rows only */
  double unit, near;      /* distance of the samples used; of those nearest */
  int width;              /* of the window used */
} pw_estimate;

/* At row j, where the probe is. The arrays lie in c->room.work. */
pw_estimate pw_estimate_at(pawl_certifier *c, int j);
/* How much forces change between samples without their neighbours showing it. Moves the probe and
 * overwrites c->room.work. */
double pw_estimate_hidden(pawl_certifier *c, int j);
/* How much forces change with the assumed errors of the samples, along the residual (nv) in
 * c->room.residual, which is normalised. */
double pw_estimate_shaken(pawl_certifier *c, int j);
/* The same at any row where the probe is, for errors dq of the positions and du of the velocities.
 */
double pw_shaken_forces(pawl_certifier *c, const pw_row_view *row, double dq, double du);
/* How much such errors turn the forces of equalities, relative to the forces. With s the last pivot
 * of their directions, forces 1/s as large balance; where s vanishes, but not at the rows beside,
 * the forces grow without bounds, and what they may be there is a limit that the row does not
 * show. */
double pw_estimate_rank(pawl_certifier *c, int j);
/* The same where the probe is. *rank: of the equalities at the instant before; becomes that here.
 */
double pw_rank_doubt(pawl_certifier *c, int *rank);

/* M^-1 (h + Phi force) in the axes of the velocities: what the model says about the acceleration at
 * a row; without forces, with those that are functions of the state. Moves the probe. */
bool pw_model_acceleration(pawl_certifier *c, const pw_row_view *row, double *a);
/* What a row less in the narrowest window changes, beyond what errors of the samples do: floors
 * alone. Two windows may agree by chance. The probe is at the row. */
pw_estimate pw_estimate_fewer(pawl_certifier *c, int j);
/* Error of the acceleration of e by what rows between the samples that it was found from show. The
 * probe is at the row. */
double pw_estimate_skipped(pawl_certifier *c, int j, const pw_estimate *e);

#endif
