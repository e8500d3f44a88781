// SPDX-License-Identifier: MIT
/* Operations of tapes on intervals. */
#ifndef PW_EXPR_INTERVAL_H
#define PW_EXPR_INTERVAL_H

#include "expr/tape_code.h"

typedef struct pw_interval {
  double lo, hi;
} pw_interval;

pw_interval pw_interval_unary(pw_tape_op op, pw_interval a);
pw_interval pw_interval_binary(pw_tape_op op, pw_interval a, pw_interval b);
pw_interval pw_interval_powi(pw_interval a, int n);
/* c >= 0 ? a : b */
pw_interval pw_interval_choice(pw_interval c, pw_interval a, pw_interval b);

#endif
