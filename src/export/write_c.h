// SPDX-License-Identifier: MIT
/* A model as C: M, h, J, zeta and the measures of its laws at a state, with the accelerations that
 * follow from them. */
#ifndef PW_EXPORT_WRITE_C_H
#define PW_EXPORT_WRITE_C_H

#include "system/lagrange.h"

enum { PW_C_NAME = 64 };
/* The file of a model as the name before those of its functions: "models/ball-2.pawl" is ball_2. */
void pw_c_name(const char *file, char out[PW_C_NAME]);
/* One file that compiles alone; the model has no multipliers that are states. */
void pw_write_c(pw_buf *out, const pw_model *model);

#endif
