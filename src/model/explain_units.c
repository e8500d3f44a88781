// SPDX-License-Identifier: MIT
/* Explanations of the codes that this layer raises. Units and dimensions. */
#include <stddef.h>

#include "base/explain.h"

const pw_explanation pw_explain_units[] = {
    {"E0150",
     "Unknown unit of measure.\n"
     "\n"
     "A unit follows a number in brackets, `9.81 [m/s^2]`, and converts it to SI. It is a\n"
     "product of names with whole powers: m g s A K mol cd rad deg rev Hz N Pa J W C V F ohm S\n"
     "Wb T H min h d L t bar eV and a few more, most of them with a prefix (mm, kN, us).\n"
     "Products need their sign: `N*m`, not `Nm`. Case matters: `kg`, `Hz`.\n"},
    {"N0150",
     "Dimensions were checked only as far as they are known.\n\n"
     "A parameter given as a bare number and a coordinate started without a unit have no known\n"
     "dimension, and what they occur in is not checked. Give each a unit, `k = 10 [N/m]`, or\n"
     "`[1]` for a pure number. Models without any unit get no such note.\n"},
    {"E0151",
     "A sum, a difference, a comparison or a function such as `min` joins different dimensions.\n\n"
     "    let s = x + x'          # metres and metres per second\n\n"
     "Bare numbers inside expressions are pure numbers, so `x + 1` is wrong for a length x: write\n"
     "`x + 1 [m]`. Only 0 and inf suit every sum. A prime divides by seconds; t is in seconds.\n"},
    {"E0152",
     "A function that takes pure numbers only was given a quantity with a dimension.\n\n"
     "    sin(x)                  # x a length: write sin(x/l), or sin(k*x) with k in [1/m]\n\n"
     "Angles are pure numbers: `30 [deg]` is 0.5236. `sin(3*t)` is allowed: a bare factor of t\n"
     "counts as a rate in 1/s.\n"},
    {"E0153", "An exponent has a dimension. Divide it by a quantity of the same dimension.\n"},
    {"E0154",
     "A kinetic or potential energy is not in J = kg*m^2/s^2, or a dissipation not in W = J/s.\n\n"
     "Usually a mass, a length or a power is missing: `1/2*m*x'` for `1/2*m*x'^2`.\n"},
    {"E0155",
     "A force, mass or inertia has the wrong dimension.\n\n"
     "The force on a coordinate does work along it, so its dimension is J divided by that of the\n"
     "coordinate: N for a length, J = N*m for an angle. A mass is in kg, a moment of inertia in\n"
     "kg*m^2.\n"},
    {"E0156", "The two sides of a relation differ in dimension.\n\n"
              "    constraint floor: y >= 0.1          # y a length: write 0.1 [m]\n"},
    {"E0157",
     "A clause of a law has the wrong dimension.\n\n"
     "The multiplier of a law times its function is an energy (functions of positions) or a power\n"
     "(functions of velocities). From that follow all others: `bound` and `preload` are like the\n"
     "multiplier, `stiffness` is multiplier per stretch, `play` is like the stretch, a graph has\n"
     "points (argument, multiplier). `restitution` and `poisson` are pure numbers, and so is `mu`\n"
     "if the slip is a speed and the contact a distance.\n"},
    {"E0158",
     "A start value or a limit of a parameter has a different dimension from its quantity.\n"
     "\n"
     "A coordinate takes its dimension from the first unit in its start, of its value or of its\n"
     "rate: after `start x' = 0.2 [m/s]` x is a length. A bare number stands for SI units.\n"},
    {"E0159",
     "A value in `run`, `expect` or `event ... every` has the wrong dimension.\n"
     "\n"
     "Times are in seconds; an expected value and its tolerance have the dimension of the\n"
     "expression. A bare number stands for SI units.\n"},
    {"E0160",
     "The unit in which an output is to be shown has another dimension than its expression.\n\n"
     "`output n [rpm] = a'` shows a rate of rotation in turns per minute, in plots and reports;\n"
     "files, `expect` and JSON stay in SI.\n"},
    {NULL, NULL}};
