// SPDX-License-Identifier: MIT
/* What a part of a run costs: all examples, in turns with and without it. */
#ifndef BENCH_SHARE_H
#define BENCH_SHARE_H

#include "pawl/pawl.h"

typedef struct bench_share {
  const char *name, *title, *text;
  const char *target; /* what the largest share is compared with the limit as */
  double limit;
  void (*set)(pawl_run_opts *opts, int with);
  int (*counts)(const pawl_run *run); /* or NULL: all do */
} bench_share;

int bench_shares(int argc, char **argv, const bench_share *part);

#endif
