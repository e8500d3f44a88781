// SPDX-License-Identifier: MIT
/* The log of an instant: what a change of mode is called. */
#include <math.h>

#include "sim/instant.h"

static const pw_system *system_of(const pw_contacts *c) {
  return c->watch.s->mech->sys;
}

void pw_instant_log(pw_contacts *c, pw_contact_event event) {
  c->log[c->n_log++] = event;
  c->left[event.law] = c->watch.s->t;
}

static bool at_kink(unsigned char mode) {
  return mode == PW_CLOSED || mode == PW_RESTING;
}

/* Size of the force beside the kink, or at it the larger of both: what a spring engages with. */
static double side_size(const pw_contacts *c, int law, unsigned char mode) {
  double left = fabs(c->graph[2 * law]), right = fabs(c->graph[2 * law + 1]);
  return mode == PW_OPEN ? right : mode == PW_BELOW ? left : fmax(left, right);
}

/* The force of a slip jumps where it is zero, or there is more to sticking: not a mere kink. */
static bool has_step(const pw_contacts *c, int law) {
  double left = c->graph[2 * law], right = c->graph[2 * law + 1];
  bool plane = system_of(c)->group[law] >= 0, jumps = !(fabs(right - left) <= 1e-9 * fabs(left));
  return plane ? left != 0 : jumps || c->limit[law] > 0;
}

/* What a change of mode is called; false: it has no name (continuous forces). */
static bool name_change(const pw_contacts *c, int law, pw_contact_kind *kind) {
  const pw_row *row = pw_contacts_row(c, law);
  unsigned char was = c->was[law], mode = c->mode[law];
  bool before = at_kink(was), now = at_kink(mode);
  if (row->kind == PW_KIND_SERVO || pw_kind_imposed(row->kind) == PW_IMPOSED_STATE) {
    *kind = now ? PW_ENGAGE : PW_RELEASE;
    return before != now;
  }
  if (system_of(c)->wall[law]) {
    bool one_sided = c->impact.law[law].one_sided;
    *kind = one_sided ? (now ? PW_ENGAGE : PW_RELEASE) : (now ? PW_CLOSE : PW_LIFTOFF);
    return before != now && !c->impact.law[law].is_rough;
  }
  int on = system_of(c)->on[law], plane = system_of(c)->group[law];
  if ((on >= 0 && !at_kink(c->mode[on])) || (plane >= 0 && plane != law)) {
    return false;
  }
  if (row->on_velocity && row->kind != PW_KIND_VISCOUS) {
    *kind = now ? PW_STICK : before ? PW_SLIP : PW_REVERSE;
    return was != mode && !(before && now) && has_step(c, law);
  }
  bool viscous = row->kind == PW_KIND_VISCOUS;
  double old = viscous ? was == PW_BELOW : side_size(c, law, was);
  double size = viscous ? mode == PW_BELOW : side_size(c, law, mode);
  *kind = size > old ? PW_ENGAGE : PW_RELEASE;
  return size != old;
}

void pw_contacts_log_changes(pw_contacts *c) {
  const pw_system *s = system_of(c);
  for (int i = 0; i < s->ni; i++) {
    bool changed = c->was[i] != c->mode[i], struck = c->kick[s->nc + i] != 0;
    pw_contact_kind kind;
    if (changed && name_change(c, i, &kind) && !(at_kink(c->mode[i]) && struck)) {
      pw_instant_log(c, (pw_contact_event){.kind = kind,
                                           .law = i,
                                           .t = c->watch.s->t,
                                           .chosen = c->paradox.settled,
                                           .indifferent = pw_contacts_indifferent(c, i)});
    }
    if (changed || struck || c->fired[i]) {
      c->left[i] = c->watch.s->t;
    }
  }
}
