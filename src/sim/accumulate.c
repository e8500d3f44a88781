// SPDX-License-Identifier: MIT
/* Accumulations of impacts end in a rest: a pattern of contacts whose bounces have become slower
 * and lower than the tolerance, or bounces lower than the resolution of their values. */
#include <math.h>
#include <string.h>

#include "base/real.h"
#include "law/scale_sim.h"
#include "law/scale_static.h"
#include "linalg/dense.h"
#include "linalg/parts.h"
#include "sim/held.h"

enum { MANY = 50 }; /* instants in no time */

static const pw_system *system_of(const pw_contacts *c) {
  return c->watch.s->mech->sys;
}

static uint64_t key_of_log(const pw_contacts *c) {
  uint64_t key = PW_KEY;
  for (int i = 0; i < c->now.n_log; i++) {
    key = pw_key_add(key, c->now.log[i].law);
  }
  return key;
}

static bool at_kink(unsigned char mode) {
  return mode == PW_CLOSED || mode == PW_RESTING;
}

static void mark_slips(pw_contacts *c) {
  for (int i = 0; i < system_of(c)->ni; i++) { /* those of a rough contact end with its bounces */
    const pw_law_form *form = &system_of(c)->law[i];
    if (pw_is_rough(form) && c->now.hold[form->contact] == PW_HOLD_AT) {
      c->now.hold[i] = PW_HOLD_AT;
    }
  }
}

/* Contacts that took part in an instant since then, or were thrown off in this one, and those that
 * stay closed. One-sided velocity laws that act now are kept at zero, or may leave it. */
static void mark(pw_contacts *c, double since, bool keep) {
  const pw_system *s = system_of(c);
  for (int i = 0; i < s->ni; i++) {
    bool hit = c->left[i] >= since || c->now.kick[s->nc + i] != 0 || at_kink(c->mode[i]);
    bool acts = keep && at_kink(c->mode[i]) && pw_instant_is_still(c, s->nc + i);
    c->now.hold[i] = pw_is_one_sided(&s->law[i])       ? (acts ? PW_HOLD_AT : PW_HOLD_ABOVE)
                     : hit && pw_held_is_contact(c, i) ? PW_HOLD_AT
                                                       : PW_HOLD_NOT;
  }
  mark_slips(c);
}

/* The friction of a slip that stays keeps within its cone: beyond it, it would carry what others
 * have to. Slips in the plane are only held. */
static bool in_cone(const pw_law_form *form) {
  return pw_is_coulomb(form) && form->width == 1;
}

/* All rows that are held but one (-1: all). */
static void take_held(pw_contacts *c, int without) {
  const pw_system *s = system_of(c);
  pw_local *l = &c->forces;
  pw_local_begin(l, &c->now.frame, c->now.frame.c_force,
                 (pw_local_way){.noise = PW_SCALE(NOISE) * c->modes.scale});
  for (int i = 0; i < s->nr; i++) {
    int law = i - s->nc;
    bool held = law < 0 || (c->now.hold[law] == PW_HOLD_AT && !in_cone(&s->law[law]));
    bool pushes = law >= 0 && s->law[law].wall && !pw_is_rough(&s->law[law]);
    if (held && i != without) {
      pw_local_take(l, i, pw_frame_free(&c->now.frame, i), pushes ? 0 : -INFINITY, INFINITY);
    }
  }
  for (int i = 0; i < s->ni; i++) {
    const pw_impact_law *law = &c->impact.law[i];
    int row = s->nc + i, on = s->nc + s->law[i].on;
    bool held = s->law[i].on >= 0 && c->now.hold[on - s->nc] == PW_HOLD_AT && on != without;
    if (held && c->now.hold[i] == PW_HOLD_NOT) {
      pw_local_slide(l, row, on, -law->mu * law->heading);
    } else if (held && c->now.hold[i] == PW_HOLD_AT && in_cone(&s->law[i])) {
      pw_local_stick(l, row, pw_frame_free(&c->now.frame, row), on, law->mu);
    }
  }
}

