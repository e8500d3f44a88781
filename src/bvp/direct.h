// SPDX-License-Identifier: MIT
/* A trial motion solved anew as a whole, by a direct method that shares no integrator with the
 * trials. */
#ifndef PW_BVP_DIRECT_H
#define PW_BVP_DIRECT_H

#include "bvp/shoot.h"

enum { PW_REFINE = -1 };

/* The motion with the start s, with elements that are halved so often, or PW_REFINE: until the
 * solution stays. */
PAWL_NODISCARD pawl_status pw_direct(pw_shoot *x, const double *s, int halvings,
                                     pawl_bvp_direct *out);

#endif
