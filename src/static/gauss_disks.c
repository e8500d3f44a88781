// SPDX-License-Identifier: MIT
/* Gauss' problem with slips in a plane or in space that may stick: forces in disks and balls, no
 * polygons. With given bounds the program is convex and the accelerations are unique; with normal
 * forces one solution is found, or all of them if there is a single contact. Several frictions on
 * one contact, as slip, roll and spin, have given bounds in turn, until their contact has the force
 * that gives these. Before the instant slips are reversed, which is solved for a single disk. */
#include <math.h>
#include <string.h>

#include "law/scale_solve.h"
#include "law/scale_static.h"
#include "linalg/dense.h"
#include "solve/contact_exact.h"
#include "solve/friction_solve.h"
#include "static/gauss_problem.h"

enum { LOAD_PASSES = 60 };

typedef struct packed {
  int nc, rows;
  pw_contact *contact; /* nc */
  int *first;          /* nc: unknown that it begins with */
  int *on;       /* nc: unknown of the contact that bounds this friction, not solved with it */
  bool several;  /* there are such */
  int *at;       /* rows: unknowns in order of the contacts */
  double *shift; /* rows: the middle of a box, or its finite end */
  double *W, *q; /* rows x rows, rows: in forces, not scaled */
} packed;

static pw_arena *arena_of(const pw_static_problem *p) {
  return &p->g->arena;
}

static double length_of(const pw_static_problem *p, int k) {
  return p->g->f.length[p->row[k]];
}

static bool is_disk(const pw_static_problem *p, int k) {
  const pw_static_row *r = &p->g->row[p->row[k]];
  return r->plane >= 0 && r->sign.at_kink;
}

static bool leads_disk(const pw_static_problem *p, int k) {
  return is_disk(p, k) && p->g->row[p->row[k]].plane == p->row[k];
}

/* Rows of the disk or ball that unknown k leads; of others 1. */
static int width_of(const pw_static_problem *p, int k) {
  return leads_disk(p, k) ? p->g->row[p->row[k]].law.form->width : 1;
}

/* All rows of a disk take part: not if the gradient of one vanishes. */
static bool is_whole(const pw_static_problem *p, int k) {
  bool whole = true;
  for (int i = 1; i < width_of(p, k); i++) {
    whole = whole && k + i < p->k && p->row[k + i] == p->row[k] + i;
  }
  return whole;
}

/* The friction that rests on unknown k as its contact; -1: none, -2: several. */
static int friction_on(const pw_static_problem *p, int k) {
  int found = -1;
  for (int i = 0; i < p->k; i++) {
    if (p->normal[i] == k && (!is_disk(p, i) || leads_disk(p, i))) {
      found = found == -1 ? i : -2;
    }
  }
  return found;
}

static void add(packed *c, pw_contact contact, int first) {
  c->on[c->nc] = -1;
  c->contact[c->nc] = contact;
  c->first[c->nc++] = first;
}

static void add_row(packed *c, int k, double shift) {
  c->at[c->rows] = k;
  c->shift[c->rows++] = shift;
}

static void add_slips(const pw_static_problem *p, packed *c, int k) {
  for (int i = 0; i < width_of(p, k); i++) {
    add_row(c, k + i, 0);
  }
}

/* A law by itself: a line, a half line or an interval. False: bounds of another kind. */
static bool add_single(const pw_static_problem *p, packed *c, int k) {
  double len = length_of(p, k), lo = p->lo[k] / len, hi = p->hi[k] / len;
  bool line = isinf(lo) && isinf(hi), half = isfinite(lo) && isinf(hi);
  double middle = line ? 0 : half ? lo : (lo + hi) / 2;
  if (!isfinite(middle)) {
    return false;
  }
  pw_contact contact = {.kind = half ? PW_CONTACT : PW_BALL, .dim = 1};
  contact.bound = line ? INFINITY : half ? 0 : (hi - lo) / 2;
  add(c, contact, k);
  add_row(c, k, middle);
  return true;
}

/* All frictions on contact k, without bounds yet. False: one has not all its rows. */
static bool add_several(const pw_static_problem *p, packed *c, int k) {
  for (int i = 0; i < p->k; i++) {
    if (p->normal[i] != k || (is_disk(p, i) && !leads_disk(p, i))) {
      continue;
    }
    if (!is_whole(p, i)) {
      return false;
    }
    add(c, (pw_contact){PW_BALL, width_of(p, i), 0}, i);
    c->on[c->nc - 1] = k;
    add_slips(p, c, i);
  }
  c->several = true;
  return true;
}

