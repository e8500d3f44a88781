// SPDX-License-Identifier: MIT
#include "traj/block.h"

#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "traj/segment.h"

static int scratch_file(void) {
  char name[] = "/tmp/pawl-block-XXXXXX";
  int fd = mkstemp(name);
  unlink(name);
  return fd;
}

/* A file with blocks of 8, 24 and 40 bytes; returns its length. */
static long long three_blocks(int fd, long long ends[3]) {
  long long end = 0;
  for (int i = 0; i < 3; i++) {
    pw_buf payload = {0};
    for (int k = 0; k < 2 * i + 1; k++) {
      pw_put_int(&payload, 100 * i + k);
    }
    CHECK(pw_block_append(fd, &end, &payload) == PAWL_OK);
    ends[i] = end;
    pw_buf_free(&payload);
  }
  return end;
}

static int count_blocks(int fd, long long *end) {
  pw_buf payload = {0};
  int n = 0;
  *end = 0;
  while (pw_block_read(fd, end, &payload)) {
    pw_reader r = {.at = payload.text, .end = payload.text + payload.len};
    CHECK_INT(payload.len, 8 * (2 * n + 1));
    CHECK_INT(pw_get_int(&r), 100 * n);
    n++;
  }
  pw_buf_free(&payload);
  return n;
}

static void whole_blocks_are_read(void) {
  int fd = scratch_file();
  long long ends[3], end;
  long long length = three_blocks(fd, ends);
  CHECK_INT(count_blocks(fd, &end), 3);
  CHECK_INT(end, length);
  close(fd);
}

/* Cut anywhere, the blocks before the cut are there and the torn one is not. */
static void torn_end_is_dropped(void) {
  for (long long cut = 0;; cut++) {
    int fd = scratch_file();
    long long ends[3], end;
    long long length = three_blocks(fd, ends);
    if (cut > length) {
      close(fd);
      break;
    }
    CHECK(ftruncate(fd, (off_t)cut) == 0);
    int whole = (cut >= ends[0]) + (cut >= ends[1]) + (cut >= ends[2]);
    CHECK_INT(count_blocks(fd, &end), whole);
    CHECK_INT(end, whole == 0 ? 0 : ends[whole - 1]);
    close(fd);
  }
}

static void every_flipped_bit_is_seen(void) {
  int fd = scratch_file();
  long long ends[3], end;
  three_blocks(fd, ends);
  for (long long at = ends[0]; at < ends[1]; at++) {
    char old, flipped;
    CHECK(pread(fd, &old, 1, (off_t)at) == 1);
    flipped = (char)(old ^ 4);
    CHECK(pwrite(fd, &flipped, 1, (off_t)at) == 1);
    CHECK_INT(count_blocks(fd, &end), 1);
    CHECK(pwrite(fd, &old, 1, (off_t)at) == 1);
  }
  CHECK_INT(count_blocks(fd, &end), 3);
  close(fd);
}

static void segments_come_back(void) {
  pw_segment s = {.n_col = 3, .n_state = 2};
  const double row[] = {0.25, 1, 2}, before[] = {3, 4}, after[] = {5, 6}, impulse[] = {7, 8};
  pw_traj_event e = {.t = 0.25,
                     .kind = "impact",
                     .at = "floor",
                     .cluster = 9,
                     .n_impulse = 2,
                     .impulse = impulse,
                     .dE = -0.5,
                     .rate_before = -2,
                     .rate_after = 1,
                     .force = 3,
                     .before = before,
                     .after = after};
  pw_segment_row(&s, row);
  pw_segment_row(&s, row);
  pw_segment_event(&s, &e);
  pw_buf bytes = {0};
  pw_segment_put(&bytes, &s);
  pw_reader r = {.at = bytes.text, .end = bytes.text + bytes.len};
  pw_segment_view view;
  pw_traj_event back;
  CHECK(pw_segment_get(&r, 3, 2, &view));
  CHECK(view.n_row == 2 && view.rows[5] == 2);
  CHECK(pw_segment_next(&view, &back));
  CHECK_STR(back.at, "floor");
  CHECK(back.cluster == 9 && back.n_impulse == 2 && back.impulse[1] == 8);
  CHECK(back.flag == NULL && back.dE == -0.5 && back.before[1] == 4 && back.after[0] == 5);
  CHECK(back.rate_before == -2 && back.rate_after == 1 && back.force == 3);
  CHECK(!pw_segment_next(&view, &back));
  r = (pw_reader){.at = bytes.text, .end = bytes.text + bytes.len};
  CHECK(!pw_segment_get(&r, 4, 2, &view)); /* rows of another model */
  pw_buf_free(&bytes);
  pw_segment_free(&s);
}

CHECK_MAIN({"whole blocks are read", whole_blocks_are_read},
           {"a torn end is dropped", torn_end_is_dropped},
           {"every flipped bit is seen", every_flipped_bit_is_seen},
           {"segments come back", segments_come_back})
