// SPDX-License-Identifier: MIT
/* Several free directions. The problem is not convex and its action has no minimum there: many
 * starts, each improved by Newton's method with damping. The sequence of starts is fixed, so that
 * the same problem gives the same answer. */
#include "bvp/search.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "linalg/dense.h"

enum {
  GRID = 45,            /* starts along each of two directions; odd, see of_last_round */
  STARTS = 60,          /* per direction, where there are more */
  ROUNDS_GRID = 3,      /* each with twice the speeds */
  ROUNDS = 2,           /* likewise for more directions */
  BEST = 250,           /* starts of a round that are improved, */
  BEST_THOROUGH = 1000, /* or this many */
  MAX_COST = 1500000,   /* evaluations for them; a third for more directions */
  THOROUGH = 8          /* times as many in a thorough search */
};

bool pw_found_has(const pw_bvp_found *f, const double *s, double same) {
  for (int i = 0; i < f->n; i++) {
    double far = 0;
    for (int k = 0; k < f->d; k++) {
      far = fmax(far, fabs(f->s[(size_t)i * (size_t)f->d + (size_t)k] - s[k]));
    }
    if (far <= same) {
      return true;
    }
  }
  return false;
}

bool pw_found_add(pw_bvp_found *f, const double *s, double same) {
  if (pw_found_has(f, s, same)) {
    return true;
  }
  if (f->n == f->cap) {
    int cap = 2 * f->cap + 8;
    double *more = realloc(f->s, (size_t)cap * (size_t)f->d * sizeof *more);
    if (more == NULL) {
      return false;
    }
    f->s = more;
    f->cap = cap;
  }
  memcpy(f->s + (size_t)f->n++ * (size_t)f->d, s, (size_t)f->d * sizeof *s);
  return true;
}

/* ---- starts ---- */

/* Van der Corput's sequence in a prime base: fills [0, 1) evenly. */
static double corput(int i, int base) {
  double x = 0, part = 1.0 / base;
  for (; i > 0; i /= base, part /= base) {
    x += part * (i % base);
  }
  return x;
}

