// SPDX-License-Identifier: MIT
/* Full turns of joints along rows of another program, whose table may have no columns for them. */
#ifndef PW_VERIFY_TURNS_H
#define PW_VERIFY_TURNS_H

#include "system/system.h"

typedef struct pw_turn_count {
  const pw_system *sys;
  double *in, *reg, *value; /* of the tape of signals */
  bool *absent;             /* nq: this position is a count that the table does not have */
  double *turns;            /* nq: the counts so far */
} pw_turn_count;

/* Nothing is counted until a position is marked as absent. */
PAWL_NODISCARD pawl_status pw_turns_begin(pw_turn_count *x, const pw_system *sys);
void pw_turns_end(pw_turn_count *x);
/* True if position i is a count of turns, which is then counted. */
bool pw_turns_count(pw_turn_count *x, int i);
/* Before the first row. */
void pw_turns_restart(pw_turn_count *x);
/* Puts the counts into the next row of positions. */
void pw_turns_fill(pw_turn_count *x, double *q);

#endif
