// SPDX-License-Identifier: MIT
/* Laws where the pieces of the model change: a wall that begins to move pushes what lies on it, a
 * bound that jumps leaves it or strikes it. Such an instant is treated like that of any law that
 * acts, with the sides after the change (theory, section 21). */
#ifndef PW_SIM_CROSSING_H
#define PW_SIM_CROSSING_H

#include "sim/contact.h"
#include "sim/surface.h"

/* Whether the change of sides that is due makes a law act; c->jumped says which values jump.
 * PAWL_E_JUMP: a wall would jump into the body. */
PAWL_NODISCARD pawl_status pw_crossing_look(pw_surfaces *f, pw_contacts *c, bool *acts);
/* Before such an instant is treated: changes the sides, and opens the contacts that have jumped
 * away. Does nothing if no change is due. */
PAWL_NODISCARD pawl_status pw_crossing_make(pw_surfaces *f, pw_contacts *c);

/* After the instant: the laws on coordinates without inertia whose phases have changed in it. */
void pw_crossing_log(pw_contacts *c);

#endif
