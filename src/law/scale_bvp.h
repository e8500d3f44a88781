// SPDX-License-Identifier: MIT
/* Scales of boundary value problems. See law/scale.h.
 *
 * Residuals of trials are in parts of the problem's lengths, speeds in parts of its reach, times in
 * parts of the span. */
#ifndef PW_LAW_SCALE_BVP_H
#define PW_LAW_SCALE_BVP_H

#include "law/scale.h"

/* Accuracy of trials and solutions. */
#define PW_SCALES_BVP_ERROR(SCALE)                                                                 \
  SCALE(                                                                                           \
      BVP_COARSE, 1e-8, JUDGEMENT,                                                                 \
      "tolerance of the trials of a search; above it roots of neighbouring motions merge, below "  \
      "it every trial costs more and Newton's method repeats it anyway")                           \
  SCALE(                                                                                           \
      BVP_FINE, 1e-12, ROUNDING,                                                                   \
      "tolerance of solutions: some thousand rounding units, the least that steps of order eight " \
      "keep over a motion; noise of the rows that the certificate is given")                       \
  SCALE(BVP_ARRIVED, 1e-9, JUDGEMENT,                                                              \
        "largest residual of a solution: a thousand times the error of a fine trial, which fast "  \
        "motions magnify; above it near misses count as solutions")                                \
  SCALE(BVP_LISTED, 1e-8, DERIVED,                                                                 \
        "ten times BVP_ARRIVED: residual of a motion whose end is so steep a function of its "     \
        "start that neighbouring doubles lead no nearer")                                          \
  SCALE(BVP_EXACT, 1e-10, DERIVED,                                                                 \
        "a tenth of BVP_ARRIVED: residual of a motion whose start is known exactly, as rest is")   \
  SCALE(                                                                                           \
      BVP_ARRIVED_COARSE, 1e-5, DERIVED,                                                           \
      "a thousand times BVP_COARSE, as BVP_ARRIVED is of BVP_FINE: coarse trials lead to a root")  \
  SCALE(BVP_MAY_VANISH, 1e-6, DERIVED,                                                             \
        "a hundred times BVP_COARSE: residual of a coarse trial that a fine one may find zero")    \
  SCALE(BVP_FAR_OFF, 1e-3, JUDGEMENT,                                                              \
        "residual that is no error of a trial: the other components do not vanish at this root, "  \
        "or there is a jump where a bisection ends")                                               \
  SCALE(BVP_LASTS, 1e-6, JUDGEMENT,                                                                \
        "part of the first span above which a motion with a free time has a length: a start that " \
        "is the end is reached in no time with any velocity; above it short motions are dropped")  \
  SCALE(BVP_NO_TIME, 1e-9, JUDGEMENT,                                                              \
        "part of the span that counts as none: impacts this near to the end lie on it; above it "  \
        "real last impacts are dropped, below it rounding of their time counts as an impact")      \
  SCALE(                                                                                           \
      BVP_LANDING_TIME, 1e-3, DERIVED,                                                             \
      "third root of BVP_ARRIVED: near a landing the gap is the cube of the time, so its instant " \
      "is known to this part of the span and shorter flights do not land")                         \
  SCALE(                                                                                           \
      BVP_STILL_LANDING, 1e-7, JUDGEMENT,                                                          \
      "part of the largest speed that counts as none at a contact of a motion that lands "         \
      "without impact; its start is known to rounding, its speed there to the power 2/3 of that")

