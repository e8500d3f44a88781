// SPDX-License-Identifier: MIT
/* Contacts that are held while bounces are completed (c->now.hold): how they fall back, how high
 * they bounce, and whether they stay. */
#ifndef PW_SIM_HELD_H
#define PW_SIM_HELD_H

#include "sim/instant.h"

bool pw_held_is_contact(const pw_contacts *c, int law);
/* Stands on its contact already, to rounding. */
bool pw_held_stands(const pw_contacts *c, int law);
/* c->now.fall; false: there are no such accelerations. */
bool pw_held_fall(pw_contacts *c);
/* After pw_held_fall. */
double pw_held_terms(const pw_contacts *c, int row);
bool pw_held_is_resolved_at(const pw_contacts *c, int law);
bool pw_held_is_resolved(const pw_contacts *c);
double pw_held_hidden_flight(const pw_contacts *c);
/* These solve problems of forces in c->forces. */
double pw_held_fall_among(pw_contacts *c, int row);
bool pw_held_none_leaves(pw_contacts *c);
void pw_held_release(pw_contacts *c);
bool pw_held_all_press(pw_contacts *c, double *height);

#endif
