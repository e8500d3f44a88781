// SPDX-License-Identifier: MIT
/* Events kept in memory, as a run shows them. */
#ifndef CLI_EVENT_MEMORY_H
#define CLI_EVENT_MEMORY_H

#include <stdint.h>

#include "event_file.h"

struct event_memory {
  event_row *rows; /* `at` is their own, other texts belong to the run */
  int64_t n, cap;
  int nq, n_state, n_shown;
  char name[EVENT_STATES][48];
  double scale[EVENT_STATES]; /* largest values along the motion */
};

void event_memory_begin(event_memory *memory, const pawl_system *system);
void event_memory_row(event_memory *memory, const double *values); /* of a row of the run */
void event_memory_add(event_memory *memory, const pawl_run_event *event);
void event_memory_free(event_memory *memory);

#endif
