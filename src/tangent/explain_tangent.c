// SPDX-License-Identifier: MIT
/* Explanations of the codes that this layer raises. Derivatives of motions. */
#include <stddef.h>

#include "base/explain.h"

const pw_explanation pw_explain_tangent[] = {
    {"E0680",
     "`--gradient` takes names of parameters and of start values, separated by commas:\n\n"
     "    pawl run pendulum.pawl --gradient l,th,th'\n\n"
     "The model has neither a parameter nor a position or velocity of this name. Vectors are\n"
     "named by component: `x[2]`, `ball.p[1]`.\n"},
    {"E0681",
     "Derivatives along a motion are computed with the motion, by its variational equations and\n"
     "the conditions of its impacts. Delays, samples, multipliers that are states (vakonomic and\n"
     "inertia laws), contacts of bodies whose mass matrix depends on the velocities, and the\n"
     "methods with fixed steps have none in this version. Two runs with neighbouring values show\n"
     "what changes.\n"},
    {NULL, NULL}};
