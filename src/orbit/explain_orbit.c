// SPDX-License-Identifier: MIT
/* Explanations of the codes that this layer raises. Periodic motions. */
#include <stddef.h>

#include "base/explain.h"

const pw_explanation pw_explain_orbit[] = {
    {"E0682",
     "`pawl orbit` searches for a motion that returns to its start, and needs to know when. A\n"
     "model with a drive comes back after its period, `--period 2.5`, or after that of an event\n"
     "of the model, which may depend on parameters:\n"
     "\n"
     "    event strobe: every 2*pi/w\n"
     "\n"
     "A model without the time in it comes back at an event: `--at impact`, `--at floor`.\n"},
    {"E0683",
     "`pawl orbit` works for models without signals: inputs, tables, states, samples and delays\n"
     "have a history or a time course of their own. Write a drive as a function of `t`.\n"
     "Equalities, joints, bodies, contacts, friction, springs and graphs are allowed.\n"},
    {"E0684",
     "`--at` takes the name of an event or of a law of the model, or a kind of events (impact,\n"
     "close, liftoff, stick, slip, engage, release, reverse); `--along` takes a parameter.\n"},
    {"E0685",
     "Newton's method did not find a periodic motion from the start of the model, nor from where\n"
     "the motion is after some hundred returns. Start nearer to it, let it close after several\n"
     "returns (`--returns 2`), or look at a run: it may come to rest, go away, or have no "
     "period.\n"},
    {"E0686",
     "Lyapunov exponents need derivatives along the whole motion. They end where a contact is\n"
     "touched without being crossed; and where all neighbouring motions run into one, as when\n"
     "everything sticks, nothing is left to follow.\n"},
    {NULL, NULL}};
