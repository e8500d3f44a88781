// SPDX-License-Identifier: MIT
/* Pieces of the treatment of an instant, for the files that share it. */
#ifndef PW_SIM_INSTANT_H
#define PW_SIM_INSTANT_H

#include "sim/contact.h"

/* pw_impact_hold, or an impact. */
typedef pw_outcome (*pw_jump_problem)(pw_impact *p, const pw_frame *f, const unsigned char *hold);

/* Solves, and solves again with the rows at the velocity found until it stays (the direction of an
 * impulse is that after the jump). The frame is then that after it; what the impulses lost and what
 * moving walls added is booked. */
PAWL_NODISCARD pawl_status pw_instant_jump(pw_contacts *c, pw_jump_problem solve,
                                           const unsigned char *hold);
/* Adds an event to the log of the instant. */
void pw_instant_log(pw_contacts *c, pw_contact_event event);
/* After a jump: the impulses of its problem. jams: an impact without collision. */
void pw_instant_log_impacts(pw_contacts *c, bool jams);
/* What the completion of an accumulation gave to a law that has no rest event belongs to its jump.
 */
void pw_instant_add_rest(pw_contacts *c, int law);
/* What the slips of a contact gave to the motion in the last jump: they have no event of their own.
 */
double pw_instant_slip_energy(const pw_contacts *c, int law);
/* The rate of a row counts as zero. */
bool pw_instant_is_still(const pw_contacts *c, int row);
/* Rates of closed laws become zero, and those of contacts that open where they count as zero and
 * point inward, or would then. Left alone such a contact would close again at once, without being
 * seen to strike. */
PAWL_NODISCARD pawl_status pw_instant_calm(pw_contacts *c);
/* After the impacts: ends an accumulation of impacts, if this is the last that can be seen. */
PAWL_NODISCARD pawl_status pw_instant_accumulate(pw_contacts *c);

/* After an impact of a cascade: stops what would go on for ever. */
PAWL_NODISCARD pawl_status pw_instant_collapse(pw_contacts *c, pw_cascade *k);
/* Stops the contacts that c->hold names, which come to rest now. */
PAWL_NODISCARD pawl_status pw_instant_stop(pw_contacts *c);

/* At the end of an instant: the next step need not be much longer than the first flight. */
void pw_instant_limit_step(pw_contacts *c);

#endif
