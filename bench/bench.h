// SPDX-License-Identifier: MIT
/* Helpers of the benchmark programs: clock, tables (aligned Markdown on standard output, CSV in the
 * results folder), models from files, and the list of targets. Any failure ends the program. */
#ifndef PW_BENCH_BENCH_H
#define PW_BENCH_BENCH_H

#include <stddef.h>

#include "pawl/pawl.h"

enum { BENCH_COLUMNS = 12, BENCH_ROWS = 400, BENCH_CELL = 48 };

/* The results folder is the program's first argument. */
void bench_init(int argc, char **argv);
/* A message like printf's on standard error; does not return. */
void bench_die(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* Seconds of processor time: what other programs take does not count. Nothing here waits or uses
 * threads, so on a quiet machine this is wall time. */
double bench_now(void);
/* Least time of one call of run(ctx), over `rounds` batches that last at least `batch` seconds. */
double bench_best(void (*run)(void *ctx), void *ctx, int rounds, double batch);

typedef struct bench_table {
  const char *name; /* of the CSV file */
  int columns, rows;
  int shown; /* rows that are printed, 0: all; the file has all */
  char cell[BENCH_ROWS + 1][BENCH_COLUMNS][BENCH_CELL]; /* row 0: heads */
  int filled;                                           /* cells of the last row */
} bench_table;

void bench_table_begin(bench_table *t, const char *name, int columns, const char *const *heads);
void bench_cell(bench_table *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void bench_table_end(const bench_table *t);

/* Notes a target: `value` shall be at most `limit`. `bench/run` lists them at the end. */
void bench_target(const char *what, double value, double limit, const char *unit);

/* The text of bench/models/NAME.pawl, to be freed. */
char *bench_text(const char *name, size_t *size);

typedef struct bench_system {
  pawl_diags *diags;
  pawl_model *model;
  pawl_system *system;
} bench_system;

void bench_open(bench_system *s, const char *name, const pawl_system_opts *opts);
void bench_close(bench_system *s);
/* Ends the program with the diagnostics unless the status is PAWL_OK. */
void bench_check(pawl_status status, const pawl_diags *diags, const char *what);

#endif
