// SPDX-License-Identifier: MIT
/* The accepted step (Eich 1993: projection keeps the order if its corrections stay within the
 * error of the step). */
#include "sim/step_inner.h"

#include <math.h>
#include <string.h>

#include "base/real.h"
#include "law/scale_sim.h"
#include "linalg/dense.h"
#include "sim/radau.h"

enum { STEPS_WITH_ROUNDING = 20 }; /* after round-off was met */

/* ---- trial ---- */

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
  return !(*error <= allowed) || pw_stepper_finish(s, t1, correction) == PAWL_OK;
}

static void begin_step(pw_stepper *s) {
  size_t bytes = (size_t)s->n * sizeof *s->y;
  s->pass.on = false;
  s->hold.fall = s->smooth ? (s->hold.weakest[0] - s->hold.weakest[1]) / s->h : 0;
  for (int i = 0; s->hold.fall > 0 && i < s->n; i++) { /* else nothing singular is ahead */
    s->pass.bend[i] = (s->f[i] - s->rk.k[i]) / s->h;
  }
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

static void remember(history *past, double h, double error, double correction, double tol) {
  double ratio = past->h > 0 ? h / past->h : 0;
  bool stays = past->h > 0 && error > past->error * ratio * ratio;

  /* where stages run away the error is as large as the state, for any step */
  past->noise = past->noise || (stays && error * tol <= PW_SCALE(STEP_RUNS_AWAY));
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
  double allowed = fmax(1, fmin(p->rounding, PW_SCALE(STEP_MOST_ROUNDING) / s->control.tol));

  /* the position is elsewhere: the next step has it in the middle */
  if (!p->centred) {
    *away = fmax(p->middle, PW_SCALE(PASS_MIDDLE)) * p->length;
    return false;
  }

  /* the series across it is good enough, or it is not used */
  p->reach = pw_pass_reach(p, error, allowed);
  if (!(error <= allowed)) {
    pw_pass_drop(s);
    return false;
  }

  /* the end is taken from the series and put on the constraints */
  p->on = true;
  s->rk.h = t1 - s->rk.t;
  s->rk.has_end = s->rk.has_dense = false;
  pw_pass_eval(p, s->rk.h / p->length, s->rk.y0, s->rk.y1);
  p->on = pw_stepper_finish(s, t1, &correction) == PAWL_OK &&
          correction <= PW_SCALE(STEP_CORRECTION) * allowed;
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
    double across = 2 * away; /* the length of that step */
    bool ahead = *h > PW_SCALE(PASS_AHEAD) * away || (p->reach < INFINITY && across <= p->reach);
    if (!ahead || across > p->reach || s->rk.t + PW_SCALE(PASS_BEFORE) * away >= end) {
      break;
    }
    if (pass(s, &away, end)) {
      return true;
    }
    s->count.rejected++;
    recall(s);
    if (p->centred) {
      *h = fmin(*h, away - fmax(PW_SCALE(PASS_SHORT_OF) * fmin(p->reach, 2 * away),
                                PW_SCALE(PASS_BEFORE) * away));
      break;
    }
  }
  return false;
}

enum { MOST_HALVED = 20 };

/* To the next point start + k fixed; a piece too short for a step of its own joins the next. Where
 * the direction of a slip turns within it too much for its equations to be solved, a part of it. */
static pawl_status fixed_step(pw_stepper *s, double end) {
  const double shortest = PW_SCALE(STEP_JOINS);
  double past = floor((s->t - s->range.start) / s->range.fixed + shortest);
  double t1 = s->range.start + (past + 1) * s->range.fixed, error, correction;
  t1 = t1 + shortest * s->range.fixed >= end ? end : t1;
  begin_step(s);
  for (int halved = 0; !trial(s, t1, false, INFINITY, &error, &correction); halved++) {
    recall(s);
    t1 = s->rk.t + (t1 - s->rk.t) / 2;
    if (s->fault.status != PAWL_E_STEP || !pw_mech_slides_in_plane(s->mech) ||
        halved == MOST_HALVED || !(t1 > s->rk.t)) {
      give_up(s);
      return PAWL_E_STEP;
    }
  }
  accept(s, t1, error, false);
  return PAWL_OK;
}

