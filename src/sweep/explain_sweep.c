// SPDX-License-Identifier: MIT
/* Explanations of the codes that this layer raises: designs of sweeps and their tables. */
#include <stddef.h>

#include "base/explain.h"

const pw_explanation pw_explain_sweep[] = {
    {"E0801",
     "A word of the design of a sweep cannot be read.\n\n"
     "    NAME=A:B:N    a grid of N values from A to B, both included\n"
     "    NAME=a,b,c    a list\n"
     "    NAME~A:B      samples between A and B; --samples N says how many\n"
     "    NAME=::N      a grid over the range that the model states, `parameter NAME = 1 in A..B`\n"
     "    NAME~         samples from that range\n\n"
     "NAME is a parameter or a start value, as for `pawl run`. Values are numbers, with units or\n"
     "expressions of numbers: `5 [mm]`, `2*pi`. N is a whole number from 1 to 1e9. Grids and "
     "lists\n"
     "are crossed; all sampled names together are one more factor.\n"},
    {"E0802", "One name is varied twice.\n\n"
              "Each name has one place in the design; `d.y` and `y\'` are the same name.\n"},
    {"E0803",
     "The design has more members than a sweep may have, 1e9.\n\n"
     "Grids are crossed: five names with 100 values each have 1e10 members. Take fewer values, or\n"
     "sample: `NAME~A:B` for several names and `--samples 1000` fill the space evenly.\n"},
    {"E0804",
     "Unknown record of a sweep.\n"
     "\n"
     "Records are the columns of a run: `t`, positions, velocities (`x\\'` or `d.x`), "
     "`force(LAW)`,\n"
     "outputs; `min(x)` and `max(x)` over the rows of the run; `count(LAW)` or `count(impact)`, "
     "the\n"
     "number of events; and with `--at`, `before(x\\')`, the value before the event. For anything\n"
     "else write an `output` into the model.\n"},
    {"E0805", "`--at` names no event.\n\n"
              "It takes the name of an event statement or of a law, or a kind of events: impact,\n"
              "close, liftoff, stick, slip, reverse, engage, release, rest, strobe, user, stop.\n"},
    {"E0806",
     "A sweep cannot be resumed.\n\n"
     "Beside the table F.csv stands a journal, F.csv.sweep. It says which sweep the table is of "
     "and\n"
     "how many of its rows are whole. `--resume` needs both, unchanged, and the same model, names\n"
     "and options as before; the number of threads and processes may differ. Without `--resume` "
     "the\n"
     "table is made anew.\n"},
    {"E0807",
     "The file holds a sweep that was killed or interrupted.\n"
     "\n"
     "Its results are not discarded silently. `--resume` continues it, `--force` replaces it.\n"},
    {"E0808",
     "The table of a sweep or its journal cannot be written or read.\n"
     "\n"
     "The disk may be full, the folder missing, or you may not have permission to write there.\n"
     "What is there of an unfinished table can be taken up with `--resume`.\n"},
    {"E0809",
     "Another process is writing the same table.\n\n"
     "Wait for it, or choose another file with `-o`. Parts of one sweep that run at the same\n"
     "time need a file each: `--shard 1/4 -o part1.csv`.\n"},
    {"E0810",
     "There is no such shard.\n\n"
     "`--shard i/n` is the i-th of n parts of a sweep, with i from 1 to n. The parts one after\n"
     "the other are the whole table.\n"},
    {"E0811",
     "The processes that share a sweep cannot begin or reach each other.\n\n"
     "Each process reads the model and the same options. Look for a machine that does not see\n"
     "the model file, or has another version of Pawl.\n"},
    {"E0812",
     "`--gradient` asks for derivatives, and no record of the sweep has any.\n\n"
     "At the end of a run positions, velocities and outputs have derivatives by parameters and\n"
     "start values; at events (`--at`) their times have, the record `t`. Forces, extremes and\n"
     "numbers of events have none: write an `output` for a force. Members that follow each other\n"
     "(`--follow`) start where the one before ended; derivatives by one value would be those of\n"
     "the whole chain.\n"},
    {NULL, NULL}};
