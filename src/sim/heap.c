// SPDX-License-Identifier: MIT
/* The step of a pile as a whole: forces and rows of the midpoint, percussions, positions put back,
 * stepping (T1), (T2), (T6), (T7). */
#include "sim/heap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "law/scale_scene.h"
#include "linalg/chol.h"
#include "linalg/dense.h"
#include "sim/surface.h"

enum { MOST_THREADS = 64, LOOKS = 2, PASSES = 20, PROJECTIONS = 16, RETURNS = 8 };

/* ---- memory ---- */

/* Contact points that are remembered: a body in space has six neighbours, of which it shares each,
 * with up to eight points. */
static int most_points(const pw_scene *s) {
  int dim = s->n_shape > 0 ? s->shape[0].solid->dim : 2;
  return (dim == 2 ? 16 : 32) * s->n_shape + 64;
}

void pw_heap_lay_out(pw_heap *x, const pw_system *sys, pw_layout *l) {
  const pw_scene *s = sys->scene;
  int n = s->n_shape, most = most_points(s);
  x->scene = s;
  x->most = most;

  /* Geometry: corners, margins, what is rigid, and the order in which neighbours are found. */
  x->corners = pw_layout_take(l, pw_scene_corners(s) + 1, sizeof *x->corners);
  x->margin = PW_LAY(l, n, double);
  x->rigid = PW_LAY(l, n, int);
  x->near.order = PW_LAY(l, n, int);

  /* The tape that places the shapes, and one block of the mass matrix for each part. */
  x->in = PW_LAY(l, sys->n_in, double);
  x->reg = PW_LAY(l, pw_tape_registers(s->tape), double);
  x->out = PW_LAY(l, pw_tape_outputs(s->tape), double);
  x->mass = PW_LAY(l, pw_scene_masses(s), double);
  x->mass_at = PW_LAY(l, s->n_part, size_t);

  /* States, velocities and energies of one step. */
  struct {
    double **array;
    int n;
  } parts[] = {{&x->u1, sys->nv},
               {&x->v, sys->nv},
               {&x->q1, sys->nq},
               {&x->q_mid, sys->nq},
               {&x->dq, sys->nq},
               {&x->free, sys->nv},
               {&x->du, sys->nv},
               {&x->mean, sys->nv},
               {&x->z_rate, sys->nz},
               {&x->put, sys->nv},
               {&x->length, 1},
               {&x->side, sys->n_sides},
               {&x->last, sys->nq + 2 * sys->nv}};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    *parts[i].array = PW_LAY(l, parts[i].n, double);
  }

  /* What one step hands to the next: contacts and percussions, events, doubt, rest. */
  x->known = PW_LAY(l, most, pw_heap_known);
  x->n_known = PW_LAY(l, 1, int);
  x->log = PW_LAY(l, most, pw_heap_event);
  x->n_log = PW_LAY(l, 1, int);
  x->doubt = PW_LAY(l, 1, pw_heap_doubt);
  x->calm = PW_LAY(l, 1, int);
}

pawl_status pw_heap_init(pw_heap *x, pw_stepper *s, int64_t threads) {
  const pw_scene *sc = x->scene;
  double(*corner)[3] = x->corners;
  size_t at = 0;
  x->s = s;
  pw_tape_prepare(sc->tape, x->reg);
  pawl_status status = pw_heap_make_names(x);
  x->shape = calloc((size_t)sc->n_shape + 1, sizeof *x->shape);
  x->room.first = calloc((size_t)sc->n_part + 2, sizeof *x->room.first);
  x->room.root = calloc((size_t)sc->n_part + 1, sizeof *x->room.root);
  x->room.n_work = threads < 1 ? 1 : threads < MOST_THREADS ? (int)threads : MOST_THREADS;
  x->room.work = calloc((size_t)x->room.n_work, sizeof *x->room.work);
  x->room.lock = x->room.n_work > 1 ? pw_lock_new() : NULL;
  if (x->shape == NULL || x->room.first == NULL || x->room.root == NULL || x->room.work == NULL ||
      (x->room.n_work > 1 && x->room.lock == NULL)) {
    return PAWL_E_MEMORY;
  }
  for (int i = 0; i < sc->n_shape; i++) {
    x->near.order[i] = i;
    x->shape[i].solid = sc->shape[i].solid;
    x->shape[i].corner = corner;
    corner += sc->shape[i].solid->n_corner;
  }
  for (int p = 0; p < sc->n_part; p++) {
    size_t k = (size_t)pw_scene_count(sc, p);
    x->mass_at[p] = at;
    at += k * k;
  }
  return status;
}

