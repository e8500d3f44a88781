// SPDX-License-Identifier: MIT
/* Scales of one instant and equilibria. See law/scale.h. */
#ifndef PW_LAW_SCALE_STATIC_H
#define PW_LAW_SCALE_STATIC_H

#include "law/scale.h"

#define PW_SCALES_STATIC(SCALE)                                                                    \
  /* one instant */                                                                                \
  SCALE(CORNER_STEP, 1e-7, DERIVED,                                                                \
        "step beside a state, by the size of its positions, at which a jump of the gradient of a " \
        "gap is looked for: half of the digits")                                                   \
  SCALE(CORNER_SEEN, 1e-12, DERIVED,                                                               \
        "second difference of a gap over CORNER_STEP that a jump of the gradient by 1e-5 makes, "  \
        "by the size of the positions; rounding is below 1e-15")                                   \
  SCALE(INSTANT_TERMS, 1e-10, JUDGEMENT,                                                           \
        "part of its terms, or of the speed of the motion, below which a value or a "              \
        "rate is zero; as STILL of the simulation, whose states are looked at")                    \
  SCALE(INSTANT_DRIFT, 1e-12, JUDGEMENT,                                                           \
        "part of what the load makes of rest in the whole time, which is zero too: at "            \
        "rest there is no speed to compare with")                                                  \
  SCALE(NEGLIGIBLE, 1e-9, JUDGEMENT,                                                               \
        "part of all accelerations below which that of a row, or a force, is zero: ten "           \
        "times LCP_SOLVED")                                                                        \
  SCALE(FREE_NOISE, 1e-13, ROUNDING,                                                               \
        "part of all accelerations below which the free acceleration of a row is "                 \
        "rounding")                                                                                \
  SCALE(SHOWN_NOISE, 1e-14, ROUNDING, "the same of an acceleration that is shown")                 \
  SCALE(SAME_MOTION, 1e-7, JUDGEMENT,                                                              \
        "part of all accelerations by which two solutions differ that are one motion; "            \
        "the root of rounding where rows nearly depend on each other. Also the width of "          \
        "a force that is unique")                                                                  \
  SCALE(LOAD_ROW, 1e-13, ROUNDING, "combination of unit columns that is zero and carries no load") \
  SCALE(DISK_TOL, 1e-12, JUDGEMENT,                                                                \
        "residual asked for where friction in planes is solved; what misses it is "                \
        "accepted below LCP_SOLVED")                                                               \
  SCALE(DISK_EDGE, 1e-12, ROUNDING,                                                                \
        "part of its radius by which a force may lie outside of a disk and stick")                 \
  SCALE(VARIATION_LEFT, 1e-3, JUDGEMENT,                                                           \
        "length of a projected random variation below which it is dominated by rounding")          \
  SCALE(VARIATION_ZERO, 1e-10, JUDGEMENT,                                                          \
        "part of a variation that may lead out of a law without bound; the accuracy of "           \
        "the projection")                                                                          \
  SCALE(CONE_ZERO, 1e-12, ROUNDING,                                                                \
        "part of a unit direction that a row leaves as it is; a few sums of products deep")        \
  SCALE(TRIAL_STILL, 1e-15, ROUNDING,                                                              \
        "part of the forces below which a step of projected gradients moves nothing")              \
  /* balances, in units of the system */                                                           \
  SCALE(BALANCED, 1e-10, JUDGEMENT, "largest residual of an equilibrium; as LCP_SOLVED")           \
  SCALE(BALANCED_WELL, 1e-12, JUDGEMENT,                                                           \
        "residual where a set of equilibria is followed: near its end a worse one still "          \
        "exists")                                                                                  \
  SCALE(BALANCE_ROUNDING, 1e-14, ROUNDING, "residual that cannot be improved")                     \
  SCALE(AT_REST, 1e-9, DERIVED,                                                                    \
        "value of a law that is at its kink: ten times BALANCED, which the values of "             \
        "solved rows meet")                                                                        \
  SCALE(AT_BOUND, 1e-7, JUDGEMENT,                                                                 \
        "force that is at its bound, or gap that is closed: where a set ends the "                 \
        "residual is flat, and its root is seen")                                                  \
  SCALE(MASS_FLOOR, 1e-6, JUDGEMENT,                                                               \
        "part of the largest inertia that a direction without inertia gets in the "                \
        "metric; units only, no result depends on it")                                             \
  SCALE(DAMPING_FIRST, 1e-2, JUDGEMENT, "first damping of Levenberg and Marquardt, in units")      \
  SCALE(DAMPING_LEAST, 1e-9, JUDGEMENT,                                                            \
        "least damping: keeps the steps shortest where solutions form a set")                      \
  SCALE(DAMPING_SMALL, 1e-7, JUDGEMENT,                                                            \
        "damping below which a step that fails near a solution fails by rounding")                 \
  SCALE(DAMPING_MOST, 1e8, JUDGEMENT, "damping at which nothing moves any more")                   \
  SCALE(BALANCE_STALLS, 0.9999, JUDGEMENT,                                                         \
        "part of the last residual that a step leaves where there is no balance nearby")           \
  SCALE(DESCENT_END, 1e-6, JUDGEMENT,                                                              \
        "part of all forces that is left where the descent hands over to the balance")             \
  /* sets of equilibria, parts of the scale of a coordinate */                                     \
  SCALE(SET_STEP, 1e-7, JUDGEMENT,                                                                 \
        "first step along a coordinate: what cannot go so far is a point")                         \
  SCALE(SET_END, 1e-14, ROUNDING, "width of the bisection that ends at rounding")                  \
  SCALE(SET_POINT, 1e-9, JUDGEMENT,                                                                \
        "width below which a set is a point, and ends that are zero or the same")                  \
  SCALE(SET_SAME, 1e-6, JUDGEMENT,                                                                 \
        "distance of ends, or relative one of rates, of two sets that are one; above "             \
        "the accuracy of ends, BALANCED by flatness")                                              \
  SCALE(SET_SMALL, 1e-2, JUDGEMENT,                                                                \
        "width of a set that must end at a bound to be one: elsewhere flat minima look "           \
        "like sets")                                                                               \
  SCALE(SET_FAR, 1e6, JUDGEMENT, "width of a set that has no end")                                 \
  SCALE(SET_STRAIGHT, 0.3, JUDGEMENT,                                                              \
        "part of their distance by which balances between two others may leave the "               \
        "straight way")                                                                            \
  SCALE(SET_TURN, 1e-3, JUDGEMENT,                                                                 \
        "turn of a rotation, in radians, that tries whether it stays there")                       \
  SCALE(SET_TWICE, 1e-5, JUDGEMENT, "distance of two balances that are one point found twice")     \
  SCALE(SHOWN_ZERO, 1e-13, ROUNDING,                                                               \
        "part of its scale below which a coordinate or a force is shown as 0")                     \
  SCALE(ANGLE_END, 1e-9, JUDGEMENT, "angles this near to -pi are shown as pi")                     \
  SCALE(PERIODIC, 1e-9, JUDGEMENT,                                                                 \
        "change after a whole turn, against all numbers, of what comes round: rounding "           \
        "of trigonometric functions")                                                              \
  SCALE(LARGEST_SCALE, 1e9, JUDGEMENT,                                                             \
        "scale of a coordinate, from forces over stiffness, that means there is no "               \
        "stiffness")                                                                               \
  SCALE(STEADY, 1e-7, JUDGEMENT, "speed, in units, above which an equilibrium is a steady motion") \
  SCALE(FAMILY, 1e-3, JUDGEMENT,                                                                   \
        "part of the speed by which a steady motion is changed to see whether it stays "           \
        "so, and part of that change which has to stay")                                           \
  /* stability */                                                                                  \
  SCALE(LINEAR_ZERO, 1e-9, JUDGEMENT,                                                              \
        "part of the largest coefficient below which another one, an eigenvalue or a "             \
        "cosine is zero: derivatives are exact, the position is known to BALANCED")                \
  SCALE(SKEW, 1e-8, JUDGEMENT,                                                                     \
        "part of the largest coefficient by which a stiffness or damping may be "                  \
        "unsymmetric; ten times LINEAR_ZERO, as both entries have its error")                      \
  SCALE(NO_INERTIA, 1e-12, JUDGEMENT,                                                              \
        "part of the largest inertia below which cyclic coordinates have none")                    \
  SCALE(JACOBI_ROTATE, 1e-17, ROUNDING,                                                            \
        "off-diagonal entries below this part of the matrix need no rotation")                     \
  SCALE(JACOBI_DONE, 1e-16, ROUNDING, "largest off-diagonal entry of a diagonal matrix")           \
  SCALE(LYAPUNOV_LARGE, 1e10, JUDGEMENT,                                                           \
        "size of a Lyapunov matrix beyond which a rate is zero but for rounding")                  \
  SCALE(LYAPUNOV_ZERO, 1e-12, JUDGEMENT, "part of it below which an eigenvalue has no sign")       \
  /* pasts */                                                                                      \
  SCALE(PAST_ZERO, 1e-8, JUDGEMENT,                                                                \
        "part of the speeds and ways of a motion below which a rate or gap is zero at an instant " \
        "that was found by going back; errors of steps add up to less")                            \
  SCALE(                                                                                           \
      PAST_NEWTON, 1e-13, ROUNDING,                                                                \
      "part of the speeds, and of the energy of an impact, that Newton's method for the velocity " \
      "before it may leave; it converges quadratically")                                           \
  SCALE(PAST_STEP, 1e-12, JUDGEMENT,                                                               \
        "error of a step backward, by the size of the state; a thousand steps stay below "         \
        "PAST_ZERO")

PW_SCALES_STATIC(PW_SCALE_ACCESSOR)

#endif
