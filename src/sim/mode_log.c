// SPDX-License-Identifier: MIT
/* The log of an instant: what a change of mode is called. */
#include <math.h>

#include "law/scale_sim.h"
#include "sim/instant.h"

static const pw_system *system_of(const pw_contacts *c) {
  return c->watch.s->mech->sys;
}

void pw_instant_log(pw_contacts *c, pw_contact_event event) {
  c->now.log[c->now.n_log++] = event;
  c->left[event.law] = c->watch.s->t;
  c->size.recent[event.law] = 0;
}

static bool at_kink(unsigned char mode) {
  return mode == PW_CLOSED || mode == PW_RESTING;
}

/* The force of a slip jumps where it is zero, or there is more to sticking: not a mere kink. */
static bool has_step(const pw_contacts *c, int law) {
  pw_law_row row = pw_contacts_law(c, law);
  bool jumps = !(fabs(row.right - row.left) <= PW_SCALE(SAME_FORCE) * fabs(row.left));
  return pw_in_plane(row.form) ? pw_law_radius(&row, false) != 0 : jumps || row.limit > 0;
}

/* ---- laws on a stretch ---- */

/* The side of a spring's kink where there is play, PW_CLOSED: none. The kinks of a play with two
 * ends stand in their order. */
static unsigned char play_of(const pw_contacts *c, int law) {
  const pw_system *s = system_of(c);
  const pw_row *row = pw_contacts_row(c, law);
  int at = s->row_of[s->nc + law];
  bool first = s->index_of[at] == s->nc + law;
  bool alone = first && (law + 1 == s->ni || s->row_of[s->nc + law + 1] != at);
  if (row->kind != PW_KIND_SPRING || row->clause.play_lo == row->clause.play_hi) {
    return PW_CLOSED;
  }
  bool below =
      alone && row->clause.play_lo >= 0 && isinf(pw_node_value(s->model->dag, row->clause.play_lo));
  return first && !below ? PW_OPEN : PW_BELOW;
}

/* -force of the whole law with this kink left to one of its sides. */
static double force_beside(const pw_contacts *c, int law, unsigned char mode) {
  const pw_system *s = system_of(c);
  double sum = 0;
  for (int i = 0; i < s->ni; i++) {
    unsigned char side = i == law ? mode : c->mode[i];
    if (s->row_of[s->nc + i] == s->row_of[s->nc + law] && !at_kink(side)) {
      pw_law_row row = pw_contacts_law(c, i);
      sum += pw_law_force(row.form, side == PW_OPEN ? row.right : row.left);
    }
  }
  return sum;
}

/* A law takes hold where its play ends, where it holds the stretch at a jump of its force, and
 * where it comes to act beyond one with a force that is not smaller; it lets go where the reverse
 * happens. False: the force goes on without a jump. */
static bool name_hold(const pw_contacts *c, int law, pw_contact_kind *kind) {
  const pw_row *row = pw_contacts_row(c, law);
  unsigned char was = c->now.was[law], mode = c->mode[law];
  if (row->kind == PW_KIND_VISCOUS) {
    *kind = mode == PW_BELOW ? PW_ENGAGE : PW_RELEASE;
    return (was == PW_BELOW) != (mode == PW_BELOW);
  }
  if (row->clause.several >= 0 && at_kink(was) != at_kink(mode)) { /* pieces of a maximum: (P9) */
    *kind = at_kink(mode) ? PW_ENGAGE : PW_RELEASE;
    return true;
  }
  double left = force_beside(c, law, PW_BELOW), right = force_beside(c, law, PW_OPEN);
  double length = c->now.frame.length[system_of(c)->nc + law], size = fmax(fabs(left), fabs(right));
  bool jumps =
      fabs(right - left) * length > PW_SCALE(SAME_FORCE) * fmax(c->modes.scale, size * length);
  unsigned char play = play_of(c, law);
  int old = at_kink(was) && jumps ? 2 : was != play,
      now = at_kink(mode) && jumps ? 2 : mode != play;
  if (old != now) {
    *kind = now > old ? PW_ENGAGE : PW_RELEASE;
    return true;
  }
  double before = fabs(was == PW_OPEN ? right : left), after = fabs(mode == PW_OPEN ? right : left);
  *kind = after >= before - PW_SCALE(SAME_FORCE) * size ? PW_ENGAGE : PW_RELEASE;
  return jumps && !at_kink(mode);
}

/* Friction at a contact that has just closed did not act before; its slip turns round if the one
 * impact has made it do so. */
static bool turned(const pw_contacts *c, int law) {
  double before = c->now.rate_before[system_of(c)->nc + law];
  return c->now.hits == 1 && (c->mode[law] == PW_OPEN ? before < 0 : before > 0);
}

bool pw_contacts_name_change(const pw_contacts *c, int law, pw_contact_kind *kind) {
  const pw_row *row = pw_contacts_row(c, law);
  unsigned char was = c->now.was[law], mode = c->mode[law];
  bool before = at_kink(was), now = at_kink(mode);
  if (row->kind == PW_KIND_SERVO || pw_kind_imposed(row->kind) == PW_IMPOSED_STATE) {
    *kind = now ? PW_ENGAGE : PW_RELEASE;
    return before != now;
  }
  if (system_of(c)->law[law].wall) {
    const pw_law_form *form = &system_of(c)->law[law];
    *kind = pw_is_one_sided(form) ? (now ? PW_ENGAGE : PW_RELEASE) : (now ? PW_CLOSE : PW_LIFTOFF);
    return before != now && !pw_is_rough(form);
  }
  int on = system_of(c)->law[law].on, plane = system_of(c)->law[law].group;
  if ((on >= 0 && !at_kink(c->mode[on])) || (plane >= 0 && plane != law)) {
    return false;
  }
  if (row->on_velocity && row->kind != PW_KIND_VISCOUS) {
    *kind = now ? PW_STICK : before ? PW_SLIP : PW_REVERSE;
    bool listed = *kind != PW_REVERSE || on < 0 || at_kink(c->now.was[on]) || turned(c, law);
    return was != mode && !(before && now) && has_step(c, law) && listed;
  }
  return name_hold(c, law, kind);
}

void pw_contacts_log_changes(pw_contacts *c) {
  const pw_system *s = system_of(c);
  for (int i = 0; i < s->ni; i++) {
    bool changed = c->now.was[i] != c->mode[i], struck = c->now.kick[s->nc + i] != 0;
    pw_contact_kind kind;
    if (changed && pw_contacts_name_change(c, i, &kind) && !(at_kink(c->mode[i]) && struck)) {
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

void pw_contacts_log_start(pw_contacts *c) {
  int n = c->now.n_log;
  for (int k = 0; k < n; k++) {
    int law = c->now.log[k].law;
    if (c->now.log[k].jams && c->mode[law] == PW_OPEN) {
      double left = c->left[law];
      pw_instant_log(c, (pw_contact_event){.kind = PW_LIFTOFF,
                                           .law = law,
                                           .t = c->watch.s->t,
                                           .chosen = c->paradox.settled,
                                           .indifferent = pw_contacts_indifferent(c, law)});
      c->left[law] = left;
    }
  }
}
