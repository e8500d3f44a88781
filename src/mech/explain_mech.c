// SPDX-License-Identifier: MIT
/* Explanations of the codes that this layer raises. The start, and equations of motion that cannot
 * be solved. */
#include <stddef.h>

#include "base/explain.h"

const pw_explanation pw_explain_mech[] = {
    {"E0273",
     "With `method moreau` (or `auto` with many shapes) in its `run` line a model does not write\n"
     "out all pairs of shapes that may touch; steps find those that are near. Other methods, and\n"
     "`gauss`, `equilibria` and `bvp`, need each pair as a law. Write `method event` into the "
     "`run`\n"
     "line; then pairs of polygons, boxes, hulls and cylinders with each other are not known\n"
     "(E0253).\n"},
    {"E0190",
     "The model is too large to be compiled.\n\n"
     "Its expressions or their derivatives take more memory than a model may. Use fewer members\n"
     "in families, and shorter sums.\n"},
    {"E0268", "Friction on an equality, `friction rub: slip r*th', mu m on pin`, is bounded by the "
              "force in the pin.\n"
              "The friction changes that force. Where it changes it by less than itself there is "
              "one solution;\n"
              "beyond that there may be none, as here: the mechanism would lock or run away "
              "(engineering (E2)).\n"
              "Use a smaller coefficient or a larger lever, or give the bound yourself: `bound "
              "F`.\n"},
    {"E0269",
     "The bound of a friction contains the force of this constraint, but other constraints hold\n"
     "the same, so that only the sum of their forces is determined. Remove the redundant\n"
     "constraints (`pawl check` lists them), put a spring in place of one of the constraints, or\n"
     "give the bound yourself: `bound F`.\n"},
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
     "A restitution that depends on the state is outside 0..1 at the start.\n"
     "\n"
     "Above 1 every impact gains energy; `run ..., restitution-above-one allow` permits that.\n"
     "Below 0 the bodies would move on into each other.\n"},
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
    {"E0321", "The mass matrix, the second derivative of the kinetic energy by the velocities, "
              "must be positive\n"
              "definite: every motion must carry positive energy. It is not at the state "
              "shown. Typical causes are a\n"
              "negative or zero mass, a coordinate with no inertia of its own in a special "
              "position, and polar angles\n"
              "at the pole (use `rotation`).\n"},
    {"W0330", "Some constraints follow from the others, as in a table on four legs. The motion "
              "is unique, the single\n"
              "forces are not: the smallest ones are reported and marked with `*`. To make "
              "them unique, remove a\n"
              "constraint or make a support elastic. Where such a force bounds a friction, the "
              "motion depends on it\n"
              "and is not unique either: it is the one with the smallest forces.\n"},
    {"E0331",
     "Some constraints contradict each other: their rates cannot vanish together at this state.\n"
     "The motion cannot satisfy all of them. The message names the constraints involved.\n"},
    {"E0340", "An expression is not a finite number at the start: a division by zero, the "
              "square root or logarithm of\n"
              "a negative number, or an overflow. The message shows which one. Start "
              "elsewhere, or rewrite it.\n"},
    {"W0341",
     "A constraint is realised by a force that oscillates so fast that the run takes very many\n"
     "steps.\n"
     "\n"
     "With `viscous N, stiffness K` and N^2 D < 4 K (D = J M^-1 J^T, an inverse mass) the force "
     "is\n"
     "an oscillation of the angular frequency sqrt(K D), and all of its periods are followed. The\n"
     "number of steps is for the usual tolerance; a one-sided constraint takes so many only while\n"
     "it acts. The result is right, but costs. A force that is damped more strongly costs "
     "nothing:\n"
     "implicit steps are taken there (`method radau`, or `event`, which chooses them by "
     "itself).\n"},
    {"E0514", "A constraint could not be held to the tolerance: the correction of the state "
              "did not converge. Usually\n"
              "the constraints become singular there, for example at a dead centre or where "
              "two of them coincide.\n"},
    {"E0512", "During the run an expression became infinite or undefined. The time, the state "
              "and the expression are\n"
              "shown; results up to that time are kept.\n"},
    {"E0561",
     "The command has no meaning for a model with signals.\n\n"
     "States, samples, inputs and delays belong to a motion from a given start. Boundary\n"
     "value problems and equilibria are about positions and forces alone: replace a signal by\n"
     "a parameter or an expression there.\n"},
    {NULL, NULL}};
