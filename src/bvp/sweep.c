// SPDX-License-Identifier: MIT
/* One free direction: the end position is a continuous function r(s) of the speed s as long as
 * impacts are isolated. Speeds are sampled outward from 0 as far as outlook.c tells, and subdivided
 * where the number of impacts changes or the function bends; sign changes are closed in by
 * bisection, and minima of |r| without one are looked at, too. */
#include "bvp/search.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum {
  MOST_OPEN = 32,
  EDGE = 24,
  FIRST = 160,
  FEW = 20, /* where a line is to be expected */
  DEPTH = 7,
  DEEPER = 12,
  STEEPER = 26,
  MAX_STEEP = 6000, /* trials that steep places may take */
  MAX_TRIALS = 60000,
  MANY = 12, /* solutions of a side after which it may be given up, or MANY_MORE */
  MANY_MORE = 100,
  STRETCHES = 3,
  ULPS = 40 /* neighbours of a speed */
};
static const double arrived = 1e-9; /* largest residual of a solution, in the problem's lengths */
static const double small = 1e-8;   /* what the ends of trials are known to */
static const double far_off = 1e-3; /* what is no error of a trial */
static const double bend =
    0.05; /* deviation from a line, in parts of the change, that is refined */

typedef enum kind { KNOWN, OUT, LOST } kind; /* OUT: of no interest, LOST: not computed */

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
  long last;      /* trial that may be made */
  sample seen[2]; /* the last ones, the later first */
  int n_seen;
  bool failed, spent;
  bool blind;                /* somewhere no motion could be computed, or there were too many of: */
  double open[MOST_OPEN][2]; /* from, to: subdivision ended, but a pair of roots may be between */
  int n_open;
  int n_steep;   /* trials in steep places */
  bool flat;     /* every speed here leads to the end: */
  double flat_s; /* the slowest of them */
  double flat_from, flat_to;
  bool family; /* that was so somewhere */
} sweep;

static sample look(sweep *w, double s, bool fine) {
  w->spent = w->spent || w->x->trials > w->last;
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
  sample p[7];
  bool ok = true;
  for (int k = 0; k < 7; k++) {
    p[k] = look(w, s + (k - 3) * h, true);
    ok = ok && p[k].kind == KNOWN && p[k].bounces == p[0].bounces;
  }
  double odd[4], even[4];
  for (int k = 0; k < 4; k++) {
    odd[k] = p[3 + k].r - p[3 - k].r;
    even[k] = p[3 + k].r + p[3 - k].r;
  }
  return (slopes){.ok = ok,
                  .first = (45 * odd[1] - 9 * odd[2] + odd[3]) / 60,
                  .second = (270 * even[1] - 27 * even[2] + 2 * even[3] - 245 * even[0]) / 180,
                  .third = (-13 * odd[1] + 8 * odd[2] - odd[3]) / 8};
}

/* Where two or three solutions meet r has a multiple root, which Newton's method finds to a part of
 * the digits only; it is a simple root of r' or r''. */
static bool to_multiple(sweep *w, double *s, double h) {
  bool multiple = false;
  for (int k = 0; k < 5; k++) {
    slopes d = slopes_at(w, *s, h);
    double a = fabs(d.first), b = fabs(d.second) / 2, c = fabs(d.third) / 6;
    if (!d.ok || !(a < 0.05 * (b + c))) {
      return multiple && d.ok;
    }
    multiple = true;
    *s -= h * (b > 0.05 * c ? d.first / d.second : d.second / d.third);
  }
  return multiple;
}

/* Multiple roots are known to a part of the digits only; beside another one that is near, s is one
 * of its own if r leaves zero between them. */
static bool is_own(sweep *w, double s) {
  bool own = true;
  for (int i = 0; i < w->found->n && own; i++) {
    double other = w->found->s[i], far = fabs(s - other), middle = (s + other) / 2;
    if (far <= 1e-5 * w->x->reach) {
      own = far > 1e-8 * w->x->reach && fabs(look(w, middle, true).r) > 10 * arrived;
    }
  }
  return own;
}

/* The motion that starts at rest is wanted exactly. */
static void keep(sweep *w, double s) {
  double none = 0;
  bool rest = fabs(s) <= 1e-8 * w->x->reach && pw_shoot_fly(w->x, &none, true).miss <= arrived / 10;
  s = rest ? 0 : s;
  if (is_own(w, s)) {
    w->failed = !pw_found_add(w->found, &s, 0) || w->failed;
  }
}

/* From s, if the root is between a and b or both are the same. */
static bool accept(sweep *w, double s, double a, double b) {
  double multiple = s, margin = 1e-6 * w->x->reach;
  bool many = to_multiple(w, &multiple, 0.01 * w->x->reach);
  (void)(many && to_multiple(w, &multiple, 0.004 * w->x->reach));
  many = many && pw_shoot_fly(w->x, &multiple, true).miss <= arrived;
  s = many ? multiple : s;
  bool ok = many || pw_polish(w->x, &s, true, NULL);
  ok = ok && (many || a == b || (s >= fmin(a, b) - margin && s <= fmax(a, b) + margin));
  if (ok) {
    keep(w, s);
  }
  return ok;
}