void pw_heap_free(pw_heap *x) {
  pw_heap_room *r = &x->room;
  for (int i = 0; i < r->n_work && r->work != NULL; i++) {
    free(r->work[i].copies);
    free(r->work[i].real);
    free(r->work[i].whole);
  }
  pw_lock_free(r->lock);
  void *all[] = {x->shape,   x->near.pair, r->row,   r->slope, r->column, r->list, r->first,
                 r->active,  r->where,     r->start, r->col,   r->W,      r->q,    r->r,
                 r->contact, r->island,    r->root,  r->work,  r->name};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    free(all[i]);
  }
}

/* ---- rows of the step ---- */

static int order_of(const pw_heap_known *k, const pw_heap_row *row) {
  const int a[3] = {k->shape[0], k->shape[1], k->point},
            b[3] = {row->shape[0], row->shape[1], row->point};
  for (int i = 0; i < 3; i++) {
    if (a[i] != b[i]) {
      return a[i] < b[i] ? -1 : 1;
    }
  }
  return 0;
}

static const pw_heap_known *find_known(const pw_heap *x, const pw_heap_row *row) {
  int lo = 0, hi = *x->n_known;
  while (lo < hi) {
    int mid = lo + (hi - lo) / 2;
    if (order_of(&x->known[mid], row) < 0) {
      lo = mid + 1;
    } else {
      hi = mid;
    }
  }
  return lo < *x->n_known && order_of(&x->known[lo], row) == 0 ? &x->known[lo] : NULL;
}

double pw_heap_slow(const pw_heap *x, const pw_heap_row *row, double h) {
  const pw_mech *m = x->s->mech;
  double slow = 0;
  for (int side = 0; side < 2; side++) {
    int p = row->part[side];
    if (p < 0) {
      continue;
    }
    int from = x->scene->part_start[p], n = pw_scene_count(x->scene, p);
    double load = 0;
    for (int k = 0; k < n; k++) {
      int dof = x->scene->part_dof[from + k];
      load += m->mass[dof] * m->a[dof] * m->a[dof];
    }
    slow += 2 * h * pw_norm2(x->room.column + row->at[side], n) * sqrt(load);
  }
  return slow;
}

/* In parts of the size of the smaller shape. */
static double overlap_of(const pw_heap *x, const pw_heap_row *row) {
  double size = fmin(x->shape[row->shape[0]].solid->size, x->shape[row->shape[1]].solid->size);
  size = size > 0 ? size
                  : fmax(x->shape[row->shape[0]].solid->size, x->shape[row->shape[1]].solid->size);
  return size > 0 ? -row->gap / size : -row->gap;
}

/* Rates of the rows, and percussions of the last step as a guess. What the step would violate is
 * active, and what was closed: with no force if it opens. */
static void look_at_rows(pw_heap *x, const pw_rk *rk, const double *u0) {
  const pw_model *m = x->s->mech->sys->model;
  for (int i = 0; i < x->room.n_row; i++) {
    pw_heap_row *row = &x->room.row[i];
    const pw_heap_known *known = find_known(x, row);
    double e = m->piles.items[row->pile].restitution;
    row->closed = known != NULL && known->closed;
    for (int k = 0; k < 3; k++) {
      row->before[k] = row->drift[k] + pw_heap_rate(x, row, k, u0);
      row->free[k] = row->drift[k] + pw_heap_rate(x, row, k, x->free);
      row->kick[k] = known != NULL ? known->force[k] * rk->h : 0;
    }
    row->start = row->gap - rk->h / 2 * (row->drift[0] + pw_heap_rate(x, row, 0, x->v));
    row->active = row->start + rk->h / 2 * (row->before[0] + row->free[0]) < 0 ||
                  (row->closed && overlap_of(x, row) > -PW_SCALE(HEAP_KEPT));
    row->slow = pw_heap_slow(x, row, rk->h);
    row->bounce = row->before[0] < -row->slow ? e * row->before[0] : 0;
    row->free[0] += row->bounce;
  }
}

