// SPDX-License-Identifier: MIT
#include "write/csv_table.h"

#ifdef PW_HAVE_HDF5

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "write/hdf5_set.h"

enum { ROWS_PER_PART = 4096 };

typedef struct column {
  char *name;
  bool is_text;
  int width; /* of the longest text */
  hid_t set;
  double *number; /* ROWS_PER_PART */
  char *text;     /* ROWS_PER_PART times width */
} column;

typedef struct table {
  FILE *file;
  pw_buf line, field; /* of the current row: fields one after the other, each with a NUL */
  column *col;
  int n;
  long rows;
} table;

/* ---- reading ---- */

static bool read_line(table *t) {
  int c;
  t->line.len = 0;
  while ((c = getc(t->file)) != EOF && c != '\n') {
    char byte = (char)c;
    pw_buf_add(&t->line, &byte, 1);
  }
  pw_buf_add(&t->line, "", 1); /* an end of its own */
  return c != EOF || t->line.len > 1;
}

/* The number of fields of the line; 0: no memory. */
static int split_line(table *t) {
  const char *at = t->line.text;
  int n = 1;
  t->field.len = 0;
  for (bool quoted = false; !t->line.failed && *at != '\0'; at++) {
    if (*at == '"') {
      bool doubled = quoted && at[1] == '"';
      at += doubled;
      quoted = doubled ? quoted : !quoted;
      pw_buf_add(&t->field, "\"", doubled ? 1 : 0);
    } else if (*at == ',' && !quoted) {
      pw_buf_add(&t->field, "", 1);
      n++;
    } else {
      pw_buf_add(&t->field, at, 1);
    }
  }
  pw_buf_add(&t->field, "", 1);
  return t->line.failed || t->field.failed ? 0 : n;
}

/* PAWL_OK for a line of all columns. */
static pawl_status split_row(table *t) {
  int n = split_line(t);
  return n == t->n ? PAWL_OK : n == 0 ? PAWL_E_MEMORY : PAWL_E_STATE;
}

static const char *next_field(const char *field) {
  return field + strlen(field) + 1;
}

static bool is_number(const char *text, double *out) {
  char *end;
  *out = strtod(text, &end);
  return end != text && *end == '\0';
}

static pawl_status read_head(table *t) {
  int n = read_line(t) ? split_line(t) : 0;
  t->col = calloc((size_t)n + 1, sizeof *t->col);
  if (t->col == NULL || n == 0) {
    return PAWL_E_MEMORY;
  }
  const char *field = t->field.text;
  for (; t->n < n; field = next_field(field)) {
    column *c = &t->col[t->n++];
    c->set = -1;
    c->width = 1;
    c->name = malloc(strlen(field) + 1);
    if (c->name == NULL) {
      return PAWL_E_MEMORY;
    }
    strcpy(c->name, field);
  }
  return PAWL_OK;
}

/* Kinds and widths of the columns, and how many rows there are. */
static pawl_status look_through(table *t) {
  while (read_line(t)) {
    pawl_status status = split_row(t);
    if (status != PAWL_OK) {
      return status;
    }
    const char *field = t->field.text;
    for (int i = 0; i < t->n; i++, field = next_field(field)) {
      double number;
      int width = (int)strlen(field);
      t->col[i].is_text = t->col[i].is_text || !is_number(field, &number);
      t->col[i].width = width > t->col[i].width ? width : t->col[i].width;
    }
    t->rows++;
  }
  return PAWL_OK;
}

/* ---- writing ---- */

static pw_column as_column(const table *t, const column *c) {
  return (pw_column){.name = c->name,
                     .type = c->is_text ? PW_COLUMN_TEXT : PW_COLUMN_REAL,
                     .width = c->width,
                     .count = t->rows};
}

/* A name with `/` would be a path. */
static void plain_name(char *name) {
  for (; *name != '\0'; name++) {
    *name = *name == '/' ? '_' : *name;
  }
}

