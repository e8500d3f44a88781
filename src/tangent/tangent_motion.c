// SPDX-License-Identifier: MIT
/* Steps: the simulation hands over each one it has taken, and state and columns are integrated over
 * it together, gradients (D1), in two steps of order 8 with the modes of the step. */
#include "tangent/tangent_part.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/strip.h"
#include "law/scale_tangent.h"
#include "linalg/dense.h"
#include "pawl/gradient.h"

/* ---- derivatives of the rates ---- */

void pw_tangent_break(pw_tangent *x, double t, const char *why) {
  if (x->why == NULL) {
    x->why = why;
    x->since = t;
  }
}

const double *pw_tangent_direction(pw_tangent *x, double dt, const double *column, int parameters) {
  const pw_system *s = x->sys;
  double *d = x->direction;
  memset(d, 0, (size_t)s->n_in * sizeof *d);
  d[s->offset[PW_VAR_TIME]] = dt;
  pw_copy(d + s->offset[PW_VAR_Q], column, s->nq);
  pw_copy(d + s->offset[PW_VAR_U], column + s->nq, s->nv);
  if (parameters >= 0) {
    pw_copy(d + s->offset[PW_VAR_PARAMETER], x->parameter + (size_t)parameters * (size_t)x->np,
            x->np);
  }
  return d;
}

pawl_status pw_tangent_rate_at(pw_tangent *x, double t, const double *y, const double *side,
                               double *rate) {
  const pw_system *s = x->sys;
  pawl_status status = pw_mech_vary_at(x->mech, t, y, y + s->nq, side, &x->series);
  if (status == PAWL_OK) {
    pw_copy(rate, x->mech->q_rate, s->nq);
    pw_copy(rate + s->nq, x->mech->a, s->nv);
  }
  return status;
}

/* State and columns: y' = f(y), dy' = f_y dy + f_p dp. */
static pawl_status rates(void *ctx, double t, const double *y, double *dy) {
  pw_tangent *x = ctx;
  pawl_status status = pw_tangent_rate_at(x, t, y, x->side, dy);
  for (int k = 0; k < x->k && status == PAWL_OK; k++) {
    const double *column = y + (size_t)(k + 1) * (size_t)x->n;
    double *to = dy + (size_t)(k + 1) * (size_t)x->n;
    pw_mech_vary(x->mech, &x->series, pw_tangent_direction(x, 0, column, k), to);
    pw_copy(to + x->sys->nq, x->series.a + x->sys->nv, x->sys->nv);
  }
  return status;
}

static double larger_norm(const double *a, const double *b, int n) {
  return fmax(pw_norm2(a, n), pw_norm2(b, n));
}

/* The error of the last part of the step, relative to the column it spoils most. Positions are
 * measured by |dq| + h |du|, velocities by that over h. */
static double column_error(pw_tangent *x) {
  const pw_rk *rk = &x->rk;
  int nq = x->sys->nq, nv = x->sys->nv;
  double worst = 0;
  for (int k = 1; k <= x->k; k++) {
    size_t at = (size_t)k * (size_t)x->n;
    const double *before = rk->y0 + at, *after = rk->y1 + at;
    double size = larger_norm(before, after, nq) + rk->h * larger_norm(before + nq, after + nq, nv);
    double norm[2] = {0, 0};
    for (int i = 0; i < rk->method->n_error; i++) {
      pw_rk_error(rk, i, rk->stage);
      const double *e = rk->stage + at;
      norm[i] = pw_norm2(e, nq) + rk->h * pw_norm2(e + nq, nv);
    }
    double error = pw_rk_error_size(rk->method, norm);
    worst = fmax(worst, size > 0 ? error / size : 0);
  }
  return worst;
}

/* Steps of order 8 from rk.y1, which is the state at `from`. The steps of the motion are as long as
 * its own errors allow; where it rests, its neighbours need shorter ones. Where a slip in a plane
 * ends it has no direction left; the simulation has made steps so short that a straight line will
 * do. */
static pawl_status one_part(pw_tangent *x, double from, double to) {
  int all = x->n * (x->k + 1);
  double tol = fmax(pawl_sim_statistics(x->sim).tol, PW_SCALE(COLUMN_LEAST)), h = to - from;
  double least = PW_SCALE(COLUMN_SHORTEST) * h;
  pawl_status status = PAWL_OK;
  for (double t = from; status == PAWL_OK && t < to;) {
    memcpy(x->rk.y0, x->rk.y1, (size_t)all * sizeof *x->rk.y0);
    status = rates(x, t, x->rk.y0, x->rk.k);
    if (x->step.fades) {
      pw_axpy(to - t, x->rk.k, x->rk.y1, all);
      return status;
    }
    h = fmin(h, to - t);
    status = status == PAWL_OK ? pw_rk_step(&x->rk, t, h) : status;
    while (status == PAWL_OK && h > least && !(column_error(x) <= tol)) {
      h /= 2;
      status = pw_rk_step(&x->rk, t, h);
    }
    t = t + h < to ? t + h : to;
  }
  return status;
}

