// SPDX-License-Identifier: MIT
#include "traj/segment.h"

#include <math.h>
#include <string.h>

#include "base/pi.h"

enum { MOST_KICKS = 1 << 24 };

double pw_segment_node(int j, int n) {
  if (j == 0 || n < 2) {
    return 0;
  }
  if (j == n - 1) {
    return 1;
  }
  double s = sin(0.5 * PW_PI * j / (n - 1));
  return s * s;
}

void pw_segment_put(pw_buf *out, const pw_shape *shape, const pw_segment *s) {
  pw_put_real(out, s->from);
  pw_put_real(out, s->to);
  pw_put_int(out, s->nodes);
  pw_put_blob(out, s->mode, (size_t)shape->n_law);
  pw_put_reals(out, s->force, 2 * shape->n_law);
  pw_put_reals(out, s->value, s->nodes * pw_shape_values(shape));
  if (shape->bare == PW_BARE_TURNS) {
    pw_put_int(out, s->by_steps);
  }
  if (shape->bare != PW_BARE_NONE) {
    pw_put_int(out, s->n_kick);
    pw_put_reals(out, s->kick, s->n_kick * PW_KICK_REALS);
  }
}

bool pw_segment_get(pw_reader *in, const pw_shape *shape, pw_segment *out) {
  size_t modes;
  out->from = pw_get_real(in);
  out->to = pw_get_real(in);
  out->nodes = pw_get_count(in, PW_MOST_NODES);
  out->mode = pw_get_blob(in, &modes);
  out->force = pw_get_reals(in, 2 * shape->n_law);
  out->value = pw_get_reals(in, out->nodes * pw_shape_values(shape));
  bool kicks = shape->bare != PW_BARE_NONE;
  out->by_steps = shape->bare == PW_BARE_TURNS ? pw_get_count(in, 1) != 0 : kicks;
  out->n_kick = kicks ? pw_get_count(in, MOST_KICKS) : 0;
  out->kick = kicks ? pw_get_reals(in, out->n_kick * PW_KICK_REALS) : NULL;
  return !in->bad && modes == (size_t)shape->n_law && out->from <= out->to &&
         out->nodes >= (out->from < out->to ? 2 : 1);
}

void pw_segment_sample(const pw_segment *s, int n_value, double t, double *out) {
  double x = s->to > s->from ? (t - s->from) / (s->to - s->from) : 0, sum = 0;
  x = fmin(fmax(x, 0), 1);
  memset(out, 0, (size_t)n_value * sizeof *out);
  for (int j = 0; j < s->nodes; j++) {
    const double *value = s->value + (ptrdiff_t)j * n_value;
    double away = x - pw_segment_node(j, s->nodes);
    if (away == 0) {
      memcpy(out, value, (size_t)n_value * sizeof *out);
      return;
    }
    double weight = (j % 2 == 0 ? 1 : -1) * (j == 0 || j == s->nodes - 1 ? 0.5 : 1) / away;
    sum += weight;
    for (int i = 0; i < n_value; i++) {
      out[i] += weight * value[i];
    }
  }
  for (int i = 0; i < n_value; i++) {
    out[i] /= sum;
  }
}
