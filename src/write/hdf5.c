// SPDX-License-Identifier: MIT
/* trajectory.h5: one data set per column. Object times are not stored, so equal runs give equal
 * bytes. Without HDF5 there is a clear refusal instead. */
#include "write/arrays.h"

#ifdef PW_HAVE_HDF5

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "write/hdf5_set.h"

typedef struct store {
  pw_h5 h5;
  hid_t file;
  hid_t *set;   /* of the columns of the rows */
  double *part; /* numbers of one column of a chunk */
  int64_t room; /* of them */
  int64_t done; /* rows */
  pw_event_arrays events;
} store;

hid_t pw_h5_type(const pw_h5 *h5, const pw_column *c) {
  if (c->type == PW_COLUMN_TEXT) {
    hid_t type = h5->Tcopy(h5->text);
    h5->Tset_size(type, (size_t)c->width);
    h5->Tset_strpad(type, H5T_STR_NULLPAD);
    return type;
  }
  return h5->Tcopy(c->type == PW_COLUMN_INT ? h5->whole : h5->real);
}

hid_t pw_h5_set(const pw_h5 *h5, hid_t file, const pw_column *c) {
  hsize_t count = (hsize_t)c->count;
  hid_t type = pw_h5_type(h5, c);
  hid_t space = h5->Screate_simple(1, &count, NULL);
  hid_t create = h5->Pcreate(h5->data_set);
  h5->Pset_obj_track_times(create, 0);
  hid_t set = h5->Dcreate2(file, c->name, type, space, H5P_DEFAULT, create, H5P_DEFAULT);
  h5->Pclose(create);
  h5->Sclose(space);
  h5->Tclose(type);
  return set;
}

/* The library does not provide a reason. */
static pawl_status failed(void) {
  errno = errno == 0 ? EIO : errno;
  return PAWL_E_FILE;
}

static pawl_status begin(pw_sheet *s) {
  int n = pw_shape_columns(s->record->shape);
  store *x = calloc(1, sizeof *x);
  s->own = x;
  if (x == NULL) {
    return PAWL_E_MEMORY;
  }
  pawl_status status = pw_h5_load(&x->h5);
  if (status != PAWL_OK) {
    return status;
  }
  const pw_h5 *h5 = &x->h5;
  h5->Eset_auto2(H5E_DEFAULT, NULL, NULL); /* its own messages would go to standard error */
  errno = 0;
  x->file = h5->Fcreate(s->path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  x->set = calloc((size_t)n, sizeof *x->set);
  if (x->file < 0) {
    return failed();
  }
  status = x->set == NULL ? PAWL_E_MEMORY : pw_event_arrays_begin(&x->events);
  for (int i = 0; i < n && status == PAWL_OK; i++) {
    pw_column c = pw_row_column(s->record, i);
    x->set[i] = pw_h5_set(h5, x->file, &c);
    status = x->set[i] < 0 ? failed() : PAWL_OK;
  }
  return status;
}

static herr_t write_part(const pw_h5 *h5, hid_t set, int64_t from, int64_t count,
                         const double *part) {
  hsize_t start = (hsize_t)from, length = (hsize_t)count;
  hid_t memory = h5->Screate_simple(1, &length, NULL), space = h5->Dget_space(set);
  herr_t done = h5->Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &length, NULL);
  if (done >= 0) {
    done = h5->Dwrite(set, h5->real, memory, space, H5P_DEFAULT, part);
  }
  h5->Sclose(space);
  h5->Sclose(memory);
  return done;
}

static pawl_status take(pw_sheet *s, pw_chunk_view view) {
  store *x = s->own;
  pawl_status status = x->done + view.n_row > s->record->rows ? PAWL_E_STATE : PAWL_OK;
  if (status == PAWL_OK && view.n_row > x->room) {
    double *more = realloc(x->part, (size_t)view.n_row * sizeof *more);
    if (more == NULL) {
      return PAWL_E_MEMORY;
    }
    x->part = more;
    x->room = view.n_row;
  }
  for (int i = 0; view.n_row > 0 && i < pw_shape_columns(view.shape) && status == PAWL_OK; i++) {
    pw_row_column_part(&view, i, x->part);
    status = write_part(&x->h5, x->set[i], x->done, view.n_row, x->part) < 0 ? failed() : PAWL_OK;
  }
  x->done += view.n_row;
  return status == PAWL_OK ? pw_event_arrays_take(&x->events, view) : status;
}

