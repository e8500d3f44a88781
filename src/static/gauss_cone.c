// SPDX-License-Identifier: MIT
/* Generators. The set of all forces of a level is the sum of the sets of the laws times their
 * covectors, which are listed. Directions that no force without bound stops form the tangent cone
 * (Glocker 1998, (2.2), (8.4), (8.5)), whose lines and rays are found row by row: the double
 * description of a polyhedral cone. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/real.h"
#include "law/scale_static.h"
#include "linalg/chol.h"
#include "linalg/dense.h"
#include "static/gauss.h"

enum { MOST_ROWS = 64 };

typedef struct cone {
  int n, lines, rays, capacity, rows;
  double *line, *ray, *next;  /* n each */
  uint64_t *zero, *next_zero; /* rows that a ray lies in */
  bool full;
} cone;

/* Covector of row i per unit of its multiplier: |phi_i| L phi_i. */
static void covector(const pawl_gauss *g, int i, double *out) {
  int n = g->f.n;
  const double *a = pw_static_push(g, i);
  for (int r = 0; r < n; r++) {
    out[r] = 0;
    for (int k = 0; k <= r; k++) {
      out[r] += g->f.L[(size_t)k * (size_t)n + (size_t)r] * a[k];
    }
    out[r] *= pw_static_unit(g, i);
  }
}

static double *at(double *list, int n, int i) {
  return list + (size_t)i * (size_t)n;
}

/* J.d of a direction of unit length; values at rounding level are set to zero. */
static double along(const double *J, const double *d, int n) {
  double x = pw_dot(J, d, n);
  return fabs(x) <= PW_SCALE(CONE_ZERO) * pw_norm2(J, n) ? 0 : x;
}

static void unit(double *d, int n) {
  double size = pw_norm2(d, n);
  for (int k = 0; k < n && size > 0; k++) {
    d[k] = fabs(d[k]) <= PW_SCALE(CONE_ZERO) * size ? 0 : d[k] / size;
  }
}

/* d leaves J along the line l. */
static void slide(const double *J, const double *l, double *d, int n) {
  pw_axpy(-pw_dot(J, d, n) / pw_dot(J, l, n), l, d, n);
  unit(d, n);
}

/* A line that the row cuts becomes a ray, or goes; all others are moved into the row. */
static bool cut_line(cone *c, const double *J, bool equality) {
  int best = -1, n = c->n;

  /* The line that the row cuts most steeply. */
  for (int i = 0; i < c->lines; i++) {
    double x = fabs(along(J, at(c->line, n, i), n));
    bool larger = x > 0 && (best < 0 || x > fabs(pw_dot(J, at(c->line, n, best), n)));
    best = larger ? i : best;
  }
  if (best < 0) {
    return false;
  }

  /* Every other direction d moves along l until J.d = 0; such rays lie in the new row. */
  double *l = at(c->line, n, best);
  for (int i = 0; i < c->lines; i++) {
    if (i != best) {
      slide(J, l, at(c->line, n, i), n);
    }
  }
  for (int i = 0; i < c->rays; i++) {
    slide(J, l, at(c->ray, n, i), n);
    c->zero[i] |= UINT64_C(1) << c->rows;
  }

  /* The half of l on which J.d > 0 is a ray, unless the row is an equality. */
  c->full = c->full || (!equality && c->rays == c->capacity);
  if (!equality && !c->full) {
    double sign = pw_dot(J, l, n) > 0 ? 1 : -1, *r = at(c->ray, n, c->rays);
    memset(r, 0, (size_t)n * sizeof *r);
    pw_axpy(sign, l, r, n);
    c->zero[c->rays++] = (UINT64_C(1) << c->rows) - 1;
  }

  /* l itself is no longer in the cone both ways. */
  memmove(l, at(c->line, n, best + 1), (size_t)(c->lines - best - 1) * (size_t)n * sizeof *l);
  c->lines--;
  return true;
}

/* Two rays span a face of two dimensions if no third lies in all rows that both lie in. */
static bool adjacent(const cone *c, int i, int j) {
  uint64_t both = c->zero[i] & c->zero[j];
  for (int k = 0; k < c->rays; k++) {
    if (k != i && k != j && (c->zero[k] & both) == both) {
      return false;
    }
  }
  return true;
}

static double *append(cone *c, int *count, uint64_t zero) {
  if (*count == c->capacity) {
    c->full = true;
    return NULL;
  }
  c->next_zero[*count] = zero;
  return at(c->next, c->n, (*count)++);
}

static void cut_rays(cone *c, const double *J, bool equality) {
  int n = c->n, count = 0;
  uint64_t bit = UINT64_C(1) << c->rows;
  for (int i = 0; i < c->rays; i++) {
    double x = along(J, at(c->ray, n, i), n);
    if (x == 0 || (x > 0 && !equality)) {
      double *to = append(c, &count, c->zero[i] | (x == 0 ? bit : 0));
      if (to != NULL) {
        memcpy(to, at(c->ray, n, i), (size_t)n * sizeof *to);
      }
    }
    for (int j = 0; x > 0 && j < c->rays; j++) {
      double y = along(J, at(c->ray, n, j), n);
      double *to =
          y < 0 && adjacent(c, i, j) ? append(c, &count, (c->zero[i] & c->zero[j]) | bit) : NULL;
      if (to != NULL) {
        memset(to, 0, (size_t)n * sizeof *to);
        pw_axpy(x, at(c->ray, n, j), to, n);
        pw_axpy(-y, at(c->ray, n, i), to, n);
        unit(to, n);
      }
    }
  }
  memcpy(c->ray, c->next, (size_t)count * (size_t)n * sizeof *c->ray);
  memcpy(c->zero, c->next_zero, (size_t)count * sizeof *c->zero);
  c->rays = count;
}

