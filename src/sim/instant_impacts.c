// SPDX-License-Identifier: MIT
/* The instant: impacts until no contact closes (theory, section 20). */
#include "linalg/dense.h"
#include "sim/instant.h"

enum { MAX_CASCADE = 5000 };

static const pw_system *system_of(const pw_contacts *c) {
  return c->watch.s->mech->sys;
}

pw_outcome pw_jump_by_impact(pw_impact *p, const pw_frame *f, const unsigned char *hold) {
  (void)hold;
  return pw_impact_solve(p, f);
}

/* A new flight begins for all that were a part of the impact, also for one whose impulse another
 * contact has taken: two contacts of the same gap are told apart by nothing. */
static void note_met(pw_contacts *c) {
  for (int i = 0; i < system_of(c)->ni; i++) {
    if (c->impact.law[i].touches) {
      c->size.met[i] = c->watch.s->t;
      c->size.recent[i] = 0;
    }
  }
}

pawl_status pw_instant_strike(pw_contacts *c) {
  pw_cascade cascade = {.n = 0};
  for (int hits = 0; hits < MAX_CASCADE; hits++) {
    pw_instant_describe(c);
    pawl_status status = pw_instant_check_gradients(c);
    if (status != PAWL_OK || !pw_impact_needed(&c->impact, &c->now.frame, c->now.frame.rate)) {
      return status;
    }
    int undefined = pw_impact_undefined(&c->impact);
    status = undefined < 0 ? pw_instant_jump(c, pw_jump_by_impact, NULL)
                           : pw_instant_fail(c, PW_TROUBLE_RESTITUTION, undefined);
    if (status != PAWL_OK) {
      return status;
    }
    c->now.hits++;
    note_met(c);
    pw_axpy(1, c->impact.impulse, c->now.kick, c->now.frame.m);
    pw_instant_log_impacts(c, false);
    status = pw_instant_collapse(c, &cascade);
    if (status != PAWL_OK) {
      return status;
    }
  }
  return pw_instant_fail(c, PW_TROUBLE_CASCADE, system_of(c)->nc + c->now.log[0].law);
}
