// SPDX-License-Identifier: MIT
/* Contacts that are held while bounces are completed (c->now.hold): how fast and how high they
 * bounce, and what of it the tolerance sees and rounding hides. */
#ifndef PW_SIM_HELD_H
#define PW_SIM_HELD_H

#include "sim/instant.h"

bool pw_held_is_contact(const pw_contacts *c, int law);
/* Stands on its contact already, to rounding. */
bool pw_held_stands(const pw_contacts *c, int law);

/* Rates and heights that the tolerance does not see. */
double pw_held_slow_rate(const pw_contacts *c, int law);
double pw_held_low_value(const pw_contacts *c, int law);
bool pw_held_is_slow(const pw_contacts *c, double next);
bool pw_held_slips_slow(const pw_contacts *c);

/* With the accelerations c->now.fall: how fast a row comes back, what its value is a difference of,
 * how high it bounces, and what of this rounding hides. */
double pw_held_fall(const pw_contacts *c, int row);
double pw_held_terms(const pw_contacts *c, int row);
double pw_held_height(const pw_contacts *c, int row, double fall);
bool pw_held_is_resolved_at(const pw_contacts *c, int law);
bool pw_held_is_resolved(const pw_contacts *c);
double pw_held_hidden_flight(const pw_contacts *c);

#endif
