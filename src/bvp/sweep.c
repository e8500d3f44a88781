// SPDX-License-Identifier: MIT
/* One free direction: the end position is a continuous function r(s) of the speed s as long as
 * impacts are isolated. Speeds are sampled outward from 0 as far as outlook.c determines, and
 * subdivided where the number of impacts changes or the function bends; sign changes are closed in
 * by bisection, and minima of |r| without one are examined, too. */
#include "base/assert.h"
#include "bvp/search.h"
#include "law/scale_bvp.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum {
  FIRST = 160,        /* samples of a stretch of speeds, */
  FEW = 20,           /* where a line is to be expected */
  STRETCHES = 3,      /* intervals that are always swept, each twice as long as the one before */
  DEPTH = 7,          /* subdivisions where the residual bends or something else happens, */
  DEEPER = 12,        /* more where two roots may hide, */
  STEEPER = 26,       /* more where it is as steep as a jump */
  EDGE = 24,          /* halvings towards the edge of speeds of interest, or a kink */
  MAX_STEEP = 6000,   /* trials that steep places may take */
  MAX_TRIALS = 60000, /* all trials */
  MANY = 12,          /* solutions of a side after which it may be given up, */
  MANY_MORE = 100,    /* or this many with opts->all */
  MOST_OPEN = 32,     /* places that are remembered, see sweep.open */
  HALVINGS = 60,      /* of a bracket */
  ALL_HALVINGS = 70,  /* to the last digit */
  POINTS = 7,         /* of differences of order six */
  ROUNDS = 5,         /* of Newton's method on derivatives */
  ULPS = 40           /* neighbours of a speed that are tried */
};

typedef enum kind {
  KNOWN,
  OUT, /* of no interest */
  LOST /* could not be computed */
} kind;

typedef struct sample {
  double s, r;
  double miss; /* all residuals */
  int bounces;
  kind kind;
} sample;

typedef struct sweep {
  pw_shoot *x;
  pw_bvp_found *found;
  int part;       /* the residual that changes most along the sweep */
  int64_t last;   /* trial that may be made */
  sample seen[2]; /* the last ones, the later first */
  int n_seen;
  bool failed;               /* out of memory */
  bool spent;                /* no trial is left */
  bool blind;                /* somewhere no motion could be computed, or `open` was too small */
  double open[MOST_OPEN][2]; /* from, to: subdivision ended, but a pair of roots may be between */
  int n_open;
  int n_steep;               /* trials in steep places */
  bool flat;                 /* every speed here leads to the end: */
  double flat_s;             /* the slowest of them, */
  double flat_from, flat_to; /* all of them */
  bool family;               /* at some speed */
} sweep;

static sample look(sweep *w, double s, bool fine) {
  w->spent = w->spent || w->x->tally->trials > w->last;
  pw_flight f = pw_shoot_fly(w->x, &s, fine);
  kind known = f.ok ? KNOWN : f.out ? OUT : LOST;
  return (sample){s, f.ok ? w->x->r[w->part] : NAN, f.miss, f.bounces, known};
}

/* ---- roots ---- */

/* Derivatives of r in steps h, of order six, from seven samples. */
typedef struct slopes {
  bool ok;
  double first, second, third; /* r' h, r'' h^2, r''' h^3 */
} slopes;

static slopes slopes_at(sweep *w, double s, double h) {
  enum { MIDDLE = POINTS / 2 };
  sample p[POINTS];
  bool ok = true;
  for (int k = 0; k < POINTS; k++) {
    p[k] = look(w, s + (k - MIDDLE) * h, true);
    ok = ok && p[k].kind == KNOWN && p[k].bounces == p[0].bounces;
  }
  double odd[MIDDLE + 1], even[MIDDLE + 1];
  for (int k = 0; k <= MIDDLE; k++) {
    odd[k] = p[MIDDLE + k].r - p[MIDDLE - k].r;
    even[k] = p[MIDDLE + k].r + p[MIDDLE - k].r;
  }
  return (slopes){.ok = ok,
                  .first = (45 * odd[1] - 9 * odd[2] + odd[3]) / 60,
                  .second = (270 * even[1] - 27 * even[2] + 2 * even[3] - 245 * even[0]) / 180,
                  .third = (-13 * odd[1] + 8 * odd[2] - odd[3]) / 8};
}

