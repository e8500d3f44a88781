// SPDX-License-Identifier: MIT
/* trajectory.npz: a zip file of uncompressed NumPy arrays, one per column. Zip without its 64-bit
 * extension ends at 4 GB. The number of rows is known at the start, and with it the offset of each
 * column: parts of columns are written in place, and the headers with the checksums come last. */
#include <errno.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "write/arrays.h"
#include "write/zip.h"

typedef struct entry {
  uint64_t at;   /* of its head */
  uint64_t data; /* of its numbers */
  uint32_t crc;
} entry;

typedef struct zip {
  entry *entry; /* of the columns of the rows */
  double *part; /* numbers of one column of a chunk */
  int64_t room; /* of them */
  int64_t done; /* rows */
  uint64_t end;
  int entries;
  pw_buf directory, head;
  pw_event_arrays events;
} zip;

static const uint64_t zip_most = 0xffffffffu;
enum { MOST_ENTRIES = 0xfffe };

/* ---- heads ---- */

/* Version 1.0 of the format: the text of a Python dictionary, padded so that data is aligned. */
static void put_npy_head(pw_buf *buf, const pw_column *c) {
  const uint16_t probe = 1;
  char order = *(const char *)&probe == 1 ? '<' : '>';
  pw_buf text = {0};
  if (c->type == PW_COLUMN_TEXT) {
    pw_buf_printf(&text, "{'descr': '|S%d', ", c->width);
  } else {
    pw_buf_printf(&text, "{'descr': '%c%s', ", order, c->type == PW_COLUMN_INT ? "i8" : "f8");
  }
  pw_buf_printf(&text, "'fortran_order': False, 'shape': (%" PRId64 ",), }", c->count);
  while ((10 + text.len + 1) % 64 != 0 && !text.failed) {
    pw_buf_add(&text, " ", 1);
  }
  pw_buf_add(&text, "\n", 1);
  pw_buf_add(buf, "\x93NUMPY\x01\x00", 8);
  const char length[2] = {(char)(text.len & 255), (char)(text.len >> 8)};
  pw_buf_add(buf, length, 2);
  if (text.failed) {
    buf->failed = true;
  } else {
    pw_buf_add(buf, text.text, text.len);
  }
  pw_buf_free(&text);
}

static uint64_t size_of(const pw_column *c) {
  return (uint64_t)c->count * (uint64_t)c->width;
}

static pw_zip_entry entry_of(const pw_column *c, uint32_t crc, uint64_t size, uint64_t at) {
  return (pw_zip_entry){
      .name = c->name, .ending = ".npy", .crc = crc, .packed = size, .size = size, .at = at};
}

/* The local header and the head of the array, in z->head. */
static void make_head(zip *z, const pw_column *c, uint32_t crc) {
  pw_buf array = {0};
  put_npy_head(&array, c);
  z->head.len = 0;
  pw_zip_entry e = entry_of(c, crc, array.len + size_of(c), 0);
  pw_zip_head(&z->head, &e);
  if (!array.failed) {
    pw_buf_add(&z->head, array.text, array.len);
  }
  z->head.failed = z->head.failed || array.failed;
  pw_buf_free(&array);
}

/* The checksum of an array begins with that of its head. */
static uint32_t first_crc(const pw_column *c, pw_buf *scratch, uint64_t *size) {
  scratch->len = 0;
  put_npy_head(scratch, c);
  *size = scratch->len + size_of(c);
  return scratch->failed ? 0 : pw_crc32(0, scratch->text, scratch->len);
}

static void list(zip *z, const pw_column *c, uint32_t crc, uint64_t size, uint64_t at) {
  pw_zip_entry e = entry_of(c, crc, size, at);
  pw_zip_list(&z->directory, &e);
  z->entries++;
}

/* ---- the file ---- */

static pawl_status write_at(pw_sheet *s, uint64_t at, const void *bytes, size_t count) {
  if (at + count > zip_most) {
    errno = EFBIG;
    return PAWL_E_FILE;
  }
  bool there = fseek(s->file, (long)at, SEEK_SET) == 0;
  return there && fwrite(bytes, 1, count, s->file) == count ? PAWL_OK : PAWL_E_FILE;
}

