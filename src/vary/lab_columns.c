// SPDX-License-Identifier: MIT
/* Columns of a table as functions of the time that variations may contain: t,w,v in the first line
 * makes w(t) and v(t), natural cubic splines through the rows. */
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "vary/lab.h"

enum { MOST_COLUMNS = 64, MOST_ROWS = 20000 };

static pawl_status refuse(pawl_diags *diags, int64_t line, const char *why) {
  pw_diag_ref d = pw_error(diags, "E0687", PW_NO_SPAN, "columns, line %" PRId64 ": %s", line, why);
  pw_help(d, "the first line names the columns, `t,w,v`; the others hold numbers, t increasing");
  return PAWL_E_MODEL;
}

typedef struct columns {
  const char *name[MOST_COLUMNS];
  size_t length[MOST_COLUMNS];
  int n;
  double *value; /* rows x n */
  int64_t rows;
} columns;

static const char *skip(const char *at) {
  return at + strspn(at, " \t\r");
}

/* The names, and where the next line begins; NULL: not well formed. */
static const char *take_names(columns *c, const char *at) {
  for (;;) {
    at = skip(at);
    size_t n = 0;
    while (isalnum((unsigned char)at[n]) || at[n] == '_') {
      n++;
    }
    if (n == 0 || isdigit((unsigned char)at[0]) || c->n == MOST_COLUMNS) {
      return NULL;
    }
    c->name[c->n] = at;
    c->length[c->n++] = n;
    at = skip(at + n);
    if (*at != ',') {
      bool time = c->length[0] == 1 && c->name[0][0] == 't' && c->n > 1;
      return time && *at == '\n' ? at + 1 : NULL;
    }
    at++;
  }
}

/* A line of numbers; NULL: not one. */
static const char *take_row(const columns *c, const char *at, double *row) {
  for (int i = 0; i < c->n; i++) {
    char *end;
    at = skip(at);
    row[i] = strtod(at, &end);
    if (end == at || !isfinite(row[i])) {
      return NULL;
    }
    at = skip(end);
    if (i + 1 < c->n && *at++ != ',') {
      return NULL;
    }
  }
  return *at == '\n' ? at + 1 : *at == '\0' ? at : NULL;
}

static pawl_status take_rows(columns *c, const char *at, pawl_diags *diags) {
  c->value = calloc((size_t)MOST_ROWS * (size_t)c->n, sizeof *c->value);
  if (c->value == NULL) {
    return PAWL_E_MEMORY;
  }
  for (int64_t line = 2; *skip(at) != '\0'; line++) {
    double *row = c->value + (size_t)c->rows * (size_t)c->n;
    if (c->rows == MOST_ROWS) {
      return refuse(diags, line, "more than 20000 rows");
    }
    at = take_row(c, at, row);
    if (at == NULL) {
      return refuse(diags, line, "not as many numbers as columns");
    }
    if (c->rows > 0 && !(row[0] > row[-c->n])) {
      return refuse(diags, line, "the time does not increase");
    }
    c->rows++;
  }
  return c->rows < 3 ? refuse(diags, c->rows + 2, "fewer than 3 rows") : PAWL_OK;
}

static void put_tables(const columns *c, pw_buf *out) {
  for (int k = 1; k < c->n; k++) {
    pw_buf_printf(out, "table %.*s(pawl_s):", (int)c->length[k], c->name[k]);
    for (int64_t i = 0; i < c->rows; i++) {
      const double *row = c->value + (size_t)i * (size_t)c->n;
      pw_buf_printf(out, " (%.17g, %.17g)", row[0], row[k]);
    }
    pw_buf_puts(out, ", cubic\n");
  }
}

pawl_status pw_lab_columns(const char *text, pawl_diags *diags, pw_buf *out) {
  columns c = {0};
  if (text == NULL) {
    return PAWL_OK;
  }
  const char *rows = take_names(&c, text);
  pawl_status status = rows == NULL ? refuse(diags, 1, "no names of columns that begin with `t`")
                                    : take_rows(&c, rows, diags);
  if (status == PAWL_OK) {
    put_tables(&c, out);
  }
  free(c.value);
  return status;
}
