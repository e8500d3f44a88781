// SPDX-License-Identifier: MIT
/* Rates that count as zero are made so at the end of an instant. */
#include <math.h>

#include "law/scale_sim.h"
#include "sim/instant.h"

pawl_status pw_instant_calm(pw_contacts *c) {
  const pw_system *s = c->watch.s->mech->sys;
  bool opens = false, moves = false;
  for (int i = 0; i < s->ni; i++) {
    int row = s->nc + i;
    const pw_law_form *form = &s->law[i];
    bool open = c->impact.law[i].touches && c->mode[i] == PW_OPEN && pw_instant_is_still(c, row);
    bool closed = c->mode[i] == PW_CLOSED; /* also slips that end with a little left of them */
    double rate = closed ? fabs(c->now.frame.rate[row]) : open ? -c->now.frame.rate[row] : 0;
    opens = opens || open;
    moves = moves || rate > PW_SCALE(UNDER_STILL) * pw_impact_still(&c->impact, &c->now.frame, row);
    c->now.hold[i] = closed                          ? PW_HOLD_AT
                     : open || pw_is_one_sided(form) ? PW_HOLD_ABOVE
                                                     : PW_HOLD_NOT;
  }
  return opens && moves ? pw_instant_jump(c, pw_impact_hold, c->now.hold) : PAWL_OK;
}