/* Rows that the step would violate join; true if there are new ones. */
static bool join(pw_heap *x, double h) {
  bool any = false;
  for (int i = 0; i < x->room.n_row; i++) {
    pw_heap_row *row = &x->room.row[i];
    double end = row->drift[0] + pw_heap_rate(x, row, 0, x->u1);
    double gap = row->start + h / 2 * (row->before[0] + end);
    if (!row->active && gap < -PW_SCALE(HEAP_TOUCH) * fabs(end) * h) {
      row->active = true;
      any = true;
    }
  }
  return any;
}

/* Velocities by the percussions of the active rows. */
static pawl_status strike(pw_heap *x, pw_heap_aim aim, double t) {
  pawl_status status = pw_heap_solve(x, aim, t);
  memcpy(x->u1, x->free, (size_t)x->s->nv * sizeof *x->u1);
  if (status == PAWL_OK) {
    pw_heap_push(x, false, x->u1);
  }
  return status;
}

/* Which rows take part is seen by percussions of a few sweeps; then they are solved for. */
static pawl_status find_percussions(pw_heap *x, const pw_rk *rk) {
  pw_heap_aim aim = PW_HEAP_LOOK;
  bool again = true;
  for (int pass = 0; again && pass < PASSES; pass++) {
    pawl_status status = strike(x, aim, rk->t + rk->h);
    if (status != PAWL_OK) {
      return status;
    }
    again = join(x, rk->h);
    x->room.same = !again;
    if (aim == PW_HEAP_LOOK && (!again || pass + 1 == PASSES / 2)) {
      aim = PW_HEAP_KICKS;
      again = again || !x->room.solved;
    }
  }
  return PAWL_OK;
}

/* ---- one round ---- */

static void step_positions(pw_heap *x, const double *q0, double h, double *q) {
  pw_mech_to_q(x->s->mech, x->q_mid, x->v, x->dq);
  for (int k = 0; k < x->s->nq; k++) {
    q[k] = q0[k] + h * x->dq[k];
  }
}

/* Forces at the midpoint of the step without percussions, whose mean velocity is v. With the
 * percussions of smooth motion it differs by a part of the step, and they by its square. */
static pawl_status look_at_middle(pw_heap *x, const pw_rk *rk) {
  pw_stepper *s = x->s;
  const double *u0 = rk->y0 + s->nq;
  pawl_status status = PAWL_OK;
  memcpy(x->q_mid, rk->y0, (size_t)s->nq * sizeof *x->q_mid);
  memcpy(x->v, u0, (size_t)s->nv * sizeof *u0);
  for (int look = 0; look < LOOKS && status == PAWL_OK; look++) {
    step_positions(x, rk->y0, rk->h / 2, x->q_mid);
    if (pw_surface_sides(s, rk->t + rk->h / 2, x->q_mid, x->v, x->side)) {
      pw_surface_take_sides(s, x->side);
    }
    status = pw_mech_rates(s->mech, rk->t + rk->h / 2, x->q_mid, x->v, s->side);
    for (int k = 0; k < s->nv && status == PAWL_OK; k++) {
      x->free[k] = u0[k] + rk->h * s->mech->a[k];
      x->v[k] = look + 1 < LOOKS ? (u0[k] + x->free[k]) / 2 : x->v[k];
    }
  }
  memcpy(x->z_rate, s->mech->z_rate, (size_t)s->mech->sys->nz * sizeof *x->z_rate);
  return status;
}

static pawl_status find_velocities(pw_heap *x, const pw_rk *rk) {
  pw_stepper *s = x->s;
  const double *u0 = rk->y0 + s->nq;
  pawl_status status = pw_heap_factor(x);
  pw_heap_place(x, rk->t + rk->h / 2, x->q_mid);
  pw_heap_widen(x, rk->h, u0, x->free);
  if (status == PAWL_OK) {
    status = pw_heap_find_rows(x);
  }
  if (status != PAWL_OK) {
    return status;
  }
  pw_heap_columns(x);
  look_at_rows(x, rk, u0);
  status = find_percussions(x, rk);
  for (int k = 0; k < s->nv; k++) {
    x->v[k] = (u0[k] + x->u1[k]) / 2;
  }
  return status;
}