/* Of the slip that friction i acts against now: a sign, or a component of the unit vector. */
static double heading_now(const pw_contacts *c, int i) {
  const pw_law_form *form = &system_of(c)->law[i];
  const double *rate = c->now.frame.rate + system_of(c)->nc;
  double size = pw_length(rate + (form->group < 0 ? i : form->group), form->width);
  return size > 0 ? rate[i] / size : 0;
}

/* c->now.fall: accelerations, as L^T a, with nothing but the equalities and the held contacts that
 * stand, and the friction of what slides on them: a body that bounces on one which stands comes
 * back faster than if both fell, and one thrown off along a floor comes back by friction alone. */
static bool let_fall(pw_contacts *c) {
  const pw_system *s = system_of(c);
  pw_local *l = &c->forces;
  pw_local_begin(l, &c->now.frame, c->now.frame.c_force,
                 (pw_local_way){.noise = PW_SCALE(NOISE) * c->modes.scale});
  for (int i = 0; i < s->nr; i++) {
    int law = i - s->nc;
    bool carries = law < 0 || (c->now.hold[law] == PW_HOLD_AT && pw_held_is_contact(c, law) &&
                               pw_held_stands(c, law));
    if (carries) {
      pw_local_take(l, i, pw_frame_free(&c->now.frame, i), law < 0 ? -INFINITY : 0, INFINITY);
    }
  }
  for (int i = 0; i < s->ni; i++) {
    if (pw_is_coulomb(&s->law[i]) && !pw_instant_is_still(c, s->nc + i)) {
      pw_local_slide(l, s->nc + i, s->nc + s->law[i].on, -c->impact.law[i].mu * heading_now(c, i));
    }
  }
  bool solved = pw_local_solve(l) == PW_SOLVED;
  pw_copy(c->now.fall, l->moved, c->now.frame.n);
  return solved;
}

/* How fast a contact comes back that only the others push back. Its own force while all are held
 * says more than that by far where contacts nearly oppose each other. */
static double fall_among(pw_contacts *c, int row) {
  const pw_frame *f = &c->now.frame;
  take_held(c, row);
  bool solved = pw_local_solve(&c->forces) == PW_SOLVED;
  return solved ? -f->zeta[row] - f->length[row] * pw_frame_dot(f, row, c->forces.moved) : 0;
}

/* Nothing one-sided that is held leaves. c->now.struck: what is pressed. */
static bool none_leaves(pw_contacts *c) {
  const pw_system *s = system_of(c);
  const pw_local *l = &c->forces;
  take_held(c, -1);
  bool stays = pw_local_solve(&c->forces) == PW_SOLVED;
  double tiny = PW_SCALE(NEGLIGIBLE) * c->modes.scale;
  for (int k = 0; k < l->k && stays; k++) {
    int law = l->row[k] - s->nc;
    bool pushes = law >= 0 && s->law[law].wall && !pw_is_rough(&s->law[law]);
    stays = !(pushes && l->y[k] > tiny);
    if (law >= 0) {
      c->now.struck[law] = l->x[k] > tiny;
    }
  }
  return stays;
}

/* Contacts that nothing presses while all are held leave, or are left alone: they are only kept
 * from closing. */
static void release(pw_contacts *c) {
  const pw_system *s = system_of(c);
  const pw_local *l = &c->forces;
  double tiny = PW_SCALE(NEGLIGIBLE) * c->modes.scale;
  take_held(c, -1);
  if (pw_local_solve(&c->forces) != PW_SOLVED) {
    return;
  }
  for (int k = 0; k < l->k; k++) {
    int law = l->row[k] - s->nc;
    if (law >= 0 && pw_held_is_contact(c, law) && l->x[k] <= tiny) {
      c->now.hold[law] = PW_HOLD_ABOVE;
    }
  }
  for (int i = 0; i < s->ni; i++) { /* and with them what their friction holds */
    int contact = s->law[i].contact;
    if (contact >= 0 && c->now.hold[contact] == PW_HOLD_ABOVE) {
      c->now.hold[i] = PW_HOLD_NOT;
    }
  }
}

