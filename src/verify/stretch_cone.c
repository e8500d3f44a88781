// SPDX-License-Identifier: MIT
/* What the laws can give in a stretch of time: impulses along their rows, as columns of the reach.
 */
#include <math.h>
#include <string.h>

#include "base/real.h"
#include "law/scale_verify.h"
#include "linalg/dense.h"
#include "verify/stretch.h"

enum { EDGES = 12, MOST_EDGES = EDGES * EDGES }; /* of a disk; of the cone of a contact */

/* L^T (mean of M^-1 Phi) of a row. */
const double *pw_stretch_along(const pw_stretch *x, int i) {
  const pw_probe *p = &x->c->probe;
  int n = x->c->sys->nv;
  double *mean = x->spare;
  memset(mean, 0, (size_t)n * sizeof *mean);
  for (int k = 0; k < 3; k++) {
    pw_axpy(x->weight[k] / x->whole, x->at[k].push + (size_t)i * (size_t)n, mean, n);
  }
  for (int j = 0; j < n; j++) {
    x->col[j] = pw_dot(p->L + (size_t)j * (size_t)n + j, mean + j, n - j);
  }
  return x->col;
}

static double *add(pw_stretch *x, const double *col, double lo, double hi) {
  int n = x->c->sys->nv;
  if (lo == hi) {
    pw_axpy(-lo, col, x->aim, n);
    return NULL;
  }
  double *to = pw_reach_add(&x->c->room.reach, lo, hi);
  if (to != NULL) {
    memcpy(to, col, (size_t)n * sizeof *to);
  }
  return to;
}

/* Every edge from `first` on once for each of the ends of an interval along row i. */
static void widen(pw_stretch *x, int first, int i, double lo, double hi) {
  pw_reach *r = &x->c->room.reach;
  int n = x->c->sys->nv, last = r->k;
  for (int j = first; j < last; j++) {
    double *copy = hi > lo ? add(x, r->A + (size_t)j * (size_t)n, 0, INFINITY) : NULL;
    if (copy != NULL) {
      pw_axpy(hi, pw_stretch_along(x, i), copy, n);
    }
    pw_axpy(lo, pw_stretch_along(x, i), r->A + (size_t)j * (size_t)n, n);
  }
}

/* How far the measures of the tip of a norm of positions go in the stretch. */
static double way_of_tip(const pw_stretch *x, int i, double length) {
  double speed = pw_max(x->at[0].speed, pw_max(x->at[1].speed, x->at[2].speed));
  return x->c->sys->row[i].on_velocity ? 0 : speed * length * x->whole;
}

/* Whether a slip slides at all three instants, does not turn round between, and passes no tip. */
static bool slides(const pw_stretch *x, int i) {
  int n = x->c->sys->row[i].width;
  double length = pw_norm_inf(x->c->probe.length + i, n);
  double near = PW_SCALE(CERT_DIRECTION) * x->tiny_velocity * length +
                (x->derived ? pw_stretch_slack(x, i) : 0) + way_of_tip(x, i, length);
  bool all = true;
  for (int k = 0; k < 3 && all; k++) {
    const double *here = x->at[k].value + i, *first = x->at[0].value + i;
    all = pw_length(here, n) > near && pw_along(here, first, n) > 0;
  }
  return all;
}

/* Then a friction with a given bound is a known force, against the slip. */
void pw_stretch_add_sliding(pw_stretch *x) {
  const pw_system *s = x->c->sys;
  size_t n = (size_t)s->nv;
  for (int i = s->nc; i < s->nr; i++) {
    if (s->row[i].group != i - s->nc || pw_row_contact(s, i) >= 0 || !slides(x, i)) {
      continue;
    }
    for (int k = 0, width = s->row[i].width; k < 3 * width; k++) { /* components, instants */
      const pw_mark *m = &x->at[k / width];
      int j = i + k % width;
      double F = m->bound[i] / pw_length(m->value + i, width);
      pw_axpy(-F * m->value[j], m->push + (size_t)j * n, m->acc, s->nv);
    }
  }
}

/* Edges of the disk or ball of a slip of several components, `wide` times as large: where it
 * slides, against the slip at the three instants; else a polygon or box around it. */
static void widen_disk(pw_stretch *x, int first, int i, double wide) {
  pw_reach *r = &x->c->room.reach;
  int n = x->c->sys->nv, last = r->k;
  double F = 0;
  bool slide = slides(x, i);
  for (int k = 0; k < 3; k++) {
    F = pw_max(F, pw_max(x->at[k].bound[i], slide ? 0 : x->at[k].hold[i]));
  }
  double corner[PW_LAW_MOST * EDGES], against[PW_LAW_MOST];
  int width = x->c->sys->row[i].width;
  pw_law_set ball = pw_law_ball(wide * F, width);
  int edges = slide ? 3 : pw_law_set_edges(&ball, EDGES, corner);
  for (int e = 0; e < 3 && slide; e++) {
    for (int k = 0; k < width; k++) {
      against[k] = -x->at[e].value[i + k];
    }
    pw_law_set_support(&ball, against, corner + (ptrdiff_t)width * e);
  }
  for (int j = first; j < last; j++) {
    for (int e = edges - 1; e >= 0; e--) {
      double *edge = r->A + (size_t)j * (size_t)n;
      double *to = e == 0 ? edge : add(x, edge, 0, INFINITY);
      for (int k = 0; k < width && to != NULL; k++) {
        pw_axpy(corner[width * e + k], pw_stretch_along(x, i + k), to, n);
      }
    }
  }
}

