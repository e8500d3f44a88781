// SPDX-License-Identifier: MIT
/* Functions of explicit time may change and change back between two points that a step evaluates: a
 * load on a body at rest, a bound that drops. Interval arithmetic encloses all their values there.
 * If these stay near the values at the ends, nothing is hidden; otherwise the interval is halved
 * until a deviating value is found, or none can remain. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "law/scale_mech.h"
#include "mech/work.h"

enum { GAPS = 4, DEEPEST = 40, FEWEST = 8 };

typedef struct view {
  pw_mech *m;
  const pw_program *p;
  int n;
  double t, gap; /* places: t + i gap */
  int spent, patience;
} view;

static void look(const view *v, double t, double *out) {
  double *in = v->m->w->in;
  in[v->m->sys->offset[PW_VAR_TIME]] = t;
  pw_tape_run(v->p->tape, in, v->p->reg, out);
}

static double *sample(const view *v, int i) {
  return v->m->w->clock.sample + (size_t)i * (size_t)v->n;
}

/* Of a slip in a plane the graph has minus the radius and, to the right of the kink, the force
 * along the heading. While it sticks the slip is rounding and so is its heading, which nothing
 * uses. */
static bool is_idle(const view *v, int k) {
  const struct pw_mech_work *w = v->m->w;
  return v->p == &w->tape.graph && k % 2 == 1 && v->m->sys->law[k / 2].group >= 0 &&
         w->state[k / 2] == PW_AT_KINK;
}

/* How far the functions go over all places. */
static void measure(const view *v) {
  pw_clock *c = &v->m->w->clock;
  for (int k = 0; k < v->n; k++) {
    double lo = INFINITY, hi = -INFINITY;
    for (int j = 0; j <= GAPS; j++) { /* a value that is not a number changes nothing */
      double x = sample(v, j)[k];
      lo = x < lo ? x : lo;
      hi = x > hi ? x : hi;
    }
    c->range[k] = hi - lo;
    c->slack[k] =
        PW_SCALE(CLOCK_ASIDE) * c->range[k] + PW_SCALE(CLOCK_DUST) * fmax(fabs(lo), fabs(hi));
  }
}

/* Bounds of the functions between point i and the next one; false if they are not followed. */
static bool frame(const view *v, int i) {
  pw_clock *c = &v->m->w->clock;
  bool followed = true;
  for (int k = 0; k < v->n; k++) {
    double a = sample(v, i)[k], b = sample(v, i + 1)[k], slack = c->slack[k];
    bool idle = is_idle(v, k);
    followed = followed && (idle || !(fabs(b - a) > PW_SCALE(CLOCK_JUMP) * c->range[k] + slack));
    bool known = !idle && isfinite(a) && isfinite(b); /* else the step itself will find out */
    c->least[k] = known ? (a < b ? a : b) - slack : -INFINITY;
    c->most[k] = known ? (a < b ? b : a) + slack : INFINITY;
  }
  return followed;
}

static bool is_within(const view *v, const double *low, const double *high) {
  const pw_clock *c = &v->m->w->clock;
  for (int k = 0; k < v->n; k++) {
    if (low[k] < c->least[k] || high[k] > c->most[k]) {
      return false;
    }
  }
  return true;
}

/* All values between two times are near the values at the ends. */
static bool is_enclosed(const view *v, double from, double to) {
  pw_clock *c = &v->m->w->clock;
  int time = v->m->sys->offset[PW_VAR_TIME];
  memcpy(c->in, v->m->w->in, (size_t)v->m->sys->n_in * sizeof *c->in);
  v->m->w->in[time] = from;
  c->in[time] = to;
  pw_tape_range(v->p->tape, v->m->w->in, c->in, c->work, c->low, c->high);
  return is_within(v, c->low, c->high);
}

/* A value aside was met between place i and the next. Halves by depth first, in the order of
 * time; `index` counts pieces of the length gap / 2^level. */
static bool finds(view *v, int i) {
  pw_clock *c = &v->m->w->clock;
  double from = v->t + i * v->gap;
  uint64_t index = 0;
  for (int level = 0;;) {
    double length = ldexp(v->gap, -level), a = from + (double)index * length;
    bool clear = is_enclosed(v, a, a + length);
    if (!clear) {
      look(v, a + length / 2, c->low);
      if (!is_within(v, c->low, c->low)) {
        return true;
      }
    }
    if (!clear && level < DEEPEST && v->spent++ < v->patience) {
      level++;
      index *= 2;
      continue;
    }
    for (index++; level > 0 && index % 2 == 0; level--) {
      index /= 2;
    }
    if (level == 0 && index > 0) {
      return false;
    }
  }
}

/* Length of the gaps before the first one that hides something. */
static double clear_of(view *v) {
  for (int i = 0; i <= GAPS; i++) {
    look(v, v->t + i * v->gap, sample(v, i));
  }
  measure(v);
  for (int i = 0; i < GAPS; i++) {
    if (!frame(v, i) || finds(v, i)) {
      return i * v->gap;
    }
  }
  return GAPS * v->gap;
}

/* Functions whose intervals are useless (differences of terms) must not be expensive every time. */
static int adjusted(int patience, int spent) {
  if (spent >= patience) {
    return patience > FEWEST ? patience / 2 : FEWEST;
  }
  return patience < PW_PATIENCE ? patience * 2 : PW_PATIENCE;
}

double pw_mech_clear(pw_mech *m, double t, double ahead, const double *q, const double *u,
                     const double *side, int *patience, double *gap) {
  double clear = ahead;
  *gap = ahead / GAPS;
  pw_mech_input(m, t, q, u, side);
  for (int k = 0; k < m->w->clock.n; k++) {
    const pw_program *p = m->w->clock.of[k];
    view v = {.m = m,
              .p = p,
              .n = pw_tape_outputs(p->tape),
              .t = t,
              .gap = fmin(clear / GAPS, *gap),
              .patience = *patience};
    double far;
    while ((far = clear_of(&v)) == 0 && v.gap > PW_SCALE(CLOCK_SHORTEST) * ahead) {
      v.gap *= PW_SCALE(CLOCK_SHORTER);
    }
    *patience = adjusted(*patience, v.spent);
    clear = far > 0 ? fmin(clear, far) : v.gap;
    *gap = v.gap;
  }
  return clear;
}
