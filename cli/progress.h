// SPDX-License-Identifier: MIT
/* The progress bar on a terminal, and Ctrl-C. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdint.h>

#include "cli.h"

typedef struct cli_progress {
  bool draws;   /* standard error is a terminal */
  double drawn; /* wall time of the last drawing; < 0: nothing to wipe */
} cli_progress;

void progress_begin(cli_progress *p, bool quiet);
/* Draws now and then; 1 after Ctrl-C. */
int progress_step(cli_progress *p, const pawl_progress *now);
/* The same for work without an end that is known: how many of what are done. */
int progress_count(cli_progress *p, int64_t n, const char *what);
void progress_wipe(cli_progress *p);
/* Nothing is being computed until the next progress_begin: Ctrl-C has nothing to write. */
void progress_idle(void);
bool progress_interrupted(void);

#endif
