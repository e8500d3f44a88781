// SPDX-License-Identifier: MIT
/* A table of numbers in a text file, row by row: first line names, fields between commas (or
 * semicolons or tabs), `#` begins a comment line. One line is in memory at a time. */
#ifndef PW_VERIFY_TABLE_H
#define PW_VERIFY_TABLE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/diag.h"

typedef struct pw_table {
  const char *path;
  FILE *file;
  char *line;
  size_t room;
  int64_t number; /* of the line */
  char separator;
  int n_col;
  char **name;
} pw_table;

/* Opens a file of lines; the next of them that is not empty and no comment, without its end, in
 * `line`. *more false: none is left. */
PAWL_NODISCARD pawl_status pw_table_begin(pw_table *t, const char *path, pawl_diags *diags);
PAWL_NODISCARD pawl_status pw_table_line(pw_table *t, bool *more, pawl_diags *diags);
/* Opens the file and reads the names. What fails is told; pw_table_close in any case. */
PAWL_NODISCARD pawl_status pw_table_open(pw_table *t, const char *path, pawl_diags *diags);
void pw_table_close(pw_table *t);
/* Back to the first row. */
PAWL_NODISCARD pawl_status pw_table_rewind(pw_table *t, pawl_diags *diags);

int pw_table_column(const pw_table *t, const char *name); /* -1: none of that name */
/* An error where another column has the name of one of these n: which is meant is not known. */
PAWL_NODISCARD pawl_status pw_table_no_twins(const pw_table *t, const int *column, int n,
                                             pawl_diags *diags);
/* The text of each field (n_col), until the next call. *more false: no row left. */
PAWL_NODISCARD pawl_status pw_table_fields(pw_table *t, char **field, bool *more,
                                           pawl_diags *diags);
/* The numbers of the wanted columns. A field that is no finite number is an error, as is one whose
 * square is none. */
PAWL_NODISCARD pawl_status pw_table_row(pw_table *t, const int *column, int n, char **field,
                                        double *out, bool *more, pawl_diags *diags);
int pw_table_digits(const char *number);  /* that count */
double pw_table_unit(const char *number); /* of its last digit */

#endif
