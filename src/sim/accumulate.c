// SPDX-License-Identifier: MIT
/* Accumulations of impacts end in a rest: a pattern of contacts whose bounces have become lower than
 * the tolerance, or bounces lower than the resolution of their values. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "linalg/dense.h"
#include "sim/instant.h"

static const pw_system *system_of(const pw_contacts *c) {
  return c->watch.s->mech->sys;
}

static uint64_t key_of_log(const pw_contacts *c) {
  uint64_t key = 14695981039346656037u;
  for (int i = 0; i < c->n_log; i++) {
    key = (key ^ (uint64_t)(c->log[i].law + 1)) * 1099511628211u;
  }
  return key;
}

/* The slip of a rough contact ends with its bounces. */
static void hold_slips(pw_contacts *c) {
  for (int i = 0; i < system_of(c)->ni; i++) {
    const pw_impact_law *law = &c->impact.law[i];
    if (law->is_rough && c->hold[law->on] == PW_HOLD_AT) {
      c->hold[i] = PW_HOLD_AT;
    }
  }
}

/* The contacts hit in the last `period` instants, if none of them bounces higher than the tolerance
 * any more: speed and duration of the next flight are known from the last. */
static bool mark_pattern(pw_contacts *c, int period, double next) {
  const pw_system *s = system_of(c);
  const pw_frame *f = &c->frame;
  memset(c->hold, PW_HOLD_NOT, (size_t)s->ni);
  for (int i = 0; i < s->ni; i++) {
    int row = s->nc + i;
    if (c->impact.law[i].one_sided) {
      c->hold[i] = PW_HOLD_ABOVE;
    }
    if (pw_contacts_row(c, i)->kind != PW_KIND_UNILATERAL ||
        !(c->left[i] >= c->zeno.t[c->zeno.n - period])) {
      continue;
    }
    double room = c->tol * fmax(c->largest[i], f->terms[row]);
    if (!(f->value[row] <= room && fabs(f->rate[row]) * next / 4 <= room)) {
      return false;
    }
    c->hold[i] = PW_HOLD_AT;
  }
  hold_slips(c);
  return true;
}

/* Acceleration of a row without any law. */
static double free_rate(const pw_frame *f, int row) {
  return f->zeta[row] +
         f->length[row] * pw_dot(f->A + (size_t)row * (size_t)f->n, f->c_force, f->n);
}

static void take_pattern(pw_contacts *c) {
  const pw_system *s = system_of(c);
  pw_local *l = &c->modes.local;
  pw_local_begin(l, &c->frame, c->frame.c_force);
  l->noise = 1e-13 * c->modes.scale;
  for (int i = 0; i < s->nr; i++) {
    int law = i - s->nc;
    bool wall = law >= 0 && s->wall[law] && !c->impact.law[law].is_rough;
    if (law < 0 || c->hold[law] == PW_HOLD_AT || c->mode[law] == PW_CLOSED) {
      pw_local_take(l, i, free_rate(&c->frame, i), wall ? 0 : -INFINITY, INFINITY);
    }
  }
}

/* No contact of the pattern leaves once they are closed, together with those that are. *height: of
 * the highest bounce left, in parts of the size of its value. */
static bool pattern_presses(pw_contacts *c, double *height) {
  const pw_system *s = system_of(c);
  const pw_frame *f = &c->frame;
  const pw_local *l = &c->modes.local;
  take_pattern(c);
  if (pw_local_solve(&c->modes.local) != PW_SOLVED) {
    return false;
  }
  for (int k = 0; k < l->k; k++) {
    int row = l->row[k], law = row - s->nc;
    if (law < 0 || c->hold[law] != PW_HOLD_AT || c->impact.law[law].is_rough) {
      continue;
    }
    if (l->y[k] > 1e-9 * c->modes.scale) {
      return false;
    }
    double fall = fmax(l->x[k] * f->length[row], -free_rate(f, row));
    double room = fmax(c->largest[law], f->terms[row]);
    *height = fmax(*height, f->rate[row] * f->rate[row] / (2 * fall * room));
  }
  return true;
}

/* The contacts that were hit, or thrown off: bounces below the resolution of their values cannot be
 * followed, whether they form a pattern or not. */
static bool ends_in_rounding(pw_contacts *c) {
  const pw_system *s = system_of(c);
  double height = 0;
  bool any = false;
  for (int i = 0; i < s->ni; i++) {
    const pw_impact_law *law = &c->impact.law[i];
    bool hit = c->kick[s->nc + i] != 0 || c->was[i] == PW_CLOSED || c->was[i] == PW_RESTING;
    bool contact = s->wall[i] && !law->is_rough && !law->one_sided;
    c->hold[i] = law->one_sided ? PW_HOLD_ABOVE : hit && contact ? PW_HOLD_AT : PW_HOLD_NOT;
    any = any || (c->hold[i] == PW_HOLD_AT && !pw_instant_is_still(c, s->nc + i));
  }
  hold_slips(c);
  return any && pattern_presses(c, &height) && height <= 64 * DBL_EPSILON;
}

/* theory (63), (64): stops all contacts of the pattern at once; the state at any later time changes
 * by the third power of the speed. */
static pawl_status complete(pw_contacts *c, double limit) {
  const pw_system *s = system_of(c);
  pawl_status status = pw_instant_jump(c, pw_impact_hold, c->hold);
  for (int i = 0; i < s->ni; i++) {
    bool rests = c->hold[i] == PW_HOLD_AT && !c->impact.law[i].is_rough;
    c->fired[i] = c->fired[i] || rests;
    c->rests[i] = c->rests[i] || rests;
    c->rest_energy[i] = rests ? c->impact.energy[s->nc + i] : 0;
  }
  c->rest_time = limit;
  pw_zeno_reset(&c->zeno);
  return status;
}

pawl_status pw_instant_accumulate(pw_contacts *c) {
  int period;
  double ratio, limit, height = 0;
  if (c->n_log == 0) {
    return PAWL_OK;
  }
  pw_zeno_hit(&c->zeno, c->watch.s->t, key_of_log(c));
  if (pw_zeno_accumulates(&c->zeno, &period, &ratio, &limit) &&
      mark_pattern(c, period, (limit - c->watch.s->t) * (1 - ratio)) && pattern_presses(c, &height)) {
    return complete(c, limit);
  }
  return ends_in_rounding(c) ? complete(c, c->watch.s->t) : PAWL_OK;
}
