// SPDX-License-Identifier: MIT
/* Conserved quantities, for the layers above. */
#ifndef PW_VERIFY_SYMMETRY_H
#define PW_VERIFY_SYMMETRY_H

#include "pawl/variations.h"

/* pawl_symmetry_value with angular velocities in the body. */
double pw_symmetry_in_body(pawl_symmetries *s, int i, double t, const double *q, const double *u);

#endif
