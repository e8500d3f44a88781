// SPDX-License-Identifier: MIT
#include "sim/coulomb.h"

#include <math.h>
#include <string.h>

#include "law/scale_static.h"
#include "linalg/dense.h"
#include "sim/form.h"
#include "solve/enumerate.h"
#include "solve/mlcp.h"
#include "solve/mode_tree.h"
#include "solve/mode_walk.h"
#include "solve/stick_pairs.h"

/* Unknowns looked at completely, starts of Lemke's method for larger problems. */
enum { MAX_ENUMERATED = 12, MAX_COVERS = 16 };

/* Unknowns: one per row, and a second one of each slip that may stick. */
static int most(const pw_system *sys) {
  int m = sys->nr + 1;
  for (int i = 0; i < sys->ni; i++) {
    const pw_law_form *form = &sys->law[i];
    m += pw_is_rough(form) || (pw_is_coulomb(form) && !pw_in_plane(form));
  }
  return m;
}

/* Something slides, or grips without a bound. */
static bool is_needed(const pw_system *sys) {
  bool needed = sys->trait.oblique;
  for (int i = 0; i < sys->ni; i++) {
    needed = needed || pw_is_rough(&sys->law[i]);
  }
  return needed;
}

static size_t larger(size_t a, size_t b) {
  return a > b ? a : b;
}

static size_t work_doubles(int m) {
  size_t list = pw_enumerate_doubles(m < MAX_ENUMERATED ? m : MAX_ENUMERATED);
  size_t modes = larger(pw_mode_tree_doubles(m), pw_mode_walk_doubles(m));
  return larger(modes, larger(pw_mlcp_doubles(m), list));
}

static size_t work_ints(int m) {
  size_t list = pw_enumerate_ints(m < MAX_ENUMERATED ? m : MAX_ENUMERATED);
  size_t modes = larger(pw_mode_tree_ints(m), pw_mode_walk_ints(m));
  return larger(modes, larger(pw_mlcp_ints(m), list));
}

void pw_coulomb_lay_out(pw_coulomb *p, const pw_system *sys, pw_layout *l) {
  size_t rows = (size_t)sys->nr + 1;
  p->n = sys->nv;
  if (!is_needed(sys)) {
    return;
  }
  p->B = PW_LAY(l, (size_t)sys->nv * rows, double);
  p->mu = PW_LAY(l, rows, double);
  p->normal = PW_LAY(l, rows, int);
}

void pw_coulomb_lay_out_work(pw_coulomb *p, const pw_system *sys, pw_layout *l) {
  int m = most(sys);
  if (!is_needed(sys)) {
    return;
  }
  p->D = PW_LAY(l, (size_t)m * (size_t)m, double);
  p->b = PW_LAY(l, m, double);
  p->lo = PW_LAY(l, m, double);
  p->hi = PW_LAY(l, m, double);
  p->v = PW_LAY(l, m, double);
  p->real = PW_LAY(l, 2 * (size_t)m * PW_MOST_LISTED + 4 * (size_t)m + work_doubles(m), double);
  p->whole = PW_LAY(l, (size_t)m * PW_MOST_LISTED + work_ints(m), int);
}

/* ---- the complementarity problem ---- */

static pw_stick_rows rows_of(const pw_coulomb *p, int k, const double *A, const double *z,
                             const double *lo, const double *hi) {
  return (pw_stick_rows){.n = p->n,
                         .k = k,
                         .A = A,
                         .B = p->B,
                         .z = z,
                         .lo = lo,
                         .hi = hi,
                         .mu = p->mu,
                         .normal = p->normal};
}

static void take_result(const pw_coulomb *p, int k, const double *v, double *lo, double *hi,
                        double *x) {
  pw_stick_result(k, p->mu, p->normal, v, lo, hi, x);
}

/* ---- all solutions, where they can be listed ---- */

/* Solutions that move differently: the free values after them differ. */
static bool same_motion(const pw_coulomb *p, int k, const double *x, const double *y) {
  double far = 0, size = 0;
  for (int c = 0; c < p->n; c++) {
    double a = 0, b = 0;
    for (int j = 0; j < k; j++) {
      a += p->B[(size_t)j * (size_t)p->n + (size_t)c] * x[j];
      b += p->B[(size_t)j * (size_t)p->n + (size_t)c] * y[j];
    }
    far = fmax(far, fabs(a - b));
    size = fmax(size, fmax(fabs(a), fabs(b)));
  }
  return far <= PW_SCALE(SAME_MOTION) * size;
}

static pw_outcome list(pw_coulomb *p, const pw_box_lcp *lcp, int k, double *lo, double *hi,
                       double *x) {
  pw_branch branch[PW_MOST_LISTED];
  size_t m = (size_t)lcp->m;
  pw_branches out = {.capacity = PW_MOST_LISTED, .branch = branch, .x = p->real};
  out.y = out.x + m * PW_MOST_LISTED;
  out.piece = p->whole;
  pw_enumerate_info info;
  pw_outcome o = pw_enumerate(lcp, &(pw_enumerate_opts){0}, &out, out.y + m * PW_MOST_LISTED,
                              out.piece + m * PW_MOST_LISTED, &info);
  if (o != PW_SOLVED) {
    return o;
  }
  p->m = lcp->m;
  p->count = out.count;
  p->at = out.x;
  p->complete = info.complete && !out.overflow;
  for (int s = 1; s < out.count; s++) {
    p->several = pw_coulomb_listed(p, k, s, lo, hi, x) || p->several;
  }
  take_result(p, k, out.x, lo, hi, x); /* the least forces */
  return PW_SOLVED;
}

