// SPDX-License-Identifier: MIT
#include "bvp/shoot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "linalg/dense.h"

/* ---- by how much the end is missed ---- */

/* Rotation vector from the end orientation e to q, both unit quaternions, scalar first. */
static void turn_between(const double *e, const double *q, double *out) {
  double s = e[0] * q[0] + e[1] * q[1] + e[2] * q[2] + e[3] * q[3];
  double v[3] = {e[0] * q[1] - e[1] * q[0] - e[2] * q[3] + e[3] * q[2],
                 e[0] * q[2] - e[2] * q[0] - e[3] * q[1] + e[1] * q[3],
                 e[0] * q[3] - e[3] * q[0] - e[1] * q[2] + e[2] * q[1]};
  double n = pw_norm2(v, 3), angle = 2 * atan2(n, fabs(s)), sign = s < 0 ? -1 : 1;
  for (int i = 0; i < 3; i++) {
    out[i] = n > 0 ? sign * angle * v[i] / n : 0;
  }
}

static double measure(pw_shoot *x, const double *q) {
  const pw_model *model = x->sys->model;
  double miss = 0;
  for (int c = 0, k = 0; c < model->coords.n; c++) {
    const pw_coord *coord = &model->coords.items[c];
    const pw_value *end = &model->q_end[coord->q];
    if (coord->is_rotation) {
      double e[4] = {end[0].value, end[1].value, end[2].value, end[3].value};
      turn_between(e, q + coord->q, x->r + k);
      k += 3;
    } else if (end->mode != PW_GUESS) {
      x->r[k++] = q[coord->q] - end->value;
    }
  }
  for (int k = 0; k < x->m; k++) {
    x->r[k] /= x->length[k];
    miss = !(fabs(x->r[k]) <= miss) ? fabs(x->r[k]) : miss;
  }
  return miss;
}

/* ---- the motion ---- */

/* Angular velocities from body axes to space axes: W + 2 v x (w W + v x W), q = (w, v). */
static void into_space(const double *q, double *W) {
  double a[3] = {q[2] * W[2] - q[3] * W[1] + q[0] * W[0], q[3] * W[0] - q[1] * W[2] + q[0] * W[1],
                 q[1] * W[1] - q[2] * W[0] + q[0] * W[2]};
  W[0] += 2 * (q[2] * a[2] - q[3] * a[1]);
  W[1] += 2 * (q[3] * a[0] - q[1] * a[2]);
  W[2] += 2 * (q[1] * a[1] - q[2] * a[0]);
}

static void set_velocity(pw_shoot *x, const double *s) {
  const pw_model *model = x->sys->model;
  memcpy(x->u, x->u0, (size_t)x->sys->nv * sizeof *x->u);
  for (int k = 0; k < x->d; k++) {
    pw_axpy(s[k], x->U + (size_t)k * (size_t)x->sys->nv, x->u, x->sys->nv);
  }
  for (int c = 0; c < model->coords.n; c++) {
    const pw_coord *k = &model->coords.items[c];
    if (k->is_rotation) {
      into_space(pawl_start_positions(x->system) + k->q, x->u + k->u);
    }
  }
}

/* Impacts of one instant count once; their laws are named together. */
static void note_events(pawl_sim *sim, double from, pw_flight *f, pw_flight_log *log) {
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
    f->struck = f->struck || (impact && e.t <= from);
    hits += impact;
  }
  f->bounces += hits > 0 && f->bounces < PW_MAX_BOUNCES;
}

static void note_contacts(const pw_shoot *x, const pawl_sim *sim, pw_flight_log *log) {
  for (int i = 0; log != NULL && i < x->sys->model->rows.n; i++) {
    pw_kind kind = x->sys->model->rows.items[i].kind;
    bool one_sided = kind == PW_KIND_UNILATERAL || kind == PW_KIND_ONE_SIDED_VELOCITY;
    log->kept[i] = log->kept[i] || (one_sided && pawl_sim_closed(sim, i));
  }
}

static pawl_status go(pw_shoot *x, pawl_sim *sim, pw_flight *f, pw_flight_log *log) {
  pawl_stop why = PAWL_AT_EVENT;
  pawl_status status = PAWL_OK;
  while (status == PAWL_OK && why == PAWL_AT_EVENT) {
    note_events(sim, x->from, f, log);
    note_contacts(x, sim, log);
    status = pawl_sim_advance(sim, x->to, NULL, &why);
  }
  return status;
}

static pw_flight fly(pw_shoot *x, pawl_sim *sim, const double *s, pw_flight_log *log) {
  pw_flight f = {.miss = INFINITY};
  if (x->opts->ask != NULL && x->opts->ask(x->opts->payload) != 0) {
    x->stopped = true;
    return f;
  }
  x->trials++;
  set_velocity(x, s);
  pawl_point p;
  pawl_energy energy;
  pawl_status status = pawl_sim_start(sim, x->from, pawl_start_positions(x->system), x->u, NULL);
  if (status == PAWL_OK) {
    status = go(x, sim, &f, log);
  }
  if (status == PAWL_OK && pawl_sim_point(sim, PAWL_AFTER, &p) == PAWL_OK &&
      pawl_sim_energy(sim, &energy, NULL) == PAWL_OK && p.t == x->to) {
    memcpy(x->q, p.q, (size_t)x->sys->nq * sizeof *x->q);
    memcpy(x->u_end, p.u, (size_t)x->sys->nv * sizeof *x->u_end);
    f.action = energy.action;
    f.miss = measure(x, p.q);
    f.ok = isfinite(f.miss);
  }
  return f;
}

pw_flight pw_shoot_fly(pw_shoot *x, const double *s, bool fine) {
  return fly(x, fine ? x->fine : x->sim, s, NULL);
}

pw_flight pw_shoot_record(pw_shoot *x, const double *s, pw_flight_log *log) {
  return fly(x, x->fine, s, log);
}
