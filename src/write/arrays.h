// SPDX-License-Identifier: MIT
/* The trajectory turned from rows to columns, for formats that store arrays. */
#ifndef PW_WRITE_ARRAYS_H
#define PW_WRITE_ARRAYS_H

#include <stdint.h>

#include "write/formats.h"

typedef struct pw_column {
  const char *name;
  enum { PW_COLUMN_REAL, PW_COLUMN_INT, PW_COLUMN_TEXT } type;
  const void *data; /* double, int64_t or char[width], `count` of them; NULL: they come in parts */
  int64_t count;
  int width; /* bytes of a text, filled up with NUL; 8 for numbers */
} pw_column;

/* Column i of the rows, without its data. */
pw_column pw_row_column(const pw_write_record *record, int i);
/* Column i of a chunk, one number after the other; `out` has room for view->n_row. */
void pw_row_column_part(const pw_chunk_view *view, int i, double *out);

typedef pawl_status (*pw_each_column)(void *payload, const pw_column *column);
/* Calls `each` with `parameters.m`, ...: columns of one number. */
PAWL_NODISCARD pawl_status pw_parameters_each(const pw_write_record *record, pw_each_column each,
                                              void *payload);
/* SI unit of column i of the rows; NULL: not stated. */
const char *pw_row_column_unit(const pw_write_record *record, int i);

/* Call `each` with texts: `units.t`, ... of columns, `units.parameters.m`, ... of parameters. */
PAWL_NODISCARD pawl_status pw_column_units_each(const pw_write_record *record, pw_each_column each,
                                                void *payload);
PAWL_NODISCARD pawl_status pw_parameter_units_each(const pw_write_record *record,
                                                   pw_each_column each, void *payload);

/* Events wait for the end of the trajectory, when the widths of their texts are determined. */
typedef struct pw_event_arrays {
  pw_buf *field; /* pw_event_fields: numbers, or texts with NUL */
  int *width;    /* of texts */
  int64_t count;
} pw_event_arrays;

PAWL_NODISCARD pawl_status pw_event_arrays_begin(pw_event_arrays *a);
PAWL_NODISCARD pawl_status pw_event_arrays_take(pw_event_arrays *a, pw_chunk_view view);
void pw_event_arrays_free(pw_event_arrays *a);
/* Calls `each` with `events.t`, ... as columns with their data; an impulse of several components is
 * given by its length, and one that is not there is NAN. */
PAWL_NODISCARD pawl_status pw_event_arrays_each(pw_event_arrays *a, pw_each_column each,
                                                void *payload);

#endif
