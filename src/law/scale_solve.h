// SPDX-License-Identifier: MIT
/* Scales of the solvers of set-valued problems. See law/scale.h. */
#ifndef PW_LAW_SCALE_SOLVE_H
#define PW_LAW_SCALE_SOLVE_H

#include "law/scale.h"

#define PW_SCALES_SOLVE(SCALE)                                                                     \
  /* residuals, relative to the size of the problem */                                             \
  SCALE(LCP_SOLVED, 1e-10, JUDGEMENT,                                                              \
        "largest residual of a solution of a complementarity problem: far above the "              \
        "rounding of problems with a hundred rows, far below forces that matter")                  \
  SCALE(ITERATED, 1e-11, JUDGEMENT,                                                                \
        "residual at which iterations end by default; a tenth of LCP_SOLVED, so that "             \
        "what they find is accepted")                                                              \
  SCALE(EXACT_CONTINUED, 1e-13, JUDGEMENT,                                                         \
        "residual of the solution of one contact that is continued from the one before; "          \
        "a worse one is computed anew")                                                            \
  SCALE(LCP_POLISH, 1e-3, JUDGEMENT,                                                               \
        "part of the wanted residual above which a solution of Lemke's method is "                 \
        "polished")                                                                                \
  SCALE(LCP_REFINED, 8 * DBL_EPSILON, ROUNDING,                                                    \
        "residual below which refinement finds nothing more")                                      \
  SCALE(BOX_ACCEPTED, 1e-8, JUDGEMENT,                                                             \
        "part of the size of a problem that rounding and rows accepted as dependent may "          \
        "explain of its residual, and no more")                                                    \
  /* steps and pivots */                                                                           \
  SCALE(STEP_NOISE, 1e-14, ROUNDING,                                                               \
        "part of the largest change below which the change of an unknown in a step is "            \
        "rounding")                                                                                \
  SCALE(NULL_NOISE, 1e-11, JUDGEMENT,                                                              \
        "the same along a null vector of dependent rows, which has the error of "                  \
        "RANK_ROWS")                                                                               \
  SCALE(LEAST_NOISE, 1e-12, ROUNDING,                                                              \
        "part of the largest force by which the least forces may pass a bound")                    \
  SCALE(GUESS_ROWS, 1e-6, JUDGEMENT,                                                               \
        "rows are guessed to take part only if they leave this of their length: a bad "            \
        "guess costs iterations")                                                                  \
  SCALE(PIVOT_LCP, 1e-11, JUDGEMENT,                                                               \
        "part of the largest entry of a column that a pivot of Lemke's method has at "             \
        "least")                                                                                   \
  SCALE(TIE_LCP, 1e-11, JUDGEMENT,                                                                 \
        "relative difference of ratios that tie; perturbation decides among them")                 \
  SCALE(TIE_ROUNDING, 1e-15, ROUNDING, "the same against the largest ratio")                       \
  SCALE(END_LCP, 100.0, ROUNDING,                                                                  \
        "rounding units of the tableau below which the artificial variable is zero and "           \
        "the path may end")                                                                        \
  SCALE(PIVOT_TABLE, 1e-9, JUDGEMENT,                                                              \
        "entries of the tableau of a polytope that move something; as RANK_ROWS, which "           \
        "built it")                                                                                \
  SCALE(TABLE_ZERO, 1e-13, ROUNDING, "entries of that tableau that are zero but for rounding")     \
  SCALE(PIVOT_TREE, 1e-6, JUDGEMENT,                                                               \
        "pivots of the enumeration of all solutions: it divides by them once per level "           \
        "and may choose others")                                                                   \
  SCALE(TREE_SLACK, 1e-6, JUDGEMENT,                                                               \
        "part of the size of the problem by which a branch may miss its bounds before "            \
        "it is cut; leaves decide exactly")                                                        \
  SCALE(TREE_SLACK_OWN, 1e-9, JUDGEMENT, "the same of the value of the row itself")                \
  SCALE(MODE_REACH, 1e6, JUDGEMENT,                                                                \
        "largest force, in units of the rates of the problem, for which a proof that no "          \
        "mode has a solution holds: smaller, and solutions of badly placed contacts are "          \
        "not seen; larger, and rounding spoils the proofs")                                        \
  SCALE(REDUCED_ZERO, 1e-13, ROUNDING,                                                             \
        "entries of a reduced problem that are zero but for the rounding of their "                \
        "terms: a row that depends on the unbounded ones")                                         \
  SCALE(ACTIVE_ZERO, 1e-8, JUDGEMENT,                                                              \
        "slack of a row, against the largest constant, that is zero where a solution is "          \
        "polished; a wrong guess makes no better residual and is dropped")                         \
  SCALE(INVERSE_PIVOT, 1e-14, ROUNDING,                                                            \
        "pivot of a 3 x 3 block as part of its largest entry; below it the block is "              \
        "singular")                                                                                \
  SCALE(STICK_PIVOT, 1e-13, ROUNDING, "the same for the scaled matrix of one contact that sticks") \
  /* one and the same, or two */                                                                   \
  SCALE(SAME_CONTACT, 1e-8, JUDGEMENT,                                                             \
        "relative distance of two solutions of one contact that are one: the root of "             \
        "rounding, as double roots are found")                                                     \
  SCALE(SAME_BRANCH, 1e3, JUDGEMENT,                                                               \
        "multiple of the tolerance of leaves within which two solutions are one")                  \
  SCALE(LEAF_BORDER, 1e4, JUDGEMENT,                                                               \
        "multiple of that tolerance up to which an excess of the bounds is undecided")             \
  SCALE(LEAF_MISS, 1e-9, JUDGEMENT,                                                                \
        "part of the forces that equations of a singular pattern may miss and still "              \
        "have solutions; as RANK_ROWS")                                                            \
  SCALE(STICKS_INSIDE, 1e-9, JUDGEMENT,                                                            \
        "part of the cone that a force is inside by where a contact is tried to go on "            \
        "sticking")                                                                                \
  SCALE(NO_FORCE, 1e-6, JUDGEMENT,                                                                 \
        "part of the unit below which forces and slips have no direction whose angle "             \
        "could be checked")                                                                        \
  /* roots on a circle */                                                                          \
  SCALE(ROOT_SETTLED, 4e-16, ROUNDING, "step of Newton's method, in radians, that is rounding")    \
  SCALE(ROOT_ZERO, 1e-17, ROUNDING,                                                                \
        "value against the sum of the coefficients that is exactly zero")                          \
  SCALE(ROOT_ENOUGH, 1e-14, ROUNDING,                                                              \
        "steps that do not fall below this any more are rounding of a flat root")                  \
  SCALE(ROOT_WIDTH, 1e-15, ROUNDING, "width of a bracket that holds one number")                   \
  SCALE(ROOT_DOUBLE, 1e-7, DERIVED,                                                                \
        "width of an arc with more than one root that counts as one double root: the "             \
        "root of rounding")                                                                        \
  SCALE(ROOT_OVERLAP, 1e-6, JUDGEMENT,                                                             \
        "overlap of neighbouring arcs, so that no root between them is lost; a root "              \
        "found twice is one solution")                                                             \
  /* Newton's method for friction */                                                               \
  SCALE(PROX_DESCENT, 2e-4, JUDGEMENT,                                                             \
        "part of the predicted decrease of the merit that a step has to make (Armijo's "           \
        "rule)")                                                                                   \
  SCALE(PROX_SHIFT, 1.5e-8, ROUNDING,                                                              \
        "first addition to the diagonal of a singular matrix of Newton's method, in parts of it: " \
        "the root of the rounding unit disturbs the step as little as rounding does")              \
  SCALE(PROX_SHIFT_GROWS, 30, JUDGEMENT, "factor from one addition to the next")                   \
  SCALE(PROX_FALLS, 0.2, JUDGEMENT,                                                                \
        "part to which the regularisation falls from problem to problem: faster, and the last "    \
        "solution is no start for the next")                                                       \
  SCALE(PROX_LEAST, 1e-9, JUDGEMENT,                                                               \
        "least proximal parameter: below it the centre no longer keeps the Jacobian "              \
        "regular")                                                                                 \
  SCALE(PROX_FIRST, 0.1, JUDGEMENT,                                                                \
        "first proximal parameter; larger ones need more centres, smaller ones stall")             \
  SCALE(PROX_GOAL, 0.1, JUDGEMENT,                                                                 \
        "part of residual, parameter and tolerance to which each centre is solved")                \
  SCALE(PROX_NEAR, 1e-4, JUDGEMENT,                                                                \
        "the same near a solution, where the central path ended: larger ones lead away from it")   \
  SCALE(                                                                                           \
      PROX_HELD, 1e-3, JUDGEMENT,                                                                  \
      "the same where slips are held: smaller ones let Newton's method stall, larger ones wander " \
      "too slowly; best on heaps of spheres")                                                      \
  SCALE(PATH_END, 1e-11, JUDGEMENT,                                                                \
        "product of forces and velocities at which the central path ends: below it the "           \
        "rounding of singular problems grows; Newton's method goes on from there")                 \
  SCALE(GROUP_TOL, 0.9, JUDGEMENT,                                                                 \
        "part of the tolerance that groups of contacts are solved to, so that all "                \
        "together meet it after rounding")

PW_SCALES_SOLVE(PW_SCALE_ACCESSOR)

#endif
