// SPDX-License-Identifier: MIT
/* Which segments are stored: all up to a limit of bytes, then those with rows or events. */
#ifndef PW_RUN_KEEP_H
#define PW_RUN_KEEP_H

#include <stdint.h>

#include "traj/chunk.h"

typedef struct pw_keep {
  int64_t limit;            /* bytes of segments up to which all are stored */
  int64_t bytes;            /* of those stored */
  int64_t stored, left_out; /* segments */
  double whole_until;       /* while left_out > 0: the time up to which all are stored */
  pw_buf waiting;           /* the last segment while nobody has asked for it; len 0: none */
} pw_keep;

/* The next segment of the motion, after a row at `last_row` (NAN: there is none yet). */
void pw_keep_segment(pw_keep *k, pw_chunk *chunk, const pw_segment *segment, double last_row);
/* A row or event in the last segment. */
void pw_keep_row(pw_keep *k, pw_chunk *chunk);

/* For checkpoints. */
void pw_keep_put(pw_buf *out, const pw_keep *k);
void pw_keep_get(pw_reader *in, pw_keep *k);

#endif
