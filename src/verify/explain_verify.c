// SPDX-License-Identifier: MIT
/* Explanations of the codes that this layer raises. Tables to be certified. */
#include <stddef.h>

#include "base/explain.h"

const pw_explanation pw_explain_verify[] = {
    {"E0620",
     "The file with the trajectory cannot be read.\n\n"
     "`pawl certify M.pawl FILE.csv` reads a text file whose first line names the columns.\n"},
    {"E0621", "A column is missing, or there twice.\n\n"
              "A trajectory needs `t` and every position of the model, under the names that\n"
              "`pawl check` shows; velocities (`x'`) and forces (`force(c)`) are used if they are\n"
              "there. All values in SI units, angles in radians.\n"},
    {"E0622", "A row of the file cannot be read.\n\n"
              "Every row has as many fields as the first line names columns, and in the columns\n"
              "that are used every field is a finite number with a decimal point.\n"},
    {"E0623", "Times are not in order.\n\n"
              "Rows follow each other in time. Two rows at the same time are the two sides of an\n"
              "instant at which velocities jump.\n"},
    {"W0624", "Some velocities or forces are there, but not all.\n\n"
              "Velocities are used only if all of them are there, forces likewise; otherwise\n"
              "velocities come from the positions, and forces are whatever the laws allow.\n"},
    {"W0625",
     "Some columns are not read.\n\n"
     "Time, positions, velocities (`x'`) and forces (`force(floor)`) are found by the names\n"
     "that `pawl run` gives them in `trajectory.csv`. Other columns change nothing; a\n"
     "misspelt velocity or force is not checked.\n"},
    {NULL, NULL}};
