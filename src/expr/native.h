// SPDX-License-Identifier: MIT
/* Machine code for tapes, on x86-64. It computes the same numbers as the interpreter, bit by bit
 * (but for the bits of NaN): the same operations in the same order, functions by calls of the same
 * ones. Where there is no such code the tapes are interpreted. */
#ifndef PW_EXPR_NATIVE_H
#define PW_EXPR_NATIVE_H

#include "expr/tape.h"

typedef struct pw_native pw_native;

/* Code for all of these tapes, until pw_native_free: they are not run after that. NULL: another
 * machine, no memory, or the system does not allow it. */
pw_native *pw_native_new(pw_tape *const *tape, int n);
void pw_native_free(pw_native *native);

#endif
