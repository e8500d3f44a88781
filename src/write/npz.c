// SPDX-License-Identifier: MIT
/* trajectory.npz: a zip file of uncompressed NumPy arrays, one per column. All dates are
 * 1980-01-01, so equal runs give equal bytes. Zip without its 64-bit extension ends at 4 GB. */
#include <errno.h>
#include <string.h>

#include "write/arrays.h"

typedef struct zip {
  pw_writer *out;
  uint64_t offset;
  int entries;
  pw_buf directory;
} zip;

static const uint64_t zip_most = 0xffffffffu;

static void put_le(pw_buf *buf, uint64_t value, int bytes) {
  for (int i = 0; i < bytes; i++) {
    char byte = (char)(unsigned char)(value >> 8 * i & 255);
    pw_buf_add(buf, &byte, 1);
  }
}

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
  pw_buf_printf(&text, "'fortran_order': False, 'shape': (%ld,), }", c->count);
  while ((10 + text.len + 1) % 64 != 0) {
    pw_buf_add(&text, " ", 1);
    if (text.failed) {
      break;
    }
  }
  pw_buf_add(&text, "\n", 1);
  pw_buf_add(buf, "\x93NUMPY\x01\x00", 8);
  put_le(buf, text.len, 2);
  if (text.failed) {
    buf->failed = true;
  } else {
    pw_buf_add(buf, text.text, text.len);
  }
  pw_buf_free(&text);
}

enum { UTF8_NAMES = 1 << 11, YEAR_1980 = 0x21, VERSION_2 = 20 };

/* What a local header and an entry of the directory have in common. */
static void put_common(pw_buf *buf, const char *name, uint32_t crc, uint64_t size) {
  put_le(buf, UTF8_NAMES, 2);
  put_le(buf, 0, 2); /* stored */
  put_le(buf, 0, 2);
  put_le(buf, YEAR_1980, 2);
  put_le(buf, crc, 4);
  put_le(buf, size, 4);
  put_le(buf, size, 4);
  put_le(buf, strlen(name) + 4, 2);
  put_le(buf, 0, 2);
}

static void put_name(pw_buf *buf, const char *name) {
  pw_buf_puts(buf, name);
  pw_buf_puts(buf, ".npy");
}

static void put_directory_entry(zip *z, const char *name, uint32_t crc, uint64_t size) {
  pw_buf *buf = &z->directory;
  put_le(buf, 0x02014b50, 4);
  put_le(buf, VERSION_2, 2);
  put_le(buf, VERSION_2, 2);
  put_common(buf, name, crc, size);
  put_le(buf, 0, 2);
  put_le(buf, 0, 2);
  put_le(buf, 0, 2);
  put_le(buf, 0, 4);
  put_le(buf, z->offset, 4);
  put_name(buf, name);
}

static pawl_status put_array(void *payload, const pw_column *c) {
  zip *z = payload;
  pw_buf head = {0};
  put_npy_head(&head, c);
  if (head.failed || z->directory.failed) {
    pw_buf_free(&head);
    return PAWL_E_MEMORY;
  }
  size_t bytes = (size_t)c->count * (size_t)c->width;
  uint32_t crc = pw_crc32(0, head.text, head.len);
  crc = pw_crc32(crc, c->data, bytes);
  uint64_t size = head.len + bytes;
  if (size > zip_most || z->offset + size > zip_most || z->entries == 0xfffe) {
    pw_buf_free(&head);
    errno = EFBIG;
    return PAWL_E_FILE;
  }
  put_directory_entry(z, c->name, crc, size);
  pw_writer *out = z->out;
  pw_buf *buf = &out->buf;
  put_le(buf, 0x04034b50, 4);
  put_le(buf, VERSION_2, 2);
  put_common(buf, c->name, crc, size);
  put_name(buf, c->name);
  pw_buf_add(buf, head.text, head.len);
  z->offset += buf->len + bytes;
  z->entries++;
  pw_buf_free(&head);
  pawl_status status = pw_buf_flush(buf, out->sink, out->payload);
  if (status == PAWL_OK && bytes > 0 && out->sink(out->payload, c->data, bytes) != 0) {
    status = PAWL_E_FILE;
  }
  return status;
}

pawl_status pw_write_npz(const pw_record *record, pw_writer *out) {
  zip z = {.out = out};
  pawl_status status = pw_columns_each(record, put_array, &z);
  if (z.directory.failed) {
    status = PAWL_E_MEMORY;
  }
  if (status == PAWL_OK) {
    pw_buf *buf = &out->buf;
    pw_buf_add(buf, z.directory.text, z.directory.len);
    put_le(buf, 0x06054b50, 4);
    put_le(buf, 0, 4);
    put_le(buf, (uint64_t)z.entries, 2);
    put_le(buf, (uint64_t)z.entries, 2);
    put_le(buf, z.directory.len, 4);
    put_le(buf, z.offset, 4);
    put_le(buf, 0, 2);
  }
  pw_buf_free(&z.directory);
  return status;
}
