// SPDX-License-Identifier: MIT
/* Numbers of a report, column by column. */
#ifndef PW_REPORT_REPORT_TABLE_H
#define PW_REPORT_REPORT_TABLE_H

#include <stdint.h>
#include <stdlib.h>

#include "pawl/status.h"

typedef struct pw_report_table {
  double *cell; /* columns x room */
  int columns;
  int64_t n, room;
} pw_report_table;

PAWL_NODISCARD static inline pawl_status pw_report_table_make(pw_report_table *t, int columns,
                                                              int64_t room) {
  *t = (pw_report_table){.columns = columns, .room = room};
  t->cell = calloc((size_t)columns * (size_t)room + 1, sizeof *t->cell);
  return t->cell == NULL ? PAWL_E_MEMORY : PAWL_OK;
}

static inline double *pw_report_column(const pw_report_table *t, int i) {
  return t->cell + (size_t)i * (size_t)t->room;
}

#endif