static pawl_status make_sets(table *t, hid_t file) {
  for (int i = 0; i < t->n; i++) {
    column *c = &t->col[i];
    plain_name(c->name);
    pw_column whole = as_column(t, c);
    c->set = pw_h5_set(file, &whole);
    c->number = c->is_text ? NULL : malloc(ROWS_PER_PART * sizeof *c->number);
    c->text = c->is_text ? calloc(ROWS_PER_PART, (size_t)c->width) : NULL;
    if (c->number == NULL && c->text == NULL) {
      return PAWL_E_MEMORY;
    }
    if (c->set < 0) {
      return PAWL_E_FILE;
    }
  }
  return PAWL_OK;
}

static bool write_part(const table *t, const column *c, long from, long count) {
  hsize_t start = (hsize_t)from, length = (hsize_t)count;
  pw_column whole = as_column(t, c);
  hid_t memory = H5Screate_simple(1, &length, NULL), space = H5Dget_space(c->set);
  hid_t type = pw_h5_type(&whole);
  const void *data = c->is_text ? (const void *)c->text : (const void *)c->number;
  bool ok = H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &length, NULL) >= 0 &&
            H5Dwrite(c->set, type, memory, space, H5P_DEFAULT, data) >= 0;
  H5Tclose(type);
  H5Sclose(space);
  H5Sclose(memory);
  return ok;
}

static void keep_row(const table *t, long k) {
  const char *field = t->field.text;
  for (int i = 0; i < t->n; i++, field = next_field(field)) {
    const column *c = &t->col[i];
    if (c->is_text) {
      memset(c->text + k * c->width, 0, (size_t)c->width);
      memcpy(c->text + k * c->width, field, strlen(field));
    } else {
      (void)is_number(field, &c->number[k]);
    }
  }
}

static pawl_status write_rows(table *t) {
  long done = 0, here = 0;
  bool ok = true;
  while (ok && done + here < t->rows && read_line(t)) {
    pawl_status status = split_row(t);
    if (status != PAWL_OK) {
      return status;
    }
    keep_row(t, here++);
    if (here == ROWS_PER_PART || done + here == t->rows) {
      for (int i = 0; i < t->n && ok; i++) {
        ok = write_part(t, &t->col[i], done, here);
      }
      done += here;
      here = 0;
    }
  }
  return ok ? PAWL_OK : PAWL_E_FILE;
}

/* ---- both ---- */

static pawl_status read_through(table *t) {
  pawl_status status = read_head(t);
  status = status == PAWL_OK ? look_through(t) : status;
  if (status == PAWL_OK) {
    rewind(t->file);
    status = read_line(t) ? PAWL_OK : PAWL_E_STATE;
  }
  return status;
}

static void close_sets(table *t) {
  for (int i = 0; i < t->n; i++) {
    if (t->col[i].set >= 0) {
      H5Dclose(t->col[i].set);
    }
    free(t->col[i].name);
    free(t->col[i].number);
    free(t->col[i].text);
  }
  free(t->col);
  pw_buf_free(&t->line);
  pw_buf_free(&t->field);
}

pawl_status pw_table_to_h5(const char *csv, const char *h5, int *reason) {
  table t = {0};
  *reason = pw_file_stream(csv, &t.file);
  if (*reason != 0) {
    return pw_file_status(*reason);
  }
  pawl_status status = read_through(&t);
  hid_t file = -1;
  errno = 0;
  if (status == PAWL_OK) {
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* its own messages would go to standard error */
    file = H5Fcreate(h5, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    status = file < 0 ? PAWL_E_FILE : make_sets(&t, file);
  }
  status = status == PAWL_OK ? write_rows(&t) : status;
  close_sets(&t);
  if (file >= 0 && H5Fclose(file) < 0 && status == PAWL_OK) {
    status = PAWL_E_FILE;
  }
  status = status == PAWL_E_STATE ? PAWL_E_FILE : status; /* the text is damaged */
  *reason = status != PAWL_E_FILE ? 0 : errno != 0 ? pw_file_last_error() : PW_FILE_FAILED;
  fclose(t.file);
  return status;
}

#else

pawl_status pw_table_to_h5(const char *csv, const char *h5, int *reason) {
  (void)csv;
  (void)h5;
  *reason = 0;
  return PAWL_E_UNSUPPORTED;
}

#endif
