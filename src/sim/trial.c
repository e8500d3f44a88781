// SPDX-License-Identifier: MIT
#include "sim/trial.h"

#include <math.h>
#include <string.h>

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
  return (pw_trial_point){.t = sim->t,
                          .y = sim->y,
                          .before = sim->at_contact ? sim->at.before : sim->y,
                          .at_laws = sim->at_contact,
                          .left = sim->contacts.left,
                          .side = sim->stepper.side,
                          .flipped = sim->surfaces.flipped};
}

const pawl_system *pw_trial_system(const pawl_sim *sim) {
  return sim->system;
}

pw_trial_mode pw_trial_mode_of(const pawl_sim *sim, int law) {
  switch ((pw_mode)sim->contacts.mode[law]) {
  case PW_CLOSED: return PW_TRIAL_IMPOSED;
  case PW_RESTING: return PW_TRIAL_IMPLIED;
  case PW_BELOW: return PW_TRIAL_BELOW;
  case PW_OPEN: break;
  }
  return PW_TRIAL_ABOVE;
}

unsigned char pw_trial_kink(pw_trial_mode mode) {
  return mode == PW_TRIAL_IMPOSED   ? PW_AT_KINK
         : mode == PW_TRIAL_IMPLIED ? PW_IMPLIED
         : mode == PW_TRIAL_BELOW   ? PW_BELOW_KINK
                                    : PW_ABOVE_KINK;
}

bool pw_trial_hits(const pawl_sim *sim, int law) {
  const pw_instant *now = &sim->contacts.now;
  bool hits = false;
  for (int i = 0; sim->at_contact && i < now->n_log; i++) {
    hits = hits || (now->log[i].law == law && now->log[i].impulse != 0);
  }
  return hits;
}

bool pw_trial_is_cascade(const pawl_sim *sim) {
  const pw_instant *now = &sim->contacts.now;
  bool cascade = false;
  for (int i = 0; sim->at_contact && i < now->n_log; i++) {
    const pw_contact_event *e = &now->log[i];
    cascade = cascade || e->kind == PW_REST || e->kind == PW_LOST || e->jams;
  }
  return cascade;
}

void pw_trial_impose(const pawl_sim *sim, pw_mech *mech) {
  const pw_contacts *c = &sim->contacts;
  unsigned char *state = c->modes.closed; /* what was imposed last: the same modes */
  for (int i = 0; i < sim->sys->ni; i++) {
    state[i] = pw_trial_kink(pw_trial_mode_of(sim, i));
  }
  pw_mech_close(mech, state);
  pw_mech_head(mech, c->modes.heading, c->modes.blur);
  memcpy(mech->sense, c->sense, (size_t)sim->sys->nr * sizeof *c->sense);
  pw_mech_impulses(mech, c->impulse);
}

void pw_trial_log_jumps(pawl_sim *sim, pw_jump_log *log) {
  sim->contacts.impact.log = log;
  if (log != NULL) {
    log->nv = sim->sys->nv;
    log->nr = sim->sys->nr;
  }
}

pawl_status pw_trial_start_over(pawl_sim *sim, pawl_diags *diags) {
  pw_diags_use_sources(diags, &sim->system->sources);
  pawl_status status = pw_sim_start_as_stated(sim, diags);
  sim->failed = status;
  pw_diags_use_sources(diags, NULL);
  return status;
}

bool pw_trial_fires(const pawl_sim *sim, int law, bool *upper) {
  const pw_contacts *c = &sim->contacts;
  const double *force = sim->mech->lambda + sim->sys->nc;
  double lo, hi;
  pw_contacts_bounds(c, law, &lo, &hi);
  int on = sim->sys->law[law].on;
  double normal = on >= 0 ? force[on] : 1;
  *upper = fabs(force[law] - hi * normal) < fabs(force[law] - lo * normal);
  return c->fired[law] != 0;
}

int pw_trial_struck(const pawl_sim *sim, int i) {
  const pw_instant *now = &sim->contacts.now;
  bool met = sim->at_contact && i < now->n_log &&
             (now->log[i].kind == PW_IMPACT || now->log[i].kind == PW_CLOSE);
  return met && pw_is_contact(&sim->sys->law[now->log[i].law]) ? now->log[i].law : -1;
}

double pw_trial_recent(const pawl_sim *sim, int law) {
  return sim->contacts.size.recent[law];
}

bool pw_trial_is_rest(const pawl_sim *sim) {
  return sim->at_contact && sim->contacts.now.n_log > 0 &&
         sim->contacts.now.log[0].kind == PW_REST && sim->t != sim->stepper.t;
}

int pw_trial_events(const pawl_sim *sim, const int **which) {
  *which = sim->events.now;
  return sim->at_event ? sim->events.n_now : 0;
}

void pw_trial_quad(const pawl_sim *sim, double quad[PW_QUAD_NAMED]) {
  pw_stepper_quad(&sim->stepper, sim->y, quad);
}
