// SPDX-License-Identifier: MIT
#include "bvp/shoot.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "law/scale_bvp.h"
#include "linalg/dense.h"
#include "sim/trial.h"

/* ---- by how much the end is missed ---- */

void pw_turn_between(const double *e, const double *q, double *out) {
  double s = e[0] * q[0] + e[1] * q[1] + e[2] * q[2] + e[3] * q[3];
  double v[3] = {e[0] * q[1] - e[1] * q[0] - e[2] * q[3] + e[3] * q[2],
                 e[0] * q[2] - e[2] * q[0] - e[3] * q[1] + e[1] * q[3],
                 e[0] * q[3] - e[3] * q[0] - e[1] * q[2] + e[2] * q[1]};
  double n = pw_norm2(v, 3), angle = 2 * atan2(n, fabs(s)), sign = s < 0 ? -1 : 1;
  for (int i = 0; i < 3; i++) {
    out[i] = n > 0 ? sign * angle * v[i] / n : 0;
  }
}

bool pw_end_is_fixed(const pw_system *s, const pw_coord *k) {
  const pw_value *end = &s->model->q_end[k->q];
  return end->mode == PW_FIXED || (end->mode == PW_UNSET && s->np == 0);
}

double pw_shoot_measure(pw_shoot *x, double t, const double *q, const double *u) {
  const pw_model *model = x->sys->model;
  double miss = 0;
  int k = 0;
  for (int c = 0; c < model->coords.n; c++) {
    const pw_coord *coord = &model->coords.items[c];
    const pw_value *end = &model->q_end[coord->q];
    if (!pw_end_is_fixed(x->sys, coord)) {
      continue;
    }
    if (coord->is_rotation) {
      double e[4] = {end[0].value, end[1].value, end[2].value, end[3].value};
      pw_turn_between(e, q + coord->q, x->r + k);
      k += 3;
    } else {
      x->r[k++] = q[coord->q] - end->value;
    }
  }
  if (k < x->m - (x->landing > 0)) {
    pw_natural_residuals(x, t, q, u, x->r + k);
  }
  for (k = 0; k < x->m - (x->landing > 0); k++) {
    x->r[k] /= x->length[k];
    miss = !(fabs(x->r[k]) <= miss) ? fabs(x->r[k]) : miss;
  }
  return miss;
}

/* ---- the motion ---- */

void pw_shoot_set_start(pw_shoot *x, const double *s) {
  const pw_model *model = x->sys->model;
  memcpy(x->u, x->u0, (size_t)x->sys->nv * sizeof *x->u);
  pw_natural_set_time(x, s);
  for (int k = x->n_u; k < x->d - x->free.time; k++) {
    x->lambda[x->state[k - x->n_u]] = s[k] * x->unit[x->state[k - x->n_u]];
  }
  for (int k = 0; k < x->n_u; k++) {
    pw_axpy(s[k], x->U + (size_t)k * (size_t)x->sys->nv, x->u, x->sys->nv);
  }
  for (int c = 0; c < model->coords.n; c++) {
    const pw_coord *k = &model->coords.items[c];
    if (k->is_rotation) {
      double *u = x->u + k->u, W[] = {u[0], u[1], u[2]};
      pw_mech_into_space(pawl_start_positions(x->system) + k->q, W, u);
    }
  }
}

/* FNV-1a. */
static unsigned hash_on(unsigned hash, const char *text) {
  for (; *text != '\0'; text++) {
    hash = (hash ^ (unsigned char)*text) * 16777619u;
  }
  return (hash ^ ',') * 16777619u;
}

static void note_hit(const pw_shoot *x, const char *law, pw_flight *f) {
  f->trace = hash_on(f->trace, law);
  for (int k = 0; k < x->n_fold; k++) {
    f->parity ^= strcmp(x->fold[k]->name, law) == 0 ? 1u << k : 0;
  }
}

