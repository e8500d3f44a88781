// SPDX-License-Identifier: MIT
/* Central path for friction problems (Acary, Armand and Nguyen, "Interior point methods for
 * frictional contact problems", 2023): with forces p and velocities w in units that make
 * each cone its own dual, w = W p + q + |w_T| e_N and p o w = nu e, nu towards zero, Newton's
 * method in the scaling of Nesterov and Todd, |w_T| differentiated with the rest. It needs no start
 * near the solution, and a singular W costs no more than another. */
#ifndef PW_SOLVE_CONE_POINT_H
#define PW_SOLVE_CONE_POINT_H

#include "solve/friction_factor.h"
#include "solve/outcome.h"

typedef struct pw_cone_point_info {
  int steps;
  double residual; /* of the result: the natural map, as in prox_newton.h */
} pw_cone_point_info;

/* Balls with a finite bound have another dual: they are not treated. */
bool pw_cone_point_takes(const pw_friction *p);
size_t pw_cone_point_doubles(int nc, size_t blocks, size_t fill);

/* r: result, the best one met; it is not read. For problems in the units of friction.h. SOLVED: the
 * residual is at most tol. */
pw_outcome pw_cone_point(const pw_friction *p, const pw_block_plan *plan, double tol, double *r,
                         double *real, pw_cone_point_info *info);

#endif
