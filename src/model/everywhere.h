// SPDX-License-Identifier: MIT
/* Enclosures of an expression over all values of its variables. */
#ifndef PW_MODEL_EVERYWHERE_H
#define PW_MODEL_EVERYWHERE_H

#include "model/check.h"

/* Bounds of the expression, with numbers for parameters; NAN: it has none. */
void pw_enclose_everywhere(pw_check *ck, pw_node symbolic, double *lo, double *hi);
/* Whether the bounds let it be zero. */
bool pw_can_vanish(pw_check *ck, pw_node symbolic);

#endif
