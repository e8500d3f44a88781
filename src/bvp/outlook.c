// SPDX-License-Identifier: MIT
/* How far speeds are to be swept. No length or time of the model determines this: x'' = -x leads
 * from 0 to 1 in a time near pi only at any speed, and a pendulum swings as a line before it turns
 * over. A few trials in each doubling of the speed, over many doublings, are examined from the
 * fastest down: while the end of the trial moves away from the given end, faster motions do not
 * return to it. */
#include <math.h>

#include "bvp/search.h"
#include "law/scale_bvp.h"

enum {
  OCTAVES = 24,
  PER_OCTAVE = 4,
  CONFIRM = 5, /* doublings that are regular */
  PROBES = OCTAVES * PER_OCTAVE + 1,
  MOST_COST = 20000,   /* of one trial: faster ones are not computed any more */
  UNKNOWN_OCTAVES = 10 /* swept where it never becomes regular */
};

typedef struct probe {
  double s, r;
  int bounces;
  bool out;
} probe;

static int probe_all(pw_shoot *x, int part, int sign, probe *p) {
  for (int i = 0; i < PROBES && !x->tally->stopped; i++) {
    double s = sign * x->reach * exp2((double)i / PER_OCTAVE);
    int64_t before = x->tally->cost;
    pw_flight f = pw_shoot_fly(x, &s, false);
    p[i] = (probe){fabs(s), f.ok ? x->r[part] : NAN, f.bounces, f.out};
    bool lost = !f.ok && !f.out;
    if ((lost && i >= (CONFIRM + 2) * PER_OCTAVE) || x->tally->cost - before > MOST_COST) {
      return lost ? i : i + 1;
    }
  }
  return x->tally->stopped ? 0 : PROBES;
}

/* From a to the faster b: further away on the same side, or both with too many impacts. */
static bool goes_away(const probe *a, const probe *b) {
  bool away = a->bounces == b->bounces && a->r * b->r > 0 && fabs(b->r) > fabs(a->r);
  return (a->out && b->out) || away;
}

/* On the line through the first two. NaN is not. */
static bool is_on_line(const probe *p, int i) {
  double slope = (p[1].r - p[0].r) / (p[1].s - p[0].s), step = p[i].s - p[0].s;
  double far = p[i].r - p[0].r - slope * step;
  return p[i].bounces == p[0].bounces && fabs(far) <= PW_SCALE(BVP_LINE) * fabs(slope * step);
}

pw_outlook pw_look_out(pw_shoot *x, int part, int sign) {
  probe p[PROBES];
  int n = probe_all(x, part, sign, p), first = n - 1, line = 1;
  while (first > 0 && goes_away(&p[first - 1], &p[first])) {
    first--;
  }
  while (line < n && is_on_line(p, line)) {
    line++;
  }
  bool regular = n - 1 - first >= CONFIRM * PER_OCTAVE;
  double most = x->reach * (1 << UNKNOWN_OCTAVES);
  double last = n == 0 ? 0 : regular ? 2 * p[first].s : fmin(p[n - 1].s, most);
  return (pw_outlook){last, n == 0 ? 0 : p[line - 1].s, regular};
}
