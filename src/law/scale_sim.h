// SPDX-License-Identifier: MIT
/* Scales of the simulation. See law/scale.h. */
#ifndef PW_LAW_SCALE_SIM_H
#define PW_LAW_SCALE_SIM_H

#include "law/scale.h"

#define PW_SCALES_SIM(SCALE)                                                                      \
  SCALE(STILL, 1e-10, JUDGEMENT,                                                                  \
        "part of the largest speed so far below which the rate of a contact is no impact; above " \
        "it slow impacts are lost, below it rounding of the step looks like impacts")

PW_SCALES_SIM(PW_SCALE_ACCESSOR)

#endif