/* When quantities count as equal, dependent or zero. */
#define PW_SCALES_BVP_SAME(SCALE)                                                                  \
  SCALE(BVP_END_ON, 1e-8, JUDGEMENT,                                                               \
        "value of a law at the end, in parts of its terms, that counts as zero: ends are "         \
        "written with some ten digits")                                                            \
  SCALE(BVP_START_ON, 1e-9, JUDGEMENT,                                                             \
        "value of a contact at the start that counts as touching, as the start solver leaves it")  \
  SCALE(BVP_SAME_SPEED, 1e-6, JUDGEMENT,                                                           \
        "speeds of two solutions of a list that are one; multiple roots are known to the square "  \
        "root of the error of a trial")                                                            \
  SCALE(BVP_SAME_COARSE, 1e-4, DERIVED,                                                            \
        "square root of BVP_COARSE: a coarse root is one that is known already")                   \
  SCALE(BVP_NEAR_ROOT, 1e-5, JUDGEMENT,                                                            \
        "speeds of roots so near that the residual between them tells whether they are two")       \
  SCALE(BVP_SAME_ROOT, 1e-8, JUDGEMENT,                                                            \
        "speeds of roots of a sweep that are one without a look between them; a speed this small " \
        "may be rest")                                                                             \
  SCALE(BVP_BRACKET, 1e-9, JUDGEMENT,                                                              \
        "width at which a bracket of a root is left to Newton's method")                           \
  SCALE(BVP_MINIMUM, 1e-7, JUDGEMENT,                                                              \
        "width at which the bracket of a minimum is left: below it errors of trials decide")       \
  SCALE(BVP_NO_SPEED, 1e-10, JUDGEMENT,                                                            \
        "component of a start that is rounding: it is set to zero if the motion then arrives too") \
  SCALE(BVP_SLOW, 1e-2, JUDGEMENT,                                                                 \
        "part of the problem's speed that slow solutions are compared by, so that rounding of "    \
        "zero speeds makes no two solutions")                                                      \
  SCALE(BVP_NO_TURN, 1e-9, JUDGEMENT,                                                              \
        "angle between start and end orientation without an axis of its own")                      \
  SCALE(                                                                                           \
      BVP_DIRECTION, 1e-8, JUDGEMENT,                                                              \
      "part of a projected velocity that is no new direction; errors of projections are smaller")  \
  SCALE(BVP_ROWS, 1e-9, JUDGEMENT,                                                                 \
        "part of a gradient that is independent of the others, at an end or an impact")            \
  SCALE(BVP_BASIS, 1e-12, ROUNDING,                                                                \
        "columns of an orthonormal basis are never dependent; this only excludes division by 0")

/* Sweeps over one free direction. */
#define PW_SCALES_BVP_SWEEP(SCALE)                                                                \
  SCALE(BVP_BEND, 0.05, JUDGEMENT,                                                                \
        "deviation from a line, in parts of the change, that is subdivided: above it pairs of "   \
        "roots are missed, below it smooth stretches cost twice the trials")                      \
  SCALE(BVP_AWAY, 4, JUDGEMENT,                                                                   \
        "residuals of one sign whose least is this many times their range hide no pair of roots " \
        "between them: a parabola leaves the range of three samples by an eighth of it at most")  \
  SCALE(BVP_STEEP, 0.02, JUDGEMENT,                                                               \
        "change between neighbours at the last subdivision that is as steep as a jump")           \
  SCALE(BVP_HIDDEN, 1e-7, DERIVED,                                                                \
        "ten times BVP_COARSE: below it errors of trials hide whether two roots are there")       \
  SCALE(BVP_MULTIPLE, 0.05, JUDGEMENT,                                                            \
        "slope, in parts of what the higher derivatives add over a step, that is no slope: "      \
        "several roots meet here")                                                                \
  SCALE(BVP_SLOPE_FIRST, 0.01, DERIVED,                                                           \
        "first step of differences of order six: the sixth root of BVP_FINE")                     \
  SCALE(BVP_SLOPE_SECOND, 0.004, JUDGEMENT, "second step of them, nearer to the multiple root")   \
  SCALE(BVP_FLAT, 2e-3, JUDGEMENT,                                                                \
        "width of speeds which all lead to the end: a family; narrower is a multiple root")       \
  SCALE(BVP_LINE, 1e-4, JUDGEMENT,                                                                \
        "deviation from a line over doublings of the speed that is still a line")

