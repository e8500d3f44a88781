// SPDX-License-Identifier: MIT
/* The accepted step (Eich 1993: projection keeps the order if its corrections stay within the
 * error of the step). */
#include "sim/step.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/real.h"
#include "linalg/dense.h"
#include "sim/radau.h"

/* Most correction by the projection: in tolerances; in parts of the state (round-off). */
static const double most_correction = 100, most_round_off = 1e-6;
/* A step may not end where the constraints are weaker than this part of what they were: the next
 * one has to see a singular position from afar. */
static const double most_weaker = 0.3;
static const double least_correction = 1e-3; /* beyond it the derivative is computed anew */
enum { STEPS_WITH_ROUNDING = 20 };           /* after round-off was met */

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

static pawl_status motion(void *ctx, double t, const double *y, double *dy) {
  return derivative(ctx, pw_mech_rates, t, y, dy);
}

/* Forces at the end of the step are those of the last evaluation. */
static void note_forces(pw_stepper *s) {
  pw_mech_forces(s->mech, s->force + s->mech->sys->model->rows.n);
}

/* Where the constraints hold, also decides which of them depend on each other. */
static pawl_status motion_on_constraints(pw_stepper *s) {
  pawl_status status = derivative(s, pw_mech_rates_decide, s->t, s->y, s->f);
  note_forces(s);
  s->hold.weakest[0] = s->hold.weakest[1] = pw_mech_weakest(s->mech);
  s->smooth = false;
  return status;
}

/* ---- memory ---- */

size_t pw_stepper_size(const pw_system *sys, const pw_rk_method *method) {
  size_t n = (size_t)(sys->nq + sys->nv + sys->nz), nv = (size_t)sys->nv;
  return 2 * pw_rk_size(method, (int)n) + pw_pass_size((int)n, sys->nv) + pw_control_size(sys->nv) +
         4 * n + 8 * nv + (size_t)sys->n_switch + (size_t)sys->model->signals.n +
         pw_mech_metric_size(sys) + 2 * (size_t)sys->model->rows.n;
}

void pw_stepper_init(pw_stepper *s, const pw_rk_method *method, double tol, double *memory) {
  const pw_system *sys = s->mech->sys;
  s->method = method;
  s->nq = sys->nq;
  s->nv = sys->nv;
  s->n = sys->nq + sys->nv + sys->nz;
  s->projects = sys->nr > 0 || sys->nq > sys->nv;
  s->ahead.patience = PW_PATIENCE;
  double *at = memory;
  pw_rk_init(&s->rk, method, s->n, at, motion, s);
  at += pw_rk_size(method, s->n);
  pw_rk_init(&s->probe, method, s->n, at, motion, s);
  at += pw_rk_size(method, s->n);
  pw_pass_init(&s->pass, s->n, s->nv, at);
  at += pw_pass_size(s->n, s->nv);
  pw_control_init(&s->control, s->nv, tol, at);
  at += pw_control_size(s->nv);
  struct {
    double **array;
    int n;
  } parts[] = {{&s->y, s->n},
               {&s->f, s->n},
               {&s->delta, s->n},
               {&s->work.error, s->n},
               {&s->work.x0, s->nv},
               {&s->work.x1, s->nv},
               {&s->work.e_x, s->nv},
               {&s->work.e_u, s->nv},
               {&s->work.flow, 4 * s->nv},
               {&s->side, sys->n_switch},
               {&s->largest, sys->model->signals.n},
               {&s->metric, (int)pw_mech_metric_size(sys)},
               {&s->force, 2 * sys->model->rows.n}};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    *parts[i].array = at;
    at += parts[i].n;
  }
}

/* ---- start ---- */

/* Positions in the order of the velocities; NAN marks rotations. */
static void positions(const pw_stepper *s, const double *q, double *x) {
  for (int i = 0; i < s->nv; i++) {
    x[i] = s->q_of[i] < 0 ? NAN : q[s->q_of[i]];
  }
}

/* (x', u') of a derivative of y. */
static void flow_of(const pw_stepper *s, const double *y, const double *f, double *flow) {
  pw_mech_to_v(s->mech, y, f, flow);
  memcpy(flow + s->nv, f + s->nq, (size_t)s->nv * sizeof *flow);
}

static void energies(pw_stepper *s, double t, const double *y) {
  pw_mech_energy(s->mech, t, y, y + s->nq, s->side, s->energy);
}

void pw_stepper_note(pw_stepper *s) {
  pw_stepper_note_signals(s);
  positions(s, s->y, s->work.x1);
  pw_control_note(&s->control, s->work.x1, s->y + s->nq, s->energy[0],
                  s->energy[0] + fabs(s->energy[1]));
  s->hold.redundant = s->hold.redundant || s->mech->rank < s->mech->imposed;
}

