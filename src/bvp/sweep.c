// SPDX-License-Identifier: MIT
/* One free direction: the end position is a continuous function r(s) of the speed s as long as
 * impacts are isolated. Speeds are sampled and subdivided where the number of impacts changes or
 * the function bends; sign changes are closed in by bisection, and minima of |r| without one are
 * looked at, too. */
#include "bvp/search.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { FIRST = 160, DEPTH = 7, MAX_TRIALS = 60000, STRETCHES = 3, MORE_STRETCHES = 6 };
static const double bend =
    0.05; /* deviation from a line, in parts of the change, that is refined */

typedef struct sample {
  double s, r;
  int bounces;
  bool ok;
} sample;

typedef struct sweep {
  pw_shoot *x;
  pw_found *found;
  int part;  /* the residual that changes most along the sweep */
  long last; /* trial that may be made */
  bool failed, spent;
  bool blind;    /* somewhere no motion could be computed */
  bool flat;     /* every speed here leads to the end: */
  double flat_s; /* the slowest of them */
} sweep;

static sample look(sweep *w, double s, bool fine) {
  w->spent = w->spent || w->x->trials > w->last;
  pw_flight f = pw_shoot_fly(w->x, &s, fine);
  return (sample){s, f.ok ? w->x->r[w->part] : NAN, f.bounces, f.ok};
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
    ok = ok && p[k].ok && p[k].bounces == p[0].bounces;
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

static void accept(sweep *w, double s) {
  double multiple = s;
  bool many = to_multiple(w, &multiple, 0.01 * w->x->reach);
  (void)(many && to_multiple(w, &multiple, 0.004 * w->x->reach));
  many = many && pw_shoot_fly(w->x, &multiple, true).miss <= 1e-9;
  s = many ? multiple : s;
  if (many || pw_polish(w->x, &s, true)) {
    w->failed = !pw_found_add(w->found, &s, 1e-5 * w->x->reach) || w->failed;
  }
}

/* A jump of r changes its sign, too; the polishing tells. */
static void close_in(sweep *w, sample a, sample b) {
  for (int k = 0; k < 60 && b.s - a.s > 1e-9 * w->x->reach; k++) {
    double line = a.s + (b.s - a.s) * a.r / (a.r - b.r), middle = (a.s + b.s) / 2;
    double s = k % 3 == 2 || !(line > a.s && line < b.s) ? middle : line;
    sample m = look(w, s, false);
    if (!m.ok) {
      return;
    }
    if (m.r == 0) {
      a = b = m;
    } else if ((m.r > 0) == (a.r > 0)) {
      a = m;
    } else {
      b = m;
    }
  }
  accept(w, (a.s + b.s) / 2);
}

/* |r| is smaller at m than at both neighbours: golden section. */
static void touch(sweep *w, sample a, sample b) {
  static const double gold = 0.38196601125010515;
  double lo = a.s, hi = b.s;
  sample c = look(w, lo + gold * (hi - lo), false), d = look(w, hi - gold * (hi - lo), false);
  for (int k = 0; k < 60 && c.ok && d.ok && hi - lo > 1e-7 * w->x->reach; k++) {
    if (fabs(c.r) < fabs(d.r)) {
      hi = d.s;
      d = c;
      c = look(w, lo + gold * (hi - lo), false);
    } else {
      lo = c.s;
      c = d;
      d = look(w, hi - gold * (hi - lo), false);
    }
  }
  if (c.ok && d.ok && fmin(fabs(c.r), fabs(d.r)) < 1e-6) {
    accept(w, (lo + hi) / 2);
  }
}

/* ---- subdivision ---- */

static bool is_flat(const sample *a) {
  return a->ok && fabs(a->r) <= 1e-11;
}

/* Behind a stretch of speeds that all lead to the end. */
static void leave_flat(sweep *w) {
  if (w->flat) {
    w->flat = false;
    accept(w, w->flat_s);
  }
}

static void divide(sweep *w, sample a, sample b, int depth) {
  sample m = look(w, (a.s + b.s) / 2, false);
  bool known = a.ok && b.ok && m.ok;
  if (is_flat(&a) && is_flat(&b) && is_flat(&m)) {
    w->flat_s = w->flat && fabs(w->flat_s) < fabs(m.s) ? w->flat_s : m.s;
    w->flat = true;
    return;
  }
  leave_flat(w);
  bool other = a.bounces != b.bounces || a.bounces != m.bounces;
  bool bends = known && fabs(m.r - (a.r + b.r) / 2) > bend * (fabs(b.r - a.r) + 1e-9);
  if (depth > 0 && (other || bends || !known) && !w->spent && !w->x->stopped) {
    divide(w, a, m, depth - 1);
    divide(w, m, b, depth - 1);
    return;
  }
  w->blind = w->blind || !known;
  if (a.ok && m.ok && (a.r > 0) != (m.r > 0)) {
    close_in(w, a, m);
  }
  if (m.ok && b.ok && (m.r > 0) != (b.r > 0)) {
    close_in(w, m, b);
  }
  bool same = known && (a.r > 0) == (m.r > 0) && (m.r > 0) == (b.r > 0);
  if (same && fabs(m.r) < fabs(a.r) && fabs(m.r) < fabs(b.r)) {
    touch(w, a, b);
  }
}

/* Speeds from `from` to `to`; returns the number of impacts at `to`. */
static int stretch(sweep *w, double from, double to, int n) {
  sample a = look(w, from, false);
  for (int i = 1; i <= n && !w->spent && !w->x->stopped && !w->failed; i++) {
    sample b = look(w, from + (to - from) * i / n, false);
    if (to > from) {
      divide(w, a, b, DEPTH);
    } else {
      divide(w, b, a, DEPTH);
    }
    a = b;
  }
  leave_flat(w);
  return a.bounces;
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

/* One side is done when there are more impacts than wanted, or two doublings brought nothing. */
static bool go_out(sweep *w, int sign, int most, int n) {
  int idle = 0, before = -1;
  double from = 0, to = 2 * w->x->reach;
  for (int k = 0; k < (w->x->opts->all ? MORE_STRETCHES : STRETCHES); k++) {
    int known = w->found->n, bounces = stretch(w, sign * from, sign * to, n);
    idle = w->found->n == known && bounces == before ? idle + 1 : 0;
    if (w->spent || w->failed || w->x->stopped) {
      return false;
    }
    if (bounces > most || idle == 2) {
      return true;
    }
    before = bounces;
    from = to;
    to *= 2;
  }
  return false;
}

pawl_status pw_sweep(pw_shoot *x, int most, pw_found *found, bool *complete) {
  sweep w = {.x = x, .found = found, .part = leading_part(x), .last = x->trials + MAX_TRIALS};
  int n = x->opts->all ? 2 * FIRST : FIRST;
  bool up = go_out(&w, 1, most, n), down = go_out(&w, -1, most, n);
  *complete = up && down && !w.blind;
  return w.failed ? PAWL_E_MEMORY : PAWL_OK;
}
