// SPDX-License-Identifier: MIT
/* Explanations of the codes that this layer raises. Equations in print. */
#include <stddef.h>

#include "base/explain.h"

const pw_explanation pw_explain_export[] = {
    {"E0640",
     "The model is too large to be written out as equations.\n\n"
     "`pawl export` writes one equation for each velocity, up to 100 of them. Families can\n"
     "be made shorter for it: `pawl export chain.pawl N=3 --latex`.\n"},
    {"E0645",
     "Part of the model cannot be expressed in the exported format.\n"
     "\n"
     "In print delays and noise are letters, x(t - T) and xi(t), so that their rates, which a\n"
     "`'` or a kinetic energy that contains them asks for, cannot be printed. Friction on\n"
     "coordinates without inertia cannot either. C has no form for it, nor for tables, samples,\n"
     "states, delays, contacts between shapes and energies with kinks.\n"
     "Rather than leave them out, `pawl export` refuses the model.\n"},
    {"E0671", "A vakonomic law, or one with inertia, has a multiplier that is a state.\n\n"
              "`pawl export --c` writes accelerations as functions of positions and velocities. A\n"
              "multiplier that is a state has an equation of its own beside them.\n"},
    {NULL, NULL}};
