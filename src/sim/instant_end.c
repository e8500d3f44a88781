// SPDX-License-Identifier: MIT
/* The instant: what is kept of it for the motion that follows. */
#include <math.h>

#include "sim/instant.h"

static const pw_system *system_of(const pw_contacts *c) {
  return c->watch.s->mech->sys;
}

void pw_instant_keep_impulses(pw_contacts *c) {
  const pw_system *s = system_of(c);
  bool jumped = false;
  for (int i = 0; i < s->nr; i++) {
    jumped = jumped || c->now.kick[i] != 0;
  }
  for (int i = 0; jumped && i < s->nr; i++) {
    if (i < s->nc || c->now.kick[i] != 0) { /* equalities take part in every jump */
      c->impulse[s->row_of[i]] = fabs(s->row[i].unit) * c->watch.s->mech->sense[i] * c->now.kick[i];
    }
  }
  pw_events_tie(c, c->now.kick);
  if (jumped) {
    pw_mech_impulses(c->watch.s->mech, c->impulse);
  }
}

void pw_instant_revise_rest(pw_contacts *c) {
  bool any = false;
  for (int i = 0; i < system_of(c)->ni; i++) {
    if (c->rest.due[i] && c->mode[i] == PW_OPEN && !pw_contacts_indifferent(c, i)) {
      pw_instant_add_rest(c, i);
      c->rest.due[i] = 0;
    }
    any = any || c->rest.due[i];
  }
  c->rest.time = any ? c->rest.time : INFINITY;
}

/* A velocity as far below zero as the tolerance of the start allows. */
static bool is_slow(const pw_contacts *c, int law) {
  int row = system_of(c)->nc + law;
  bool below = system_of(c)->law[law].wall && c->now.frame.value[row] < 0;
  return below && pw_contacts_row(c, law)->on_velocity && pw_instant_is_still(c, row);
}

/* What is left of a gap that counts as closed. It stays as it is while the body bounces: contacts
 * that were hit together are hit together again, though their flights have become smaller. */
static double residue(const pw_contacts *c, int law) {
  int row = system_of(c)->nc + law;
  bool met = c->impact.law[law].touches || c->now.kick[row] != 0;
  return met ? fmax(c->now.frame.value[row], 0) : 0;
}

void pw_instant_note_begins(pw_contacts *c) {
  for (int i = 0; i < system_of(c)->ni; i++) {
    bool beside = c->mode[i] == PW_OPEN || c->mode[i] == PW_BELOW;
    int plane = system_of(c)->law[i].group;
    bool small =
        plane >= 0 ? pw_slip_is_small(c, plane) : pw_instant_is_small(c, i) || is_slow(c, i);
    c->begins[i] = beside ? small : c->modes.faint[i];
    c->size.residue[i] = residue(c, i);
  }
}
