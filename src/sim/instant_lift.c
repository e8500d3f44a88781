// SPDX-License-Identifier: MIT
/* The instant: contacts a little below zero are put on it. */
#include "sim/instant.h"

static const pw_system *system_of(const pw_contacts *c) {
  return c->watch.s->mech->sys;
}

pawl_status pw_instant_lift(pw_contacts *c) {
  pw_stepper *s = c->watch.s;
  const pw_system *sys = system_of(c);
  bool any = false;
  for (int i = 0; i < sys->ni; i++) {
    int row = sys->nc + i;
    bool low = sys->law[i].wall && !pw_contacts_row(c, i)->on_velocity &&
               c->now.frame.value[row] < -pw_contacts_rounding(c, i, c->size.step);
    c->modes.closed[i] = low ? PW_AT_KINK : pw_mode_state(c->mode[i]);
    any = any || low;
  }
  if (!any) {
    return PAWL_OK;
  }
  pw_mech_close(s->mech, c->modes.closed);
  pawl_status status = pw_mech_project_q(s->mech, s->t, s->y, s->side, 0, s->work.e_x);
  pw_contacts_impose(c);
  return status == PAWL_OK ? pw_instant_look(c) : status;
}
