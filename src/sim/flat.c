// SPDX-License-Identifier: MIT
/* Equalities on velocities whose gradient PW_SCALE(FLAT_VANISHES) on the way: z'^2 = a^2 (x'^2 +
 * y'^2) where it comes to rest. Velocities may go through such a point as if nothing were there, so
 * that no step fails; but no force holds the constraint at it, and what follows is not determined.
 */
#include <math.h>
#include <string.h>

#include "law/scale_sim.h"
#include "sim/sim_state.h"

static const double *gradient(const pw_stepper *s, double t, const double *y, int row) {
  return pw_mech_velocity_row(s->mech, t, y, y + s->nq, s->side, row);
}

static double product(const pw_stepper *s, const double *a, const double *b) {
  double sum = 0;
  for (int i = 0; i < s->nv; i++) {
    sum += a[i] * b[i] / fabs(s->mech->mass[i]);
  }
  return sum;
}

/* The part of the step where the gradient stands across the one at its start (s->work.e_x); it is
 * left in s->work.e_u. */
static pawl_status find_across(pw_stepper *s, int row, double *theta) {
  enum { HALVINGS = 50 };
  double low = 0, high = 1;
  for (int k = 0; k < HALVINGS; k++) {
    *theta = (low + high) / 2;
    pawl_status status = pw_stepper_at(s, *theta, s->work.error);
    if (status != PAWL_OK) {
      return status;
    }
    memcpy(s->work.e_u, gradient(s, s->rk.t + *theta * s->rk.h, s->work.error, row),
           (size_t)s->nv * sizeof *s->work.e_u);
    bool ahead = product(s, s->work.e_x, s->work.e_u) > 0;
    low = ahead ? *theta : low;
    high = ahead ? high : *theta;
  }
  return PAWL_OK;
}

static pawl_status look(pawl_sim *sim, int row) {
  pw_stepper *s = &sim->stepper;
  double theta;
  memcpy(s->work.e_x, gradient(s, s->rk.t, s->rk.y0, row), (size_t)s->nv * sizeof *s->work.e_x);
  if (product(s, s->work.e_x, gradient(s, s->t, s->y, row)) > 0) {
    return PAWL_OK;
  }
  pawl_status status = find_across(s, row, &theta);
  double now = product(s, s->work.e_u, s->work.e_u), then = product(s, s->work.e_x, s->work.e_x);
  if (status != PAWL_OK || !(now <= PW_SCALE(FLAT_VANISHES) * PW_SCALE(FLAT_VANISHES) * then)) {
    return status; /* it has turned, that is all */
  }
  sim->contacts.halt.flat_time = s->rk.t + theta * s->rk.h;
  status = pw_stepper_cut(s, s->rk.h * theta * (1 - PW_SCALE(FLAT_SHORT_OF)));
  sim->contacts.halt.trouble = PW_TROUBLE_FLAT;
  sim->contacts.halt.culprit = row;
  return status == PAWL_OK ? PAWL_E_NO_MOTION : status;
}

pawl_status pw_sim_look_for_flat(pawl_sim *sim) {
  const pw_system *sys = sim->sys;
  pawl_status status = PAWL_OK;
  for (int i = sys->np; i < sys->nc && status == PAWL_OK; i++) {
    if (sim->model->rows.items[sys->row_of[i]].kind == PW_KIND_NONHOLONOMIC) {
      status = look(sim, i);
    }
  }
  return status;
}
