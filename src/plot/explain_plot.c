// SPDX-License-Identifier: MIT
/* Explanations of the codes that this layer raises. Figures. */
#include <stddef.h>

#include "base/explain.h"

const pw_explanation pw_explain_plot[] = {
    {"E0630",
     "This is nothing to plot.\n"
     "\n"
     "Each expression is written as after `plot` in a model, on one line: `x'`, `x, y`, `x' vs\n"
     "x`, `force(floor)`, `energy.total`.\n"},
    {"E0631", "The folder holds no results.\n\n"
              "`pawl plot` reads the model and the motion from a folder that `pawl run` has\n"
              "written: `pawl run ball.pawl`, then `pawl plot ball.out \"y' vs y\"`.\n"},
    {"E0632", "The motion of a results folder does not belong to its model, or has a gap.\n\n"
              "The folder was changed by hand, or nothing of the motion lies in the span asked\n"
              "for. Run the model again.\n"},
    {"E0633", "No expression has a finite value anywhere in the span.\n\n"
              "`log(y)` of a negative `y` is no number. Some quantities also need the stored\n"
              "motion: without `motion.pwt`, a table has no accelerations, impulses or action.\n"},
    {"E0646",
     "The results folder contains a run that was killed or is still running.\n"
     "\n"
     "Its files are written when it ends. `pawl run --resume DIR` takes up a run that was\n"
     "killed; `pawl report DIR` makes a page of what there is.\n"},
    {NULL, NULL}};
