// SPDX-License-Identifier: MIT
/* Scales of the driver of runs and the results. See law/scale.h. */
#ifndef PW_LAW_SCALE_RUN_H
#define PW_LAW_SCALE_RUN_H

#include "law/scale.h"

#define PW_SCALES_RUN(SCALE)                                                                \
  SCALE(WORTH_THE_DISK, 1.0, JUDGEMENT,                                                     \
        "seconds of a run from which its files are on the disk before they are in place; "  \
        "shorter runs are made again after a loss of power sooner than the disk is waited " \
        "for")

PW_SCALES_RUN(PW_SCALE_ACCESSOR)

#endif
