// SPDX-License-Identifier: MIT
#include "traj/block.h"

#include <stdlib.h>
#include <unistd.h>

#include "check.h"

static pw_file scratch_file(void) {
  char name[] = "/tmp/pawl-block-XXXXXX";
  pw_file file = {mkstemp(name)};
  unlink(name);
  return file;
}

/* A file with blocks of 8, 24 and 40 bytes; returns its length. */
static int64_t three_blocks(const pw_file *file, int64_t ends[3]) {
  int64_t end = 0;
  for (int i = 0; i < 3; i++) {
    pw_buf payload = {0};
    for (int k = 0; k < 2 * i + 1; k++) {
      pw_put_int(&payload, 100 * i + k);
    }
    CHECK(pw_block_append(file, &end, &payload) == 0);
    ends[i] = end;
    pw_buf_free(&payload);
  }
  return end;
}

static int count_blocks(const pw_file *file, int64_t *end) {
  pw_buf payload = {0};
  int n = 0;
  *end = 0;
  while (pw_block_read(file, end, &payload)) {
    pw_reader r = {.at = payload.text, .end = payload.text + payload.len};
    CHECK_INT(payload.len, 8 * (2 * n + 1));
    CHECK_INT(pw_get_int(&r), 100 * n);
    n++;
  }
  pw_buf_free(&payload);
  return n;
}

static void whole_blocks_are_read(void) {
  pw_file file = scratch_file();
  int64_t ends[3], end;
  int64_t length = three_blocks(&file, ends);
  CHECK_INT(count_blocks(&file, &end), 3);
  CHECK_INT(end, length);
  pw_file_close(&file);
}

/* Cut anywhere, the blocks before the cut are there and the torn one is not. */
static void torn_end_is_dropped(void) {
  for (int64_t cut = 0;; cut++) {
    pw_file file = scratch_file();
    int64_t ends[3], end;
    int64_t length = three_blocks(&file, ends);
    if (cut > length) {
      pw_file_close(&file);
      break;
    }
    CHECK(pw_file_cut(&file, cut) == 0);
    int whole = (cut >= ends[0]) + (cut >= ends[1]) + (cut >= ends[2]);
    CHECK_INT(count_blocks(&file, &end), whole);
    CHECK_INT(end, whole == 0 ? 0 : ends[whole - 1]);
    pw_file_close(&file);
  }
}

static void every_flipped_bit_is_seen(void) {
  pw_file file = scratch_file();
  int64_t ends[3], end;
  three_blocks(&file, ends);
  for (int64_t at = ends[0]; at < ends[1]; at++) {
    char old, flipped;
    CHECK(pread(file.fd, &old, 1, (off_t)at) == 1);
    flipped = (char)(old ^ 4);
    CHECK(pwrite(file.fd, &flipped, 1, (off_t)at) == 1);
    CHECK_INT(count_blocks(&file, &end), 1);
    CHECK(pwrite(file.fd, &old, 1, (off_t)at) == 1);
  }
  CHECK_INT(count_blocks(&file, &end), 3);
  pw_file_close(&file);
}

CHECK_MAIN({"whole blocks are read", whole_blocks_are_read},
           {"a torn end is dropped", torn_end_is_dropped},
           {"every flipped bit is seen", every_flipped_bit_is_seen})
