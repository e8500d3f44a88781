// SPDX-License-Identifier: MIT
/* Scales of the driver of runs and the results. See law/scale.h. */
#ifndef PW_LAW_SCALE_RUN_H
#define PW_LAW_SCALE_RUN_H

#include "law/scale.h"

#define PW_SCALES_RUN(SCALE)

PW_SCALES_RUN(PW_SCALE_ACCESSOR)

#endif