double pw_stepper_least(const pw_stepper *s) {
  return PW_SCALE(ROUNDED) * fmax(fabs(s->t), PW_SCALE(STEP_TIME_FLOOR) * s->range.span);
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
    bool last = s->rk.t + PW_SCALE(STEP_LAST) * h >= end;
    double t1 = last ? end : s->rk.t + h, error, correction;
    h = t1 - s->rk.t;
    if (!(h >= least) && !(last && tries == 0)) {
      give_up(s);
      return s->choice.open && s->choice.now == PW_PAIR_IMPLICIT ? explicit_again(s, end)
                                                                 : PAWL_E_STEP;
    }

    /* error and correction small; or the rest of the correction is rounding */
    bool fine = trial(s, t1, past.noise || s->noisy > 0, 1, &error, &correction);
    bool small = fine && error <= 1;
    bool near = small && s->hold.weakest[1] < PW_SCALE(STEP_WEAKER) * s->hold.weakest[0];
    bool stuck = correction > PW_SCALE(STEP_STUCK) * past.correction &&
                 correction * s->control.tol <= PW_SCALE(STEP_MOST_ROUNDING);
    bool rounding =
        small && !near && correction > PW_SCALE(STEP_CORRECTION) && !stuck &&
        pw_mech_is_rounding(s->mech, t1, s->y, s->y + s->nq, s->side, s->work.e_x, s->work.e_u);
    bool good = small && !near && (correction <= PW_SCALE(STEP_CORRECTION) || stuck || rounding);

    /* nothing was over between two places where the step looked */
    pw_hidden hidden = good ? pw_unseen_look(s) : (pw_hidden){0};
    if (good && hidden.h == 0) {
      accept(s, t1, error, past.noise || stuck || rounding);
      s->h_next = fmin(s->h_next, then);
      return PAWL_OK;
    }

    /* shorter: before what was hidden, or as the error asks */
    s->count.rejected++;
    recall(s);
    if (good) { /* the step ends before what it did not see */
      h = hidden.h;
      then = hidden.then;
      continue;
    }
    remember(&past, h, error, small ? correction : INFINITY, s->control.tol);
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
    return at == PAWL_OK ? pw_stepper_project_inside(s, s->rk.t + h, y) : at;
  }
  memcpy(s->probe.y0, s->rk.y0, bytes);
  memcpy(s->probe.k, s->rk.k, bytes);
  pawl_status status =
      (pw_stepper_has_to_project(s) ? pw_rk_step : pw_rk_advance)(&s->probe, s->rk.t, h);
  memcpy(y, s->probe.y1, bytes);
  if (status == PAWL_E_STEP) { /* equations that are not solved: as good as the step itself */
    status = pw_stepper_at(s, h / s->rk.h, y);
  }
  if (status == PAWL_OK && pw_stepper_has_to_project(s)) {
    status = pw_stepper_project_inside(s, s->rk.t + h, y);
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

/* The step once more, up to h. Implicit equations that are not solved there leave its polynomial.
 */
static pawl_status shorten(pw_stepper *s, double h) {
  double whole = s->rk.h;
  pawl_status status = pw_rk_step(&s->rk, s->rk.t, h);
  if (status == PAWL_E_STEP && s->rk.map == pw_radau_step) {
    s->rk.h = whole;
    pw_radau_part(&s->rk, h / whole);
    s->rk.h = h;
    s->fault.status = status = PAWL_OK;
  }
  return status;
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
    status = shorten(s, h);
  }
  if (status == PAWL_OK) {
    status = pw_stepper_finish(s, s->rk.t + h, &size);
  }
  if (status == PAWL_OK) {
    s->t = s->rk.t + h;
    s->h = h;
  }
  if (status == PAWL_OK && !pw_stepper_has_to_project(s)) { /* else they are there */
    pw_stepper_energies(s, s->t, s->y);
  }
  return status;
}
