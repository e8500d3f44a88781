// SPDX-License-Identifier: MIT
/* The impulses that go with those of the events: friction and rough slips with their contact; what
 * has no event of its own, equalities among it, with the first jump of the instant. Together the
 * impulses of all events of an instant are its whole jump, theory (55). */
#include <math.h>

#include "sim/contact.h"

static bool jumps(const pw_contact_event *e) {
  return e->kind == PW_IMPACT || e->impulse != 0;
}

/* The event that a row belongs to, or -1: it is itself one. */
static int owner_of(const pw_contacts *c, const pw_system *s, int row) {
  int law = row - s->nc, contact = law >= 0 ? s->law[law].contact : -1, first = -1, own = -1;
  for (int k = c->now.n_log - 1; k >= 0; k--) {
    const pw_contact_event *e = &c->now.log[k];
    if (jumps(e)) {
      first = k;
      own = contact >= 0 && e->law == contact ? k : own;
    }
    if (e->law == law && jumps(e)) {
      return -1;
    }
  }
  return own >= 0 ? own : first;
}

void pw_events_tie(pw_contacts *c, const double *impulse) {
  const pw_system *s = c->watch.s->mech->sys;
  int n = 0;
  for (int k = 0; k < c->now.n_log; k++) {
    pw_contact_event *e = &c->now.log[k];
    e->tied = n;
    for (int i = 0; i < s->nr && jumps(e); i++) {
      if (impulse[i] != 0 && owner_of(c, s, i) == k) {
        double value = fabs(s->row[i].unit) * c->watch.s->mech->sense[i] * impulse[i];
        c->now.tied[n++] = (pawl_tied){.law = s->row_of[i], .impulse = value};
      }
    }
    e->n_tied = n - e->tied;
  }
}