static void first_step(pw_stepper *s) {
  const double *mass = s->mech->mass;
  double *f0 = s->work.flow, *f1 = s->work.flow + 2 * s->nv;
  flow_of(s, s->y, s->f, f0);
  double probe = pw_control_probe(&s->control, mass, s->work.x1, f0, s->range.span);
  for (int i = 0; i < s->n; i++) {
    s->work.error[i] = s->y[i] + probe * s->f[i];
  }
  s->h_next = probe;
  if (motion(s, s->t + probe, s->work.error, s->delta) == PAWL_OK) {
    flow_of(s, s->y, s->delta, f1);
    s->h_next =
        pw_control_first(&s->control, s->method, mass, s->work.x1, f0, f1, probe, s->range.span);
  }
  memset(s->delta, 0, (size_t)s->n * sizeof *s->delta);
}

pawl_status pw_stepper_begin(pw_stepper *s, double t) {
  s->t = s->range.start = t;
  s->rk.t = t;
  s->rk.h = 0;
  s->count.taken = s->count.rejected = 0;
  pw_choice_begin(&s->choice, s->control.tol);
  s->choice.pair = s->choice.open                 ? s->choice.pair
                   : s->method == &pw_radau_table ? PW_PAIR_IMPLICIT
                   : s->method == &pw_dop853      ? PW_PAIR_HIGH
                                                  : PW_PAIR_LOW;
  pw_stepper_use(s, s->choice.pair);
  s->noisy = 0;
  s->ahead.clear = -INFINITY;
  s->hold.redundant = false;
  s->sight.unseen = (pw_unseen){0};
  s->pass.on = false;
  s->pass.reach = INFINITY;
  pawl_status status = motion_on_constraints(s);
  if (status != PAWL_OK) {
    return status;
  }
  memcpy(s->rk.y0, s->y, (size_t)s->n * sizeof *s->y);
  energies(s, t, s->y);
  positions(s, s->y, s->work.x1);
  pw_control_reset(&s->control, s->work.x1, s->y + s->nq, s->energy[0],
                   s->energy[0] + fabs(s->energy[1]));
  pw_stepper_note(s);
  first_step(s);
  return PAWL_OK;
}

pawl_status pw_stepper_restart(pw_stepper *s) {
  s->ahead.clear = -INFINITY; /* another piece of the model, another course in time */
  return motion_on_constraints(s);
}

/* ---- projection ---- */

