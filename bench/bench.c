// SPDX-License-Identifier: MIT
#include "bench.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *folder;

void bench_die(const char *format, ...) {
  va_list args;
  va_start(args, format);
  fflush(stdout);
  vfprintf(stderr, format, args);
  fputc('\n', stderr);
  va_end(args);
  exit(1);
}

void bench_init(int argc, char **argv) {
  if (argc < 2) {
    bench_die("usage: %s FOLDER [EXAMPLE ...]", argv[0]);
  }
  folder = argv[1];
}

static FILE *open_result(const char *name, const char *mode) {
  char path[1024];
  int n = snprintf(path, sizeof path, "%s/%s.csv", folder, name);
  FILE *file = n < 0 || (size_t)n >= sizeof path ? NULL : fopen(path, mode);
  if (file == NULL) {
    bench_die("cannot write %s.csv in %s", name, folder);
  }
  return file;
}

/* ---- time ---- */

double bench_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double time_calls(void (*run)(void *), void *ctx, long calls) {
  double start = bench_now();
  for (long i = 0; i < calls; i++) {
    run(ctx);
  }
  return bench_now() - start;
}

double bench_best(void (*run)(void *ctx), void *ctx, int rounds, double batch) {
  long calls = 1;
  double spent = time_calls(run, ctx, calls);
  while (spent < batch) {
    calls *= 2;
    spent = time_calls(run, ctx, calls);
  }
  double best = spent;
  for (int i = 1; i < rounds; i++) {
    spent = time_calls(run, ctx, calls);
    best = spent < best ? spent : best;
  }
  return best / (double)calls;
}

/* ---- tables ---- */

void bench_table_begin(bench_table *t, const char *name, int columns, const char *const *heads) {
  memset(t, 0, sizeof *t);
  t->name = name;
  t->columns = columns;
  for (int c = 0; c < columns; c++) {
    snprintf(t->cell[0][c], BENCH_CELL, "%s", heads[c]);
  }
  t->filled = columns;
}

void bench_cell(bench_table *t, const char *format, ...) {
  if (t->filled == t->columns) {
    if (t->rows == BENCH_ROWS) {
      bench_die("table %s is full", t->name);
    }
    t->rows++;
    t->filled = 0;
  }
  va_list args;
  va_start(args, format);
  vsnprintf(t->cell[t->rows][t->filled++], BENCH_CELL, format, args);
  va_end(args);
}

static void print_rule(const int *width, int columns) {
  for (int c = 0; c < columns; c++) {
    putchar('|');
    for (int i = 0; i <= width[c]; i++) {
      putchar('-');
    }
    putchar(c == 0 ? '-' : ':');
  }
  printf("|\n");
}

void bench_table_end(const bench_table *t) {
  int width[BENCH_COLUMNS] = {0};
  FILE *csv = open_result(t->name, "w");
  for (int r = 0; r <= t->rows; r++) {
    for (int c = 0; c < t->columns; c++) {
      int length = (int)strlen(t->cell[r][c]);
      width[c] = length > width[c] ? length : width[c];
      fprintf(csv, "%s\"%s\"", c == 0 ? "" : ",", t->cell[r][c]);
    }
    fputc('\n', csv);
  }
  fclose(csv);
  int last = t->shown > 0 && t->shown < t->rows ? t->shown : t->rows;
  for (int r = 0; r <= last; r++) {
    printf("| %-*s |", width[0], t->cell[r][0]);
    for (int c = 1; c < t->columns; c++) {
      printf(" %*s |", width[c], t->cell[r][c]);
    }
    putchar('\n');
    if (r == 0) {
      print_rule(width, t->columns);
    }
  }
  putchar('\n');
  fflush(stdout);
}

void bench_target(const char *what, double value, double limit, const char *unit) {
  FILE *file = open_result("targets", "a");
  fprintf(file, "%s,%s,%.3g%s%s,%.3g%s%s\n", value <= limit ? "met" : "MISSED", what, value,
          *unit ? " " : "", unit, limit, *unit ? " " : "", unit);
  fclose(file);
}

/* ---- models ---- */

static void model_path(char *path, size_t size, const char *name) {
  int n = snprintf(path, size, "%s/%s.pawl", BENCH_MODELS, name);
  if (n < 0 || (size_t)n >= size) {
    bench_die("the path of model %s is too long", name);
  }
}

char *bench_text(const char *name, size_t *size) {
  char path[1024];
  model_path(path, sizeof path, name);
  FILE *file = fopen(path, "rb");
  enum { MOST = 1 << 16 };
  char *text = malloc(MOST);
  if (file == NULL || text == NULL) {
    bench_die("cannot read %s", path);
  }
  *size = fread(text, 1, MOST, file);
  fclose(file);
  return text;
}

static int to_stderr(void *payload, const char *bytes, unsigned long count) {
  (void)payload;
  return fwrite(bytes, 1, count, stderr) != count;
}

void bench_check(pawl_status status, const pawl_diags *diags, const char *what) {
  if (status == PAWL_OK) {
    return;
  }
  for (int i = 0; diags != NULL && i < pawl_diags_count(diags); i++) {
    if (pawl_diag_write(pawl_diags_get(diags, i), 0, to_stderr, NULL) != PAWL_OK) {
      break;
    }
  }
  bench_die("%s: %s", what, pawl_status_text(status));
}

void bench_open(bench_system *s, const char *name, const pawl_system_opts *opts) {
  char path[1024];
  model_path(path, sizeof path, name);
  bench_check(pawl_diags_new(&s->diags), NULL, "diagnostics");
  bench_check(pawl_model_load(path, s->diags, &s->model), s->diags, name);
  bench_check(pawl_system_new(s->model, opts, s->diags, &s->system), s->diags, name);
}

void bench_close(bench_system *s) {
  pawl_system_free(s->system);
  pawl_model_free(s->model);
  pawl_diags_free(s->diags);
}