static bool is_above(const sample *a) {
  return a->r > 0;
}

/* Where r is so steep that differences do not tell its slope: bisection to the last digit. If that
 * is not enough, errors of the motions are magnified too, by other parts in each of its neighbours.
 */
static void to_last_digit(sweep *w, sample a, sample b) {
  a = look(w, a.s, true);
  b = look(w, b.s, true);
  for (int k = 0; k < 70 && a.kind == KNOWN && b.kind == KNOWN; k++) {
    sample m = look(w, (a.s + b.s) / 2, true);
    if (is_above(&a) == is_above(&b) || m.s == a.s || m.s == b.s) {
      break;
    }
    *(is_above(&m) == is_above(&a) ? &a : &b) = m;
  }
  bool known = a.kind == KNOWN && b.kind == KNOWN;
  sample best = fabs(a.r) < fabs(b.r) ? a : b;
  bool rough = known && fabs(best.r) > arrived && fabs(best.r) < 1e-4;
  for (int k = -ULPS; k <= ULPS && rough; k++) {
    sample near = look(w, a.s + k * 0x1p-52 * fabs(a.s), true);
    best = near.kind == KNOWN && fabs(near.r) < fabs(best.r) ? near : best;
  }
  if (known && best.miss <= 10 * arrived) {
    keep(w, best.s);
  }
  w->blind = w->blind || (rough && fabs(best.r) > 10 * arrived);
}

/* A jump of r changes its sign, too; the polishing tells. Secants, of which an end that stays
 * counts half from time to time, and halves in between. */
