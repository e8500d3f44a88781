// SPDX-License-Identifier: MIT
/* Scales of linear algebra and mechanics at a state. See law/scale.h. */
#ifndef PW_LAW_SCALE_MECH_H
#define PW_LAW_SCALE_MECH_H

#include "law/scale.h"

#define PW_SCALES_MECH(SCALE)

PW_SCALES_MECH(PW_SCALE_ACCESSOR)

#endif