pawl_status pw_tangent_flow(pw_tangent *x, double t, double *y, double *column) {
  size_t all = (size_t)x->n * (size_t)x->k;
  double from = x->step.from, middle = from + (t - from) / 2;
  memcpy(x->rk.y1, x->step.y, (size_t)x->n * sizeof *y);
  memcpy(x->rk.y1 + x->n, x->step.column, all * sizeof *y);
  pawl_status status = one_part(x, from, x->step.fades ? t : middle);
  status = status == PAWL_OK && !x->step.fades ? one_part(x, middle, t) : status;
  memcpy(y, x->rk.y1, (size_t)x->n * sizeof *y);
  memcpy(column, x->rk.y1 + x->n, all * sizeof *y);
  return status;
}

pawl_status pw_tangent_settle(pw_tangent *x, double t, const double *y, double *column) {
  const pw_system *s = x->sys;
  for (int k = 0; k < x->k; k++) {
    pw_mech_across_quaternions(x->mech, y, column + (size_t)k * (size_t)x->n);
  }
  if (x->mech->rank == 0) {
    return PAWL_OK;
  }
  pawl_status status = pw_mech_vary_at(x->mech, t, y, y + s->nq, x->side, &x->series);
  for (int k = 0; k < x->k && status == PAWL_OK; k++) {
    double *own = column + (size_t)k * (size_t)x->n;
    (void)pw_tangent_direction(x, 0, own, k);
    pw_mech_vary_settle(x->mech, &x->series, x->direction);
    pw_copy(own, x->direction + s->offset[PW_VAR_Q], s->nq);
    pw_copy(own + s->nq, x->direction + s->offset[PW_VAR_U], s->nv);
  }
  return status;
}

/* ---- steps ---- */

static bool sides_differ(const pw_tangent *x, const double *side) {
  return x->sys->n_switch > 0 &&
         memcmp(x->side, side, (size_t)x->sys->n_switch * sizeof *side) != 0;
}

static void note_fired(pw_tangent *x) {
  x->step.n_fired = 0;
  x->step.fades = false;
  for (int i = 0; i < x->sys->ni; i++) {
    pw_fired f = {.law = i, .recent = pw_trial_recent(x->sim, i)};
    if (pw_trial_fires(x->sim, i, &f.upper)) {
      x->step.fired[x->step.n_fired++] = f;
      x->step.fades =
          x->step.fades || (x->sys->law[i].group == i && !pw_mech_is_closed(x->mech, i));
    }
  }
}

static void take_step(void *payload, const pw_segment *segment) {
  pw_tangent *x = payload;
  const double *side = pw_trial_at(x->sim).side;
  size_t all = (size_t)x->n * (size_t)x->k * sizeof *x->end;
  if (!(segment->to > segment->from)) {
    return;
  }
  if (segment->by_steps) { /* `method auto`: the rows are open, the pile has the forces */
    pw_tangent_break(x, segment->from, "steps have taken over from events");
  }

  /* a surface was crossed between the steps: its saltation matrix */
  if (x->started && sides_differ(x, side)) {
    pw_saltation_of_surfaces(x, segment->from, segment->value, side);
  }

  /* the start of the step, with the laws imposed that the motion imposes */
  x->started = true;
  x->step.from = segment->from;
  x->step.to = segment->to;
  memcpy(x->step.y, segment->value, (size_t)x->n * sizeof *x->y);
  memcpy(x->step.column, x->end, all);
  pw_copy(x->side, side, x->sys->n_switch);
  pw_trial_impose(x->sim, x->mech);
  note_fired(x);

  /* the columns follow the variational equations to its end, on the constraints */
  if (x->why == NULL) {
    pawl_status status =
        pw_mech_rates_decide(x->mech, segment->from, x->step.y, x->step.y + x->sys->nq, x->side);
    status = status == PAWL_OK ? pw_tangent_flow(x, segment->to, x->y, x->end) : status;
    status = status == PAWL_OK ? pw_tangent_settle(x, segment->to, x->y, x->end) : status;
    if (status != PAWL_OK) {
      pw_tangent_break(x, segment->from, "the equations cannot be evaluated beside the motion");
    }
  }
}

/* ---- making ---- */

