// SPDX-License-Identifier: MIT
/* Explanations of the codes that this layer raises. Units for co-simulation. */
#include <stddef.h>

#include "base/explain.h"

const pw_explanation pw_explain_fmu[] = {
    {"E0670",
     "A file that goes into every unit cannot be read.\n\n"
     "`pawl export --fmu3` packs the sources of the library and a binary for this machine\n"
     "into the unit. They are installed with the program; PAWL_FMU_KIT in the environment\n"
     "names another list of them.\n"},
    {NULL, NULL}};