/* Edges that a law on a contact multiplies those before it by; 0: it has none of its own. */
static int edges_of(const pw_stretch *x, int contact, int row) {
  const pw_system *s = x->c->sys;
  int k = row - s->nc;
  double lo, hi;
  if (pw_row_contact(s, row) != contact || pw_law_is_rough(&s->row[row]) ||
      (s->law[k].group >= 0 && s->law[k].group != k)) {
    return 0;
  }
  if (s->law[k].group >= 0) {
    return slides(x, row) ? 3 : EDGES;
  }
  pw_stretch_hull(x, row, &lo, &hi);
  return hi > lo ? 2 : 1;
}

/* Its force is known but for its size: it is that of a slip. */
static bool is_told(const pw_stretch *x, int contact, int row) {
  return edges_of(x, contact, row) == (x->c->sys->row[row].group >= 0 ? 3 : 1);
}

static void widen_by(pw_stretch *x, int first, int row, double wide) {
  double lo, hi;
  if (x->c->sys->row[row].group >= 0) {
    widen_disk(x, first, row, wide);
  } else {
    pw_stretch_hull(x, row, &lo, &hi);
    widen(x, first, row, wide * lo, wide * hi);
  }
}

/* The cone of a normal force N with the forces of laws in N S_1 .. N S_m: its edges are those of
 * all combinations. Where these are too many, the sum of the cones of n + m S_k, which holds it,
 * takes its place: N (n + s_1 + .. + s_m) = sum N/m (n + m s_k). What is told of slips is part of
 * n. */
static void add_contact(pw_stretch *x, int i) {
  const pw_system *s = x->c->sys;
  pw_reach *r = &x->c->room.reach;
  int first = r->k, all = 1, open = 0;
  add(x, pw_stretch_along(x, i), 0, INFINITY);
  for (int row = s->nc; row < s->nr; row++) {
    int edges = edges_of(x, i, row);
    if (edges > 0 && is_told(x, i, row)) {
      widen_by(x, first, row, 1);
    }
    open += edges > 0 && !is_told(x, i, row);
    all = edges > 0 && all <= MOST_EDGES ? all * edges : all;
  }
  int last = r->k;
  bool apart = open > 1 && all > MOST_EDGES;
  for (int row = s->nc; row < s->nr; row++) {
    int from = apart ? r->k : first;
    if (edges_of(x, i, row) == 0 || is_told(x, i, row)) {
      continue;
    }
    for (int j = first; apart && j < last; j++) {
      add(x, r->A + (size_t)j * (size_t)s->nv, 0, INFINITY);
    }
    widen_by(x, from, row, apart ? open : 1);
  }
}

void pw_stretch_add_given(pw_stretch *x, int i) {
  const pw_system *s = x->c->sys;
  int law = s->row_of[i];
  double carried;
  if (pw_stretch_carried(x, i, &carried)) {
    add(x, pw_stretch_along(x, i), carried, carried);
  } else if (s->index_of[law] == i) {
    double mean = pw_law_multiplier(&s->row[i], x->force[0][law] + x->force[1][law]) / 2 * x->whole;
    add(x, pw_stretch_along(x, i), mean, mean);
  }
}

void pw_stretch_add_row(pw_stretch *x, int i) {
  const pw_system *s = x->c->sys;
  int k = i - s->nc, contact = pw_row_contact(s, i);
  double lo = -INFINITY, hi = INFINITY, carried;
  if (pw_stretch_carried(x, i, &carried)) {
    add(x, pw_stretch_along(x, i), carried, carried);
    return;
  }
  if (contact >= 0) {
    if (pw_law_is_rough(&s->row[i]) && pw_stretch_touches(x, contact)) {
      add(x, pw_stretch_along(x, i), lo, hi);
    }
    return;
  }
  if (k < 0) {
    add(x, pw_stretch_along(x, i), lo, hi);
  } else if (s->row[i].kind == PW_KIND_SERVO) {
    pw_stretch_servo(x, i, &lo, &hi);
    add(x, pw_stretch_along(x, i), lo, hi);
  } else if (s->law[k].wall) {
    if (pw_stretch_acts(x, i)) {
      add_contact(x, i);
    }
  } else if (s->law[k].group >= 0) { /* the disk, unless it slides */
    double F = 0;
    for (int m = 0; m < 3 && !slides(x, s->nc + s->law[k].group); m++) {
      F = pw_max(F, pw_max(x->at[m].bound[i], x->at[m].hold[i]));
    }
    bool fits = add(x, pw_stretch_along(x, i), -F * x->whole, F * x->whole) != NULL;
    if (fits && k == s->law[k].group + s->law[k].width - 1 && F > 0) {
      pw_reach_join(&x->c->room.reach, s->law[k].width);
    }
  } else {
    pw_stretch_hull(x, i, &lo, &hi);
    add(x, pw_stretch_along(x, i), lo * x->whole, hi * x->whole);
  }
}
