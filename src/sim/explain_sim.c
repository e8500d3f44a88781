// SPDX-License-Identifier: MIT
/* Explanations of the codes that this layer raises. Options of a simulation, and motions that
 * cannot go on. */
#include <stddef.h>

#include "base/explain.h"

const pw_explanation pw_explain_sim[] = {
    {"E0271",
     "Two shapes are inside of each other at the start, by the depth that the message gives, in\n"
     "which no motion can begin. Place them apart: bodies that fall on each other need not touch\n"
     "at the start.\n"},
    {"E0272",
     "Time stepping with pairs of shapes found during the run supports contacts only: other\n"
     "laws, here the kink of an energy, have no place in their problem. `method event` treats\n"
     "all of them.\n"},
    {"W0550",
     "Contact forces and friction of a step are found by iteration. Where it stalls, in dense "
     "heaps\n"
     "and jams, the best forces found are taken, and the motion goes on if they miss their laws "
     "by\n"
     "less than a hundredth of the speeds; this warning says by how much, when, and where. The\n"
     "next step begins with the true velocities and positions, so such errors do not add up, but\n"
     "forces at this time are approximate. A smaller step often helps.\n"},
    {"W0551",
     "`method auto` follows events. Here no forces or impulses were found that satisfy the laws\n"
     "(a paradox of friction, a jam), or the steps between events became too small. Steps of\n"
     "`method moreau` go on from the state before: they solve for the impulses of a whole step,\n"
     "which exist in more cases. `method event` ends the run there instead, with the reason.\n"},
    {"E0420",
     "An option of a simulation has a value that it cannot have.\n\n"
     "The time span goes forward and is finite; the tolerance lies between 1e-14 and 1e-2.\n"},
    {"E0421",
     "The method of integration cannot treat a law, an expression or an option of this model.\n"
     "\n"
     "`method event` supports every model that can be run; `moreau` does not support `poisson`,\n"
     "multipliers that are states, and servos that go slack; `variational` does not support\n"
     "signals, multipliers that are states, maxima of three and more pieces, and bounds by forces\n"
     "of equalities. Leave out the option, or write `run ..., method event`.\n"},
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
    {"W0501",
     "Friction reduces the mobility of a sliding contact, that is, the acceleration that a\n"
     "normal force gives it. Here nine tenths are gone, and the loss still grows. Where the\n"
     "mobility vanishes the force becomes unbounded, and beyond that point no motion satisfies\n"
     "the laws of rigid bodies with dry friction, or several do (Painleve). The run continues as\n"
     "long as there is a unique motion; see E0501 for the choices after that.\n"},
    {"E0502",
     "No acceleration satisfies all laws at this instant: contacts, one-sided velocity\n"
     "constraints and equalities require forces that exclude each other. The message names one\n"
     "of the laws in question. Laws that leave no room, like x <= 1 and x >= 1 + t, do that.\n"},
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
    {"W0502",
     "An integration step evaluates the model at a few points only. Enclosures of all functions\n"
     "between these points show whether the step may have missed a short force, wall or event.\n"
     "Pieces of the step are halved until nothing can hide in them, or something is found. Here\n"
     "this did not end: even the shortest pieces that the resolution of time allows leave room\n"
     "for an event.\n"
     "\n"
     "Often an expression is undefined at one point though its limit exists, as sin(x)/x at x =\n"
     "0. Write it in another way there: `if(abs(x) < 1e-4, 1 - x^2/6, sin(x)/x)`. `summary.json`\n"
     "lists the intervals under `unseen`. `run ..., validate off` switches this search off.\n"},
    {"E0506",
     "With friction a rigid contact can reach states in which several motions satisfy all laws:\n"
     "it may slide on, or open at once (Painleve). Pawl does not choose unless you specify how.\n"
     "The notes list the motions; `--json` gives their accelerations and forces under `paradox`.\n"
     "If the forces are not unique, the motions form a continuum and cannot be listed.\n"
     "\n"
     "Ways out:\n"
     "  `run ..., paradox enumerate`: all are listed, and the run follows the one of least force\n"
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
    {"E0509",
     "At this instant no forces, or no velocities after the impact, were found that satisfy all\n"
     "laws, but Pawl could not prove that none exist. Pawl reports \"no motion\" (E0501, E0503)\n"
     "only where it has refuted every combination of open and closed, sticking and sliding\n"
     "contacts, each by multipliers that a second computation has checked. This search covers\n"
     "groups of interacting contacts with up to 60 rows and 20000 combinations; slips in the\n"
     "plane or in space are not included.\n"
     "\n"
     "Ways out:\n"
     "  fewer contacts that act together, smaller coefficients of friction\n"
     "  `method moreau`, which treats a step as a whole\n"
     "  a compliant contact, see E0501\n"},
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
    {"E0513",
     "The run took more steps than allowed. Either the motion is fast compared with "
     "the time span, or it is\n"
     "stiff. Raise the limit with `run ..., max-steps N`, relax `tol`, or shorten the run.\n\n"
     "*Without progress*: the last 10000 steps were so short that the rest of the run would need "
     "a\n"
     "thousand times the steps allowed. Look at the coordinate that is named: something stiff, or "
     "a\n"
     "slip that turns ever faster.\n"},
    {"E0515",
     "The equations of a step of `method moreau` or `method variational` could not be solved.\n\n"
     "Their steps are implicit and have the size that is given: choose a smaller one with\n"
     "`run ..., step H`. `method event` chooses its steps itself.\n\n"
     "`method radau` stops so where a slip in the plane comes to rest: it has no direction there.\n"
     "`method event` takes explicit steps at such an instant.\n"},
    {"E0516",
     "A potential or kinetic energy has different values on both sides of a point where `if` or\n"
     "another function changes its piece.\n"
     "\n"
     "    potential V = if(x > 1, 3, 0)              # a step of height 3\n"
     "    potential V = if(x > 1, 3*(x - 1), 0)      # an edge: allowed\n"
     "\n"
     "At a step the force would be infinite, and it would be undetermined whether the body gets\n"
     "over it. Make both pieces meet, or describe the step by a law: a contact, a spring. A\n"
     "potential that changes at a given time is allowed: its work is that of `time`.\n"},
    {"E0517",
     "A constraint has a corner or a jump at a point that the motion reaches.\n"
     "\n"
     "    constraint track: y = abs(x)               # reached with x' = -1\n"
     "    constraint drive: x = min(t, 1)            # stops suddenly at t = 1\n"
     "\n"
     "Velocities would have to jump there, and an equality does not determine how. Round the\n"
     "corner off, or state the walls as contacts (`>=`) with a restitution.\n"
     "\n"
     "A contact may have corners: a wall that begins to move strikes what lies on it. But it may\n"
     "not jump past the body, because no finite velocity gets out of its way:\n"
     "\n"
     "    constraint wall: x >= if(t < 1, -1, 1), restitution 0    # the body is at x = 0\n"
     "    constraint wall: x >= min(max(t - 1, -1), 1), restitution 0      # it is pushed\n"},
    {"E0518",
     "A one-sided constraint changes its sign without being zero: at a pole, or at a jump that is\n"
     "not written with `if`.\n\n"
     "    constraint wall: 1/x >= 0, restitution 0     # +inf on one side, -inf on the other\n"
     "    constraint wall: x >= 0, restitution 0       # what is meant\n\n"
     "A contact is met where its gap is zero. Write it with a continuous function.\n"},
    {"E0519",
     "The run took more time than allowed with `run ..., max-seconds N` or `--max-seconds N`.\n"
     "\n"
     "The results so far are saved. How far a run gets in a given time depends on the machine;\n"
     "to end at the same place everywhere, use `max-steps` or a shorter run.\n"},
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
    {"E0534",
     "A potential (or dissipation) has a kink with a slope that falls, and the motion reaches it.\n"
     "\n"
     "    potential V = y*abs(x)      # a valley for y > 0, a ridge for y < 0\n"
     "\n"
     "In a valley the force is any of the generalised gradient, and one of them fits. On a ridge\n"
     "forces to both sides drive away from it: the motion is not determined, and no variational\n"
     "principle chooses. Round the ridge, or describe it by a law. Where the slope falls at\n"
     "every state that is found before the run, see E0223.\n"
     "\n"
     "`pawl gauss` also refuses states in corners of constraints that are no laws of their own, "
     "as\n"
     "of `y >= cos(x)*abs(x)` or `z >= norm((x, y))`: write a constraint for each smooth side.\n"},
    {"E0560",
     "A delay reaches further back than the motion is kept.\n\n"
     "The last 16384 steps are kept. Steps so short within one delay are due to a tolerance\n"
     "that is too small, to very many impacts, or to a delay that is very long.\n"},
    {NULL, NULL}};
