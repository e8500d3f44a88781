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
  SCALE(ORBIT_PLACED, 1e-11, ROUNDING, \
        "part of a step along a branch to which a bifurcation is placed: the error of the " \
        "multipliers that motions of tolerance 1e-12 leave") \
  SCALE(JUMP_RANK, 1e-11, ROUNDING, \
        "rank of the equations of a differentiated impact, in parts of the largest pivot: rows " \
        "that depend on each other do so to the rounding of a few hundred operations")

PW_SCALES_TANGENT(PW_SCALE_ACCESSOR)
// clang-format on

#endif
