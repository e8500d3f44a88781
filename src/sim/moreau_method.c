// SPDX-License-Identifier: MIT
/* The method: which models it takes, and forces as mean percussions. */
#include <string.h>

#include "sim/sim_state.h"
#include "system/lagrange.h"

static bool is_mode(void *payload, int var) {
  (void)payload;
  return pw_var_kind(var) == PW_VAR_MODE;
}

/* The rate of a coordinate without inertia that jumps with its forces, wherever that is in a step.
 */
static bool has_rate_that_jumps(const pw_system *sys, int row) {
  const pw_model *m = sys->model;
  return row < sys->nc && m->rows.items[sys->row_of[row]].is_balance &&
         pw_depends(m->dag, sys->eq->rate[row], is_mode, NULL);
}

static bool refuses(const pw_system *sys, pawl_diags *diags) {
  if (sys->n_state > 0) {
    return pw_method_refuse_row(sys, "moreau", sys->state_row[0], "its multiplier is a state",
                                diags);
  }
  if (pw_method_refuse_changing(sys, "moreau", diags)) {
    return true;
  }
  for (int i = 0; i < sys->nr; i++) {
    if (!pw_impact_is_by_rates(sys->row[i].impact)) {
      return pw_method_refuse_row(sys, "moreau", i, "it has only Newton's law of impact", diags);
    }
    if (has_rate_that_jumps(sys, i)) {
      return pw_method_refuse_row(sys, "moreau", i,
                                  "the rate of this coordinate without inertia jumps within steps",
                                  diags);
    }
    if (sys->row[i].one_way) {
      return pw_method_refuse_row(sys, "moreau", i, "it has no percussion law for it", diags);
    }
  }
  return false;
}

static void lay_out(pawl_sim *sim, pw_layout *l) {
  pw_moreau_lay_out(&sim->moreau, sim->sys, l);
}

static void init(pawl_sim *sim) {
  pw_stepper *s = &sim->stepper;
  sim->moreau.contacts = &sim->contacts;
  pw_moreau_init(&sim->moreau, sim->sys);
  sim->moreau.local.part = &sim->moreau.solver;
  pw_stepper_map(s, pw_moreau_step, &sim->moreau);
}

static pawl_status handle(pawl_sim *sim) {
  return pw_moreau_handle(&sim->moreau);
}

static pawl_status after(pawl_sim *sim) { /* the step itself has found out what happens */
  return sim->moreau.graph.any ? pw_contacts_check_bounds(&sim->contacts) : PAWL_OK;
}

static void forces(pawl_sim *sim) {
  const pw_moreau *x = &sim->moreau;
  for (int i = x->graph.any ? 0 : sim->sys->nc; *x->length > 0 && i < sim->sys->nr; i++) {
    sim->mech->lambda[i] = x->P[i] / *x->length;
  }
  if (x->graph.any && *x->length > 0) {
    memcpy(sim->mech->a, x->graph.mean, (size_t)sim->sys->nv * sizeof *x->graph.mean);
  }
}

const pw_method pw_moreau_method = {.name = "moreau",
                                    .rk = &pw_hermite,
                                    .fixed = true,
                                    .together = true,
                                    .refuses = refuses,
                                    .lay_out = lay_out,
                                    .init = init,
                                    .after = after,
                                    .handle = handle,
                                    .forces = forces};
