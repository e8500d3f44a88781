// SPDX-License-Identifier: MIT
#include "write/formats.h"

enum { FULL = 1 << 16 };

pawl_status pw_writer_check(pw_writer *out) {
  return out->buf.len < FULL ? PAWL_OK : pw_buf_flush(&out->buf, out->sink, out->payload);
}
