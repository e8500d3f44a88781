// SPDX-License-Identifier: MIT
/* Rates that count as zero are made so at the end of an instant. */
#include <math.h>

#include "sim/instant.h"

pawl_status pw_instant_calm(pw_contacts *c) {
  const pw_system *s = c->watch.s->mech->sys;
  bool opens = false, moves = false;
  for (int i = 0; i < s->ni; i++) {
    int row = s->nc + i;
    const pw_impact_law *law = &c->impact.law[i];
    bool open = law->touches && c->mode[i] == PW_OPEN && pw_instant_is_still(c, row);
    bool closed = c->mode[i] == PW_CLOSED && !law->is_friction;
    double rate = closed ? fabs(c->frame.rate[row]) : open ? -c->frame.rate[row] : 0;
    opens = opens || open;
    moves = moves || rate > 1e-3 * pw_impact_still(&c->impact, &c->frame, row);
    c->hold[i] = closed ? PW_HOLD_AT : open || law->one_sided ? PW_HOLD_ABOVE : PW_HOLD_NOT;
  }
  return opens && moves ? pw_instant_jump(c, pw_impact_hold, c->hold) : PAWL_OK;
}
