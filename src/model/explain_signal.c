// SPDX-License-Identifier: MIT
#include "base/explain.h"

#include <stddef.h>

const pw_explanation pw_explain_signal[] = {
    {"E0230",
     "Inputs, states, samples and delays have no inertia and no energy.\n\n"
     "They may stand in forces, dissipations, bounds of friction, targets of servos, laws on\n"
     "velocities and results, not in `kinetic` and `potential`: the balance of energy would\n"
     "have a part that no law accounts for. Let them act as forces.\n"},
    {"E0231",
     "An input, a sample or a delay may jump from one instant to the next.\n\n"
     "A law on positions that follows it would move a body by that jump at once. Pass the\n"
     "value through a state, `state z' = (u - z)/tau`, or state the law for velocities.\n"},
    {"E0232",
     "A law on positions fixes accelerations by its second derivative in time.\n\n"
     "A state whose rate contains velocities has accelerations in its own second derivative:\n"
     "the force of the law would act on what it is to follow. Let the rate of the state\n"
     "depend on positions, time and other signals alone.\n"},
    {"E0233",
     "Values that need each other at the same instant.\n\n"
     "The rate of a state may name other states, but not rates that need it in turn; the\n"
     "first value of a sample follows from those of the samples it names. The message lists\n"
     "the loop in order. Name a state instead of its rate, or give a sample the value that\n"
     "it has before its first instant: `start u = 0`.\n"},
    {"E0234",
     "A table or a course of an input goes through points with rising first numbers.\n\n"
     "A table needs two points or more, each place once. In the course of an input two rows\n"
     "at one time are a jump; a third one would have no meaning. The slopes of the curve must be\n"
     "numbers: values of 1e308, or points 1e-200 apart, are too steep.\n"},
    {"E0235",
     "The words after a table contradict each other, or its points.\n"
     "\n"
     "One of `linear` (the default), `cubic` and `monotone` says how the curve goes between\n"
     "points; `periodic` or `extend` how it goes on outside, where it is constant otherwise.\n"
     "A periodic table has the same value at both ends.\n"},
    {"E0240",
     "`input from \"drive.csv\"` gives courses to all inputs that the first line of the file "
     "names, "
     "as the option\n"
     "--input does. There is one such file, and it belongs to the model, whose names its columns "
     "have (`left.F`\n"
     "for an input of a part). A part reads a file of its own with `input F = 0 from "
     "\"drive.csv\"`.\n"},
    {"E0236",
     "A sample is computed at the start of the run plus whole multiples of its period.\n\n"
     "The period is a positive number known before the run: `sample u: ..., every 1 [ms]`.\n"},
    {"E0237",
     "delay(e, T) is the value of e a time T ago; before the start it is that at the start.\n\n"
     "T is a positive constant. e may contain coordinates, velocities, signals and the time,\n"
     "not accelerations, forces or integrals.\n"},
    {"E0238", "noise(seed, bandwidth) is a sum of waves with random phases and unit variance.\n\n"
              "The seed is a whole number; the same seed gives the same noise everywhere. The\n"
              "bandwidth is the highest frequency, in hertz.\n"},
    {"E0239",
     "The dimensions of a signal do not fit.\n\n"
     "The rate of a state has the dimension of the state over time, periods and delays are\n"
     "times, a bandwidth is one over a time.\n"},
    {"W0260",
     "A value in hertz is given to a parameter that the model states in rad/s or rpm, on the "
     "command line or\n"
     "to a part; or `sin`, `cos` or `tan` has a frequency in hertz in its argument, without "
     "`pi`.\n\n"
     "Both are 1/s in SI, so that dimensions do not show the mistake: 5 [Hz] counts as 5 rad/s,\n"
     "not as five turns in a second. Write `5 [rev/s]` for turns, `5 [rad/s]` for the number.\n"},
    {"W0230", "The file of an input ends before the run does.\n\n"
              "From its last row on the input stays constant. Shorten the run, or append rows.\n"},
    {"E0650",
     "A file of numbers for a table or an input cannot be read.\n\n"
     "Its path is relative to the file with the statement; of `--input FILE` to the folder\n"
     "in which the program runs. A file has at most 64 MB.\n"},
    {"E0651",
     "A file of numbers has a field that is no finite number, or a row that is too short or "
     "too long.\n\n"
     "Fields stand between commas, semicolons or blanks, `#` starts a comment, and a first\n"
     "line that does not begin with a number names the columns. NaN, infinities and empty\n"
     "fields have no meaning in a table. There are at most a million rows.\n"},
    {"E0653",
     "A file of numbers does not have the required columns.\n"
     "\n"
     "A table is read from two columns. The course of an input is read from the column `t`\n"
     "and the one with the name of the input, each named once in the first line of the file.\n"},
    {NULL, NULL}};
