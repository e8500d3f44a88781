// SPDX-License-Identifier: MIT
/* An impact followed step by step, theory (56)-(59), without friction. Every step is the least
 * change of the velocities that gives rows a rate which they must have at least. */
#include <math.h>
#include <string.h>

#include "base/real.h"
#include "linalg/dense.h"
#include "verify/jump.h"

enum { MOST_STEPS = 3000, MOST_CASCADE = 50, MOST_SINGLE = 25 };

static const double zero = 1e-9;      /* of the speeds */
static const double rounding = 1e-14; /* likewise */

typedef enum part { NOTHING, EITHER_WAY, PUSHES } part; /* what a row may do in a step */

typedef struct player {
  pw_jump *x;
  int n, nr;
  part *part;       /* nr: of the present step */
  double *shift;    /* nr: e rate- of Newton's law */
  double *lo, *got; /* nr: least impulse; impulse of the last step */
  double *c;        /* n */
  double *w;        /* n: L^T u */
  double *rates;    /* nr: scratch */
  int steps;
  bool unique; /* impulses of all steps so far */
  int leave;   /* at first: 1: contacts that separate, 2: and all that are merely near */
  double best;
} player;

/* The rate of a row at the velocities w; rows that bend by their tangents at the velocities after.
 */
static double rate_at(const player *p, const double *w, int i) {
  const pw_probe *probe = &p->x->c->probe;
  const double *J = probe->A + (size_t)i * (size_t)p->n;
  double rate = probe->rate[i];
  for (int k = 0; k < p->n; k++) {
    rate += J[k] * (w[k] - p->x->fast[k]);
  }
  return rate;
}

static double speed_at(const player *p, const double *w, int i) {
  return rate_at(p, w, i) / p->x->c->probe.length[i];
}

/* What a row with the impulse `lo` already has: its rate less what it must become at least. */
static double missing(const player *p, int i) {
  return -(rate_at(p, p->w, i) + p->shift[i]) / p->x->speed;
}

/* The least change y of L^T u with A^T y >= missing, by Lawson and Hanson's least distance
 * programming: with z >= 0 nearest to A z = 0, missing . z = 1 and r what is left of these, the
 * impulses are z / r_1. Rates are in units of x->speed. */
static void pose(player *p) {
  pw_reach *r = &p->x->c->replay_reach;
  pw_reach_begin(r);
  for (int i = 0; i < p->nr; i++) {
    if (p->part[i] != NOTHING) {
      double *col = pw_reach_add(r, p->part[i] == PUSHES ? 0 : -INFINITY, INFINITY);
      memcpy(col, p->x->c->probe.A + (size_t)i * (size_t)p->n, (size_t)p->n * sizeof *col);
      col[p->n] = missing(p, i);
    }
  }
  memset(p->c, 0, (size_t)p->n * sizeof *p->c);
  p->c[p->n] = 1;
  pw_reach_solve(r, p->c);
}

/* One problem: p->got and p->w. */
static bool step(player *p) {
  pw_reach *r = &p->x->c->replay_reach;
  const double *A = p->x->c->probe.A;
  for (int i = 0; i < p->nr; i++) {
    p->got[i] = p->part[i] == PUSHES ? p->lo[i] : 0;
    pw_axpy(p->got[i], A + (size_t)i * (size_t)p->n, p->w, p->n);
  }
  pose(p);
  p->steps++;
  double unit = r->rest[p->n] / p->x->speed;
  int at = 0;
  for (int i = 0; i < p->nr && unit > 1e-12; i++) {
    if (p->part[i] != NOTHING) {
      double more = r->x[at++] / unit;
      p->got[i] += more;
      pw_axpy(more, A + (size_t)i * (size_t)p->n, p->w, p->n);
    }
  }
  return unit > 1e-12;
}

/* Beyond rounding a contact may also be met a moment later. */
static bool is_exact(const player *p, int i, double room) {
  const pw_probe *probe = &p->x->c->probe;
  return probe->value[i] <= room * p->x->c->L0 * probe->length[i];
}

/* Equalities always take part; of the contacts `only`, or all that touch. separating: also those
 * that open. A contact that another impact has just opened has no gap yet, and is left out for its
 * rate, however small. */