bool pw_coulomb_listed(pw_coulomb *p, int k, int s, double *lo, double *hi, double *x) {
  bool other = true;
  take_result(p, k, p->at + (size_t)s * (size_t)p->m, lo, hi, x);
  for (int r = 0; r < s && other; r++) {
    take_result(p, k, p->at + (size_t)r * (size_t)p->m, lo, hi, p->v);
    other = !same_motion(p, k, p->v, x);
  }
  take_result(p, k, p->at + (size_t)s * (size_t)p->m, lo, hi, x);
  return other;
}

/* ---- solutions that Lemke's method reaches, for problems too large for a list of all ---- */

/* Another direction to come from, the same in every run. */
static void turn_cover(double *cover, int m, unsigned *state) {
  for (int i = 0; i < 2 * m; i++) {
    *state = *state * 1664525u + 1013904223u;
    cover[i] = 0.1 + (double)(*state >> 8) / (double)(1u << 24);
  }
}

static pw_outcome reach(pw_coulomb *p, const pw_box_lcp *lcp, int k, double *lo, double *hi,
                        double *x) {
  int m = lcp->m;
  double *found = p->real, *cover = found + (size_t)m * PW_MOST_LISTED,
         *work = cover + 4 * (size_t)m;
  unsigned state = 1;
  pw_mlcp_info info;
  p->m = m;
  p->at = found;
  pw_outcome first = pw_mlcp_solve(lcp, NULL, found, work, p->whole, &info);
  p->count = first == PW_SOLVED;
  for (int c = 0; c < MAX_COVERS && (p->search || p->count == 0) && p->count < PW_MOST_LISTED;
       c++) {
    turn_cover(cover, m, &state);
    double *next = found + (size_t)p->count * (size_t)m;
    if (pw_mlcp_solve(lcp, cover, next, work, p->whole, &info) == PW_SOLVED) {
      bool other = pw_coulomb_listed(p, k, p->count, lo, hi, x);
      p->several = p->several || (other && p->count > 0);
      p->count += other;
    }
  }
  if (p->count > 0) {
    (void)pw_coulomb_listed(p, k, 0, lo, hi, x);
  }
  return p->count > 0 ? PW_SOLVED : first;
}

/* ---- the solution near the present motion ---- */

/* The unknowns of the complementarity problem that belong to forces x. */
static void keep_solution(pw_coulomb *p, int m, int k, const double *x) {
  int extra = k;
  p->m = m;
  p->count = 1;
  p->at = p->real;
  for (int i = 0; i < k; i++) {
    int n = p->normal[i];
    p->real[i] = n >= 0 && isfinite(p->mu[i]) ? x[i] + p->mu[i] * x[n] : x[i];
  }
  while (extra < m) {
    p->real[extra++] = 0;
  }
}

static bool walk(pw_coulomb *p, int m, const pw_stick_rows *rows, double *lo, double *hi,
                 double *x) {
  bool wanted = p->near || (m > MAX_ENUMERATED && !p->search);
  if (!wanted || pw_mode_walk(rows, p->v, p->real, p->whole) != PW_SOLVED) {
    return false;
  }
  keep_solution(p, m, rows->k, p->v);
  take_result(p, rows->k, p->at, lo, hi, x);
  return true;
}

/* ---- where neither finds any: a search over the modes, which proves that there is none ---- */

static pw_outcome search(pw_coulomb *p, int m, const pw_stick_rows *rows, double *lo, double *hi,
                         double *x) {
  pw_mode_info info;
  pw_outcome o = pw_mode_tree(rows, p->v, p->real, p->whole, &info);
  p->proved = o == PW_INFEASIBLE;
  if (o == PW_SOLVED) {
    keep_solution(p, m, rows->k, p->v);
    take_result(p, rows->k, p->at, lo, hi, x);
  }
  return o;
}

/* A slip that no force of friction bounds. */
static bool has_rough(const pw_coulomb *p, int k) {
  bool any = false;
  for (int i = 0; i < k; i++) {
    any = any || (p->normal[i] >= 0 && isinf(p->mu[i]));
  }
  return any;
}

pw_outcome pw_coulomb_solve(pw_coulomb *p, int k, const double *A, const double *z, double *lo,
                            double *hi, double *x) {
  const pw_stick_rows rows = rows_of(p, k, A, z, lo, hi);
  int m = pw_stick_unknowns(k, p->normal);
  p->several = p->complete = p->proved = false;
  p->count = 0;
  if (has_rough(p, k)) {
    return search(p, m, &rows, lo, hi, x);
  }
  if (walk(p, m, &rows, lo, hi, x)) {
    return PW_SOLVED;
  }
  pw_stick_assemble(&rows, m, p->D, p->b, p->lo, p->hi);
  const pw_box_lcp lcp = {.m = m, .D = p->D, .b = p->b, .lo = p->lo, .hi = p->hi};
  pw_outcome o = m <= MAX_ENUMERATED ? list(p, &lcp, k, lo, hi, x) : reach(p, &lcp, k, lo, hi, x);
  return o == PW_SOLVED ? o : search(p, m, &rows, lo, hi, x);
}