static void close_in(sweep *w, sample a, sample b) {
  const sample from = a, to = b;
  double ra = a.r, rb = b.r;
  for (int k = 0; k < 60 && fabs(b.s - a.s) > 1e-9 * w->x->reach; k++) {
    double part = k % 4 == 3 ? 0.5 : ra / (ra - rb);
    sample m = look(w, a.s + (b.s - a.s) * (part > 0 && part < 1 ? part : 0.5), false);
    if (m.kind != KNOWN) {
      return;
    }
    if (fabs(m.r) <= small && m.miss > far_off) {
      return; /* the others do not vanish */
    }
    if (fabs(m.r) <= small) {
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
  static const double gold = 0.38196601125010515;
  bool above = is_above(&a), crossed = false;
  sample c = look(w, a.s + gold * (b.s - a.s), false), d = look(w, b.s - gold * (b.s - a.s), false);
  for (int k = 0; k < 60 && fabs(b.s - a.s) > 1e-7 * w->x->reach; k++) {
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
  if (c.kind != KNOWN || d.kind != KNOWN) {
    return;
  }
  if (crossed) {
    sample other = is_above(&c) != above ? c : d;
    close_in(w, a, other);
    close_in(w, other, b);
  } else if (fmin(fabs(c.r), fabs(d.r)) < 1e-6) {
    (void)accept(w, (a.s + b.s) / 2, 0, 0);
  }
}

/* ---- samples in the order of their speeds ---- */

/* Trials are not exact: what looks flat is looked at again. */
static bool is_flat(sweep *w, const sample *a) {
  if (a->kind != KNOWN || fabs(a->r) > 1e-6) {
    return false;
  }
  sample again = look(w, a->s, true);
  return again.kind == KNOWN && fabs(again.r) <= 1e-10;
}

/* Behind a stretch of speeds that all lead to the end. */
static void leave_flat(sweep *w) {
  if (w->flat) {
    bool wide = fabs(w->flat_to - w->flat_from) > 2e-3 * w->x->reach; /* or a multiple root */
    w->flat = false;
    w->family = w->family || wide;
    if (wide) {
      keep(w, w->flat_s);
    } else {
      (void)accept(w, w->flat_s, 0, 0);
    }
  }
}

static void take(sweep *w, const sample *now) {
  const sample a = w->seen[1], b = w->seen[0], c = *now;
  int n = now->kind == KNOWN ? w->n_seen : 0;
  w->seen[1] = b;
  w->seen[0] = c;
  w->n_seen = now->kind != KNOWN ? 0 : n < 2 ? n + 1 : 2;
  if (n > 0 && is_flat(w, &b) && is_flat(w, &c)) {
    double slower = fabs(b.s) < fabs(c.s) ? b.s : c.s;
    w->flat_s = w->flat && fabs(w->flat_s) < fabs(slower) ? w->flat_s : slower;
    w->flat_from = w->flat ? w->flat_from : b.s;
    w->flat_to = c.s;
    w->flat = true;
    return;
  }
  leave_flat(w);
  if (n > 0 && is_above(&b) != is_above(&c)) {
    close_in(w, b, c);
  } else if (n > 1 && is_above(&a) == is_above(&b) && fabs(b.r) <= fabs(a.r) &&
             fabs(b.r) <= fabs(c.r)) {
    touch(w, a, c);
  }
}

/* From a that is known to the edge of b that is out: what is near it is seen, too. */
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
 * kink: both roots beside it are seen only from near it. */
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

/* Smallest |r| of samples with one sign, if it is less than their range: where the function bends,
 * a pair of roots may be between them. Else infinity. */
static double nearest(const sample *a, const sample *m, const sample *b) {
  double lo = fmin(fmin(a->r, m->r), b->r), hi = fmax(fmax(a->r, m->r), b->r);
  double near = lo > 0 ? lo : hi < 0 ? -hi : INFINITY;
  return near < hi - lo ? near : INFINITY;
}

static bool bends_between(const sample *a, const sample *m, const sample *b) {
  bool known = a->kind == KNOWN && b->kind == KNOWN && m->kind == KNOWN;
  return known && fabs(m->r - (a->r + b->r) / 2) > bend * (fabs(b->r - a->r) + 1e-9);
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

/* Whether what is between a and b, with m in the middle, is not seen well enough. Where r is still
 * as steep as a jump, as beside a separatrix, there may be several roots in a row; whether they are
 * only exact trials tell. */
static bool is_hidden(sweep *w, sample *a, sample *m, sample *b, int depth, double near) {
  bool known = a->kind == KNOWN && b->kind == KNOWN && m->kind == KNOWN;
  bool all_out = a->kind == OUT && b->kind == OUT && m->kind == OUT;
  bool other = a->bounces != b->bounces || a->bounces != m->bounces;
  bool bends = bends_between(a, m, b);
  if (depth > 0) {
    return !all_out && (other || bends || !known);
  }
  bool steep = known && !other && bends && fabs(b->r - a->r) > 0.02;
  if (steep && depth > -STEEPER && w->n_steep < MAX_STEEP) {
    w->n_steep += 2;
    *m = look(w, m->s, true);
    *a = depth == 0 ? look(w, a->s, true) : *a;
    *b = depth == 0 ? look(w, b->s, true) : *b;
    return true;
  }
  w->blind = w->blind || (steep && w->n_steep >= MAX_STEEP);
  return depth > -DEEPER && near > 1e-7 && isfinite(near);
}

/* From a, which was taken, to b. */
static void divide(sweep *w, sample a, sample b, int depth) {
  sample m = look(w, (a.s + b.s) / 2, depth < 0);
  double near = bends_between(&a, &m, &b) ? nearest(&a, &m, &b) : INFINITY;
  if (is_hidden(w, &a, &m, &b, depth, near) && !w->spent && !w->x->stopped) {
    divide(w, a, m, depth - 1);
    divide(w, m, b, depth - 1);
    return;
  }
  const sample three[] = {a, m, b};
  for (int k = 0; k < 2; k++) {
    const sample *from = &three[k], *to = &three[k + 1];
    w->blind = w->blind || to->kind == LOST || from->kind == LOST;
    if (from->kind == KNOWN && to->kind == OUT) {
      to_edge(w, *from, *to);
    }
    if (from->kind == OUT && to->kind == KNOWN) {
      to_edge(w, *to, *from);
    }
    if (from->kind == KNOWN && to->kind == KNOWN && from->bounces != to->bounces &&
        is_above(from) == is_above(to)) {
      to_kink(w, *from, *to);
    }
    take(w, to);
  }
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
  for (int i = 1; i <= n && !w->spent && !w->x->stopped && !w->failed; i++) {
    sample b = look(w, from + (to - from) * i / n, false);
    divide(w, a, b, DEPTH);
    a = b;
  }
}

/* The residual that varies most: with constraints the others follow it. */
static int leading_part(pw_shoot *x) {
  double most = -1;
  int part = 0;
  for (int k = 0; k < x->m; k++) {
    double lo = INFINITY, hi = -INFINITY;
    for (int i = -4; i <= 4; i++) {
      double s = i * x->reach / 2;
      if (pw_shoot_fly(x, &s, false).ok) {
        lo = fmin(lo, x->r[k]);
        hi = fmax(hi, x->r[k]);
      }
    }
    if (hi - lo > most) {
      most = hi - lo;
      part = k;
    }
  }
  return part;
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
    if (w->spent || w->failed || w->x->stopped || rich) {
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
  sweep w = {.x = x, .found = found, .part = leading_part(x), .last = x->trials + MAX_TRIALS / 2};
  int n = x->opts->all ? 2 * FIRST : FIRST;
  bool up = go_out(&w, 1, n);
  w.last = x->trials + MAX_TRIALS / 2;
  w.spent = false;
  bool down = go_out(&w, -1, n);
  *complete = up && down && !w.family && is_settled(&w);
  return w.failed ? PAWL_E_MEMORY : PAWL_OK;
}
