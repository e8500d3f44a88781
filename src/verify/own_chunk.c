// SPDX-License-Identifier: MIT
/* Chunks of a stored motion, as if its run went on now: segments and rows in the order of time. */
#include <math.h>
#include <stdint.h>

#include "pawl/traj.h"
#include "verify/feed.h"
#include "verify/glimpse.h"

/* Rows at one time: those of instants come in twos, and a sample may stand before them. */
static int64_t count_equal(const double *rows, int64_t n, int columns) {
  int64_t k = 1;
  while (k < n && rows[(ptrdiff_t)k * columns] == rows[0]) {
    k++;
  }
  return k;
}

/* Segments that begin before a time, and the state in which the motion begins with a jump. `s`: the
 * next one, if `more`. */
static bool show_until(pawl_certifier *c, pw_chunk_view *view, double t, pw_segment *s, bool more) {
  while (more && (s->from < t || (!c->own.any && s->to == t && s->from == t))) {
    pw_own_segment(c, s, pw_shape_values(view->shape));
    more = pw_chunk_next_segment(view, s);
  }
  return more;
}

void pw_own_chunk(pawl_certifier *c, const pw_chunk_view *chunk) {
  pw_chunk_view view = *chunk;
  int columns = pw_shape_columns(view.shape);
  pw_segment s;
  bool more = pw_chunk_next_segment(&view, &s);
  for (int64_t i = 0, n; i < view.n_row; i += n) {
    const double *row = view.rows + (ptrdiff_t)i * columns;
    n = count_equal(row, view.n_row - i, columns);
    more = show_until(c, &view, row[0], &s, more);
    if (n % 2 == 1) {
      pw_own_row(c, row);
    }
    for (int64_t k = n % 2; k < n; k++) {
      pw_reader strokes;
      if (pw_chunk_strokes_at(&view, i + k, &strokes)) {
        pw_own_strokes(c, strokes);
      }
      pw_own_side(c, (k - n) % 2 == 0 ? PAWL_BEFORE : PAWL_AFTER, row + (ptrdiff_t)k * columns);
    }
  }
  (void)show_until(c, &view, INFINITY, &s, more);
}
