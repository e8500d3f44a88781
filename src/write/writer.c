// SPDX-License-Identifier: MIT
#include "write/formats.h"

enum { FULL = 1 << 16 };

void pw_write_count(pw_buf *out, int64_t x) {
  char digits[24], *at = digits + sizeof digits;
  uint64_t size = x < 0 ? 0 - (uint64_t)x : (uint64_t)x;
  do {
    *--at = (char)('0' + size % 10);
    size /= 10;
  } while (size > 0);
  if (x < 0) {
    *--at = '-';
  }
  pw_buf_add(out, at, (size_t)(digits + sizeof digits - at));
}

pawl_status pw_writer_check(pw_writer *out) {
  return out->buf.len < FULL ? PAWL_OK : pw_buf_flush(&out->buf, out->sink, out->payload);
}

static int to_file(void *payload, const char *bytes, unsigned long count) {
  return fwrite(bytes, 1, count, payload) != count;
}

/* Keeps the reason of the first failure. */
static pawl_status note(pw_sheet *s, pawl_status status) {
  if (status == PAWL_E_FILE && s->reason == 0) {
    s->reason = pw_file_last_error();
  }
  return status;
}

pawl_status pw_sheet_begin(pw_sheet *s, const pw_format *format, const pw_write_record *record,
                           const char *path) {
  *s = (pw_sheet){.format = format, .record = record, .path = path};
  if (format->streams) {
    s->reason = pw_file_stream_out(path, &s->file);
    if (s->reason != 0) {
      return pw_file_status(s->reason);
    }
    s->out = (pw_writer){.sink = to_file, .payload = s->file};
  }
  return note(s, format->begin(s));
}

pawl_status pw_sheet_take(pw_sheet *s, const pw_chunk_view *view) {
  return note(s, s->format->take(s, *view));
}

pawl_status pw_sheet_end(pw_sheet *s, bool fine) {
  pawl_status status = PAWL_OK;
  if (fine && s->format->end != NULL) {
    status = note(s, s->format->end(s));
  }
  if (fine && status == PAWL_OK && s->file != NULL) {
    status = note(s, pw_buf_flush(&s->out.buf, s->out.sink, s->out.payload));
  }
  if (s->format != NULL && s->format->drop != NULL) {
    s->format->drop(s);
  }
  pw_buf_free(&s->out.buf);
  if (s->file != NULL) {
    int closed = pw_file_stream_close(s->file, s->record->lasting);
    if (fine && status == PAWL_OK && closed != 0) {
      s->reason = closed;
      status = pw_file_status(closed);
    }
  }
  return status;
}
