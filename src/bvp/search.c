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
#include "linalg/qr.h"

enum { MAX_NEWTON = 40, PATIENCE = 6, GRID = 45, STARTS = 60, BEST = 250, MAX_COST = 1500000 };
static const double arrived = 1e-9; /* largest residual of a solution, in the problem's lengths */

bool pw_found_has(const pw_found *f, const double *s, double same) {
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

bool pw_found_add(pw_found *f, const double *s, double same) {
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

/* ---- Newton ---- */

typedef struct newton {
  double *J;                /* m x d, in qr.A */
  double *r, *step, *trial; /* m, d, d */
  pw_qr qr;
} newton;

/* From s - back to s + ahead along each unknown, in parts of the reach. */
static bool differences(pw_shoot *x, newton *n, const double *s, double back, double ahead,
                        bool fine) {
  for (int k = 0; k < x->d; k++) {
    memcpy(n->trial, s, (size_t)x->d * sizeof *s);
    double *column = n->qr.A + (size_t)k * (size_t)x->m;
    n->trial[k] = s[k] + ahead * x->reach;
    if (!pw_shoot_fly(x, n->trial, fine).ok) {
      return false;
    }
    memcpy(column, x->r, (size_t)x->m * sizeof *column);
    n->trial[k] = s[k] - back * x->reach;
    if (!pw_shoot_fly(x, n->trial, fine).ok) {
      return false;
    }
    for (int i = 0; i < x->m; i++) {
      column[i] = (column[i] - x->r[i]) / ((back + ahead) * x->reach);
    }
  }
  return true;
}

/* Half steps until the residual falls. */
static bool damped_step(pw_shoot *x, newton *n, double *s, double *size, bool fine) {
  for (double part = 1; part > 1e-3; part /= 2) {
    for (int k = 0; k < x->d; k++) {
      n->trial[k] = s[k] - part * n->step[k];
    }
    pw_flight f = pw_shoot_fly(x, n->trial, fine);
    double now = f.ok ? pw_norm2(x->r, x->m) : INFINITY;
    if (now < *size) {
      *size = now;
      memcpy(s, n->trial, (size_t)x->d * sizeof *s);
      memcpy(n->r, x->r, (size_t)x->m * sizeof *n->r);
      return true;
    }
  }
  return false;
}

static bool iterate(pw_shoot *x, newton *n, double *s, bool fine) {
  pw_flight f = pw_shoot_fly(x, s, fine);
  double size = f.ok ? pw_norm2(x->r, x->m) : INFINITY;
  memcpy(n->r, x->r, (size_t)x->m * sizeof *n->r);
  bool moves = isfinite(size);
  double before = size;
  for (int k = 0; moves && size > 1e-14 && k < MAX_NEWTON && !x->stopped; k++) {
    n->qr.n = x->m;
    n->qr.m = x->d;
    n->qr.limit = x->m < x->d ? x->m : x->d;
    double h = fine ? 1e-6 : 1e-5;
    moves = differences(x, n, s, h, h, fine) && pw_qr_decompose(&n->qr, 1e-10) > 0;
    if (moves) {
      pw_qr_least_squares(&n->qr, n->r, n->step);
      moves = damped_step(x, n, s, &size, fine);
    }
    if (!fine && k % PATIENCE == PATIENCE - 1) {
      moves = moves && size < before / 10;
      before = size;
    }
  }
  return size <= (fine ? arrived : 1e-5);
}

static bool take_newton(const pw_shoot *x, newton *n, double **real, int **whole) {
  size_t m = (size_t)x->m, d = (size_t)x->d;
  *real = malloc((m + 2 * d + pw_qr_doubles(x->m, x->d)) * sizeof **real);
  *whole = malloc((pw_qr_ints(x->m, x->d) + 1) * sizeof **whole);
  if (*real == NULL || *whole == NULL) {
    return false;
  }
  *n = (newton){.r = *real, .step = *real + m, .trial = *real + m + d};
  pw_qr_init(&n->qr, x->m, x->d, *real + m + 2 * d, *whole);
  return true;
}

bool pw_polish(pw_shoot *x, double *s, bool fine) {
  newton n;
  double *real;
  int *whole;
  bool ok = take_newton(x, &n, &real, &whole) && iterate(x, &n, s, fine);
  free(real);
  free(whole);
  return ok;
}

/* ---- families ---- */

/* The unit vector that the factorised derivatives map nearest to zero, in n->step: the largest part
 * of a coordinate axis that is normal to the rows. A e_k - A (A^+ A e_k) needs A before. */
static void null_direction(pw_shoot *x, newton *n, const double *A) {
  double best = 0;
  for (int k = 0; k < x->d; k++) {
    memcpy(n->r, A + (size_t)k * (size_t)x->m, (size_t)x->m * sizeof *n->r);
    pw_qr_least_squares(&n->qr, n->r, n->trial);
    n->trial[k] -= 1;
    double size = pw_norm2(n->trial, x->d);
    for (int i = 0; size > best && i < x->d; i++) {
      n->step[i] = n->trial[i] / size;
    }
    best = fmax(best, size);
  }
}

/* From a step along the direction Newton's method comes back to an isolated root, also to a
 * multiple one, and stays away where there are roots beside it. */
static bool has_neighbour(pw_shoot *x, const double *s, const double *way, double *trial) {
  static const double steps[] = {0.03, -0.03, 0.003, -0.003};
  for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
    double far = 0, step = steps[k] * x->reach;
    for (int i = 0; i < x->d; i++) {
      trial[i] = s[i] + step * way[i];
    }
    bool ok = pw_shoot_fly(x, trial, true).miss <= arrived || pw_polish(x, trial, true);
    for (int i = 0; i < x->d; i++) {
      far = fmax(far, fabs(trial[i] - s[i]));
    }
    if (ok && far > fabs(step) / 4) {
      return true;
    }
  }
  return false;
}

/* At the edge of a family only the derivatives to one side tell. */
int pw_family_of(pw_shoot *x, const double *s) {
  static const double side[][2] = {{1e-6, 1e-6}, {0, 1e-6}, {1e-6, 0}};
  newton n;
  double *real, *A = malloc(((size_t)x->m + 1) * ((size_t)x->d + 1) * sizeof *A);
  int *whole, family = 0;
  bool ok = take_newton(x, &n, &real, &whole) && A != NULL && x->d > 0;
  for (int k = 0; ok && k < 3 && family == 0; k++) {
    if (!differences(x, &n, s, side[k][0], side[k][1], true)) {
      continue;
    }
    memcpy(A, n.qr.A, (size_t)x->m * (size_t)x->d * sizeof *A);
    bool none = pw_norm2(A, x->m * x->d) * x->reach < 1e-4; /* but for errors of the motions */
    int rank = none ? 0 : pw_qr_decompose(&n.qr, 1e-6);
    if (none) {
      memset(n.step, 0, (size_t)x->d * sizeof *n.step);
      n.step[0] = 1;
    } else if (rank >= 0 && rank < x->d) {
      null_direction(x, &n, A);
    }
    if (rank >= 0 && rank < x->d) {
      family = has_neighbour(x, s, n.step, n.trial) ? x->d - rank : 0;
    }
  }
  free(A);
  free(real);
  free(whole);
  return family;
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
    list[i].valley = x->m != 2 || is_crossed(list, i) || is_valley(list, i);
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
                    pw_found *found) {
  long most = x->cost + (x->opts->all ? 8L : 1L) * (x->d == 2 ? MAX_COST : MAX_COST / 3);
  for (int i = 0; i < n && isfinite(list[i].miss) && !x->stopped && x->cost < most; i++) {
    start_of(x, list[i].start, radius, s);
    bool ok = pw_polish(x, s, false) && !pw_found_has(found, s, 1e-4 * x->reach);
    if (ok && pw_polish(x, s, true) && !pw_found_add(found, s, 1e-6 * x->reach)) {
      return false;
    }
  }
  return true;
}

/* The trials of one round, on the grid also as its corners. */
static void look_around(pw_shoot *x, int n, double radius, double *s, ranked *list,
                        pw_corner *grid) {
  for (int i = 0; i < n; i++) {
    start_of(x, i, radius, s);
    if (x->d == 2 && x->m == 2) {
      pw_corner_look(x, s, &grid[i]);
      bool ok = grid[i].ok;
      list[i] = (ranked){ok ? pw_norm2(grid[i].r, 2) : INFINITY, i, true, 0};
      list[i].sign = ok ? (grid[i].r[0] > 0) + 2u * (grid[i].r[1] > 0) : 0;
    } else {
      pw_flight f = pw_shoot_fly(x, s, false);
      list[i] = (ranked){f.ok ? pw_norm2(x->r, x->m) : INFINITY, i, true, 0};
    }
  }
}

/* Speeds up to four or eight times what the distances ask for, each time twice as far. */
pawl_status pw_scatter(pw_shoot *x, pw_found *found) {
  bool square = x->d == 2 && x->m == 2;
  int n = x->d == 2 ? GRID * GRID : STARTS * x->d, best = x->opts->all ? 4 * BEST : BEST;
  int rounds = (x->d == 2 ? 3 : 2) + (x->opts->all ? 1 : 0);
  ranked *list = malloc((size_t)n * sizeof *list);
  pw_corner *grid = malloc((square ? (size_t)n : 1) * sizeof *grid);
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
