// SPDX-License-Identifier: MIT
#include "race_hand.h"

#include <math.h>
#include <string.h>

#define BENCH_REAL double
#define BENCH_SIN sin
#define BENCH_COS cos
#define BENCH_G 9.81
#define FIELD(name) name
#include "fields.h"
#include "six_links.h"

/* Everything is one function per problem: the compiler sees sizes, fields and events. */
#define INLINE static inline __attribute__((always_inline))

typedef void field(const double *y, int mode, double *dy);
typedef double surface(const double *y, int mode); /* something happens where it falls below 0 */
typedef int jump(double *y, int mode);             /* returns the mode after */

typedef struct step {
  double y[HAND_MOST], k[7][HAND_MOST], end[HAND_MOST], r[5][HAND_MOST];
} step;

INLINE void add(step *s, int n, double h, int terms, const double *a) {
  for (int i = 0; i < n; i++) {
    double sum = a[0] * s->k[0][i];
    for (int j = 1; j < terms; j++) {
      sum += a[j] * s->k[j][i];
    }
    s->end[i] = s->y[i] + h * sum;
  }
}

INLINE double try_step(step *s, int n, field *f, int mode, double h, double tol) {
  static const double a[6][6] = {
      {1.0 / 5},
      {3.0 / 40, 9.0 / 40},
      {44.0 / 45, -56.0 / 15, 32.0 / 9},
      {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
      {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
      {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
#define STAGE(i)             \
  add(s, n, h, i, a[(i)-1]); \
  f(s->end, mode, s->k[i]);
  STAGE(1)
  STAGE(2)
  STAGE(3)
  STAGE(4)
  STAGE(5)
  STAGE(6)
#undef STAGE
  double worst = 0;
  for (int i = 0; i < n; i++) {
    double e =
        h * (71.0 / 57600 * s->k[0][i] - 71.0 / 16695 * s->k[2][i] + 71.0 / 1920 * s->k[3][i] -
             17253.0 / 339200 * s->k[4][i] + 22.0 / 525 * s->k[5][i] - 1.0 / 40 * s->k[6][i]);
    double size = fabs(s->y[i]) > fabs(s->end[i]) ? fabs(s->y[i]) : fabs(s->end[i]);
    double part = fabs(e) / (tol * (0.1 + size));
    worst = part > worst ? part : worst;
  }
  return worst;
}

INLINE void prepare_dense(step *s, int n, double h) {
  for (int i = 0; i < n; i++) {
    double rise = s->end[i] - s->y[i], bend = h * s->k[0][i] - rise;
    s->r[0][i] = s->y[i];
    s->r[1][i] = rise;
    s->r[2][i] = bend;
    s->r[3][i] = rise - h * s->k[6][i] - bend;
    s->r[4][i] =
        h * (-12715105075.0 / 11282082432 * s->k[0][i] + 87487479700.0 / 32700410799 * s->k[2][i] -
             10690763975.0 / 1880347072 * s->k[3][i] + 701980252875.0 / 199316789632 * s->k[4][i] -
             1453857185.0 / 822651844 * s->k[5][i] + 69997945.0 / 29380423 * s->k[6][i]);
  }
}

INLINE void dense(const step *s, int n, double x, double *y) {
  for (int i = 0; i < n; i++) {
    y[i] = s->r[0][i] +
           x * (s->r[1][i] + (1 - x) * (s->r[2][i] + x * (s->r[3][i] + (1 - x) * s->r[4][i])));
  }
}

/* The part of the step at which g becomes zero; it is positive just behind the start. */
INLINE double find_root(step *s, int n, surface *g, int mode, double h, double *y) {
  prepare_dense(s, n, h);
  double hi = 1, at_hi = g(s->end, mode), lo = 0.5, at_lo;
  for (dense(s, n, lo, y); (at_lo = g(y, mode)) <= 0 && lo > 1e-12; dense(s, n, lo, y)) {
    hi = lo;
    at_hi = at_lo;
    lo *= 0.5;
  }
  double x = hi;
  for (int i = 0; i < 60 && hi - lo > 4e-16; i++) { /* Illinois */
    x = lo + (hi - lo) * at_lo / (at_lo - at_hi);
    dense(s, n, x, y);
    double value = g(y, mode);
    if (value == 0) {
      break;
    }
    if (value > 0) {
      lo = x;
      at_lo = value;
      at_hi *= 0.5;
    } else {
      hi = x;
      at_hi = value;
      at_lo *= 0.5;
    }
  }
  dense(s, n, x, y);
  return x;
}

INLINE long march(int n, field *f, surface *g, jump *act, int mode, double most, double to,
                  double tol, double *y, long *events) {
  step s;
  long steps = 0;
  double t = 0, h = 1e-3;
  memcpy(s.y, y, (size_t)n * sizeof *y);
  f(s.y, mode, s.k[0]);
  while (t < to) {
    h = h > most ? most : h;
    double now = t + h >= to ? to - t : h;
    double error = try_step(&s, n, f, mode, now, tol);
    steps++;
    double factor = 0.9 * pow(error > 1e-10 ? error : 1e-10, -0.2);
    factor = factor > 5 ? 5 : factor < 0.2 ? 0.2 : factor;
    if (error > 1) {
      h = now * factor;
      continue;
    }
    if (g != NULL && g(s.end, mode) < 0) {
      double at[HAND_MOST];
      t += now * find_root(&s, n, g, mode, now, at);
      memcpy(s.y, at, (size_t)n * sizeof *at);
      mode = act(s.y, mode);
      f(s.y, mode, s.k[0]);
      ++*events;
      continue;
    }
    t = now < h ? to : t + now;
    h *= factor;
    memcpy(s.y, s.end, (size_t)n * sizeof *y);
    memcpy(s.k[0], s.k[6], (size_t)n * sizeof *y);
  }
  memcpy(y, s.y, (size_t)n * sizeof *y);
  return steps;
}

/* ---- smooth motions ---- */

INLINE void two_links(const double *y, int mode, double *dy) {
  (void)mode;
  double_pendulum(0, y, 1, dy);
}

INLINE void links(const double *y, int mode, double *dy) {
  (void)mode;
  six_links(y, dy);
}

/* A quaternion and the rates in the body. */
INLINE void body(const double *y, int mode, double *dy) {
  (void)mode;
  const double *q = y, *w = y + 4;
  dy[0] = 0.5 * (-q[1] * w[0] - q[2] * w[1] - q[3] * w[2]);
  dy[1] = 0.5 * (q[0] * w[0] + q[2] * w[2] - q[3] * w[1]);
  dy[2] = 0.5 * (q[0] * w[1] + q[3] * w[0] - q[1] * w[2]);
  dy[3] = 0.5 * (q[0] * w[2] + q[1] * w[1] - q[2] * w[0]);
  dy[4] = (3.0 - 4.0) / 2 * w[1] * w[2];
  dy[5] = (4.0 - 2.0) / 3 * w[2] * w[0];
  dy[6] = (2.0 - 3.0) / 4 * w[0] * w[1];
}

long hand_double_pendulum(double to, double tol, double *y, long *events) {
  return march(4, two_links, NULL, NULL, 0, 1e9, to, tol, y, events);
}

long hand_six_links(double to, double tol, double *y, long *events) {
  return march(2 * BENCH_LINKS, links, NULL, NULL, 0, 1e9, to, tol, y, events);
}

long hand_body(double to, double tol, double *y, long *events) {
  return march(7, body, NULL, NULL, 0, 1e9, to, tol, y, events);
}

/* ---- motions with events ---- */

INLINE void falls(const double *y, int mode, double *dy) {
  (void)mode;
  dy[0] = y[1];
  dy[1] = -BENCH_G;
}

INLINE double height(const double *y, int mode) {
  (void)mode;
  return y[0];
}

INLINE int bounces(double *y, int mode) {
  y[0] = 0;
  y[1] = -y[1];
  return mode;
}

long hand_ball(double to, double tol, double *y, long *events) {
  return march(2, falls, height, bounces, 0, 1, to, tol, y, events);
}

INLINE void swings(const double *y, int mode, double *dy) {
  (void)mode;
  pendulum(0, y, 1, dy);
}

INLINE double free_angle(const double *y, int mode) {
  (void)mode;
  return y[0] + 0.3;
}

INLINE int hits_stop(double *y, int mode) {
  y[0] = -0.3;
  y[1] = -y[1];
  return mode;
}

long hand_stop(double to, double tol, double *y, long *events) {
  return march(2, swings, free_angle, hits_stop, 0, 1e9, to, tol, y, events);
}

enum { STICKS, SLIPS }; /* slips backward only: the spring pulls it off the belt */

INLINE void rubs(const double *y, int mode, double *dy) {
  double slip = y[1] - 0.2;
  dy[0] = y[1];
  dy[1] = mode == STICKS ? 0 : 2 + exp(-fabs(slip) / 0.1) - 10 * y[0];
}

INLINE double holds(const double *y, int mode) {
  return mode == STICKS ? 3 - 10 * y[0] : 0.2 - y[1];
}

INLINE int lets_go_or_grips(double *y, int mode) {
  y[1] = 0.2;
  return mode == STICKS ? SLIPS : STICKS;
}

long hand_belt(double to, double tol, double *y, long *events) {
  return march(2, rubs, holds, lets_go_or_grips, STICKS, 1e9, to, tol, y, events);
}
