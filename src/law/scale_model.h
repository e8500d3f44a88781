// SPDX-License-Identifier: MIT
/* Scales of checked models and compiled systems. See law/scale.h. */
#ifndef PW_LAW_SCALE_MODEL_H
#define PW_LAW_SCALE_MODEL_H

#include "law/scale.h"

#define PW_SCALES_MODEL(SCALE)                                                                     \
  SCALE(INERTIA_DIGITS, 1e-2, JUDGEMENT,                                                           \
        "part by which the largest principal moment of inertia may exceed the sum of the others "  \
        "without a warning: a flat plate has equality, written with two or three digits")          \
  SCALE(WHOLE_NUMBER, 1e-9, JUDGEMENT,                                                             \
        "distance from an integer of an index, a bound of a range or a count: the rounding of a "  \
        "short formula is far smaller, a number that is meant to be no integer far larger")        \
  SCALE(                                                                                           \
      POWER_SAME, 1e-9, JUDGEMENT,                                                                 \
      "difference of two powers of a unit: the rounding of 1/3 + 2/3 is far smaller, powers that " \
      "people write differ by more than a hundredth")                                              \
  SCALE(                                                                                           \
      TABLE_CLOSES, 1e-12, JUDGEMENT,                                                              \
      "gap between the ends of a periodic table as part of its largest value: values are written " \
      "with at most twelve digits or computed, a gap that matters is larger")                      \
  SCALE(                                                                                           \
      LINE_BESIDE, 1e-4, DERIVED,                                                                  \
      "step beside a crossing of a random line as part of the distance to its ends: a root of an " \
      "odd number of bisections is known to 1e-15, so half of the digits show the slope")          \
  SCALE(KINK_ORDER, 0.25, JUDGEMENT,                                                               \
        "how far the order of second differences of a kink may be from 1: half of the way to "     \
        "the 1.5 of the least smooth power in use, that of Hertz, and to the 0.5 of a root")       \
  SCALE(LINE_SAME, 1e-12, ROUNDING,                                                                \
        "part of two expressions by which they may differ on lines if they are the same; each is " \
        "a sum of some ten terms")                                                                 \
  SCALE(LINE_VANISHES, 0.01, JUDGEMENT,                                                            \
        "value at a crossing as part of the values LINE_BESIDE: below it the value is zero "       \
        "there, as "                                                                               \
        "one of the first order is 1e-11 of them")                                                 \
  SCALE(NODE_SLIDES, 1e-12, JUDGEMENT,                                                             \
        "part of its rate at which the share of the bound goes on where friction slides on a "     \
        "coordinate without "                                                                      \
        "inertia: beyond rounding after a thousandth of the way to the bound, below tolerances "   \
        "after a thousand ways")                                                                   \
  SCALE(TIP_MET, 1e-9, JUDGEMENT,                                                                  \
        "norm at the end of a search for its tip as part of that at its start, and a slope that "  \
        "may be rounding as part of others: Newton's method either gets there or stays far away")  \
  SCALE(TIP_DAMPED, 1e-12, ROUNDING,                                                               \
        "added to the squares of two gradients as part of their sum: solves for parallel ones, "   \
        "and changes nothing for others")                                                          \
  SCALE(TERMS_CANCEL, 1e-12, ROUNDING,                                                             \
        "sum of terms as part of the largest of them at a sample: the rounding of some thousand "  \
        "operations, so that the terms cancel")                                                    \
  SCALE(                                                                                           \
      SAME_DEGREE, 1e-9, JUDGEMENT,                                                                \
      "difference between the degrees of a function of velocities at two samples: rounding of "    \
      "the "                                                                                       \
      "ratio of two long sums stays below, other degrees differ by a whole number or a fraction")  \
  SCALE(SAME_FORM, 1e-10, JUDGEMENT,                                                               \
        "part of a function that is left where it depends on others at all samples; rounding of "  \
        "a hundred sums stays below, and no simple function is so near to another one")            \
  SCALE(                                                                                           \
      FORM_NOISE, 1e-7, JUDGEMENT,                                                                 \
      "part of the largest coefficient of a first integral that is rounding: dependence is seen "  \
      "to SAME_FORM, and simple functions are nearly dependent by a thousand")                     \
  SCALE(                                                                                           \
      DRAWN_AGREES, 1e-9, JUDGEMENT,                                                               \
      "difference of places or directions found from two sides, in sizes near one, below which a " \
      "picture shows them as one: rounding, generously")                                           \
  SCALE(                                                                                           \
      CONE_TIP, 1e-300, ROUNDING,                                                                  \
      "added to squares below a root: no other number changes by it, and the gradient at the tip " \
      "is 0 instead of 0/0")

PW_SCALES_MODEL(PW_SCALE_ACCESSOR)

#endif
