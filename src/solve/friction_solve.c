// SPDX-License-Identifier: MIT
#include "solve/friction_solve.h"

#include <math.h>
#include <string.h>

#include "base/real.h"
#include "base/strip.h"
#include "law/scale_solve.h"
#include "solve/cone_point.h"
#include "solve/friction_factor.h"
#include "solve/nsgs.h"
#include "solve/prox_newton.h"

/* The problem in common units, contacts sorted by group. */
typedef struct copy {
  pw_contact *contact;
  double *W, *q, *r, *s; /* s in the order of the caller */
  double *best, *u;      /* 3 nc */
  double *newton;
  int *start, *col;
  int *order, *at; /* nc: caller's contact in place k, and the inverse */
  int *ends;       /* one for each group: place after its last contact */
  int *plan, *work;
} copy;

static void lay_out(copy *c, int nc, size_t blocks, size_t fill, pw_strip *to) {
  size_t n = (size_t)nc;
  c->W = pw_strip_real(to, 9 * blocks);
  c->q = pw_strip_real(to, 3 * n);
  c->r = pw_strip_real(to, 3 * n);
  c->best = pw_strip_real(to, 3 * n);
  c->u = pw_strip_real(to, 3 * n);
  c->s = pw_strip_real(to, n);
  size_t newton = pw_prox_newton_doubles(nc, blocks, fill);
  size_t path = pw_cone_point_doubles(nc, blocks, fill);
  c->newton = pw_strip_real(to, newton > path ? newton : path);
  c->col = pw_strip_whole(to, blocks);
  c->start = pw_strip_whole(to, n + 1);
  c->order = pw_strip_whole(to, n);
  c->at = pw_strip_whole(to, n);
  c->ends = pw_strip_whole(to, n);
  c->plan = pw_strip_whole(to, pw_block_plan_ints(nc, fill));
  c->work = pw_strip_whole(to, fill > 0 ? pw_block_work_ints(nc, blocks) : 0);
}

size_t pw_friction_solve_doubles(int nc, size_t blocks, size_t fill) {
  copy c;
  pw_strip to = {0};
  lay_out(&c, nc, blocks, fill, &to);
  return to.n_real;
}

size_t pw_friction_solve_ints(int nc, size_t blocks, size_t fill) {
  copy c;
  pw_strip to = {0};
  lay_out(&c, nc, blocks, fill, &to);
  return to.n_whole;
}

size_t pw_friction_fill_ints(int nc, size_t blocks) {
  return 2 * (size_t)nc + pw_block_work_ints(nc, blocks);
}

size_t pw_friction_fill(const pw_friction *p, int *whole) {
  pw_block_plan plan;
  return (size_t)pw_block_order(p, &plan, whole, whole + 2 * (size_t)p->nc);
}

/* ---- groups ---- */

static int root_of(int *parent, int i) {
  while (parent[i] != i) {
    parent[i] = parent[parent[i]];
    i = parent[i];
  }
  return i;
}

/* Sorts contacts by group; groups by their first contact, contacts by index. */
static int find_groups(const pw_friction *p, copy *c) {
  int *parent = c->at, groups = 0, *group = c->plan, *next = c->ends;

  /* union of contacts that share a block */
  for (int i = 0; i < p->nc; i++) {
    parent[i] = i;
  }
  for (int i = 0; i < p->nc; i++) {
    for (int k = p->start[i]; k < p->start[i + 1]; k++) {
      int a = root_of(parent, i), b = root_of(parent, p->col[k]);
      parent[a > b ? a : b] = a > b ? b : a;
    }
  }
  for (int i = 0; i < p->nc; i++) { /* a root is the least of its group */
    int r = root_of(parent, i);
    group[i] = r == i ? groups++ : group[r];
  }

  /* where each group begins, then the contacts in the order of the groups */
  for (int g = 0; g < groups; g++) {
    next[g] = 0;
  }
  for (int i = 0; i < p->nc; i++) {
    next[group[i]]++;
  }
  for (int g = 0, sum = 0; g < groups; g++) {
    int size = next[g];
    next[g] = sum;
    sum += size;
  }
  for (int i = 0; i < p->nc; i++) {
    c->at[i] = next[group[i]]++; /* at the end: the end of each group */
    c->order[c->at[i]] = i;
  }
  return groups;
}

/* ---- units ---- */

