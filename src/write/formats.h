// SPDX-License-Identifier: MIT
/* The files of a trajectory. A format begins a file, receives the chunks of the trajectory in turn
 * and ends the file, so all formats are written in one pass. Formats depend on the shape of a
 * trajectory, not on its source. */
#ifndef PW_WRITE_FORMATS_H
#define PW_WRITE_FORMATS_H

#include <stdint.h>
#include <stdio.h>

#include "base/diag.h"
#include "base/file.h"
#include "pawl/write.h"
#include "traj/chunk.h"

typedef struct pw_writer { /* a sink with a buffer in front */
  pw_buf buf;
  pawl_sink sink;
  void *payload;
} pw_writer;

/* A whole number, faster than printf. */
void pw_write_count(pw_buf *out, int64_t x);
/* Empties the buffer when it is large. */
PAWL_NODISCARD pawl_status pw_writer_check(pw_writer *out);

typedef struct pw_write_record { /* a trajectory that is complete */
  const pw_shape *shape;
  int64_t rows, events;
  const pawl_system *system; /* whose parameters and units are written; NULL: none */
  bool lasting;              /* files are on the disk when they are closed */
} pw_write_record;

struct pw_sheet;
typedef struct pw_format {
  bool streams; /* writes to sheet->out; else it opens the path itself */
  pawl_status (*begin)(struct pw_sheet *sheet);
  pawl_status (*take)(struct pw_sheet *sheet, pw_chunk_view view);
  pawl_status (*end)(struct pw_sheet *sheet); /* NULL: nothing to do */
  void (*drop)(struct pw_sheet *sheet); /* frees what `begin` allocated, also after a failure */
} pw_format;

typedef struct pw_sheet { /* a file that is being written */
  const pw_format *format;
  const pw_write_record *record;
  const char *path; /* borrowed */
  FILE *file;
  pw_writer out;
  void *own;  /* of the format */
  int reason; /* why PAWL_E_FILE, see base/file.h */
} pw_sheet;

extern const pw_format pw_format_csv, pw_format_npz, pw_format_h5;
extern const pw_format pw_format_events_csv, pw_format_events_jsonl;
bool pw_can_write_h5(void);

/* pw_sheet_end has to follow in any case; `fine` false: the file is given up. */
PAWL_NODISCARD pawl_status pw_sheet_begin(pw_sheet *sheet, const pw_format *format,
                                          const pw_write_record *record, const char *path);
PAWL_NODISCARD pawl_status pw_sheet_take(pw_sheet *sheet, const pw_chunk_view *view);
PAWL_NODISCARD pawl_status pw_sheet_end(pw_sheet *sheet, bool fine);

/* A text as a field of CSV, in quotes where it needs them. */
void pw_csv_field(pw_buf *out, const char *text);

/* An event as one JSON object; names of the state and of forces come from the columns of the shape
 * after the time. */
void pw_event_json(pw_buf *out, const char *const *name, int nq, int nv, const pawl_run_event *e);
void pw_diag_json(pw_buf *out, const pawl_diag *diag);
void pw_diags_json(pw_buf *out, const pawl_diags *diags, pawl_severity severity);

#endif
