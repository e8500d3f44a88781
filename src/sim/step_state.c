// SPDX-License-Identifier: MIT
/* The state at an end of a step and inside of it: its derivative, its energies, its projection on
 * the constraints (Eich 1993: projection keeps the order if its corrections stay within the error
 * of the step). */
#include <math.h>
#include <string.h>

#include "base/real.h"
#include "law/scale_sim.h"
#include "linalg/dense.h"
#include "sim/step_inner.h"

/* ---- derivative ---- */

typedef pawl_status (*rates)(pw_mech *m, double t, const double *q, const double *u,
                             const double *side);

static pawl_status derivative(pw_stepper *s, rates of, double t, const double *y, double *dy) {
  pw_mech *m = s->mech;
  pawl_status status = of(m, t, y, y + s->nq, s->side);
  if (status != PAWL_OK) {
    s->fault = m->fault;
    return status;
  }
  pw_copy(dy, m->q_rate, s->nq);
  pw_copy(dy + s->nq, m->a, s->nv);
  pw_copy(dy + s->nq + s->nv, m->z_rate, m->sys->nz);
  if (!pw_all_finite(dy, s->n)) {
    s->fault = (pw_fault){PAWL_E_NAN, -1, -1, NAN};
    return PAWL_E_NAN;
  }
  return PAWL_OK;
}

pawl_status pw_stepper_rates(pw_stepper *s, double t, const double *y, double *dy) {
  return derivative(s, pw_mech_rates, t, y, dy);
}

pawl_status pw_stepper_motion(void *ctx, double t, const double *y, double *dy) {
  return derivative(ctx, pw_mech_rates, t, y, dy);
}

pawl_status pw_stepper_inner(void *ctx, double t, const double *y, double *dy) {
  pw_stepper *s = ctx;
  return pw_mech_slopes(s->mech, t, y, y + s->nq, s->side, dy)
             ? PAWL_OK
             : derivative(s, pw_mech_rates, t, y, dy);
}

/* Forces at the end of the step are those of the last evaluation. */
static void note_forces(pw_stepper *s) {
  pw_mech_forces(s->mech, s->force + s->mech->sys->model->rows.n);
}

/* Where the constraints hold, also decides which of them depend on each other. */
pawl_status pw_stepper_decide(pw_stepper *s) {
  pawl_status status = derivative(s, pw_mech_rates_decide, s->t, s->y, s->f);
  note_forces(s);
  s->hold.weakest[0] = s->hold.weakest[1] = pw_mech_weakest(s->mech);
  s->smooth = false;
  return status;
}

/* Positions in the order of the velocities; NAN marks rotations. */
void pw_stepper_positions(const pw_stepper *s, const double *q, double *x) {
  for (int i = 0; i < s->nv; i++) {
    x[i] = s->q_of[i] < 0 ? NAN : q[s->q_of[i]];
  }
}

void pw_stepper_energies(pw_stepper *s, double t, const double *y) {
  pw_mech_energy(s->mech, t, y, y + s->nq, s->side, s->energy);
}

void pw_stepper_weigh(pw_stepper *s, double h, bool rounding) {
  const pw_rk *rk = &s->rk;
  pw_stepper_energies(s, rk->t + h, rk->y1);
  pw_stepper_positions(s, rk->y0, s->work.x0);
  pw_stepper_positions(s, rk->y1, s->work.x1);
  pw_control_weigh(&s->control,
                   &(pw_trial){.x0 = s->work.x0,
                               .u0 = rk->y0 + s->nq,
                               .x1 = s->work.x1,
                               .u1 = rk->y1 + s->nq,
                               .mass = s->mech->mass,
                               .load = s->mech->load,
                               .h = h,
                               .kinetic = s->energy[0],
                               .pull = s->mech->pull,
                               .reaction = s->mech->reaction,
                               .span = s->range.span,
                               .terms = rounding ? pw_mech_force_terms(s->mech) : 0,
                               .rounding = rounding,
                               .whole = pw_stepper_has_to_project(s) || rk->map != NULL});
}

/* ---- projection ---- */

/* What is left of a row far below the tolerance counts as held: it may be round-off. */
static pawl_status forgive(const pw_stepper *s, pawl_status status, double scale) {
  bool tiny = s->mech->fault.value <= PW_SCALE(STEP_FORGIVEN) * s->control.tol * scale;
  return status == PAWL_E_DRIFT && tiny ? PAWL_OK : status;
}

/* Projects y at t with the metric of the last evaluation; the corrections go to e_x and e_u.
 * Directions with a singular value below `weak` are not corrected. */
