// SPDX-License-Identifier: MIT
/* Heads of zip archives. All dates are 1980-01-01, so equal contents give equal bytes. */
#ifndef PW_WRITE_ZIP_H
#define PW_WRITE_ZIP_H

#include <stdint.h>

#include "base/buf.h"

typedef struct pw_zip_entry {
  const char *name, *ending; /* after the name; "": none */
  int deflated;              /* 0: stored */
  uint32_t crc;
  uint64_t packed, size; /* bytes in the archive, and of the file */
  uint64_t at;           /* of its local head */
} pw_zip_entry;

/* The head before the bytes of an entry. */
void pw_zip_head(pw_buf *buf, const pw_zip_entry *e);
/* Its line in the directory at the end. */
void pw_zip_list(pw_buf *directory, const pw_zip_entry *e);
/* The bytes after the directory, which has `entries` entries and begins at `at`. */
void pw_zip_end(pw_buf *directory, int entries, uint64_t at);

#endif
