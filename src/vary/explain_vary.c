// SPDX-License-Identifier: MIT
/* Explanations of the codes that this layer raises. Variations. */
#include <stddef.h>

#include "base/explain.h"

const pw_explanation pw_explain_vary[] = {
    {"E0660", "This is no variation.\n\n"
              "`--by` takes a list of coordinates with functions of the time, `x: sin(pi*t)`;\n"
              "`--shift` takes one function of the time. Parameters of the model may stand in\n"
              "them; coordinates may not, for a variation is chosen before the motion is known.\n"
              "Turns of a rotation `R` are `R.W[1]`, `R.W[2]`, `R.W[3]`. The functions must have\n"
              "finite values and rates during the whole motion: `sqrt(1 - t)` ends at t = 1.\n"},
    {"E0661", "The variation moves an end of the motion.\n\n"
              "Hamilton's principle compares curves with the same ends, so that w and tau vanish\n"
              "there: `sin(pi*t/2)` does on 0..2. With `--ends free` the ends may move, and their\n"
              "momenta and energies enter the variation (Leine and Aeberhard (24)).\n"},
    {"E0662", "The motion has too many steps to be varied.\n\n"
              "Every variation is summed over all of them, several times. Choose a part of the\n"
              "motion with `-t A..B`; variations vanish at its ends.\n"},
    {"E0663", "There is no whole motion here.\n\n"
              "The span contains none of it, or the run was so long that only some of its steps\n"
              "were stored.\n"},
    {"E0664",
     "The methods `moreau` and `variational` take fixed steps. Their errors have the size of\n"
     "the steps, and -delta s of a wrong motion may be smaller.\n"},
    {"E0687",
     "These are no columns for a variation.\n\n"
     "`--columns FILE` makes functions of the time of a table: its first line names them,\n"
     "`t,w,v`, and the other lines hold as many numbers, t increasing, 3 to 20000 of\n"
     "them. `--by \"x: w(t)\"` and `--shift \"v(t)\"` use them; between rows they are\n"
     "natural cubic splines.\n"},
    {NULL, NULL}};
