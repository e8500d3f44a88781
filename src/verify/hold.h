// SPDX-License-Identifier: MIT
/* Laws that hold by more than what acts beside their kink: friction with a larger bound at rest and
 * servos that work one way. Forces beside the kink are in the sets at every instant, so these do
 * not tell that such a law lets go too early, or does not take hold: it must hold wherever its
 * measure is zero and the force that holds it there is within its bounds (certificates (C20)). */
#ifndef PW_VERIFY_HOLD_H
#define PW_VERIFY_HOLD_H

#include "verify/checker.h"

void pw_hold_lay(pw_hold_room *r, const pw_system *s, pw_layout *l);
/* From the row before the newest one to it. Moves the probe. */
void pw_verify_hold(pawl_certifier *c);

/* The modes of the laws (model rows) change at a state without a jump: one that lets go, or passes
 * zero, could not have held there. */
void pw_hold_change(pawl_certifier *c, const pw_row_view *row, const unsigned char *before,
                    const unsigned char *after);

#endif
