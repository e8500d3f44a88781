// SPDX-License-Identifier: MIT
/* Scales of the driver of runs and the results. See law/scale.h. */
#ifndef PW_LAW_SCALE_RUN_H
#define PW_LAW_SCALE_RUN_H

#include "law/scale.h"

#define PW_SCALES_RUN(SCALE)                                                                       \
  SCALE(WORTH_THE_DISK, 1.0, JUDGEMENT,                                                            \
        "seconds of a run from which its files are on the disk before they are in place; "         \
        "shorter runs are made again after a loss of power sooner than the disk is waited "        \
        "for")                                                                                     \
  SCALE(STUDY_ABOVE_FLOOR, 10, JUDGEMENT,                                                          \
        "errors of the reference that an error must be above to take part in the fit of an "       \
        "order: below, the reference decides")                                                     \
  SCALE(STUDY_ROUNDING, 1e-14, ROUNDING,                                                           \
        "part of a motion below which differences of two of them are rounding")                    \
  SCALE(STUDY_NO_WAY, 1e-9, JUDGEMENT,                                                             \
        "part of its size by which a coordinate must move to be measured by its way: below "       \
        "it, it stands still")                                                                     \
  SCALE(STUDY_TIGHTEST, 1e-13, JUDGEMENT,                                                          \
        "tolerance of the reference of a study where it can be had: a tenth of it is rounding of " \
        "steps; "                                                                                  \
        "looser ones follow by tens")                                                              \
  SCALE(                                                                                           \
      STUDY_TOL, 1e-10, JUDGEMENT,                                                                 \
      "tolerance of the motions of a realisation: their distance from the limit is larger by far " \
      "as long as an order can be fitted")                                                         \
  SCALE(STUDY_DAMPING, 0.01, JUDGEMENT,                                                            \
        "part of critical damping of a spring that realises a law almost without loss: below it "  \
        "the oscillation of the spring outlasts the motion")                                       \
  SCALE(INSTANT_SAME, 1e-8, JUDGEMENT,                                                             \
        "part of the time and of the speeds by which an impact of the same motion, computed "      \
        "again, may differ from the instant asked for: ten times the default tolerance")           \
  SCALE(LEDGER_TOL, 100, DERIVED,                                                                  \
        "tolerances by which a step may change what the ledger explains: norms are taken by "      \
        "coordinates, and projections move as far again")                                          \
  SCALE(LEDGER_ROUNDING, 10 * DBL_EPSILON, ROUNDING,                                               \
        "part of its terms by which the sum of energies and works is wrong after a step")          \
  SCALE(EXPECTED_AT_END, 1e-12, ROUNDING,                                                          \
        "part of the times of a run within which an expected time is its end")                     \
  SCALE(ROW_AT_END, 1e-9, JUDGEMENT,                                                               \
        "part of the distance of two rows within which a row is the end of the run: rounding of "  \
        "from + k every is far smaller")                                                           \
  SCALE(TICK_AT_END, 1e-9, JUDGEMENT,                                                              \
        "part of a step of an axis or of a range of values within which a tick is at its end: a "  \
        "pixel is larger")

PW_SCALES_RUN(PW_SCALE_ACCESSOR)

#endif
