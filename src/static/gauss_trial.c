// SPDX-License-Identifier: MIT
/* Tests a given acceleration against the principles of d'Alembert, Jourdain and Gauss. -f.d <= S(d)
 * for all d means that f = M a - h lies in the sum of the sets of a level; the largest violation
 * over all unit d is the distance of f to that sum (gauss (A1)), which is a box problem, or with
 * disks found by projected gradients with momentum. */
#include <math.h>
#include <string.h>

#include "base/real.h"
#include "law/scale_mech.h"
#include "law/scale_static.h"
#include "linalg/chol.h"
#include "linalg/dense.h"
#include "solve/box_qp.h"
#include "static/gauss.h"

enum { MOST_STEPS = 20000 };

typedef struct sum { /* scaled forces x in their sets, force A x */
  const pawl_gauss *g;
  int n, m;
  double *A, *x;
  pw_law_set *set;   /* m, scaled; a set of several components is stored at all of its rows */
  bool empty, disks; /* disks: sets of several rows */
} sum;

static pw_law_set scaled(const pawl_gauss *g, const pw_law_set *set, int i) {
  int n = pw_law_set_dimension(&set[i]), first = n > 1 ? g->row[i].plane : i;
  double unit[PW_LAW_MOST];
  for (int k = 0; k < n; k++) {
    unit[k] = pw_static_unit(g, first + k);
  }
  return pw_law_set_stretched(set[i], unit);
}

static sum gather(pawl_gauss *g, const pw_law_set *set) {
  int n = g->f.n, m = g->sys->nr;
  sum s = {.g = g, .n = n, .m = m};
  s.A = PW_TAKE(&g->arena, n * m + 1, double);
  s.x = PW_TAKE(&g->arena, m + 1, double);
  s.set = PW_TAKE(&g->arena, m + 1, pw_law_set);
  for (int i = 0; i < m; i++) {
    memcpy(s.A + (size_t)i * (size_t)n, pw_static_push(g, i), (size_t)n * sizeof *s.A);
    bool moves = pw_static_unit(g, i) > 0;
    s.set[i] = moves ? scaled(g, set, i) : pw_law_point(0);
    bool plane = pw_law_set_dimension(&s.set[i]) > 1;
    s.disks = s.disks || plane || pw_static_next_coupled(g, i) >= 0;
    s.empty = s.empty || pw_law_set_is_empty(&s.set[i]) || (!plane && isnan(s.set[i].lo));
  }
  return s;
}

/* The nearest point by the box problem; false: it failed. */
static bool nearest_in_box(sum *s, pw_arena *arena, const double *f) {
  int n = s->n, m = s->m;
  pw_box_info info;
  double *c = PW_TAKE(arena, n + 1, double), *lo = PW_TAKE(arena, m + 1, double);
  double *hi = PW_TAKE(arena, m + 1, double), *y = PW_TAKE(arena, m + 1, double);
  pw_axpy(-1, f, c, n);
  for (int i = 0; i < m; i++) {
    lo[i] = s->set[i].lo;
    hi[i] = s->set[i].hi;
  }
  pw_box_qp qp = {.n = n, .m = m, .A = s->A, .c = c, .z = PW_TAKE(arena, m + 1, double)};
  qp.lo = lo;
  qp.hi = hi;
  double *real = PW_TAKE(arena, pw_box_qp_doubles(n, m) + 1, double);
  int *whole = PW_TAKE(arena, pw_box_qp_ints(m) + 1, int);
  return pw_box_qp_solve(&qp, s->x, y, NULL, real, whole, &info) == PW_SOLVED;
}

static void project(const sum *s, double *x) {
  for (int i = 0; i < s->m; i++) {
    bool disk = pw_law_set_dimension(&s->set[i]) > 1;
    bool coupled = !pw_static_leads(s->g, i) || pw_static_next_coupled(s->g, i) >= 0;
    if (coupled && pw_static_leads(s->g, i)) {
      pw_static_project_coupled(s->g, s->set, i, x);
    } else if (!coupled && (!disk || s->g->row[i].plane == i)) {
      pw_law_set_project(&s->set[i], x + i, x + i);
    }
  }
}

/* r <- A x - f */
static void miss(const sum *s, const double *f, const double *x, double *r) {
  pw_gemv(s->A, s->n, s->m, x, r);
  pw_axpy(-1, f, r, s->n);
}

/* Nesterov's method, started again where it turns back. Columns have unit length: m is at least the
 * largest eigenvalue of A^T A. */
static void nearest_by_gradients(sum *s, pw_arena *arena, const double *f) {
  int n = s->n, m = s->m;
  double *r = PW_TAKE(arena, n + 1, double), *z = PW_TAKE(arena, m + 1, double);
  double *last = PW_TAKE(arena, m + 1, double), size = pw_norm2(f, n), t = 1;
  project(s, s->x);
  memcpy(z, s->x, (size_t)m * sizeof *z);
  for (int step = 0; step < MOST_STEPS; step++) {
    memcpy(last, s->x, (size_t)m * sizeof *last);
    miss(s, f, z, r);
    double turn = 0, moved = 0, next = (1 + sqrt(1 + 4 * t * t)) / 2;
    for (int i = 0; i < m; i++) {
      s->x[i] = z[i] - pw_dot(s->A + (size_t)i * (size_t)n, r, n) / m;
    }
    project(s, s->x);
    for (int i = 0; i < m; i++) {
      turn += (z[i] - s->x[i]) * (s->x[i] - last[i]);
      moved = fmax(moved, fabs(s->x[i] - last[i]));
      size = fmax(size, fabs(s->x[i]));
    }
    double push = turn > 0 ? 0 : (t - 1) / next;
    t = turn > 0 ? 1 : next;
    for (int i = 0; i < m; i++) {
      z[i] = s->x[i] + push * (s->x[i] - last[i]);
    }
    if (moved <= PW_SCALE(TRIAL_STILL) * size && step > m) {
      return;
    }
  }
}