/* Whether this contact holds, or any (NULL). */
static bool is_closed(const pw_shoot *x, const pawl_sim *sim, const char *law) {
  const pw_model *m = x->sys->model;
  bool closed = false;
  for (int i = 0; i < m->rows.n; i++) {
    const pw_row *row = &m->rows.items[i];
    bool named = law == NULL ? row->kind == PW_KIND_UNILATERAL : strcmp(row->name, law) == 0;
    closed = closed || (named && pawl_sim_closed(sim, i));
  }
  return closed;
}

/* Impacts of one instant count once; their laws are named together. */
static void note_events(const pw_shoot *x, pawl_sim *sim, pw_flight *f, pw_flight_log *log) {
  int n = pawl_sim_events(sim), hits = 0;
  for (int i = 0; i < n; i++) {
    pawl_event e = pawl_sim_event(sim, i);
    bool impact = strcmp(e.kind, "impact") == 0;
    if (impact && log != NULL && f->bounces < log->room) {
      char *label = log->labels[f->bounces];
      size_t used = hits == 0 ? 0 : strlen(label);
      (void)snprintf(label + used, PW_MAX_LABEL - used, "%s%s", hits == 0 ? "" : "+", e.at);
      log->times[f->bounces] = e.t;
    }
    if (impact && f->bounces + 1 == x->landing) {
      f->landing = is_closed(x, sim, e.at) ? e.rate_before : -e.rate_before;
    }
    if (impact) {
      note_hit(x, e.at, f);
      f->out = f->out || e.t <= x->from;
      hits++;
    }
  }
  f->bounces += hits > 0 && f->bounces < PW_MAX_BOUNCES;
  f->out = f->out || f->bounces > x->limit;
}

/* The segment of a law that has not ended yet, or NULL. */
static pawl_bvp_segment *open_segment(const pw_flight_log *log, const char *law) {
  for (int k = log->n_segment - 1; k >= 0; k--) {
    if (strcmp(log->segments[k].law, law) == 0) {
      return isnan(log->segments[k].to) ? &log->segments[k] : NULL;
    }
  }
  return NULL;
}

/* Which laws hold with equality from t on. */
static void note_segments(const pw_shoot *x, const pawl_sim *sim, double t, pw_flight_log *log) {
  const pw_model *m = x->sys->model;
  for (int i = 0; log != NULL && i < m->rows.n; i++) {
    const pw_row *row = &m->rows.items[i];
    bool sided = row->kind == PW_KIND_UNILATERAL || row->kind == PW_KIND_ONE_SIDED_VELOCITY ||
                 (pw_kind_imposed(row->kind) == PW_IMPOSED_STATE && pw_row_is_switched(row));
    bool closed = sided && t < x->to && pawl_sim_closed(sim, i);
    pawl_bvp_segment *now = open_segment(log, row->name);
    if (now != NULL && !closed) {
      now->to = t;
    } else if (now == NULL && closed && log->n_segment < log->most) {
      log->segments[log->n_segment++] = (pawl_bvp_segment){row->name, t, NAN};
    }
  }
}

/* The time after which the motion has arrived: a later impact does not count as a bounce. */
static double last_time(const pw_shoot *x) {
  return x->to - PW_SCALE(BVP_NO_TIME) * (x->to - x->from);
}

static bool has_arrived(const pw_shoot *x, const pawl_sim *sim) {
  return pawl_sim_events(sim) > 0 && pawl_sim_event(sim, 0).t > last_time(x);
}

static pawl_status go(pw_shoot *x, pawl_sim *sim, pw_flight *f, pw_flight_log *log) {
  pawl_stop why = PAWL_AT_EVENT;
  pawl_status status = PAWL_OK;
  while (status == PAWL_OK && why == PAWL_AT_EVENT && !f->out && !has_arrived(x, sim)) {
    note_events(x, sim, f, log);
    note_segments(x, sim, pawl_sim_events(sim) > 0 ? pawl_sim_event(sim, 0).t : x->from, log);
    status = pawl_sim_advance(sim, x->to, NULL, &why);
  }
  note_segments(x, sim, x->to, log);
  return status;
}

