// SPDX-License-Identifier: MIT
/* The tube of a step: enclosures of time and state along a piece of its dense output. */
#ifndef PW_SIM_TUBE_H
#define PW_SIM_TUBE_H

#include "mech/sight.h"
#include "sim/step.h"

/* There is a dense output in the form of polynomials, and something that may hide. */
bool pw_tube_exists(pw_stepper *s);
/* The first of these alone. */
bool pw_tube_spans(pw_stepper *s);
/* The tapes that are not tame between the parts `from` and `to` of the step. */
unsigned pw_tube_wild(pw_stepper *s, double from, double to);
/* Fills pw_mech_sight: all inputs there. */
void pw_tube_fill(pw_stepper *s, double from, double to);
/* The same, of the inputs alone that are read (n_in). */
void pw_tube_fill_read(pw_stepper *s, double from, double to, const unsigned char *reads);
/* Fills it with all states within the time `near` of s->t, at the speed they have there. */
void pw_tube_around(pw_stepper *s, double near);
/* dy/dt (n) of the dense output at theta. */
void pw_tube_rates(const pw_stepper *s, double theta, double *dy);

#endif