/* Where two or three solutions meet r has a multiple root, which Newton's method finds to a part of
 * the digits only; it is a simple root of r' or r''. */
static bool to_multiple(sweep *w, double *s, double h) {
  const double none = PW_SCALE(BVP_MULTIPLE);
  bool multiple = false;
  for (int k = 0; k < ROUNDS; k++) {
    slopes d = slopes_at(w, *s, h);
    double a = fabs(d.first), b = fabs(d.second) / 2, c = fabs(d.third) / 6;
    if (!d.ok || !(a < none * (b + c))) {
      return multiple && d.ok;
    }
    multiple = true;
    *s -= h * (b > none * c ? d.first / d.second : d.second / d.third);
  }
  return multiple;
}

/* Multiple roots have only part of the digits; s is distinct from a nearby root if r leaves zero
 * between them. */
static bool is_own(sweep *w, double s) {
  const double near = PW_SCALE(BVP_NEAR_ROOT) * w->x->reach;
  const double same = PW_SCALE(BVP_SAME_ROOT) * w->x->reach;
  bool own = true;
  for (int i = 0; i < w->found->n && own; i++) {
    double other = w->found->s[i], far = fabs(s - other), middle = (s + other) / 2;
    if (far <= near) {
      own = far > same && fabs(look(w, middle, true).r) > PW_SCALE(BVP_LISTED);
    }
  }
  return own;
}

/* The motion that starts at rest is wanted exactly. */
static bool is_rest(sweep *w, double s) {
  const double none = 0;
  bool slow = fabs(s) <= PW_SCALE(BVP_SAME_ROOT) * w->x->reach;
  return slow && pw_shoot_fly(w->x, &none, true).miss <= PW_SCALE(BVP_EXACT);
}

static void keep(sweep *w, double s) {
  s = is_rest(w, s) ? 0 : s;
  if (is_own(w, s)) {
    w->failed = !pw_found_add(w->found, &s, 0) || w->failed;
  }
}

/* The root near s as a multiple one. */
static bool polish_multiple(sweep *w, double *s) {
  const double reach = w->x->reach;
  double multiple = *s;
  if (!to_multiple(w, &multiple, PW_SCALE(BVP_SLOPE_FIRST) * reach)) {
    return false;
  }
  (void)to_multiple(w, &multiple, PW_SCALE(BVP_SLOPE_SECOND) * reach);
  bool arrives = pw_shoot_fly(w->x, &multiple, true).miss <= PW_SCALE(BVP_ARRIVED);
  *s = arrives ? multiple : *s;
  return arrives;
}

/* The root near s, if it is between a and b or both are the same. */
static bool accept(sweep *w, double s, double a, double b) {
  const double margin = PW_SCALE(BVP_SAME_SPEED) * w->x->reach;
  bool ok = polish_multiple(w, &s);
  if (!ok && pw_polish(w->x, &s, true, NULL)) {
    bool between = s >= fmin(a, b) - margin && s <= fmax(a, b) + margin;
    ok = a == b || between;
  }
  if (ok) {
    keep(w, s);
  }
  return ok;
}

static bool is_above(const sample *a) {
  return a->r > 0;
}

/* Bisection to the last digit; false: no motion could be computed at an end. */
static bool bisect(sweep *w, sample *a, sample *b) {
  for (int k = 0; k < ALL_HALVINGS && a->kind == KNOWN && b->kind == KNOWN; k++) {
    sample m = look(w, (a->s + b->s) / 2, true);
    if (is_above(a) == is_above(b) || m.s == a->s || m.s == b->s) {
      break;
    }
    *(is_above(&m) == is_above(a) ? a : b) = m;
  }
  return a->kind == KNOWN && b->kind == KNOWN;
}

/* If r is so steep that differences do not give its slope: bisection to the last digit. If that is
 * not enough, the errors of the motions are magnified too, differently at each neighbour. */
