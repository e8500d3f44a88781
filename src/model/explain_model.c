// SPDX-License-Identifier: MIT
/* Explanations of the codes that this layer raises. The meaning of a model. */
#include <stddef.h>

#include "base/explain.h"

const pw_explanation pw_explain_model[] = {
    {"E0265", "A part is a name like others, but for two: `d.x` means the rate of x on the command "
              "line, and\n"
              "`energy.total` is an energy.\n"},
    {"E0266",
     "Parameters of a part may be set after its name, each once:\n"
     "  include \"wheel.pawl\" as left, r = 0.2 [m]\n"
     "  include \"link.pawl\" as link[i in 1..4], m = 0.1 [kg]*i, link[2].m = 0.3 [kg]\n"
     "  include \"leg.pawl\" as leg, foot.r = 0.1 [m]\n"
     "Nothing else of a part can be set there; start values are set by `start left.x = ...`.\n"},
    {"N0265", "The `model`, `run` and `expect` lines of a file belong to the file when it is run "
              "alone. Where it is\n"
              "included as a part they are left out.\n"},
    {"E0261", "A joint connects two different bodies, or a body with space, which is called "
              "`ground`:\n"
              "  joint hip: revolute, ground at (0, 0, 1), leg at (0, 0, l/2), axis (0, 1, 0)\n"
              "No name of the model can be `ground` where a joint uses the word.\n"},
    {"E0262", "Points and axes of a joint belong to bodies: in the frame of a body they do not "
              "depend on the\n"
              "motion. A point may depend on the time, which moves the joint; an axis is made of "
              "numbers and\n"
              "parameters. What slides along a curve is a `constraint`.\n"},
    {"E0263", "Revolute, prismatic, cylindrical, universal and planar joints have an axis, given "
              "in the frame of\n"
              "the first body, of any length but zero. It has the same components in the second "
              "body, so that the\n"
              "frames of both coincide where `angle` is 0. The second axis of a universal joint "
              "belongs to the\n"
              "second body; without it, it is the next one in the order x, y, z, across the "
              "first.\n"},
    {"E0264", "`angle(j)` is the angle of revolute, cylindrical and planar joints, `shift(j)` the "
              "way of\n"
              "prismatic, cylindrical and planar ones (two components), `moment(j)` the moment of "
              "any joint.\n"
              "`force j: M` and `by j` drive the one freedom of a revolute or prismatic joint.\n"},
    {"E0101", "The model uses a name that nothing defines. Names are case-sensitive; they are "
              "parameters,\n"
              "coordinates, rotations, bodies, definitions made with `let`, energies, laws, "
              "events and outputs.\n"
              "If a similar name exists, the message proposes it. Otherwise define the name "
              "above this line:\n"
              "  parameter length = 0.5 [m]\n"},
    {"E0102",
     "A name can be used only below the line that defines it, and a definition cannot use\n"
     "itself. Read from top to bottom, every name is defined before it is used. Move the\n"
     "definition up. `energy.kinetic` and its kin are sums of all energies and can be used below\n"
     "the last of them.\n"},
    {"E0103", "Every name has one meaning in the whole model: a parameter, a coordinate, a "
              "law, an output and so on\n"
              "cannot share a name. Several `kinetic` (`potential`, `dissipation`) lines add "
              "up; give each its own\n"
              "name, or write one sum.\n"},
    {"E0105",
     "The expression has the wrong kind of value for its place: a vector where a "
     "number is needed, a\n"
     "family without an index, a body or a rotation in a sum, a law where its force was meant.\n"
     "  (a, b)[1]        a component of a vector\n"
     "  dot(a, b)        the product of two vectors that is a number; cross(a, b) is "
     "the other one\n"
     "  x[3]             a member of a family\n"
     "  R*(1, 0, 0)      a rotation applied to a vector\n"
     "  b.p, b.R, b.w    the parts of a body\n"
     "  force(c)         the multiplier of a law\n"},
    {"E0106", "Vectors are combined component by component and must have the same length. The "
              "same holds for the\n"
              "two sides of a relation, the two pieces of `if`, a point and the force at it, "
              "and a start value.\n"
              "The cross product exists for vectors of 3, and in the plane, where it is the "
              "number a1*b2 - a2*b1.\n"},
    {"E0107", "An index must be an integer inside the range of its family, or 1 to the number "
              "of components of a\n"
              "vector. It may be computed from parameters and from the index of the family or "
              "sum around it.\n"},
    {"E0119",
     "A member of a family of parameters, or a component of a vector, may be given its own value\n"
     "after the definition of the whole and before anything uses it:\n"
     "  parameter k[i in 1..4] = 100 [N/m], k[2] = 150 [N/m]\n"
     "  parameter a = (0, 0, 1), a[3] = 2\n"
     "Later it would have two values.\n"},
    {"E0108",
     "A call needs a function and the right number of its arguments. Functions of the "
     "language are\n"
     "  sin cos tan asin acos atan atan2 sinh cosh tanh exp log sqrt abs sign min max hypot\n"
     "  dot cross norm sum axis if\n"
     "and those made with `let f(x, y) = ...`. A product always needs `*`: write 2*(x "
     "+ 1), not x(3).\n"},
    {"E0109",
     "Only some names have parts, written after a dot:\n"
     "  a rotation R   R.q quaternion, R.w angular velocity in space axes, R.W in body axes\n"
     "  a body b       b.p position of the mass centre, b.R its rotation, b.w, b.W\n"
     "  energy         energy.kinetic, energy.potential, energy.total, energy.lost (in results "
     "only)\n"},
    {"E0110", "This value must be a finite number known before the run, made of numbers and "
              "parameters: parameters\n"
              "themselves, indices, ranges, start values, times, tolerances. It cannot contain "
              "coordinates or `t`,\n"
              "and cannot be infinite or undefined, such as 1/0 or log(-1).\n"},
    {"E0111", "The laws of motion determine accelerations, so a model cannot be built from "
              "them. They may be looked\n"
              "at in `output`, `plot`, `expect` and `event`. A prime raises the order: if w "
              "contains velocities, w'\n"
              "is an acceleration. Third derivatives, and rates of forces and integrals, do "
              "not exist at instants\n"
              "where a force jumps and are never available.\n"},
    {"E0112", "`force(c)` and `impulse(c)` are results. They may be used in `output`, `plot`, "
              "`draw`, `expect` and\n"
              "`event`, and in `start force(c) = ...` for laws whose force is a state. A force "
              "that depends on\n"
              "another force would make the laws of motion implicit. Friction that depends on "
              "a normal force has\n"
              "its own statement, which solves for both together:\n"
              "  friction rub: slip x', mu 0.3 on floor\n"},
    {"E0113", "The bounds of a family or a sum must be integers, the first not above the last "
              "(a range that is empty\n"
              "by exactly one, such as 2..1, is allowed for laws and sums), with at most a "
              "million members in all.\n"},
    {"E0114",
     "Written out, with every family, sum and function call expanded, the model "
     "exceeds the limits of this\n"
     "program (20 million expressions, 5 million different ones, nesting of 500 "
     "levels). Functions that\n"
     "call functions twice double at every level: name intermediate results with `let`.\n"},
    {"E0115", "`in a..b` gives the legal range of a parameter. The value, also one from the "
              "command line, must lie in\n"
              "it, and a must not be larger than b.\n"},
    {"E0116", "The names of energies and outputs are results: they can be used in `output`, "
              "`plot`, `draw`, `expect`\n"
              "and `event` only. To use the same expression in the model, define it with `let` "
              "above both.\n"},
    {"E0117", "NAME=VALUE on the command line replaces the value of a parameter or a start value:\n"
              "  pawl run ball.pawl e=0.8 \"y=2 [m]\" d.y=-1\n"
              "Start values are named as in the results: y, y' (or d.y without quoting), x[3], "
              "ball.p[1], ball.w[2].\n"},
    {"E0118",
     "`--realise NAME=HOW` changes how a constraint is realised, as if its clauses had been "
     "edited:\n"
     "  nonholonomic, ideal    the constraint alone, with its ideal reaction\n"
     "  vakonomic              stationary action among the curves that satisfy it\n"
     "  viscous:N, viscous:N:K a viscous force, with the stiffness K for positions\n"
     "  inertia:PHI            a servo-constraint of type II\n"
     "  servo:x                a servo-constraint of type I with a force along x\n"
     "The model in the results folder has the change in its text.\n"},
    {"E0191", "The model has more coordinates or laws than can be computed.\n\n"
              "Matrices are kept as a whole, so memory grows with the square of the number of\n"
              "velocities. Use fewer members in families.\n"},
    {"E0201", "A constraint must contain a coordinate or a velocity. A relation between "
              "numbers, or between numbers\n"
              "and the time, does not restrict the motion: it is true or false by itself.\n"},
    {"E0202",
     "A constraint `g >= 0` on positions is reached with some velocity, and the rebound is a\n"
     "property of the bodies for which there is no sensible default. State it:\n"
     "  restitution e    Newton: the normal velocity is reversed and multiplied by e\n"
     "  poisson e        Poisson: the impulse of expansion is e times that of compression\n"
     "  viscous N, stiffness K    no impact: the contact is a spring with a damper\n"},
    {"E0203", "A clause without effect is refused, since it was probably meant to do something.\n"
              "  restitution, poisson   only for inequalities on positions, which have impacts\n"
              "  vakonomic              only for constraints with velocities; on positions it "
              "changes nothing\n"
              "  stiffness              only with `viscous` on positions, and in `spring`\n"
              "  reservoir, complementary    only with `inertia` and `>=`\n"},
    {"E0204", "Two clauses that exclude each other, or the same clause twice. An impact has "
              "one law, a constraint is\n"
              "realised in one way (ideal, vakonomic, inertia or viscous), friction has one of "
              "`mu`, `bound` and\n"
              "`rough`.\n"},
    {"E0205",
     "The number is outside the range that the law allows: restitution and poisson lie in 0..1;\n"
     "coefficients of friction, bounds, stiffnesses, viscosities and preloads are not negative;\n"
     "a sticking bound (`static`) is not below the sliding one; the two values of `mu (m1, m2)`,\n"
     "masses and moments of inertia are positive.\n"},
    {"W0205",
     "No distribution of mass has these moments of inertia: of the principal moments, each is at "
     "most the sum\n"
     "of the other two (a flat plate has equality). The motion is computed with the numbers as "
     "they are. The\n"
     "usual causes: moments about another point than the mass centre, products of inertia with "
     "the wrong\n"
     "sign, or made-up numbers in an imported robot.\n"},
    {"E0206",
     "`mu ... on c` and `rough on c` need the normal force of a contact: a constraint `g >= 0`\n"
     "on positions. For other laws give the bound of the friction yourself: `friction f: slip v,\n"
     "bound F`. This also applies to a compliant contact (`viscous N, stiffness K`), whose force\n"
     "is an expression:\n"
     "    friction f: slip x', bound if(y < 0, mu*max(-K*y - N*y', 0), 0)\n"},
    {"E0207", "A constraint acts on the motion along its gradient. Here the gradient vanishes "
              "identically, for\n"
              "example because the expression contains `sign`, which is constant on both "
              "sides. No force could ever\n"
              "enforce it.\n"},
    {"E0208",
     "A slip is a relative velocity: friction and laws of velocities act on it. A stretch is a "
     "length or an\n"
     "angle: springs and laws of positions act on it, and it contains no velocities.\n"
     "\n"
     "A slip is linear in the velocities: `x' - v0`, `x'*cos(th) - r*ph'`, not `x'^2`. Its force\n"
     "acts along its gradient, and the power lost is force times slip. Write a dependence on the\n"
     "size of the slip in the law: `bound F0 + c*slip^2`; a smooth resistance is `dissipation`\n"
     "or `force`.\n"},
    {"E0209", "A graph is a chain of at least two points (x, f) that never falls: from each "
              "point to the next both\n"
              "numbers stay or grow, and at least one grows. Vertical pieces make the force "
              "set-valued. Only the\n"
              "first and last point may hold `inf`. The play of a spring is a range a..b with "
              "a not above b.\n"},
    {"E0210",
     "The sign of a velocity is dry friction. At velocity zero the force is not a number but a\n"
     "range: it takes whatever value holds the body at rest, up to a bound. An integrator cannot\n"
     "step over this; it needs the law itself. State it:\n"
     "  friction rub: slip x', bound mu*m*g       a given bound\n"
     "  friction rub: slip x', mu 0.3 on floor    Coulomb, with the normal force of a contact\n"},
    {"E0211", "The kinetic energy must be smooth in the velocities: its second derivative is "
              "the mass matrix. A force\n"
              "that jumps or changes its slope with a velocity is a `friction`, or a `law` "
              "with `slip` and a graph.\n"},
    {"E0212", "A potential depends on positions and time. Forces that depend on velocities are "
              "`dissipation` (damping)\n"
              "or `force`. Terms of a Lagrangian that are linear in the velocities belong into "
              "`kinetic`.\n"},
    {"E0213", "The force of a dissipation D is -dD/dq', so a D without velocities does "
              "nothing. Linear damping with\n"
              "coefficient c is `dissipation D = 1/2*c*x'^2`.\n"},
    {"E0215", "A force acts on a coordinate or at a point:\n"
              "  force x: F              generalised force on x\n"
              "  force b.p: (Fx, Fy, Fz) force on a body; b.w, b.W: torque in space or body axes\n"
              "  force at P: (Fx, Fy)    at a point that moves with the coordinates\n"
              "Families take one member at a time. Rates are not targets: the force on x does "
              "work with x'.\n"},
    {"E0217", "The law is incomplete. A friction needs `bound F`, `mu m on c` or `rough on c`; "
              "a spring needs\n"
              "`stiffness` or `preload`; a law needs `graph`; a servo needs `by`; a viscous "
              "constraint on positions\n"
              "needs `stiffness`.\n"},
    {"E0218",
     "`by` names the coordinates along which the servo pushes: one, or several with factors,\n"
     "  servo hold: th = 0.1*sin(t), by x\n"
     "  servo hold: th = 0.1*sin(t), by (x: 1, th: -l)\n"
     "Vectors take one component: b.p[1]. Each is named once, and not all\n"
     "factors are zero.\n"},
    {"E0219",
     "A one-sided constraint has a re-entrant corner.\n\n"
     "`max(a, b) >= 0` holds where one of two conditions does, so the forbidden side has an\n"
     "edge that points into the admissible one; there the direction of the force is not\n"
     "determined. If both conditions have to hold, write two constraints; if it is the edge of\n"
     "an obstacle, round it.\n\n"
     "The other way round, `min(a, b) >= 0` or `y - abs(x) >= 0`, all conditions have to hold,\n"
     "and the constraint becomes one law for each: c[1], c[2]. A component of a vector cannot\n"
     "be opened so, and neither can a corner that no `abs`, `max`, `min` or `if` shows, as that "
     "of\n"
     "`y - sqrt(1 - cos(x)^2) >= 0`: write it with `abs(sin(x))`.\n"},
    {"E0221", "`inertia phi` adds lambda*phi to the kinetic energy and controls lambda so that the "
              "constraint holds\n"
              "(a servo-constraint of type II). A phi without velocities adds no inertia. For a "
              "body with a flywheel\n"
              "along l: `constraint c: dot(R.W, m) = 0, inertia dot(R.W, l)`.\n"},
    {"E0222",
     "Friction with two coefficients, `mu (m1, m2)`, has an elliptic section whose shape must\n"
     "stay the same: m2/m1 is a number. Both may change together, as in\n"
     "`mu (0.4*f, 0.2*f) on c` with a function f of time, position or slip.\n"},
    {"E0223",
     "A potential or a dissipation has a kink with a slope that falls across it, wherever it is\n"
     "met:\n\n"
     "    potential V = -2*abs(x)     # a ridge: both sides push away from it\n\n"
     "Kinks of the other kind, as of 2*abs(x) or max(a, b), are laws: there the force is any of "
     "the\n"
     "generalised gradient (Glocker 1998, (4.2)). On a ridge no force is determined. Round it, or\n"
     "state what happens there as a law.\n\n"
     "Kinks that no `abs`, `max`, `min` or `if` shows are refused, too: write abs(sin(x)) for\n"
     "sqrt(1 - cos(x)^2).\n"},
    {"E0250",
     "A shape is a kind, its place and its size:\n"
     "  shape d: disk (x, y), radius r, angle ph\n"
     "  shape s: segment P, Q\n"
     "  shape p: polygon (x, y), angle ph, (0, 0)(1, 0)(0, 1)\n"
     "  shape w: plane P, N                    N points to the free side\n"
     "and in space, of a body or a point: `sphere b, radius r`, `capsule b, radius r, size "
     "l`,\n"
     "`box b, size (a, b, c)`, `cylinder b, size (r, h)`, `hull b, (..)(..)(..)(..)`.\n"},
    {"E0251", "Sizes of shapes are numbers above zero that are known before the run: parameters, "
              "not\n"
              "functions of the motion. A point without size is a `constraint`.\n"},
    {"E0252", "A contact lists shapes, or families of shapes, and then its clauses:\n"
              "  contact pile: d, ground, restitution 0.2, mu 0.4\n"},
    {"E0253",
     "Pawl has no gap and normal for this pair, or one shape lies in the plane and the other in\n"
     "space. The event method knows disks and polygons in the plane, and in space spheres with\n"
     "spheres, capsules and boxes, and all shapes but cylinders with planes; `method moreau`\n"
     "knows all but cylinders with boxes, hulls, capsules and cylinders. Write a `constraint`\n"
     "for the pair, or list the shapes in several contacts, so that they do not meet.\n"},
    {"E0254", "Every pair of the shapes of a contact is written out. List fewer of them, or those "
              "that can\n"
              "reach each other, in several contacts.\n"},
    {"E0270",
     "The corners of this polygon or hull do not enclose a convex body: they lie on a line or in "
     "a\n"
     "plane, two of them are one, the polygon turns inward somewhere or crosses itself, or they\n"
     "are not numbers. Contacts between polygons, boxes and hulls need convex ones. A body of\n"
     "another form is made of several shapes that follow the same coordinates.\n"},
    {"E0255", "None of the pairs of this contact changes its distance: all shapes are fixed, or on "
              "one\n"
              "body.\n"},
    {"E0300", "Start values and forces belong to coordinates: x, x', x[3], b.p, b.p', b.R, "
              "b.w, R, R.w. Everything\n"
              "else follows from them. A rotation starts with an axis and an angle, `R = "
              "axis(0, 0, 1, 30 [deg])`.\n"},
    {"E0304",
     "A start value is given once. A family name without an index sets every member, and\n"
     "`x[i in 1..3] = ...` sets several; a single member named later, `x[2] = 1`, overrides them.\n"
     "b.w and b.W are the same angular velocity in two systems of axes.\n"},
    {"E0306",
     "`c closed` states that a one-sided constraint starts closed: a contact `g >= 0` with its\n"
     "gap and its gap rate zero, a constraint on velocities `f >= 0` with f zero. Equalities\n"
     "always hold, and friction sticks or slips according to the velocities.\n"},
    {"E0307",
     "The force of a law follows from the motion. Only `vakonomic` and `inertia` laws have a\n"
     "multiplier that is a state and needs a start value: `start force(c) = 0.2`.\n"},
    {"E0308",
     "axis(u1, u2, u3, angle) turns about the direction (u1, u2, u3), which need not "
     "have length 1 but must\n"
     "not be zero. No rotation at all is what a rotation starts with if nothing is said.\n"},
    {"E0309",
     "An `end` statement gives the end point of a boundary value problem (`pawl bvp`): a "
     "position.\n"
     "\n"
     "    end y = 0.8 [m]\n"
     "\n"
     "The solution determines the velocities and forces with which the motion arrives there.\n"},
    {"E0320",
     "The velocity of a coordinate does not occur in the kinetic energy, and nothing else\n"
     "determines how it moves. Add the missing energy, or define the quantity with `let`.\n"
     "A coordinate without inertia is right where constraints hold it, or where the forces on it\n"
     "balance for one rate (a damper acts on it) or at one place (springs do). Springs with play,\n"
     "frictions with a `bound`, contacts on positions and servos that hold it may act on it too,\n"
     "also between several such coordinates; beside springs alone the start values are then given\n"
     "by `=`. The message says what leaves a choice, as a bound that contains the slip, or "
     "frictions\n"
     "on two bodies that move: there, give the coordinate a small mass.\n"},
    {"E0322", "A model needs something that moves: `coordinates`, a `rotation` or a `body`.\n"},
    {"E0323",
     "The equations of motion come from the kinetic energy, which the model does not state:\n"
     "  kinetic T = 1/2*m*x'^2\n"
     "A `body` brings its own.\n"},
    {"W0332", "The multiplier of a `vakonomic` or `inertia` law is a state: motions with the same "
              "positions and\n"
              "velocities and another multiplier are different motions. Nothing in the model "
              "decides it, so it\n"
              "should be said, `start force(c) = 0.2`; without a value it starts at 0.\n"},
    {"E0401", "An event is a clock, `every T` with a positive period, or a relation that "
              "becomes true during the run.\n"
              "A relation must contain a coordinate, a velocity or the time. `rising` and "
              "`falling` choose a direction\n"
              "of a relation; a clock has none.\n"},
    {"E0402", "Shapes and their arguments:\n"
              "  line P, Q, R...    polygon P, Q, R...   point P   spring P, Q   arrow P, V   "
              "text P, \"...\"\n"
              "  circle C, radius r      box C, size (w, h), angle a     plane P, N\n"
              "  sphere b, radius r      box b, size (a, b, c)           cylinder b, size (r, h)\n"
              "P, Q, C are points (x, y) or (x, y, z), not mixed; b is a body.\n"},
    {"E0403", "`run a..b` needs a before b, both finite numbers.\n"},
    {"E0404",
     "Options of `run` are\n"
     "  tol 1e-9   every 0.01   step 1e-3   method WORD   max-steps N   max-events N\n"
     "  impacts simultaneous|sequential   energy-gain allow|stop   paradox strict|iwc|enumerate\n"
     "  start-impact allow   restitution-above-one allow   validate on|off\n"
     "each at most once; numbers are positive.\n"},
    {"E0405", "An expectation compares two values within a positive tolerance, at the end of "
              "the run, at a time or at\n"
              "an event:\n"
              "  expect x = 1.25 +- 1e-6 at t = 2\n"
              "  expect t = 0.4515236 +- 1e-6 at impact 1 of floor\n"
              "Kinds of events are impact close liftoff stick slip reverse engage release rest "
              "strobe user stop, and\n"
              "`event` for any; they are counted from 1.\n"},
    {"E0406", "A model has one title (`model \"...\"`) and one `run` line. Included files must "
              "not repeat them.\n"},
    {NULL, NULL}};
