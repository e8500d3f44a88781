// SPDX-License-Identifier: MIT
/* Maxima of three and more pieces at an instant, potentials (P9). The piece on top is part of the
 * smooth forces; each pair with it is a law whose force is a weight, and these weights add up to
 * the slope of the maximum at most. Sides of the switching surfaces say which piece is on top. */
#ifndef PW_SIM_TOP_H
#define PW_SIM_TOP_H

#include "sim/contact.h"

/* Before modes are chosen: pairs that are not tied are on the side of their value or rate, and one
 * of the pieces that are tied on top is there. True: sides have changed. */
bool pw_top_begin(pw_contacts *c);
/* Whether the forces of the modes just chosen (c->modes) leave a weight to each piece on top. */
bool pw_top_holds(const pw_contacts *c);
/* Puts the k-th choice of tied pieces on top of all maxima, from 0; false: there are no more. */
bool pw_top_take(pw_contacts *c, int32_t k);
/* After the modes: sides of the pairs that have left their ties. */
void pw_top_end(pw_contacts *c);

/* Along the motion: bounds of the force of a pair at its kink, less what the other pairs of its
 * maximum have of the slope. */
void pw_top_bounds(const pw_contacts *c, int law, double *lo, double *hi);
/* In a problem of shares: the force `base` + x/length of a pair, taken with bounds of its force, is
 * part of the weights of its maximum. Nothing for other laws. */
void pw_top_share(const pw_system *s, pw_share *p, int law, const double bound[2], double base,
                  double length);

#endif
