// SPDX-License-Identifier: MIT
/* Multipliers that are states (vakonomic, inertia) where a table does not tell them. The reaction
 * is linear in the multipliers and their rates, so that each instant by itself says both, M u' - h
 * at lambda = 0  =  sum lambda_k e_k - lambda_k' phi_u,k + other laws,  certificates (C23), unless
 * e_k lies along the forces: then the multiplier changes nothing but by its rate. */
#ifndef PW_VERIFY_MULTIPLIER_H
#define PW_VERIFY_MULTIPLIER_H

#include "verify/checker.h"

void pw_multiplier_lay(pw_multipliers *m, const pw_system *s, pw_layout *l);
/* Finds those of all rows of the present piece from row `from` on. */
void pw_multiplier_find(pawl_certifier *c, int from);
/* An impact with impulses (nr) of the rows, known up to `blur`, as speeds. */
void pw_multiplier_jump(pawl_certifier *c, const double *impulse, double blur);
/* How well that of row j is known. */
double pw_multiplier_doubt(const pawl_certifier *c, int j, int k);
/* Row j, where the probe is, with what was found: rates against values, and signs. Returns the
 * distance from the laws with these rates; *doubt: its uncertainty. */
double pw_multiplier_check(pawl_certifier *c, int j, const double *a, const pw_set_scale *zero,
                           double *doubt);

#endif
