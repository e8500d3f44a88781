// SPDX-License-Identifier: MIT
/* Scales of models that are read from other formats and written in others. See law/scale.h. */
#ifndef PW_LAW_SCALE_EXPORT_H
#define PW_LAW_SCALE_EXPORT_H

#include "law/scale.h"

// clang-format off
#define PW_SCALES_EXPORT(SCALE) \
  SCALE(POSE_ROUNDING, 45 * DBL_EPSILON, ROUNDING, \
        "part of the largest of its terms by which an entry of an imported pose or inertia is wrong: " \
        "a chain of a dozen rotations; what is below it is written as 0") \
  SCALE(SAME_COEFFICIENT, 1e-12, JUDGEMENT, \
        "relative difference of two coefficients of a printed equation below which terms are joined " \
        "by an addition theorem: rounding of products of parameters is far smaller, two parameters " \
        "that differ differ by more") \
  SCALE(CANCELLED, 45 * DBL_EPSILON, ROUNDING, \
        "part of two coefficients of a printed equation below which their sum is 0: rounding of a " \
        "few dozen products") \
  SCALE(WHOLE_POWER, 1e-12, JUDGEMENT, \
        "distance of a power or of a fraction of a printed equation from a whole number, in parts " \
        "of it: rounding of a short formula is smaller, decimals that are meant differ by more")

PW_SCALES_EXPORT(PW_SCALE_ACCESSOR)
// clang-format on

#endif
