// SPDX-License-Identifier: MIT
/* The variational inequalities of d'Alembert, Jourdain and Gauss, (4.5), (4.7), (4.10) of Glocker
 * 1998: -f.d <= S(d) for all d, where S(d) = sup { -force J d } over the set of each law and f = M
 * a - h comes from the accelerations alone. Variations with S = infinity give no condition, so
 * random ones are projected onto the cone where S is finite. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "law/scale_static.h"
#include "linalg/dense.h"
#include "solve/box_qp.h"
#include "static/gauss.h"

typedef struct cone {
  pawl_gauss *g;
  const pw_law_set *set; /* nr */
  pw_box_qp qp;          /* projection: rows with an infinite end */
  double *A, *z, *lo, *hi;
  double *x, *y, *real;
  int *whole;
  double *d; /* nv: the variation */
} cone;

/* splitmix64, as a number in -1..1 */
static double draw(uint64_t *state) {
  uint64_t z = (*state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  z ^= z >> 31;
  return (double)(z >> 11) * 0x1p-52 - 1;
}

static void make_cone(cone *c, pawl_gauss *g, const pw_law_set *set) {
  int n = g->f.n, m = g->sys->nr;
  pw_arena *arena = &g->arena;
  *c = (cone){.g = g, .set = set, .qp = {.n = n}};
  c->A = PW_TAKE(arena, n * m + 1, double);
  c->z = PW_TAKE(arena, m + 1, double);
  c->lo = PW_TAKE(arena, m + 1, double);
  c->hi = PW_TAKE(arena, m + 1, double);
  c->x = PW_TAKE(arena, m + 1, double);
  c->y = PW_TAKE(arena, m + 1, double);
  c->d = PW_TAKE(arena, n + 1, double);
  for (int i = 0; i < m; i++) {
    pw_law_set range = pw_static_range(g, set, i);
    bool lo = isinf(range.lo), hi = isinf(range.hi);
    if ((lo || hi) && pw_static_unit(g, i) > 0) {
      memcpy(c->A + (size_t)c->qp.m * (size_t)n, pw_static_push(g, i), (size_t)n * sizeof *c->A);
      c->lo[c->qp.m] = lo ? -INFINITY : 0;
      c->hi[c->qp.m++] = hi ? INFINITY : 0;
    }
  }
  c->real = PW_TAKE(arena, pw_box_qp_doubles(n, m) + 1, double);
  c->whole = PW_TAKE(arena, pw_box_qp_ints(m) + 1, int);
}

/* A random direction and its projection; false: nothing of it is admissible. */
static bool vary(cone *c, uint64_t *state) {
  int n = c->g->f.n;
  for (int i = 0; i < n; i++) {
    c->d[i] = draw(state);
  }
  if (c->qp.m > 0) {
    pw_box_info info;
    c->qp = (pw_box_qp){
        .n = n, .m = c->qp.m, .A = c->A, .c = c->d, .z = c->z, .lo = c->lo, .hi = c->hi};
    if (pw_box_qp_solve(&c->qp, c->x, c->y, NULL, c->real, c->whole, &info) != PW_SOLVED) {
      return false;
    }
    for (int j = 0; j < c->qp.m; j++) {
      pw_axpy(c->x[j], c->A + (size_t)j * (size_t)n, c->d, n);
    }
  }
  return pw_norm2(c->d, n) > PW_SCALE(VARIATION_LEFT);
}

/* Rate of row i along the variation, per unit of its force. */
static double power_of(const cone *c, int i) {
  const pw_frame *f = &c->g->f;
  return pw_static_unit(c->g, i) * pw_dot(pw_static_push(c->g, i), c->d, f->n);
}

/* The part of S(d) that comes from one row, or from the rows of a slip. */
static double support_of(const cone *c, int i, double room) {
  int n = pw_law_set_dimension(&c->set[i]);
  if (n > 1 && c->g->row[i].plane != i) {
    return 0; /* comes with the first row */
  }

  /* -force against a slip of zero may be without bound */
  double slip[PW_LAW_MOST];
  for (int k = 0; k < n; k++) {
    slip[k] = -power_of(c, i + k);
  }
  double part = pw_law_set_support(&c->set[i], slip, NULL);
  return isinf(part) && fabs(slip[0]) <= room * pw_static_unit(c->g, i) ? 0 : part;
}

/* S(d), and in *size the sum of its terms. */
static double support(const cone *c, double *size) {
  const pw_frame *f = &c->g->f;
  double sum = 0, room = PW_SCALE(VARIATION_ZERO) * pw_norm2(c->d, f->n);
  for (int i = 0; i < f->m; i++) {
    if (!pw_static_leads(c->g, i)) {
      continue;
    }
    double part = support_of(c, i, room);
    for (int k = pw_static_next_coupled(c->g, i); k >= 0; k = pw_static_next_coupled(c->g, k)) {
      part = fmax(part, support_of(c, k, room));
    }
    sum += part;
    *size += fabs(part);
  }
  return sum;
}

static double worst_of(pawl_gauss *g, int solution, int level, int variations, uint64_t seed) {
  int n = g->f.n;
  double *force = PW_TAKE(&g->arena, n + 1, double), worst = -INFINITY;
  cone c;
  make_cone(&c, g, g->set[solution][level]);
  memcpy(force, g->when[PAWL_RIGHT].item[solution].c, (size_t)n * sizeof *force);
  pw_axpy(-1, g->c0, force, n);
  for (int k = 0; k < variations; k++) {
    if (!vary(&c, &seed)) {
      continue;
    }
    double size = pw_norm2(force, n) * pw_norm2(c.d, n);
    double value = -pw_dot(force, c.d, n) - support(&c, &size);
    worst = fmax(worst, size > 0 ? value / size : 0);
  }
  return isinf(worst) ? 0 : worst; /* nothing can be varied: nothing to violate */
}

void pw_static_principles(pawl_gauss *g, int variations, unsigned long seed,
                          double worst[PW_LEVELS]) {
  for (int level = 0; level < PW_LEVELS; level++) {
    worst[level] = NAN;
    for (int k = 0; k < g->when[PAWL_RIGHT].count; k++) {
      worst[level] = fmax(worst[level], worst_of(g, k, level, variations, seed + (uint64_t)level));
    }
  }
}