/* Largest violation over unit variations, by the size of the forces. */
static double far_from(pawl_gauss *g, const pw_law_set *set, const double *f) {
  sum s = gather(g, set);
  if (s.empty) {
    return NAN;
  }
  if (s.disks || !nearest_in_box(&s, &g->arena, f)) {
    nearest_by_gradients(&s, &g->arena, f);
  }
  double *r = PW_TAKE(&g->arena, s.n + 1, double);
  miss(&s, f, s.x, r);
  double left = pw_norm2(r, s.n);
  pw_axpy(1, f, r, s.n);
  double size = fmax(fmax(pw_norm2(f, s.n), pw_norm2(r, s.n)), pw_norm2(g->c0, s.n));
  return size > 0 ? left / size : 0;
}

/* ---- the acceleration ---- */

static int nearest_solution(const pawl_gauss *g, const double *c) {
  int best = -1;
  double least = INFINITY;
  for (int k = 0; k < g->when[PAWL_RIGHT].count; k++) {
    double far = 0;
    for (int i = 0; i < g->f.n; i++) {
      double d = c[i] - g->when[PAWL_RIGHT].item[k].c[i];
      far += d * d;
    }
    best = far < least ? k : best;
    least = fmin(far, least);
  }
  return best;
}

/* Where a slip of several components begins, the force is the boundary point opposite to it. */
static void against(pawl_gauss *g, pw_static_solution *x, double tiny) {
  for (int i = g->sys->nc; i < g->sys->nr; i++) {
    const pw_static_row *r = &g->row[i];
    int n = r->law.form->width;
    if (r->plane == i && r->sign.at_kink && pw_length(x->y + i, n) > tiny * g->f.length[i]) {
      double back[PW_LAW_MOST], force[PW_LAW_MOST];
      for (int k = 0; k < n; k++) {
        back[k] = -x->y[i + k];
      }
      double normal = r->law.form->on >= 0 ? fmax(x->lambda[r->on], 0) : 1;
      (void)pw_law_set_support(&r->set, back, force);
      for (int k = 0; k < n; k++) {
        x->lambda[i + k] = normal * force[k];
      }
    }
  }
}

static pw_static_solution describe(pawl_gauss *g, const double *a, const double *lambda) {
  int n = g->f.n, m = g->sys->nr;
  pw_static_solution x = {.a = PW_TAKE(&g->arena, n + 1, double),
                          .c = PW_TAKE(&g->arena, n + 1, double),
                          .lambda = PW_TAKE(&g->arena, m + 1, double),
                          .y = PW_TAKE(&g->arena, m + 1, double)};
  memcpy(x.a, a, (size_t)n * sizeof *a);
  pw_static_turn(g, -1, x.a);
  pw_chol_lift_in(g->f.L, n, NULL, x.a, x.c);
  for (int i = 0; i < m; i++) {
    x.y[i] = g->f.zeta[i] + g->f.length[i] * pw_dot(pw_static_column(g, i), x.c, n);
    x.lambda[i] = lambda == NULL ? 0 : lambda[i];
  }
  return x;
}

/* The user's numbers may have nine digits: values below SAME_MOTION count as zero. */
static double still(const pawl_gauss *g, pw_static_solution *x) {
  double tiny = PW_SCALE(SAME_MOTION) * fmax(g->scale, pw_norm2(x->c, g->f.n));
  for (int i = 0; i < g->sys->nr; i++) {
    x->y[i] = fabs(x->y[i]) <= tiny * g->f.length[i] ? 0 : x->y[i];
  }
  return tiny;
}

void pw_static_try(pawl_gauss *g, const double *a) {
  int n = g->f.n, row;
  pw_static_solution x = describe(g, a, NULL);
  int k = nearest_solution(g, x.c);
  x = describe(g, a, k < 0 ? NULL : g->when[PAWL_RIGHT].item[k].lambda);
  double tiny = still(g, &x);
  against(g, &x, tiny);

  pw_law_set *set[PW_LEVELS];
  pw_static_fill_sets(g, &x, set);
  double *f = PW_TAKE(&g->arena, n + 1, double);
  pawl_gauss_trial *out = &g->trial;
  out->given = 1;
  out->Psi = pw_static_psi(g, set[PAWL_VELOCITY], x.y, tiny, &row);
  out->law = row < 0 ? -1 : g->sys->row_of[row];
  out->allowed = row < 0;
  pw_static_free(g, PAWL_RIGHT, f);
  for (int i = 0; i < n; i++) {
    out->measure += (x.c[i] - f[i]) * (x.c[i] - f[i]) / 2;
    f[i] = x.c[i] - g->c0[i];
  }
  out->cost = out->measure + out->Psi;
  for (int level = 0; level < PW_LEVELS; level++) {
    bool known = out->allowed || level != PAWL_ACCELERATION;
    out->far[level] = known ? far_from(g, set[level], f) : (double)NAN;
    out->holds[level] = out->far[level] <= PW_SCALE(SAME_MOTION);
  }
}

pawl_gauss_trial pawl_gauss_trial_get(const pawl_gauss *g) {
  return g == NULL || !g->trial.given ? (pawl_gauss_trial){.law = -1} : g->trial;
}
