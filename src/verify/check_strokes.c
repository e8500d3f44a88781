// SPDX-License-Identifier: MIT
/* Impacts by residual (certificates, section 4): the impulses of each problem are told, and all
 * that is left is whether they obey the law. Nothing is searched, so that many contacts cost no
 * more than their number, and an impulse that is one of many is as good as any other. */
#include <math.h>
#include <string.h>

#include "base/entries.h"
#include "base/real.h"
#include "law/scale_verify.h"
#include "linalg/dense.h"
#include "system/moved.h"
#include "traj/strokes.h"
#include "verify/strike.h"

typedef struct course {
  pw_jump *x;
  int n, nr;
  double *w;                        /* n: L^T u now, */
  double *turn;                     /* n: by the present stroke */
  double *rate;                     /* nr: now */
  double *before;                   /* nr: before the phases of the present impact */
  double *impulse, *squeeze;        /* nr: of the present stroke, of the one before */
  signed char *takes;               /* nr, pw_take */
  int only;                         /* the contact that is struck alone, or -1 */
  pw_phase phase[PW_IMPACT_PHASES]; /* of the present impact */
  int n_phase, at;                  /* at == n_phase: all are over */
  int hits;                         /* impacts of single contacts */
  int touching;                     /* contacts that may take part */
  pw_least *order;                  /* those that do and close, by their speeds */
  bool slips;                       /* some contact has a slip */
  double off;                       /* largest residual so far */
} course;

/* Impulses that act along the gradients of rates, on velocities whose inertia does not jump. */
static bool is_plain(const pw_jump *x) {
  const pw_system *s = x->c->sys;
  bool plain = s->n_state == 0 && !s->trait.curved && !s->trait.bends;
  for (int i = 0; i < s->nr && plain; i++) {
    plain = s->row[i].by < 0;
  }
  return plain;
}

static course begin(pw_jump *x) {
  const pw_replay_room *r = &x->c->room.replay;
  course c = {.x = x, .n = x->c->sys->nv, .nr = x->c->sys->nr, .only = -1};
  c.w = r->w;
  c.turn = r->c;
  c.rate = r->got;
  c.before = r->before;
  c.impulse = r->shift;
  c.squeeze = r->lo;
  c.takes = x->c->room.strike->takes;
  c.order = &x->c->room.replay.order;
  (void)pw_jump_choose(x, c.takes);
  memcpy(c.w, x->slow, (size_t)c.n * sizeof *c.w);
  for (int i = 0; i < c.nr; i++) { /* rows that bend by their tangents at the velocities after */
    const double *a = x->c->probe.A + (size_t)i * (size_t)c.n;
    c.rate[i] = x->c->probe.rate[i];
    for (int k = 0; k < c.n; k++) {
      c.rate[i] += a[k] * (x->slow[k] - x->fast[k]);
    }
    c.impulse[i] = 0;
    c.touching += c.takes[i] != PW_TAKE_NOT;
    c.slips = c.slips || pw_row_contact(x->c->sys, i) >= 0;
  }
  return c;
}

static void note(course *c, double off) {
  c->off = isnan(off) ? INFINITY : pw_max(c->off, off);
}

static bool has_part(const course *c, int contact) {
  return c->takes[contact] != PW_TAKE_NOT && (c->only < 0 || c->only == contact);
}

/* ---- the order of impacts ---- */

static double speed_of(const course *c, int i) {
  return c->rate[i] / c->x->c->probe.length[i];
}

/* The speed of a contact that closes, for the order of impacts; one that is not a number comes
 * before all, so that nothing fits it. */
static void line_up(course *c, int i) {
  if (c->takes[i] == PW_TAKE_IS && i >= c->x->c->sys->nc) {
    double speed = speed_of(c, i);
    pw_least_set(c->order, i, isnan(speed) ? -INFINITY : speed < 0 ? speed : INFINITY);
  }
}

static pw_impact_kind law_of(const course *c) {
  pw_impact_kind law = PW_IMPACT_NEWTON;
  if (c->only >= 0) {
    return pw_impact_joined(law, c->x->c->sys->row[c->only].impact);
  }
  for (int i = c->x->c->sys->nc; i < c->nr; i++) {
    law = has_part(c, i) ? pw_impact_joined(law, c->x->c->sys->row[i].impact) : law;
  }
  return law;
}

/* One after the other: the contact that is struck is the one that closes fastest. */
static double late(const course *c) {
  int first = pw_least_first(c->order);
  return speed_of(c, c->only) - (first >= 0 ? c->order->key[first] : 0);
}

static bool is_alone_allowed(const course *c) {
  bool sequential = c->x->c->opts.sequential;
  bool all = !sequential || c->touching <= 1 || c->hits >= pw_impact_most_hits(c->touching);
  return c->only < 0 ? all : sequential && c->takes[c->only] != PW_TAKE_NOT;
}

