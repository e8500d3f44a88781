// SPDX-License-Identifier: MIT
/* An impact followed step by step, theory (56)-(59). Without friction every step is the least
 * change of the velocities that gives rows a rate which they must have at least; with friction all
 * its results are found by the modes (strike.h). */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/real.h"
#include "law/scale_sim.h"
#include "law/scale_verify.h"
#include "linalg/dense.h"
#include "verify/strike.h"

enum { MOST_STEPS = 3000, MOST_CASCADE = 50, MOST_SINGLE = 25, MOST_RESULTS = 3, SEARCH = 10 };

typedef enum part { NOTHING, EITHER_WAY, PUSHES } part; /* what a row may do in a step */

typedef struct player {
  pw_jump *x;
  int n, nr;
  part *part;       /* nr: of the present step */
  double *before;   /* nr: rates before the present problem */
  double *shift;    /* nr: shift of the rate after it */
  double *lo, *got; /* nr: least impulse; impulse of the last step */
  double *c;        /* n + 1 */
  double *w;        /* n: L^T u */
  int steps;
  bool shares; /* impulses of some step are not unique, */
  bool unique; /* but of none that another one followed */
  bool whole;  /* all results of all steps so far */
  double *out; /* MOST_RESULTS of n: of the present step */
  int results;
  int leave;        /* at first: 1: contacts that separate, 2: and all that are merely near */
  int skip;         /* the same for contacts one after the other */
  bool later;       /* what is merely near and closes after the jump is hit by a later one */
  bool keeps;       /* contacts that separate are left out of all problems by the same speed, */
  double out_above; /* this part of x->speed, and not of the first alone */
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

/* How far the rate of a row with the impulse `lo` is below its least value. */
static double missing(const player *p, int i) {
  return -(rate_at(p, p->w, i) + p->shift[i]) / p->x->speed;
}

/* The least change y of L^T u with A^T y >= missing, by Lawson and Hanson's least distance
 * programming: with z >= 0 nearest to A z = 0, missing . z = 1 and r what is left of these, the
 * impulses are z / r_1. Rates are in units of x->speed. */
static void pose(player *p) {
  pw_reach *r = &p->x->c->room.replay.reach;
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
  pw_reach *r = &p->x->c->room.replay.reach;
  const double *A = p->x->c->probe.A;
  for (int i = 0; i < p->nr; i++) {
    p->got[i] = p->part[i] == PUSHES ? p->lo[i] : 0;
    pw_axpy(p->got[i], A + (size_t)i * (size_t)p->n, p->w, p->n);
  }
  pose(p);
  p->steps++;
  double unit = r->rest[p->n] / p->x->speed;
  int at = 0;
  for (int i = 0; i < p->nr && unit > PW_SCALE(CERT_DUAL); i++) {
    if (p->part[i] != NOTHING) {
      double more = r->x[at++] / unit;
      p->got[i] += more;
      pw_axpy(more, A + (size_t)i * (size_t)p->n, p->w, p->n);
    }
  }
  return unit > PW_SCALE(CERT_DUAL);
}

/* Takes no part in this jump at all. */
static bool is_later(const player *p, int i) {
  return p->later && !pw_jump_is_exact(p->x, i) && pw_jump_after(p->x, i) < -p->x->tiny;
}

/* Equalities always take part; of the contacts `only`, or all that touch. separating: also those
 * that open. A contact that another impact has just opened has no gap yet, and is left out for its
 * rate, however small. */
static void choose(player *p, int only, bool separating) {
  const pw_system *s = p->x->c->sys;
  for (int i = 0; i < p->nr; i++) {
    bool contact = i >= s->nc && pw_jump_touches(p->x, i) && !is_later(p, i);
    double speed = contact ? speed_at(p, p->w, i) / p->x->speed : 0;
    bool opens = speed > (p->keeps ? p->out_above : PW_SCALE(CERT_ZERO));
    bool near = contact && !pw_jump_is_exact(p->x, i);
    bool left = p->leave > 0 && (speed > p->out_above || (near && p->leave > 1));
    bool wanted = contact && (only < 0 ? !left && (separating || !opens) : only == i);
    p->part[i] = i < s->nc ? EITHER_WAY : wanted ? PUSHES : NOTHING;
    p->shift[i] = p->lo[i] = 0;
  }
}

/* Whether shares of impulses matter: the rows depend on each other, and restitutions differ or
 * friction takes part. */
static bool has_shares(player *p) {
  pw_reach *r = &p->x->c->room.reach;
  double least = INFINITY, most = 0;
  pw_reach_begin(r);
  for (int i = 0; i < p->nr; i++) {
    int on = pw_row_contact(p->x->c->sys, i);
    if (on >= 0 && p->part[on] == PUSHES) {
      (void)pw_jump_add(p->x, i, 0, 0);
      most = INFINITY;
    } else if (p->part[i] != NOTHING) {
      (void)pw_jump_add(p->x, i, 0, 0);
      least = p->part[i] == PUSHES ? pw_min(least, pw_jump_restitution(p->x, i)) : least;
      most = p->part[i] == PUSHES ? pw_max(most, pw_jump_restitution(p->x, i)) : most;
    }
  }
  pw_qr qr;
  pw_qr_init(&qr, p->n, r->k, r->qr_real, r->qr_int);
  memcpy(qr.A, r->A, (size_t)p->n * (size_t)r->k * sizeof *qr.A);
  return least < most && pw_qr_decompose(&qr, PW_SCALE(CERT_RANK)) < r->k;
}

/* The phases of the impact law one after the other, law/phase.h. */
static bool follow_phases(player *p, pw_impact_kind law) {
  pw_phase phase[PW_IMPACT_PHASES];
  int n = pw_impact_phases(law, phase), nc = p->x->c->sys->nc;
  for (int i = nc; i < p->nr; i++) {
    p->before[i] = rate_at(p, p->w, i);
    p->got[i] = 0;
  }
  bool fine = true;
  for (int k = 0; k < n && fine; k++) {
    pw_phase_rule rule = pw_phase_rule_of(phase[k]);
    for (int i = nc; i < p->nr; i++) {
      double e = p->part[i] == PUSHES ? pw_jump_restitution(p->x, i) : 0;
      p->shift[i] = rule.rate_shift * e * p->before[i];
      p->lo[i] = rule.least_impulse * e * p->got[i];
    }
    fine = step(p);
  }
  return fine;
}

/* ---- with friction ---- */

static bool is_known_result(const player *p, const double *w) {
  for (int k = 0; k < p->results; k++) {
    double far = 0;
    for (int i = 0; i < p->n; i++) {
      far = pw_max(far, fabs(p->out[(size_t)k * (size_t)p->n + (size_t)i] - w[i]));
    }
    if (far <= PW_SCALE(CERT_MARGIN) * PW_SCALE(CERT_SAME_RESULT) * p->x->speed) {
      return true;
    }
  }
  return false;
}

static bool keep_result(void *payload, const double *w) {
  player *p = payload;
  if (!is_known_result(p, w)) {
    memcpy(p->out + (size_t)p->results++ * (size_t)p->n, w, (size_t)p->n * sizeof *w);
    p->whole = p->whole && p->results < MOST_RESULTS;
  }
  return p->results == MOST_RESULTS;
}

/* With friction a step may have several results. */
static void search(player *p, pw_impact_kind law) {
  signed char *takes = p->x->c->room.strike->takes;
  pw_strike q = {.x = p->x, .from = p->w, .found = keep_result, .payload = p, .takes = takes};
  q.n_phase = pw_impact_phases(law, q.phase);
  q.limit = PW_SCALE(CERT_SAME_RESULT) * p->x->speed;
  for (int i = 0; i < p->nr; i++) {
    takes[i] = p->part[i] == PUSHES ? PW_TAKE_IS : PW_TAKE_NOT;
  }
  (void)pw_strike_solve(&q);
  p->whole = p->whole && !q.gave_up && p->results > 0; /* an impact leads somewhere */
  p->steps += SEARCH;
}

static bool needs_search(const player *p) {
  const pw_system *s = p->x->c->sys;
  for (int i = 0; i < p->nr; i++) {
    int on = pw_row_contact(s, i);
    if ((on >= 0 && p->part[on] == PUSHES) || s->row[i].by >= 0) {
      return true;
    }
  }
  return false;
}

/* One problem of the rows that are chosen: p->results velocities in `out`. */
static void hit(player *p, double *out) {
  pw_impact_kind law = PW_IMPACT_NEWTON;
  for (int i = p->x->c->sys->nc; i < p->nr; i++) {
    law = p->part[i] == PUSHES ? pw_impact_joined(law, p->x->c->sys->row[i].impact) : law;
  }
  p->out = out;
  p->results = 0;
  p->shares = p->shares || (!pw_impact_is_by_rates(law) && has_shares(p));
  if (needs_search(p)) {
    search(p, law);
  } else if (follow_phases(p, law)) {
    memcpy(out, p->w, (size_t)p->n * sizeof *out);
    p->results = 1;
  }
}

static double gap_of(const player *p, int i) {
  const pw_probe *probe = &p->x->c->probe;
  return probe->value[i] / probe->length[i];
}

/* (59): the nearest velocities that are admissible; contacts farther than `near` are open. */
static bool project(player *p, const double *w, double near, double *out) {
  const pw_system *s = p->x->c->sys;
  choose(p, -1, true);
  for (int i = s->nc; i < p->nr; i++) {
    if (pw_law_is_wall(&s->row[i]) && s->row[i].on_velocity) {
      p->part[i] = PUSHES;
    } else if (p->part[i] == PUSHES && gap_of(p, i) > near) {
      p->part[i] = NOTHING;
    }
  }
  memcpy(out, w, (size_t)p->n * sizeof *out);
  double *keep = p->w;
  p->w = out;
  bool fine = step(p);
  p->w = keep;
  return fine;
}

static bool is_admissible(const player *p, const double *w) {
  const pw_system *s = p->x->c->sys;
  for (int i = s->nc; i < p->nr; i++) {
    if (pw_law_is_wall(&s->row[i]) && s->row[i].on_velocity && speed_at(p, w, i) < 0) {
      return false;
    }
  }
  return true;
}

/* Up to stops of bounces that cannot be resolved. */
static double distance(player *p, const double *w) {
  pw_reach *r = &p->x->c->room.reach;
  for (int k = 0; k < p->n; k++) {
    p->c[k] = p->x->fast[k] - w[k];
  }
  pw_reach_begin(r);
  pw_jump_add_rests(p->x, r);
  pw_reach_solve(r, p->c);
  return r->distance;
}

/* The widest gap narrower than `near` of those that may be closed a moment later; < 0: none. */
static double next_gap(const player *p, double near) {
  double widest = -1;
  for (int i = p->x->c->sys->nc; i < p->nr; i++) {
    if (pw_jump_touches(p->x, i) && !pw_jump_is_exact(p->x, i) && gap_of(p, i) < near) {
      widest = pw_max(widest, gap_of(p, i));
    }
  }
  return widest;
}

/* Whether the recorded velocities are those after this step. Of contacts that are merely near the
 * nearest ones take part in a projection: all, fewer, none. */
static void compare(player *p) {
  double *out = p->x->c->room.replay.projected;
  if (is_admissible(p, p->w)) {
    p->best = pw_min(p->best, distance(p, p->w));
    return;
  }
  for (double near = INFINITY; near > 0 && p->best > p->x->tiny;) {
    if (project(p, p->w, near, out)) {
      p->best = pw_min(p->best, distance(p, out));
    }
    double gap = next_gap(p, near);
    near = gap < 0 ? 0 : pw_min(near, gap) * (1 - PW_SCALE(CERT_DIGIT));
  }
}

static bool closes(const player *p, int i) {
  return pw_jump_touches(p->x, i) && !is_later(p, i) &&
         speed_at(p, p->w, i) < -PW_SCALE(CERT_ZERO) * p->x->speed;
}

static bool is_before(const player *p, int i, int k) {
  double a = speed_at(p, p->w, i), b = speed_at(p, p->w, k);
  return a < b || (a == b && i < k);
}

static bool is_in(uint64_t set, const player *p, int i) {
  return i >= p->x->c->sys->nc && (set >> (i - p->x->c->sys->nc) & 1u) != 0;
}

/* The fastest contact of the set slower than `last` (-1: of all) that closes at least as fast as
 * all that touch exactly. */
static int next_hit(const player *p, int last, uint64_t set) {
  int next = -1;
  double most = 0;
  for (int i = p->x->c->sys->nc; i < p->nr; i++) {
    if (is_in(set, p, i) && closes(p, i)) {
      most = pw_jump_is_closer(p->x, i, PW_SCALE(CERT_DIGIT)) ? pw_min(most, speed_at(p, p->w, i))
                                                              : most;
      bool later = last < 0 || is_before(p, last, i);
      next = later && (next < 0 || is_before(p, i, next)) ? i : next;
    }
  }
  return next >= 0 && speed_at(p, p->w, next) <= most + PW_SCALE(CERT_ZERO) * p->x->speed ? next
                                                                                          : -1;
}

static const uint64_t all = UINT64_MAX;

/* The contacts of the next problem: those that open take part at first only. */
static uint64_t members(const player *p, bool first) {
  uint64_t set = 0;
  for (int i = p->x->c->sys->nc; i < p->nr; i++) {
    bool open = speed_at(p, p->w, i) > PW_SCALE(STILL) * p->x->speed,
         near = !pw_jump_is_exact(p->x, i);
    bool left = (open && (!first || p->skip > 0)) || (near && p->skip > 1);
    if (pw_jump_touches(p->x, i) && !left) {
      set |= (uint64_t)1 << (i - p->x->c->sys->nc);
    }
  }
  return set;
}

/* All contacts in one problem, again while some close: without those that open, unless contacts
 * play into each other's hands too often. Results of a problem are kept in `stack`. */
static void together(player *p, double *stack, int turn) {
  size_t n = (size_t)p->n;
  if (p->steps > MOST_STEPS || turn == MOST_CASCADE || (turn > 0 && next_hit(p, -1, all) < 0)) {
    return;
  }
  p->shares = p->shares && turn > 0;
  p->unique = p->unique && !p->shares;
  choose(p, -1, turn == 0 || turn >= MOST_SINGLE);
  hit(p, stack);
  int results = p->results;
  p->leave = 0;
  for (int k = 0; k < results && p->best > p->x->tiny; k++) {
    memcpy(p->w, stack + (size_t)k * n, n * sizeof *stack);
    compare(p);
    together(p, stack + MOST_RESULTS * n, turn + 1);
  }
}

static int size_of(uint64_t set) {
  int k = 0;
  for (; set != 0; set &= set - 1) {
    k++;
  }
  return k;
}

/* One after the other, the fastest first, and after too many of them the rest together; also in
 * other orders where it is not certain which comes first. What closes then is another problem, with
 * other contacts. Velocities before a hit and after it are kept in `stack`. */
static void in_turn(player *p, double *stack, int depth, int hits, uint64_t set) {
  size_t n = (size_t)p->n;
  if (next_hit(p, -1, set) < 0) {
    set = members(p, false);
    hits = 0;
  }
  bool last = hits == pw_impact_most_hits(size_of(set));
  memcpy(stack, p->w, n * sizeof *stack);
  for (int i = next_hit(p, -1, set); i >= 0; i = next_hit(p, i, set)) {
    p->steps += depth == PW_REPLAY_HITS ? MOST_STEPS : 0; /* not followed to the end */
    if (p->steps > MOST_STEPS) {
      return;
    }
    choose(p, last ? -1 : i, true);
    for (int k = p->x->c->sys->nc; k < p->nr && last; k++) {
      p->part[k] = is_in(set, p, k) ? p->part[k] : NOTHING;
    }
    hit(p, stack + n);
    p->unique = p->unique && !p->shares;
    int results = p->results;
    for (int k = 0; k < results; k++) {
      memcpy(p->w, stack + (1 + (size_t)k) * n, n * sizeof *stack);
      compare(p);
      if (p->best > p->x->tiny) {
        in_turn(p, stack + (1 + MOST_RESULTS) * n, depth + 1, hits + 1, last ? 0 : set);
      }
    }
    if (last || p->best <= p->x->tiny) {
      return;
    }
    memcpy(p->w, stack, n * sizeof *stack);
  }
}

void pw_replay_lay(pw_replay_room *r, const pw_system *s, pw_layout *l) {
  size_t nv = (size_t)s->nv, nr = (size_t)s->nr;
  pw_reach_lay(&r->reach, s->nv + 1, s->nr, l);
  r->before = PW_LAY(l, nr, double);
  r->shift = PW_LAY(l, nr, double);
  r->lo = PW_LAY(l, nr, double);
  r->got = PW_LAY(l, nr, double);
  r->c = PW_LAY(l, nv + 1, double);
  r->w = PW_LAY(l, nv, double);
  r->projected = PW_LAY(l, nv, double);
  r->stack = PW_LAY(l, nv * (1 + MOST_RESULTS) * (PW_REPLAY_HITS + 2), double);
  r->part = PW_LAY(l, nr, int);
  pw_least_lay_out(&r->order, s->nr, l);
}

/* A contact that separates more slowly than speeds are known may be open or closed, and the faster
 * of two such contacts is open if the slower one is. The next of these limits; < 0: there is none.
 */
static double next_limit(const player *p) {
  double next = INFINITY;
  for (int i = p->x->c->sys->nc; i < p->nr; i++) {
    double speed = pw_jump_touches(p->x, i) ? pw_jump_before(p->x, i) / p->x->speed : 0;
    next = speed > p->out_above ? pw_min(next, speed) : next;
  }
  return next * p->x->speed <= p->x->tiny ? next : -1;
}

/* All ways by one such limit. */
static void play(player *p, bool keeps) {
  pw_jump *x = p->x;
  const pw_replay_room *r = &x->c->room.replay;
  bool sequential = x->c->opts.sequential;
  for (int turn = 0; turn <= 5 && p->best > x->tiny; turn++) {
    int leave = turn % 3;
    p->later = turn >= 3;
    p->keeps = keeps;
    p->leave = sequential ? 0 : leave;
    p->skip = leave;
    memcpy(p->w, x->slow, (size_t)p->n * sizeof *p->w);
    if (keeps && (leave == 0 || sequential)) {
      continue;
    }
    if (sequential) {
      in_turn(p, r->stack, 0, 0, members(p, true));
    } else {
      together(p, r->stack, 0);
    }
  }
}

double pw_replay(pw_jump *x, bool *known) {
  pawl_certifier *c = x->c;
  int n = c->sys->nv, nr = c->sys->nr;
  const pw_replay_room *r = &c->room.replay;
  player p = {.x = x, .n = n, .nr = nr, .unique = true, .whole = true, .best = INFINITY};
  p.part = (part *)r->part;
  p.before = r->before;
  p.shift = r->shift;
  p.lo = r->lo;
  p.got = r->got;
  p.c = r->c;
  p.w = r->w;
  memcpy(p.w, x->slow, (size_t)n * sizeof *p.w);
  compare(&p);
  p.out_above = PW_SCALE(CERT_VALUE);
  play(&p, false);
  for (; p.out_above >= 0 && p.best > x->tiny; p.out_above = next_limit(&p)) {
    play(&p, true);
  }
  bool counted = !c->opts.sequential || c->sys->ni <= 64; /* sets of contacts have 64 places */
  *known = p.best <= x->tiny || (p.unique && p.whole && p.steps <= MOST_STEPS && counted);
  return p.best;
}
