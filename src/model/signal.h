// SPDX-License-Identifier: MIT
/* Signals and tables while a model is checked (signals, sections 1 to 5). */
#ifndef PW_MODEL_SIGNAL_H
#define PW_MODEL_SIGNAL_H

#include "model/check.h"

/* ---- data.c: numbers in files ---- */

enum { PW_MAX_ROWS = 1000000 };

typedef struct pw_numbers { /* a file of rows, all of the same length */
  int file, columns, rows;
  const double *value;     /* rows x columns */
  const char *const *head; /* columns; NULL: the file has none */
  const int *at;           /* rows: offset of each in the file */
} pw_numbers;

/* Reads source `file`, which the statement at `asked` needs; reports what is wrong with it. */
bool pw_read_numbers(pw_check *ck, int file, pw_span asked, pw_numbers *out);
pw_span pw_number_row(const pw_check *ck, const pw_numbers *x, int row); /* its place */

/* ---- check_table.c ---- */

/* Points with rising x as a table; `at(ctx, i)` is the place of point i. Two equal x are a jump if
 * `jumps`. */
typedef struct pw_points {
  const double *x, *y;
  int n;
  const char *what; /* "table `M`" */
  const char *name; /* M */
  pw_span (*at)(const void *ctx, int i);
  const void *ctx;
  bool jumps;
} pw_points;

bool pw_check_points(pw_check *ck, const pw_points *p, pw_span whole);

typedef struct pw_manner { /* of a curve through points */
  pw_lut_kind kind;
  bool periodic, extend;
} pw_manner;

/* The table through points that were checked; false after an error. */
bool pw_add_table(pw_check *ck, const pw_points *p, const pw_manner *how, int *out);

/* ---- check_signal.c ---- */

/* A slot of the state without a velocity; returns its number among the signals. */
int pw_add_signal(pw_check *ck, pw_name name, pw_signal_kind kind, int slots);
/* Its first slot starts with this value. */
void pw_start_signal(pw_check *ck, int signal, double value, pw_span span);
pw_node pw_signal_slot(pw_check *ck, int signal, int slot);
/* The rate of a state, found now if it was not yet; false after an error. */
bool pw_signal_rate(pw_check *ck, int signal);

#endif
