// SPDX-License-Identifier: MIT
/* Two free directions, two residuals: the velocities are covered by cells, each two triangles. If
 * the motions of its corners hit the same contacts in the same order, the end depends smoothly on
 * the velocity in between, and where the image of a triangle contains the end, Newton's method goes
 * on from there. Other cells are divided as long as the end may be in their images. */
#include <math.h>
#include <stdlib.h>

#include "bvp/search.h"
#include "law/scale_bvp.h"
#include "linalg/dense.h"

enum {
  DEPTH = 4, /* divisions of a cell */
  CORNERS = 4,
  MAX_COST = 3000000 /* evaluations */
};

typedef struct plane {
  pw_shoot *x;
  pw_bvp_found *found;
  int64_t most; /* cost at which it ends */
  bool failed;
} plane;

void pw_corner_look(pw_shoot *x, const double *s, pw_bvp_corner *out) {
  pw_flight f = pw_shoot_fly(x, s, false);
  *out = (pw_bvp_corner){.s = {s[0], s[1]}, .trace = f.trace, .ok = f.ok, .out = f.out};
  if (f.ok) {
    out->size = pw_norm2(x->r, x->m);
    if (pw_chart_fits(x)) {
      pw_chart_look(x, out->r);
    }
  }
}

static bool in_cell(const pw_bvp_corner *const c[CORNERS], const double *s) {
  bool in = true;
  for (int k = 0; k < 2; k++) {
    double a = c[0]->s[k], b = c[3]->s[k];
    in = in && s[k] >= fmin(a, b) && s[k] <= fmax(a, b);
  }
  return in;
}

static void improve(plane *p, const pw_bvp_corner *const c[CORNERS], double *s) {
  for (int i = 0; i < p->found->n; i++) {
    if (in_cell(c, p->found->s + 2 * (size_t)i)) {
      return; /* this is the known solution, or so near that Newton's method would converge to it */
    }
  }
  p->failed = !pw_improve(p->x, s, p->found) || p->failed;
}

/* Where the linear map through three corners has the end: weights w_i with sum w_i r_i = 0. */
static void try_triangle(plane *p, const pw_bvp_corner *const c[CORNERS], int i, int j, int k) {
  const pw_bvp_corner *t[] = {c[i], c[j], c[k]};
  double w[3], sum = 0, s[2] = {0, 0};
  bool in = true;
  for (int n = 0; n < 3; n++) {
    const double *a = t[(n + 1) % 3]->r, *b = t[(n + 2) % 3]->r;
    in = in && t[n]->ok;
    w[n] = a[0] * b[1] - a[1] * b[0];
    sum += w[n];
  }
  for (int n = 0; in && n < 3; n++) {
    in = w[n] / sum >= -PW_SCALE(BVP_CELL_OUTSIDE); /* false if the image has no area */
    s[0] += w[n] / sum * t[n]->s[0];
    s[1] += w[n] / sum * t[n]->s[1];
  }
  if (in) {
    improve(p, c, s);
  }
}

/* The end may be in the image: within its box, or outside by less than its size. */
static bool may_hold(const pw_bvp_corner *const c[CORNERS]) {
  bool may = true;
  for (int k = 0; k < 2; k++) {
    double lo = INFINITY, hi = -INFINITY;
    for (int i = 0; i < CORNERS; i++) {
      lo = c[i]->ok ? fmin(lo, c[i]->r[k]) : lo;
      hi = c[i]->ok ? fmax(hi, c[i]->r[k]) : hi;
    }
    may = may && (lo > hi || (lo <= hi - lo && hi >= lo - hi));
  }
  return may;
}

/* The corners of the image are not those of a parallelogram, by a part of its size. */
static bool is_bent(const pw_bvp_corner *const c[CORNERS]) {
  double off = 0, size = 0;
  for (int k = 0; k < 2; k++) {
    off = fmax(off, fabs(c[0]->r[k] - c[1]->r[k] - c[2]->r[k] + c[3]->r[k]));
    size = fmax(size, fmax(fabs(c[0]->r[k] - c[3]->r[k]), fabs(c[1]->r[k] - c[2]->r[k])));
  }
  return off > PW_SCALE(BVP_CELL_BEND) * size;
}

static void visit(plane *p, const pw_bvp_corner *const c[CORNERS], int depth) {
  bool same = true, out = true;
  for (int i = 0; i < CORNERS; i++) {
    same = same && c[i]->ok && c[i]->trace == c[0]->trace;
    out = out && c[i]->out;
  }
  bool ended = p->x->tally->stopped || p->failed || p->x->tally->cost > p->most;
  if (out || ended || !may_hold(c)) {
    return;
  }
  if ((same && !is_bent(c)) || depth == 0) {
    try_triangle(p, c, 0, 1, 2);
    try_triangle(p, c, 3, 1, 2);
    return;
  }
  pw_bvp_corner all[9]; /* 3 x 3, of which the corners are given */
  for (int i = 0; i < 9; i++) {
    double a = i % 3 / 2.0, b = i / 3 / 2.0;
    double s[2] = {c[0]->s[0] + a * (c[3]->s[0] - c[0]->s[0]),
                   c[0]->s[1] + b * (c[3]->s[1] - c[0]->s[1])};
    if (i % 2 == 0 && i != 4) {
      all[i] = *c[i % 3 / 2 + i / 3 / 2 * 2];
    } else {
      pw_corner_look(p->x, s, &all[i]);
    }
  }
  for (int i = 0; i < 4; i++) {
    const pw_bvp_corner *first = &all[i % 2 + i / 2 * 3];
    const pw_bvp_corner *const part[CORNERS] = {first, first + 1, first + 3, first + 4};
    visit(p, part, depth - 1);
  }
}

bool pw_plane(pw_shoot *x, const pw_bvp_corner *grid, int n, bool ring, pw_bvp_found *found) {
  plane p = {.x = x, .found = found, .most = x->tally->cost + MAX_COST};
  for (int i = 0; i < (n - 1) * (n - 1); i++) {
    int column = i % (n - 1), row = i / (n - 1);
    bool inner = 2 * abs(2 * column - n + 2) < n - 6 && 2 * abs(2 * row - n + 2) < n - 6;
    const pw_bvp_corner *first = grid + (size_t)row * (size_t)n + (size_t)column;
    const pw_bvp_corner *const c[CORNERS] = {first, first + 1, first + n, first + n + 1};
    if (!ring || !inner) {
      visit(&p, c, DEPTH);
    }
  }
  return !p.failed;
}