static bool pack_contacts(const pw_static_problem *p, packed *c) {
  for (int k = 0; k < p->k; k++) {
    if (p->normal[k] >= 0 || (is_disk(p, k) && !leads_disk(p, k))) {
      continue; /* comes with its contact, or with the first row */
    }
    int t = friction_on(p, k);
    if (!is_whole(p, k) || (t >= 0 && !is_whole(p, t))) {
      return false;
    }
    if (leads_disk(p, k)) {
      add(c, (pw_contact){PW_BALL, width_of(p, k), p->hi[k] / length_of(p, k)}, k);
      add_slips(p, c, k);
    } else if (t == -2 || (t >= 0 && width_of(p, t) > 2)) { /* no cone over a ball */
      if (!add_single(p, c, k) || !add_several(p, c, k)) {
        return false;
      }
    } else if (t >= 0) {
      double mu = p->mu[t] * length_of(p, k) / length_of(p, t);
      add(c, (pw_contact){PW_CONTACT, 1 + width_of(p, t), mu}, k);
      add_row(c, k, 0);
      add_slips(p, c, t);
    } else if (!add_single(p, c, k)) {
      return false;
    }
  }
  return true;
}

/* W = J M^-1 Phi and q = accelerations of the rows with the forces `shift`. */
static void pack_numbers(const pw_static_problem *p, packed *c) {
  int n = p->g->f.n;
  for (int i = 0; i < c->rows; i++) {
    int k = c->at[i];
    c->q[i] = p->z[k] * length_of(p, k);
    for (int j = 0; j < c->rows; j++) {
      int l = c->at[j];
      double w = pw_dot(p->A + (size_t)k * (size_t)n, p->B + (size_t)l * (size_t)n, n);
      c->W[(size_t)j * (size_t)c->rows + (size_t)i] = w * length_of(p, k) * length_of(p, l);
    }
  }
  for (int j = 0; j < c->rows; j++) {
    pw_axpy(c->shift[j], c->W + (size_t)j * (size_t)c->rows, c->q, c->rows);
  }
}

static packed take_memory(const pw_static_problem *p) {
  pw_arena *arena = arena_of(p);
  size_t k = (size_t)p->k + 1;
  return (packed){.contact = PW_TAKE(arena, k, pw_contact),
                  .first = PW_TAKE(arena, k, int),
                  .on = PW_TAKE(arena, k, int),
                  .at = PW_TAKE(arena, k, int),
                  .shift = PW_TAKE(arena, k, double),
                  .W = PW_TAKE(arena, k * k, double),
                  .q = PW_TAKE(arena, k, double)};
}

static void hand_over(pw_static_problem *p, const packed *c, const double *r, pw_static_found found,
                      void *payload) {
  for (int i = 0; i < c->rows; i++) {
    p->x[c->at[i]] = (r[i] + c->shift[i]) * length_of(p, c->at[i]);
  }
  for (int k = 0; k < p->k; k++) {
    if (p->normal[k] >= 0) {
      p->hi[k] = p->mu[k] * p->x[p->normal[k]];
      p->lo[k] = -p->hi[k];
    }
  }
  pw_static_evaluate(p);
  found(payload, p);
}

/* ---- after the instant ---- */

static pw_friction friction_of(pw_arena *arena, const packed *c) {
  int blocks = pw_friction_blocks(c->contact, c->nc, c->W);
  int *start = PW_TAKE(arena, c->nc + 1, int), *col = PW_TAKE(arena, blocks, int);
  double *W = PW_TAKE(arena, 9 * blocks, double), *q = PW_TAKE(arena, 3 * c->nc, double);
  pw_friction_pack(c->contact, c->nc, c->W, start, col, W);
  pw_friction_spread(c->contact, c->nc, c->q, q);
  return (pw_friction){
      .nc = c->nc, .contact = c->contact, .start = start, .col = col, .W = W, .q = q};
}

static pw_static_answer solve_exact(pw_static_problem *p, const packed *c, const pw_friction *f,
                                    pw_static_found found, void *payload) {
  pw_contact_solution all[PW_EXACT_MOST];
  int n = pw_contact_exact(&c->contact[0], f->W, f->q, all);
  for (int i = 0; i < n; i++) {
    hand_over(p, c, all[i].r, found, payload);
  }
  return (pw_static_answer){n > 0 ? PW_SOLVED : PW_INFEASIBLE, true, -1};
}

/* Bounds of frictions by the forces r of their contacts; whether one has changed. */
static bool take_loads(const pw_static_problem *p, packed *c, const double *r) {
  bool changed = false;
  for (int i = 0; i < c->nc; i++) {
    int k = c->first[i];
    for (int j = 0; j < c->rows && c->on[i] >= 0; j++) {
      if (c->at[j] == c->on[i]) {
        double normal = (r[j] + c->shift[j]) * length_of(p, c->on[i]);
        double bound = fmax(p->mu[k] * normal, 0) / length_of(p, k), was = c->contact[i].bound;
        changed = changed || fabs(bound - was) > PW_SCALE(DISK_TOL) * fmax(bound, was);
        c->contact[i].bound = bound;
      }
    }
  }
  return changed;
}