/* *height: of the highest bounce left, in parts of what its value is a difference of. */
static bool all_press(pw_contacts *c, double *height) {
  const pw_system *s = system_of(c);
  if (!none_leaves(c)) {
    return false;
  }
  for (int i = 0; i < s->ni; i++) {
    int row = s->nc + i;
    if (c->now.hold[i] != PW_HOLD_AT || !pw_held_is_contact(c, i) || pw_held_stands(c, i) ||
        c->now.frame.length[row] == 0) {
      continue;
    }
    double fall = pw_held_fall(c, row);
    fall = fall > 0 ? fall : fall_among(c, row);
    if (!(fall > 0) && !c->now.struck[i]) { /* it does not come back */
      return false;
    }
    *height = fall > 0 ? fmax(*height, pw_held_height(c, row, fall))
                       : *height; /* else it moves with others */
  }
  return true;
}

/* contacts (K3): bounces that are stopped from above take at least the time in which the forces
 * that then hold the contacts make up for the impulses of (63): those of the bounces left out do
 * not pull. */
static double time_to_push(pw_contacts *c) {
  const pw_local *l = &c->forces;
  int nc = system_of(c)->nc;
  double longest = 0;
  if (!none_leaves(c)) {
    return 0;
  }
  for (int k = 0; k < l->k; k++) {
    int row = l->row[k];
    int law = row - nc; /* rests that were put off owe more than this jump */
    bool due = law >= 0 && c->rest.due[law];
    double pull = -(due ? c->rest.impulse[law] : c->impact.impulse[row]) * c->now.frame.length[row];
    if (law >= 0 && pw_held_is_contact(c, law) && pull > 0 && l->x[k] > 0) {
      longest = fmax(longest, pull / l->x[k]);
    }
  }
  return longest;
}

/* theory (63), (64): stops all contacts of the pattern at once; the state at any later time changes
 * by the third power of the speed. Contacts that took part since then, or are stopped now, come to
 * rest. */
static pawl_status complete(pw_contacts *c, pw_jump_problem solve, double since, double limit) {
  const pw_system *s = system_of(c);
  for (int i = 0; i < s->ni; i++) {
    c->now.struck[i] = !pw_held_stands(c, i);
  }
  pawl_status status = pw_instant_jump(c, solve, c->now.hold);
  double most = 0; /* impulse in the metric */
  for (int i = 0; i < s->nr; i++) {
    most = fmax(most, fabs(c->impact.impulse[i]) * c->now.frame.length[i]);
  }
  pw_axpy(1, c->impact.impulse, c->now.kick, s->nc);
  for (int i = 0; i < s->ni; i++) {
    int row = s->nc + i;
    bool stopped =
        fabs(c->impact.impulse[row]) * c->now.frame.length[row] > PW_SCALE(STOPPED) * most;
    bool part = c->left[i] >= since || (stopped && c->now.struck[i]);
    bool kept = c->now.hold[i] == PW_HOLD_AT ? part : c->now.hold[i] == PW_HOLD_ABOVE && stopped;
    bool rests = kept && pw_held_is_contact(c, i);
    c->fired[i] = c->fired[i] || rests;
    double energy = c->impact.impulse[row] != 0 || c->impact.energy[row] != 0
                        ? c->impact.energy[row] + pw_instant_slip_energy(c, i)
                        : 0;
    pw_rest_owe(c, i, c->impact.impulse[row], energy);
    c->rest.due[i] = c->rest.due[i] || rests;
    if (!rests) {
      pw_instant_add_rest(c, i);
    }
  }
  c->rest.time = status == PAWL_OK ? fmax(limit, c->watch.s->t + time_to_push(c)) : limit;
  pw_zeno_reset(&c->zeno);
  return status;
}

/* Some contact that is held is not at rest yet. */
static bool any_moves(const pw_contacts *c) {
  const pw_system *s = system_of(c);
  bool any = false;
  for (int i = 0; i < s->ni; i++) {
    bool held = c->now.hold[i] == PW_HOLD_AT && pw_held_is_contact(c, i);
    any = any || (held && !pw_instant_is_still(c, s->nc + i));
  }
  return any;
}

/* Holds what friction stops until then, too, and looks whether all contacts stay; if they do not
 * with the velocity laws that act now, without those. */
static bool can_rest(pw_contacts *c, double since, double wait, double *height) {
  for (int keep = 1; keep >= 0; keep--) {
    *height = 0;
    mark(c, since, keep);
    if (pw_impact_land(&c->impact, &c->now.frame, wait, c->now.hold) == PW_SOLVED &&
        all_press(c, height)) {
      return true;
    }
  }
  return false;
}

