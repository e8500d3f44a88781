// SPDX-License-Identifier: MIT
/* Explanations of the codes that this layer raises. Gauss' principle at an instant, and equilibria.
 */
#include <stddef.h>

#include "base/explain.h"

const pw_explanation pw_explain_static[] = {
    {"E0701",
     "The state violates a law.\n\n"
     "`pawl gauss` looks for the accelerations and forces of one state. At a state that a\n"
     "one-sided law forbids (a body inside a wall, a one-way clutch turning backward) there is\n"
     "nothing to look for: give start values that satisfy it, or let the motion run with\n"
     "`--at T`.\n"},
    {"E0702",
     "A friction has a negative bound, or one that is no number, at this state.\n\n"
     "A bound is the largest force the friction can have, a coefficient the bound per normal\n"
     "force; both are 0 or more wherever the motion goes. Guard an expression that can turn\n"
     "negative, for example with `max(0, ...)`.\n"},
    {"E0703",
     "Forces or laws change with time, so that there is no equilibrium to find.\n\n"
     "Set the parameters that drive the system to zero on the command line (`pawl equilibria\n"
     "M.pawl A=0`), or ask for the balance at one instant with `--at T`: time then stands "
     "still.\n"},
    {"E0901",
     "The statement is correct, but this version cannot compute it yet.\n"
     "\n"
     "`pawl equilibria` does not treat `vakonomic` and `inertia` laws; all other commands do.\n"},
    {NULL, NULL}};
