// SPDX-License-Identifier: MIT
/* A convex program where there is one (Glocker 1998, (4.13), (10.5)); all solutions of the
 * complementarity problem where there is none: friction on contacts, velocities before the
 * instant. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "law/scale_static.h"
#include "linalg/dense.h"
#include "solve/box_min.h"
#include "solve/box_qp.h"
#include "solve/box_range.h"
#include "solve/enumerate.h"
#include "solve/mlcp.h"
#include "solve/stick_pairs.h"
#include "static/gauss_problem.h"

enum { MOST_ENUMERATED = 20, MOST_LISTED = 64 };
static const int64_t leaf_budget = INT64_C(1) << 18;

static pw_arena *arena_of(const pw_static_problem *p) {
  return &p->g->arena;
}

static const double *column(const pw_static_problem *p, const double *M, int j) {
  return M + (size_t)j * (size_t)p->g->f.n;
}

void pw_static_evaluate(pw_static_problem *p) {
  int n = p->g->f.n;
  double *moved = PW_TAKE(arena_of(p), n + 1, double);
  pw_gemv(p->B, n, p->k, p->x, moved);
  for (int i = 0; i < p->k; i++) {
    p->y[i] = pw_dot(column(p, p->A, i), moved, n) + p->z[i];
  }
}

static pw_box_qp box_of(const pw_static_problem *p) {
  return (pw_box_qp){.n = p->g->f.n,
                     .m = p->k,
                     .A = p->A,
                     .c = PW_TAKE(arena_of(p), p->g->f.n + 1, double),
                     .z = p->z,
                     .lo = p->lo,
                     .hi = p->hi};
}

/* ---- the convex program ---- */

static pw_static_answer solve_convex(pw_static_problem *p, pw_static_found found, void *payload) {
  pw_box_qp qp = box_of(p);
  pw_box_info info;
  double *real = PW_TAKE(arena_of(p), pw_box_qp_doubles(qp.n, qp.m), double);
  int *whole = PW_TAKE(arena_of(p), pw_box_qp_ints(qp.m), int);
  pw_outcome o = pw_box_qp_solve(&qp, p->x, p->y, NULL, real, whole, &info);
  if (o == PW_SOLVED) {
    found(payload, p);
  }
  int row = o == PW_INFEASIBLE && info.row >= 0 ? p->row[info.row] : -1;
  return (pw_static_answer){o, o == PW_SOLVED || o == PW_INFEASIBLE, row};
}

/* ---- the complementarity problem ---- */

typedef struct lcp {
  int m;
  double *D, *b, *lo, *hi;
  double *K; /* n x m: directions of the forces */
} lcp;

static lcp assemble(const pw_static_problem *p) {
  pw_arena *arena = arena_of(p);
  lcp l = {.m = pw_stick_unknowns(p->k, p->normal)};
  size_t m = (size_t)l.m;
  l.D = PW_TAKE(arena, m * m + 1, double);
  l.K = PW_TAKE(arena, m * (size_t)p->g->f.n + 1, double);
  l.b = PW_TAKE(arena, m + 1, double);
  l.lo = PW_TAKE(arena, m + 1, double);
  l.hi = PW_TAKE(arena, m + 1, double);

  const pw_stick_rows rows = {.n = p->g->f.n,
                              .k = p->k,
                              .A = p->A,
                              .B = p->B,
                              .z = p->z,
                              .lo = p->lo,
                              .hi = p->hi,
                              .mu = p->mu,
                              .normal = p->normal,
                              .reversed = p->reversed};
  pw_stick_assemble(&rows, l.m, l.D, l.b, l.lo, l.hi);
  pw_stick_columns(&rows, l.m, l.K);
  return l;
}

static void hand_over(pw_static_problem *p, const double *v, pw_static_found found, void *payload) {
  pw_stick_result(p->k, p->mu, p->normal, v, p->lo, p->hi, p->x);
  pw_static_evaluate(p);
  found(payload, p);
}

