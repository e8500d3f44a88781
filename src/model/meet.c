// SPDX-License-Identifier: MIT
#include "model/meet.h"
#include "law/scale_model.h"

#include <math.h>

enum { HALVINGS = 60 };

typedef struct line {
  uint64_t seed;
  double at; /* 0..1 */
} line;

/* A fixed pseudo-random number of either sign and any size in 1e-3..1e3. */
static double end_of_line(int v, uint64_t seed) {
  uint64_t x = ((uint64_t)v + 1) * 0x9E3779B97F4A7C15u + seed * 0xD1B54A32D192ED03u;
  x ^= x >> 29;
  x *= 0xBF58476D1CE4E5B9u;
  x ^= x >> 32;
  double size = pow(10, 6 * (double)(x >> 12) * 0x1p-52 - 3);
  return (x & 1) != 0 ? size : -size;
}

static double on_line(void *payload, int v) {
  const line *l = payload;
  return (1 - l->at) * end_of_line(v, 2 * l->seed) + l->at * end_of_line(v, 2 * l->seed + 1);
}

double pw_line_at(pw_dag *dag, pw_node a, uint64_t seed, double x) {
  line l = {seed, x};
  return pw_eval(dag, a, on_line, &l);
}

pw_line_values pw_line_around(pw_dag *dag, pw_node a, uint64_t seed, double x) {
  double step = PW_SCALE(LINE_BESIDE) * fmin(x, 1 - x);
  return (pw_line_values){.left = pw_line_at(dag, a, seed, x - step),
                          .here = pw_line_at(dag, a, seed, x),
                          .right = pw_line_at(dag, a, seed, x + step)};
}

double pw_line_crossing(pw_dag *dag, pw_node c, uint64_t seed) {
  double lo = 0, hi = 1, first = pw_line_at(dag, c, seed, lo);
  if (!(first * pw_line_at(dag, c, seed, hi) < 0)) {
    return NAN;
  }
  for (int k = 0; k < HALVINGS; k++) {
    double middle = (lo + hi) / 2;
    *(pw_line_at(dag, c, seed, middle) * first > 0 ? &lo : &hi) = middle;
  }
  return lo;
}