/* Columns of a row stay ascending: the order inside a group is that of the caller. */
static void copy_group(const pw_friction *p, copy *c, int from, int to, double unit, int *block) {
  for (int k = from; k < to; k++) {
    int i = c->order[k];
    c->contact[k] = p->contact[i];
    if (c->contact[k].kind == PW_BALL) {
      c->contact[k].bound *= c->s[i] / unit;
    }
    for (int e = p->start[i]; e < p->start[i + 1]; e++, (*block)++) {
      int j = p->col[e];
      double f = 1 / (c->s[i] * c->s[j]);
      c->col[*block] = c->at[j] - from;
      for (int a = 0; a < 9; a++) {
        c->W[9 * (size_t)*block + (size_t)a] = p->W[9 * (size_t)e + (size_t)a] * f;
      }
    }
    for (int a = 0; a < 3; a++) {
      c->q[3 * k + a] = p->q[3 * i + a] / (c->s[i] * unit);
    }
  }
}

/* Row starts of the group, counted from its first block. */
static pw_friction view_group(const pw_friction *p, copy *c, int from, int to, int first) {
  int *start = c->start, sum = 0;
  for (int k = from; k < to; k++) {
    int i = c->order[k];
    start[k - from] = sum;
    sum += p->start[i + 1] - p->start[i];
  }
  start[to - from] = sum;
  return (pw_friction){to - from,      c->contact + from,        start,
                       c->col + first, c->W + 9 * (size_t)first, c->q + 3 * (size_t)from};
}

/* ---- one group ---- */

/* Newton steps near a good start; far from it the central path is shorter. */
static const int soon = 15;

typedef struct attempt {
  const pw_friction *p;
  double *r, *best, *u;
  double least; /* residual of best */
  double tol;
} attempt;

static bool judge(attempt *a, double residual) {
  if (residual < a->least || isnan(a->least)) {
    a->least = residual;
    memcpy(a->best, a->r, 3 * (size_t)a->p->nc * sizeof *a->r);
  }
  return a->least <= a->tol;
}

/* Sweeps until the residual is below tol or they are used up. */
static bool sweep(attempt *a, int most, int *total) {
  for (int done = 0; done < most;) {
    pw_nsgs_info nsgs;
    int chunk = most - done < 5 ? most - done : 5;
    pw_outcome outcome = pw_nsgs(a->p, &(pw_nsgs_opts){.sweeps = chunk}, a->r, &nsgs);
    done += chunk;
    *total += nsgs.sweeps;
    if (outcome == PW_BREAKDOWN) {
      memcpy(a->r, a->best, 3 * (size_t)a->p->nc * sizeof *a->r);
      return false;
    }
    if (judge(a, pw_natural_map(a->p, a->r, a->u))) {
      return true;
    }
  }
  return false;
}

/* Newton's method from the force of the attempt. The next method goes on where this one ends, not
 * at the best force so far: that may be where it has stalled before. */
static bool refine(attempt *a, copy *c, const pw_block_plan *plan, pw_prox_newton_opts o,
                   int *newton) {
  pw_prox_newton_info pn;
  o.tol = a->tol;
  pw_prox_newton(a->p, plan, &o, a->r, c->newton, &pn);
  *newton += pn.newton;
  return judge(a, pn.residual);
}

/* With slips held, to a new start of the others. */
static bool wander(attempt *a, copy *c, const pw_block_plan *plan, int *newton) {
  enum { CENTRES = 20 };
  pw_prox_newton_opts o = {.alpha = PW_SCALE(PROX_HELD), .outer = CENTRES, .held = true};
  return refine(a, c, plan, o, newton);
}

/* The central path, and Newton's method from its end. */
static bool follow_path(attempt *a, copy *c, const pw_block_plan *plan, int *newton) {
  pw_cone_point_info path;
  if (!pw_cone_point_takes(a->p)) {
    return false;
  }
  pw_cone_point(a->p, plan, a->tol, a->r, c->newton, &path);
  *newton += path.steps;
  if (judge(a, path.residual)) {
    return true;
  }
  pw_prox_newton_opts o = {.alpha = PW_SCALE(PROX_NEAR), .outer = 8, .inner = 10, .most = 2 * soon};
  return refine(a, c, plan, o, newton);
}

/* The order of elimination; false if there is no room for its fill. */
static bool make_plan(const pw_friction *p, copy *c, size_t fill, pw_block_plan *plan) {
  if (fill == 0 || (size_t)pw_block_order(p, plan, c->plan, c->work) > fill) {
    return false;
  }
  pw_block_lists(p, plan, c->plan, c->work);
  return true;
}