/* The same of what is marked, without contacts that leave. */
static bool can_rest_without(pw_contacts *c, double wait, double *height) {
  *height = 0;
  if (pw_impact_land(&c->impact, &c->now.frame, wait, c->now.hold) != PW_SOLVED) {
    return false;
  }
  release(c);
  return any_moves(c) && all_press(c, height);
}

/* contacts (K2): slips that end within this time are hidden if their way is; one whose way can be
 * seen goes on, as on a contact that stands while others bounce softly. True if there is one. */
static bool let_slide(pw_contacts *c, double wait) {
  const pw_system *s = system_of(c);
  const double *rate = c->now.frame.rate + s->nc;
  bool any = false;
  for (int i = 0; i < s->ni; i++) {
    const pw_law_form *form = &s->law[i];
    double size = pw_length(rate + (form->group < 0 ? i : form->group), form->width);
    if (pw_is_coulomb(form) && c->now.hold[i] == PW_HOLD_AT &&
        size * wait / 2 > PW_SCALE(LOWEST_BOUNCE) * pw_held_terms(c, s->nc + form->on)) {
      c->now.hold[i] = PW_HOLD_NOT;
      c->impact.law[i].heading = heading_now(c, i);
      any = true;
    }
  }
  return any;
}

/* Contacts in c->now.struck fly on; true if there is one. */
static bool let_fly(pw_contacts *c) {
  const pw_system *s = system_of(c);
  bool any = false;
  for (int i = 0; i < s->ni; i++) {
    int contact = s->law[i].contact;
    if (c->now.struck[i]) {
      c->now.hold[i] = PW_HOLD_ABOVE;
      any = true;
    } else if (contact >= 0 && c->now.struck[contact]) {
      c->now.hold[i] = PW_HOLD_NOT;
    }
  }
  return any;
}

/* Marks what touches without what can be followed: bounces that are high enough, and those that do
 * not land within *wait, the time that rounding hides. True if anything flies on. */
static bool mark_hidden(pw_contacts *c, double *wait) {
  const pw_system *s = system_of(c);
  mark(c, INFINITY, true);
  for (int i = 0; i < s->ni; i++) {
    c->now.struck[i] = pw_held_is_resolved_at(c, i);
  }
  bool flies = let_fly(c);
  *wait = pw_held_hidden_flight(c);
  if (!(*wait > 0) || pw_impact_land(&c->impact, &c->now.frame, *wait, c->now.hold) != PW_SOLVED) {
    return flies;
  }
  for (int i = 0; i < s->ni; i++) {
    bool held = c->now.hold[i] == PW_HOLD_AT && pw_held_is_contact(c, i);
    double still = pw_impact_still(&c->impact, &c->now.frame, s->nc + i);
    c->now.struck[i] = held && c->impact.rate[s->nc + i] > still;
  }
  return let_fly(c) || flies;
}

/* A contact that is held has friction. */
static bool any_rubs(const pw_contacts *c) {
  const pw_system *s = system_of(c);
  bool any = false;
  for (int i = 0; i < s->ni; i++) {
    int contact = s->law[i].contact;
    any = any || (contact >= 0 && c->now.hold[contact] == PW_HOLD_AT);
  }
  return any;
}

/* Bounces below the resolution of their values cannot be followed, whether they form a pattern or
 * not, and whatever else flies higher; nor can slips that friction ends within such a bounce. With
 * friction, impulses would depend on those of what flies on: then all follow. Where none comes back
 * there is no bounce to end. */
static bool ends_in_rounding(pw_contacts *c) {
  double height = 0, wait = 0;
  mark(c, INFINITY, true);
  if (!any_moves(c) || !let_fall(c)) {
    return false;
  }
  bool flies = mark_hidden(c, &wait);
  if (!(wait > 0) || !any_moves(c) || (flies && any_rubs(c))) {
    return false;
  }
  bool rests = !flies && can_rest(c, INFINITY, wait, &height);
  if (!rests) {
    (void)mark_hidden(c, &wait);
    rests = can_rest_without(c, wait, &height);
  }
  if (rests && let_slide(c, wait)) {
    height = 0;
    rests = all_press(c, &height);
  }
  return rests && height <= PW_SCALE(LOWEST_BOUNCE);
}