static void to_last_digit(sweep *w, sample a, sample b) {
  a = look(w, a.s, true);
  b = look(w, b.s, true);
  bool known = bisect(w, &a, &b);
  sample best = fabs(a.r) < fabs(b.r) ? a : b;
  bool short_of = fabs(best.r) > PW_SCALE(BVP_ARRIVED) && fabs(best.r) < PW_SCALE(BVP_FAR_OFF);
  bool rough = known && short_of;
  for (int k = -ULPS; k <= ULPS && rough; k++) {
    sample near = look(w, a.s + k * DBL_EPSILON * fabs(a.s), true);
    best = near.kind == KNOWN && fabs(near.r) < fabs(best.r) ? near : best;
  }
  if (known && best.miss <= PW_SCALE(BVP_LISTED)) {
    keep(w, best.s);
  }
  w->blind = w->blind || (rough && fabs(best.r) > PW_SCALE(BVP_LISTED));
}

/* A jump of r changes its sign, too; the polishing step rejects it. Secant steps, in which an end
 * that stays is weighted by half from time to time, alternate with bisection. */
static void close_in(sweep *w, sample a, sample b) {
  const double width = PW_SCALE(BVP_BRACKET) * w->x->reach;
  const sample from = a, to = b;
  double ra = a.r, rb = b.r;
  for (int k = 0; k < HALVINGS && fabs(b.s - a.s) > width; k++) {
    double part = k % 4 == 3 ? 0.5 : ra / (ra - rb);
    sample m = look(w, a.s + (b.s - a.s) * (part > 0 && part < 1 ? part : 0.5), false);
    if (m.kind != KNOWN) {
      return;
    }
    bool zero = fabs(m.r) <= PW_SCALE(BVP_COARSE);
    if (zero && m.miss > PW_SCALE(BVP_FAR_OFF)) {
      return; /* the other residuals do not vanish */
    }
    if (zero) {
      a = b = m;
    } else if (is_above(&m) == is_above(&a)) {
      a = m;
      ra = m.r;
      rb /= 2;
    } else {
      b = m;
      rb = m.r;
      ra /= 2;
    }
  }
  if (!accept(w, (a.s + b.s) / 2, from.s, to.s) && from.bounces == to.bounces) {
    to_last_digit(w, from, to);
  }
}

/* Between a and b, with the same sign, |r| is smaller than there: golden section, which ends in a
 * double root or meets the other side of it, where two are near. */
static void touch(sweep *w, sample a, sample b) {
  const double gold = (3 - sqrt(5)) / 2, width = PW_SCALE(BVP_MINIMUM) * w->x->reach;
  bool above = is_above(&a), crossed = false;
  sample c = look(w, a.s + gold * (b.s - a.s), false), d = look(w, b.s - gold * (b.s - a.s), false);

  /* Keep the part around the smaller |r|, until a sample has the other sign. */
  for (int k = 0; k < HALVINGS && fabs(b.s - a.s) > width; k++) {
    crossed = is_above(&c) != above || is_above(&d) != above;
    if (c.kind != KNOWN || d.kind != KNOWN || crossed) {
      break;
    }
    if (fabs(c.r) < fabs(d.r)) {
      b = d;
      d = c;
      c = look(w, a.s + gold * (b.s - a.s), false);
    } else {
      a = c;
      c = d;
      d = look(w, b.s - gold * (b.s - a.s), false);
    }
  }

  /* Nothing can be concluded where a trial fails. */
  if (c.kind != KNOWN || d.kind != KNOWN) {
    return;
  }

  /* Two simple roots around a sample of the other sign, or one double root. */
  if (crossed) {
    sample other = is_above(&c) != above ? c : d;
    close_in(w, a, other);
    close_in(w, other, b);
  } else if (fmin(fabs(c.r), fabs(d.r)) < PW_SCALE(BVP_MAY_VANISH)) {
    (void)accept(w, (a.s + b.s) / 2, 0, 0);
  }
}

/* ---- samples in the order of their speeds ---- */

