// SPDX-License-Identifier: MIT
#include "sim/held.h"

#include <math.h>

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

/* Rates and heights that the tolerance does not see. */
double pw_held_slow_rate(const pw_contacts *c, int law) {
  int row = system_of(c)->nc + law;
  return fmax(PW_SCALE(LAST_BOUNCE) * c->tol * pw_contacts_slope(c, law) *
                  (c->size.fastest[law] - c->size.slowest[law]),
              pw_impact_still(&c->impact, &c->now.frame, row)); /* what counts as zero anyway */
}

double pw_held_low_value(const pw_contacts *c, int law) {
  return c->tol * fmax(c->size.largest[law], c->now.frame.terms[system_of(c)->nc + law]);
}

/* No bounce is faster or higher than the tolerance any more; the next flight takes a time `next`.
 */
bool pw_held_is_slow(const pw_contacts *c, double next) {
  const pw_system *s = system_of(c);
  const pw_frame *f = &c->now.frame;
  for (int i = 0; i < s->ni; i++) {
    int row = s->nc + i;
    if (c->now.hold[i] != PW_HOLD_AT || !pw_held_is_contact(c, i) || pw_held_stands(c, i)) {
      continue;
    }
    double room = pw_held_low_value(c, i), rate = fabs(f->rate[row]);
    if (!(f->value[row] <= room && rate * next / 4 <= room && rate <= pw_held_slow_rate(c, i))) {
      return false;
    }
  }
  return true;
}

/* Nor is a slip that is to end with the bounces. Plastic contacts stand still after each impact,
 * also in cycles of sticking and slipping in which only the slips tell how far the end is. */
bool pw_held_slips_slow(const pw_contacts *c) {
  const pw_system *s = system_of(c);
  for (int i = 0; i < s->ni; i++) {
    if (pw_is_coulomb(&s->law[i]) && c->now.hold[i] == PW_HOLD_AT &&
        !(fabs(c->now.frame.rate[s->nc + i]) <= pw_held_slow_rate(c, i))) {
      return false;
    }
  }
  return true;
}

double pw_held_fall(const pw_contacts *c, int row) {
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

double pw_held_height(const pw_contacts *c, int row, double fall) {
  double rate = c->now.frame.rate[row];
  return rate * rate / (2 * fall * pw_held_terms(c, row));
}

/* A marked contact bounces higher than the resolution of its value, whatever else is held. */
bool pw_held_is_resolved_at(const pw_contacts *c, int law) {
  int row = system_of(c)->nc + law;
  bool held =
      c->now.hold[law] == PW_HOLD_AT && pw_held_is_contact(c, law) && c->now.frame.length[row] > 0;
  double fall = held ? pw_held_fall(c, row) : 0;
  return held && fall > 0 && pw_held_height(c, row, fall) > PW_SCALE(LOWEST_BOUNCE) &&
         !pw_held_stands(c, law);
}

bool pw_held_is_resolved(const pw_contacts *c) {
  bool any = false;
  for (int i = 0; i < system_of(c)->ni; i++) {
    any = any || pw_held_is_resolved_at(c, i);
  }
  return any;
}

/* contacts (K2): flights up to this one are hidden by rounding, whichever of the held contacts
 * flies; 0: none falls. */
double pw_held_hidden_flight(const pw_contacts *c) {
  const pw_system *s = system_of(c);
  double shortest = INFINITY;
  for (int i = 0; i < s->ni; i++) {
    int row = s->nc + i;
    double fall = pw_held_fall(c, row), none = PW_SCALE(NEGLIGIBLE) * c->modes.scale;
    if (c->now.hold[i] == PW_HOLD_AT && pw_held_is_contact(c, i) &&
        fall > none * c->now.frame.length[row]) {
      double height = PW_SCALE(LOWEST_BOUNCE) * pw_held_terms(c, row);
      shortest = fmin(shortest, 2 * sqrt(2 * height / fall));
    }
  }
  return isfinite(shortest) ? shortest : 0;
}
