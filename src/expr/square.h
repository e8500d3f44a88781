// SPDX-License-Identifier: MIT
#ifndef PW_EXPR_SQUARE_H
#define PW_EXPR_SQUARE_H

#include "expr/dag.h"

/* r with r^2 = a, of either sign, where a shows to be a square: x*x, even powers, positive numbers
 * and products of such. -1: it is none. */
pw_node pw_root_of_square(pw_dag *dag, pw_node a);

#endif
