// SPDX-License-Identifier: MIT
#include "sim/coulomb.h"

#include <math.h>
#include <string.h>

#include "law/scale_static.h"
#include "linalg/dense.h"
#include "sim/form.h"
#include "solve/enumerate.h"
#include "solve/mlcp.h"
#include "solve/stick_pairs.h"

/* Unknowns looked at completely, starts of Lemke's method for larger problems. */
enum { MAX_ENUMERATED = 12, MAX_COVERS = 16 };

/* Unknowns: one per row, and a second one of each slip that may stick. */
static int most(const pw_system *sys) {
  int m = sys->nr + 1;
  for (int i = 0; i < sys->ni; i++) {
    m += pw_is_coulomb(&sys->law[i]) && !pw_in_plane(&sys->law[i]);
  }
  return m;
}

static size_t work_doubles(int m) {
  size_t a = pw_mlcp_doubles(m), b = pw_enumerate_doubles(m < MAX_ENUMERATED ? m : MAX_ENUMERATED);
  return a > b ? a : b;
}

static size_t work_ints(int m) {
  size_t a = pw_mlcp_ints(m), b = pw_enumerate_ints(m < MAX_ENUMERATED ? m : MAX_ENUMERATED);
  return a > b ? a : b;
}

void pw_coulomb_lay_out(pw_coulomb *p, const pw_system *sys, pw_layout *l) {
  size_t rows = (size_t)sys->nr + 1;
  p->n = sys->nv;
  if (!sys->oblique) {
    return;
  }
  p->B = PW_LAY(l, (size_t)sys->nv * rows, double);
  p->mu = PW_LAY(l, rows, double);
  p->normal = PW_LAY(l, rows, int);
}

void pw_coulomb_lay_out_work(pw_coulomb *p, const pw_system *sys, pw_layout *l) {
  int m = most(sys);
  if (!sys->oblique) {
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

static int assemble(pw_coulomb *p, int k, const double *A, const double *z, const double *lo,
                    const double *hi) {
  const pw_stick_rows rows = {.n = p->n,
                              .k = k,
                              .A = A,
                              .B = p->B,
                              .z = z,
                              .lo = lo,
                              .hi = hi,
                              .mu = p->mu,
                              .normal = p->normal};
  int m = pw_stick_unknowns(k, p->normal);
  pw_stick_assemble(&rows, m, p->D, p->b, p->lo, p->hi);
  return m;
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

pw_outcome pw_coulomb_solve(pw_coulomb *p, int k, const double *A, const double *z, double *lo,
                            double *hi, double *x) {
  int m = assemble(p, k, A, z, lo, hi);
  const pw_box_lcp lcp = {.m = m, .D = p->D, .b = p->b, .lo = p->lo, .hi = p->hi};
  p->several = p->complete = false;
  p->count = 0;
  if (m <= MAX_ENUMERATED) {
    return list(p, &lcp, k, lo, hi, x);
  }
  return reach(p, &lcp, k, lo, hi, x);
}
