// SPDX-License-Identifier: MIT
/* Projection on the set of forces of one contact, with a derivative. */
#ifndef PW_SOLVE_FRICTION_PROX_H
#define PW_SOLVE_FRICTION_PROX_H

#include "solve/friction.h"

/* z <- the nearest point of K (or of the ball, with radius `unit` times the bound). dP: 9,
 * row-major and symmetric, an element of the generalised derivative; may be NULL. Components of
 * absent rows become zero. */
void pw_contact_project(const pw_contact *c, double unit, double *z, double *dP);

#endif
