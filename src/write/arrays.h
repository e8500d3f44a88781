// SPDX-License-Identifier: MIT
/* The trajectory turned from rows to columns, for formats that store arrays. */
#ifndef PW_WRITE_ARRAYS_H
#define PW_WRITE_ARRAYS_H

#include "write/formats.h"

typedef struct pw_column {
  const char *name;
  enum { PW_COLUMN_REAL, PW_COLUMN_INT, PW_COLUMN_TEXT } type;
  const void *data; /* double, int64_t or char[width], `count` of them */
  long count;
  int width; /* bytes of a text, filled up with NUL; 8 for numbers */
} pw_column;

typedef pawl_status (*pw_each_column)(void *payload, const pw_column *column);

/* All columns of the rows, then `events.t`, `.cluster`, `.dE`, `.kind` and `.at`. */
PAWL_NODISCARD pawl_status pw_columns_each(const pw_record *record, pw_each_column each,
                                           void *payload);

#endif