/* ---- positions ---- */

static bool has_corners(const pw_heap *x, const pw_heap_row *row) {
  bool any = false;
  for (int i = 0; i < 2; i++) {
    pw_solid_kind kind = x->shape[row->shape[i]].solid->kind;
    any = any || kind == PW_SOLID_POLYGON || kind == PW_SOLID_HULL;
  }
  return any;
}

/* A corner that has come so far from its contact has left it. */
static bool has_left(const pw_heap *x, const pw_heap_row *row, bool fresh) {
  return !fresh && has_corners(x, row) && -overlap_of(x, row) >= PW_SCALE(HEAP_RISEN);
}

/* Rows near enough to be pushed, or that would be crossed where the motion has led, and those that
 * have just closed: all as seen from there. True if some are off. */
static bool take_positions(pw_heap *x, bool pull) {
  static const double reach = 10;
  double worst = 0, deepest = 0, farthest = 0;
  for (int i = 0; i < x->room.n_row; i++) {
    pw_heap_row *row = &x->room.row[i];
    const pw_heap_known *known = pull ? find_known(x, row) : NULL;
    double off = overlap_of(x, row);
    row->pulled = known != NULL && known->closed && !has_left(x, row, known->fresh);
    worst = fmax(worst, row->pulled ? fabs(off) : off);
    deepest = fmax(deepest, row->pulled ? fabs(row->gap) : -row->gap);
  }
  for (int i = 0; i < x->room.n_row; i++) {
    pw_heap_row *row = &x->room.row[i];
    row->free[0] = row->gap - pw_heap_rate(x, row, 0, x->put);
    row->active = fmin(row->gap, row->free[0]) < reach * deepest || row->pulled;
    memset(row->kick, 0, sizeof row->kick);
    farthest = row->active ? fmax(farthest, fabs(row->free[0])) : farthest;
  }
  x->room.finer = farthest > 0 ? fmin(deepest / farthest, 1) : 1;
  return worst > PW_SCALE(HEAP_TOUCH);
}

static bool any_fresh(const pw_heap *x) {
  bool any = false;
  for (int i = 0; i < *x->n_known; i++) {
    any = any || x->known[i].fresh;
  }
  return any;
}

/* A body that turns about a corner rises from it by the square of the step. What still carries a
 * load is put back before that counts as open. */
static bool any_risen(const pw_heap *x) {
  bool any = false;
  for (int i = 0; i < x->room.n_row && !any; i++) {
    const pw_heap_known *known = find_known(x, &x->room.row[i]);
    bool carries =
        known != NULL && known->closed && known->force[0] > 0 && has_corners(x, &x->room.row[i]);
    any = carries && -overlap_of(x, &x->room.row[i]) > PW_SCALE(HEAP_RISES);
  }
  return any;
}

/* Some body is moved farther than anything has moved in the step. Contacts that close together may
 * have rows that nearly depend on each other; a small gap then takes a large turn to close. */
static bool moves_far(const pw_heap *x, double h) {
  const pw_mech *m = x->s->mech;
  double farthest = 0, fastest = 0;
  for (int p = 0; p < x->scene->n_part; p++) {
    double way = 0, speed = 0, load = 0;
    for (int e = x->scene->part_start[p]; e < x->scene->part_start[p + 1]; e++) {
      int k = x->scene->part_dof[e];
      way += m->mass[k] * x->put[k] * x->put[k];
      speed += m->mass[k] * x->v[k] * x->v[k];
      load += m->mass[k] * m->a[k] * m->a[k];
    }
    farthest = fmax(farthest, sqrt(way));
    fastest = fmax(fastest, sqrt(speed) + h * sqrt(load));
  }
  return farthest > h * fastest;
}

/* stepping (T7): the least motion in the metric of the mass matrix that opens what overlaps,
 * counted from where the mean velocity has led: what one try has pushed too far, the next one lets
 * back. */
