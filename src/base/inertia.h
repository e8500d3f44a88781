// SPDX-License-Identifier: MIT
/* Moments of inertia of a rigid body. */
#ifndef PW_BASE_INERTIA_H
#define PW_BASE_INERTIA_H

/* Principal moments, the largest first, of J = (xx, yy, zz, xy, xz, yz). */
void pw_principal_moments(const double J[6], double out[3]);

/* By what part of itself the largest moment exceeds the sum of the other two: at most 0 for every
 * distribution of mass. */
double pw_inertia_excess(const double principal[3]);

#endif
