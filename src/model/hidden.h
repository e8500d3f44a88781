// SPDX-License-Identifier: MIT
/* Kinks of expressions that their operators do not show, potentials (P16). */
#ifndef PW_MODEL_HIDDEN_H
#define PW_MODEL_HIDDEN_H

#include "model/check.h"

typedef struct pw_hidden_kink {
  const char *word; /* function whose operand touches the edge of its domain */
  int rise;         /* sign of the jump of the slope; 0: none was found */
} pw_hidden_kink;

/* Looks along lines through all variables; kinks on surfaces of the variables `has` are found,
 * tips are not. */
pw_hidden_kink pw_find_hidden_kink(pw_check *ck, pw_node f, unsigned has);

#endif
