// SPDX-License-Identifier: MIT
/* Which segments go into motion.pwt. All of them, until their bytes reach a limit; from then on
 * those with a row or an event in them, so that the file grows with the tables the user asked for
 * and no longer with the number of steps. The choice depends on the motion and the options alone.
 *
 * Rows inside a step come after its segment. So the last segment waits: a row at its time stores
 * it, the next segment takes its place. A segment that begins at the last row has its other side
 * there and is stored at once. */
#include <stdint.h>

#include "run/keep.h"

void pw_keep_segment(pw_keep *k, pw_chunk *chunk, const pw_segment *segment, double last_row) {
  k->left_out += k->waiting.len > 0;
  k->waiting.len = 0;
  if (k->bytes < k->limit || segment->from == last_row || segment->from == segment->to) {
    size_t before = chunk->segments.len;
    pw_chunk_segment(chunk, segment);
    k->bytes += (int64_t)(chunk->segments.len - before);
    k->stored++;
    return;
  }
  k->whole_until = k->left_out == 0 ? segment->from : k->whole_until;
  pw_segment_put(&k->waiting, chunk->shape, segment);
  chunk->segments.failed = chunk->segments.failed || k->waiting.failed;
}

void pw_keep_row(pw_keep *k, pw_chunk *chunk) {
  if (k->waiting.len > 0) {
    pw_chunk_stored_segment(chunk, &k->waiting);
    k->bytes += (int64_t)k->waiting.len;
    k->stored++;
    k->waiting.len = 0;
  }
}

void pw_keep_put(pw_buf *out, const pw_keep *k) {
  pw_put_int(out, k->limit);
  pw_put_int(out, k->bytes);
  pw_put_int(out, k->stored);
  pw_put_int(out, k->left_out);
  pw_put_real(out, k->whole_until);
  pw_put_blob(out, k->waiting.text, k->waiting.len);
}

void pw_keep_get(pw_reader *in, pw_keep *k) {
  k->limit = pw_get_int(in);
  k->bytes = pw_get_int(in);
  k->stored = (int64_t)pw_get_int(in);
  k->left_out = (int64_t)pw_get_int(in);
  k->whole_until = pw_get_real(in);
  size_t size;
  const void *waiting = pw_get_blob(in, &size);
  k->waiting.len = 0;
  if (size > 0) {
    pw_buf_add(&k->waiting, waiting, size);
  }
}
