// SPDX-License-Identifier: MIT
/* Explanations of the codes that this layer raises. Motions between two positions. */
#include <stddef.h>

#include "base/explain.h"

const pw_explanation pw_explain_bvp[] = {
    {"E0710",
     "`pawl bvp` looks for motions from the `start` to the `end` positions of a model, "
     "but the model\n"
     "has no `end`. Write the positions that are to be reached:\n\n"
     "    end x = 1 [m], y = 0 [m]\n\n"
     "Coordinates that are not mentioned end at 0, or are free if constraints on positions\n"
     "determine them; `~` instead of `=` leaves a coordinate free.\n"},
    {"W0710",
     "A coordinate is not mentioned in `end`, so its end is 0 (an orientation: no turn). That is\n"
     "often meant, and sometimes forgotten: write it, or leave the coordinate free with `~`:\n\n"
     "    end x = 1 [m], y ~ 0\n"},
    {"E0711", "The `end` of a boundary value problem lies inside a wall: a constraint `g >= 0` is\n"
              "violated there, so no motion can arrive. Change the end or the constraint.\n"},
    {"W0711",
     "`pawl bvp` looks for the velocities with which a motion goes from the `start` positions to\n"
     "the `end` positions in the given time. A velocity in `start` is not used then. Delete it,\n"
     "or write `~` instead of `=`: `pawl run` starts with it all the same.\n\n"
     "    start x = 0, x' ~ 2\n"},
    {"E0712",
     "The `end` of a boundary value problem does not satisfy a constraint on positions, so no\n"
     "motion can arrive. Give positions that satisfy it, or leave one of them free: `end y ~ "
     "0`.\n"},
    {"E0713",
     "`--ends natural` and `--end-time free` ask for motions whose action is stationary also if "
     "their\n"
     "end is varied: momenta of the free coordinates and the energy H vanish there. With\n"
     "rotations, and with equalities between coordinates that are free, these conditions are not\n"
     "the ones that hold. Describe the model by coordinates that satisfy its equalities.\n"},
    {NULL, NULL}};
