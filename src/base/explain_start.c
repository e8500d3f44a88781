// SPDX-License-Identifier: MIT
/* Explanations of the codes on starts and on motions that cannot go on. */
#include <stddef.h>

#include "base/explain.h"

const pw_explanation pw_explain_start[] = {
    {"E0300", "Start values and forces belong to coordinates: x, x', x[3], b.p, b.p', b.R, "
              "b.w, R, R.w. Everything\n"
              "else follows from them. A rotation starts with an axis and an angle, `R = "
              "axis(0, 0, 1, 30 [deg])`.\n"},
    {"E0301", "The start values that are fixed leave no way to satisfy all constraints: the "
              "solver that moves the\n"
              "guessed values did not find a solution. Make more values guesses (`~` instead "
              "of `=`), give guesses\n"
              "closer to the solution, or check the constraints for a contradiction.\n"},
    {"E0302", "The positions fixed in `start` do not satisfy a constraint; the residual is "
              "shown. If a value may be\n"
              "moved to satisfy it, make it a guess: `x ~ 0.4` instead of `x = 0.4`.\n"},
    {"E0303", "The velocities fixed in `start` do not satisfy a constraint on velocities, or "
              "the rate of a constraint\n"
              "on positions: a body that must stay on a curve starts along it. Make a velocity "
              "a guess: `x' ~ 0`.\n"},
    {"E0304",
     "A start value is given once. A family name without an index sets every member, "
     "`x[i in 1..3] = ...`\n"
     "sets several, and b.w and b.W are the same angular velocity in two systems of axes.\n"},
    {"E0306",
     "`c closed` says that a one-sided constraint starts closed: a contact `g >= 0` with its gap\n"
     "and its gap rate zero, a constraint on velocities `f >= 0` with f zero. Equalities always\n"
     "hold, and friction sticks or slips by what the velocities say.\n"},
    {"E0307", "The force of a law follows from the motion. Only `vakonomic` and `inertia` laws "
              "have a multiplier that\n"
              "is a state of its own and needs a start value: `start force(c) = 0.2`.\n"},
    {"E0308",
     "axis(u1, u2, u3, angle) turns about the direction (u1, u2, u3), which need not "
     "have length 1 but must\n"
     "not be zero. No rotation at all is what a rotation starts with if nothing is said.\n"},
    {"E0309",
     "An `end` statement gives the end point of a boundary value problem (`pawl bvp`): a "
     "position.\n\n"
     "    end y = 0.8 [m]\n\n"
     "With which velocities and forces the motion arrives there is what the solution tells.\n"},
    {"E0310", "A servo of type I acts with a force along a given direction. At this state that "
              "force does not\n"
              "influence the rate of its condition, so it cannot enforce it: the number "
              "Phi*M^-1*grad f is zero.\n"
              "Choose another direction in `by`, or another start.\n\n"
              "A force that reaches its target only through a spring, or through bodies between "
              "them, acts on a\n"
              "later derivative than the acceleration. It would have to follow derivatives of the "
              "target beyond the\n"
              "second (an index above three), and the run does not pretend to do that.\n"},
    {"E0311", "A one-sided constraint `g >= 0` does not hold at the start: the bodies overlap.\n\n"
              "Start where g is not negative, or let the start be solved onto the contact:\n\n"
              "    start y ~ 0, floor closed\n"},
    {"E0312",
     "The start touches a contact and moves into it: g = 0 and g' < 0.\n\n"
     "A motion that begins with an impact is wanted rarely and by mistake often, so it is\n"
     "asked for: `run 0..5, start-impact allow` makes it an `impact` event at the start time.\n"
     "To start at rest on the contact, write `floor closed`.\n"},
    {"E0313",
     "A one-sided constraint on velocities does not hold at the start.\n\n"
     "Velocities do not jump at such a constraint, so nothing could restore it: change the\n"
     "start velocity.\n"},
    {"E0314",
     "A restitution that depends on the state is outside 0..1 at the start.\n\n"
     "Above 1 every impact gains energy; `run ..., restitution-above-one allow` permits that.\n"
     "Below 0 the bodies would go on into each other.\n"},
    {"E0315",
     "The gradient of a constraint vanishes at the start, so no force can act along it.\n\n"
     "    constraint stop: x^3 >= 0, restitution 0     # write x >= 0\n\n"
     "Start elsewhere, or state the same condition with a function that has a slope there.\n"},
    {"E0316",
     "A contact is closed at the start and rough, but its slip is not zero.\n\n"
     "A rough contact cannot slip while it is closed. Make the velocity a guess (`~`), and the\n"
     "slip is solved to 0; or start with the contact open.\n"},
    {"E0317", "A servo-constraint of type II changes the kinetic energy to T + lambda*phi and "
              "controls lambda. Its\n"
              "rate acts on the constraint f by sigma2 = grad f*(M + lambda*phi'')^-1*grad phi, "
              "which is zero here:\n"
              "for a body with a flywheel along l and (W, m) = 0, the axes are orthogonal in the "
              "metric of the inertia,\n"
              "(I^-1 l, m) = 0. Choose another phi, or another start.\n"},
    {"E0318",
     "The multiplier of a one-sided `vakonomic` or `inertia` law is never negative, and for "
     "`vakonomic` and\n"
     "`complementary` laws it is zero while the constraint is not active.\n"},
    {"E0320",
     "The velocity of a coordinate does not occur in the kinetic energy, so its "
     "acceleration is not\n"
     "determined by any law. Add the missing energy; if the quantity follows from "
     "others, define it with\n"
     "`let` or tie it by a constraint to something with mass and still give it its inertia.\n"},
    {"E0321", "The mass matrix, the second derivative of the kinetic energy by the velocities, "
              "must be positive\n"
              "definite: every motion must carry positive energy. It is not at the state "
              "shown. Typical causes are a\n"
              "negative or zero mass, a coordinate with no inertia of its own in a special "
              "position, and polar angles\n"
              "at the pole (use `rotation`).\n"},
    {"E0322", "A model needs something that moves: `coordinates`, a `rotation` or a `body`.\n"},
    {"E0323",
     "The equations of motion come from the kinetic energy, which the model does not state:\n"
     "  kinetic T = 1/2*m*x'^2\n"
     "A `body` brings its own.\n"},
    {"E0331", "Some constraints contradict each other: their rates cannot vanish together at "
              "this state. The motion\n"
              "cannot satisfy all of them. The message names those that take part.\n"},
    {"E0340", "An expression is not a finite number at the start: a division by zero, the "
              "square root or logarithm of\n"
              "a negative number, or an overflow. The message shows which one. Start "
              "elsewhere, or rewrite it.\n"},
    {"E0501",
     "With friction a rigid contact can reach states in which no force satisfies all laws, or\n"
     "several do: the paradox of Painleve. It is a property of the model of rigid bodies with dry\n"
     "friction, not an error of the computation. W0501 announces it where the motion comes "
     "near.\n\n"
     "Ways out:\n"
     "  a smaller coefficient of friction\n"
     "  `run ..., paradox iwc`: an impact without collision. Where the forces would have no bound\n"
     "    an impulse acts at once: the slip stops (or turns), and the motion goes on. The event "
     "is\n"
     "    an `impact` with the flag IMPACT_WITHOUT_COLLISION\n"
     "  a compliant contact, whose force is a known function of gap g and rate: `viscous N,\n"
     "    stiffness K` instead of `restitution`, and the friction with its bound written out:\n"
     "    `bound if(g < 0, mu*max(-K*g - N*g', 0), 0)`; `mu ... on` needs a rigid contact\n"},
    {"E0502", "No acceleration satisfies all laws at this instant: contacts, one-sided velocity "
              "constraints and\n"
              "equalities ask for forces that do not exist together. The message names one of "
              "the laws in question.\n"
              "Laws that leave no room, like x <= 1 and x >= 1 + t, do that.\n"},
    {"E0503", "At an impact the velocities must satisfy all laws that touch: contacts must not "
              "close, one-sided\n"
              "velocity constraints must hold, equalities must be kept. No velocities do. Walls "
              "that close on a\n"
              "body between them do that, and constraints on velocities that demand the "
              "motion a contact forbids.\n"},
    {"E0504", "A constraint acts along its gradient: by the coordinates for g(q) >= 0, by the "
              "velocities for\n"
              "f(q,q') >= 0 and f(q,q') = 0. Where the gradient vanishes it has no direction, and "
              "no force can\n"
              "keep it. A motion that comes to rest on z'^2 = a^2*(x'^2 + y'^2) ends for this "
              "reason. Else write\n"
              "the same condition by a function with a gradient: not\n"
              "    constraint c: (1 - x)^3 >= 0, restitution 1\n"
              "but\n"
              "    constraint c: 1 - x >= 0, restitution 1\n"},
    {"E0505", "Impacts followed each other at one instant without end: every one of them starts "
              "another. With\n"
              "`impacts simultaneous` (the default) this is rare; a restitution of 0 for one of "
              "the contacts ends it.\n"},
    {"E0506",
     "With friction a rigid contact can reach states in which several motions satisfy all laws: "
     "it\n"
     "may slide on, or open at once (Painleve). Pawl does not choose unless you say how. The "
     "notes\n"
     "list the motions; `--json` gives their accelerations and forces under `paradox`.\n\n"
     "Ways out:\n"
     "  `run ..., paradox enumerate`: all are listed, the one with the least forces goes on\n"
     "  `run ..., paradox iwc`: an impact without collision stops the slip, see E0501\n"
     "  a smaller coefficient, another angle of the contact, or a compliant contact, with which "
     "the\n"
     "    motion is unique, see E0501\n"},
    {"E0507", "The bound of a friction, or its coefficient, became negative. Such a law would push "
              "along the slip. If\n"
              "the expression may cross zero, cut it off there:\n"
              "    friction rub: slip x', bound max(F0 - k*t, 0)\n"},
    {"E0508", "The bound of sticking (`static`) fell below that of sliding while the friction "
              "sticks. What is pulled\n"
              "with a force between them would let go and be held again at once, without end. Cut "
              "it off:\n"
              "    friction rub: slip x', bound F, static max(Fs - k*t, F)\n"},
    {"E0510", "The step size fell below the resolution of time: the motion changes faster and "
              "faster, or the tolerance\n"
              "cannot be met. Typical causes are a singularity (a potential like 1/r at r = "
              "0), a mass matrix that\n"
              "becomes singular, and a force that jumps without being stated as a law.\n"},
    {"E0511",
     "The run produced more events than allowed. Events that accumulate at one "
     "instant are the usual cause.\n"
     "Raise the limit with `run ..., max-events N`, or look at the event list for the culprit.\n\n"
     "Walls that close on a body strike it infinitely often before they meet, faster and faster;\n"
     "that is recognised and ends the run early.\n"},
    {"E0512", "During the run an expression became infinite or undefined. The time, the state "
              "and the expression are\n"
              "shown; results up to that time are kept.\n"},
    {"E0513",
     "The run took more steps than allowed. Either the motion is fast compared with "
     "the time span, or it is\n"
     "stiff. Raise the limit with `run ..., max-steps N`, relax `tol`, or shorten the run.\n"},
    {"E0514", "A constraint could not be held to the tolerance: the correction of the state "
              "did not converge. Usually\n"
              "the constraints become singular there, for example at a dead centre or where "
              "two of them coincide.\n"},
    {"E0515",
     "The equations of a step of `method moreau` or `method variational` could not be solved.\n\n"
     "Their steps are implicit and have the size that is given: choose a smaller one with\n"
     "`run ..., step H`. `method event` chooses its steps itself.\n"},
    {"E0516",
     "A potential or kinetic energy has different values on both sides of a point where `if` or\n"
     "another function changes its piece.\n\n"
     "    potential V = if(x > 1, 3, 0)              # a step of height 3\n"
     "    potential V = if(x > 1, 3*(x - 1), 0)      # an edge: allowed\n\n"
     "At a step the force would be infinite, and the motion would not know whether the body gets\n"
     "over it. Let both pieces meet, or say what happens there by a law: a contact, a spring.\n"
     "A potential that changes at a given time is allowed: its work is that of `time`.\n"},
    {"E0517",
     "A constraint has a corner or a jump at a point that the motion reaches.\n\n"
     "    constraint track: y = abs(x)               # reached with x' = -1\n"
     "    constraint drive: x = min(t, 1)            # stops suddenly at t = 1\n\n"
     "Velocities would have to jump there, and an equality does not say how. Round the corner\n"
     "off, or state the walls as contacts (`>=`) with a restitution.\n\n"
     "A contact may have corners: a wall that begins to move strikes what lies on it. But it may\n"
     "not jump past the body, because no finite velocity gets out of its way:\n\n"
     "    constraint wall: x >= if(t < 1, -1, 1), restitution 0    # the body is at x = 0\n"
     "    constraint wall: x >= min(max(t - 1, -1), 1), restitution 0      # it is pushed\n"},
    {"E0518",
     "A one-sided constraint changes its sign without being zero: at a pole, or at a jump that is\n"
     "not written with `if`.\n\n"
     "    constraint wall: 1/x >= 0, restitution 0     # +inf on one side, -inf on the other\n"
     "    constraint wall: x >= 0, restitution 0       # what is meant\n\n"
     "A contact is met where its gap is zero. Write it with a continuous function.\n"},
    {"E0519",
     "The run took more time than allowed with `run ..., max-seconds N` or `--max-seconds N`.\n\n"
     "What was computed is saved. How far a run comes in a time depends on the machine; to end at\n"
     "the same place everywhere, use `max-steps` or a shorter run.\n"},
    {"E0520",
     "An impact gained energy, and the run was told to stop then (`energy-gain stop`).\n\n"
     "Newton's law with several contacts, or with friction, can gain energy although every\n"
     "restitution is at most 1. `energy-gain allow` goes on and flags such events; `poisson`\n"
     "or a smaller restitution may be the better model.\n"},
    {"E0521",
     "A restitution that depends on the state left 0..1 at an impact, or is not a number there.\n\n"
     "Above 1 the impact gains energy; `run ..., restitution-above-one allow` permits that.\n"},
    {"E0530",
     "A servo would have to act with a force that it is not allowed, or that the other laws "
     "cancel.\n\n"
     "    servo s: x' >= 0, by (x: -1), one-way      # +Phi drives x the wrong way\n\n"
     "`one-way` allows forces along +Phi alone: turn the sign in `by`. Several one-sided servos\n"
     "have forces for every load only if each acts more on its own target than on the others\n"
     "(their matrix Phi_j M^-1 grad f_i must be a P-matrix).\n"},
    {"E0531",
     "Several servos admit more than one motion: forces that hold and forces that let go.\n\n"
     "Their matrix Phi_j M^-1 grad f_i is not a P-matrix. The engine does not choose: drive each\n"
     "target by a force that acts more on it than on the others.\n"},
    {"E0532",
     "A servo-constraint of type II with `>=` draws on its multiplier, as a motor that spins a\n"
     "flywheel one way draws on its speed: while the constraint acts its rate is controlled, off\n"
     "it the multiplier stays. It may not become negative. Here it is 0 and would have to fall.\n"
     "Start with a larger one, turn the sign of phi, or write the constraint with `=`.\n"},
    {"E0533",
     "The multiplier of this one-sided law is zero off the constraint and never negative on it.\n"
     "Where the motion reaches the constraint its rate is f'/sigma2 with f' < 0, so that it can\n"
     "rise only if sigma2 = grad f*(M + lambda*phi'')^-1*grad phi is negative. For a vakonomic "
     "law\n"
     "sigma2 is positive always: from given start values there is in general no motion beyond\n"
     "this instant, neither along the constraint nor away from it. The principle has a meaning as\n"
     "a boundary value problem, which `pawl bvp` solves.\n"},
    {"W0332", "The multiplier of a `vakonomic` or `inertia` law is a state: motions with the same "
              "positions and\n"
              "velocities and another multiplier are different motions. Nothing in the model "
              "decides it, so it\n"
              "should be said, `start force(c) = 0.2`; without a value it starts at 0.\n"},
    {"W0330", "Some constraints follow from the others, as in a table on four legs. The motion "
              "is unique, the single\n"
              "forces are not: the smallest ones are reported and marked with `*`. To make "
              "them unique, remove a\n"
              "constraint or make a support elastic.\n"},
    {"W0341",
     "A constraint is realised by a force so stiff that the run takes very many steps.\n\n"
     "The steps are explicit: they cannot be longer than a few times the time in which the force\n"
     "acts, which is 1/(N D) for `viscous N` (D = J M^-1 J^T, an inverse mass), and oscillations\n"
     "with `stiffness K` are followed in all their periods. The number is for the usual "
     "tolerance;\n"
     "a one-sided constraint takes so many only while it acts. The result is right, but costs.\n"
     "As N grows the motion goes to that of the ideal constraint with an error of order 1/N: take\n"
     "N only as large as the error has to be small, or delete the clause.\n"},
    {"W0501",
     "Friction on a contact that slides takes from its mobility: the acceleration that a normal "
     "force\n"
     "gives it. Here nine tenths are gone, and the part still grows. Where all is gone the force "
     "has\n"
     "no bound, and beyond it no motion satisfies the laws of rigid bodies with dry friction, or\n"
     "several do (Painleve). The run goes on as long as there is one; see E0501 for what then.\n"},
    {NULL, NULL}};
