// SPDX-License-Identifier: MIT
/* Scales of the simulation. See law/scale.h. */
#ifndef PW_LAW_SCALE_SIM_H
#define PW_LAW_SCALE_SIM_H

#include "law/scale.h"

// clang-format off
#define PW_SCALES_SIM(SCALE) \
  /* ---- rounding ---- */ \
  SCALE(ROUNDED, 64 * DBL_EPSILON, ROUNDING, \
        "part of its terms by which a sum of a few dozen operations is wrong: values, slips, " \
        "velocities, times; below it rounding is taken for motion") \
  SCALE(NOISE, 450 * DBL_EPSILON, ROUNDING, \
        "part of the largest velocity or acceleration by which the solution of a linear system " \
        "of contacts is wrong; below it rows that depend on each other seem to contradict each " \
        "other, far above it small forces vanish") \
  SCALE(NOISE_OF_ORDERS, 1e-11, ROUNDING, \
        "the same for coefficients of the Taylor series, whose recursions lose two more digits") \
  SCALE(NO_TIME, 1e3 * DBL_EPSILON, ROUNDING, \
        "part of the time below which a step or a bounce takes no time: its length is known to " \
        "less than one part in a thousand") \
  SCALE(LOWEST_BOUNCE, 4096 * DBL_EPSILON, ROUNDING, \
        "height of a bounce, in parts of the terms of its gap, that twelve bits still resolve; " \
        "lower bounces end in a rest; the certificate uses the same number") \
  SCALE(STEP_ROUNDING, 4 * DBL_EPSILON, ROUNDING, \
        "part of a velocity that its own rounding and that of one sum change, in error weights " \
        "and in polished roots") \
  SCALE(CLEAR_OF_ROUNDING, 10, ROUNDING, \
        "roundings of the state (STEP_ROUNDING) that a switching function must exceed to be on the " \
        "wrong side at the start of a step: the dense output sums so many terms") \
  SCALE(ZENO_ROUNDING, 640 * DBL_EPSILON, ROUNDING, \
        "part of the time, over the length of a period, by which the ratio of two periods is " \
        "wrong: three differences of times that are ROUNDED") \
  SCALE(UNSEEN, 100, JUDGEMENT, \
        "errors allowed in a step that an acceleration beside those of the stages may make if it " \
        "lasts for the whole step: below ten the error of the dense output looks like something " \
        "hidden, far above it small features are missed") \
  SCALE(AT_THE_END, 8 * DBL_EPSILON, ROUNDING, \
        "part of the time of the end of the run within which an event is at the end") \
  SCALE(POLISHED, 2 * DBL_EPSILON, ROUNDING, \
        "part of the time to which a root is polished: two neighbours") \
  /* ---- steps ---- */ \
  SCALE(STEP_CORRECTION, 100, JUDGEMENT, \
        "most correction of a step by its projection, in tolerances: beyond it the step is shortened; " \
        "near 1 redundant constraints make steps short, far above it the projection is the motion") \
  SCALE(STEP_MOST_ROUNDING, 1e-6, JUDGEMENT, \
        "part of the state up to which a correction or an error that does not fall with the step is " \
        "taken for rounding near a singular position; above it drift is accepted, below it steps " \
        "end there") \
  SCALE(STEP_RUNS_AWAY, 0.1, JUDGEMENT, \
        "part of the state at the end of a step from which on its error is not taken for rounding: " \
        "the stages of a step that is far too long run away, and their error stays of the size of " \
        "the state; below it a rest that rounding shakes takes tiny steps") \
  SCALE(STEP_WEAKER, 0.3, JUDGEMENT, \
        "part of the hold of the constraints at its start that a step must leave at its end: the " \
        "next one then starts far enough from a singular position to detect it") \
  SCALE(STEP_ANEW, 1e-3, JUDGEMENT, \
        "correction by the projection, in tolerances, beyond which the derivative at the end of the " \
        "step is computed anew; far above it the next step begins with a wrong slope, far below it " \
        "each step costs one evaluation more") \
  SCALE(STEP_FORGIVEN, 1e-3, JUDGEMENT, \
        "part of the tolerance up to which what a projection leaves of a row counts as held: it may " \
        "be rounding") \
  SCALE(STEP_SAFETY, 0.9, JUDGEMENT, \
        "part of the step that the error asks for that is taken next: near 1 every second step is " \
        "rejected, far below it there are more steps than needed; accepted errors stay the same") \
  SCALE(STEP_LAST, 1.01, JUDGEMENT, \
        "steps of the length asked for that the rest of a stretch may have to be one step: below " \
        "it rests of no length follow, far above it the last step is longer than its error allows") \
  SCALE(STEP_STUCK, 0.25, JUDGEMENT, \
        "part to which the correction of a projection must fall with the step: half a step leaves " \
        "a sixteenth of an error, and all of what is rounding") \
  SCALE(PASS_CENTRED, 0.04, DERIVED, \
        "part of the length of a step across a singular position by which that may lie off the " \
        "middle: the gap of the twelve nodes there is three times as wide") \
  SCALE(PASS_ROUNDING, 10, ROUNDING, \
        "roundings of speeds near a singular position that its step may be wrong by: it sums " \
        "twelve nodes of both signs") \
  SCALE(PASS_SETTLED, 0.01, JUDGEMENT, \
        "tolerances that the last sweep of a step across a singular position may change: above it " \
        "the rest adds up to an error, below it sweeps without effect follow") \
  SCALE(PASS_ROUGH, 0.01, JUDGEMENT, \
        "errors allowed from which a start beside is tried: a smooth passage leaves far less") \
  SCALE(PASS_AIMED, 10, JUDGEMENT, \
        "tolerances by which that start may be moved: its own error is some of them, and a motion " \
        "that misses the position by more is another one") \
  SCALE(PASS_SHRINKS, 0.3, JUDGEMENT, \
        "least part of its length that the next step across is tried with after one that failed") \
  SCALE(PASS_GROWS, 1.3, JUDGEMENT, \
        "least growth after one that was good: long ones suffer less from rounding") \
  SCALE(PASS_LONGER, 2, JUDGEMENT, \
        "largest growth: beyond it the estimate of another length means nothing") \
  SCALE(PASS_MIDDLE, 0.1, JUDGEMENT, \
        "least part of a step across at which the singular position is looked for next: where " \
        "the guess was wrong it may say 0") \
  SCALE(PASS_BEFORE, 0.3, JUDGEMENT, \
        "part of the way to a singular position that is left before it: nearer to it steps that " \
        "do not pass it become short, further away the one that does becomes long") \
  SCALE(PASS_SHORT_OF, 0.45, JUDGEMENT, \
        "part of what a step can pass that is left before the position: less than half of it, so " \
        "that the next step reaches as far behind it") \
  SCALE(PASS_AHEAD, 0.5, JUDGEMENT, \
        "part of the way to a singular position that a step may go without looking at it: beyond " \
        "it the next step would begin too near, far below it steps across are tried too early") \
  SCALE(HOLD_WEAKER, 0.5, JUDGEMENT, \
        "part of the hold of the constraints at the ends of a step below which a projection between " \
        "them leaves a direction alone: near 1 rounding decides, far below it residuals of the size " \
        "of rounding are magnified near a singular position") \
  SCALE(SCAN_DIVES, 10, JUDGEMENT, \
        "roundings of a function below zero that its samples must reach for a dive at the start of a " \
        "step: below it rounding is a dive and steps are divided for nothing, far above it short " \
        "dives are missed") \
  SCALE(RESTING_SEEN, 0.5, JUDGEMENT, \
        "part of what counts as zero from which the value of a law that rests on others is looked at " \
        "again on the imposed rows: near 1 values on both sides of it look like a root, near 0 every " \
        "sample is projected") \
  SCALE(WATCH_CLEAR, 10, JUDGEMENT, \
        "roundings of a function that its enclosure must stay away from zero for the step to have no " \
        "root: near 0 a root may be lost to rounding, far above it steps are searched for nothing") \
  SCALE(EVENTS_PER_STEP, 10, JUDGEMENT, \
        "events per step beyond which a run that takes too long is said to spend its time on events") \
  SCALE(SCAN_CERTAIN, 10, JUDGEMENT, \
        "doubts of a function that one of its values must exceed for it to be more than zero " \
        "within its doubt: below it signs of rounding are events") \
  SCALE(STEP_LEAST_ERROR, 1e-4, JUDGEMENT, \
        "least error, in tolerances, that the choice of the next step remembers: below it one lucky " \
        "step shortens the next") \
  SCALE(PROBE_PART, 1e-2, JUDGEMENT, \
        "part of the time in which the motion changes, of the probe that finds the first step; a first " \
        "step that is too long is rejected, so this and the next four change the cost only") \
  SCALE(PROBE_BLIND, 1e-6, JUDGEMENT, "part of the span, of the probe where nothing moves") \
  SCALE(PROBE_MOST, 1e-3, JUDGEMENT, "part of the span, of the longest probe") \
  SCALE(FIRST_LEAST, 1e-9, JUDGEMENT, "part of the span, of the shortest first step") \
  SCALE(FIRST_PROBES, 100, JUDGEMENT, "longest first step, in probes") \
  SCALE(FIRST_SPEED, 1e4, JUDGEMENT, \
        "longest time, in steps, that makes a speed of the first forces where nothing moves yet: the " \
        "size of the first errors; the span may be longer than any motion in it") \
  SCALE(ROOT_BESIDE, 1e-6, JUDGEMENT, \
        "part of the step by which a root on the dense output may be off: the search for the root of " \
        "the step itself begins so wide, and widens") \
  SCALE(FLIGHT_LONGER, 1.25, JUDGEMENT, \
        "longest step after an instant, in parts of the shortest flight that begins there: above it " \
        "short flights are overlooked more often and searched for again") \
  SCALE(FLIGHT_LEAST, 1e-6, JUDGEMENT, \
        "part of the planned step that a short flight leaves of it") \
  SCALE(JAM_STEP, 1e-4, JUDGEMENT, \
        "part of the span, of the step with which the motion begins again after an impact without " \
        "collision, before which large forces have made steps short") \
  SCALE(SLIP_FORESEEN, 1e-2, JUDGEMENT, \
        "part of the span beyond which a slip that begins is not foreseen") \
  SCALE(STEP_JOINS, 1e-6, JUDGEMENT, \
        "part of a step of given size that is too short for a step of its own and joins the next; " \
        "only the rounding of the times is below it") \
  SCALE(STEP_TIME_FLOOR, 1e-3, JUDGEMENT, \
        "part of the span of the run that counts as the size of times near zero: a step that is " \
        "ROUNDED against it is lost") \
  /* ---- zero of contacts ---- */ \
  SCALE(STILL, 1e-10, JUDGEMENT, \
        "part of the largest speed so far below which the rate of a contact is no impact; above " \
        "it slow impacts are lost, below it rounding of the step looks like impacts; the " \
        "certificate uses the same number") \
  SCALE(UNDER_STILL, 1e-3, JUDGEMENT, \
        "part of STILL that an impact problem takes as zero, so that its result is zero within " \
        "STILL; near 1 what was stopped may count as moving") \
  SCALE(GAIN, 1e-10, JUDGEMENT, \
        "part of the largest kinetic energy so far that an impact may give without being called " \
        "ENERGY_INCREASE; above it a gain of a restitution slightly above one is missed") \
  SCALE(ZERO_VALUE, 1e-10, JUDGEMENT, \
        "part of the largest value of a law so far that is zero, where the tolerance is looser; " \
        "above it contacts close early by a visible gap") \
  SCALE(ZERO_OF_TOL, 0.1, JUDGEMENT, \
        "part of the tolerance that a value of zero may be off, in parts of its largest value: an " \
        "error ten times below that of the steps") \
  SCALE(TOUCH_LEFT, 2, DERIVED, \
        "gaps that an instant has left at a contact within which it touches at the next one: that gap " \
        "itself, and once more for the rounding of the flight, which may turn its sign") \
  SCALE(NO_GRADIENT, 1e-12, JUDGEMENT, \
        "part of its largest gradient so far below which a law has none and no direction to push " \
        "in; below it its direction is rounding") \
  /* ---- forces and accelerations ---- */ \
  SCALE(SAME_FORCE, 1e-9, JUDGEMENT, \
        "part by which two forces or bounds of one law are the same: a jump is none, a static " \
        "bound not below the sliding one, a force at the rim of its disk") \
  SCALE(UNCOUPLED, 1e-9, JUDGEMENT, \
        "cosine of the gradients of two contacts below which neither feels the other's impact; " \
        "decides only whether both orders of impacts are compared") \
  SCALE(SAME_IMPACT, 1e-9, JUDGEMENT, \
        "part of the speed by which two treatments of an impact may differ without being called " \
        "AMBIGUOUS") \
  SCALE(SLIP_LANDS, 1e-9, JUDGEMENT, \
        "part of the rates at the end of bounces below which friction has stopped a slip by then") \
  SCALE(LEAST_PART_OF_JUMP, 1e-12, JUDGEMENT, \
        "part of the way to the velocities that a linear problem finds after an impact, below which " \
        "the model is not defined on the way at all") \
  SCALE(STOPPED, 1e-12, JUDGEMENT, \
        "part of the largest impulse that ends bounces below which a contact was not stopped by " \
        "it; below it rounding gives rest events to contacts that stood") \
  SCALE(JAM_SPEED, 1e-6, JUDGEMENT, \
        "speed of contacts, in parts of the velocity, whose impulses are extrapolated to the " \
        "impact without collision; the extrapolation is exact while the pattern stays, rounding " \
        "is its inverse") \
  /* ---- Painleve's margin ---- */ \
  SCALE(MARGIN_NEAR, 0.1, JUDGEMENT, \
        "margin below which a falling one is announced, and instants without progress are blamed on " \
        "friction: it chooses messages only") \
  SCALE(MARGIN_GONE, 1e-6, JUDGEMENT, \
        "margin that has vanished: forces are a million times those without friction; above it a " \
        "motion that still goes on is stopped, below it steps become too short to say so") \
  SCALE(MARGIN_PART, 1e-2, JUDGEMENT, \
        "part of the margin at the start of a step that a step may use up; more and its stages see " \
        "forces without bound") \
  /* ---- accumulations of impacts ---- */ \
  SCALE(LAST_BOUNCE, 1.05, JUDGEMENT, \
        "bounces end at this part of the tolerance of the rate; slightly above one, so that the " \
        "last bounce that counts is not decided by rounding") \
  SCALE(ZENO_STEADY, 0.1, JUDGEMENT, \
        "change of the ratio of periods, in parts of its distance from one, that still is a " \
        "geometric series; above it a pattern that ends is taken for one that does not") \
  SCALE(CASCADE_STEADY, 1e-6, JUDGEMENT, \
        "the same for impulses at one instant, whose sizes are known to rounding") \
  SCALE(GROWTH_SHRINKS, 0.75, JUDGEMENT, \
        "ratio of successive times to a fourfold energy below which speeds grow without bound; a " \
        "steady gain has the ratio one") \
  /* ---- slips in the plane ---- */ \
  SCALE(SLIP_AWAY, 1e-6, JUDGEMENT, \
        "part of the largest slip from which the last step of a slip may start; above it a stage " \
        "of that step throws the direction of the friction aside") \
  SCALE(SLIP_ENDS, 1e-7, JUDGEMENT, \
        "part of the largest slip that a last step may leave: what it starts from times its " \
        "relative error") \
  SCALE(SLIP_FADES, 1e-9, JUDGEMENT, \
        "part of the largest slip that need not be followed to its end: the time of the end is " \
        "wrong by this part") \
  SCALE(SLIP_BLURRED, 0.3, DERIVED, \
        "times sqrt(tol), part of the slip to come below which its direction follows the load: " \
        "the error is of second order in it, so a tenth of tol") \
  SCALE(SLIP_UNSEEN, 1e-6, JUDGEMENT, \
        "part of a blurred slip that may be rounding, against its direction or along it") \
  SCALE(SLIP_SEEN, 1e-3, JUDGEMENT, \
        "part of a blurred slip from which its own direction is known") \
  SCALE(SLIP_STRAIGHT, 0.9, JUDGEMENT, \
        "cosine between a slip and its heading above which it goes on along it") \
  SCALE(SLIP_DWINDLES, 0.5, JUDGEMENT, \
        "part of a slip below which a step that leaves it in another direction has thrown it " \
        "aside") \
  SCALE(SLIP_ALIKE, 16, JUDGEMENT, \
        "ratio of two slips up to which they end together: the feet of one body") \
  SCALE(SLIP_REMAINS, 1.5, JUDGEMENT, \
        "sizes of a slip at its end that it may be against its heading afterwards: more than one, " \
        "so that what remains of it does not end it again") \
  SCALE(SLIP_TOLD, 2, JUDGEMENT, \
        "multiple of what remains from which a slip that begins anew has a direction: at one it is " \
        "that of the remainder") \
  SCALE(SLIP_ANEW, 4, JUDGEMENT, \
        "sizes of a slip at its end up to which it follows its load afterwards: above SLIP_REMAINS " \
        "times SLIP_TOLD, so that it has a direction before") \
  SCALE(SLIP_BESIDE, 2, JUDGEMENT, \
        "the same of a slip that ends beside its heading, and of a norm of positions, whose " \
        "direction is known") \
  SCALE(SLIP_GROWN, 4, JUDGEMENT, \
        "multiple of the size up to which it follows its load where a slip stops to do so: above " \
        "one, so that a slip of that size does not change its ways at each step") \
  SCALE(SLIP_GROWN_HERE, 2, JUDGEMENT, \
        "the same at an instant, where the motion begins anew at any rate") \
  SCALE(SLIP_LAST_STEP, 1e-2, JUDGEMENT, \
        "part of a step to the end of a slip that is left to the next one") \
  SCALE(DISK_ROOM, 1e-3, JUDGEMENT, \
        "part of the bound that a sticking force must keep for the least forces to be followed; " \
        "below it others within all disks are looked for") \
  SCALE(DISK_RELEASED, 1e-6, JUDGEMENT, \
        "part of the bound below which a force that has just reached it does not stick again") \
  SCALE(DISK_DIRECTION, 1e-12, ROUNDING, \
        "change of the direction of a slip at which its fixed point is found") \
  /* ---- coupled friction ---- */ \
  SCALE(COUPLED_ACCEPTED, 1e-10, JUDGEMENT, \
        "residual at which an iteration that has stalled is a solution; above it forces leave " \
        "their disks visibly") \
  SCALE(DISK_BORDER, 1e-7, JUDGEMENT, \
        "part of the bounds within which a force is at the rim of its disk") \
  SCALE(DISK_LETS_GO, 1e-2, JUDGEMENT, \
        "part of what counts as zero beside all loads from which a slip that smaller bounds set off " \
        "is one; near 1 a small friction beside large loads never lets go, near rounding all do") \
  /* ---- passing and approaching ---- */ \
  SCALE(PASSED_PART, 1e-3, JUDGEMENT, \
        "part of the way of a step, and of the value at its start, that a wall must be open by, " \
        "and be passed by, to have been passed without being met") \
  SCALE(PASSED_ZERO, 100, JUDGEMENT, \
        "the same in values that count as zero") \
  SCALE(MULTIPLIER_ZERO, 1e-3, JUDGEMENT, \
        "part of the tolerance, in units of momentum, that a one-sided multiplier of zero may be " \
        "off") \
  SCALE(LEAST_JUMP, 1e-9, JUDGEMENT, \
        "part of the energy, the positions, the velocities by which they jump where pieces of the " \
        "model change; below it rounding of switched terms is called a jump") \
  SCALE(FLAT_VANISHES, 1e-6, JUDGEMENT, \
        "part of its largest gradient below which an equality on velocities loses it") \
  SCALE(FLAT_SHORT_OF, 1e-5, JUDGEMENT, \
        "the same where the step that comes there is cut, so that its state is still regular") \
  /* ---- roots and events ---- */ \
  SCALE(TAIL_FOR_ROOTS, 1e-5, JUDGEMENT, \
        "tail of a Chebyshev series, in parts of its scale, with which its roots are trusted; they " \
        "are polished after") \
  SCALE(TAIL_FOR_GRAZING, 1e-10, JUDGEMENT, \
        "the same for double roots, whose place is the square root of the error") \
  SCALE(EVENT_ORDER, 1e-4, JUDGEMENT, \
        "part of a step within which the order of two events is decided by polishing both") \
  /* ---- step control ---- */ \
  SCALE(RESTS_UNDER_LOAD, 1e-6, JUDGEMENT, \
        "speed, in parts of what the forces give in a step, below which a coordinate rests") \
  SCALE(LOAD_BALANCED, 1e4 * DBL_EPSILON, ROUNDING, \
        "part of forces that balance each other in which their difference is noise") \
  SCALE(ORDER_EIGHT_BEGINS, 1e-6, JUDGEMENT, \
        "tolerance at which a motion begins with order 8; more or less costs the first steps") \
  SCALE(WEAKLY_HELD, 0.1, JUDGEMENT, \
        "part of a constraint that others leave free below which the first step after an instant is " \
        "of order 5: a longer one may jump over the place where they leave nothing") \
  SCALE(LOW_PER_HIGH, 4.0 / 3, JUDGEMENT, \
        "steps of order 5 per tenth root of both estimates of a step of order 8: measured over the " \
        "examples, within a quarter") \
  SCALE(LOW_PER_HIGH_USUAL, 1.2, JUDGEMENT, \
        "steps of order 5 for one of order 8, times tol^(3/40): measured likewise, 0.8 to 1.9") \
  SCALE(LIMITED_BY_ERROR, 0.1, JUDGEMENT, \
        "part of the tolerance above which the error of a step is what limits it: the control aims " \
        "at a half") \
  SCALE(NEARLY_UNSTABLE, 0.7, JUDGEMENT, \
        "part of the longest stable step at which stability is what limits steps: their errors " \
        "hold them back a little before") \
  SCALE(STIFFNESS_SEEN, 1e-3, JUDGEMENT, \
        "part of the tolerance that last stage and end of a step must differ by to tell how stiff " \
        "the forces are: below it rounding decides") \
  SCALE(CHEAPER_PAIR, 0.8, JUDGEMENT, \
        "part of the present cost below which the pair changes: closer, the estimates do not tell") \
  SCALE(RANGE_PART, 1e-3, JUDGEMENT, \
        "part of the running range of a coordinate, or of the sum of states, that counts as its " \
        "size in the error") \
  SCALE(DELAY_FIT, 0.1, JUDGEMENT, \
        "part of the tolerance by which the polynomial of a piece of a delay may miss the past: a " \
        "tenth of what steps are allowed adds nothing to their error; far below it pieces become " \
        "short") \
  SCALE(SPEED_PART, 1e-3, JUDGEMENT, \
        "part of sqrt(2T/M_ii) that counts as range of a velocity") \
  SCALE(HOPELESS, 1e3, JUDGEMENT, \
        "times the steps allowed that the rest of a run would need at the pace of the last ten " \
        "thousand: it is stopped; below it a stiff start that becomes easy is given up") \
  /* ---- time stepping and variational steps ---- */ \
  SCALE(MOREAU_LOOSEST, 1e-8, JUDGEMENT, \
        "change of a round at which an iteration that has stalled is accepted") \
  SCALE(STEP_ACCEPTED, 1e-6, JUDGEMENT, \
        "residual at which percussions of a step are accepted, and change of its last round: rows " \
        "of the midpoint that depend on each other do not agree better with rates of the end") \
  SCALE(STEP_LOOSEST, 1e-3, JUDGEMENT, \
        "the same where every other manner has failed: a step that is wrong by a thousandth, as " \
        "the ledger shows, instead of a run that ends") \
  SCALE(MOREAU_DEPENDENT, 1e-5, JUDGEMENT, \
        "part by which gradients may depend on each other before positions are projected one law " \
        "at a time") \
  SCALE(MOREAU_JUMP, 1e-12, JUDGEMENT, \
        "part of a gap by which it jumps in no way that the motion explains") \
  SCALE(MOREAU_SLOW, 1e-9, JUDGEMENT, \
        "part of the speed a step gives below which a closed contact did not close anew") \
  SCALE(MOREAU_CROSSED, 1e-8, JUDGEMENT, \
        "part of the terms of a gap by which closing contacts may move others through their walls") \
  SCALE(MIX_DEPENDENT, 1e-8, JUDGEMENT, \
        "part of the residuals of Anderson mixing at which they depend on each other") \
  SCALE(VARIATIONAL_RANK, 1e-10, JUDGEMENT, \
        "rank of the Jacobian of a variational step") \
  SCALE(VARIATIONAL_LOOSEST, 1e-9, JUDGEMENT, \
        "part of the positions at which a Newton iteration that has stalled is accepted") \
  SCALE(VARIATIONAL_DIFFERENCE, 1.5e-8, JUDGEMENT, \
        "part of the speed over which forces of laws are differenced: the root of the rounding; " \
        "the slopes only speed up corrections") \
  SCALE(RADAU_SOLVED, 1e-3, JUDGEMENT, \
        "part of the tolerance to which the equations of an implicit step must be solved where " \
        "corrections no longer shrink: what is left is not seen by the error estimate") \
  SCALE(RADAU_STALLS, 0.5, JUDGEMENT, \
        "part to which the next correction must fall for those to go on that are small already: " \
        "rounding does not fall") \
  SCALE(RADAU_SLOW, 0.5, JUDGEMENT, \
        "ratio of corrections above which Newton's method is given up: a shorter step, or " \
        "derivatives of each stage, cost less") \
  SCALE(RADAU_LAYER, 100, JUDGEMENT, \
        "times tol^(3/4), which is what accelerations of a smooth motion are off by: part of the " \
        "forces by which those at the start of a step may differ from its polynomial; far above " \
        "it layers stay unseen and no certificate can follow, below it smooth motions are slowed") \
  SCALE(RADAU_RESOLVED, 0.1, JUDGEMENT, \
        "h |df/dy| below which a step follows the fastest force, so that nothing is a layer") \
  SCALE(RADAU_WORTH, 4, JUDGEMENT, \
        "explicit steps that an implicit one must replace, and half a step more for each number of " \
        "the state, to cost less: evaluations of its stages, derivatives, factors")
// clang-format on

PW_SCALES_SIM(PW_SCALE_ACCESSOR)

#endif