/* Directions with J d >= 0, or = 0. */
static void cut(cone *c, const double *J, bool equality) {
  c->full = c->full || c->rows >= MOST_ROWS;
  if (c->full || !(pw_norm2(J, c->n) > 0)) {
    return;
  }
  if (!cut_line(c, J, equality)) {
    cut_rays(c, J, equality);
  }
  c->rows++;
}

static cone whole_space(pawl_gauss *g) {
  size_t n = (size_t)g->f.n, m = (PW_MOST_RAYS + 1) * (n + 1);
  cone c = {.n = g->f.n, .lines = g->f.n, .capacity = PW_MOST_RAYS};
  c.line = PW_TAKE(&g->arena, n * n + 1, double);
  c.ray = PW_TAKE(&g->arena, m, double);
  c.next = PW_TAKE(&g->arena, m, double);
  c.zero = PW_TAKE(&g->arena, PW_MOST_RAYS + 1, uint64_t);
  c.next_zero = PW_TAKE(&g->arena, PW_MOST_RAYS + 1, uint64_t);
  for (size_t i = 0; i < n; i++) {
    c.line[i * n + i] = 1;
  }
  return c;
}

static void show(pawl_gauss *g, const cone *c, pw_static_cone *out) {
  int n = c->n;
  *out = (pw_static_cone){.lines = c->lines, .rays = c->full ? -1 : c->rays};
  out->ray = PW_TAKE(&g->arena, (c->lines + c->rays) * n + 1, double);
  memcpy(out->ray, c->line, (size_t)c->lines * (size_t)n * sizeof *out->ray);
  memcpy(at(out->ray, n, c->lines), c->ray, (size_t)c->rays * (size_t)n * sizeof *out->ray);
  for (int i = 0; i < c->lines + c->rays; i++) {
    pw_static_turn(g, 1, at(out->ray, n, i));
  }
}

/* Rows with forces without bound: above, J d >= 0; both ways, = 0. */
static void find_cone(pawl_gauss *g, int level) {
  const pw_law_set *set = g->set[g->when[PAWL_RIGHT].count > 0 ? 0 : PW_MOST_SOLUTIONS][level];
  double *J = PW_TAKE(&g->arena, g->f.n + 1, double);
  cone c = whole_space(g);
  for (int pass = 0; pass < 2; pass++) { /* equalities first: fewer intermediate rays */
    for (int i = 0; i < g->sys->nr; i++) {
      pw_law_set range = pw_static_range(g, set, i);
      bool lo = isinf(range.lo), hi = isinf(range.hi), both = lo && hi;
      if ((lo || hi) && both == (pass == 0) && pw_static_unit(g, i) > 0) {
        covector(g, i, J);
        for (int k = 0; k < g->f.n; k++) {
          J[k] = lo && !hi ? -J[k] : J[k];
        }
        cut(&c, J, both);
      }
    }
  }
  show(g, &c, &g->cone[level]);
}

double *pw_static_along(pawl_gauss *g) {
  int laws = g->sys->model->rows.n, n = g->f.n;
  double *J = PW_TAKE(&g->arena, n + 1, double);
  double *along = PW_TAKE(&g->arena, laws * n + 1, double);
  for (int i = 0; i < g->sys->nr; i++) { /* kinks of one law have one covector */
    double *to = at(along, n, g->sys->row_of[i]);
    covector(g, i, J);
    for (int k = 0; k < n; k++) {
      to[k] = g->row[i].sense * J[k] / g->sys->row[i].unit;
      to[k] = fabs(to[k]) <= PW_SCALE(CONE_ZERO) * pw_norm2(J, n) ? 0 : to[k];
    }
    pw_static_turn(g, 1, to);
  }
  return along;
}

void pw_static_cones(pawl_gauss *g) {
  for (int level = 0; level < PW_LEVELS; level++) {
    find_cone(g, level);
  }
}

/* ---- results ---- */

const double *pawl_gauss_along(const pawl_gauss *g, int law) {
  bool known = g != NULL && law >= 0 && law < g->sys->model->rows.n;
  return known ? g->along + (size_t)law * (size_t)g->f.n : NULL;
}

int pawl_gauss_cone(const pawl_gauss *g, pawl_level level, int *lines) {
  bool known = g != NULL && (int)level >= 0 && (int)level < PW_LEVELS;
  const pw_static_cone none = {0}, *c = known ? &g->cone[level] : &none;
  if (lines != NULL) {
    *lines = c->lines;
  }
  return c->rays < 0 ? -1 : c->lines + c->rays;
}

const double *pawl_gauss_cone_ray(const pawl_gauss *g, pawl_level level, int i) {
  return i >= 0 && i < pawl_gauss_cone(g, level, NULL)
             ? g->cone[level].ray + (size_t)i * (size_t)g->f.n
             : NULL;
}