/* What is left of a row far below the tolerance counts as held: it may be round-off. */
static pawl_status forgive(const pw_stepper *s, pawl_status status, double scale) {
  bool tiny = s->mech->fault.value <= 1e-3 * s->control.tol * scale;
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
 * ends, directions that are held more weakly than there are left to the interpolation: residuals at
 * round-off would be magnified. Where Newton does not find the constraints it is taken as it is. */
static pawl_status project_if_possible(pw_stepper *s, double t, double *y) {
  size_t bytes = (size_t)s->n * sizeof *y;
  memcpy(s->work.error, y, bytes);
  pawl_status status = project(s, t, y, 0.5 * fmin(s->hold.weakest[0], s->hold.weakest[1]));
  if (status == PAWL_E_DRIFT) {
    memcpy(y, s->work.error, bytes);
    status = PAWL_OK;
  }
  return status;
}

/* Some row is imposed, or a quaternion has a length to keep. */
static bool has_to_project(const pw_stepper *s) {
  return s->mech->imposed > 0 || s->nq > s->nv;
}

pawl_status pw_stepper_project(pw_stepper *s, double t, double *y) {
  if (!has_to_project(s)) {
    return PAWL_OK;
  }
  pw_mech_use_metric(s->mech, s->metric);
  return project_if_possible(s, t, y);
}

/* The same in the metric of the state itself. */
static pawl_status project_here(pw_stepper *s) {
  if (!has_to_project(s)) {
    return PAWL_OK;
  }
  pawl_status status = motion(s, s->t, s->y, s->work.error);
  return status == PAWL_OK ? project_if_possible(s, s->t, s->y) : status;
}

pawl_status pw_stepper_settle(pw_stepper *s) {
  s->hold.weakest[0] = s->hold.weakest[1] = 0; /* whatever holds now is to hold exactly */
  pawl_status status = project_here(s);
  if (status == PAWL_OK) {
    status = motion_on_constraints(s);
  }
  energies(s, s->t, s->y);
  return status;
}

/* End state y, its derivative f and delta from the trial in rk. *size: of the correction. */
static pawl_status finish(pw_stepper *s, double t1, double *size) {
  size_t bytes = (size_t)s->n * sizeof *s->y;
  pawl_status status = pw_rk_finish(&s->rk);
  if (status != PAWL_OK) {
    return status;
  }
  memcpy(s->y, s->rk.y1, bytes);
  memcpy(s->f, s->rk.k + (ptrdiff_t)s->method->stages * s->n, bytes);
  *size = 0;
  if (!s->projects) {
    note_forces(s);
    return PAWL_OK;
  }
  bool passing = s->pass.on && s->rk.h < s->pass.length;
  status = project(s, t1, s->y, passing ? 0.5 * s->hold.weakest[0] : 0);
  if (status != PAWL_OK) {
    return status;
  }
  *size = pw_control_whole_norm(&s->control, s->work.e_x, s->work.e_u);
  for (int i = 0; i < s->n; i++) {
    s->delta[i] = s->y[i] - s->rk.y1[i];
  }
  if (*size > least_correction) {
    status = derivative(s, pw_mech_rates_decide, t1, s->y, s->f);
  }
  note_forces(s);
  s->hold.weakest[1] = pw_mech_weakest(s->mech);
  pw_mech_keep_metric(s->mech, s->metric);
  energies(s, t1, s->y);
  return status;
}

/* ---- trial ---- */

void pw_stepper_weigh(pw_stepper *s, double h, bool rounding) {
  const pw_rk *rk = &s->rk;
  energies(s, rk->t + h, rk->y1);
  positions(s, rk->y0, s->work.x0);
  positions(s, rk->y1, s->work.x1);
  pw_control_weigh(&s->control, &(pw_trial){.x0 = s->work.x0,
                                            .u0 = rk->y0 + s->nq,
                                            .x1 = s->work.x1,
                                            .u1 = rk->y1 + s->nq,
                                            .mass = s->mech->mass,
                                            .load = s->mech->load,
                                            .h = h,
                                            .kinetic = s->energy[0],
                                            .pull = s->mech->pull,
                                            .span = s->range.span,
                                            .rounding = rounding});
}

/* Sizes of the error and of the correction; false after a fault. */
static bool trial(pw_stepper *s, double t1, bool rounding, double allowed, double *error,
                  double *correction) {
  double h = t1 - s->rk.t;
  s->fault.status = PAWL_OK;
  s->sight.known = false;
  *error = NAN;
  *correction = 0;
  if (pw_rk_step(&s->rk, s->rk.t, h) != PAWL_OK) {
    return false;
  }
  if (!pw_all_finite(s->rk.y1, s->n)) {
    s->fault = (pw_fault){PAWL_E_NAN, -1, -1, NAN};
    return false;
  }
  *error = pw_stepper_error(s, h, rounding);
  return !(*error <= allowed) || finish(s, t1, correction) == PAWL_OK;
}

static void begin_step(pw_stepper *s) {
  size_t bytes = (size_t)s->n * sizeof *s->y;
  for (int i = 0; i < s->n; i++) {
    s->pass.bend[i] = s->smooth ? (s->f[i] - s->rk.k[i]) / s->h : 0;
  }
  s->pass.on = false;
  s->hold.fall = s->smooth ? (s->hold.weakest[0] - s->hold.weakest[1]) / s->h : 0;
  s->hold.weakest[0] = s->hold.weakest[1];
  pw_stepper_use(s, pw_stepper_pair(s));
  memcpy(s->rk.y0, s->y, bytes);
  memcpy(s->rk.k, s->f, bytes);
  int laws = s->mech->sys->model->rows.n;
  memcpy(s->force, s->force + laws, (size_t)laws * sizeof *s->force);
  s->rk.t = s->t;
  s->probe.h = 0; /* of an earlier step */
  s->sight.known = false;
  s->hold.rank = s->mech->rank;
  s->hold.rank_q = s->mech->rank_q;
  if (s->radau != NULL) {
    s->radau->known = false;
  }
}

/* What the mechanics remembers from the start of the step. */
static void recall(pw_stepper *s) {
  s->mech->rank = s->hold.rank;
  s->mech->rank_q = s->hold.rank_q;
  s->hold.weakest[1] = s->hold.weakest[0];
}

static void give_up(pw_stepper *s) {
  size_t bytes = (size_t)s->n * sizeof *s->y;
  memcpy(s->y, s->rk.y0, bytes);
  memcpy(s->f, s->rk.k, bytes);
}

static void accept(pw_stepper *s, double t1, double error, bool noise) {
  s->h = t1 - s->rk.t;
  s->t = t1;
  s->smooth = true;
  s->count.taken++;
  s->noisy = noise ? STEPS_WITH_ROUNDING : s->noisy > 0 ? s->noisy - 1 : 0;
  s->control.just_rejected = s->control.just_rejected && !noise;
  s->h_next = pw_control_accept(&s->control, s->method, s->h, error);
  if (!s->pass.on && s->range.fixed == 0) {
    s->h_next *= pw_choice_note(&s->choice, error, pw_stepper_stiffness(s));
  }
}

/* What the trials of one step have shown so far. An error or a correction that does not fall with
 * the step as it should is round-off (forces that cancel, constraints near a singular position):
 * shorter steps would not help. */
typedef struct history {
  double h, error, correction; /* of the last trial; h = 0: none */
  bool noise;
} history;

static void remember(history *past, double h, double error, double correction) {
  double ratio = past->h > 0 ? h / past->h : 0;
  if (past->h > 0 && error > past->error * ratio * ratio) {
    past->noise = true;
  }
  past->h = h;
  past->error = error;
  past->correction = correction;
}

/* ---- singular positions ---- */

/* A step of twice the distance of the singular position, which is thus in the middle. *away: that
 * distance, made better if it was wrong. */
static bool pass(pw_stepper *s, double *away, double end) {
  pw_pass *p = &s->pass;
  p->length = 2 * *away;
  double error = pw_pass_try(s), t1 = fmin(s->rk.t + p->length, end), correction;
  double allowed = fmax(1, fmin(p->rounding, most_round_off / s->control.tol));
  if (!p->centred) {
    *away = fmax(p->middle, 0.1) * p->length;
    return false;
  }
  p->reach = pw_pass_reach(p, error, allowed);
  if (!(error <= allowed)) {
    pw_pass_drop(s);
    return false;
  }
  p->on = true;
  s->rk.h = t1 - s->rk.t;
  s->rk.has_end = s->rk.has_dense = false;
  pw_pass_eval(p, s->rk.h / p->length, s->rk.y0, s->rk.y1);
  p->on = finish(s, t1, &correction) == PAWL_OK && correction <= most_correction * allowed;
  if (p->on) {
    accept(s, t1, fmin(error, 1), false);
    s->h_next = p->length / 2;
  } else {
    pw_pass_drop(s);
  }
  return p->on;
}

/* Goes across a singular position that seems to be ahead. If it is, but too far away, *h is made so
 * short that the step does not end near it. */
static bool pass_singular(pw_stepper *s, double *h, double end) {
  pw_pass *p = &s->pass;
  double away = s->hold.fall > 0 ? s->hold.weakest[0] / s->hold.fall : INFINITY;
  for (int tries = 0; tries < 3; tries++) {
    bool ahead = *h > 0.5 * away || (p->reach < INFINITY && 2 * away <= p->reach);
    if (!ahead || 2 * away > p->reach || s->rk.t + 0.3 * away >= end) {
      break;
    }
    if (pass(s, &away, end)) {
      return true;
    }
    s->count.rejected++;
    recall(s);
    if (p->centred) {
      *h = fmin(*h, away - fmax(0.45 * fmin(p->reach, 2 * away), 0.3 * away));
      break;
    }
  }
  return false;
}

/* To the next point start + k fixed; a piece too short for a step of its own joins the next. */
static pawl_status fixed_step(pw_stepper *s, double end) {
  static const double shortest = 1e-6;
  double past = floor((s->t - s->range.start) / s->range.fixed + shortest);
  double t1 = s->range.start + (past + 1) * s->range.fixed, error, correction;
  t1 = t1 + shortest * s->range.fixed >= end ? end : t1;
  begin_step(s);
  if (!trial(s, t1, false, INFINITY, &error, &correction)) {
    recall(s);
    give_up(s);
    return PAWL_E_STEP;
  }
  accept(s, t1, error, false);
  return PAWL_OK;
}

double pw_stepper_least(const pw_stepper *s) {
  return 64 * DBL_EPSILON * fmax(fabs(s->t), 1e-3 * s->range.span);
}

/* Where implicit steps do not get on, explicit ones may: they need no derivatives. */
static pawl_status explicit_again(pw_stepper *s, double end) {
  pw_choice_leave(&s->choice);
  recall(s);
  return pw_stepper_next(s, end);
}

pawl_status pw_stepper_next(pw_stepper *s, double end) {
  if (s->range.fixed > 0) {
    return fixed_step(s, end);
  }
  begin_step(s);
  history past = {.correction = INFINITY};
  double then = INFINITY; /* the step after this one, where something was hidden */
  double h = pw_stepper_within_sight(s, fmin(s->h_next, s->range.max), end);
  double least = pw_stepper_least(s);
  if (pass_singular(s, &h, end)) {
    return PAWL_OK;
  }
  for (int tries = 0;; tries++) {
    bool last = s->rk.t + 1.01 * h >= end;
    double t1 = last ? end : s->rk.t + h, error, correction;
    h = t1 - s->rk.t;
    if (!(h >= least) && !(last && tries == 0)) {
      give_up(s);
      return s->choice.open && s->choice.now == PW_PAIR_IMPLICIT ? explicit_again(s, end)
                                                                 : PAWL_E_STEP;
    }
    bool fine = trial(s, t1, past.noise || s->noisy > 0, 1, &error, &correction);
    bool small = fine && error <= 1;
    bool near = small && s->hold.weakest[1] < most_weaker * s->hold.weakest[0];
    bool stuck =
        correction > 0.25 * past.correction && correction * s->control.tol <= most_round_off;
    bool rounding =
        small && !near && correction > most_correction && !stuck &&
        pw_mech_is_rounding(s->mech, t1, s->y, s->y + s->nq, s->side, s->work.e_x, s->work.e_u);
    bool good = small && !near && (correction <= most_correction || stuck || rounding);
    pw_hidden hidden = good ? pw_unseen_look(s) : (pw_hidden){0};
    if (good && hidden.h == 0) {
      accept(s, t1, error, past.noise || stuck || rounding);
      s->h_next = fmin(s->h_next, then);
      return PAWL_OK;
    }
    s->count.rejected++;
    recall(s);
    if (good) { /* the step ends before what it did not see */
      h = hidden.h;
      then = hidden.then;
      continue;
    }
    remember(&past, h, error, small ? correction : INFINITY);
    h = small ? 0.5 * h : pw_control_reject(&s->control, s->method, h, fine ? error : NAN);
  }
}

void pw_stepper_undo(pw_stepper *s) {
  memcpy(s->y, s->rk.y0, (size_t)s->n * sizeof *s->y);
  memcpy(s->f, s->rk.k, (size_t)s->n * sizeof *s->f);
  s->t = s->rk.t;
  s->count.taken--;
  s->count.rejected++;
  pw_choice_undo(&s->choice);
  s->smooth = s->pass.on = false;
  recall(s);
}

/* ---- inside the step ---- */

pawl_status pw_stepper_restep(pw_stepper *s, double h, double *y) {
  size_t bytes = (size_t)s->n * sizeof *y;
  if (s->pass.on) {
    pawl_status at = pw_stepper_at(s, h / s->rk.h, y);
    return at == PAWL_OK ? project_if_possible(s, s->rk.t + h, y) : at;
  }
  memcpy(s->probe.y0, s->rk.y0, bytes);
  memcpy(s->probe.k, s->rk.k, bytes);
  pawl_status status = (has_to_project(s) ? pw_rk_step : pw_rk_advance)(&s->probe, s->rk.t, h);
  memcpy(y, s->probe.y1, bytes);
  if (status == PAWL_E_STEP) { /* equations that are not solved: as good as the step itself */
    status = pw_stepper_at(s, h / s->rk.h, y);
  }
  if (status == PAWL_OK && has_to_project(s)) {
    status = project_if_possible(s, s->rk.t + h, y);
  }
  return status;
}

/* The last shorter step that was tried becomes the step. */
static void take_probe(pw_stepper *s) {
  size_t n = (size_t)s->n * sizeof *s->y;
  memcpy(s->rk.k, s->probe.k, (size_t)s->method->stages * n);
  memcpy(s->rk.y1, s->probe.y1, n);
  s->rk.h = s->probe.h;
  s->rk.has_end = s->rk.has_dense = false;
}

pawl_status pw_stepper_cut(pw_stepper *s, double h) {
  double size;
  s->sight.known = false;
  recall(s);
  pawl_status status = PAWL_OK;
  if (s->pass.on) {
    s->rk.h = h;
    s->rk.has_end = false;
    pw_pass_eval(&s->pass, h / s->pass.length, s->rk.y0, s->rk.y1);
  } else if (s->probe.h == h && s->rk.map == NULL) {
    take_probe(s);
  } else {
    status = pw_rk_step(&s->rk, s->rk.t, h);
  }
  if (status == PAWL_OK) {
    status = finish(s, s->rk.t + h, &size);
  }
  if (status == PAWL_OK) {
    s->t = s->rk.t + h;
    s->h = h;
  }
  if (status == PAWL_OK && !s->projects) { /* else they are there */
    energies(s, s->t, s->y);
  }
  return status;
}