static void start_of(const pw_shoot *x, int i, double radius, double *s) {
  static const int primes[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
  int n = (int)(sizeof primes / sizeof *primes);
  if (x->d == 2) {
    s[0] = radius * (2.0 * (i % GRID) / (GRID - 1) - 1);
    s[1] = radius * (2.0 * (i / GRID) / (GRID - 1) - 1);
    return;
  }
  for (int k = 0; k < x->d; k++) {
    double y = corput(i + 1 + 7 * (k / n), primes[k % n]);
    s[k] = radius * (2 * y - 1);
  }
}

typedef struct ranked {
  double miss;
  int start;
  bool valley;
  unsigned sign; /* of both residuals, on the grid of two directions */
} ranked;

/* Some corner of the cell above and to the right of i lies on each side of each residual. */
static bool is_crossed(const ranked *list, int i) {
  unsigned some = 0, every = 3;
  if (i % GRID == GRID - 1 || i / GRID == GRID - 1) {
    return false;
  }
  for (int k = 0; k < 4; k++) {
    const ranked *corner = &list[i + k % 2 + k / 2 * GRID];
    some |= corner->sign;
    every &= corner->sign;
  }
  return some == 3 && every == 0;
}

static bool is_valley(const ranked *list, int i) {
  for (int k = 0; k < 9; k++) {
    int column = i % GRID + k % 3 - 1, row = i / GRID + k / 3 - 1, j = row * GRID + column;
    bool inside = column >= 0 && column < GRID && row >= 0 && row < GRID;
    if (inside && list[j].miss < list[i].miss) {
      return false;
    }
  }
  return true;
}

/* On the grid of two directions only starts near a solution are improved: starts where both
 * residuals change their signs, or that are better than their neighbours. */
static void keep_best(const pw_shoot *x, ranked *list, int n) {
  for (int i = 0; x->d == 2 && i < n; i++) {
    list[i].valley = is_crossed(list, i) || is_valley(list, i);
  }
  for (int i = 0; i < n; i++) {
    list[i].miss = list[i].valley ? list[i].miss : INFINITY;
  }
}

static int by_miss(const void *a, const void *b) {
  const ranked *x = a, *y = b;
  return x->miss != y->miss ? (x->miss < y->miss ? -1 : 1) : x->start - y->start;
}

/* ---- rounds ---- */

typedef struct scatter {
  pw_shoot *x;
  pw_bvp_found *found;
  bool thorough;
  bool on_grid;               /* two directions, */
  bool square;                /* and two components by which the end may be missed */
  int n;                      /* starts of a round */
  double radius;              /* of the round */
  ranked *list;               /* n */
  pw_bvp_corner *grid, *last; /* n: this round and the one before; on_grid */
  double *s;                  /* d: scratch */
} scatter;

/* Each round of the grid has twice the radius and half the density of the one before: its inner
 * half repeats starts of that. The one that start i is, or -1. */
static int of_last_round(int i) {
  int column = 2 * (i % GRID) - GRID / 2, row = 2 * (i / GRID) - GRID / 2;
  bool inside = column >= 0 && column < GRID && row >= 0 && row < GRID;
  return inside ? row * GRID + column : -1;
}

static void look_on_grid(scatter *w, int i, bool first) {
  int known = first ? -1 : of_last_round(i);
  if (known >= 0) {
    w->grid[i] = w->last[known];
  } else {
    pw_corner_look(w->x, w->s, &w->grid[i]);
  }
  const pw_bvp_corner *c = &w->grid[i];
  w->list[i].miss = c->ok ? c->size : INFINITY;
  w->list[i].sign = w->square && c->ok ? (c->r[0] > 0) + 2u * (c->r[1] > 0) : 0;
}

/* The trials of one round. */
static void look_around(scatter *w, bool first) {
  for (int i = 0; i < w->n; i++) {
    start_of(w->x, i, w->radius, w->s);
    w->list[i] = (ranked){.start = i, .valley = true};
    if (w->on_grid) {
      look_on_grid(w, i, first);
    } else {
      pw_flight f = pw_shoot_fly(w->x, w->s, false);
      w->list[i].miss = f.ok ? pw_norm2(w->x->r, w->x->m) : INFINITY;
    }
  }
}

/* The best starts, in their order, as long as the budget lasts. */
static bool improve(scatter *w) {
  const pw_shoot_tally *tally = w->x->tally;
  int64_t budget = (w->thorough ? THOROUGH : INT64_C(1)) * (w->on_grid ? MAX_COST : MAX_COST / 3);
  int64_t most = tally->cost + budget;
  int best = w->thorough ? BEST_THOROUGH : BEST, n = best < w->n ? best : w->n;
  qsort(w->list, (size_t)w->n, sizeof *w->list, by_miss);
  for (int i = 0; i < n && isfinite(w->list[i].miss); i++) {
    if (tally->stopped || tally->cost >= most) {
      break;
    }
    start_of(w->x, w->list[i].start, w->radius, w->s);
    if (!pw_improve(w->x, w->s, w->found)) {
      return false;
    }
  }
  return true;
}

static bool go_round(scatter *w, int round) {
  w->radius = w->x->reach * (1 << round);
  look_around(w, round == 0);
  bool ok = !w->square || pw_plane(w->x, w->grid, GRID, round > 0, w->found);
  keep_best(w->x, w->list, w->n);
  ok = ok && improve(w);
  pw_bvp_corner *grid = w->last;
  w->last = w->grid;
  w->grid = grid;
  return ok;
}

/* Speeds up to a multiple of what the distances require, doubled each time. */
pawl_status pw_scatter(pw_shoot *x, bool thorough, pw_bvp_found *found) {
  PW_ASSERT(x->d >= 2);
  bool on_grid = x->d == 2;
  int n = on_grid ? GRID * GRID : STARTS * x->d;
  int rounds = (on_grid ? ROUNDS_GRID : ROUNDS) + (thorough ? 1 : 0);
  size_t count = (size_t)n, corners = on_grid ? count : 1;
  scatter w = {.x = x,
               .found = found,
               .thorough = thorough,
               .on_grid = on_grid,
               .square = on_grid && pw_chart_fits(x),
               .n = n,
               .list = calloc(count, sizeof *w.list),
               .grid = calloc(corners, sizeof *w.grid),
               .last = calloc(corners, sizeof *w.last),
               .s = calloc((size_t)x->d, sizeof *w.s)};
  bool ok = w.list != NULL && w.grid != NULL && w.last != NULL && w.s != NULL;
  ok = ok && pw_seeds(x, thorough, found);
  for (int round = 0; ok && round < rounds && !x->tally->stopped; round++) {
    ok = go_round(&w, round);
  }
  free(w.list);
  free(w.grid);
  free(w.last);
  free(w.s);
  return ok ? PAWL_OK : PAWL_E_MEMORY;
}
