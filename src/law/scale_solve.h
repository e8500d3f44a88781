// SPDX-License-Identifier: MIT
/* Scales of the solvers of set-valued problems. See law/scale.h. */
#ifndef PW_LAW_SCALE_SOLVE_H
#define PW_LAW_SCALE_SOLVE_H

#include "law/scale.h"

#define PW_SCALES_SOLVE(SCALE)

PW_SCALES_SOLVE(PW_SCALE_ACCESSOR)

#endif
