// SPDX-License-Identifier: MIT
/* The events of the point where a simulation stands, as users see them. */
#include <math.h>
#include <string.h>

#include "sim/sim_state.h"

int pw_sim_logged(const pawl_sim *sim) {
  return sim->method == &pw_heap_method ? *sim->heap.n_log : sim->contacts.now.n_log;
}

int pawl_sim_events(const pawl_sim *sim) {
  return sim == NULL       ? 0
         : sim->at_contact ? pw_sim_logged(sim)
         : sim->at_event   ? sim->events.n_now
                           : 0;
}

static pawl_event contact_event(const pawl_sim *sim, int i) {
  const pw_contact_event *e = &sim->contacts.now.log[i];
  int row = sim->sys->row_of[sim->sys->nc + e->law];
  /* a servo engages with an impulse, a rest has that of the impacts left out */
  bool struck = e->kind == PW_IMPACT || e->kind == PW_REST || e->impulse != 0;
  const pw_row *stated = &sim->model->rows.items[row];
  bool whole = strcmp(stated->name, stated->law) == 0; /* not one component of a vector */
  return (pawl_event){.t = e->t,
                      .kind = pw_contact_kind_name(e->kind),
                      .at = stated->law,
                      .cluster = sim->clusters,
                      .n_impulse = struck ? 1 : 0,
                      .impulse = &e->impulse,
                      .n_tied = e->n_tied,
                      .tied = sim->contacts.now.tied + e->tied,
                      .dE = e->dE,
                      .flag = pw_contact_flag(e),
                      .rate_before = struck ? e->rate_before : NAN,
                      .rate_after = struck ? e->rate_after : NAN,
                      .force = whole && sim->at.ready ? sim->at.force[row] : NAN};
}

static pawl_event heap_event(const pawl_sim *sim, int i) {
  const pw_heap_event *e = &sim->heap.log[i];
  bool struck = e->kind == PW_IMPACT;
  const char *flag = e->gains ? "ENERGY_INCREASE" : e->unsure ? "NORMAL_CHOSEN" : NULL;
  return (pawl_event){.t = sim->t,
                      .kind = pw_contact_kind_name((pw_contact_kind)e->kind),
                      .at = pw_heap_name(&sim->heap, i, e->pile, e->shape, e->point),
                      .cluster = sim->clusters,
                      .n_impulse = struck ? 1 : 0,
                      .impulse = &e->impulse,
                      .dE = e->dE,
                      .flag = flag,
                      .rate_before = e->before,
                      .rate_after = e->after,
                      .force = NAN};
}

pawl_event pawl_sim_event(const pawl_sim *sim, int i) {
  if (i < 0 || i >= pawl_sim_events(sim)) {
    return (pawl_event){.t = NAN};
  }
  if (sim->at_contact && sim->method == &pw_heap_method) {
    return heap_event(sim, i);
  }
  if (sim->at_contact) {
    return contact_event(sim, i);
  }
  const pw_event_def *d = &sim->model->events.items[sim->events.now[i]];
  return (pawl_event){.t = sim->t,
                      .kind = d->stop    ? "stop"
                              : d->every ? "strobe"
                                         : "user",
                      .at = d->name,
                      .cluster = sim->clusters,
                      .rate_before = NAN,
                      .rate_after = NAN,
                      .force = NAN};
}
