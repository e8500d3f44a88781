// SPDX-License-Identifier: MIT
/* Scales of boundary value problems. See law/scale.h. */
#ifndef PW_LAW_SCALE_BVP_H
#define PW_LAW_SCALE_BVP_H

#include "law/scale.h"

#define PW_SCALES_BVP(SCALE)

PW_SCALES_BVP(PW_SCALE_ACCESSOR)

#endif
