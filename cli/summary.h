// SPDX-License-Identifier: MIT
/* The terminal summary of a run. */
#ifndef CLI_SUMMARY_H
#define CLI_SUMMARY_H

#include "cli.h"

enum { SUMMARY_HEAD = 12, SUMMARY_TAIL = 4, SUMMARY_STATES = 4 };

typedef struct summary_event {
  double t;
  char kind[12], at[48];
  double state[SUMMARY_STATES]; /* after the event */
  int n_impulse;
  double impulse, dE; /* the first component */
  char flag[24];
} summary_event;

typedef struct summary_events { /* the first and the last ones */
  summary_event head[SUMMARY_HEAD], tail[SUMMARY_TAIL];
  long count;
  int n_state; /* numbers shown of a state */
  int nq, nv;
  bool jumps;
} summary_events;

void summary_add(summary_events *events, const pawl_run_event *event);
void summary_print(pawl_run *run, const summary_events *events, bool verbose);

/* One line to `out` for each expectation that does not hold, after the indent. */
void summary_expectations(const pawl_run *run, FILE *out, const char *indent);

#endif
