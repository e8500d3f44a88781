// SPDX-License-Identifier: MIT
/* Explanations of the codes that this layer raises. General conditions that any layer may meet. */
#include <stddef.h>

#include "base/explain.h"

const pw_explanation pw_explain_base[] = {
    {"E0192",
     "Memory ran out.\n\n"
     "The command has failed; messages before this one may be missing or cut short. Run it\n"
     "again with more memory, or with a smaller model. A run that was killed can be resumed.\n"},
    {NULL, NULL}};