/* ---- contacts that come to rest together, without a pattern: theory, section 34 ---- */

/* Slower than the tolerance, and closed or hit before and lower. One that was closed until now may
 * just have been thrown off. */
static bool settles(const pw_contacts *c, int law) {
  int row = system_of(c)->nc + law;
  bool slow = fabs(c->now.frame.rate[row]) <= pw_held_slow_rate(c, law);
  bool low = c->left[law] <= c->watch.s->t && c->now.frame.value[row] <= pw_held_low_value(c, law);
  return pw_held_is_contact(c, law) && slow && (at_kink(c->mode[law]) || low);
}

/* Of the contacts that settle, those that feel one that was hit now and still moves. */
static bool mark_settling(pw_contacts *c, bool keep) {
  const pw_system *s = system_of(c);
  const pw_frame *f = &c->now.frame;
  bool any = false;
  pw_parts parts;
  mark(c, INFINITY, keep); /* velocity laws */
  pw_parts_begin(&parts, f->n, f->m, c->part.member);
  for (int row = 0; row < f->m; row++) {
    if (row < s->nc || settles(c, row - s->nc)) {
      pw_split_add(&parts, row, f, row, f->A + (size_t)row * (size_t)f->n);
    }
  }
  pw_parts_end(&parts);
  memset(c->now.struck, 0, (size_t)parts.count);
  for (int i = 0; i < s->ni; i++) {
    bool hit = pw_held_is_contact(c, i) && c->now.kick[s->nc + i] != 0 &&
               !pw_instant_is_still(c, s->nc + i);
    if (hit && !settles(c, i)) {
      return false;
    }
    any = any || hit;
    c->now.struck[pw_parts_of(&parts, s->nc + i)] |= hit;
  }
  for (int i = 0; i < s->ni; i++) {
    bool held = settles(c, i) && c->now.struck[pw_parts_of(&parts, s->nc + i)];
    if (pw_held_is_contact(c, i)) {
      c->now.hold[i] = held ? PW_HOLD_AT : PW_HOLD_NOT;
    }
  }
  mark_slips(c);
  return any;
}

/* What all future bounces of the contacts that are held can have: theory (100). After all_press. */
static double energy_left(pw_contacts *c) {
  const pw_system *s = system_of(c);
  const pw_frame *f = &c->now.frame;
  const pw_local *l = &c->forces;
  double sum = 0;
  if (pw_impact_hold(&c->impact, f, c->now.hold) != PW_SOLVED || !none_leaves(c)) {
    return INFINITY;
  }
  for (int i = 0; i < s->nr; i++) {
    sum -= c->impact.impulse[i] != 0 ? c->impact.energy[i] : 0;
  }
  for (int k = 0; k < l->k; k++) {
    double height = l->row[k] >= s->nc ? f->value[l->row[k]] / f->length[l->row[k]] : 0;
    sum += l->x[k] * fmax(height, 0);
  }
  return fmax(sum, 0);
}

/* theory (101), for a bar theory (102): no later bounce is higher or faster than the tolerance, and
 * each loses energy. */
static bool stays_below(pw_contacts *c) {
  const pw_system *s = system_of(c);
  const pw_local *l = &c->forces;
  double E = energy_left(c);
  for (int i = 0; i < s->ni; i++) {
    int row = s->nc + i;
    if (c->now.hold[i] != PW_HOLD_AT || !pw_held_is_contact(c, i) ||
        c->now.frame.length[row] == 0 || pw_held_stands(c, i)) {
      continue;
    }
    int k = pw_local_place(l, row);
    double length = c->now.frame.length[row], push = k < 0 ? 0 : l->x[k] / length;
    if (!(c->now.e[i] < 1 && length * sqrt(2 * E) <= pw_held_slow_rate(c, i) &&
          E <= push * pw_held_low_value(c, i))) {
      return false;
    }
  }
  return true;
}

