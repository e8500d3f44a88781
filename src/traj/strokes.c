// SPDX-License-Identifier: MIT
#include "traj/strokes.h"

#include "base/entries.h"

enum { MOST_BYTES = 1 << 24 };
enum { SINGLE = 3 * 8 }; /* bytes of one problem with one impulse */

/* The head of a problem in one word: rows have 24 bits, as many as models can have. */
enum { PHASE_BITS = 4, ROW_BITS = 24, MOST_ROWS = (1 << ROW_BITS) - 2 };

void pw_strokes_clear(pw_strokes *s) {
  if (s != NULL) {
    s->bytes.len = s->settled = 0;
    s->bytes.failed = s->lost = false;
  }
}

void pw_strokes_retry(pw_strokes *s) {
  if (s != NULL) {
    s->bytes.len = s->settled;
  }
}

void pw_strokes_settle(pw_strokes *s) {
  if (s != NULL) {
    s->settled = s->bytes.len;
  }
}

void pw_strokes_lose(pw_strokes *s) {
  if (s != NULL) {
    s->lost = true;
  }
}

void pw_strokes_add(pw_strokes *s, int phase, int only, const double *impulse, int rows) {
  if (s == NULL || s->lost) {
    return;
  }
  s->lost = rows > MOST_ROWS;
  int n = 0;
  for (int i = pw_next_entry(impulse, 0, rows); i < rows; i = pw_next_entry(impulse, i + 1, rows)) {
    n++;
  }
  pw_put_int(&s->bytes, (((long long)n << ROW_BITS | (only + 1)) << PHASE_BITS) | (long long)phase);
  for (int i = pw_next_entry(impulse, 0, rows); n > 0; i = pw_next_entry(impulse, i + 1, rows)) {
    pw_put_real(&s->bytes, i);
    pw_put_real(&s->bytes, impulse[i]);
    n--;
  }
  s->lost = s->lost || s->bytes.failed || s->bytes.len > MOST_BYTES;
}

bool pw_strokes_tell(const pw_strokes *s) {
  return !s->lost && s->bytes.len > SINGLE;
}

bool pw_strokes_next(pw_reader *in, int rows, pw_stroke_view *out) {
  if (in->at == in->end || in->bad) {
    return false;
  }
  long long head = pw_get_int(in), rest = head >> PHASE_BITS, n = rest >> ROW_BITS;
  long long only = (rest & ((1 << ROW_BITS) - 1)) - 1;
  in->bad = in->bad || head < 0 || n > rows || only >= rows;
  out->phase = (int)(head & ((1 << PHASE_BITS) - 1));
  out->n = in->bad ? 0 : (int)n;
  out->part = pw_get_reals(in, 2 * out->n);
  in->bad = in->bad || out->part == NULL;
  for (int i = 0; i < out->n && !in->bad; i++) {
    double row = out->part[2 * i];
    in->bad = !(row >= 0 && row < rows && row == (int)row);
  }
  out->only = (int)(in->bad ? -1 : only);
  return !in->bad;
}
