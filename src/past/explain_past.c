// SPDX-License-Identifier: MIT
/* Explanations of the codes that this layer raises. Pasts. */
#include <stddef.h>

#include "base/explain.h"

const pw_explanation pw_explain_past[] = {
    {"E0666", "Pasts are computed for coordinates, not for rotations of bodies, and not for laws\n"
              "with one side whose multipliers are states (`vakonomic`, `inertia`). `pawl gauss "
              "--past` lists\n"
              "the accelerations before an instant for these, too.\n"},
    {"E0667",
     "A run backward in time needs one past at every instant.\n\n"
     "Friction, one-sided constraints and plastic impacts forget: a body at rest may have\n"
     "come from either side, a sleigh on its circle may have joined it at any time. The\n"
     "motion goes back while there is one past. `pawl past M.pawl --json` lists all that\n"
     "can have led to a state.\n"},
    {NULL, NULL}};
