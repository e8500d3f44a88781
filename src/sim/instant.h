// SPDX-License-Identifier: MIT
/* The phases of an instant, in their order. Each reads c (what lives between instants) and what the
 * phases before it wrote into c->now, and writes what stands in the last column.
 *
 *   phase        file               writes
 *   look         instant_look.c     frame, c->size, thresholds of still rates
 *   ridges       instant.c          c->halt
 *   restitution  instant.c          e
 *   impacts      instant_impacts.c  s->y (velocities, works), kick, hits, collapsed, log
 *   growth       instant.c          c->growth, c->halt
 *   lift         instant_lift.c     s->y (positions), frame
 *   accumulate   accumulate.c       c->rest, c->zeno, s->y (velocities), kick
 *   modes        instant_modes.c    c->mode, imposed rows of the mechanics, c->paradox, kick, log
 *   calm         calm.c             s->y (velocities)
 *   rest         instant_end.c      c->rest, log
 *   impulses     instant_end.c      c->impulse
 *   begins       instant_end.c      c->begins
 *   settle       step.c             s->y, forces
 *   carry        carry.c            s->y (multipliers), c->halt
 *   loads        load.c, slip.c     c->share, anchor of the modes
 *   flight       flight.c           s->h_next
 * then, for an instant along the motion, the log of changes of mode (mode_log.c). A phase that
 * fails ends the instant with the reason in c->halt. */
#ifndef PW_SIM_INSTANT_H
#define PW_SIM_INSTANT_H

#include "sim/contact.h"

enum { PW_FEW_INSTANTS = 4 }; /* in no time, that are not yet a circle */

/* The instant cannot be treated: what is returned then. */
pawl_status pw_instant_fail(pw_contacts *c, pw_trouble trouble, int row);

/* Invariants between the phases (instant_check.c), for assertions. */
typedef enum pw_instant_phase {
  PW_AFTER_LOOK,
  PW_AFTER_IMPACTS,
  PW_AFTER_REST,
  PW_AFTER_MODES
} pw_instant_phase;
bool pw_instant_holds(const pw_contacts *c, pw_instant_phase phase);

/* ---- what is known at the present velocities (instant_look.c) ---- */

PAWL_NODISCARD pawl_status pw_instant_look(pw_contacts *c);
/* Law rows for the impact problem: which contacts touch, restitutions, coefficients of friction. */
void pw_instant_describe(pw_contacts *c);
/* Fails if a law that acts has no gradient, and so no direction to push in, or a servo no hold. */
PAWL_NODISCARD pawl_status pw_instant_check_gradients(pw_contacts *c);
/* A value is zero up to rounding. A slip is a difference of velocities, which impulses that balance
 * each other have changed. */
bool pw_instant_is_small(const pw_contacts *c, int law);
/* The same, or it has just acted, or a wall is a little behind. */
bool pw_instant_is_zero(const pw_contacts *c, int law);
/* The rate of a row counts as zero. */
bool pw_instant_is_still(const pw_contacts *c, int row);

/* ---- phases ---- */

/* Impacts until no contact closes. */
PAWL_NODISCARD pawl_status pw_instant_strike(pw_contacts *c);
/* Contacts a little below zero, because another law acted first, are put on it: from below they
 * would not be seen to close again. */
PAWL_NODISCARD pawl_status pw_instant_lift(pw_contacts *c);
/* Law rows for the choice of modes; then the choice, and jumps that it asks for: rough contacts
 * that stay closed must not slip. */
void pw_instant_candidates(pw_contacts *c);
PAWL_NODISCARD pawl_status pw_instant_modes(pw_contacts *c);
/* A contact that opens again does not come to rest; one that nothing pushes either way does. */
void pw_instant_revise_rest(pw_contacts *c);
/* impulse(c) is that of the last jump of c, whether it was hit or hit along with others. */
void pw_instant_keep_impulses(pw_contacts *c);
/* What is watched from here on begins at zero: the value of a law that opened, or a force that its
 * derivative has decided. */
void pw_instant_note_begins(pw_contacts *c);

/* ---- jumps and the log ---- */

/* pw_impact_hold, or an impact. */
typedef pw_outcome (*pw_jump_problem)(pw_impact *p, const pw_frame *f, const unsigned char *hold);

/* pw_impact_solve. */
pw_outcome pw_jump_by_impact(pw_impact *p, const pw_frame *f, const unsigned char *hold);

/* Solves, and solves again with the rows at the velocity found until it stays (the direction of an
 * impulse is that after the jump). The frame is then that after it; what the impulses lost and what
 * moving walls added is booked. */
PAWL_NODISCARD pawl_status pw_instant_jump(pw_contacts *c, pw_jump_problem solve,
                                           const unsigned char *hold);
/* Adds an event to the log of the instant. */
void pw_instant_log(pw_contacts *c, pw_contact_event event);
/* After a jump: the impulses of its problem. jams: an impact without collision. */
void pw_instant_log_impacts(pw_contacts *c, bool jams);
/* If a law gets no rest event, adds the impulse of the completed accumulation to its impact event.
 */
void pw_instant_add_rest(pw_contacts *c, int law);
/* What the slips of a contact gave to the motion in the last jump: they have no event of their own.
 */
double pw_instant_slip_energy(const pw_contacts *c, int law);
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
