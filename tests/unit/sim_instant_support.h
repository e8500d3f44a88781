// SPDX-License-Identifier: MIT
/* A phase of an instant alone: a simulation put at a state of the test, with the phases before it
 * run by hand. */
#ifndef PW_TESTS_SIM_INSTANT_SUPPORT_H
#define PW_TESTS_SIM_INSTANT_SUPPORT_H

#include "sim/instant.h"
#include "sim/sim_state.h"
#include "sim_support.h"

/* At positions q and velocities u, with these laws having just acted (ni, NULL: none). */
static inline pw_contacts *put(fixture *f, const double *q, const double *u,
                               const unsigned char *fired) {
  pw_stepper *s = &f->sim->stepper;
  pw_contacts *c = &f->sim->contacts;
  memcpy(s->y, q, (size_t)s->nq * sizeof *q);
  memcpy(s->y + s->nq, u, (size_t)s->nv * sizeof *u);
  for (int i = 0; i < f->sim->sys->ni; i++) {
    c->fired[i] = fired != NULL && fired[i];
  }
  c->now.n_log = c->now.hits = 0;
  c->now.collapsed = false;
  memset(c->now.kick, 0, (size_t)f->sim->sys->nr * sizeof(double));
  memcpy(c->now.was, c->mode, (size_t)f->sim->sys->ni);
  CHECK(pw_instant_look(c) == PAWL_OK);
  pw_mech_restitution(f->sim->mech, s->t, s->y, s->y + s->nq, s->side, c->now.e);
  pw_instant_describe(c);
  return c;
}

static inline double speed_of(const fixture *f, int i) {
  return f->sim->stepper.y[f->sim->stepper.nq + i];
}

#endif
