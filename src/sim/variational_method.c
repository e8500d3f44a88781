// SPDX-License-Identifier: MIT
/* The method: which models it takes. Impacts are those of the event-driven engine, on discrete
 * momenta at the end of a step that is cut where the gap vanishes. */
#include "sim/sim_state.h"

static bool refuse_switches(const pw_system *sys, pawl_diags *diags) {
  if (sys->n_switch == 0) {
    return false;
  }
  pw_diag_ref ref = pw_error(diags, "E0421", sys->model->run.span,
                             "method `variational` cannot treat `abs`, `sign`, `min`, `max` or "
                             "`if` in energies, forces and laws");
  pw_label(ref, "a discrete Lagrangian has to be smooth");
  pw_help(ref, "`method event` treats all models");
  return true;
}

static bool refuse_rotations(const pw_system *sys, pawl_diags *diags) {
  for (int c = 0; c < sys->model->coords.n; c++) {
    const pw_coord *k = &sys->model->coords.items[c];
    if (k->is_rotation) {
      pw_diag_ref ref = pw_error(diags, "E0421", k->span,
                                 "method `variational` cannot treat rotation `%s`", k->name);
      pw_label(ref, "its positions are no vector space");
      pw_help(ref, "`method event` and `method moreau` treat rotations");
      return true;
    }
  }
  return false;
}

static bool refuses(const pw_system *sys, pawl_diags *diags) {
  if (pw_method_refuse_control(sys, "variational", diags)) {
    return true;
  }
  for (int i = 0; i < sys->nr; i++) {
    const pw_row *row = &sys->model->rows.items[sys->row_of[i]];
    if (row->on_velocity) {
      return pw_method_refuse_row(sys, "variational", i, "it restricts velocities", diags);
    }
    if (i >= sys->nc && row->kind != PW_KIND_UNILATERAL) {
      return pw_method_refuse_row(sys, "variational", i, "it is no constraint on positions", diags);
    }
  }
  return refuse_rotations(sys, diags) || refuse_switches(sys, diags);
}

static void lay_out(pawl_sim *sim, pw_layout *l) {
  pw_variational_lay_out(&sim->variational, sim->sys, sim->mech, l);
}

static void init(pawl_sim *sim) {
  pw_stepper *s = &sim->stepper;
  sim->variational.s = s;
  pw_stepper_map(s, pw_variational_step, &sim->variational);
}

const pw_method pw_variational_method = {.name = "variational",
                                         .rk = &pw_hermite,
                                         .fixed = true,
                                         .refuses = refuses,
                                         .lay_out = lay_out,
                                         .init = init};
