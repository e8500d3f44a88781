// SPDX-License-Identifier: MIT
/* Scales of derivatives along a motion. See law/scale.h. */
#ifndef PW_LAW_SCALE_TANGENT_H
#define PW_LAW_SCALE_TANGENT_H

#include "law/scale.h"

// clang-format off
#define PW_SCALES_TANGENT(SCALE) \
  SCALE(GRAZES, 1e-12, JUDGEMENT, \
        "part of the height of a flight by which it would pass the contact that ends it, below " \
        "which it grazes: the time of the instant then moves a million times as far as the state, " \
        "and roots of the tolerance are all that is known; above it slow impacts lose derivatives " \
        "that they have") \
  SCALE(EIGEN_ROUNDING, 1e-12, ROUNDING, \
        "part of an eigenvalue by which rounding parts a pair or leaves the real axis: some " \
        "thousand operations of the iteration") \
  SCALE(SLIP_GRAZES, 1e-8, JUDGEMENT, \
        "part of the rate that forces could give a slip below which its end is a touch: half of " \
        "the digits of the rate are then rounding") \
  SCALE(SAME_MOVE, 1e-6, JUDGEMENT, \
        "relative difference of the derivatives of two times below which two laws go on to act " \
        "at one instant; above it laws that come apart are taken for one, below it rounding of " \
        "the columns tells apart what a symmetry holds together") \
  SCALE(ORBIT_CLOSES, 1e-9, JUDGEMENT, \
        "distance between start and end of an orbit, in parts of its state, below which Newton's " \
        "method has arrived: it goes on while it gains, and motions of tolerance 1e-12 that " \
        "expand a thousandfold end there; above it near misses count as orbits") \
  SCALE(ORBIT_GAINS, 0.25, JUDGEMENT,                                                              \
        "part to which a step of Newton's method must bring what is left of an orbit that closes, " \
        "for another one to follow: rounding does not fall")                                       \
  SCALE(ORBIT_GROWS, 1e3, JUDGEMENT,                                                               \
        "factor by which it may grow in a step far from an orbit: a first step may be far too "    \
        "long and still lead there")                                                               \
  SCALE(BRANCH_GROWS, 10, JUDGEMENT,                                                               \
        "the same on a branch, where the start is near")                                           \
  SCALE(BRANCH_LONGER, 1.3, JUDGEMENT,                                                             \
        "growth of the step along a branch after a good one")                                      \
  SCALE(ORBIT_PLACED, 1e-11, ROUNDING, \
        "part of a step along a branch to which a bifurcation is placed: the error of the " \
        "multipliers that motions of tolerance 1e-12 leave") \
  SCALE(ORBIT_TOL, 1e-12, JUDGEMENT, \
        "tolerance of the motions of orbits unless it is given: a hundredth of what closes (ORBIT_CLOSES) " \
        "is left for motions that expand; below it rounding of steps makes them expensive") \
  SCALE(COLUMN_LEAST, 1e-13, ROUNDING, \
        "least error of derivatives over a part of a step that is asked for: some hundred roundings") \
  SCALE(COLUMN_SHORTEST, 1e-6, JUDGEMENT, \
        "part of a step of the motion below which derivatives are not followed by shorter steps: " \
        "something is singular there, and the motion itself would have seen it") \
  SCALE(EXPONENT_STEP, 0.025, JUDGEMENT, \
        "longest step of a run whose exponents are followed, in parts of its span: columns are made " \
        "orthogonal at ends of steps, before the fastest one hides the others in rounding") \
  SCALE(ORBIT_AT_ONCE, 1e-11, ROUNDING, \
        "part of the span within which an event of the section belongs to the start: the time that a root " \
        "is moved by the rounding of its state, as ORBIT_PLACED") \
  SCALE(ORBIT_NO_MULTIPLIER, 1e-11, ROUNDING, \
        "part of the derivative of the return map below which a multiplier is 0: the error of its " \
        "entries, as ORBIT_PLACED") \
  SCALE(BRANCH_FIRST, 0.01, JUDGEMENT, \
        "first step along a branch of orbits, in parts of the range: steps grow where Newton's method " \
        "needs few iterations, so it changes the cost only") \
  SCALE(BRANCH_LEAST, 1e-6, JUDGEMENT, \
        "least step along a branch, in parts of the range: where none above it succeeds the branch " \
        "ends; above it branches end at sharp turns") \
  SCALE(BRANCH_MOST, 0.05, JUDGEMENT, \
        "largest step along a branch, in parts of the range: twenty points; above it a pair of " \
        "bifurcations between two points goes unseen") \
  SCALE(PARAMETER_STEP, 1e-3, JUDGEMENT, \
        "part of a parameter by which starts are solved beside it, where it enters them: fourth " \
        "order leaves 1e-12, the rounding of starts over it 1e-12") \
  SCALE(PARAMETER_STEP_ONE_SIDED, 1e-4, JUDGEMENT, \
        "the same on one side of it, where the model has no start on the other: lower order, so " \
        "shorter") \
  SCALE(PARAMETER_STEP_SHORT, 1e-5, JUDGEMENT, \
        "the same where a range of the parameter ends within PARAMETER_STEP") \
  SCALE(JUMP_RANK, 1e-11, ROUNDING, \
        "rank of the equations of a differentiated impact, in parts of the largest pivot: rows " \
        "that depend on each other do so to the rounding of a few hundred operations")

PW_SCALES_TANGENT(PW_SCALE_ACCESSOR)
// clang-format on

#endif