/* The next impact begins, or its next phase; false: no such phase comes here. */
static bool enter(course *c, const pw_stroke_view *s) {
  if (s->phase == PW_PHASE_PROJECTION || s->phase == PW_STROKE_STOP) {
    c->only = -1;
    return c->at == c->n_phase;
  }
  if (c->at == c->n_phase) {
    c->only = s->only;
    if (!is_alone_allowed(c)) {
      return false;
    }
    c->n_phase = pw_impact_phases(law_of(c), c->phase);
    c->at = 0;
    memcpy(c->before, c->rate, (size_t)c->nr * sizeof *c->rate);
    memset(c->impulse, 0, (size_t)c->nr * sizeof *c->impulse);
    if (c->only >= 0) {
      note(c, late(c));
      c->hits++;
    }
  }
  return s->only == c->only && s->phase == (int)c->phase[c->at++];
}

/* The rates after the stroke has turned the velocity k. */
static void turn_rates(course *c, int k) {
  const double *A = c->x->c->probe.A + k;
  pw_moved_list rows = pw_moved_movers(c->x->c->sys, k);
  for (int e = 0; e < rows.n; e++) {
    c->rate[rows.at[e]] += A[(size_t)rows.at[e] * (size_t)c->n] * c->turn[k];
    line_up(c, rows.at[e]);
  }
}

/* The velocities and rates after it; mostly few velocities change. */
static void strike(course *c, const pw_stroke_view *s) {
  const pw_system *sys = c->x->c->sys;
  double *keep = c->squeeze;
  c->squeeze = c->impulse;
  c->impulse = keep;
  pw_zero(c->impulse, c->nr);
  pw_zero(c->turn, c->n);
  for (int k = 0; k < s->n; k++) {
    int row = (int)s->part[2 * k];
    c->impulse[row] = s->part[2 * k + 1];
    pw_moved_axpy(sys, row, c->impulse[row], c->x->c->probe.A + (size_t)row * (size_t)c->n,
                  c->turn);
  }
  bool known = sys->pattern.moved != NULL;
  for (int k = pw_next_entry(c->turn, 0, c->n); k < c->n; k = pw_next_entry(c->turn, k + 1, c->n)) {
    c->w[k] += c->turn[k];
    if (known) {
      turn_rates(c, k);
    }
  }
  for (int i = 0; i < c->nr && !known; i++) {
    c->rate[i] += pw_dot(c->x->c->probe.A + (size_t)i * (size_t)c->n, c->turn, c->n);
    line_up(c, i);
  }
}

/* ---- residuals of one problem, as speeds ---- */

static double reach_of(const course *c, int i) {
  return c->x->c->probe.reach[i];
}

/* 0 <= a _|_ b >= 0 */
static double complementary(double a, double b) {
  return pw_max(pw_max(-a, -b), pw_min(fabs(a), fabs(b)));
}

/* Its gap is closed and it was not separating: the law asks for it. */
static bool is_asked(const course *c, int i) {
  double open = PW_SCALE(CERT_VALUE) * c->x->speed * c->x->c->probe.length[i];
  return c->only == i || (c->takes[i] == PW_TAKE_IS && !(c->before[i] > open));
}

static double miss_contact(const course *c, int i, const pw_phase_rule *rule) {
  double e = pw_jump_restitution(c->x, i), length = c->x->c->probe.length[i];
  double rate = (c->rate[i] + rule->rate_shift * e * c->before[i]) / length;
  double more = (c->impulse[i] - rule->least_impulse * e * c->squeeze[i]) * reach_of(c, i);
  bool idle = c->impulse[i] == 0 && more == 0;
  return idle && !is_asked(c, i) ? 0 : complementary(rate, more);
}

/* The rate of a slip, shifted by its restitution. */
static double slip_of(const course *c, int i, const pw_phase_rule *rule) {
  return c->rate[i] + rule->slip_shift * c->x->e[i - c->x->c->sys->nc] * c->before[i];
}

/* (C8): the slip sticks by an impulse within the bound, or slides against one of the bound; mu may
 * be any of the values between those at the slips before and after. rows: 1, or 2 in the plane. */
static double miss_friction(const course *c, int i, int rows, const pw_phase_rule *rule) {
  const pw_probe *p = &c->x->c->probe;
  double now = pw_probe_bound(p, i, false), was = c->x->mu[i - c->x->c->sys->nc];
  double push = pw_max(c->impulse[pw_row_contact(c->x->c->sys, i)], 0);
  double slip[2] = {slip_of(c, i, rule), rows == 2 ? slip_of(c, i + 1, rule) : 0};
  double side[2] = {c->impulse[i], rows == 2 ? c->impulse[i + 1] : 0};
  double length = rows == 2 ? pw_max(p->length[i], p->length[i + 1]) : p->length[i];
  double reach = rows == 2 ? pw_max(p->reach[i], p->reach[i + 1]) : p->reach[i];
  double size = hypot(slip[0], slip[1]), most = pw_max(now, was) * push;
  double stick = pw_max(size / length, (hypot(side[0], side[1]) - most) * reach);
  if (!(size > 0)) {
    return stick;
  }
  double along = -(side[0] * slip[0] + side[1] * slip[1]) / size;
  double across = (side[1] * slip[0] - side[0] * slip[1]) / size;
  double apart = pw_max(pw_max(pw_min(now, was) * push - along, along - most), 0);
  return pw_min(stick, hypot(across, apart) * reach);
}

