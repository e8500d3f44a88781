// SPDX-License-Identifier: MIT
/* A trial motion solved again as a whole, by a direct method that shares no integrator with the
 * trials. */
#ifndef PW_BVP_DIRECT_H
#define PW_BVP_DIRECT_H

#include "bvp/shoot.h"

enum { PW_REFINE = -1, PW_LEVELS = 6 };

/* The motion with the start s, with elements halved the given number of times, or PW_REFINE: until
 * the solution no longer changes. answer, if not NULL: of the solution, d unknowns at the start,
 * then nv sizes of the velocities along the motion. */
PAWL_NODISCARD pawl_status pw_direct(pw_shoot *x, const double *s, int halvings,
                                     pawl_bvp_direct *out, double *answer);

/* The motion with the start s on the mesh and with the degree of the options, or a table of halved
 * meshes: errors are distances from the refined solution. *n: levels, at most PW_LEVELS; 0: nothing
 * is requested, or it is not solved. */
PAWL_NODISCARD pawl_status pw_direct_levels(pw_shoot *x, const double *s, pawl_bvp_level *out,
                                            int *n);

/* The motion that ignores contacts and other changes of mode, from the straight line with the start
 * s. answer as above. False: out of memory. */
bool pw_direct_line(pw_shoot *x, const double *s, double *answer, bool *solved);

#endif