/* The residual vanishes here, also in a fine trial. */
static bool is_flat(sweep *w, const sample *a) {
  if (a->kind != KNOWN || fabs(a->r) > PW_SCALE(BVP_MAY_VANISH)) {
    return false;
  }
  sample again = look(w, a->s, true);
  return again.kind == KNOWN && fabs(again.r) <= PW_SCALE(BVP_EXACT);
}

/* After an interval of speeds that all lead to the end: a family, or a multiple root. */
static void leave_flat(sweep *w) {
  if (!w->flat) {
    return;
  }
  bool wide = fabs(w->flat_to - w->flat_from) > PW_SCALE(BVP_FLAT) * w->x->reach;
  w->flat = false;
  w->family = w->family || wide;
  if (wide) {
    keep(w, w->flat_s);
  } else {
    (void)accept(w, w->flat_s, 0, 0);
  }
}

/* From b to c every speed leads to the end. */
static void go_on_flat(sweep *w, const sample *b, const sample *c) {
  double slower = fabs(b->s) < fabs(c->s) ? b->s : c->s;
  w->flat_s = w->flat && fabs(w->flat_s) < fabs(slower) ? w->flat_s : slower;
  w->flat_from = w->flat ? w->flat_from : b->s;
  w->flat_to = c->s;
  w->flat = true;
}

/* The next sample: a root or a minimum of |r| may be between it and the ones before. */
static void take(sweep *w, const sample *now) {
  const sample a = w->seen[1], b = w->seen[0], c = *now;
  int n = now->kind == KNOWN ? w->n_seen : 0;
  w->seen[1] = b;
  w->seen[0] = c;
  w->n_seen = now->kind != KNOWN ? 0 : n < 2 ? n + 1 : 2;

  if (n > 0 && is_flat(w, &b) && is_flat(w, &c)) {
    go_on_flat(w, &b, &c);
    return;
  }
  leave_flat(w);

  bool least = fabs(b.r) <= fabs(a.r) && fabs(b.r) <= fabs(c.r);
  if (n > 0 && is_above(&b) != is_above(&c)) {
    close_in(w, b, c);
  } else if (n > 1 && is_above(&a) == is_above(&b) && least) {
    touch(w, a, c);
  }
}

/* From a, which succeeded, to the edge of b, which failed: roots near the edge are found, too. */
static void to_edge(sweep *w, sample a, sample b) {
  bool forth = a.s == w->seen[0].s;
  sample in[EDGE];
  int n = 0;
  for (int k = 0; k < EDGE; k++) {
    sample m = look(w, (a.s + b.s) / 2, false);
    w->blind = w->blind || m.kind == LOST;
    if (m.kind == KNOWN) {
      in[n++] = a = m;
    } else {
      b = m;
    }
  }
  for (int k = 0; k < n; k++) {
    take(w, &in[forth ? k : n - 1 - k]);
  }
}

/* Between neighbours with other numbers of impacts one comes to lie on the end time, where r has a
 * kink: both roots next to it are visible only from nearby. */
static void to_kink(sweep *w, sample a, sample b) {
  sample in[2][EDGE];
  int n[2] = {0, 0};
  for (int k = 0; k < EDGE && w->n_steep < MAX_STEEP; k++, w->n_steep++) {
    sample m = look(w, (a.s + b.s) / 2, false);
    if (m.kind != KNOWN || (m.bounces != a.bounces && m.bounces != b.bounces)) {
      break;
    }
    int side = m.bounces == b.bounces;
    *(side == 0 ? &a : &b) = in[side][n[side]++] = m;
  }
  w->blind = w->blind || w->n_steep >= MAX_STEEP;
  for (int k = 0; k < n[0]; k++) {
    take(w, &in[0][k]);
  }
  for (int k = n[1] - 1; k >= 0; k--) {
    take(w, &in[1][k]);
  }
}

/* Least |r| of samples with one sign and, in *range, how much they differ. Infinity: they have
 * both signs. */
