// SPDX-License-Identifier: MIT
#include "write/csv_table.h"

#ifdef PW_HAVE_HDF5

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "write/csv_read.h"
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
  pw_h5 h5;
  pw_csv csv;
  column *col;
  int n;
  int64_t rows;
} table;

/* ---- reading ---- */

static pawl_status read_head(table *t) {
  pawl_status status = pw_csv_next(&t->csv);
  t->col = calloc((size_t)t->csv.n + 1, sizeof *t->col);
  if (t->col == NULL || status != PAWL_OK) {
    return status == PAWL_OK ? PAWL_E_MEMORY : status;
  }
  const char *field = t->csv.text.text;
  for (; t->n < t->csv.n; field = pw_csv_after(field)) {
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
  pawl_status status;
  while ((status = pw_csv_next(&t->csv)) == PAWL_OK && t->csv.n == t->n) {
    const char *field = t->csv.text.text;
    for (int i = 0; i < t->n; i++, field = pw_csv_after(field)) {
      double number;
      int width = (int)strlen(field);
      t->col[i].is_text = t->col[i].is_text || !pw_csv_number(field, &number);
      t->col[i].width = width > t->col[i].width ? width : t->col[i].width;
    }
    t->rows++;
  }
  return status == PAWL_E_STATE ? PAWL_OK : status == PAWL_OK ? PAWL_E_STATE : status;
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
    c->set = pw_h5_set(&t->h5, file, &whole);
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

static bool write_part(const table *t, const column *c, int64_t from, int64_t count) {
  hsize_t start = (hsize_t)from, length = (hsize_t)count;
  const pw_h5 *h5 = &t->h5;
  pw_column whole = as_column(t, c);
  hid_t memory = h5->Screate_simple(1, &length, NULL), space = h5->Dget_space(c->set);
  hid_t type = pw_h5_type(h5, &whole);
  const void *data = c->is_text ? (const void *)c->text : (const void *)c->number;
  bool ok = h5->Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &length, NULL) >= 0 &&
            h5->Dwrite(c->set, type, memory, space, H5P_DEFAULT, data) >= 0;
  h5->Tclose(type);
  h5->Sclose(space);
  h5->Sclose(memory);
  return ok;
}

static void keep_row(const table *t, int64_t k) {
  const char *field = t->csv.text.text;
  for (int i = 0; i < t->n; i++, field = pw_csv_after(field)) {
    const column *c = &t->col[i];
    if (c->is_text) {
      memset(c->text + k * c->width, 0, (size_t)c->width);
      memcpy(c->text + k * c->width, field, strlen(field));
    } else {
      (void)pw_csv_number(field, &c->number[k]);
    }
  }
}

static pawl_status write_rows(table *t) {
  int64_t done = 0, here = 0;
  bool ok = true;
  while (ok && done + here < t->rows) {
    pawl_status status = pw_csv_next(&t->csv);
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
    rewind(t->csv.file);
    status = pw_csv_next(&t->csv);
  }
  return status;
}

static void close_sets(table *t) {
  for (int i = 0; i < t->n; i++) {
    if (t->col[i].set >= 0) {
      t->h5.Dclose(t->col[i].set);
    }
    free(t->col[i].name);
    free(t->col[i].number);
    free(t->col[i].text);
  }
  free(t->col);
  pw_csv_free(&t->csv);
}

pawl_status pw_table_to_h5(const char *csv, const char *to, int *reason) {
  table t = {0};
  const pw_h5 *h5 = &t.h5;
  *reason = pw_file_stream(csv, &t.csv.file);
  if (*reason != 0) {
    return pw_file_status(*reason);
  }
  pawl_status status = pw_h5_load(&t.h5);
  status = status == PAWL_OK ? read_through(&t) : status;
  hid_t file = -1;
  errno = 0;
  if (status == PAWL_OK) {
    h5->Eset_auto2(H5E_DEFAULT, NULL, NULL); /* its own messages would go to standard error */
    file = h5->Fcreate(to, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    status = file < 0 ? PAWL_E_FILE : make_sets(&t, file);
  }
  status = status == PAWL_OK ? write_rows(&t) : status;
  close_sets(&t);
  if (file >= 0 && h5->Fclose(file) < 0 && status == PAWL_OK) {
    status = PAWL_E_FILE;
  }
  status = status == PAWL_E_STATE ? PAWL_E_FILE : status; /* the text is damaged */
  *reason = status != PAWL_E_FILE ? 0 : errno != 0 ? pw_file_last_error() : PW_FILE_FAILED;
  fclose(t.csv.file);
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
