// SPDX-License-Identifier: MIT
/* Explanations of the codes that this layer raises. Stored trajectories. */
#include <stddef.h>

#include "base/explain.h"

const pw_explanation pw_explain_traj[] = {
    {"E0614", "The stored trajectory cannot be read.\n\n"
              "motion.pwt is written by `pawl run` into every results folder; folders by older\n"
              "versions have none.\n"},
    {"E0615", "The stored trajectory is damaged or of another version.\n\n"
              "Every block of motion.pwt has a checksum. Run the model again.\n"},
    {NULL, NULL}};
