// SPDX-License-Identifier: MIT
/* Several free directions. The problem is not convex and its action has no minimum there: many
 * starts, each improved by Newton's method with damping. The sequence of starts is fixed, so that
 * the same problem gives the same answer. */
#include "bvp/search.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linalg/dense.h"

enum { GRID = 45, STARTS = 60, BEST = 250, MAX_COST = 1500000 };

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

/* On the grid of two directions only starts beside a solution are improved: where both residuals
 * change their signs, or that are better than their neighbours. */
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

static bool improve(pw_shoot *x, const ranked *list, int n, double radius, double *s,
                    pw_bvp_found *found) {
  long most = x->cost + (x->opts->all ? 8L : 1L) * (x->d == 2 ? MAX_COST : MAX_COST / 3);
  for (int i = 0; i < n && isfinite(list[i].miss) && !x->stopped && x->cost < most; i++) {
    start_of(x, list[i].start, radius, s);
    if (!pw_improve(x, s, found)) {
      return false;
    }
  }
  return true;
}

/* The trials of one round, on the grid also as its corners. */
static void look_around(pw_shoot *x, int n, double radius, double *s, ranked *list,
                        pw_bvp_corner *grid) {
  bool square = x->d == 2 && pw_chart_fits(x);
  for (int i = 0; i < n; i++) {
    start_of(x, i, radius, s);
    if (square) {
      pw_corner_look(x, s, &grid[i]);
      bool ok = grid[i].ok;
      list[i] = (ranked){ok ? grid[i].size : INFINITY, i, true, 0};
      list[i].sign = ok ? (grid[i].r[0] > 0) + 2u * (grid[i].r[1] > 0) : 0;
    } else {
      pw_flight f = pw_shoot_fly(x, s, false);
      list[i] = (ranked){f.ok ? pw_norm2(x->r, x->m) : INFINITY, i, true, 0};
    }
  }
}

/* Speeds up to four or eight times what the distances ask for, each time twice as far. */
pawl_status pw_scatter(pw_shoot *x, pw_bvp_found *found) {
  bool square = x->d == 2 && pw_chart_fits(x);
  int n = x->d == 2 ? GRID * GRID : STARTS * x->d, best = x->opts->all ? 4 * BEST : BEST;
  int rounds = (x->d == 2 ? 3 : 2) + (x->opts->all ? 1 : 0);
  ranked *list = malloc((size_t)n * sizeof *list);
  pw_bvp_corner *grid = malloc((square ? (size_t)n : 1) * sizeof *grid);
  double *s = malloc(((size_t)x->d + 1) * sizeof *s);
  bool ok = list != NULL && s != NULL && grid != NULL && pw_seeds(x, found);
  for (int round = 0; ok && round < rounds && !x->stopped; round++) {
    double radius = x->reach * (1 << round);
    look_around(x, n, radius, s, list, grid);
    ok = !square || pw_plane(x, grid, GRID, round > 0, found);
    keep_best(x, list, n);
    qsort(list, (size_t)n, sizeof *list, by_miss);
    ok = ok && improve(x, list, best < n ? best : n, radius, s, found);
  }
  free(list);
  free(grid);
  free(s);
  return ok ? PAWL_OK : PAWL_E_MEMORY;
}
