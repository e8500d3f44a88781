// SPDX-License-Identifier: MIT
#include "sim/held.h"

#include <math.h>

#include "base/real.h"
#include "law/scale_sim.h"
#include "law/scale_static.h"
#include "linalg/dense.h"

static const pw_system *system_of(const pw_contacts *c) {
  return c->watch.s->mech->sys;
}

bool pw_held_is_contact(const pw_contacts *c, int law) {
  return pw_is_contact(&system_of(c)->law[law]);
}

/* Stands on its contact already, to rounding. */
bool pw_held_stands(const pw_contacts *c, int law) {
  int row = system_of(c)->nc + law;
  return pw_instant_is_still(c, row) && c->now.frame.value[row] <= pw_contacts_zero(c, law);
}

/* All rows that are held but one (-1: all). */
static void take_held(pw_contacts *c, int without) {
  const pw_system *s = system_of(c);
  pw_local *l = &c->forces;
  pw_local_begin(l, &c->now.frame, c->now.frame.c_force,
                 (pw_local_way){.noise = PW_SCALE(NOISE) * c->modes.scale});
  for (int i = 0; i < s->nr; i++) {
    int law = i - s->nc;
    bool held = law < 0 || c->now.hold[law] == PW_HOLD_AT;
    bool pushes = law >= 0 && s->law[law].wall && !pw_is_rough(&s->law[law]);
    if (held && i != without) {
      pw_local_take(l, i, pw_frame_free(&c->now.frame, i), pushes ? 0 : -INFINITY, INFINITY);
    }
  }
  for (int i = 0; i < s->ni; i++) {
    const pw_impact_law *law = &c->impact.law[i];
    int on = s->law[i].on;
    bool held = on >= 0 && c->now.hold[on] == PW_HOLD_AT && s->nc + on != without;
    if (held && c->now.hold[i] == PW_HOLD_NOT) {
      pw_local_slide(l, s->nc + i, s->nc + on, -law->mu * law->heading);
    }
  }
}

/* c->now.fall: accelerations, as L^T a, with nothing but the equalities and the held contacts that
 * stand: a body that bounces on one which stands comes back faster than if both fell. */
bool pw_held_fall(pw_contacts *c) {
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
  bool solved = pw_local_solve(l) == PW_SOLVED;
  pw_copy(c->now.fall, l->moved, c->now.frame.n);
  return solved;
}

static double fall_of(const pw_contacts *c, int row) {
  const pw_frame *f = &c->now.frame;
  return -f->zeta[row] - f->length[row] * pw_frame_dot(f, row, c->now.fall);
}

/* What the value of a row is a difference of. Bounces of several contacts pass their speed on, so
 * the coarsest value of those that are held counts for all. */
double pw_held_terms(const pw_contacts *c, int row) {
  const pw_system *s = system_of(c);
  const pw_frame *f = &c->now.frame;
  double coarsest = 0;
  for (int i = 0; i < s->ni; i++) {
    double length = f->length[s->nc + i];
    if (c->now.hold[i] == PW_HOLD_AT && pw_held_is_contact(c, i) && length > 0) {
      coarsest = fmax(coarsest, f->terms[s->nc + i] / length);
    }
  }
  return fmax(f->terms[row], coarsest * f->length[row]);
}

static double height_of(const pw_contacts *c, int row, double fall) {
  double rate = c->now.frame.rate[row];
  return rate * rate / (2 * fall * pw_held_terms(c, row));
}

/* A marked contact bounces higher than the resolution of its value, whatever else is held. */
bool pw_held_is_resolved_at(const pw_contacts *c, int law) {
  int row = system_of(c)->nc + law;
  bool held =
      c->now.hold[law] == PW_HOLD_AT && pw_held_is_contact(c, law) && c->now.frame.length[row] > 0;
  double fall = held ? fall_of(c, row) : 0;
  return held && fall > 0 && height_of(c, row, fall) > PW_SCALE(LOWEST_BOUNCE) &&
         !pw_held_stands(c, law);
}

bool pw_held_is_resolved(const pw_contacts *c) {
  bool any = false;
  for (int i = 0; i < system_of(c)->ni; i++) {
    any = any || pw_held_is_resolved_at(c, i);
  }
  return any;
}

/* How fast a contact comes back that only the others push back. Its own force while all are held
 * says more than that by far where contacts nearly oppose each other. */
double pw_held_fall_among(pw_contacts *c, int row) {
  const pw_frame *f = &c->now.frame;
  take_held(c, row);
  bool solved = pw_local_solve(&c->forces) == PW_SOLVED;
  return solved ? -f->zeta[row] - f->length[row] * pw_frame_dot(f, row, c->forces.moved) : 0;
}

/* Nothing one-sided that is held leaves. c->now.struck: what is pressed. */
bool pw_held_none_leaves(pw_contacts *c) {
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
void pw_held_release(pw_contacts *c) {
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
bool pw_held_all_press(pw_contacts *c, double *height) {
  const pw_system *s = system_of(c);
  if (!pw_held_none_leaves(c)) {
    return false;
  }
  for (int i = 0; i < s->ni; i++) {
    int row = s->nc + i;
    if (c->now.hold[i] != PW_HOLD_AT || !pw_held_is_contact(c, i) || pw_held_stands(c, i) ||
        c->now.frame.length[row] == 0) {
      continue;
    }
    double fall = fall_of(c, row);
    fall = fall > 0 ? fall : pw_held_fall_among(c, row);
    if (!(fall > 0) && !c->now.struck[i]) { /* it does not come back */
      return false;
    }
    *height =
        fall > 0 ? fmax(*height, height_of(c, row, fall)) : *height; /* else it moves with others */
  }
  return true;
}

/* contacts (K2): flights up to this one are hidden by rounding, whichever of the held contacts
 * flies; 0: none falls. */
double pw_held_hidden_flight(const pw_contacts *c) {
  const pw_system *s = system_of(c);
  double shortest = INFINITY;
  for (int i = 0; i < s->ni; i++) {
    int row = s->nc + i;
    double fall = fall_of(c, row), none = PW_SCALE(NEGLIGIBLE) * c->modes.scale;
    if (c->now.hold[i] == PW_HOLD_AT && pw_held_is_contact(c, i) &&
        fall > none * c->now.frame.length[row]) {
      double height = PW_SCALE(LOWEST_BOUNCE) * pw_held_terms(c, row);
      shortest = fmin(shortest, 2 * sqrt(2 * height / fall));
    }
  }
  return isfinite(shortest) ? shortest : 0;
}
