// SPDX-License-Identifier: MIT
/* Scales of shapes that touch, and of the steps of heaps. See law/scale.h. */
#ifndef PW_LAW_SCALE_SCENE_H
#define PW_LAW_SCALE_SCENE_H

#include "law/scale.h"

// clang-format off
#define PW_SCALES_SCENE(SCALE) \
  SCALE(FLAT_SHAPE, 1e-9, JUDGEMENT, \
        "part of its size by which corners are one, on one line or in one plane; below it faces " \
        "of a hull fall into pieces by the rounding of its corners") \
  SCALE(SAME_LINE, 1e-12, ROUNDING, \
        "square of the sine of two directions that are parallel: that of the root of the rounding " \
        "unit, where their common normal is rounding") \
  SCALE(PARALLEL_EDGES, 1e-6, JUDGEMENT, \
        "sine of two edges that cross nowhere; a face has the same normal then, to the square of " \
        "this") \
  SCALE(SAME_CORNER, 1e-9, JUDGEMENT, \
        "part of the size by which a corner is over the rim of a face, so that blocks which are " \
        "aligned have each corner once") \
  SCALE(SAME_SIDE, 1e-7, JUDGEMENT, \
        "part of the size by which two separations are alike, and the first shape's face, then " \
        "any face, has the normal; below it rounding makes normals jump, above it contacts are " \
        "late by a visible gap") \
  SCALE(FACE_TIE, 1e-13, ROUNDING, \
        "part of the size or place of a shape by which a corner lies on the edge of two faces: " \
        "above the rounding of places, below all that motions show") \
  SCALE(HEAP_TOUCH, 1e-8, JUDGEMENT, \
        "part of the size of a shape that overlaps may keep at the end of a step; a hundred times " \
        "below what is promised") \
  SCALE(HEAP_KEPT, 1e-5, JUDGEMENT, \
        "part of the size of a shape by which a closed contact may be open and is still asked " \
        "whether it presses; above it contacts that have opened cost time") \
  SCALE(HEAP_RISES, 2.5e-6, JUDGEMENT, \
        "part of the size of a shape by which a contact with a load may rise before it is put back; " \
        "a quarter of HEAP_KEPT, so that it is put back before it counts as open") \
  SCALE(HEAP_RISEN, 1e-4, JUDGEMENT, \
        "part of the size of a shape beyond which a closed contact has opened and is not put back: " \
        "more than a step with a turn of 0.01 lifts a corner") \
  SCALE(HEAP_PUT_BACK, 1e-4, JUDGEMENT, \
        "residual of the motion that puts positions back, in parts of the largest overlap: it is " \
        "repeated until HEAP_TOUCH is left") \
  SCALE(HEAP_NEAR, 1e-3, JUDGEMENT, \
        "part of the size of a shape within which others are pushed along where positions are put " \
        "back; below it they are met in the next try, above it far ones cost time") \
  SCALE(HEAP_OVERLAP, 1e-7, JUDGEMENT, \
        "part of the size by which shapes may overlap at the start: rounding of starts that are " \
        "stated with few digits") \
  SCALE(HEAP_SOLVED, 1e-9, JUDGEMENT, \
        "residual of the percussions of a step, in parts of the speeds, at which they are solved") \
  SCALE(HEAP_SOUGHT, 1e-6, JUDGEMENT, \
        "the same that is sought with patience where the solver stalls: a tenth of HEAP_FAIR, since " \
        "the certificate measures speeds in other units") \
  SCALE(HEAP_FAIR, 1e-5, JUDGEMENT, \
        "the same where the solver stalls, above which a warning names the contact") \
  SCALE(HEAP_LOOSEST, 1e-2, JUDGEMENT, \
        "the same above which the step fails") \
  SCALE(HEAP_STILL, 1e-7, JUDGEMENT, \
        "part of the speed that its load gives a body in one step, below which it is at rest and " \
        "its velocity becomes zero; percussions solved to HEAP_SOLVED leave up to a half of this " \
        "where contacts are redundant (boxes on four corners)") \
  SCALE(TURNS_STORM, 10, JUDGEMENT, \
        "steps of a pile in which two dozen impacts of several contacts are too many to follow one by " \
        "one: more than two for each step; far below it events are kept where steps are cheaper, far " \
        "above it a few bounces end the exact motion") \
  SCALE(TURNS_QUIET, 20, JUDGEMENT, \
        "steps without a contact that closes or opens after which events are tried again: fewer are " \
        "the pause between two bounces, more are steps where events would be exact") \
  SCALE(TURNS_TOUCH, 1e-6, JUDGEMENT, \
        "part of the size of a shape by which a closed contact of a pile may be off where events take " \
        "over and put it right: a tenth of HEAP_KEPT; steps leave HEAP_TOUCH, and round shapes that " \
        "roll rise a little") \
  SCALE(TURNS_JUMP, 1e-6, JUDGEMENT, \
        "part of the largest speed by which velocities may change where events take over from steps: " \
        "a tenth of the change that the certificate of a step notices")
// clang-format on

PW_SCALES_SCENE(PW_SCALE_ACCESSOR)

#endif
