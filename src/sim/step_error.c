// SPDX-License-Identifier: MIT
/* Errors of a step: of positions and velocities, and of what else is integrated, works and
 * multipliers; and how stiff it is. */
#include <math.h>
#include <string.h>

#include "base/real.h"
#include "law/scale_sim.h"
#include "sim/radau.h"
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

/* Error of a state without inertia, in parts of the largest value so far or of the change. */
static double error_of_signal(const pw_stepper *s, int k) {
  const pw_signal *z = &s->mech->sys->model->signals.items[k];
  if (z->kind != PW_SIGNAL_STATE) {
    return 0;
  }
  double size = fmax(s->largest[k], fmax(fabs(s->rk.y0[z->q]), fabs(s->rk.y1[z->q])));
  return size > 0 ? fabs(s->work.error[z->q]) / (s->control.tol * size) : 0;
}

static double signal_error(const pw_stepper *s) {
  double most = 0;
  for (int k = 0; k < s->mech->sys->model->signals.n; k++) {
    most = pw_max(most, error_of_signal(s, k));
  }
  return most;
}

const pw_signal *pw_stepper_worst_signal(const pw_stepper *s) {
  const pw_model *m = s->mech->sys->model;
  const pw_signal *worst = NULL;
  int at;
  double most = pw_control_norm(&s->control, s->work.e_x, s->work.e_u, &at);
  for (int k = 0; k < m->signals.n; k++) {
    double error = error_of_signal(s, k);
    if (!(error <= most)) {
      most = error;
      worst = &m->signals.items[k];
    }
  }
  return worst;
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

double pw_stepper_size_of_error(pw_stepper *s, double h, bool tangent) {
  pw_mech_to_v(s->mech, s->rk.y1, s->work.error, s->work.e_x);
  memcpy(s->work.e_u, s->work.error + s->nq, (size_t)s->nv * sizeof *s->work.e_u);
  if (tangent) {
    pw_mech_tangent(s->mech, true, s->work.e_x);
    pw_mech_tangent(s->mech, false, s->work.e_u);
  }
  double size = pw_control_norm(&s->control, s->work.e_x, s->work.e_u, &s->worst);
  return pw_max(size, pw_stepper_other_error(s, h));
}

double pw_stepper_error(pw_stepper *s, double h, bool rounding) {
  pw_stepper_weigh(s, h, rounding);
  double norm[2] = {0, 0};
  for (int i = s->method->n_error - 1; i >= 0; i--) {
    pw_rk_error(&s->rk, i, s->work.error);
    norm[i] = pw_stepper_size_of_error(s, h, true);
  }
  memcpy(s->choice.size, norm, sizeof norm);
  double size = pw_rk_error_size(s->method, norm);
  return s->method == &pw_radau_table ? pw_max(size, pw_radau_layer(s->radau, &s->rk)) : size;
}

double pw_stepper_stiffness(pw_stepper *s) {
  if (!s->choice.open || !s->rk.has_end) {
    return 0;
  }
  if (s->method == &pw_radau_table) {
    return pw_radau_stiffness(s->radau) / pw_dp5.stable;
  }
  double most = pw_rk_stiffness(&s->rk, s->nq, s->nv, s->control.weight_u);
  const pw_model *model = s->mech->sys->model;
  for (int k = 0; k < model->signals.n; k++) {
    const pw_signal *x = &model->signals.items[k];
    double weight = s->control.tol * s->largest[k];
    bool flows = x->kind == PW_SIGNAL_STATE;
    most = flows ? fmax(most, pw_rk_stiffness(&s->rk, x->q, 1, &weight)) : most;
  }
  return most;
}
