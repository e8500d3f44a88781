// SPDX-License-Identifier: MIT
#include "sim/trial.h"

#include <math.h>

#include "base/diag.h"
#include "base/real.h"
#include "law/scale_sim.h"
#include "sim/sim_state.h"

pw_conditions pw_conditions_plain(void) {
  return (pw_conditions){.still = PW_SCALE(STILL)};
}

pawl_status pw_sim_start_trial(pawl_sim *sim, const pw_conditions *conditions, double t,
                               const double *q, const double *u, const double *multipliers,
                               pawl_diags *diags) {
  if (sim == NULL || q == NULL || u == NULL || !(t < sim->opts.to) || !isfinite(t) ||
      !pw_all_finite(q, sim->model->nq) || !pw_all_finite(u, sim->stepper.nv) ||
      (multipliers != NULL && !pw_all_finite(multipliers, sim->sys->n_state))) {
    return PAWL_E_ARGUMENT;
  }
  sim->contacts.conditions = *conditions;
  pw_diags_use_sources(diags, &sim->system->sources);
  pawl_status status = pw_sim_restart(sim, t, q, u, multipliers, false, diags);
  sim->failed = status; /* nothing goes on from a start that failed */
  pw_diags_use_sources(diags, NULL);
  return status;
}

pw_trial_point pw_trial_at(const pawl_sim *sim) {
  const pw_contacts *c = &sim->contacts;
  return (pw_trial_point){.t = sim->t,
                          .y = sim->y,
                          .before = sim->at_contact ? sim->before : sim->y,
                          .at_contact = sim->at_contact,
                          .mode = c->mode,
                          .left = c->left,
                          .side = sim->stepper.side,
                          .flipped = sim->surfaces.flipped,
                          .log = c->now.log,
                          .n_log = c->now.n_log};
}
