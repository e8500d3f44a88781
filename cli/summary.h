// SPDX-License-Identifier: MIT
/* The terminal summary of a run. */
#ifndef CLI_SUMMARY_H
#define CLI_SUMMARY_H

#include <stdint.h>

#include "cli.h"

typedef struct summary_opts {
  bool verbose;
  bool color;                        /* verdicts in colour */
  const struct event_memory *memory; /* what the run has shown of itself; NULL: see its folder */
} summary_opts;

/* Of a run that has been saved, or that has no folder. */
void summary_print(pawl_run *run, const summary_opts *opts);
/* The same in one line: "run 2  t = 5, 31 events, WEAK, 7.28 ms, ball.out/report.html". */
void summary_line(const pawl_run *run, int64_t number, bool color);

/* One line to `out` for each expectation that does not hold, after the indent. */
void summary_expectations(const pawl_run *run, FILE *out, const char *indent);

#endif
