// SPDX-License-Identifier: MIT
/* Errors of what is integrated besides positions and velocities: works and multipliers. */
#include <math.h>

#include "base/real.h"
#include "law/scale_sim.h"
#include "sim/step.h"

/* Error of the work of moving constraints, in tolerances of the energy. Where constraints leave no
 * freedom, nothing else says how long a step may be. Work done so far counts as energy: a motion
 * that starts from rest under load has no other. So does what the load could do in the step: where
 * friction holds all of it, there is only rounding. */
static double work_error(const pw_stepper *s, double h) {
  const pw_system *sys = s->mech->sys;
  const double *z = s->rk.y1 + s->nq + s->nv + 1;
  double most = 0, size = fmax(s->control.energy, s->energy[0] + fabs(s->energy[1]));
  double push = s->mech->pull * h;
  size = fmax(size, push * push / 2);
  for (int k = 0; k < sys->n_work; k++) {
    size = fmax(size, fabs(z[k]));
  }
  for (int k = 0; k < sys->n_work && size > 0; k++) {
    if (sys->work[k].row >= 0 && !sys->work[k].jumps) {
      most = pw_max(most, fabs(s->work.error[s->nq + s->nv + 1 + k]) / (s->control.tol * size));
    }
  }
  return most;
}

/* Error of the multipliers that are states. One that starts at 0 is measured by the speed that it
 * means. */
static double state_error(const pw_stepper *s) {
  const pw_system *sys = s->mech->sys;
  double most = 0, speed = sqrt(2 * fmax(s->control.kinetic, s->energy[0]));
  for (int k = 0; k < sys->n_state; k++) {
    int i = s->nq - sys->n_state + k;
    double whole = s->mech->carries[k] > 0 ? speed / s->mech->carries[k] : 0;
    double size = fmax(fmax(fabs(s->rk.y0[i]), fabs(s->rk.y1[i])), PW_SCALE(RANGE_PART) * whole);
    most = size > 0 ? pw_max(most, fabs(s->work.error[i]) / (s->control.tol * size)) : most;
  }
  return most;
}

/* Error of the states without inertia, in parts of the largest value so far or of the change. */
static double signal_error(const pw_stepper *s) {
  const pw_model *m = s->mech->sys->model;
  double most = 0;
  for (int k = 0; k < m->signals.n; k++) {
    int i = m->signals.items[k].q;
    if (m->signals.items[k].kind == PW_SIGNAL_STATE) {
      double size = fmax(s->largest[k], fmax(fabs(s->rk.y0[i]), fabs(s->rk.y1[i])));
      double off = fabs(s->work.error[i]) / (s->control.tol * size);
      most = size > 0 ? pw_max(most, off) : most;
    }
  }
  return most;
}

void pw_stepper_note_signals(pw_stepper *s) {
  const pw_model *m = s->mech->sys->model;
  for (int k = 0; k < m->signals.n; k++) {
    s->largest[k] = fmax(s->largest[k], fabs(s->y[m->signals.items[k].q]));
  }
}

double pw_stepper_other_error(const pw_stepper *s, double h) {
  double work = work_error(s, h);
  return pw_max(pw_max(work, state_error(s)), signal_error(s));
}
