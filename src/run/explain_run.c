// SPDX-License-Identifier: MIT
/* Explanations of the codes that this layer raises. Runs and their results folders. */
#include <stddef.h>

#include "base/explain.h"

const pw_explanation pw_explain_run[] = {
    {"E0601", "There is no time span.\n"
              "\n"
              "State the time span in the model, or give one on the command line:\n"
              "\n"
              "    run 0..10\n"
              "    pawl run ball.pawl -t 0..10\n"},
    {"E0602", "The time span has no length.\n\n"
              "Time goes forward: in `run A..B` the first number is smaller than the second, and\n"
              "both are finite.\n"},
    {"E0603",
     "A run option has a value that it cannot have.\n\n"
     "`tol` is the relative error per step, between 1e-14 and 1e-2; `every` the time between\n"
     "rows; `step` the largest step; `method` is `event` (chosen on the way), `dp5`,\n"
     "`dop853`, `radau`, `moreau` or `variational`; `max-seconds` the wall time.\n"},
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
    {"W0607",
     "The folder .partial of a finished run could not be removed.\n\n"
     "The results are complete. Something that Pawl did not write was put into .partial while the\n"
     "run went on, and it stays there. The next run into this folder is refused until you move\n"
     "it away.\n"},
    {"E0610",
     "A file of the results folder cannot be written.\n"
     "\n"
     "The disk may be full, or you may not have permission to write there. What was computed up\n"
     "to the last second is in the folder's .partial; when there is room again,\n"
     "\n"
     "    pawl run --resume DIR\n"
     "\n"
     "goes on from there.\n"},
    {"E0611",
     "The folder is not a results folder.\n\n"
     "An existing folder is used only if it is empty or an earlier run has written it, that is,\n"
     "if it holds a summary.json by Pawl, or a folder .partial with files of a run alone, not a\n"
     "link. No file that the run reads is replaced, and nothing that a run did not write; `pawl "
     "bvp`\n"
     "uses a folder if it holds nothing but its tables 1.csv, 2.csv and so on. Choose "
     "another\n"
     "one with `-o DIR`.\n"},
    {"E0612", "There is nothing to resume, or it is damaged, or something else is in its place.\n\n"
              "Only a run that was killed leaves a .partial behind; a run that ended, early or by\n"
              "Ctrl-C, has written its files. Data of another version of Pawl is not taken up,\n"
              "since the motion would not go on with the same digits. Nothing in .partial that a\n"
              "run did not write is removed: move it away first.\n"},
    {"E0613", "Another process is writing to the same results folder.\n\n"
              "Wait for it, or choose another folder with `-o DIR`.\n"},
    {"E0618", "The folder holds no run to report.\n\n"
              "A report is made from the stored trajectory, motion.pwt, which is missing, damaged\n"
              "or of another version of Pawl. Run the model again.\n"},
    {"E0616", "The results folder holds a run that was killed.\n"
              "\n"
              "Its results are not discarded silently. Use one of\n"
              "\n"
              "    pawl run --resume DIR\n"
              "    pawl run M.pawl --force\n"
              "\n"
              "takes it up where it was, or replaces it.\n"},
    {NULL, NULL}};