/* Newton's method on trials, and the search in two directions. */
#define PW_SCALES_BVP_NEWTON(SCALE)                                                                \
  SCALE(BVP_STEP_COARSE, 1e-5, JUDGEMENT,                                                          \
        "step of differences of coarse trials, between the square root of their error and the "    \
        "curvature of the end")                                                                    \
  SCALE(BVP_STEP_FINE, 1e-6, DERIVED,                                                              \
        "step of differences of fine trials and of joints: the square root of BVP_FINE")           \
  SCALE(BVP_SINGULAR, 1e-10, JUDGEMENT,                                                            \
        "part of the derivatives that is no direction for a step of Newton's method")              \
  SCALE(BVP_DAMPED, 1e-3, JUDGEMENT,                                                               \
        "least part of a step that is tried, ten halvings: a root that asks for less lies behind " \
        "an "                                                                                      \
        "impact that comes or goes")                                                               \
  SCALE(BVP_UNDAMPED, 0.6, JUDGEMENT,                                                              \
        "above a half: only the whole step is tried where derivatives are old or errors are near") \
  SCALE(BVP_AIM, 0.1, JUDGEMENT,                                                                   \
        "a step from this near to a known root that ends a tenth as far from it will go there")    \
  SCALE(BVP_PROGRESS, 0.1, JUDGEMENT,                                                              \
        "by which the residual falls in some iterations, or the search ends")                      \
  SCALE(BVP_NO_SLOPE, 1e-4, JUDGEMENT,                                                             \
        "change of the end over the reach that is an error of the motions")                        \
  SCALE(BVP_FAMILY, 1e-6, DERIVED,                                                                 \
        "error of one-sided differences, BVP_STEP_FINE: smaller derivatives are none, so that "    \
        "neighbours are solutions too")                                                            \
  SCALE(BVP_NEIGHBOUR, 0.03, JUDGEMENT,                                                            \
        "step along a family from which Newton's method must not come back")                       \
  SCALE(BVP_NEIGHBOUR_NEAR, 0.003, JUDGEMENT, "the same for families that end near by")            \
  SCALE(BVP_CELL_BEND, 0.3, JUDGEMENT,                                                             \
        "deviation of the image of a cell from a parallelogram that is divided")                   \
  SCALE(BVP_CELL_OUTSIDE, 0.05, JUDGEMENT,                                                         \
        "part of a triangle by which the end may be beside its image, which is not quite linear")

/* The direct method. */
#define PW_SCALES_BVP_DIRECT(SCALE)                                                                \
  SCALE(BVP_AGREEMENT, 1e-6, JUDGEMENT,                                                            \
        "difference of the trial and the direct solution, in parts of its speeds and the span, "   \
        "up to which they agree: larger than the errors of both, far below that of a wrong root")  \
  SCALE(BVP_DIRECT_STAYS, 1e-12, ROUNDING,                                                         \
        "change of the solution by halved elements that is rounding, some thousand units")         \
  SCALE(BVP_DIRECT_SMALL, 1e-7, JUDGEMENT,                                                         \
        "change by halved elements from which on a slow decrease is rounding, too")                \
  SCALE(BVP_DIRECT_GAIN, 0.25, JUDGEMENT,                                                          \
        "a decrease by halved elements that is slow: an order of 2 where 12 is expected")          \
  SCALE(BVP_CONTRACTS, 0.5, JUDGEMENT,                                                             \
        "decrease of the steps of Newton's method by which it converges")                          \
  SCALE(BVP_WHOLE_DONE, 1e-14, ROUNDING, "step of all states that is rounding, some ten units")    \
  SCALE(BVP_WHOLE_STEP, 1e-9, JUDGEMENT,                                                           \
        "last step of a solved motion where rounding keeps it from BVP_WHOLE_DONE")                \
  SCALE(BVP_WHOLE_GAP, 1e-8, JUDGEMENT, "residual before the last step of a solved motion")        \
  SCALE(                                                                                           \
      BVP_WHOLE_SINGULAR, 1e-7, DERIVED,                                                           \
      "error of the derivatives along a motion, BVP_ELEMENT_STEP: directions in which solutions "  \
      "meet are left alone")                                                                       \
  SCALE(BVP_JUMP, 1e-7, JUDGEMENT,                                                                 \
        "difference of the jump of the simulation from that of the joint, in parts of the speeds") \
  SCALE(BVP_ELEMENT_STEP, 1e-7, DERIVED,                                                           \
        "step of one-sided differences of rates, some square roots of rounding")                   \
  SCALE(BVP_ELEMENT_DONE, 1e-15, ROUNDING, "residual of an element that is rounding, some units")  \
  SCALE(BVP_ELEMENT_SOLVED, 1e-9, JUDGEMENT,                                                       \
        "residual of an element that counts as solved where rounding keeps it from less")          \
  SCALE(BVP_DIRECT_WORK, 4e9, JUDGEMENT,                                                           \
        "elements times (points times states)^3, operations of some seconds: larger is refused")

#define PW_SCALES_BVP(SCALE)  \
  PW_SCALES_BVP_ERROR(SCALE)  \
  PW_SCALES_BVP_SAME(SCALE)   \
  PW_SCALES_BVP_SWEEP(SCALE)  \
  PW_SCALES_BVP_NEWTON(SCALE) \
  PW_SCALES_BVP_DIRECT(SCALE)

PW_SCALES_BVP(PW_SCALE_ACCESSOR)

#endif