static int most_events(const pw_system *s) {
  return 2 * s->ni + 2 + s->model->events.n;
}

static void lay_out(pw_tangent *x, pw_strip *to) {
  const pw_system *s = x->sys;
  size_t n = (size_t)x->n, k = (size_t)x->k, all = n * k;
  size_t values = (size_t)(s->nq + s->nv + s->nz + PW_ENERGIES);
  x->parameter = pw_strip_real(to, (size_t)x->np * k);
  x->column = pw_strip_real(to, all);
  x->end = pw_strip_real(to, all);
  x->moved = pw_strip_real(to, all);
  x->y = pw_strip_real(to, n);
  x->step.y = pw_strip_real(to, n);
  x->step.column = pw_strip_real(to, all);
  x->side = pw_strip_real(to, (size_t)s->n_switch);
  x->time = pw_strip_real(to, k * (size_t)most_events(s));
  x->delay = pw_strip_real(to, k);
  x->direction = pw_strip_real(to, (size_t)s->n_in);
  x->rate[0] = pw_strip_real(to, n);
  x->rate[1] = pw_strip_real(to, n);
  x->recorder.value = pw_strip_real(to, (size_t)PW_MOST_NODES * values);
  x->recorder.force = pw_strip_real(to, 2 * (size_t)s->model->rows.n);
  double *series = pw_strip_real(to, pw_series_doubles(s, 1));
  double *rk = pw_strip_real(to, pw_rk_size(&pw_dop853, x->n * (x->k + 1)));
  x->work = pw_strip_real(to, pw_jump_tangent_doubles(s, x->k));
  x->whole = pw_strip_whole(to, pw_jump_tangent_ints(s));
  if (series != NULL) {
    pw_series_init(&x->series, s, 1, series);
    pw_rk_init(&x->rk, &pw_dop853, x->n * (x->k + 1), rk, rates, x);
  }
}

static bool make_room(pw_tangent *x) {
  pw_strip count = {0};
  lay_out(x, &count);
  x->memory = calloc(count.n_real + 1, sizeof *x->memory);
  int *whole = calloc(count.n_whole + 1, sizeof *whole);
  x->step.fired = calloc((size_t)x->sys->ni + 1, sizeof *x->step.fired);
  x->recorder.mode = calloc((size_t)x->sys->model->rows.n + 1, 1);
  bool ok = x->memory != NULL && whole != NULL && x->step.fired != NULL && x->recorder.mode != NULL;
  if (ok) {
    lay_out(x, &(pw_strip){.real = x->memory, .whole = whole});
  } else {
    free(whole);
    x->whole = NULL;
  }
  return ok;
}

/* What has no derivatives in this version, in words; NULL: nothing. At a point: */
static const char *obstacle_at(const pw_system *s, pawl_method method) {
  bool jumps = s->trait.balances && s->n_switch > 0; /* of rates that no impact law describes */
  return s->n_state > 0                 ? "a multiplier that is a state"
         : jumps                        ? "a coordinate without inertia on which forces switch"
         : s->load.n > 0                ? "friction that the forces of constraints press"
         : pawl_method_is_fixed(method) ? "a method with fixed steps"
                                        : NULL;
}

/* along a motion. */
static const char *obstacle(const pw_system *s, pawl_method method) {
  for (int i = 0; i < s->model->signals.n; i++) {
    pw_signal_kind kind = s->model->signals.items[i].kind;
    if (kind == PW_SIGNAL_DELAY || kind == PW_SIGNAL_SAMPLE) {
      return kind == PW_SIGNAL_DELAY ? "a delay" : "a sample";
    }
  }
  bool by_momenta = pw_system_jumps_by_momenta(s) && s->ni > 0;
  return by_momenta ? "a mass matrix that depends on the velocities, at contacts"
                    : obstacle_at(s, method);
}

pawl_status pw_tangent_possible(const pawl_system *system, const pawl_sim_opts *opts,
                                pawl_diags *diags) {
  pawl_method asked = opts != NULL ? opts->method : PAWL_METHOD_AUTO;
  const char *what = obstacle(system->sys, pawl_method_for(system, asked));
  if (what == NULL) {
    return PAWL_OK;
  }
  pw_diag_ref d =
      pw_error(diags, "E0681", PW_NO_SPAN, "%s has no derivatives along a motion", what);
  pw_help(d, "finite differences of two runs show what changes");
  return PAWL_E_ARGUMENT;
}

