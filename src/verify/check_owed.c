// SPDX-License-Identifier: MIT
/* Impacts that are owed: an impact has left a contact closing, so another one has to follow. */
#include "verify/checker.h"

static void note_owed(pawl_certifier *c) {
  const pw_owed *o = &c->jumps.owed;
  pw_verify_found f =
      pw_found(o->value / o->speed, o->tiny / o->speed, o->t, o->law, PW_RULE_IMPACT_OWED);
  pw_found_note(&c->record, PW_FINDING_IMPACT, f);
  pw_reason_note(&c->record, PW_RULE_IMPACT_OWED, o->t, f.value);
}

/* At a jump at t: a contact that was left out since its gap was open cannot be met at once. */
void pw_owed_pay(pawl_certifier *c, double t) {
  pw_owed *o = &c->jumps.owed;
  if (o->value > 0 && t < o->from) {
    note_owed(c);
  }
  o->value = 0;
}

/* Tables by others need not show the jump: what is between their rows is balanced, and a gap that
 * is crossed shows. With impact laws left open the velocities after a jump that they show are
 * asked to lead out of what is closed, and nothing else shows that they do not. */
void pw_owed_settle(pawl_certifier *c, double t) {
  pw_owed *o = &c->jumps.owed;
  bool asked = c->opts.any_impact_law && o->now;
  if (o->value > 0 && t > o->until && c->data.find_noise && !asked) {
    o->value = 0;
  }
  if (o->value > 0 && t > o->until) {
    note_owed(c);
    o->value = 0;
  }
}