/* When the bounces end: alone a contact that comes back with the ratio e flies for 2v/f (1 + e +
 * e^2 + ...); of several at least the flights that have begun are still to come. After let_fall. */
static double end_of_bounces(pw_contacts *c) {
  const pw_system *s = system_of(c);
  double longest = 0, ratio = 0;
  int moving = 0;
  for (int i = 0; i < s->ni; i++) {
    int row = s->nc + i;
    if (c->now.hold[i] != PW_HOLD_AT || !pw_held_is_contact(c, i) || pw_held_stands(c, i)) {
      continue;
    }
    double fall = fall_among(c, row), rate = fmax(c->now.frame.rate[row], 0);
    longest = fall > 0 ? fmax(longest, 2 * rate / fall) : longest;
    ratio = c->now.e[i];
    moving++;
  }
  return c->watch.s->t + (moving == 1 ? longest / (1 - ratio) : longest);
}

static bool settle_together(pw_contacts *c, double *limit) {
  for (int keep = 1; keep >= 0; keep--) {
    double height = 0;
    if (!mark_settling(c, keep)) {
      return false;
    }
    *limit = c->watch.s->t;
    if (!let_fall(c)) {
      return false;
    }
    *limit = end_of_bounces(c);
    if (can_rest_without(c, *limit - c->watch.s->t, &height) && pw_held_slips_slow(c) &&
        stays_below(c)) {
      return true;
    }
  }
  return false;
}

/* Impulses stop what is held. Where slips go on there may be none: friction jams (contacts (K1)).
 */
static bool can_stop(pw_contacts *c) {
  return pw_impact_hold(&c->impact, &c->now.frame, c->now.hold) == PW_SOLVED;
}

/* No velocities stop all contacts of the pattern: walls close on a body. */
static bool is_crushed(pw_contacts *c, double since) {
  mark(c, since, true);
  return pw_impact_hold(&c->impact, &c->now.frame, c->now.hold) == PW_INFEASIBLE;
}

static pawl_status no_impact(pw_contacts *c) {
  pawl_status status = pw_instant_fail(c, PW_TROUBLE_IMPACT, c->impact.failed);
  c->halt.proved = c->impact.proved;
  return status;
}

static pawl_status accumulate(pw_contacts *c) {
  int period;
  double ratio, limit, height = 0, t = c->watch.s->t;
  pw_zeno_hit(&c->zeno, t, key_of_log(c));
  if (pw_zeno_accumulates(&c->zeno, &period, &ratio, &limit)) {
    double since = c->zeno.t[c->zeno.n - period];
    double next = (limit - t) * (1 - ratio);
    mark(c, since, true);
    bool brief = next <= PW_SCALE(NO_TIME) * fabs(t), late = brief || pw_held_is_slow(c, next);
    if (let_fall(c) && (late || !pw_held_is_resolved(c)) &&
        can_rest(c, since, limit - t, &height) && (brief || pw_held_slips_slow(c)) &&
        (late || height <= PW_SCALE(LOWEST_BOUNCE)) && can_stop(c)) {
      return complete(c, pw_impact_hold, since, limit);
    }
    if (brief && is_crushed(c, since)) {
      return no_impact(c);
    }
  }
  if (settle_together(c, &limit)) {
    return complete(c, pw_impact_hold, t, limit);
  }
  if (c->repeats > MANY && is_crushed(c, c->zeno.t[c->zeno.n / 2])) {
    return no_impact(c);
  }
  return ends_in_rounding(c) && can_stop(c) ? complete(c, pw_impact_hold, t, t) : PAWL_OK;
}

pawl_status pw_instant_accumulate(pw_contacts *c) {
  if (c->now.n_log == 0 || c->now.collapsed) {
    return PAWL_OK;
  }
  return accumulate(c);
}

pawl_status pw_instant_stop(pw_contacts *c) {
  int period;
  double ratio, limit, t = c->watch.s->t;
  bool before = pw_zeno_accumulates(&c->zeno, &period, &ratio, &limit) && limit > t;
  mark_slips(c);
  if (pw_impact_land(&c->impact, &c->now.frame, 0, c->now.hold) != PW_SOLVED) {
    return no_impact(c);
  }
  return complete(c, pw_impact_collapse, t, before ? limit : t);
}
