// SPDX-License-Identifier: MIT
/* The method: which models it takes. Impacts are those of the event-driven engine, on discrete
 * momenta at the end of a step that is cut where the gap vanishes. */
#include "sim/sim_state.h"

/* A corner that passes from one face to the next turns the gradient of its gap within a step, where
 * (T8) has one gradient for each end. */
static bool refuse_corners(const pw_system *sys, pawl_diags *diags) {
  if (sys->tie.n == 0) {
    return false;
  }
  int row = sys->model->touches.items[sys->tie.item[0].touch].row;
  return pw_method_refuse_row(sys, "variational", sys->index_of[row],
                              "a corner may change its face within a step", diags);
}

static bool refuses(const pw_system *sys, pawl_diags *diags) {
  if (pw_method_refuse_states(sys, "variational", diags) || refuse_corners(sys, diags)) {
    return true;
  }
  for (int i = 0; i < sys->nr; i++) {
    if (sys->model->rows.items[sys->row_of[i]].clause.several >= 0) {
      return pw_method_refuse_row(sys, "variational", i, "pieces that meet share one slope", diags);
    }
    if (sys->row[i].loaded) {
      return pw_method_refuse_row(sys, "variational", i, "its bound is the force of an equality",
                                  diags);
    }
  }
  return false;
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
