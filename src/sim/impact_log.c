// SPDX-License-Identifier: MIT
/* The log of an instant: what its jumps did at each law. */
#include <math.h>

#include "law/scale_sim.h"
#include "linalg/dense.h"
#include "sim/instant.h"

static const pw_system *system_of(const pw_contacts *c) {
  return c->watch.s->mech->sys;
}

double pw_instant_slip_energy(const pw_contacts *c, int law) {
  const pw_system *s = system_of(c);
  double sum = 0;
  for (int i = 0; i < s->ni; i++) {
    sum += s->law[i].contact == law ? c->impact.energy[s->nc + i] : 0;
  }
  return sum;
}

/* What rounding leaves of a rate that a law makes zero is zero. */
static double clean(const pw_contacts *c, int row, double rate) {
  double speed = c->now.frame.length[row] * pw_norm2(c->now.base, c->now.frame.n);
  return fabs(rate) <= PW_SCALE(NOISE) * (speed + fabs(c->now.rate_before[row])) ? 0 : rate;
}

/* In a cascade at one instant each contact has one entry: sums, first rate before, last after. */
static pw_contact_event *entry_of(pw_contacts *c, int law) {
  int row = system_of(c)->nc + law, k = 0;
  while (k < c->now.n_log && c->now.log[k].law != law) {
    k++;
  }
  if (k == c->now.n_log) {
    bool joins = system_of(c)->row[row].by >= 0 && c->now.was[law] != PW_CLOSED;
    pw_instant_log(c, (pw_contact_event){.kind = joins ? PW_ENGAGE : PW_IMPACT,
                                         .law = law,
                                         .t = c->watch.s->t,
                                         .rate_before = clean(c, row, c->now.rate_before[row])});
  }
  return &c->now.log[k];
}

static void log_impact(pw_contacts *c, int law, bool gains, bool jams) {
  int row = system_of(c)->nc + law;
  pw_contact_event *e = entry_of(c, law);
  bool driven = system_of(c)->row[row].by >= 0;
  e->impulse = c->watch.s->mech->sense[row] * c->now.kick[row];
  e->dE += driven ? c->impact.work[row] : c->impact.energy[row] + pw_instant_slip_energy(c, law);
  e->gains = e->gains || gains;
  e->jams = e->jams || jams;
  e->adhesive = e->adhesive || c->impact.adhesive;
  e->ambiguous = e->ambiguous || c->impact.ambiguous;
  e->shared = e->shared || c->impact.scratch.shared[row];
  e->rate_after = clean(c, row, c->impact.rate[row]);
  if (jams) { /* the contact did not close */
    e->rate_before = 0;
    e->rate_after = pw_instant_is_still(c, row) ? 0 : e->rate_after;
  }
}

void pw_instant_log_impacts(pw_contacts *c, bool jams) {
  const pw_system *sys = system_of(c);
  double total = 0, most = 0; /* impulse in the metric */
  for (int i = 0; i < sys->nr; i++) {
    total += c->impact.energy[i];
    most = fmax(most, fabs(c->impact.impulse[i]) * c->now.frame.length[i]);
  }
  bool gains = total > PW_SCALE(GAIN) * c->size.speed * c->size.speed;
  for (int i = 0; i < sys->ni; i++) {
    double impulse = fabs(c->impact.impulse[sys->nc + i]) * c->now.frame.length[sys->nc + i];
    if (impulse > PW_SCALE(NOISE) * most && !pw_is_contact_slip(&sys->law[i])) {
      log_impact(c, i, gains, jams);
    }
  }
}

void pw_instant_add_rest(pw_contacts *c, int law) {
  int row = system_of(c)->nc + law;
  double impulse = c->rest.impulse[law];
  c->rest.impulse[law] = 0;
  if (impulse == 0 && c->rest.energy[law] == 0) {
    return;
  }
  c->now.kick[row] += impulse;
  bool hit = false;
  for (int k = 0; k < c->now.n_log; k++) {
    hit = hit || c->now.log[k].law == law;
  }
  if (hit || pw_is_one_sided(&system_of(c)->law[law])) { /* else it stood still, to rounding */
    pw_contact_event *e = entry_of(c, law);
    e->impulse = c->watch.s->mech->sense[row] * c->now.kick[row];
    e->dE += c->rest.energy[law];
    e->rate_after = c->now.frame.rate[row];
  }
}
