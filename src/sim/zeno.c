// SPDX-License-Identifier: MIT
#include "sim/zeno.h"
#include "law/scale_sim.h"

#include <float.h>
#include <math.h>
#include <string.h>

void pw_zeno_reset(pw_zeno *z) {
  z->n = 0;
  z->ratio = 0;
}

void pw_zeno_hit(pw_zeno *z, double t, uint64_t key) {
  if (z->n == PW_ZENO_KEEP) {
    z->n--;
    memmove(z->t, z->t + 1, (size_t)z->n * sizeof *z->t);
    memmove(z->key, z->key + 1, (size_t)z->n * sizeof *z->key);
  }
  z->t[z->n] = t;
  z->key[z->n++] = key;
}

static bool repeats(const pw_zeno *z, int period) {
  for (int i = z->n - 1; i >= z->n - 2 * period; i--) {
    if (z->key[i] != z->key[i - period]) {
      return false;
    }
  }
  return true;
}

/* Of a ratio of lengths, by rounding of the times. */
static double fuzz_of(double t, double length) {
  return PW_SCALE(ZENO_ROUNDING) * fabs(t) / length;
}

static bool shrinks(const pw_zeno *z, int p) {
  const double *t = z->t + z->n - 1;
  double last = t[0] - t[-p], before = t[-p] - t[-2 * p], first = t[-2 * p] - t[-3 * p];
  double now = last / before, then = before / first;
  return repeats(z, p) && 1 - now > fuzz_of(t[0], last) &&
         fabs(now - then) < PW_SCALE(ZENO_STEADY) * (1 - now);
}

static bool goes_on(const pw_zeno *z) {
  int p = z->period;
  if (z->ratio == 0 || 3 * p + 1 > z->n || !repeats(z, p)) {
    return false;
  }
  const double *t = z->t + z->n - 1;
  double last = t[0] - t[-p], before = t[-p] - t[-2 * p];
  return fabs(last / before - z->ratio) <= fuzz_of(t[0], last);
}

bool pw_zeno_accumulates(pw_zeno *z, int *period, double *ratio, double *limit) {
  bool found = false;
  for (int p = 1; !found && p <= PW_ZENO_PERIOD && 3 * p + 1 <= z->n; p++) {
    const double *t = z->t + z->n - 1;
    found = shrinks(z, p);
    z->period = found ? p : z->period;
    z->ratio = found ? (t[0] - t[-p]) / (t[-p] - t[-2 * p]) : z->ratio;
  }
  if (!found && !goes_on(z)) {
    z->ratio = 0;
    return false;
  }
  double last = z->t[z->n - 1] - z->t[z->n - 1 - z->period];
  *period = z->period;
  *ratio = z->ratio;
  *limit = z->t[z->n - 1] + last * z->ratio / (1 - z->ratio);
  return true;
}

/* Newest of three periods of p: the same contacts, and impulses that shrink by the same ratio, or
 * stay what they are between walls that move. In a pattern that ends the ratio changes, little only
 * where nothing is left when it does. */
static bool cascade_repeats(const pw_cascade *k, int p) {
  double steady = PW_SCALE(CASCADE_STEADY), constant = steady;
  const uint64_t *key = k->key + k->n - 1;
  const double *size = k->size + k->n - 1;
  double ratio = size[0] / size[-p], room = steady * fmax(1 - ratio, constant);
  for (int i = 0; i < 2 * p; i++) {
    if (key[-i] != key[-i - p] || !(fabs(size[-i] / size[-i - p] - ratio) <= room)) {
      return false;
    }
  }
  return ratio <= 1 + constant * steady;
}

int pw_cascade_hit(pw_cascade *k, uint64_t key, double size) {
  if (k->n == PW_CASCADE_KEEP) {
    k->n--;
    memmove(k->key, k->key + 1, (size_t)k->n * sizeof *k->key);
    memmove(k->size, k->size + 1, (size_t)k->n * sizeof *k->size);
  }
  k->key[k->n] = key;
  k->size[k->n++] = size;
  for (int p = 1; 3 * p <= k->n; p++) {
    if (cascade_repeats(k, p)) {
      return p;
    }
  }
  return 0;
}

/* Four times the energy is twice the speed, in a gap half as wide. A compression that ends does not
 * come this far: the gap has become a thousandth. */
enum { FOURFOLD = 4, MAX_STREAK = 10 };

void pw_growth_reset(pw_growth *g) {
  *g = (pw_growth){.t = NAN};
}

bool pw_growth_hit(pw_growth *g, double t) {
  if (!(g->gain > 0)) {
    pw_growth_reset(g);
    return false;
  }
  if (isnan(g->t)) {
    g->mark = g->gain;
    g->t = t;
  }
  if (g->gain < FOURFOLD * g->mark) {
    return false;
  }
  double span = t - g->t, ratio = span / g->span;
  g->streak = g->span > 0 && ratio < PW_SCALE(GROWTH_SHRINKS) ? g->streak + 1 : 0;
  g->limit = t + span * ratio / (1 - ratio);
  g->mark = g->gain;
  g->t = t;
  g->span = span;
  return g->streak >= MAX_STREAK;
}
