// SPDX-License-Identifier: MIT
/* Hertz and radians per second are both 1/s in SI, so the dimensional check does not tell them
 * apart. These functions look at the units as they are written. */
#ifndef PW_MODEL_HERTZ_H
#define PW_MODEL_HERTZ_H

#include <stdbool.h>

#include "lang/ast.h"

/* The unit of a number contains this name, perhaps with a prefix. */
bool pw_has_unit(const pw_ex *ex, const char *name);

/* A number in hertz is given for one that is stated in rad/s or rpm. */
bool pw_is_hertz_for_turns(const pw_ex *stated, const pw_ex *given);

/* The value of the parameter that `name` is defined by, NULL if there is none. */
typedef const pw_ex *(*pw_parameter_value)(void *ctx, const char *name);

/* A frequency in hertz in the argument of `sin`, without `pi` or an angle in it: the name or the
 * number; else NULL. */
const pw_ex *pw_hertz_in_angle(const pw_ex *ex, pw_parameter_value value_of, void *ctx);

#endif