/* A rough contact holds its slip, or has no impulse. */
static double miss_rough(const course *c, int i, const pw_phase_rule *rule) {
  int contact = pw_row_contact(c->x->c->sys, i);
  double push = fabs(c->impulse[contact]) * reach_of(c, contact);
  double held = fabs(slip_of(c, i, rule)) / c->x->c->probe.length[i];
  return pw_min(held, pw_max(push, fabs(c->impulse[i]) * reach_of(c, i)));
}

static double miss(const course *c, int i, const pw_phase_rule *rule) {
  const pw_system *s = c->x->c->sys;
  const pw_law_form *law = i < s->nc ? NULL : &s->law[i - s->nc];
  int contact = pw_row_contact(s, i);
  double length = c->x->c->probe.length[i], idle = fabs(c->impulse[i]) * reach_of(c, i);
  if (i < s->nc) {
    return length > 0 ? fabs(c->rate[i]) / length : 0;
  }
  if (contact >= 0) {
    bool first = law->group < 0 || law->group == i - s->nc;
    bool acts = rule->slips && has_part(c, contact);
    return !acts                         ? idle
           : pw_law_is_rough(&s->row[i]) ? miss_rough(c, i, rule)
           : first                       ? miss_friction(c, i, law->group < 0 ? 1 : 2, rule)
                                         : 0;
  }
  if (pw_law_is_wall(&s->row[i]) && s->row[i].on_velocity) {
    return rule->bounds ? complementary(c->rate[i] / length, c->impulse[i] * reach_of(c, i)) : idle;
  }
  return pw_law_is_wall(&s->row[i]) && has_part(c, i) ? miss_contact(c, i, rule) : idle;
}

/* Which impulses stop bounces that are left out no law states: they are small, and what they stop
 * stands (certificates, section 4). */
static void check_stop(course *c, const pw_stroke_view *s) {
  const pw_system *sys = c->x->c->sys;
  double slow = PW_SCALE(CERT_SLOW) * c->x->c->scale.V0, still = pw_jump_still(c->x);
  note(c, pw_norm2(c->turn, c->n) <= slow ? 0 : INFINITY);
  for (int i = 0; i < sys->nc; i++) {
    note(c, miss(c, i, NULL));
  }
  for (int k = 0; k < s->n; k++) {
    int row = (int)s->part[2 * k];
    bool contact = row >= sys->nc && pw_row_contact(sys, row) < 0;
    bool fits = !contact || (has_part(c, row) && fabs(speed_of(c, row)) <= still);
    note(c, fits ? 0 : INFINITY);
  }
}

static void check_phase(course *c, const pw_stroke_view *s) {
  pw_phase_rule rule = pw_phase_rule_of((pw_phase)s->phase);
  const pw_system *sys = c->x->c->sys;
  if (c->only < 0 || c->slips) {
    for (int i = 0; i < c->nr; i++) {
      note(c, miss(c, i, &rule));
    }
    return;
  }
  for (int i = 0; i < sys->nc; i++) {
    note(c, miss(c, i, &rule));
  }
  for (int k = 0; k < s->n; k++) { /* rows without an impulse have no part */
    note(c, miss(c, (int)s->part[2 * k], &rule));
  }
  note(c, miss(c, c->only, &rule));
}

double pw_jump_residual(pw_jump *x) {
  pw_reader strokes = x->c->own.strokes;
  pw_stroke_view s;
  if (strokes.at == NULL || !is_plain(x) || x->pulls) {
    return INFINITY;
  }
  course c = begin(x);
  pw_least_clear(c.order);
  for (int i = 0; i < c.nr; i++) {
    line_up(&c, i);
  }
  while (c.off <= x->tiny && pw_strokes_next(&strokes, c.nr, &s)) {
    if (!enter(&c, &s)) {
      return INFINITY;
    }
    strike(&c, &s);
    if (s.phase == PW_STROKE_STOP) {
      check_stop(&c, &s);
    } else {
      check_phase(&c, &s);
    }
  }
  for (int k = 0; k < c.n; k++) {
    c.turn[k] = c.w[k] - x->fast[k];
  }
  note(&c, pw_norm2(c.turn, c.n));
  return strokes.bad || c.at < c.n_phase ? INFINITY : c.off;
}