/* All but a simulation; NULL: out of memory. */
static pw_tangent *without_sim(const pawl_system *system, int columns) {
  pw_tangent *x = calloc(1, sizeof *x);
  if (x == NULL) {
    return NULL;
  }
  x->system = pw_system_keep(system);
  x->sys = system->sys;
  x->n = x->sys->nq + x->sys->nv;
  x->k = columns;
  x->np = x->sys->model->parameters.n;
  if (!make_room(x) || pw_mech_new(x->sys, &x->mech) != PAWL_OK) {
    pw_tangent_free(x);
    return NULL;
  }
  return x;
}

pawl_status pw_tangent_new(const pawl_system *system, const pawl_sim_opts *opts, int columns,
                           pawl_diags *diags, pw_tangent **out) {
  *out = NULL;
  pawl_status status = pw_tangent_possible(system, opts, diags);
  pw_tangent *x = status == PAWL_OK ? without_sim(system, columns) : NULL;
  if (x == NULL) {
    return status == PAWL_OK ? PAWL_E_MEMORY : status;
  }
  status = pawl_sim_new(system, opts, diags, &x->sim);
  if (status != PAWL_OK) {
    pw_tangent_free(x);
    return status;
  }
  x->recorder.take = take_step;
  x->recorder.payload = x;
  pw_sim_record(x->sim, &x->recorder);
  pw_trial_log_jumps(x->sim, &x->log);
  status = pw_trial_start_over(x->sim, NULL);
  if (status != PAWL_OK) {
    pw_tangent_free(x);
    return status;
  }
  *out = x;
  return PAWL_OK;
}

void pw_tangent_free(pw_tangent *x) {
  if (x == NULL) {
    return;
  }
  pawl_sim_free(x->sim);
  pw_mech_free(x->mech);
  pw_jump_log_free(&x->log);
  free(x->step.fired);
  free(x->recorder.mode);
  free(x->whole);
  free(x->memory);
  pw_system_drop(x->system);
  free(x);
}

pawl_sim *pw_tangent_sim(const pw_tangent *x) {
  return x->sim;
}

int pw_tangent_size(const pw_tangent *x) {
  return x->n;
}

/* ---- going along ---- */

static void stand_at_point(pw_tangent *x) {
  pw_trial_point p = pw_trial_at(x->sim);
  pw_copy(x->y, p.y, x->n);
}

void pw_tangent_begin(pw_tangent *x, const double *columns, const double *parameters) {
  size_t all = (size_t)x->n * (size_t)x->k;
  memmove(x->column, columns, all * sizeof *columns);
  memcpy(x->end, columns, all * sizeof *columns);
  memmove(x->parameter, parameters, (size_t)x->np * (size_t)x->k * sizeof *parameters);
  x->started = false;
  x->why = NULL;
  x->step.n_fired = 0;
  pw_copy(x->side, pw_trial_at(x->sim).side, x->sys->n_switch);
  pw_trial_impose(x->sim, x->mech);
  stand_at_point(x);
}

void pw_tangent_set(pw_tangent *x, const double *columns) {
  size_t all = (size_t)x->n * (size_t)x->k * sizeof *columns;
  memcpy(x->column, columns, all);
  memcpy(x->end, columns, all);
}

/* Columns inside of the last step, or at its end. */
static void look_back(pw_tangent *x, double t) {
  size_t all = (size_t)x->n * (size_t)x->k * sizeof *x->end;
  memcpy(x->column, x->end, all);
  if (x->why == NULL && x->started && t < x->step.to && t >= x->step.from &&
      pw_tangent_flow(x, t, x->y, x->column) != PAWL_OK) {
    pw_tangent_break(x, t, "the equations cannot be evaluated beside the motion");
  }
}

static void forget_times(pw_tangent *x) {
  for (int i = 0; i < x->k * most_events(x->sys); i++) {
    x->time[i] = NAN;
  }
}

pawl_status pw_tangent_advance(pw_tangent *x, double target, pawl_diags *diags, pawl_stop *why) {
  pawl_status status = pawl_sim_advance(x->sim, target, diags, why);
  pw_trial_point p = pw_trial_at(x->sim);
  forget_times(x);
  x->untimed = NULL;
  if (status != PAWL_OK) {
    return status;
  }
  if (*why == PAWL_AT_EVENT && p.at_laws && !pw_trial_is_rest(x->sim)) {
    if (x->log.lost) {
      return PAWL_E_MEMORY;
    }
    pw_saltation_of_laws(x);
    memcpy(x->column, x->end, (size_t)x->n * (size_t)x->k * sizeof *x->end);
  } else {
    look_back(x, p.t);
  }
  stand_at_point(x);
  if (*why == PAWL_AT_EVENT && !p.at_laws) {
    pw_saltation_of_events(x);
  }
  return status;
}

