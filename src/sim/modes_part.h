// SPDX-License-Identifier: MIT
/* What the files that choose modes share: modes.c (forces and accelerations), modes_order.c (their
 * derivatives), modes_rough.c (rough contacts whose normal force ends). */
#ifndef PW_SIM_MODES_PART_H
#define PW_SIM_MODES_PART_H

#include "sim/modes.h"

enum { PW_MODES_ORDER = 4 }; /* derivatives looked at */

const pw_law_form *pw_modes_form(const pw_modes *p, int law);
/* A rough row that acts where its contact does: no impact has left a slip there. */
bool pw_modes_grips(const pw_modes *p, int law);
/* Friction on a contact that is not decided yet: its force is bounded by one that is zero, and it
 * is decided together with the contact. */
bool pw_modes_waits(const pw_modes *p, int law);
/* What counts as zero among the results. */
double pw_modes_tiny(pw_modes *p);

/* The problem of forces: its rows and disks; a contact whose rough rows were taken out pushes. */
void pw_modes_take(pw_modes *p, const pw_frame *f);
void pw_modes_list_disks(pw_modes *p, const pw_frame *f);
bool pw_modes_pushes_smooth(const pw_modes *p, double tiny);

/* Modes that follow from those of others: slips in the plane, rough rows, friction. */
void pw_modes_sort_disks(pw_modes *p);
void pw_modes_follow(pw_modes *p);
void pw_modes_settle_friction(pw_modes *p);
void pw_modes_open_leaving(pw_modes *p);
/* Closed rows that depend on others rest on them. Returns how many are not decided. */
int pw_modes_separate(pw_modes *p, const pw_frame *f);
void pw_modes_impose(pw_modes *p);

/* Slips without a step of the force whose acceleration may be rounding become undecided. */
void pw_modes_doubt_bends(pw_modes *p, double t, const double *q, const double *u,
                          const double *side);
/* Decides what is left by the series of the motion. */
PAWL_NODISCARD pawl_status pw_modes_orders(pw_modes *p, const pw_frame *f, double t,
                                           const double *q, const double *u, const double *side,
                                           int left);
/* Rough contacts stay closed as long as their force, with all rows held, does not fall below zero.
 */
PAWL_NODISCARD pawl_status pw_modes_decide_gripped(pw_modes *p, const pw_frame *f, double t,
                                                   const double *q, const double *u,
                                                   const double *side);
/* A rough contact that opens would close again at once: nothing goes on from here. */
bool pw_modes_ends_at_rough(pw_modes *p, const pw_frame *f);

#endif