static pawl_status put_back(pw_heap *x, double t, double h, bool *moved) {
  pw_stepper *s = x->s;
  bool pull = any_fresh(x);
  *moved = false;
  memset(x->put, 0, (size_t)s->nv * sizeof *x->put);
  for (int k = 0; k < PROJECTIONS; k++) {
    if (k >= RETURNS) {
      memset(x->put, 0, (size_t)s->nv * sizeof *x->put);
    }
    pw_heap_place(x, t, x->q1);
    pw_heap_widen(x, pull ? h : 0, x->v, x->v);
    for (int i = 0; i < x->scene->n_shape; i++) {
      x->margin[i] += PW_SCALE(HEAP_NEAR) * x->shape[i].solid->size;
    }
    pawl_status status = pw_heap_find_rows(x);
    pull = pull || (k == 0 && status == PAWL_OK && any_risen(x));
    if (status != PAWL_OK || !take_positions(x, pull)) {
      return status;
    }
    pw_heap_columns(x);
    status = pw_heap_solve(x, PW_HEAP_PLACES, t);
    if (status == PAWL_E_STEP && pull) { /* not all of them can be put on their contacts at once */
      pull = false;
      continue;
    }
    if (status != PAWL_OK) {
      return status;
    }
    for (int i = 0; i < s->nv; i++) {
      x->free[i] = -x->put[i];
      x->put[i] = 0;
    }
    pw_heap_push(x, true, x->put);
    if (pull && moves_far(x, h)) { /* back, and only what overlaps is opened */
      pull = false;
      memset(x->put, 0, (size_t)s->nv * sizeof *x->put);
    }
    pw_axpy(1, x->put, x->free, s->nv);
    pw_mech_to_q(s->mech, x->q1, x->free, x->dq);
    pw_axpy(1, x->dq, x->q1, s->nq);
    pw_mech_normalise(s->mech, x->q1);
    *moved = true;
  }
  return PAWL_OK; /* the next step goes on with what is left */
}

/* ---- rest ---- */

/* Bodies that are held and hardly move do not move at all. */
static void stop_still(pw_heap *x, const pw_rk *rk) {
  const pw_mech *m = x->s->mech;
  for (int p = 0; p < x->scene->n_part; p++) {
    double speed = 0, load = 0;
    int from = x->scene->part_start[p], to = x->scene->part_start[p + 1];
    for (int e = from; e < to; e++) {
      int k = x->scene->part_dof[e];
      speed += m->mass[k] * x->u1[k] * x->u1[k];
      load += m->mass[k] * m->a[k] * m->a[k];
    }
    bool held = x->room.first[p] < x->room.first[p + 1];
    if (held && sqrt(speed) <= PW_SCALE(HEAP_STILL) * rk->h * sqrt(load)) {
      for (int e = from; e < to; e++) {
        x->u1[x->scene->part_dof[e]] = 0;
        x->v[x->scene->part_dof[e]] = rk->y0[x->s->nq + x->scene->part_dof[e]] / 2;
      }
    }
  }
}

/* ---- the step ---- */

static double total(pw_heap *x, double t, const double *q, const double *u) {
  double energy[3];
  pw_mech_energy(x->s->mech, t, q, u, x->s->side, energy);
  return energy[0] + energy[1];
}

/* Forces do their work at the mean velocity, which percussions have changed. */
static pawl_status measure_work(pw_heap *x, const pw_rk *rk) {
  const pw_stepper *s = x->s;
  pawl_status status = PAWL_OK;
  if (s->mech->sys->n_work > 0 && x->room.n_active > 0) {
    status = pw_mech_rates(s->mech, rk->t + rk->h / 2, x->q_mid, x->v, s->side);
    memcpy(x->z_rate, s->mech->z_rate, (size_t)s->mech->sys->nz * sizeof *x->z_rate);
  }
  return status;
}