const double *pw_tangent_columns(const pw_tangent *x) {
  return x->column;
}

const double *pw_tangent_end(const pw_tangent *x, double *t) {
  *t = x->step.to;
  return x->end;
}

const double *pw_tangent_state(const pw_tangent *x) {
  return x->y;
}

pawl_status pw_tangent_rate(pw_tangent *x, double *rate) {
  return pw_tangent_rate_at(x, pw_trial_at(x->sim).t, x->y, x->side, rate);
}

double pw_tangent_time(const pw_tangent *x, int i, int column) {
  return x->why != NULL || i < 0 || i >= most_events(x->sys) ? (double)NAN
                                                             : x->time[i * x->k + column];
}

const char *pw_tangent_untimed(const pw_tangent *x) {
  return x->untimed;
}

const char *pw_tangent_why(const pw_tangent *x, double *since) {
  if (since != NULL) {
    *since = x->since;
  }
  return x->why;
}

/* ---- results ---- */

/* The direction with accelerations and forces, which the tapes of results read. */
static const double *whole_direction(pw_tangent *x, double dt, const double *column, int k) {
  const pw_system *s = x->sys;
  double *d = x->direction;
  pw_mech_vary(x->mech, &x->series, pw_tangent_direction(x, dt, column, k), x->rate[1]);
  pw_copy(d + s->offset[PW_VAR_A], x->series.a + s->nv, s->nv);
  pw_mech_vary_forces(x->mech, x->series.lambda + s->nr, column, d + s->offset[PW_VAR_FORCE]);
  return d;
}

/* What an output contains besides, as a direction: impulses and integrals. */
static const double *unknown_direction(pw_tangent *x) {
  const pw_system *s = x->sys;
  memset(x->direction, 0, (size_t)s->n_in * sizeof *x->direction);
  for (int i = 0; i < s->model->rows.n; i++) {
    x->direction[s->offset[PW_VAR_IMPULSE] + i] = 1;
  }
  for (int i = 0; i < PW_QUAD_NAMED; i++) {
    x->direction[s->offset[PW_VAR_QUAD] + i] = 1;
  }
  return x->direction;
}

pawl_status pw_tangent_results(pw_tangent *x, int column, double shift, double *out) {
  const pw_system *s = x->sys;
  double quad[PW_QUAD_NAMED], t = pw_trial_at(x->sim).t, *moved = x->moved;
  pawl_status status = pw_tangent_rate_at(x, t, x->y, x->side, x->rate[0]);
  if (status != PAWL_OK) {
    return status;
  }
  pw_copy(moved, x->column + (size_t)column * (size_t)x->n, x->n);
  pw_axpy(shift, x->rate[0], moved, x->n);
  pw_copy(out, moved, s->nq);
  pw_trial_quad(x->sim, quad);
  pw_mech_show_results(x->mech, quad);
  const double *jet = pw_mech_vary_tape(x->mech, &x->series, s->tape.output,
                                        whole_direction(x, shift, moved, column));
  for (int i = 0; i < s->nv + s->n_out; i++) {
    out[s->nq + i] = jet[2 * i + 1];
  }
  pw_copy(out + s->nq + s->nv + s->n_out, x->direction + s->offset[PW_VAR_FORCE], s->model->rows.n);
  jet = pw_mech_vary_tape(x->mech, &x->series, s->tape.output, unknown_direction(x));
  for (int i = 0; i < s->nv + s->n_out; i++) {
    out[s->nq + i] = jet[2 * i + 1] != 0 ? (double)NAN : out[s->nq + i];
  }
  return PAWL_OK;
}

/* ---- at one point ---- */

pawl_status pawl_gradient_by_input(pawl_sim *sim, int input, double *out) {
  const pawl_system *system = sim == NULL ? NULL : pw_trial_system(sim);
  int slot = pawl_input_position(system, input);
  if (slot < 0 || out == NULL) {
    return PAWL_E_ARGUMENT;
  }
  if (obstacle_at(system->sys, pawl_sim_statistics(sim).method) != NULL) {
    return PAWL_E_STATE;
  }
  pw_tangent *x = without_sim(system, 1);
  if (x == NULL) {
    return PAWL_E_MEMORY;
  }
  x->sim = sim; /* borrowed */
  x->column[slot] = 1;
  pw_tangent_begin(x, x->column, x->parameter);
  pawl_status status =
      pw_mech_rates_decide(x->mech, pw_trial_at(sim).t, x->y, x->y + x->sys->nq, x->side);
  status = status == PAWL_OK ? pw_tangent_results(x, 0, 0, out) : status;
  x->sim = NULL;
  pw_tangent_free(x);
  return status;
}
