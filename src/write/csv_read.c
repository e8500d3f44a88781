// SPDX-License-Identifier: MIT
#include "write/csv_read.h"

#include <stdlib.h>
#include <string.h>

static bool read_line(pw_csv *csv) {
  int c;
  csv->line.len = 0;
  while ((c = getc(csv->file)) != EOF && c != '\n') {
    char byte = (char)c;
    pw_buf_add(&csv->line, &byte, 1);
  }
  pw_buf_add(&csv->line, "", 1); /* its own terminator */
  return c != EOF || csv->line.len > 1;
}

static void split_line(pw_csv *csv) {
  const char *at = csv->line.text;
  csv->n = 1;
  csv->text.len = 0;
  for (bool quoted = false; *at != '\0'; at++) {
    if (*at == '"') {
      bool doubled = quoted && at[1] == '"';
      at += doubled;
      quoted = doubled ? quoted : !quoted;
      pw_buf_add(&csv->text, "\"", doubled ? 1 : 0);
    } else if (*at == ',' && !quoted) {
      pw_buf_add(&csv->text, "", 1);
      csv->n++;
    } else {
      pw_buf_add(&csv->text, at, 1);
    }
  }
  pw_buf_add(&csv->text, "", 1);
}

pawl_status pw_csv_next(pw_csv *csv) {
  bool there = read_line(csv);
  if (there && !csv->line.failed) {
    split_line(csv);
  }
  return csv->line.failed || csv->text.failed ? PAWL_E_MEMORY : there ? PAWL_OK : PAWL_E_STATE;
}

void pw_csv_free(pw_csv *csv) {
  pw_buf_free(&csv->line);
  pw_buf_free(&csv->text);
}

const char *pw_csv_after(const char *field) {
  return field + strlen(field) + 1;
}

bool pw_csv_number(const char *field, double *out) {
  char *end;
  *out = strtod(field, &end);
  return end != field && *end == '\0';
}
