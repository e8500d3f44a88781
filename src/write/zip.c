// SPDX-License-Identifier: MIT
#include "write/zip.h"

#include <string.h>

static void put_le(pw_buf *buf, uint64_t value, int bytes) {
  for (int i = 0; i < bytes; i++) {
    char byte = (char)(unsigned char)(value >> 8 * i & 255);
    pw_buf_add(buf, &byte, 1);
  }
}

enum { UTF8_NAMES = 1 << 11, YEAR_1980 = 0x21, VERSION_2 = 20, DEFLATED = 8 };

/* The common part of a local header and a directory entry. */
static void put_common(pw_buf *buf, const pw_zip_entry *e) {
  put_le(buf, UTF8_NAMES, 2);
  put_le(buf, e->deflated ? DEFLATED : 0, 2);
  put_le(buf, 0, 2);
  put_le(buf, YEAR_1980, 2);
  put_le(buf, e->crc, 4);
  put_le(buf, e->packed, 4);
  put_le(buf, e->size, 4);
  put_le(buf, strlen(e->name) + strlen(e->ending), 2);
  put_le(buf, 0, 2);
}

static void put_name(pw_buf *buf, const pw_zip_entry *e) {
  pw_buf_puts(buf, e->name);
  pw_buf_puts(buf, e->ending);
}

void pw_zip_head(pw_buf *buf, const pw_zip_entry *e) {
  put_le(buf, 0x04034b50, 4);
  put_le(buf, VERSION_2, 2);
  put_common(buf, e);
  put_name(buf, e);
}

void pw_zip_list(pw_buf *buf, const pw_zip_entry *e) {
  put_le(buf, 0x02014b50, 4);
  put_le(buf, VERSION_2, 2);
  put_le(buf, VERSION_2, 2);
  put_common(buf, e);
  put_le(buf, 0, 2);
  put_le(buf, 0, 2);
  put_le(buf, 0, 2);
  put_le(buf, 0, 4);
  put_le(buf, e->at, 4);
  put_name(buf, e);
}

void pw_zip_end(pw_buf *buf, int entries, uint64_t at) {
  size_t listed = buf->len;
  put_le(buf, 0x06054b50, 4);
  put_le(buf, 0, 4);
  put_le(buf, (uint64_t)entries, 2);
  put_le(buf, (uint64_t)entries, 2);
  put_le(buf, listed, 4);
  put_le(buf, at, 4);
  put_le(buf, 0, 2);
}
