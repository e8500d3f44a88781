// SPDX-License-Identifier: MIT
/* A block is a header of 24 bytes (magic, length of the payload, checksum of length and payload)
 * and the payload. A length that was torn cannot get by: it is part of the checksum. */
#include "traj/block.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct header {
  char magic[8];
  uint64_t length;
  uint64_t check;
} header;

static const char magic[8] = {'P', 'A', 'W', 'L', 'B', 'L', 'K', '1'};

static uint64_t checksum(uint64_t length, const char *payload) {
  uint32_t crc = pw_crc32(0, &length, sizeof length);
  return pw_crc32(crc, payload, (size_t)length);
}

static bool write_at(int fd, const void *bytes, size_t count, long long offset) {
  const char *at = bytes;
  while (count > 0) {
    ssize_t n = pwrite(fd, at, count, (off_t)offset);
    if (n < 0 && errno == EINTR) {
      continue;
    }
    if (n <= 0) {
      return false;
    }
    at += n;
    offset += n;
    count -= (size_t)n;
  }
  return true;
}

static bool read_at(int fd, void *bytes, size_t count, long long offset) {
  char *at = bytes;
  while (count > 0) {
    ssize_t n = pread(fd, at, count, (off_t)offset);
    if (n < 0 && errno == EINTR) {
      continue;
    }
    if (n <= 0) {
      return false;
    }
    at += n;
    offset += n;
    count -= (size_t)n;
  }
  return true;
}

pawl_status pw_block_append(int fd, long long *offset, const pw_buf *payload) {
  if (payload->failed) {
    return PAWL_E_MEMORY;
  }
  header head = {.length = payload->len, .check = checksum(payload->len, payload->text)};
  memcpy(head.magic, magic, sizeof magic);
  long long at = *offset;
  if (!write_at(fd, &head, sizeof head, at) ||
      !write_at(fd, payload->text, payload->len, at + (long long)sizeof head) || fsync(fd) != 0) {
    return PAWL_E_FILE;
  }
  *offset = at + (long long)(sizeof head + payload->len);
  return PAWL_OK;
}

bool pw_block_read(int fd, long long *offset, pw_buf *payload) {
  header head;
  struct stat info;
  long long body = *offset + (long long)sizeof head;
  payload->len = 0;
  if (!read_at(fd, &head, sizeof head, *offset) || memcmp(head.magic, magic, 8) != 0 ||
      fstat(fd, &info) != 0 || head.length > (uint64_t)(info.st_size - body)) {
    return false;
  }
  static const char zero[4096] = {0};
  while (payload->len < head.length && !payload->failed) { /* makes room in the buffer */
    size_t rest = (size_t)head.length - payload->len;
    pw_buf_add(payload, zero, rest < sizeof zero ? rest : sizeof zero);
  }
  if (payload->failed || !read_at(fd, payload->text, (size_t)head.length, body) ||
      checksum(head.length, payload->text) != head.check) {
    return false;
  }
  *offset = body + (long long)head.length;
  return true;
}
