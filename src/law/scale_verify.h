// SPDX-License-Identifier: MIT
/* Scales of the certificate. See law/scale.h. */
#ifndef PW_LAW_SCALE_VERIFY_H
#define PW_LAW_SCALE_VERIFY_H

#include "law/scale.h"

#define PW_SCALES_VERIFY(SCALE)                                                                    \
  SCALE(CERT_TOL_RUN, 1e-6, JUDGEMENT,                                                             \
        "relative error above which a check of an own run fails; integration at the default "      \
        "tolerance leaves 1e-9 and less, errors that matter are larger")                           \
  SCALE(CERT_TOL_TABLE, 1e-5, JUDGEMENT,                                                           \
        "the same for tables of other programs, whose default tolerances are near 1e-6")           \
  SCALE(CERT_NOISE, 1e-9, JUDGEMENT,                                                               \
        "assumed relative error of samples until a table shows more; smaller than the local "      \
        "errors of usual integrators, larger than rounding")                                       \
  SCALE(CERT_MARGIN, 10, JUDGEMENT,                                                                \
        "a floor is an estimate of an error; the error itself may be this many times larger. "     \
        "Below it windows that agree by chance make findings, above it real errors hide")          \
  SCALE(CERT_NOISE_MARGIN, 100, JUDGEMENT,                                                         \
        "errors of samples pass through differences and pivots; a measure within this "            \
        "multiple of the noise counts as zero")                                                    \
  SCALE(CERT_NOISE_SUM, 1e3, JUDGEMENT,                                                            \
        "the same for quantities that add up over many rows: energies, drifts of constraints, "    \
        "impulses in lists of events")                                                             \
  SCALE(CERT_SEEN, 1e-3, JUDGEMENT,                                                                \
        "an instant counts as seen if an error of this part of the forces would show; the "        \
        "certificate promises to find such errors")                                                \
  SCALE(CERT_BLIND, 3e-2, JUDGEMENT,                                                               \
        "a floor above this part of the forces is no bound: ten times it would be a third of "     \
        "them")                                                                                    \
  SCALE(CERT_ZERO, 1e-9, JUDGEMENT,                                                                \
        "part of the largest distance or speed below which a gap, rate or jump counts as "         \
        "zero; equal to CERT_NOISE for samples without visible errors")                            \
  SCALE(CERT_ZERO_RATE, 10, JUDGEMENT,                                                             \
        "rates are known this much less well than values: they come from differences, or are "     \
        "projected")                                                                               \
  SCALE(CERT_NODE_SIDE, 1e-6, JUDGEMENT,                                                           \
        "part of its terms within which a switching function may be on either side for a law on "  \
        "coordinates without inertia, which lies on it; as CERT_TOL_RUN")                          \
  SCALE(CERT_NODE_RATE, 1e-7, JUDGEMENT,                                                           \
        "misfit of rates without inertia as part of the largest velocity from which on other "     \
        "sides are tried: below what CERT_TOL_RUN lets pass, above the error of polynomials")      \
  SCALE(CERT_FACE, 1e-6, JUDGEMENT,                                                                \
        "part of a piece of stairs by which a state may lie on the wrong side of a face that it "  \
        "touches, and of the jump there below which a gap counts as zero; as CERT_TOL_RUN")        \
  SCALE(CERT_AHEAD, 1e-9, JUDGEMENT,                                                               \
        "part of the time span by which the side of a switching surface is looked up beside "      \
        "an instant; far below any step, far above rounding of the time")                          \
  SCALE(CERT_ACCELERATION, 1e-5, JUDGEMENT,                                                        \
        "part of the forces below which an acceleration counts as zero, or is not known from "     \
        "two samples; fits of five samples reach 1e-7 at the usual step")                          \
  SCALE(CERT_SMALL_PART, 0.1, JUDGEMENT,                                                           \
        "a part of a whole below which it is not responsible for it: the law that is named, "      \
        "impulses of impacts between rows, forces that a mean of two rows misses")                 \
  SCALE(CERT_TELLING, 0.1, JUDGEMENT,                                                              \
        "part of what counts as seen (CERT_SEEN) below which the rows themselves tell enough and " \
        "nothing is looked for between them")                                                      \
  SCALE(CERT_INNER, 0.1, JUDGEMENT,                                                                \
        "part of the tolerance at which a distance from a smaller set also settles the larger "    \
        "ones")                                                                                    \
  SCALE(CERT_FINE, 1e-2, DERIVED,                                                                  \
        "part of the tolerance at which windows need not grow: with CERT_MARGIN it adds a "        \
        "tenth to the tolerance")                                                                  \
  SCALE(                                                                                           \
      CERT_FAINT_JUMP, 1e-4, JUDGEMENT,                                                            \
      "part of the largest momentum: a jump this small whose law no search can decide, as the "    \
      "last bounces of a pile within the rounding of time, is judged by its cone and its energy "  \
      "alone; above it wrong last impacts pass, below it piles that come to rest are undecided")   \
  SCALE(CERT_SMALLEST_JUMP, 1e-3, JUDGEMENT,                                                       \
        "part of tolerance and largest speed that a jump is compared with at least, so that "      \
        "jumps of rounding size are not divided by themselves")                                    \
  SCALE(CERT_STEP, 1e-5, JUDGEMENT,                                                                \
        "part of the momentum of a step by which its own equation may be missed, and of the "      \
        "speed by which rates may; the method ends its rounds at 1e-6 or less")                    \
  SCALE(CERT_SCENE_NEAR, 1e-3, JUDGEMENT,                                                          \
        "part of the smaller shape: closer pairs count as touching at the end of a step, so that " \
        "their positions may have been put back; above it free bodies are not held to their way")  \
  SCALE(CERT_SCENE_WAY, 0.1, JUDGEMENT,                                                            \
        "part of the way of a step by which two shapes may overlap before positions are put back " \
        "although no percussion stops them; a contact that was missed overlaps by half of it")     \
  SCALE(CERT_SCENE_OVERLAP, 1e-5, JUDGEMENT,                                                       \
        "part of the smaller shape by which two shapes may overlap at the end of a step; the "     \
        "method puts positions back to 1e-8")                                                      \
  SCALE(CERT_SCENE_LOCKED, 0.1, JUDGEMENT,                                                         \
        "part of the steps with impacts in which nothing may bounce because friction locks them; " \
        "above it a restitution that is wrong passes, below it wedges of many bodies are refused") \
  SCALE(CERT_STEP_LOCKED, 1e-2, JUDGEMENT,                                                         \
        "the same where friction of several contacts may lock a step: the method accepts "         \
        "percussions that miss their laws by 1e-3 there, and several add up")                      \
  SCALE(CERT_STEP_TURN, 0.75, JUDGEMENT,                                                           \
        "part of the way by which positions are put back that may point elsewhere than the "       \
        "gradients before and behind it, which turn where bodies are small against the step")      \
  SCALE(CERT_TERMS, 64 * DBL_EPSILON, ROUNDING,                                                    \
        "rounding of a sum of some sixty terms: of a place from its coordinates, of an energy "    \
        "from its expression")                                                                     \
  SCALE(CERT_SUM, 1e-13, ROUNDING,                                                                 \
        "rounding of sums of some hundred products: forces that cancel, optimality of a least "    \
        "distance, a gap at an impact")                                                            \
  SCALE(CERT_VALUE, 1e-14, ROUNDING,                                                               \
        "rounding of one projected value: of a speed just set by an impact, of a reaction")        \
  SCALE(CERT_DIGIT, 1e-15, ROUNDING, "a few units in the last place of a double")                  \
  SCALE(CERT_CORNERS, 1e-13, ROUNDING,                                                             \
        "part of the time span within which corners of shapes pass edges at one instant: the "     \
        "rounding of places, at speeds that are not far below those of the motion")                \
  SCALE(CERT_FORCE_SHARE, 1e-2, JUDGEMENT,                                                         \
        "part of the largest force so far by which the scale of forces is raised, so that "        \
        "nothing is divided by a force that vanishes")                                             \
  SCALE(CERT_START_SPAN, 1e-2, JUDGEMENT,                                                          \
        "part of the span in which forces and walls at the start give the first sizes of "         \
        "distances and speeds; rows soon replace them")                                            \
  SCALE(CERT_START_WAY, 1e-3, JUDGEMENT,                                                           \
        "part of the span whose way at the first speed is the first size of distances")            \
  SCALE(CERT_SEGMENT_EDGE, 0.1, JUDGEMENT,                                                         \
        "part of a segment at either end in which it is not looked at: at its ends a dense "       \
        "output has the acceleration of the model by construction")                                \
  SCALE(CERT_WIDE, 1.5, JUDGEMENT,                                                                 \
        "a fit used wider spacing than the rows have if its unit exceeds this multiple of "        \
        "theirs")                                                                                  \
  SCALE(CERT_STEP_PLACE, 1e-4, JUDGEMENT,                                                          \
        "part of the largest distance that positions may differ from the way of the "              \
        "velocities between two rows; only coarse breaks are judged so")                           \
  SCALE(CERT_TWIN_ROWS, 1e-4, JUDGEMENT,                                                           \
        "part of the usual spacing below which two rows with equal velocities are one; "           \
        "programs write the row of an event beside one of their grid")                             \
  SCALE(CERT_THIN, 1e5, DERIVED,                                                                   \
        "rows are dropped while noise / (rate dt n)^2 of the widest window exceeds 1 / "           \
        "CERT_THIN of the forces")                                                                 \
  SCALE(CERT_UNEVEN, 0.1, JUDGEMENT,                                                               \
        "of three rows in a balance by positions, the shorter interval is at least this part "     \
        "of the longer")                                                                           \
  SCALE(CERT_QUICK, 1e-5, JUDGEMENT,                                                               \
        "part of the span within which PW_SERIES impacts count as one series that ends")           \
  SCALE(CERT_QUICK_NOISE, 1e4, JUDGEMENT,                                                          \
        "the same in multiples of the noise, and of gaps at the events of a list")                 \
  SCALE(CERT_SLOW, 1e-3, JUDGEMENT,                                                                \
        "part of the largest speed below which a speed is slow: the last bounce of a series, "     \
        "a slip whose friction counts as unknown, a contact whose law is compared")                \
  SCALE(CERT_EXACT, 1e-12, JUDGEMENT,                                                              \
        "part of the size of the motion below which a gap is closed now and not a moment "         \
        "later; localised events reach 1e-13")                                                     \
  SCALE(CERT_DUAL, 1e-12, ROUNDING,                                                                \
        "relative size below which a least distance has no impulse that reaches it, or a "         \
        "further edge of a cone gains nothing")                                                    \
  SCALE(CERT_RANK, 1e-11, JUDGEMENT,                                                               \
        "relative pivot below which columns of forces depend on each other; rounding makes "       \
        "1e-14, parallel contacts of real models differ by 1e-8 and more")                         \
  SCALE(CERT_RANK_ROWS, 1e-10, JUDGEMENT,                                                          \
        "the same for equalities at neighbouring rows, whose positions are samples")               \
  SCALE(CERT_COUPLED, 1e-9, JUDGEMENT,                                                             \
        "cosine of two rows below which an impulse of one leaves the rate of the other")           \
  SCALE(CERT_SAME_RESULT, 1e-7, JUDGEMENT,                                                         \
        "part of the speed to which results of a search of modes are found; sectors of "           \
        "CERT_NARROW_ALL leave 1e-8")                                                              \
  SCALE(CERT_NARROW, 1e-5, JUDGEMENT,                                                              \
        "sectors of slip directions are not halved below this angle: a rest along the "            \
        "difference of their edges shows only times the angle")                                    \
  SCALE(CERT_NARROW_ALL, 1e-4, JUDGEMENT,                                                          \
        "the same where all motions are listed; secant steps sharpen the direction afterwards")    \
  SCALE(CERT_SECANT_FLAT, 1e-6, JUDGEMENT,                                                         \
        "slope below which a secant step for a slip direction is replaced by a fixed-point "       \
        "step")                                                                                    \
  SCALE(CERT_HEADING, 1e-9, JUDGEMENT, "last step of such a direction that counts as converged")   \
  SCALE(CERT_EVENT_ZERO, 1e-6, JUDGEMENT,                                                          \
        "part of the motion that the measure of a law may have at its event in a list; event "     \
        "times of such lists are rounded")                                                         \
  SCALE(CERT_EVENT_SAME, 1e-9, JUDGEMENT,                                                          \
        "part of the largest size of a column to which states in a list equal those of the "       \
        "rows; files have 12 digits or more")                                                      \
  SCALE(CERT_SLIP_STILL, 1e-6, JUDGEMENT,                                                          \
        "part of a rate that moving surfaces may add to a slip whose friction then only takes "    \
        "energy")                                                                                  \
  SCALE(CERT_UNMOVED, 1e-8, ROUNDING,                                                              \
        "part of the distance from the origin that gaps are compared with where nothing "          \
        "moves; rounding of a place is 1e-16 of it")                                               \
  SCALE(CERT_RESTS, 1e-12, ROUNDING,                                                               \
        "part of the place below which all motion is rounding that the steps have made larger: "   \
        "forces in balance leave a hundred roundings of the place in long steps")                  \
  SCALE(CERT_QUARTILES, 8, JUDGEMENT,                                                              \
        "errors of samples are at most this many lower quartiles of the misses; of normal "        \
        "errors one in 1e7 is larger")                                                             \
  SCALE(CERT_LARGEST_ERROR, 0.1, JUDGEMENT,                                                        \
        "part of the motion above which a miss is no measuring error")                             \
  SCALE(CERT_ROUNDED, 1e-2, JUDGEMENT,                                                             \
        "part of the last digit that misses must reach to call a column rounded")                  \
  SCALE(CERT_TOGETHER, 1.5, JUDGEMENT,                                                             \
        "errors of velocities by positions and velocities together, in units of the misses "       \
        "per time")                                                                                \
  SCALE(CERT_MISS, 3, JUDGEMENT,                                                                   \
        "standard errors that are left to a miss, or to a difference of two fits")                 \
  SCALE(CERT_MISS_PLACE, 1e-10, JUDGEMENT, "part of the motion that rows may always miss")         \
  SCALE(CERT_STRANGE, 30, JUDGEMENT,                                                               \
        "a row is out of line if it misses by this multiple of the usual derivative; below it "    \
        "fast smooth motions are cut, above it impacts are overlooked")                            \
  SCALE(CERT_JUMP_ERRORS, 20, JUDGEMENT,                                                           \
        "errors of samples that count as doubt about the velocities of both sides of a jump")      \
  SCALE(CERT_JUMP_DOUBTS, 8, JUDGEMENT,                                                            \
        "a jump between rows exceeds this multiple of the doubt about its sides")                  \
  SCALE(CERT_JUMP_BENDS, 3, JUDGEMENT, "and this multiple of the change by the forces beside it")  \
  SCALE(CERT_JUMP_CLEAR, 100, JUDGEMENT,                                                           \
        "a jump this many times larger is one even if no law is near")                             \
  SCALE(CERT_NEAR_ROWS, 0.3, JUDGEMENT,                                                            \
        "part of the mean spacing below which rows are not used beside each other in a fit")       \
  SCALE(CERT_WINDOW, 0.95, JUDGEMENT,                                                              \
        "rows of a window are at least this part of its spacing apart, so that even rows are "     \
        "found despite rounding of the times")                                                     \
  SCALE(CERT_COARSE, 16, DERIVED,                                                                  \
        "ratio of differences of windows of doubled width if the step limits a fit of order "      \
        "four")                                                                                    \
  SCALE(CERT_SAME_NODES, 0.1, JUDGEMENT,                                                           \
        "part of the noise that moved nodes of a window may add; else its weights are "            \
        "computed anew")                                                                           \
  SCALE(CERT_DIRECTION, 100, JUDGEMENT,                                                            \
        "a slip must exceed the zero of velocities this many times for its direction to be "       \
        "known")                                                                                   \
  SCALE(CERT_EVEN, 1e-3, JUDGEMENT,                                                                \
        "part of the first spacing by which rows at even times may differ")                        \
  SCALE(CERT_NEARLY_ALL, 0.8, JUDGEMENT,                                                           \
        "part of the numbers of a column that end at one place if the column is rounded; one "     \
        "in ten ends in 0")                                                                        \
  SCALE(CERT_FEW_STEPS, 4, JUDGEMENT,                                                              \
        "integration steps per row below which rows show the whole motion")                        \
  SCALE(CERT_RESOLVE_TIME, 1e-3, JUDGEMENT,                                                        \
        "part of the spacing over which the rate of the acceleration is taken")                    \
  SCALE(CERT_RESOLVE_WAY, 1e-5, JUDGEMENT,                                                         \
        "the same as a part of the distance; differences of forces keep half of their digits")     \
  SCALE(CERT_STIFF, 1, DERIVED,                                                                    \
        "what a change of velocity makes of itself through forces between two rows, as a part of " \
        "it; from 1 on it may come and go between them, and rows do not show the impulse")         \
  SCALE(CERT_HOLD_LATE, 100, JUDGEMENT,                                                            \
        "rows by which errors of velocities may move the end of sticking at most")                 \
  SCALE(CERT_VARY_STEP, 1e-4, DERIVED,                                                             \
        "size of variations: the error of a central difference is its square, rounding its "       \
        "inverse times 1e-16")                                                                     \
  SCALE(CERT_VARY_FINE_STEP, 1e-5, DERIVED,                                                        \
        "the same where curves are those of the integration: rounding may be ten times larger, "   \
        "and the error, its fourth power, is small also for kinetic energies with poles")          \
  SCALE(CERT_VARY_ROUNDING, 1e-9, JUDGEMENT,                                                       \
        "part of the largest value of a gap that a varied curve may cross")                        \
  SCALE(CERT_VARY_CLOSE, 1e-4, JUDGEMENT,                                                          \
        "part of the longest interval below which rows of a varied curve are joined")              \
  SCALE(CERT_VARY_HEIGHT, 1e-3, JUDGEMENT,                                                         \
        "part of the largest range that every coordinate is varied by at least")                   \
  SCALE(CERT_LOADS, 1e-12, JUDGEMENT,                                                              \
        "part of the forces that bound frictions by which they may differ from those that the "    \
        "motion needs; far below the tolerance")                                                   \
  SCALE(CERT_SYMMETRY, 1e-9, JUDGEMENT,                                                            \
        "part of the largest pivot below which conditions for a symmetry depend on each other; "   \
        "they are exact up to rounding, and models with parameters this near to a symmetry "       \
        "have it")                                                                                 \
  SCALE(CERT_VARY_NOISE, 64 * DBL_EPSILON, ROUNDING,                                               \
        "rounding of an action, a sum over many nodes, as a part of the integral of |L|")          \
  SCALE(CERT_VARY_CURVE, 1e-5, JUDGEMENT,                                                          \
        "relative error of curves that are solved for along a motion, by the trapezoidal rule "    \
        "on four thousand rows or more; a sign that is wrong shows a thousand times larger")       \
  SCALE(CERT_VARY_NEAR, 1e-7, JUDGEMENT,                                                           \
        "part of the largest speed below which a gap or rate along a stored motion counts as "     \
        "closed; steps keep constraints to 1e-9 and better, and a contact that is this near "      \
        "allows no displacement that would show")                                                  \
  SCALE(CERT_CHOICES, 4000, JUDGEMENT,                                                             \
        "choices of modes that the search for the impulses of one impact may try: their number "   \
        "doubles with each contact; an impact that needs more is not decided")                     \
  SCALE(CERT_CHOICES_BRIEF, 16, JUDGEMENT,                                                         \
        "the same after CERT_PATIENCE such impacts: enough for two contacts, and long tables end") \
  SCALE(CERT_PATIENCE, 3, JUDGEMENT,                                                               \
        "searches without an answer that a certificate affords: it is not whole after the first, " \
        "and the others only add instants to the list")                                            \
  SCALE(CERT_HUGE, 1e100, DERIVED, "numbers in tables beyond this have squares that overflow")

PW_SCALES_VERIFY(PW_SCALE_ACCESSOR)

#endif