static pw_static_answer list_all(pw_static_problem *p, const lcp *l, const pw_box_lcp *box,
                                 pw_static_found found, void *payload) {
  size_t m = (size_t)l->m + 1;
  pw_branches out = {.capacity = MOST_LISTED};
  out.branch = PW_TAKE(arena_of(p), MOST_LISTED, pw_branch);
  out.x = PW_TAKE(arena_of(p), m * MOST_LISTED, double);
  out.y = PW_TAKE(arena_of(p), m * MOST_LISTED, double);
  out.piece = PW_TAKE(arena_of(p), m * MOST_LISTED, int);
  double *real = PW_TAKE(arena_of(p), pw_enumerate_doubles(l->m), double);
  int *whole = PW_TAKE(arena_of(p), pw_enumerate_ints(l->m), int);
  pw_enumerate_opts opts = {.K = l->K, .k = p->g->f.n, .budget = leaf_budget};
  pw_enumerate_info info;
  pw_outcome o = pw_enumerate(box, &opts, &out, real, whole, &info);
  for (int i = 0; i < out.count; i++) {
    hand_over(p, out.x + (size_t)i * (size_t)l->m, found, payload);
  }
  return (pw_static_answer){o, info.complete && !out.overflow && o != PW_BREAKDOWN, -1};
}

static pw_static_answer solve_coupled(pw_static_problem *p, pw_static_found found, void *payload) {
  lcp l = assemble(p);
  const pw_box_lcp box = {.m = l.m, .D = l.D, .b = l.b, .lo = l.lo, .hi = l.hi};
  if (l.m <= MOST_ENUMERATED) {
    return list_all(p, &l, &box, found, payload);
  }
  double *v = PW_TAKE(arena_of(p), l.m, double);
  double *real = PW_TAKE(arena_of(p), pw_mlcp_doubles(l.m), double);
  int *whole = PW_TAKE(arena_of(p), pw_mlcp_ints(l.m), int);
  pw_mlcp_info info;
  pw_outcome o = pw_mlcp_solve(&box, NULL, v, real, whole, &info);
  if (o == PW_SOLVED) {
    hand_over(p, v, found, payload);
  }
  return (pw_static_answer){o == PW_SOLVED ? o : PW_MAX_ITER, false, -1};
}

pw_static_answer pw_static_solve(pw_static_problem *p, pw_static_found found, void *payload) {
  if (p->disks) {
    return pw_static_solve_disks(p, found, payload);
  }
  bool convex = !p->coupled && !p->any_reversed;
  return convex ? solve_convex(p, found, payload) : solve_coupled(p, found, payload);
}

/* ---- uniqueness ---- */

/* Rows that stick have the bounds of any normal force here. */
static void widen(const pw_static_problem *p, pw_box_qp *qp) {
  double *lo = PW_TAKE(arena_of(p), p->k + 1, double), *hi = PW_TAKE(arena_of(p), p->k + 1, double);
  for (int i = 0; i < p->k; i++) {
    bool sticks = p->normal[i] >= 0; /* disks keep the box around them */
    lo[i] = sticks ? -INFINITY : p->lo[i];
    hi[i] = sticks ? INFINITY : p->hi[i];
  }
  qp->lo = lo;
  qp->hi = hi;
  qp->A = p->B;
}

bool pw_static_ranges(pw_static_problem *p, double *least, double *largest) {
  pw_box_qp qp = box_of(p);
  double tiny = PW_SCALE(NEGLIGIBLE) * p->g->scale;
  double *kept = PW_TAKE(arena_of(p), qp.m + 1, double);
  memcpy(kept, p->x, (size_t)qp.m * sizeof *kept);
  if (p->coupled && !p->disks && !p->any_reversed) {
    if (pw_static_least(p, tiny, least, largest)) {
      pw_static_rays(p, tiny, least, largest);
      return true;
    }
    memcpy(p->x, kept, (size_t)qp.m * sizeof *kept);
  }
  if (p->coupled || p->disks) {
    widen(p, &qp);
  } else {
    pw_box_min_info info;
    double *work = PW_TAKE(arena_of(p), pw_box_min_doubles(qp.n, qp.m), double);
    int *ints = PW_TAKE(arena_of(p), pw_box_min_ints(qp.n, qp.m), int);
    if (pw_box_min(&qp, p->y, tiny, p->x, work, ints, &info) == PW_BREAKDOWN) {
      memcpy(p->x, kept, (size_t)qp.m * sizeof *kept);
    }
  }
  double *real = PW_TAKE(arena_of(p), pw_box_range_doubles(qp.n, qp.m), double);
  int *whole = PW_TAKE(arena_of(p), pw_box_range_ints(qp.m), int);
  (void)pw_box_range(&qp, p->x, p->y, tiny, least, largest, real, whole);
  return !p->coupled && !p->disks;
}