static double least_of(const sample *a, const sample *m, const sample *b, double *range) {
  double lo = fmin(fmin(a->r, m->r), b->r), hi = fmax(fmax(a->r, m->r), b->r);
  *range = hi - lo;
  return lo > 0 ? lo : hi < 0 ? -hi : INFINITY;
}

/* Where the function bends, a pair of roots may be between samples with one sign whose least |r|
 * is less than their range: that |r|. Else infinity. */
static double nearest(const sample *a, const sample *m, const sample *b) {
  double range, least = least_of(a, m, b, &range);
  return least < range ? least : INFINITY;
}

/* Three samples, m in the middle of a and b. */
typedef struct triple {
  bool known;   /* all three */
  bool all_out; /* of no interest */
  bool other;   /* the numbers of impacts differ */
  bool bends;   /* not on a line */
  bool away;    /* so far from zero that no pair of roots is between them */
  bool steep;   /* they differ as at a jump */
} triple;

static triple compare(const sample *a, const sample *m, const sample *b) {
  triple t = {.known = a->kind == KNOWN && b->kind == KNOWN && m->kind == KNOWN,
              .all_out = a->kind == OUT && b->kind == OUT && m->kind == OUT,
              .other = a->bounces != b->bounces || a->bounces != m->bounces};
  if (t.known) {
    double change = fabs(b->r - a->r), off = fabs(m->r - (a->r + b->r) / 2);
    double range, least = least_of(a, m, b, &range);
    t.bends = off > PW_SCALE(BVP_BEND) * (change + PW_SCALE(BVP_ARRIVED));
    t.away = isfinite(least) && least > PW_SCALE(BVP_AWAY) * range;
    t.steep = !t.other && t.bends && change > PW_SCALE(BVP_STEEP);
  }
  return t;
}

static void leave_open(sweep *w, const sample *a, const sample *b) {
  int k = w->n_open < MOST_OPEN ? w->n_open++ : 0;
  w->blind = w->blind || w->n_open == MOST_OPEN;
  w->open[k][0] = a->s;
  w->open[k][1] = b->s;
}

/* Whether the root that made it bend was found everywhere. */
static bool is_settled(const sweep *w) {
  bool settled = !w->blind;
  for (int k = 0; k < w->n_open; k++) {
    double middle = (w->open[k][0] + w->open[k][1]) / 2;
    double near = 4 * fabs(w->open[k][1] - w->open[k][0]);
    settled = settled && pw_found_has(w->found, &middle, near);
  }
  return settled;
}

/* Fine trials instead of coarse ones; a and b have them below the first level. */
static void look_finer(sweep *w, sample *a, sample *m, sample *b, bool first) {
  w->n_steep += 2;
  *m = look(w, m->s, true);
  if (first) {
    *a = look(w, a->s, true);
    *b = look(w, b->s, true);
  }
}

/* Whether the interval between a and b, with m in the middle, is not resolved well enough. If r is
 * still as steep as a jump, as near a separatrix, there may be several roots in a row; fine trials
 * decide. */
static bool is_hidden(sweep *w, sample *a, sample *m, sample *b, int depth, double near) {
  triple t = compare(a, m, b);
  if (depth > 0) {
    return !t.all_out && (t.other || !t.known || (t.bends && !t.away));
  }
  bool may_look = w->n_steep < MAX_STEEP;
  if (t.steep && depth > -STEEPER && may_look) {
    look_finer(w, a, m, b, depth == 0);
    return true;
  }
  w->blind = w->blind || (t.steep && !may_look);
  return depth > -DEEPER && near > PW_SCALE(BVP_HIDDEN) && isfinite(near);
}

/* Between neighbours where subdivision has ended. */
static void step_to(sweep *w, const sample *from, const sample *to) {
  bool from_known = from->kind == KNOWN, to_known = to->kind == KNOWN;
  w->blind = w->blind || to->kind == LOST || from->kind == LOST;
  if (from_known && to->kind == OUT) {
    to_edge(w, *from, *to);
  }
  if (from->kind == OUT && to_known) {
    to_edge(w, *to, *from);
  }
  bool other = from->bounces != to->bounces;
  if (from_known && to_known && other && is_above(from) == is_above(to)) {
    to_kink(w, *from, *to);
  }
  take(w, to);
}