static void solve_group(attempt *a, copy *c, const pw_friction_opts *opts, pw_friction_info *info) {
  const pw_friction *p = a->p;
  int rounds = opts->rounds > 0 ? opts->rounds : 12, sweeps = opts->sweeps > 0 ? opts->sweeps : 20;
  int total = 0, newton = 0, round = 0;
  pw_block_plan plan;
  bool done = judge(a, pw_natural_map(p, a->r, a->u)), room = true;
  for (; round < rounds && !done; round++) {
    done = sweep(a, round == 0 ? sweeps : 50, &total);
    if (done || p->nc == 1) {
      continue;
    }
    room = room && (round > 0 || make_plan(p, c, opts->fill, &plan));
    if (room) {
      pw_newton_map map = round % 2 == 0 ? PW_MAP_NATURAL : PW_MAP_ALART;
      int most = opts->path && round == 0 ? soon : opts->newton;
      bool far = opts->path && round == 0 && a->least > PW_SCALE(PROX_NEAR);
      done =
          (!far && refine(a, c, &plan, (pw_prox_newton_opts){.map = map, .most = most}, &newton)) ||
          (round == (opts->path ? 0 : 3) && follow_path(a, c, &plan, &newton)) ||
          (round + 1 < rounds && wander(a, c, &plan, &newton));
    } else {
      memcpy(a->r, a->best, 3 * (size_t)p->nc * sizeof *a->r);
    }
  }

  if (done || a->least < (double)INFINITY) {
    memcpy(a->r, a->best, 3 * (size_t)p->nc * sizeof *a->r);
  }
  info->sweeps = total > info->sweeps ? total : info->sweeps;
  info->newton = newton > info->newton ? newton : info->newton;
  info->rounds = round > info->rounds ? round : info->rounds;
}

/* ---- all of them ---- */

static void solve_groups(const pw_friction *p, copy *c, const pw_friction_opts *opts, double tol,
                         double unit, pw_friction_info *info) {
  int block = 0;
  for (int g = 0, from = 0; g < info->groups; from = c->ends[g++]) {
    int to = c->ends[g], first = block;
    copy_group(p, c, from, to, unit, &block);
    pw_friction part = view_group(p, c, from, to, first);
    attempt a = {&part, c->r + 3 * (size_t)from, c->best, c->u, (double)NAN, tol};
    solve_group(&a, c, opts, info);
  }
}

pw_outcome pw_friction_solve(const pw_friction *p, const pw_friction_opts *opts, double *r,
                             const pw_friction_memory *memory, pw_friction_info *info) {
  double tol = opts->tol > 0 ? opts->tol : PW_SCALE(ITERATED);
  *info = (pw_friction_info){.check.residual = (double)NAN};
  if (!pw_friction_well_posed(p)) {
    return PW_BREAKDOWN;
  }
  copy c = {.contact = memory->contact};
  size_t blocks = p->nc > 0 ? (size_t)p->start[p->nc] : 0;
  lay_out(&c, p->nc, blocks, opts->fill, &(pw_strip){.real = memory->real, .whole = memory->whole});

  /* A warm start, or r = 0; it may already be good enough. */
  if (!opts->warm) {
    memset(r, 0, 3 * (size_t)p->nc * sizeof *r);
  }
  pw_friction_residual(p, r, c.newton, &info->check);
  double unit = info->check.scale > 0 ? info->check.scale : 1;

  /* Groups do not act on each other; in units s_i their blocks have mean diagonal 1. */
  if (!(info->check.residual <= tol)) {
    pw_friction_scale(p, c.s);
    info->groups = find_groups(p, &c);
    for (int k = 0; k < 3 * p->nc; k++) {
      c.r[k] = r[3 * c.order[k / 3] + k % 3] * c.s[c.order[k / 3]] / unit;
    }
    solve_groups(p, &c, opts, PW_SCALE(GROUP_TOL) * tol, unit, info);
    for (int k = 0; k < 3 * p->nc; k++) {
      r[3 * c.order[k / 3] + k % 3] = c.r[k] * unit / c.s[c.order[k / 3]];
    }
    pw_friction_residual(p, r, c.newton, &info->check);
  }

  /* Only the residual of the whole decides. */
  if (!isfinite(info->check.residual)) {
    return PW_BREAKDOWN;
  }
  return info->check.residual <= tol ? PW_SOLVED : PW_MAX_ITER;
}
