// SPDX-License-Identifier: MIT
/* Scales of the driver of runs and the results. See law/scale.h. */
#ifndef PW_LAW_SCALE_RUN_H
#define PW_LAW_SCALE_RUN_H

#include "law/scale.h"

#define PW_SCALES_RUN(SCALE)                                                                 \
  SCALE(WORTH_THE_DISK, 1.0, JUDGEMENT,                                                      \
        "seconds of a run from which its files are on the disk before they are in place; "   \
        "shorter runs are made again after a loss of power sooner than the disk is waited "  \
        "for")                                                                               \
  SCALE(STUDY_ABOVE_FLOOR, 10, JUDGEMENT,                                                    \
        "errors of the reference that an error must be above to take part in the fit of an " \
        "order: below, the reference decides")                                               \
  SCALE(STUDY_ROUNDING, 1e-14, ROUNDING,                                                     \
        "part of a motion below which differences of two of them are rounding")              \
  SCALE(STUDY_NO_WAY, 1e-9, JUDGEMENT,                                                       \
        "part of its size by which a coordinate must move to be measured by its way: below " \
        "it, it stands still")

PW_SCALES_RUN(PW_SCALE_ACCESSOR)

#endif