pw_shoot pw_shoot_landing(const pw_shoot *x, int landing) {
  PW_ASSERT(landing > 0 && x->landing == 0);
  pw_shoot soft = *x;
  soft.landing = landing;
  soft.limit = PW_MAX_BOUNCES - 1;
  soft.m++;
  return soft;
}

pw_shoot pw_shoot_slow(const pw_shoot *x) {
  pw_shoot slow = *x;
  slow.still = PW_SCALE(BVP_STILL_LANDING);
  return slow;
}

pawl_status pw_shoot_begin(const pw_shoot *x, pawl_sim *sim) {
  const pw_conditions conditions = {.still = x->still, .soft_from = x->landing};
  return pw_sim_start_trial(sim, &conditions, x->from, pawl_start_positions(x->system), x->u,
                            x->lambda, NULL);
}

/* The end position over the time that is no time. */
static void go_on(pw_shoot *x, const double *u, double dt) {
  const pw_model *model = x->sys->model;
  for (int c = 0; c < model->coords.n; c++) {
    const pw_coord *k = &model->coords.items[c];
    x->q[k->q] += k->is_rotation ? 0 : dt * u[k->u];
  }
}

/* Near a landing at t_L, g = (t_L - t)^3 and the start off by e, the speed is of the order e^(2/3):
 * its power 3/2, with the sign of the acceleration there, is a smooth function of the start. */
static void add_landing(pw_shoot *x, pw_flight *f) {
  double part = f->landing * (x->to - x->from) / x->length[0];
  x->r[x->m - 1] = copysign(pow(fabs(part), 1.5), part);
  f->ok = f->ok && (f->bounces >= x->landing || f->held); /* held without impact: there it is */
  f->miss = f->ok ? fmax(f->miss, fabs(x->r[x->m - 1])) : INFINITY;
}

/* Reads the end of the motion, if it got there. */
static void arrive(pw_shoot *x, pawl_sim *sim, pw_flight *f) {
  pawl_point p;
  pawl_energy energy;
  bool known = pawl_sim_point(sim, PAWL_BEFORE, &p) == PAWL_OK &&
               pawl_sim_energy(sim, &energy, NULL) == PAWL_OK;
  if (!known || !(p.t > last_time(x))) {
    return;
  }
  memcpy(x->q, p.q, (size_t)x->sys->nq * sizeof *x->q);
  go_on(x, p.u, x->to - p.t);
  memcpy(x->u_end, p.u, (size_t)x->sys->nv * sizeof *x->u_end);
  f->action = energy.action;
  f->miss = pw_shoot_measure(x, x->to, x->q, x->u_end);
  f->ok = isfinite(f->miss) && !f->out;
  pw_fold_residuals(x, f->parity, x->r);
}

static pw_flight fly(pw_shoot *x, pawl_sim *sim, const double *s, pw_flight_log *log) {
  pw_flight f = {.miss = INFINITY};
  if (x->opts->ask != NULL && x->opts->ask(x->opts->payload) != 0) {
    x->tally->stopped = true;
    return f;
  }

  /* the motion */
  int64_t before = pawl_sim_statistics(sim).evaluations;
  x->tally->trials++;
  pw_shoot_set_start(x, s);
  pawl_status status = pw_shoot_begin(x, sim);
  if (status == PAWL_OK) {
    status = go(x, sim, &f, log);
  }
  x->tally->cost += pawl_sim_statistics(sim).evaluations - before;

  /* its end */
  if (status == PAWL_OK) {
    arrive(x, sim, &f);
  }
  if (x->landing > 0) {
    f.held = f.ok && is_closed(x, sim, NULL);
    add_landing(x, &f);
  }
  return f;
}

pw_flight pw_shoot_fly(pw_shoot *x, const double *s, bool fine) {
  return fly(x, fine ? x->fine : x->sim, s, NULL);
}

pw_flight pw_shoot_record(pw_shoot *x, const double *s, pw_flight_log *log) {
  return fly(x, x->fine, s, log);
}
