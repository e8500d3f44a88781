// SPDX-License-Identifier: MIT
/* A block is a header of 24 bytes (magic, length of the payload, checksum of length and payload)
 * and the payload. The length is part of the checksum, so that a torn length is noticed. */
#include "traj/block.h"

#include <string.h>

typedef struct header {
  char magic[8];
  uint64_t length;
  uint64_t check;
} header;

static const char magic[8] = {'P', 'A', 'W', 'L', 'B', 'L', 'K', '3'};

static uint64_t checksum(uint64_t length, const char *payload) {
  return pw_sum64(pw_sum64(0, &length, sizeof length), payload, (size_t)length);
}

int pw_block_append(const pw_file *file, int64_t *offset, const pw_buf *payload) {
  if (payload->failed) {
    return PW_FILE_MEMORY;
  }
  header head = {.length = payload->len, .check = checksum(payload->len, payload->text)};
  memcpy(head.magic, magic, sizeof magic);
  int64_t body = *offset + (int64_t)sizeof head;
  int reason = pw_file_write_at(file, &head, sizeof head, *offset);
  if (reason == 0) {
    reason = pw_file_write_at(file, payload->text, payload->len, body);
  }
  if (reason == 0) {
    *offset = body + (int64_t)payload->len;
  }
  return reason;
}

bool pw_block_read(const pw_file *file, int64_t *offset, pw_buf *payload) {
  header head;
  int64_t size = 0, body = *offset + (int64_t)sizeof head;
  payload->len = 0;
  if (pw_file_read_at(file, &head, sizeof head, *offset) != 0 ||
      memcmp(head.magic, magic, sizeof magic) != 0 || pw_file_size(file, &size) != 0 ||
      head.length > (uint64_t)(size - body)) {
    return false;
  }

  /* makes room in the buffer */
  static const char zero[4096] = {0};
  while (payload->len < head.length && !payload->failed) {
    size_t rest = (size_t)head.length - payload->len;
    pw_buf_add(payload, zero, rest < sizeof zero ? rest : sizeof zero);
  }

  if (payload->failed || head.length == 0 ||
      pw_file_read_at(file, payload->text, (size_t)head.length, body) != 0 ||
      checksum(head.length, payload->text) != head.check) {
    return false;
  }
  *offset = body + (int64_t)head.length;
  return true;
}
