// SPDX-License-Identifier: MIT
/* Impacts one after the other at one instant that never end, theory, section 20: contacts pass an
 * impulse back and forth, and lose a part of it each time. All of them are stopped. */
#include <math.h>
#include <string.h>

#include "sim/instant.h"

static const pw_system *system_of(const pw_contacts *c) {
  return c->watch.s->mech->sys;
}

static bool is_struck(const pw_contacts *c, int law) {
  return c->impact.law[law].touches && c->impact.impulse[system_of(c)->nc + law] != 0;
}

static int note_impact(const pw_contacts *c, pw_cascade *k) {
  const pw_system *s = system_of(c);
  uint64_t key = PW_KEY;
  double size = 0;
  for (int i = 0; i < s->ni; i++) {
    if (is_struck(c, i)) {
      key = pw_key_add(key, i);
      size += fabs(c->impact.impulse[s->nc + i]) * c->now.frame.length[s->nc + i];
    }
  }
  return pw_cascade_hit(k, key, size);
}

/* Nothing is held yet, but for laws that stay admissible. */
static void begin_period(pw_contacts *c) {
  memset(c->impact.scratch.share, 0, (size_t)c->now.frame.m * sizeof *c->impact.scratch.share);
  for (int i = 0; i < system_of(c)->ni; i++) {
    bool above = c->impact.law[i].touches || pw_is_one_sided(&system_of(c)->law[i]);
    c->now.hold[i] = above ? PW_HOLD_ABOVE : PW_HOLD_NOT;
  }
}

/* What each law loses in a period it loses, by the same ratio, in all the others. */
static void add_impact(pw_contacts *c) {
  for (int i = 0; i < c->now.frame.m; i++) {
    c->impact.scratch.share[i] += c->impact.impulse[i] != 0 ? c->impact.energy[i] : 0;
  }
  for (int i = 0; i < system_of(c)->ni; i++) {
    c->now.hold[i] = is_struck(c, i) ? PW_HOLD_AT : c->now.hold[i];
  }
}

pawl_status pw_instant_collapse(pw_contacts *c, pw_cascade *k) {
  int period = note_impact(c, k);
  if (period == 0) {
    k->seen = 0;
    return PAWL_OK;
  }
  if (k->seen == 0) {
    begin_period(c);
  } else {
    add_impact(c);
  }
  if (k->seen++ < period) {
    return PAWL_OK;
  }
  k->n = k->seen = 0;
  c->now.collapsed = true;
  return pw_instant_stop(c);
}
