// SPDX-License-Identifier: MIT
/* The files of a trajectory: each function writes one format to a sink. The formats know the shape
 * of a record and how to visit its blocks, not who has made it. */
#ifndef PW_WRITE_FORMATS_H
#define PW_WRITE_FORMATS_H

#include "pawl/system.h"
#include "traj/segment.h"

typedef pawl_status (*pw_each_segment)(void *payload, pw_segment_view *view);

typedef struct pw_record { /* a stored trajectory */
  const pawl_system *sys;
  int n_state, n_col;  /* positions and velocities; numbers in a row */
  char *const *column; /* n_col names */
  long rows, events;
  const void *source;
  /* Calls `each` for every block in turn until it returns other than PAWL_OK. */
  pawl_status (*visit)(const void *source, pw_each_segment each, void *payload);
} pw_record;

typedef struct pw_writer { /* a sink with a buffer in front */
  pw_buf buf;
  pawl_sink sink;
  void *payload;
} pw_writer;

/* Empties the buffer when it is large. */
PAWL_NODISCARD pawl_status pw_writer_check(pw_writer *out);

PAWL_NODISCARD pawl_status pw_write_trajectory_csv(const pw_record *record, pw_writer *out);
PAWL_NODISCARD pawl_status pw_write_events_csv(const pw_record *record, pw_writer *out);
PAWL_NODISCARD pawl_status pw_write_events_jsonl(const pw_record *record, pw_writer *out);
PAWL_NODISCARD pawl_status pw_write_npz(const pw_record *record, pw_writer *out);
/* Needs a file of its own; PAWL_E_UNSUPPORTED without HDF5. */
PAWL_NODISCARD pawl_status pw_write_h5(const pw_record *record, const char *path);
bool pw_can_write_h5(void);

void pw_event_json(pw_buf *out, const pawl_system *sys, const pw_traj_event *event);
void pw_diags_json(pw_buf *out, const pawl_diags *diags, pawl_severity severity);

#endif
