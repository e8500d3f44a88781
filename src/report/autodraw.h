// SPDX-License-Identifier: MIT
/* A picture for a model that draws none, as `draw` lines in the model language, which a reader can
 * copy into the model and change; and arrows for the forces of its laws. */
#ifndef PW_REPORT_AUTODRAW_H
#define PW_REPORT_AUTODRAW_H

#include "base/buf.h"
#include "pawl/system.h"

/* Appends lines for bodies, for `let` vectors that are places, for coordinates whose names make
 * places (x and y, x[3] and y[3]), and for links between these. */
PAWL_NODISCARD pawl_status pw_autodraw_shapes(pawl_system *system, pw_buf *out);
/* Whether the drawings show at least half of the coordinates. */
PAWL_NODISCARD pawl_status pw_autodraw_covers(pawl_system *system, bool *enough);

/* Adds an arrow to the drawings for every law whose force acts at a point that is drawn or made of
 * coordinates. The force of a law is force(c) times the gradient of its measure; it acts at P if
 * this gradient is that of a combination of the coordinates of P. The system is changed: it must be
 * the caller's alone, without evaluators. */
PAWL_NODISCARD pawl_status pw_autodraw_forces(pawl_system *system);

#endif
