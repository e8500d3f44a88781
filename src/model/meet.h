// SPDX-License-Identifier: MIT
/* Straight lines through the values of all variables, to meet the surfaces where an expression
 * changes its piece. The lines are the same for the same seed. */
#ifndef PW_MODEL_MEET_H
#define PW_MODEL_MEET_H

#include <stdint.h>

#include "expr/dag.h"

/* Value at the part x in 0..1 of line number `seed`. */
double pw_line_at(pw_dag *dag, pw_node a, uint64_t seed, double x);
/* Close to x on both sides, and at x. */
typedef struct pw_line_values {
  double left, here, right;
} pw_line_values;
pw_line_values pw_line_around(pw_dag *dag, pw_node a, uint64_t seed, double x);
/* Where c changes its sign on the line; NAN: nowhere, as far as its ends tell. */
double pw_line_crossing(pw_dag *dag, pw_node c, uint64_t seed);

#endif