static pw_outcome solve_once(const pw_static_problem *p, const packed *c, double *r) {
  pw_arena *arena = arena_of(p);
  pw_friction f = friction_of(arena, c);
  size_t blocks = (size_t)f.start[f.nc], fill = (size_t)f.nc * (size_t)(f.nc - 1) / 2;
  const pw_friction_memory memory = {
      .contact = PW_TAKE(arena, f.nc, pw_contact),
      .real = PW_TAKE(arena, pw_friction_solve_doubles(f.nc, blocks, fill), double),
      .whole = PW_TAKE(arena, pw_friction_solve_ints(f.nc, blocks, fill), int)};
  const pw_friction_opts opts = {.tol = PW_SCALE(DISK_TOL), .fill = fill};
  pw_friction_info info;
  double *r3 = PW_TAKE(arena, 3 * f.nc, double);
  pw_outcome o = pw_friction_solve(&f, &opts, r3, &memory, &info);
  if (o == PW_MAX_ITER && info.check.residual <= PW_SCALE(LCP_SOLVED)) {
    o = PW_SOLVED;
  }
  pw_friction_gather(c->contact, c->nc, r3, r);
  return o;
}

static pw_static_answer solve_right(pw_static_problem *p, packed *c, pw_static_found found,
                                    void *payload) {
  if (c->nc == 1 && c->contact[0].kind == PW_CONTACT) {
    pw_friction f = friction_of(arena_of(p), c);
    return solve_exact(p, c, &f, found, payload);
  }
  double *r = PW_TAKE(arena_of(p), c->rows + 1, double);
  pw_outcome o = solve_once(p, c, r);
  int pass = 0;
  while (o == PW_SOLVED && take_loads(p, c, r) && pass++ < LOAD_PASSES) {
    o = solve_once(p, c, r);
  }
  if (pass > LOAD_PASSES) {
    o = PW_MAX_ITER;
  }
  if (o == PW_SOLVED) {
    hand_over(p, c, r, found, payload);
  }
  return (pw_static_answer){o, o == PW_SOLVED && !p->coupled, -1};
}

/* ---- before the instant ---- */

/* A single disk: it stuck, y = 0, or slid with force R e, e = y/|y|, since slips were -y then:
 * cross(e, W R e + q) = 0 with (W R e + q).e > 0. */
static pw_static_answer solve_left(pw_static_problem *p, const packed *c, pw_static_found found,
                                   void *payload) {
  if (c->nc != 1 || c->contact[0].kind != PW_BALL || c->contact[0].dim != 2) {
    return (pw_static_answer){PW_MAX_ITER, false, -1};
  }
  const double *W = c->W, *q = c->q;
  double R = c->contact[0].bound, angle[PW_CIRCLE_MOST], det = W[0] * W[3] - W[1] * W[2];
  double rest[2] = {(-W[3] * q[0] + W[2] * q[1]) / det, (W[1] * q[0] - W[0] * q[1]) / det};
  if (hypot(rest[0], rest[1]) <= R * (1 + PW_SCALE(DISK_EDGE))) {
    hand_over(p, c, rest, found, payload);
  }
  const double k[5] = {q[1], -q[0], R * W[1], R * (W[3] - W[0]), -R * W[2]};
  if (R == 0 || (hypot(q[0], q[1]) == 0 && W[1] == W[2] && W[0] == W[3])) {
    return (pw_static_answer){PW_MAX_ITER, R == 0, -1}; /* from all directions */
  }
  int n = pw_circle_roots(k, angle);
  for (int i = 0; i < n; i++) {
    double e[2] = {cos(angle[i]), sin(angle[i])}, r[2] = {R * e[0], R * e[1]};
    double along =
        (W[0] * r[0] + W[2] * r[1] + q[0]) * e[0] + (W[1] * r[0] + W[3] * r[1] + q[1]) * e[1];
    if (along > 0) {
      hand_over(p, c, r, found, payload);
    }
  }
  return (pw_static_answer){PW_SOLVED, true, -1};
}

pw_static_answer pw_static_solve_disks(pw_static_problem *p, pw_static_found found, void *payload) {
  packed c = take_memory(p);
  if (!pack_contacts(p, &c)) {
    return (pw_static_answer){PW_MAX_ITER, false, -1};
  }
  pack_numbers(p, &c);
  bool left = p->any_reversed;
  return left && c.several ? (pw_static_answer){PW_MAX_ITER, false, -1}
         : left            ? solve_left(p, &c, found, payload)
                           : solve_right(p, &c, found, payload);
}
