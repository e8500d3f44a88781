// SPDX-License-Identifier: MIT
/* Rows of a trajectory by somebody else on their way to the checker. Where velocities jump between
 * two rows without saying so, the instant is found by carrying on the motion from both sides, and
 * both sides of it are shown to the checker; velocities that are not given come from the positions.
 */
#ifndef PW_VERIFY_SAMPLES_H
#define PW_VERIFY_SAMPLES_H

#include "verify/checker.h"

typedef struct pw_samples {
  pawl_certifier *c;
  bool has_velocity, has_force;
  int nq, n_law, n; /* n: rows held */
  int first;        /* row at which the present piece began, or 0 */
  bool broken;      /* it began with a break of the one before */
  int shown;        /* rows shown already */
  size_t width;     /* q, v, force */
  double *times, *rows;
  double *side[4], *fewer[4]; /* nq: position and velocity from the left, the right */
  double *u;
  double *sorted;            /* scratch of one number per row */
  double typical;            /* usual derivative that extrapolation from the rows before misses */
  double doubt, place_doubt; /* of velocities and positions at the jump found last */
  bool knows_typical;
  bool rounded; /* some column is */
  void *memory;
} pw_samples;

PAWL_NODISCARD pawl_status pw_samples_begin(pw_samples *s, pawl_certifier *c, bool has_velocity,
                                            bool has_force);
void pw_samples_free(pw_samples *s);
/* u (as shown) and force NULL where the file has none. */
void pw_samples_row(pw_samples *s, double t, const double *q, const double *u, const double *force);
void pw_samples_end(pw_samples *s);

#endif
