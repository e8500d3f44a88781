// SPDX-License-Identifier: MIT
/* Islands of a pile: contacts that share no body, directly or through others, do not feel each
 * other. Each island is a friction problem of its own, stepping (T6). */
#include <string.h>

#include "law/scale_scene.h"
#include "sim/heap.h"
#include "solve/friction_solve.h"

enum {
  FEW_SWEEPS = 5,  /* of a second attempt: the first has made more */
  PATIENCE = 30,   /* rounds for percussions where the solver stalls */
  MORE_ROUNDS = 2, /* where positions are put back: it is repeated anyway */
  MORE_NEWTON = 30 /* steps in each of them */
};

/* ---- which rows feel each other ---- */

static int root_of(int *root, int p) {
  while (root[p] != p) {
    root[p] = root[root[p]];
    p = root[p];
  }
  return p;
}

static int part_of(const pw_heap_row *row) {
  return row->part[0] >= 0 ? row->part[0] : row->part[1];
}

/* Parts that active rows join have one root. */
static void join_parts(pw_heap *x) {
  pw_heap_room *r = &x->room;
  for (int p = 0; p < x->scene->n_part; p++) {
    r->root[p] = p;
  }
  for (int i = 0; i < r->n_active; i++) {
    const int *part = r->row[r->active[i]].part;
    if (part[0] >= 0 && part[1] >= 0) {
      int a = root_of(r->root, part[0]), b = root_of(r->root, part[1]);
      r->root[a > b ? a : b] = a > b ? b : a;
    }
  }
}

/* Islands by their first row, rows in their order: by counting. */
void pw_heap_sort_islands(pw_heap *x) {
  pw_heap_room *r = &x->room;
  int *number = r->first, *place = r->start; /* of the root's island; scratch */
  join_parts(x);
  r->n_island = 0;
  for (int p = 0; p < x->scene->n_part; p++) {
    number[p] = -1;
  }
  for (int i = 0; i < r->n_active; i++) {
    int root = root_of(r->root, part_of(&r->row[r->active[i]]));
    if (number[root] < 0) {
      number[root] = r->n_island;
      r->island[r->n_island++] = (pw_heap_island){0};
    }
    r->where[i] = number[root];
    r->island[r->where[i]].to++;
  }
  for (int k = 0, sum = 0; k < r->n_island; k++) {
    sum += r->island[k].to;
    r->island[k].from = r->island[k].to = sum - r->island[k].to;
  }
  for (int i = 0; i < r->n_active; i++) {
    place[r->island[r->where[i]].to++] = r->active[i];
  }
  memcpy(r->active, place, (size_t)r->n_active * sizeof *place);
}

static pw_friction problem_of(const pw_heap_room *r, int k) {
  const pw_heap_island *s = &r->island[k];
  return (pw_friction){s->to - s->from,   r->contact + s->from,        r->start + s->from + k,
                       r->col + s->block, r->W + 9 * (size_t)s->block, r->q + 3 * (size_t)s->from};
}

/* ---- one of them ---- */

typedef struct attempt {
  pw_friction p;
  pw_heap_work *work;
  double *r;
  double unit;  /* residuals of the island, times this: in parts of the speeds of the step */
  double finer; /* as in the room */
  double residual;
} attempt;

/* Memory of the solver for that much fill. */
static bool make_room(const attempt *a, size_t fill) {
  const pw_friction *p = &a->p;
  pw_heap_work *w = a->work;
  size_t blocks = (size_t)p->start[p->nc], nc = (size_t)p->nc;
  size_t real = pw_friction_solve_doubles(p->nc, blocks, fill),
         whole = pw_friction_solve_ints(p->nc, blocks, fill);
  return pw_heap_grow((void **)&w->copies, &w->most_copies, nc, sizeof *w->copies) &&
         pw_heap_grow((void **)&w->real, &w->most_real, real, sizeof *w->real) &&
         pw_heap_grow((void **)&w->whole, &w->most_whole, whole, sizeof *w->whole);
}

/* Blocks of a factor, for which there is room then, too. */
static bool plan_fill(const attempt *a, size_t *fill) {
  const pw_friction *p = &a->p;
  size_t ints = pw_friction_fill_ints(p->nc, (size_t)p->start[p->nc]);
  if (!pw_heap_grow((void **)&a->work->whole, &a->work->most_whole, ints, sizeof(int))) {
    return false;
  }
  *fill = pw_friction_fill(p, a->work->whole);
  return make_room(a, *fill);
}

/* tol: in parts of what counts */
static pawl_status try(attempt *a, pw_friction_opts opts, double tol) {
  pw_friction_info info;
  opts.warm = true;
  opts.tol = tol / a->unit;
  pw_outcome o = pw_friction_solve(
      &a->p, &opts, a->r, &(pw_friction_memory){a->work->copies, a->work->real, a->work->whole},
      &info);
  a->residual = info.check.residual * a->unit;
  return o == PW_BREAKDOWN ? PAWL_E_STEP : PAWL_OK;
}

/* Sweeps first: where little has changed since the last step they are enough, and need no factor.
 * Then Newton's method and the central path. Where these stall, percussions that are fair are
 * looked for with patience: from the best so far, sweeps and two kinds of Newton's method in turn.
 */
