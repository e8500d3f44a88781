// SPDX-License-Identifier: MIT
/* A motion of a run on its way to the checker: segments as they are made, and both sides of each
 * instant at which something happens. The rows that a user asks for have no part in it. */
#ifndef PW_VERIFY_FEED_H
#define PW_VERIFY_FEED_H

#include "pawl/sim.h"
#include "pawl/verify.h"
#include "traj/chunk.h"
#include "traj/strokes.h"

/* The next segment; `stride` numbers from node to node. */
void pw_own_segment(pawl_certifier *c, const pw_segment *s, int stride);
/* One side of an instant, as a row shows it: t, positions, velocities, forces. PAWL_BEFORE, then
 * PAWL_AFTER. */
void pw_own_side(pawl_certifier *c, pawl_side side, const double *row);
/* The impulses of the instant whose later side comes next (traj/strokes.h). */
void pw_own_strokes(pawl_certifier *c, pw_reader strokes);
/* A row in the last segment: the forces it shows, of one in PAWL_ROWS_PER_INSTANT. */
void pw_own_row(pawl_certifier *c, const double *row);
/* The run may have missed a short event in this number of intervals, the first one at t. */
void pw_own_unseen(pawl_certifier *c, int intervals, double t);
/* Segments and instants of a chunk, in order of time. */
void pw_own_chunk(pawl_certifier *c, const pw_chunk_view *chunk);

#endif
