// SPDX-License-Identifier: MIT
/* The terminal summary of a run. */
#ifndef CLI_SUMMARY_H
#define CLI_SUMMARY_H

#include "cli.h"

/* Of a run that has been saved. */
void summary_print(pawl_run *run, bool verbose);

/* One line to `out` for each expectation that does not hold, after the indent. */
void summary_expectations(const pawl_run *run, FILE *out, const char *indent);

#endif