static pawl_status project(pw_stepper *s, double t, double *y, double weak) {
  double speed = sqrt(2 * fmax(s->control.kinetic, 0)); /* in the metric */
  pawl_status status = pw_mech_project_q(s->mech, t, y, s->side, weak, s->work.e_x);
  status = forgive(s, status, speed * s->range.span);
  if (status == PAWL_OK) {
    status = pw_mech_project_u(s->mech, t, y, y + s->nq, s->side, weak, s->work.e_u);
    status = forgive(s, status, speed);
  }
  if (status != PAWL_OK) {
    s->fault = s->mech->fault;
  }
  return status;
}

pawl_status pw_stepper_project_fully(pw_stepper *s, double t, double *y) {
  return s->projects ? project(s, t, y, 0) : PAWL_OK;
}

/* A point inside a step is as good as the step. Where it is nearer to a singular position than both
 * ends, the projection ignores directions that are held more weakly than at the ends: it would
 * magnify residuals of the size of rounding. If Newton's method fails, the point stays as it is. */
pawl_status pw_stepper_project_inside(pw_stepper *s, double t, double *y) {
  size_t bytes = (size_t)s->n * sizeof *y;
  memcpy(s->work.error, y, bytes);
  pawl_status status =
      project(s, t, y, PW_SCALE(HOLD_WEAKER) * fmin(s->hold.weakest[0], s->hold.weakest[1]));
  if (status == PAWL_E_DRIFT) {
    memcpy(y, s->work.error, bytes);
    status = PAWL_OK;
  }
  return status;
}

/* Some row is imposed, or a quaternion has a length to keep. */
bool pw_stepper_has_to_project(const pw_stepper *s) {
  return s->mech->imposed > 0 || s->nq > s->nv;
}

pawl_status pw_stepper_project(pw_stepper *s, double t, double *y) {
  if (!pw_stepper_has_to_project(s)) {
    return PAWL_OK;
  }
  pw_mech_use_metric(s->mech, s->metric);
  return pw_stepper_project_inside(s, t, y);
}

/* The same in the metric of the state itself. */
static pawl_status project_here(pw_stepper *s) {
  if (!pw_stepper_has_to_project(s)) {
    return PAWL_OK;
  }
  pawl_status status = pw_stepper_motion(s, s->t, s->y, s->work.error);
  return status == PAWL_OK ? pw_stepper_project_inside(s, s->t, s->y) : status;
}

pawl_status pw_stepper_settle(pw_stepper *s) {
  s->hold.weakest[0] = s->hold.weakest[1] = 0; /* whatever holds now is to hold exactly */
  pawl_status status = project_here(s);
  if (status == PAWL_OK) {
    status = pw_stepper_decide(s);
  }
  pw_stepper_energies(s, s->t, s->y);
  return status;
}

/* Forces and metric at the end, and how firmly the constraints hold there. */
static void note_end(pw_stepper *s) {
  note_forces(s);
  s->hold.weakest[1] = pw_mech_weakest(s->mech);
  pw_mech_keep_metric(s->mech, s->metric);
}

/* End state y, its derivative f and delta from the trial in rk; energies there if it is put on the
 * constraints. *size: of the correction. */
pawl_status pw_stepper_finish(pw_stepper *s, double t1, double *size) {
  size_t bytes = (size_t)s->n * sizeof *s->y;
  pawl_status status = pw_rk_finish(&s->rk);
  if (status != PAWL_OK) {
    return status;
  }

  /* without constraints the step ends where the method says */
  memcpy(s->y, s->rk.y1, bytes);
  memcpy(s->f, s->rk.k + (ptrdiff_t)s->method->stages * s->n, bytes);
  *size = 0;
  if (!s->projects) {
    note_forces(s);
    return PAWL_OK;
  }
  if (!pw_stepper_has_to_project(s)) {
    memset(s->delta, 0, bytes);
    note_end(s);
    if (s->rk.t + s->rk.h != t1) { /* else they are those of the weights */
      pw_stepper_energies(s, t1, s->y);
    }
    return PAWL_OK;
  }

  /* else on the constraints */
  bool passing = s->pass.on && s->rk.h < s->pass.length;
  status = project(s, t1, s->y, passing ? PW_SCALE(HOLD_WEAKER) * s->hold.weakest[0] : 0);
  if (status != PAWL_OK) {
    return status;
  }
  *size = pw_control_whole_norm(&s->control, s->work.e_x, s->work.e_u);
  for (int i = 0; i < s->n; i++) {
    s->delta[i] = s->y[i] - s->rk.y1[i];
  }

  /* derivative, forces and metric there */
  if (*size > PW_SCALE(STEP_ANEW)) {
    status = derivative(s, pw_mech_rates_decide, t1, s->y, s->f);
  }
  note_end(s);
  pw_stepper_energies(s, t1, s->y);
  return status;
}
