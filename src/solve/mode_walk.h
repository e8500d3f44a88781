// SPDX-License-Identifier: MIT
/* A problem of contacts with friction from a guess of its modes: contacts that close are closed,
 * slips go on as they are. With the modes given all forces follow from one linear system; rows that
 * then break their laws change their modes, all of them at first, later the worst alone, until none
 * is left. Where there are several solutions this is the one near the present motion, which forces
 * that jam the contacts are not. */
#ifndef PW_SOLVE_MODE_WALK_H
#define PW_SOLVE_MODE_WALK_H

#include <stddef.h>

#include "solve/outcome.h"
#include "solve/stick_pairs.h"

/* For problems of up to k rows. */
size_t pw_mode_walk_doubles(int k);
size_t pw_mode_walk_ints(int k);

/* SOLVED: x (k) is a solution, by a residual that shares no code with the walk. MAX_ITER: the walk
 * found none, which says nothing. */
pw_outcome pw_mode_walk(const pw_stick_rows *p, double *x, double *real, int *whole);

#endif
