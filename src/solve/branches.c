// SPDX-License-Identifier: MIT
#include "solve/branches.h"

#include <math.h>
#include <string.h>

#include "base/real.h"
#include "linalg/dense.h"

static double *point(const pw_collector *c, double *array, int b) {
  return array + (size_t)b * (size_t)c->p->m;
}

static int *pattern(const pw_collector *c, int b) {
  return c->out->piece + (size_t)b * (size_t)c->p->m;
}

/* Row r of K (x - other), in the units of the caller; other may be NULL. */
static double image(const pw_collector *c, int r, const double *x, const double *other) {
  double v = 0;
  for (int i = 0; i < c->p->m; i++) {
    double d = (x[i] - (other == NULL ? 0 : other[i])) / c->s[i];
    v += c->opts->K[(size_t)i * (size_t)c->opts->k + (size_t)r] * d;
  }
  return v;
}

static double norm(const pw_collector *c, const double *x) {
  if (c->opts->K == NULL) {
    return pw_norm2(x, c->p->m);
  }
  double sum = 0;
  for (int r = 0; r < c->opts->k; r++) {
    double v = image(c, r, x, NULL);
    sum += v * v;
  }
  return sqrt(sum);
}

static double size_of(const pw_collector *c, const double *x) {
  return pw_max(pw_norm_inf(x, c->p->m), pw_norm_inf(c->p->b, c->p->m));
}

static bool same_image(const pw_collector *c, const double *x, const double *other) {
  double sum = 0, size = pw_max(norm(c, x), norm(c, other));
  for (int r = 0; r < c->opts->k; r++) {
    double v = image(c, r, x, other);
    sum += v * v;
  }
  return sqrt(sum) <= c->tol * size;
}

static bool same_point(const pw_collector *c, const double *x, const double *other) {
  double tol = c->tol * size_of(c, x);
  for (int i = 0; i < c->p->m; i++) {
    if (!(fabs(x[i] - other[i]) <= tol)) {
      return false;
    }
  }
  return true;
}

/* Does the solution (x, y) belong to the set with this pattern and point? */
static bool belongs(const pw_collector *c, const double *x, const double *y, const int *piece,
                    const double *other, int dimension) {
  if (c->opts->K != NULL) {
    return same_image(c, x, other);
  }
  return dimension == 0 ? same_point(c, x, other)
                        : pw_leaf_contains(c->p, piece, x, y, c->tol * size_of(c, x));
}

static bool strict(const pw_collector *c, const int *piece, const double *x, const double *y) {
  double tol = c->tol * size_of(c, x);
  for (int i = 0; i < c->p->m; i++) {
    double lo = pw_box_lcp_lo(c->p, i), hi = pw_box_lcp_hi(c->p, i);
    bool degenerate =
        piece[i] == PW_PIECE_INSIDE ? x[i] - lo <= tol || hi - x[i] <= tol : fabs(y[i]) <= tol;
    if (lo < hi && degenerate) {
      return false;
    }
  }
  return true;
}

static void copy(const pw_collector *c, int to, const int *piece, const double *x,
                 const double *y) {
  size_t m = (size_t)c->p->m;
  memmove(point(c, c->out->x, to), x, m * sizeof *x);
  memmove(point(c, c->out->y, to), y, m * sizeof *y);
  memmove(pattern(c, to), piece, m * sizeof *piece);
}

static void put(const pw_collector *c, int to, const int *piece, const double *x, const double *y,
                int dimension) {
  copy(c, to, piece, x, y);
  c->out->branch[to] =
      (pw_branch){.dimension = dimension, .strict = strict(c, piece, x, y), .norm = norm(c, x)};
}

void pw_collect(pw_collector *c, const int *piece, const double *x, const double *y,
                int dimension) {
  pw_branches *out = c->out;
  int place = out->count;
  for (int b = 0; b < out->count; b++) {
    const double *bx = point(c, out->x, b), *by = point(c, out->y, b);
    int known = out->branch[b].dimension;
    if (dimension <= known && belongs(c, x, y, pattern(c, b), bx, known)) {
      return;
    }
    if (dimension > known && belongs(c, bx, by, piece, x, dimension)) {
      if (place < out->count) { /* a second one that the new set swallows */
        int last = --out->count;
        copy(c, b, pattern(c, last), point(c, out->x, last), point(c, out->y, last));
        out->branch[b] = out->branch[last];
        b--;
      } else {
        place = b;
      }
    }
  }
  if (place >= out->capacity) {
    out->overflow = true;
    return;
  }
  put(c, place, piece, x, y, dimension);
  out->count = place == out->count ? place + 1 : out->count;
}

static void swap_branches(pw_collector *c, int a, int b) {
  pw_branch keep = c->out->branch[a];
  c->out->branch[a] = c->out->branch[b];
  c->out->branch[b] = keep;
  for (int i = 0; i < c->p->m; i++) {
    double *xa = point(c, c->out->x, a) + i, *xb = point(c, c->out->x, b) + i, x = *xa;
    double *ya = point(c, c->out->y, a) + i, *yb = point(c, c->out->y, b) + i, y = *ya;
    int *pa = pattern(c, a) + i, *pb = pattern(c, b) + i, piece = *pa;
    *xa = *xb;
    *xb = x;
    *ya = *yb;
    *yb = y;
    *pa = *pb;
    *pb = piece;
  }
}

void pw_collect_finish(pw_collector *c) {
  for (int a = 1; a < c->out->count; a++) {
    for (int b = a; b > 0 && c->out->branch[b].norm < c->out->branch[b - 1].norm; b--) {
      swap_branches(c, b, b - 1);
    }
  }
  for (int b = 0; b < c->out->count; b++) {
    for (int i = 0; i < c->p->m; i++) {
      point(c, c->out->x, b)[i] /= c->s[i];
      point(c, c->out->y, b)[i] *= c->s[i];
    }
  }
}
