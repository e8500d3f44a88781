// SPDX-License-Identifier: MIT
#include <stddef.h>

#include "base/explain.h"

const pw_explanation pw_explain_run[] = {
    {"E0601", "There is no time span.\n\n"
              "Say in the model from when to when it runs, or give a span on the command line:\n\n"
              "    run 0..10\n"
              "    pawl run ball.pawl -t 0..10\n"},
    {"E0602", "The time span has no length.\n\n"
              "Time goes forward: in `run A..B` the first number is smaller than the second, and\n"
              "both are finite.\n"},
    {"E0603",
     "A run option has a value that it cannot have.\n\n"
     "`tol` is the relative error per step, between 1e-14 and 1e-2; `every` the time between\n"
     "rows; `step` the largest step; `method` is `event` (chosen by the tolerance), `dp5`,\n"
     "`dop853`, `moreau` or `variational`; `max-seconds` the wall time.\n"},
    {"E0604", "The format cannot be written by this build.\n\n"
              "HDF5 is used if it is there when Pawl is built (Debian package libhdf5-dev). `npz`\n"
              "holds the same columns and is always available.\n"},
    {"W0605",
     "An output is not a number at some time of the run; the motion itself is not affected.\n\n"
     "A root or a logarithm of a negative number, 0/0 or inf - inf gives such values. In the "
     "tables\n"
     "they stand as `nan`.\n"},
    {"W0606",
     "The energy at the end is not the energy at the start plus work minus losses.\n\n"
     "Work and losses are integrated with the motion; what does not add up (`unexplained` in the\n"
     "energy line) is the error of the integration. Every step may be off by the tolerance; here\n"
     "it is more than all steps and events together may be. A force or potential that changes\n"
     "within one step can pass unseen: a narrow spike, or a wall written as a steep force.\n"
     "Limit the step or try a smaller tolerance, and compare the motions:\n\n"
     "    pawl run M.pawl --step 1e-4\n"
     "    pawl run M.pawl --tol 1e-12\n\n"
     "State walls and friction as laws (`constraint`, `friction`), which are met exactly.\n"},
    {"E0610",
     "A file of the results folder cannot be written.\n\n"
     "The disk may be full or the place not yours to write to. What was computed up to the\n"
     "last second is in the folder's .partial; when there is room again,\n\n"
     "    pawl run --resume DIR\n\n"
     "goes on from there.\n"},
    {"E0611",
     "The folder is not a results folder.\n\n"
     "An existing folder is replaced only if an earlier run has written it, that is, if it\n"
     "holds a summary.json by Pawl, or a folder .partial with files of a run alone, not a link;\n"
     "by `pawl bvp`, if it holds nothing but its tables 1.csv, 2.csv and so on. Choose another\n"
     "one with `-o DIR`.\n"},
    {"E0612", "There is nothing to resume, or it is damaged.\n\n"
              "Only a run that was killed leaves a .partial behind; a run that ended, early or by\n"
              "Ctrl-C, has written its files. Data of another version of Pawl is not taken up,\n"
              "since the motion would not go on with the same digits.\n"},
    {"E0613", "Another process is writing to the same results folder.\n\n"
              "Wait for it, or choose another folder with `-o DIR`.\n"},
    {"E0614", "The stored trajectory cannot be read.\n\n"
              "motion.pwt is written by `pawl run` into every results folder; folders by older\n"
              "versions have none.\n"},
    {"E0615", "The stored trajectory is damaged or of another version.\n\n"
              "Every block of motion.pwt has a checksum. Run the model again.\n"},
    {"E0616", "The results folder holds a run that was killed.\n\n"
              "What it has computed is not thrown away without a word. Either of\n\n"
              "    pawl run --resume DIR\n"
              "    pawl run M.pawl --force\n\n"
              "takes it up where it was, or replaces it.\n"},
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
    {"W0711",
     "`pawl bvp` looks for the velocities with which a motion goes from the `start` positions to\n"
     "the `end` positions in the given time. A velocity in `start` is not used then. Delete it,\n"
     "or write `~` instead of `=`: `pawl run` starts with it all the same.\n\n"
     "    start x = 0, x' ~ 2\n"},
    {"E0711",
     "The `end` of a boundary value problem lies behind a wall: a constraint `g >= 0` is violated\n"
     "there, so no motion can arrive. Change the end or the constraint.\n"},
    {"E0712",
     "The `end` of a boundary value problem does not satisfy a constraint on positions, so no\n"
     "motion can arrive. Give positions that satisfy it, or leave one of them free: `end y ~ "
     "0`.\n"},
    {NULL, NULL}};