static void choose(player *p, int only, bool separating) {
  const pw_system *s = p->x->c->sys;
  for (int i = 0; i < p->nr; i++) {
    bool contact = i >= s->nc && pw_jump_touches(p->x->c, i);
    double speed = contact ? speed_at(p, p->w, i) / p->x->speed : 0;
    bool opens = speed > zero, near = contact && !is_exact(p, i, 1e-12);
    bool left = p->leave > 0 && (speed > rounding || (near && p->leave > 1));
    bool wanted = contact && (only < 0 ? !left && (separating || !opens) : only == i);
    p->part[i] = i < s->nc ? EITHER_WAY : wanted ? PUSHES : NOTHING;
    p->shift[i] = p->lo[i] = 0;
  }
}

/* None at the end of bounces. */
static double restitution(const player *p, int i) {
  bool ends = pw_jump_before(p->x, i) < -p->x->tiny && pw_jump_comes_to_rest(p->x, i);
  return ends ? 0 : p->x->e[i - p->x->c->sys->nc];
}

static bool newton_step(player *p) {
  for (int i = p->x->c->sys->nc; i < p->nr; i++) {
    p->shift[i] = p->part[i] == PUSHES ? restitution(p, i) * rate_at(p, p->w, i) : 0;
  }
  return step(p);
}

/* Whether shares of impulses matter: restitutions differ, and the rows depend on each other. */
static bool has_shares(player *p) {
  pw_reach *r = &p->x->c->reach;
  double least = INFINITY, most = 0;
  pw_reach_begin(r);
  for (int i = 0; i < p->nr; i++) {
    if (p->part[i] != NOTHING) {
      (void)pw_jump_add(p->x, i, 0, 0);
      least = p->part[i] == PUSHES ? pw_min(least, restitution(p, i)) : least;
      most = p->part[i] == PUSHES ? pw_max(most, restitution(p, i)) : most;
    }
  }
  pw_qr qr;
  pw_qr_init(&qr, p->n, r->k, r->qr_real, r->qr_int);
  memcpy(qr.A, r->A, (size_t)p->n * (size_t)r->k * sizeof *qr.A);
  return least < most && pw_qr_decompose(&qr, 1e-11) < r->k;
}

static bool poisson_steps(player *p) {
  p->unique = p->unique && !has_shares(p);
  if (!step(p)) {
    return false;
  }
  for (int i = p->x->c->sys->nc; i < p->nr; i++) {
    p->lo[i] = p->part[i] == PUSHES ? restitution(p, i) * p->got[i] : 0;
  }
  return step(p);
}

static bool is_poisson(const player *p, int i) {
  const pw_system *s = p->x->c->sys;
  return s->model->rows.items[s->row_of[i]].clause.poisson;
}

static bool hit(player *p) {
  for (int i = p->x->c->sys->nc; i < p->nr; i++) {
    if (p->part[i] == PUSHES && is_poisson(p, i)) {
      return poisson_steps(p);
    }
  }
  return newton_step(p);
}

/* (59): the nearest velocities that are admissible. */
static bool project(player *p, const double *w, double *out) {
  const pw_system *s = p->x->c->sys;
  choose(p, -1, true);
  bool any = false;
  for (int i = s->nc; i < p->nr; i++) {
    if (pw_jump_is_wall(s, i) && pw_row_on_velocity(s, i)) {
      p->part[i] = PUSHES;
      any = any || speed_at(p, w, i) < 0;
    }
  }
  memcpy(out, w, (size_t)p->n * sizeof *out);
  if (!any) {
    return true;
  }
  double *keep = p->w;
  p->w = out;
  bool fine = step(p);
  p->w = keep;
  return fine;
}

static double distance(const player *p, const double *w) {
  double sum = 0;
  for (int k = 0; k < p->n; k++) {
    sum += (w[k] - p->x->fast[k]) * (w[k] - p->x->fast[k]);
  }
  return sqrt(sum);
}

/* Whether the recorded velocities are those after this step. */
static void compare(player *p) {
  double *out = p->rates + p->nr;
  if (project(p, p->w, out)) {
    p->best = pw_min(p->best, distance(p, out));
  }
}

static bool closes(const player *p, int i) {
  return pw_jump_touches(p->x->c, i) && speed_at(p, p->w, i) < -zero * p->x->speed;
}

static bool is_before(const player *p, int i, int k) {
  double a = speed_at(p, p->w, i), b = speed_at(p, p->w, k);
  return a < b || (a == b && i < k);
}

/* The fastest contact slower than `last` (-1: of all) that closes at least as fast as all that
 * touch exactly. */
static int next_hit(const player *p, int last) {
  int next = -1;
  double most = 0;
  for (int i = p->x->c->sys->nc; i < p->nr; i++) {
    if (closes(p, i)) {
      most = is_exact(p, i, 1e-15) ? pw_min(most, speed_at(p, p->w, i)) : most;
      bool later = last < 0 || is_before(p, last, i);
      next = later && (next < 0 || is_before(p, i, next)) ? i : next;
    }
  }
  return next >= 0 && speed_at(p, p->w, next) <= most + zero * p->x->speed ? next : -1;
}

