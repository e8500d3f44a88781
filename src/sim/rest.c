// SPDX-License-Identifier: MIT
/* The event `rest`: bounces that were left out are over, contacts (K3). Until then the contact is
 * carried by its force. */
#include <math.h>

#include "law/scale_sim.h"
#include "sim/contact.h"

void pw_rest_owe(pw_contacts *c, int law, double impulse, double energy) {
  bool due = c->rest.due[law] != 0; /* put off, at this time */
  c->rest.impulse[law] = impulse + (due ? c->rest.impulse[law] : 0);
  c->rest.energy[law] = energy + (due ? c->rest.energy[law] : 0);
  c->rest.since[law] = c->watch.s->t;
}

/* Impulse of the force that carries the contact, from the jump that stopped it to the rest. */
static double carried(const pw_contacts *c, int law) {
  const pw_mech *m = c->watch.s->mech;
  double wait = c->rest.time - c->rest.since[law];
  return wait > 0 ? m->lambda[m->sys->nc + law] * wait : 0;
}

/* How long it would have pulled from the time of the rest on; what is no time is none. */
static double missing_time(const pw_contacts *c, int law) {
  double impulse = c->rest.impulse[law] + carried(c, law);
  double force = c->watch.s->mech->lambda[c->watch.s->mech->sys->nc + law];
  double wait = impulse < 0 && force > 0 ? -impulse / force : 0;
  return wait > PW_SCALE(NO_TIME) * fabs(c->rest.time) ? wait : 0;
}

/* What happens before (K3) meets contacts that would have pulled until now: they come to rest by
 * the time at which they have not. */
static double put_off(pw_contacts *c, int law) {
  double wait = c->pending ? missing_time(c, law) : 0;
  if (wait > 0) {
    c->rest.impulse[law] += carried(c, law);
    c->rest.since[law] = c->rest.time;
  }
  return wait;
}

/* Rounding of the time makes no impulse. */
static double left_out(const pw_contacts *c, int law) {
  double impulse = c->rest.impulse[law] + carried(c, law);
  bool none = impulse < 0 && missing_time(c, law) == 0 &&
              c->watch.s->mech->lambda[c->watch.s->mech->sys->nc + law] > 0;
  return none ? 0 : c->sense[c->watch.s->mech->sys->nc + law] * impulse;
}

void pw_contacts_rest(pw_contacts *c) {
  const pw_mech *m = c->watch.s->mech;
  double longest = 0, t = c->rest.time;
  c->now.n_log = 0;
  for (int i = 0; i < m->sys->ni; i++) {
    double wait = c->rest.due[i] ? put_off(c, i) : 0;
    longest = fmax(longest, wait);
    if (c->rest.due[i] && wait == 0) {
      c->now.log[c->now.n_log++] = (pw_contact_event){.kind = PW_REST,
                                                      .law = i,
                                                      .t = t,
                                                      .impulse = left_out(c, i),
                                                      .dE = c->rest.energy[i],
                                                      .rate_before = NAN,
                                                      .rate_after = NAN};
      c->rest.due[i] = 0;
    }
  }
  c->rest.put_off = longest > 0 ? t : (double)NAN;
  c->rest.time = longest > 0 ? t + longest : INFINITY;
}
