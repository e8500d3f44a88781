// SPDX-License-Identifier: MIT
/* The instant: what must hold between its phases, whatever the model. Asserted in debug and
 * sanitizer builds only. */
#include <math.h>

#include "law/scale_static.h"
#include "sim/instant.h"

static const pw_system *system_of(const pw_contacts *c) {
  return c->watch.s->mech->sys;
}

/* Events fit into the log, are of laws that exist and happen now, with numbers. */
static bool log_holds(const pw_contacts *c) {
  const pw_instant *x = &c->now;
  bool holds = x->n_log >= 0 && x->n_log <= pw_instant_room(system_of(c));
  for (int i = 0; holds && i < x->n_log; i++) {
    const pw_contact_event *e = &x->log[i];
    holds = e->law >= 0 && e->law < system_of(c)->ni && e->t == c->watch.s->t &&
            isfinite(e->impulse) && isfinite(e->dE);
  }
  return holds;
}

/* Contacts push, unless a rough one pulls; what is not a contact nor its slip, nor an equality, has
 * no impulse. */
static bool impulses_hold(const pw_contacts *c) {
  const pw_system *s = system_of(c);
  const pw_law_set pushes = pw_law_pushes();
  double most = 0;
  for (int i = 0; i < s->nr; i++) {
    if (!isfinite(c->now.kick[i])) {
      return false;
    }
    most = fmax(most, fabs(c->now.kick[i]) * c->now.frame.length[i]);
  }
  for (int i = 0; i < s->ni; i++) {
    int row = s->nc + i;
    double kick = c->now.kick[row] * c->now.frame.length[row];
    bool pulls = !pw_law_set_contains(&pushes, &kick, PW_SCALE(NEGLIGIBLE) * most);
    if (pw_is_contact(&s->law[i]) && s->row[row].by < 0 && pulls && !c->impact.adhesive) {
      return false;
    }
  }
  return true;
}

/* Walls are never below, closed contacts stand still, rough rows follow their contacts, both rows
 * of a slip in the plane go together. */
static bool modes_hold(const pw_contacts *c) {
  const pw_system *s = system_of(c);
  for (int i = 0; i < s->ni; i++) {
    const pw_law_form *form = &s->law[i];
    unsigned char mode = c->mode[i];
    bool still = !pw_is_contact(form) || mode != PW_CLOSED || pw_instant_is_still(c, s->nc + i);
    bool follows = !pw_is_rough(form) || (mode == PW_OPEN) == (c->mode[form->contact] == PW_OPEN ||
                                                               c->smooth[form->contact] != 0);
    bool together = !pw_in_plane(form) || (mode == PW_OPEN) == (c->mode[form->group] == PW_OPEN);
    if (mode > PW_BELOW || (form->wall && mode == PW_BELOW) || !still || !follows || !together) {
      return false;
    }
  }
  return true;
}

bool pw_instant_holds(const pw_contacts *c, pw_instant_phase phase) {
  switch (phase) {
  case PW_AFTER_LOOK: return c->now.n_log == 0;
  case PW_AFTER_IMPACTS: return log_holds(c) && (c->now.collapsed || impulses_hold(c));
  case PW_AFTER_REST: return log_holds(c);
  case PW_AFTER_MODES: return log_holds(c) && modes_hold(c);
  }
  return false;
}
