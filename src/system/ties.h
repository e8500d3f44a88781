// SPDX-License-Identifier: MIT
/* Corners on edges: where a corner of one shape lies on the edge of two faces of another, both have
 * the same height, and rounding would choose between them. A face can have the contact only if the
 * corner is the lowest of its shape over it, shapes (G14). */
#ifndef PW_SYSTEM_TIES_H
#define PW_SYSTEM_TIES_H

#include "system/switches.h"

/* Outputs of the tape; the ties are filled in but for it. */
void pw_ties_build(const pw_model *model, pw_switches *s, pw_ties *ties, pw_node **out, int *n_out);

/* Puts the sides of surfaces on which a contact lies so that its face is possible. in: inputs of
 * all tapes, of which the modes are changed; reg, out: of the tape `ties`, prepared. True: a side
 * has changed. */
bool pw_ties_settle(const pw_system *sys, double *in, double *reg, double *out);

/* Convex outlines may cross with no corner of one inside of the other, where all gaps are positive:
 * the touch whose shapes overlap most, and how deep; -1: none. out: of the tape `ties`. */
int pw_ties_crossed(const pw_system *sys, const double *out, double *depth);

#endif
