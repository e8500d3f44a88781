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
    {"E0668",
     "Two motions are compared that have other coordinates.\n\n"
     "A distance is that of two curves in one space: run one model with two values of a\n"
     "parameter, or two models whose coordinates have the same names in the same order.\n"},
    {"E0669", "Two motions are compared at times that one of them does not have.\n\n"
              "Without `-t` all of the time is taken that both of them have.\n"},
    {NULL, NULL}};