/* From a, which was taken, to b. */
static void divide(sweep *w, sample a, sample b, int depth) {
  sample m = look(w, (a.s + b.s) / 2, depth < 0);
  double near = compare(&a, &m, &b).bends ? nearest(&a, &m, &b) : INFINITY;
  if (is_hidden(w, &a, &m, &b, depth, near) && !w->spent && !w->x->tally->stopped) {
    divide(w, a, m, depth - 1);
    divide(w, m, b, depth - 1);
    return;
  }
  step_to(w, &a, &m);
  step_to(w, &m, &b);
  if (isfinite(near)) {
    leave_open(w, &a, &b);
  }
}

/* Speeds from `from` to `to`. */
static void stretch(sweep *w, double from, double to, int n) {
  sample a = look(w, from, false);
  if (from == 0) { /* a double root may be there: from the other side */
    sample other = look(w, -to / n, false);
    w->n_seen = 0;
    take(w, &other);
    take(w, &a);
  }
  for (int i = 1; i <= n && !w->spent && !w->x->tally->stopped && !w->failed; i++) {
    sample b = look(w, from + (to - from) * i / n, false);
    divide(w, a, b, DEPTH);
    a = b;
  }
}

/* The residual that varies most: with constraints the others follow it. False: out of memory. */
static bool find_leading_part(pw_shoot *x, int *part) {
  enum { SAMPLES = 4 }; /* each way, to two reaches */
  size_t m = (size_t)x->m;
  double *lo = calloc(2 * m + 1, sizeof *lo), most = -1;
  if (lo == NULL) {
    return false;
  }
  double *hi = lo + m;
  for (int k = 0; k < x->m; k++) {
    lo[k] = INFINITY;
    hi[k] = -INFINITY;
  }
  for (int i = -SAMPLES; i <= SAMPLES; i++) {
    double s = i * x->reach / 2;
    bool ok = pw_shoot_fly(x, &s, false).ok;
    for (int k = 0; k < x->m && ok; k++) {
      lo[k] = fmin(lo[k], x->r[k]);
      hi[k] = fmax(hi[k], x->r[k]);
    }
  }
  *part = 0;
  for (int k = 0; k < x->m; k++) {
    if (hi[k] - lo[k] > most) {
      most = hi[k] - lo[k];
      *part = k;
    }
  }
  free(lo);
  return true;
}

/* One side, to the speed from which on it is regular. Where there is none it is given up after many
 * solutions. */
static bool go_out(sweep *w, int sign, int n) {
  pw_outlook view = pw_look_out(w->x, w->part, sign);
  int known = w->found->n, many = w->x->opts->all ? MANY_MORE : MANY;
  double from = 0, to = 2 * w->x->reach;
  for (int k = 0; from < view.last; k++) {
    bool line = k > 1 && to <= view.line;
    stretch(w, sign * from, sign * to, line ? FEW : n);
    bool rich = w->found->n - known >= many && k + 1 >= STRETCHES && !view.regular;
    if (w->spent || w->failed || w->x->tally->stopped || rich) {
      leave_flat(w);
      return false;
    }
    from = to;
    to *= 2;
  }
  leave_flat(w);
  return view.regular;
}

pawl_status pw_sweep(pw_shoot *x, pw_bvp_found *found, bool *complete) {
  PW_ASSERT(x->d == 1 && found->d == 1);
  sweep w = {.x = x, .found = found};
  int n = x->opts->all ? 2 * FIRST : FIRST;
  if (!find_leading_part(x, &w.part)) {
    return PAWL_E_MEMORY;
  }
  w.last = x->tally->trials + MAX_TRIALS / 2;
  bool up = go_out(&w, 1, n);
  w.last = x->tally->trials + MAX_TRIALS / 2;
  w.spent = false;
  bool down = go_out(&w, -1, n);
  *complete = up && down && !w.family && is_settled(&w);
  return w.failed ? PAWL_E_MEMORY : PAWL_OK;
}
