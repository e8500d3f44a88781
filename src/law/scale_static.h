// SPDX-License-Identifier: MIT
/* Scales of one instant and equilibria. See law/scale.h. */
#ifndef PW_LAW_SCALE_STATIC_H
#define PW_LAW_SCALE_STATIC_H

#include "law/scale.h"

#define PW_SCALES_STATIC(SCALE)

PW_SCALES_STATIC(PW_SCALE_ACCESSOR)

#endif