static pawl_status find_kicks(attempt *a, pw_heap_aim aim) {
  bool positions = aim == PW_HEAP_PLACES;
  double tol = positions ? a->finer * PW_SCALE(HEAP_PUT_BACK) : PW_SCALE(HEAP_SOLVED);
  double enough = positions ? tol : PW_SCALE(HEAP_SOUGHT);
  if (!make_room(a, 0)) {
    return PAWL_E_MEMORY;
  }
  pawl_status status = try(a, (pw_friction_opts){.rounds = 1}, tol);
  if (status != PAWL_OK || aim == PW_HEAP_LOOK || a->residual <= tol) {
    return status;
  }
  pw_friction_opts opts = {.rounds = 1, .path = true, .sweeps = FEW_SWEEPS};
  if (!plan_fill(a, &opts.fill)) {
    return PAWL_E_MEMORY;
  }
  status = try(a, opts, tol);
  if (status != PAWL_OK || a->residual <= enough) {
    return status;
  }
  opts.path = false;
  opts.rounds = positions ? MORE_ROUNDS : PATIENCE;
  opts.newton = positions ? MORE_NEWTON : 0;
  return try(a, opts, enough);
}

/* True if there were some. */
static bool drop_bounces(pw_heap_room *r, const pw_heap_island *s) {
  bool any = false;
  for (int i = s->from; i < s->to; i++) {
    pw_heap_row *row = &r->row[r->active[i]];
    any = any || row->bounce != 0;
    row->free[0] -= row->bounce;
    r->q[3 * i] = row->free[0];
    row->bounce = 0;
  }
  return any;
}

/* For percussions the speeds of the island count, for positions the largest distance of all. Where
 * no percussions let the struck contacts of an island bounce back, none do, stepping (T5). */
static void solve_island(pw_heap *x, int k, pw_heap_aim aim, double speed, pw_heap_work *work) {
  pw_heap_room *r = &x->room;
  pw_heap_island *s = &r->island[k];
  attempt a = {.p = problem_of(r, k),
               .work = work,
               .r = r->r + 3 * (size_t)s->from,
               .unit = aim == PW_HEAP_PLACES ? (s->speed > 0 ? s->speed : 1) / speed : 1,
               .finer = r->finer};
  s->status = find_kicks(&a, aim);
  if (s->status == PAWL_OK && aim == PW_HEAP_KICKS && !(a.residual <= PW_SCALE(HEAP_FAIR)) &&
      drop_bounces(r, s)) {
    s->status = find_kicks(&a, aim);
  }
  s->residual = a.residual;
}

/* ---- all of them ---- */

/* Speeds of the islands; the largest. */
static bool measure_speeds(pw_heap *x, double *largest) {
  pw_heap_room *r = &x->room;
  pw_heap_work *w = &r->work[0];
  *largest = 0;
  for (int k = 0; k < r->n_island; k++) {
    pw_heap_island *s = &r->island[k];
    pw_friction_check check;
    pw_friction p = problem_of(r, k);
    if (!pw_heap_grow((void **)&w->real, &w->most_real, 4 * (size_t)p.nc, sizeof *w->real)) {
      return false;
    }
    (void)pw_friction_residual(&p, r->r + 3 * (size_t)s->from, w->real, &check);
    s->speed = check.scale;
    *largest = s->speed > *largest ? s->speed : *largest;
  }
  *largest = *largest > 0 ? *largest : 1;
  return true;
}

/* ---- threads: each takes the next island, so that none has a place in the result ---- */

typedef struct crew {
  pw_heap *x;
  pw_heap_aim aim;
  double speed;
  int next; /* island that nobody has taken; guarded by the lock of the room */
} crew;

static int take_next(crew *c) {
  const pw_heap_room *r = &c->x->room;
  if (r->lock != NULL) {
    pw_lock_take(r->lock);
  }
  int k = c->next++;
  if (r->lock != NULL) {
    pw_lock_release(r->lock);
  }
  return k;
}

static void work_on(crew *c, pw_heap_work *work) {
  for (int k = take_next(c); k < c->x->room.n_island; k = take_next(c)) {
    solve_island(c->x, k, c->aim, c->speed, work);
  }
}

static void help(void *payload, int i) {
  crew *c = payload;
  work_on(c, &c->x->room.work[i + 1]);
}

static void lead(void *payload) {
  crew *c = payload;
  work_on(c, &c->x->room.work[0]);
}

/* Threads cost as much as some contacts: without the largest island there must be more of them. */
static bool is_worth_threads(const pw_heap_room *r) {
  enum { WORTH = 16 };
  int largest = 0;
  for (int k = 0; k < r->n_island; k++) {
    int n = r->island[k].to - r->island[k].from;
    largest = n > largest ? n : largest;
  }
  return r->n_work > 1 && r->n_active - largest > WORTH;
}

pawl_status pw_heap_solve_islands(pw_heap *x, pw_heap_aim aim) {
  crew c = {.x = x, .aim = aim};
  if (!measure_speeds(x, &c.speed)) {
    return PAWL_E_MEMORY;
  }
  bool threads = is_worth_threads(&x->room) && pw_threads_run(x->room.n_work - 1, help, lead, &c);
  if (!threads) {
    lead(&c);
  }
  return PAWL_OK;
}
