// SPDX-License-Identifier: MIT
#include <stddef.h>

#include "base/explain.h"

const pw_explanation pw_explain_study[] = {
    {"E0540",
     "A study needs a motion to compare with, computed at the smallest tolerance that can be\n"
     "reached, and that motion ended early: a run-time error, too many events, or too many\n"
     "steps. `pawl run` shows it with its place. A shorter span (-t A..B) may do.\n"},
    {"E0541",
     "`pawl realise` compares realisations of a constraint with the ideal one: equalities on\n"
     "positions and velocities, contacts, and inequalities on velocities. The law that was named\n"
     "is a family without members.\n"},
    {"E0542",
     "The constraint has no force along the ideal motion, or nothing moves, so that every\n"
     "realisation gives the same motion, and the sizes of viscosities and stiffnesses, which\n"
     "follow from force, speed and path, are not determined. Start elsewhere.\n"},
    {NULL, NULL}};
