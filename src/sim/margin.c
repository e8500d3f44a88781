// SPDX-License-Identifier: MIT
/* The margin of Painleve's paradox along the motion (sim/paradox.h): it is announced where it
 * becomes small, approached where it vanishes, and fires there. */
#include <math.h>

#include "law/scale_sim.h"
#include "sim/contact.h"

void pw_margin_follow(pw_contacts *c) {
  const pw_system *s = c->watch.s->mech->sys;
  pw_paradox *p = &c->paradox;
  int friction = -1;
  double margin = NAN;
  for (int i = 0; i < s->ni; i++) {
    bool slides =
        s->law[i].on >= 0 && c->mode[i] != PW_CLOSED && c->mode[s->law[i].on] == PW_CLOSED;
    if (slides && friction < 0) {
      friction = i;
      margin = c->watch.scan.end[s->ni + s->law[i].on];
    }
  }
  if (margin < PW_SCALE(MARGIN_NEAR) && margin < p->last && !p->announced) {
    p->announced = p->due = true;
    p->when = c->watch.s->t;
    p->at = margin;
    p->law = friction;
  }
  p->last = margin;
}

bool pw_margin_jams(pw_contacts *c) {
  pw_stepper *s = c->watch.s;
  for (int i = 0; i < s->mech->sys->ni; i++) {
    if (c->mode[i] == PW_CLOSED && pw_contacts_carries_slip(c, i)) {
      pawl_status status = pw_mech_rates(s->mech, s->t, s->y, s->y + s->nq, s->side);
      if (status != PAWL_OK || fabs(s->mech->margin) > PW_SCALE(MARGIN_GONE)) {
        return false;
      }
      c->fired[i] = 1;
      c->pending = c->paradox.fires = true;
      return true;
    }
  }
  return false;
}

pawl_status pw_margin_approach(pw_contacts *c, int which, double h, bool *shorter) {
  pw_stepper *s = c->watch.s;
  int ni = s->mech->sys->ni, law = which % ni;
  *shorter = false;
  if (!s->mech->sys->law[law].wall || c->mode[law] != PW_CLOSED ||
      !pw_contacts_carries_slip(c, law)) {
    return PAWL_OK;
  }
  pawl_status status = c->watch.at(c, s, s->rk.t + h, c->watch.y, c->watch.values);
  double end = c->watch.values[ni + law];
  if (status == PAWL_OK) {
    status = c->watch.at(c, s, s->rk.t, s->rk.y0, c->watch.values);
  }
  double start = c->watch.values[ni + law];
  *shorter = start > PW_SCALE(MARGIN_GONE) && end <= PW_SCALE(MARGIN_PART) * start &&
             s->rk.t + h / 2 > s->rk.t;
  c->paradox.fires = !*shorter && end <= fmax(PW_SCALE(MARGIN_PART) * start, c->tol);
  return status;
}
