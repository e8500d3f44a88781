// SPDX-License-Identifier: MIT
/* The instant: contacts a little below zero are put on it, and those that were hit together. */
#include "linalg/dense.h"
#include "sim/instant.h"

static const pw_system *system_of(const pw_contacts *c) {
  return c->watch.s->mech->sys;
}

static bool is_on_positions(const pw_contacts *c, int law) {
  return system_of(c)->law[law].wall && !pw_contacts_row(c, law)->on_velocity;
}

static bool is_low(const pw_contacts *c, int law) {
  return is_on_positions(c, law) &&
         c->now.frame.value[system_of(c)->nc + law] < -pw_contacts_rounding(c, law, c->size.step);
}

static bool is_hit(const pw_contacts *c, int law) {
  int row = system_of(c)->nc + law;
  return is_on_positions(c, law) && c->now.kick[row] != 0 &&
         c->now.frame.value[row] <= pw_contacts_zero(c, law);
}

/* A little before it was reached: what errors of the steps have put between contacts that are hit
 * together would tell them apart in smaller bounces. */
static bool is_high(const pw_contacts *c, int law) {
  double value = c->now.frame.value[system_of(c)->nc + law];
  return is_hit(c, law) && value > pw_contacts_rounding(c, law, c->size.step);
}

/* Several contacts are hit, and one of them is high: all of them are put on zero, or the one would
 * lift the others. */
static bool hit_together(const pw_contacts *c) {
  int hit = 0;
  bool high = false;
  for (int i = 0; i < system_of(c)->ni; i++) {
    hit += is_hit(c, i);
    high = high || is_high(c, i);
  }
  return hit > 1 && high;
}

/* Puts marked laws on zero. */
static pawl_status put(pw_contacts *c) {
  pw_stepper *s = c->watch.s;
  pw_mech_close(s->mech, c->modes.closed);
  pawl_status status = pw_mech_project_q(s->mech, s->t, s->y, s->side, 0, s->work.e_x);
  pw_contacts_impose(c);
  return status;
}

pawl_status pw_instant_lift(pw_contacts *c) {
  pw_stepper *s = c->watch.s;
  const pw_system *sys = system_of(c);
  bool low = false, high = hit_together(c);
  for (int i = 0; i < sys->ni; i++) {
    bool below = is_low(c, i);
    c->modes.closed[i] = (high && is_hit(c, i)) || below ? PW_AT_KINK : pw_mode_state(c->mode[i]);
    low = low || below;
  }
  if (!low && !high) {
    return PAWL_OK;
  }
  pw_copy(c->now.place, s->y, s->nq);
  pawl_status status = put(c);
  if (status != PAWL_OK && high) { /* not all at once: only what must be */
    pw_stepper_place(s, c->now.place, NULL, NULL);
    for (int i = 0; i < sys->ni; i++) {
      c->modes.closed[i] = is_low(c, i) ? PW_AT_KINK : pw_mode_state(c->mode[i]);
    }
    status = low ? put(c) : PAWL_OK;
  }
  return status == PAWL_OK ? pw_instant_look(c) : status;
}
