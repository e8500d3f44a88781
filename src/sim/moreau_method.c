// SPDX-License-Identifier: MIT
/* The method: which models it takes, and forces as mean percussions. */
#include "sim/sim_state.h"

static bool refuses(const pw_system *sys, pawl_diags *diags) {
  if (pw_method_refuse_control(sys, "moreau", diags)) {
    return true;
  }
  for (int i = sys->nc; i < sys->nr; i++) {
    const pw_row *row = &sys->model->rows.items[sys->row_of[i]];
    if (row->clause.poisson) {
      return pw_method_refuse_row(sys, "moreau", i, "it has only Newton's law of impact", diags);
    }
    if (row->kind != PW_KIND_UNILATERAL && row->kind != PW_KIND_ROUGH &&
        row->kind != PW_KIND_ONE_SIDED_VELOCITY) {
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
  sim->moreau.local.part = &sim->contacts.part;
  s->rk.map = s->probe.map = pw_moreau_step;
  s->rk.map_ctx = s->probe.map_ctx = &sim->moreau;
}

static pawl_status handle(pawl_sim *sim) {
  return pw_moreau_handle(&sim->moreau);
}

static pawl_status after(pawl_sim *sim) { /* the step itself has found out what happens */
  (void)sim;
  return PAWL_OK;
}

static void forces(pawl_sim *sim) {
  const pw_moreau *x = &sim->moreau;
  for (int i = sim->sys->nc; *x->length > 0 && i < sim->sys->nr; i++) {
    sim->mech->lambda[i] = x->P[i] / *x->length;
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