static pawl_status begin(pw_sheet *s) {
  int n = pw_shape_columns(s->record->shape);
  zip *z = calloc(1, sizeof *z);
  s->own = z;
  if (z == NULL) {
    return PAWL_E_MEMORY;
  }
  z->entry = calloc((size_t)n, sizeof *z->entry);
  pawl_status status = z->entry == NULL ? PAWL_E_MEMORY : pw_event_arrays_begin(&z->events);
  for (int i = 0; i < n && status == PAWL_OK; i++) {
    pw_column c = pw_row_column(s->record, i);
    uint64_t size;
    z->entry[i].crc = first_crc(&c, &z->head, &size);
    make_head(z, &c, 0);
    z->entry[i].at = z->end;
    z->entry[i].data = z->end + z->head.len;
    z->end += z->head.len + size_of(&c);
    status = z->head.failed ? PAWL_E_MEMORY : PAWL_OK;
  }
  if (status == PAWL_OK && (z->end > zip_most || n + pw_event_fields() > MOST_ENTRIES)) {
    errno = EFBIG;
    status = PAWL_E_FILE;
  }
  return status;
}

static pawl_status take(pw_sheet *s, pw_chunk_view view) {
  zip *z = s->own;
  pawl_status status = z->done + view.n_row > s->record->rows ? PAWL_E_STATE : PAWL_OK;
  if (status == PAWL_OK && view.n_row > z->room) {
    double *more = realloc(z->part, (size_t)view.n_row * sizeof *more);
    if (more == NULL) {
      return PAWL_E_MEMORY;
    }
    z->part = more;
    z->room = view.n_row;
  }
  size_t bytes = (size_t)view.n_row * sizeof *z->part;
  for (int i = 0; i < pw_shape_columns(view.shape) && bytes > 0 && status == PAWL_OK; i++) {
    pw_row_column_part(&view, i, z->part);
    z->entry[i].crc = pw_crc32(z->entry[i].crc, z->part, bytes);
    status = write_at(s, z->entry[i].data + (uint64_t)z->done * sizeof *z->part, z->part, bytes);
  }
  z->done += view.n_row;
  return status == PAWL_OK ? pw_event_arrays_take(&z->events, view) : status;
}

static pawl_status put_events(void *payload, const pw_column *c) {
  pw_sheet *s = payload;
  zip *z = s->own;
  uint64_t size, at = z->end;
  uint32_t crc = pw_crc32(first_crc(c, &z->head, &size), c->data, (size_t)size_of(c));
  make_head(z, c, crc);
  pawl_status status = z->head.failed ? PAWL_E_MEMORY : PAWL_OK;
  if (status == PAWL_OK) {
    status = write_at(s, at, z->head.text, z->head.len);
  }
  if (status == PAWL_OK && c->count > 0) {
    status = write_at(s, at + z->head.len, c->data, (size_t)size_of(c));
  }
  z->end += z->head.len + size_of(c);
  list(z, c, crc, size, at);
  return status;
}

/* Headers of the columns, after their checksums are computed. */
static pawl_status put_heads(pw_sheet *s) {
  zip *z = s->own;
  pawl_status status = z->done == s->record->rows ? PAWL_OK : PAWL_E_STATE;
  for (int i = 0; i < pw_shape_columns(s->record->shape) && status == PAWL_OK; i++) {
    pw_column c = pw_row_column(s->record, i);
    uint64_t size;
    (void)first_crc(&c, &z->head, &size);
    list(z, &c, z->entry[i].crc, size, z->entry[i].at);
    make_head(z, &c, z->entry[i].crc);
    status =
        z->head.failed ? PAWL_E_MEMORY : write_at(s, z->entry[i].at, z->head.text, z->head.len);
  }
  return status;
}

static pawl_status end(pw_sheet *s) {
  zip *z = s->own;
  pawl_status status = put_heads(s);
  if (status == PAWL_OK) {
    status = pw_event_arrays_each(&z->events, put_events, s);
  }
  if (status == PAWL_OK) {
    status = pw_parameters_each(s->record, put_events, s);
  }
  if (status == PAWL_OK) {
    status = pw_parameter_units_each(s->record, put_events, s);
  }
  if (status == PAWL_OK) {
    status = pw_column_units_each(s->record, put_events, s);
  }
  pw_buf *buf = &z->directory;
  pw_zip_end(buf, z->entries, z->end);
  if (status == PAWL_OK) {
    status = buf->failed ? PAWL_E_MEMORY : write_at(s, z->end, buf->text, buf->len);
  }
  return status;
}

static void drop(pw_sheet *s) {
  zip *z = s->own;
  if (z != NULL) {
    pw_event_arrays_free(&z->events);
    pw_buf_free(&z->directory);
    pw_buf_free(&z->head);
    free(z->entry);
    free(z->part);
    free(z);
  }
}

const pw_format pw_format_npz = {
    .streams = true, .begin = begin, .take = take, .end = end, .drop = drop};