static pawl_status finish(pw_heap *x, pw_rk *rk) {
  pw_stepper *s = x->s;
  const pw_system *sys = s->mech->sys;
  double t = rk->t + rk->h, *z = rk->y1 + s->nq + s->nv;
  bool moved = false;

  /* Work belongs to the mean velocity after bodies at rest were stopped. */
  stop_still(x, rk);
  pawl_status status = measure_work(x, rk);
  if (status != PAWL_OK) {
    return status;
  }

  /* q1 = q0 + h q'(v): positions move at the mean velocity. */
  step_positions(x, rk->y0, rk->h, x->q1);
  pw_mech_normalise(s->mech, x->q1);
  memcpy(rk->y1, rk->y0, (size_t)s->n * sizeof *rk->y1);
  for (int k = 0; k < sys->nz; k++) {
    z[k] += rk->h * x->z_rate[k];
  }

  /* The percussions go into the ledger and into the list of events. */
  pw_heap_book(x, x->v, z);
  pw_heap_conclude(x, rk);
  for (int k = 0; k < s->nv; k++) {
    x->mean[k] = rk->h > 0 ? (x->u1[k] - rk->y0[s->nq + k]) / rk->h : 0;
  }

  /* Overlaps are put back; the energy that this adds is taken off the losses of the pile. */
  double lower = total(x, t, x->q1, x->u1);
  status = put_back(x, t, rk->h, &moved);
  if (moved && status == PAWL_OK) {
    double gained = total(x, t, x->q1, x->u1) - lower;
    for (int k = 0; k < sys->n_work; k++) {
      z[1 + k] -= sys->work[k].pile == 1 && sys->work[k].lost ? gained : 0;
    }
  }

  /* The state at the end of the step. */
  memcpy(rk->y1, x->q1, (size_t)s->nq * sizeof *rk->y1);
  memcpy(rk->y1 + s->nq, x->u1, (size_t)s->nv * sizeof *rk->y1);
  return status;
}

/* ---- steps that repeat the last one ---- */

static size_t state_bytes(const pw_heap *x) {
  return (size_t)(x->s->nq + x->s->nv) * sizeof *x->last;
}

/* The step begins where the last one began, with the same forces: it ends there too. */
static bool repeats(const pw_heap *x, const pw_rk *rk) {
  int n = x->s->nq + x->s->nv;
  return *x->calm && *x->length == rk->h && memcmp(x->last, rk->y0, state_bytes(x)) == 0 &&
         memcmp(x->last + n, x->free, (size_t)x->s->nv * sizeof *x->last) == 0;
}

static void stay(pw_heap *x, pw_rk *rk) {
  double *z = rk->y1 + x->s->nq + x->s->nv;
  memcpy(rk->y1, rk->y0, (size_t)x->s->n * sizeof *rk->y1);
  for (int k = 0; k < x->s->mech->sys->nz; k++) {
    z[k] += rk->h * x->z_rate[k];
  }
}

static void remember_step(pw_heap *x, const pw_rk *rk) {
  bool driven = false;
  for (int i = 0; i < x->scene->n_shape; i++) {
    driven = driven || x->scene->shape[i].drives;
  }
  *x->calm =
      !driven && *x->n_log == 0 && !any_fresh(x) && memcmp(rk->y1, rk->y0, state_bytes(x)) == 0;
  memcpy(x->last, rk->y0, state_bytes(x));
}

/* ---- all of it ---- */

static pawl_status make_step(pw_heap *x, pw_rk *rk) {
  pawl_status status = look_at_middle(x, rk);
  if (status != PAWL_OK) {
    return status;
  }
  if (repeats(x, rk)) {
    stay(x, rk);
    return PAWL_OK;
  }
  memcpy(x->last + x->s->nq + x->s->nv, x->free, (size_t)x->s->nv * sizeof *x->free);
  status = find_velocities(x, rk);
  status = status == PAWL_OK ? finish(x, rk) : status;
  if (status == PAWL_OK) {
    remember_step(x, rk);
  }
  return status;
}

pawl_status pw_heap_step(void *heap, pw_rk *rk) {
  pw_heap *x = heap;
  pw_stepper *s = x->s;
  if (rk != &s->rk) {
    return pw_chord_between(s, rk);
  }
  pawl_status status = make_step(x, rk);
  if (status != PAWL_OK) {
    bool own = status == PAWL_E_STEP || status == PAWL_E_MEMORY;
    (void)pw_stepper_fail(s, own ? (pw_fault){status, -1, -1, NAN} : s->mech->fault);
    return status;
  }
  *x->length = rk->h;
  pw_chord_draw(rk);
  return PAWL_OK;
}