/* An attribute: a text or a number attached to an object. */
static herr_t put_attribute(const pw_h5 *h5, hid_t to, const char *name, hid_t type,
                            const void *value) {
  hid_t space = h5->Screate(H5S_SCALAR);
  hid_t attribute = h5->Acreate2(to, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  herr_t done = attribute < 0 ? -1 : h5->Awrite(attribute, type, value);
  if (attribute >= 0) {
    h5->Aclose(attribute);
  }
  h5->Sclose(space);
  return done;
}

static herr_t put_unit(const pw_h5 *h5, hid_t set, const char *name, const char *unit) {
  hid_t type = h5->Tcopy(h5->text);
  h5->Tset_size(type, strlen(unit) + 1);
  herr_t done = put_attribute(h5, set, name, type, unit);
  h5->Tclose(type);
  return done;
}

static pawl_status put_parameter_unit(void *payload, const pw_column *c) {
  const store *x = payload;
  return put_unit(&x->h5, x->file, c->name, c->data) < 0 ? failed() : PAWL_OK;
}

static pawl_status put_parameter(void *payload, const pw_column *c) {
  const store *x = payload;
  herr_t done = put_attribute(&x->h5, x->file, c->name, x->h5.real, c->data);
  return done < 0 ? failed() : PAWL_OK;
}

/* Parameters and their units belong to the file, units of columns to the data sets. */
static pawl_status put_attributes(const pw_sheet *s, store *x) {
  pawl_status status = pw_parameters_each(s->record, put_parameter, x);
  if (status == PAWL_OK) {
    status = pw_parameter_units_each(s->record, put_parameter_unit, x);
  }
  for (int i = 0; status == PAWL_OK && i < pw_shape_columns(s->record->shape); i++) {
    const char *unit = pw_row_column_unit(s->record, i);
    status = unit != NULL && put_unit(&x->h5, x->set[i], "unit", unit) < 0 ? failed() : PAWL_OK;
  }
  return status;
}

static pawl_status put_events(void *payload, const pw_column *c) {
  const store *x = payload;
  const pw_h5 *h5 = &x->h5;
  hid_t set = pw_h5_set(h5, x->file, c), type = pw_h5_type(h5, c);
  herr_t done = set < 0 ? -1 : 0;
  if (set >= 0 && c->count > 0) {
    done = h5->Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, c->data);
  }
  if (set >= 0) {
    h5->Dclose(set);
  }
  h5->Tclose(type);
  return done < 0 ? failed() : PAWL_OK;
}

static herr_t close_sets(pw_sheet *s) {
  store *x = s->own;
  herr_t done = 0;
  for (int i = 0; x->set != NULL && i < pw_shape_columns(s->record->shape); i++) {
    done = x->set[i] > 0 && x->h5.Dclose(x->set[i]) < 0 ? -1 : done;
    x->set[i] = 0;
  }
  return done;
}

static pawl_status end(pw_sheet *s) {
  store *x = s->own;
  pawl_status status = x->done == s->record->rows ? PAWL_OK : PAWL_E_STATE;
  if (status == PAWL_OK) {
    status = pw_event_arrays_each(&x->events, put_events, x);
  }
  if (status == PAWL_OK) {
    status = put_attributes(s, x);
  }
  herr_t done = close_sets(s);
  done = x->h5.Fclose(x->file) < 0 ? -1 : done;
  x->file = -1;
  return status == PAWL_OK && done < 0 ? failed() : status;
}

static void drop(pw_sheet *s) {
  store *x = s->own;
  if (x == NULL) {
    return;
  }
  (void)close_sets(s);
  if (x->file > 0) {
    x->h5.Fclose(x->file);
  }
  pw_event_arrays_free(&x->events);
  free(x->set);
  free(x->part);
  free(x);
}

const pw_format pw_format_h5 = {.begin = begin, .take = take, .end = end, .drop = drop};

#else

static pawl_status begin(pw_sheet *s) {
  (void)s;
  return PAWL_E_UNSUPPORTED;
}

static pawl_status take(pw_sheet *s, pw_chunk_view view) {
  (void)s;
  (void)view;
  return PAWL_E_UNSUPPORTED;
}

const pw_format pw_format_h5 = {.begin = begin, .take = take};

#endif
