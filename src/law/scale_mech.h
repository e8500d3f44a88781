// SPDX-License-Identifier: MIT
/* Scales of linear algebra and mechanics at a state. See law/scale.h. */
#ifndef PW_LAW_SCALE_MECH_H
#define PW_LAW_SCALE_MECH_H

#include "law/scale.h"

#define PW_SCALES_MECH(SCALE)                                                                      \
  SCALE(ELLIPSE_RATIO, 1e6, JUDGEMENT,                                                             \
        "largest ratio of two coefficients of friction; slips along the weaker axis are measured " \
        "in "                                                                                      \
        "units of the stronger one, and far above it they are lost in the rounding of the other "  \
        "slip")                                                                                    \
  /* linear algebra */                                                                             \
  SCALE(CHOL_PIVOT, 1e-12, JUDGEMENT,                                                              \
        "pivot of a Cholesky factor as part of its diagonal entry; below it the matrix "           \
        "is not positive definite: larger values refuse light parts on heavy ones, "               \
        "smaller ones let rounding pass for inertia")                                              \
  SCALE(LU_PIVOT, 1e-13, JUDGEMENT,                                                                \
        "pivot of an LU factor as part of the largest entry of its column; below it the "          \
        "matrix is singular: rounding of some hundred operations")                                 \
  SCALE(QR_RECOMPUTE, 1e-8, DERIVED,                                                               \
        "part of the square of a column norm that is left by downdates; about the root "           \
        "of the rounding unit, where half of the digits have cancelled and the norm is "           \
        "computed anew")                                                                           \
  SCALE(RANK_KNOWN, 1e-15, ROUNDING,                                                               \
        "the rank was decided before: only columns that are exactly dependent drop out")           \
  SCALE(RANK_ROUNDING, 1e-13, ROUNDING,                                                            \
        "a column that leaves less of its length is dependent up to rounding; for "                \
        "matrices whose columns are no unit rows")                                                 \
  SCALE(RANK_DROP, 1e-10, JUDGEMENT,                                                               \
        "unit rows that leave less are dependent at the first look: above it rows that "           \
        "are nearly parallel are dropped, below it the rounding of dependent rows makes "          \
        "huge forces")                                                                             \
  SCALE(RANK_ROWS, 1e-9, JUDGEMENT,                                                                \
        "the same for laws that may be closed or open, where forces that are nearly not "          \
        "unique are better taken as not unique")                                                   \
  SCALE(RANK_ADMIT, 1e-7, JUDGEMENT,                                                               \
        "dependent rows become independent again above this: hysteresis of three "                 \
        "decades over RANK_DROP, as along a motion rounding is integrated")                        \
  SCALE(MOVED_SIZE, 16, JUDGEMENT,                                                                 \
        "velocities from which it is looked which of them a row can move: below it "               \
        "vectors are as fast as lists")                                                            \
  SCALE(MOVED_FEW, 0.25, JUDGEMENT,                                                                \
        "part of the entries of all rows that the lists may have: an entry of a list "             \
        "costs some four times one of a vector")                                                   \
  SCALE(SPARSE_SIZE, 40, JUDGEMENT,                                                                \
        "velocities and rows from which sparse algebra is considered: below it dense "             \
        "algebra is as fast, measured on chains (docs/sparse.md)")                                 \
  SCALE(SPARSE_WORK, 0.125, JUDGEMENT,                                                             \
        "part of the products of dense algebra that sparse algebra may need; a product "           \
        "with its places costs some four times a dense one")                                       \
  SCALE(SPARSE_FIRM, 1e-4, DERIVED,                                                                \
        "smallest singular value of unit rows down to which their Gram matrix is used; "           \
        "its square loses 8 digits of 16, and one correction restores them. Below it "             \
        "the dense decomposition decides")                                                         \
  SCALE(SPARSE_PIVOT, 1e-5, DERIVED,                                                               \
        "length that a row leaves beside others, between decisions: as SPARSE_FIRM, "              \
        "with room for the motion in between")                                                     \
  SCALE(PARALLEL, 1e-12, JUDGEMENT,                                                                \
        "squared sine between the two directions of a slip in a plane; below it they "             \
        "are one direction and there is no plane")                                                 \
  /* rounding */                                                                                   \
  SCALE(ROUNDED_SUM, 16 * DBL_EPSILON, ROUNDING,                                                   \
        "a sum of a few rounded terms that is smaller than this part of their size is "            \
        "zero")                                                                                    \
  SCALE(ROUNDED_TERM, 2 * DBL_EPSILON, ROUNDING,                                                   \
        "residual of a row that is rounding of its linear terms: one operation for each")          \
  SCALE(ROUNDED_ROW, 8 * DBL_EPSILON, ROUNDING,                                                    \
        "the same by all terms of its expression, constants among them")                           \
  /* accelerations and forces */                                                                   \
  SCALE(CONTRADICTION, 1e-5, JUDGEMENT,                                                            \
        "part of the load that the best common acceleration of dependent rows may miss; "          \
        "more is a contradiction. Rows drift by the tolerance of a step, which must not "          \
        "count as one")                                                                            \
  SCALE(NOT_UNIQUE, 1e-7, JUDGEMENT,                                                               \
        "a force is unique if its unit vector is orthogonal to the null space up to "              \
        "this; root of rounding and of RANK_DROP; a multiplier shows in a motion likewise")        \
  SCALE(GRIP, 1e-10, JUDGEMENT,                                                                    \
        "cosine between the covector of a servo and the gradient of its row below which "          \
        "it has no hold; as RANK_DROP")                                                            \
  SCALE(GRIP_SLIPPERY, 1e-3, JUDGEMENT,                                                            \
        "the same below which it is blamed for steps that become too short, as a pole is not "     \
        "reached, and for laws that determine no force; above it the other servos are")            \
  SCALE(STIFFER_STATE, 100, JUDGEMENT,                                                             \
        "factor from one kappa of theory (81) to the next that is tried; the motion is the same "  \
        "with each")                                                                               \
  SCALE(STIFFEST_STATE, 1e4, JUDGEMENT, "largest kappa: half of the digits of the mass are left")  \
  SCALE(NO_DIRECTION, 1e-9, JUDGEMENT,                                                             \
        "part of its terms below which a slip in a plane has no direction of its own; "            \
        "smaller slips are differences of larger velocities")                                      \
  SCALE(TURN_SETTLED, 1e-14, ROUNDING, "turn of a direction, in radians, that is rounding")        \
  SCALE(TURN_HOPELESS, 1e-9, JUDGEMENT,                                                            \
        "turns no larger than this may stop to fall: the rounding of ill-conditioned "             \
        "accelerations")                                                                           \
  SCALE(TURN_MOST, 0.5, JUDGEMENT,                                                                 \
        "largest turn of one iteration, in radians; directions of several slips could "            \
        "overtake each other")                                                                     \
  SCALE(TIP_PASSED, 2, JUDGEMENT,                                                                  \
        "|s'|^2 over 2 |s| |s''|, 1 where the tip of a norm is left from rest, above which it is " \
        "passed in motion: near 1 rounding decides, far above it slow passages follow the load")   \
  SCALE(LOAD_SETTLED, 4 * DBL_EPSILON, ROUNDING,                                                   \
        "part of the forces that bound frictions by which they may differ from those that come "   \
        "out of the accelerations")                                                                \
  SCALE(LOAD_HOPELESS, 1e-10, JUDGEMENT,                                                           \
        "the same where the difference has stopped to fall: the rounding of ill-conditioned "      \
        "accelerations")                                                                           \
  /* projection on constraints */                                                                  \
  SCALE(PROJECT_ROUNDING, 500 * DBL_EPSILON, ROUNDING,                                             \
        "residuals of rows, against the size of the state, that may stop to fall")                 \
  SCALE(PROJECT_DONE, 1e-10, DERIVED,                                                              \
        "part of the first residual at which Newton's method ends: it converges "                  \
        "quadratically, and the next step would be rounding")                                      \
  SCALE(PROJECT_ENOUGH, 1e-6, JUDGEMENT,                                                           \
        "part of the first residual that is enough where residuals stop to fall: rows "            \
        "whose terms are not seen round there")                                                    \
  SCALE(PROJECT_FALLS, 0.25, JUDGEMENT,                                                            \
        "a residual that does not fall to this part of the one before has stopped to "             \
        "fall; quadratic convergence is much faster")                                              \
  /* the start */                                                                                  \
  SCALE(START_TERMS, 1e-9, JUDGEMENT,                                                              \
        "part of its linear terms below which a row holds at the start: values that "              \
        "users write have up to ten digits")                                                       \
  SCALE(START_TURN, 1e-3, JUDGEMENT,                                                               \
        "angle that stands for a rotation in these terms: a rotation has no value of its "         \
        "own, and its start is exact to rounding")                                                 \
  SCALE(START_GOAL, 1e-6, JUDGEMENT,                                                               \
        "part of the tolerance of the start at which Newton's method ends: what it "               \
        "leaves must not show in the motion")                                                      \
  SCALE(START_DESCENT, 1e-4, JUDGEMENT,                                                            \
        "part of the predicted decrease that a step has to make (Armijo's rule)")                  \
  SCALE(START_LIGHT, 1e-8, DERIVED,                                                                \
        "size of a coordinate without inertia beside others in the shortest correction: what its " \
        "balance lacks moves the others by the square of this, which is rounding")                 \
  SCALE(START_LINEAR, 1e-9, JUDGEMENT,                                                             \
        "part of a residual that Newton's step leaves if the row is linear in the "                \
        "value; decides whether a message offers a number")                                        \
  SCALE(START_SHOWN, 1e-12, JUDGEMENT,                                                             \
        "numbers in messages below this part of what they are a difference of are shown "          \
        "as 0")                                                                                    \
  /* effect of the explicit time */                                                                \
  SCALE(CLOCK_ASIDE, 0.25, JUDGEMENT,                                                              \
        "part of its range by which a function of time may leave the values of its "               \
        "neighbours before a step looks closer; less costs evaluations, more hides "               \
        "pulses")                                                                                  \
  SCALE(CLOCK_JUMP, 0.75, JUDGEMENT,                                                               \
        "part of its range by which it may change between neighbours and still be "                \
        "followed")                                                                                \
  SCALE(CLOCK_DUST, 1e-3, JUDGEMENT,                                                               \
        "part of its size that does not matter: below it functions of time are "                   \
        "constants")                                                                               \
  SCALE(CLOCK_SHORTEST, 1e-9, JUDGEMENT,                                                           \
        "part of the time looked ahead below which a jump is one place in time")                   \
  SCALE(                                                                                           \
      CLOCK_SHORTER, 0.125, JUDGEMENT,                                                             \
      "part of the last length that is looked ahead where it hides something at once: near 1 the " \
      "search is slow, far below it the clear way is a small part of what it could be")            \
  /* realised constraints */                                                                       \
  SCALE(STIFF_RESOLVED, 9.0, JUDGEMENT,                                                            \
        "steps per radian that an oscillation takes at the usual tolerance, measured")             \
  SCALE(STIFF_MANY, 2e5, JUDGEMENT,                                                                \
        "steps of a run from which a warning calls it stiff: some seconds of computing")

PW_SCALES_MECH(PW_SCALE_ACCESSOR)

#endif