/* All contacts in one problem, again while some close: without those that open, unless contacts
 * play into each other's hands too often. */
static void together(player *p) {
  memcpy(p->w, p->x->slow, (size_t)p->n * sizeof *p->w);
  for (int turn = 0; turn < MOST_CASCADE; turn++) {
    if (turn > 0 && next_hit(p, -1) < 0) {
      return;
    }
    choose(p, -1, turn == 0 || turn >= MOST_SINGLE);
    if (!hit(p)) {
      return;
    }
    compare(p);
    p->leave = 0;
  }
}

static int most_hits(const player *p) {
  int k = 0;
  for (int i = p->x->c->sys->nc; i < p->nr; i++) {
    k += pw_jump_touches(p->x->c, i);
  }
  return 10 * k * k + 100;
}

/* One after the other, the fastest first, and after too many of them the rest together; also in
 * other orders where it is not certain which comes first. Velocities before a hit are kept in
 * `stack`. */
static void in_turn(player *p, double *stack, int hits) {
  size_t bytes = (size_t)p->n * sizeof *stack;
  bool last = hits == most_hits(p);
  memcpy(stack, p->w, bytes);
  for (int i = next_hit(p, -1); i >= 0; i = next_hit(p, i)) {
    p->steps += hits == PW_REPLAY_HITS ? MOST_STEPS : 0; /* not followed to the end */
    if (p->steps > MOST_STEPS) {
      return;
    }
    choose(p, last ? -1 : i, true);
    if (hit(p)) {
      compare(p);
      if (!last) {
        in_turn(p, stack + p->n, hits + 1);
      }
    }
    if (last || p->best <= p->x->tiny) {
      return;
    }
    memcpy(p->w, stack, bytes);
  }
}

static bool is_for_replay(const pw_jump *x) {
  const pw_system *s = x->c->sys;
  if (s->bends) {
    return false; /* M jumps */
  }
  for (int i = s->nc; i < s->nr; i++) {
    if (!pw_jump_is_wall(s, i) && pw_jump_is_struck(x->c, i)) {
      return false;
    }
  }
  for (int i = 0; i < s->nr; i++) {
    if (s->by_of[i] >= 0) {
      return false;
    }
  }
  return true;
}

size_t pw_replay_doubles(const pw_system *s) {
  return 2 * (size_t)s->ni + 4 * (size_t)s->nr + (size_t)s->nv * (PW_REPLAY_HITS + 5) + 8 +
         pw_reach_doubles(s->nv + 1, s->nr);
}

void pw_replay_init(pawl_certifier *c, double *real, int *whole, void *bytes) {
  const pw_system *s = c->sys;
  pw_reach_init(&c->replay_reach, s->nv + 1, s->nr, real, whole, bytes);
  c->replay = real + pw_reach_doubles(s->nv + 1, s->nr);
  c->replay_part = whole + pw_reach_ints(s->nv + 1, s->nr);
}

size_t pw_replay_ints(const pw_system *s) {
  return pw_reach_ints(s->nv + 1, s->nr) + (size_t)s->nr;
}

size_t pw_replay_bytes(const pw_system *s) {
  return pw_reach_bytes(s->nr);
}

double pw_replay(pw_jump *x, bool *known) {
  pawl_certifier *c = x->c;
  int n = c->sys->nv, nr = c->sys->nr;
  double *real = c->replay + 2 * c->sys->ni;
  player p = {.x = x, .n = n, .nr = nr, .unique = true, .best = INFINITY};
  *known = is_for_replay(x);
  if (!*known) {
    return INFINITY;
  }
  p.part = (part *)c->replay_part;
  p.shift = real;
  p.lo = p.shift + nr;
  p.got = p.lo + nr;
  p.rates = p.got + nr;
  p.c = p.rates + nr + n;
  p.w = p.c + n + 1;
  memcpy(p.w, x->slow, (size_t)n * sizeof *p.w);
  compare(&p);
  if (c->opts.sequential) {
    in_turn(&p, p.w + n, 0);
  }
  for (int leave = 0; leave <= 2 && p.best > x->tiny && !c->opts.sequential; leave++) {
    p.leave = leave;
    together(&p);
  }
  *known = p.best <= x->tiny || (p.unique && p.steps <= MOST_STEPS);
  return p.best;
}
