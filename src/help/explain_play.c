// SPDX-License-Identifier: MIT
/* Codes of the playground, which its page raises (web/play). */
#include <stddef.h>

#include "base/explain.h"

const pw_explanation pw_explain_play[] = {
    {"E0641",
     "The link holds no model.\n\n"
     "The playground keeps a model and the values of its sliders behind `#m=` in a link. What\n"
     "stands there is damaged: links lose their ends in mails and messages. Ask for the link\n"
     "again, or for the file of the model. Behind `#example=` stands the name of an example, as\n"
     "`pawl examples` lists it.\n"},
    {"E0642",
     "The text is too long for the playground.\n\n"
     "A browser runs models of up to a million characters. `pawl run` on your machine takes\n"
     "more. A link holds up to two million characters, after the text has been deflated: share\n"
     "the file of the model where that is not enough.\n"},
    {"E0643",
     "The computation in the browser broke down.\n\n"
     "Mostly the memory of the page ran out: shorten the run, ask for fewer rows (`every`), or\n"
     "run the model on your machine. The text is not lost, and the next run starts anew.\n"},
    {NULL, NULL}};
