// SPDX-License-Identifier: MIT
/* Reading a table back, line by line. The memory is that of one line. */
#ifndef PW_WRITE_CSV_READ_H
#define PW_WRITE_CSV_READ_H

#include <stdio.h>

#include "base/buf.h"

typedef struct pw_csv {
  FILE *file;  /* the caller's */
  pw_buf line; /* of the current row */
  pw_buf text; /* its fields one after the other, each with a NUL */
  int n;       /* fields of it */
} pw_csv;

/* The next row: its fields from csv->text.text on. PAWL_E_STATE: there is none. */
PAWL_NODISCARD pawl_status pw_csv_next(pw_csv *csv);
void pw_csv_free(pw_csv *csv);
/* From one field to the next. */
const char *pw_csv_after(const char *field);
/* False: the field is not a number. */
bool pw_csv_number(const char *field, double *out);

#endif
