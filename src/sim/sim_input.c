// SPDX-License-Identifier: MIT
/* Inputs set from outside, at the current point: the step that reaches beyond it is cut there. */
#include <math.h>

#include "sim/sim_state.h"

/* Ends the last step at the current point; what was found behind it is forgotten. */
static pawl_status come_back(pawl_sim *sim) {
  pw_stepper *s = &sim->stepper;
  if (!(sim->t < s->t)) {
    return PAWL_OK;
  }
  pawl_status status = pw_stepper_cut(s, sim->t - s->rk.t);
  pw_contacts_forget(&sim->contacts);
  pw_surfaces_forget(&sim->surfaces);
  sim->contacts.pending = sim->must_seek = sim->ended = false;
  return status == PAWL_OK ? pw_events_step(&sim->events, true) : status;
}

pawl_status pawl_sim_input(pawl_sim *sim, int i, double value) {
  int slot = sim == NULL ? -1 : pawl_input_position(sim->system, i);
  if (slot < 0 || !isfinite(value)) {
    return PAWL_E_ARGUMENT;
  }
  if (sim->failed != PAWL_OK || sim->stopped || sim->start_jump) {
    return PAWL_E_STATE;
  }
  pw_stepper *s = &sim->stepper;
  pawl_status status = come_back(sim);
  if (status == PAWL_OK) {
    s->y[slot] = sim->y[slot] = value;
    sim->at.ready = false;
    status = pw_stepper_restart(s);
  }
  if (status == PAWL_OK && sim->sys->ni > 0) { /* laws may hold, or let go, from here on */
    sim->contacts.pending = true;
  }
  sim->surfaces.signals.broken = true;
  sim->jumped = true;
  return status;
}
