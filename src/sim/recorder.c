// SPDX-License-Identifier: MIT
/* A step as a segment: the dense output at the Chebyshev points, as many as determine it, with the
 * energies there. A step across a singular position is a polynomial of degree PW_PASS_ORDER. */
#include "sim/recorder.h"

#include <string.h>

#include "pawl/traj.h"
#include "sim/sim_state.h"

void pw_sim_shape(const pawl_sim *sim, pw_shape *out) {
  const pw_system *sys = sim->sys;
  out->nq = sim->model->nq;
  out->n_more = sys->nq - sim->model->nq;
  out->nv = sys->nv;
  out->n_law = sim->model->rows.n;
  out->n_out = sys->n_out;
  out->n_work = sys->n_work;
  out->bare = sim->relay.on                    ? PW_BARE_TURNS
              : sim->method == &pw_heap_method ? PW_BARE_EVENTS
                                               : PW_BARE_NONE;
  out->n_rotation = sim->n_rotation;
  out->rotation = sim->rotation;
  out->lost = sim->energy.lost_works;
  out->time = sim->energy.time_works;
}

void pw_sim_record(pawl_sim *sim, pw_recorder *recorder) {
  sim->recorder = recorder;
}

void pw_sim_tell_strokes(pawl_sim *sim, pw_strokes *strokes) {
  sim->contacts.impact.strokes = strokes;
}

/* A law with several kinks is held if one of them is, and below if it is below one. */
static void modes(const pawl_sim *sim, unsigned char *mode) {
  const pw_system *sys = sim->sys;
  memset(mode, PAWL_LAW_OPEN, (size_t)sim->model->rows.n);
  for (int k = 0; k < sys->nr; k++) {
    unsigned char *of = &mode[sys->row_of[k]];
    unsigned char kink = k < sys->nc ? PW_CLOSED : sim->contacts.mode[k - sys->nc];
    if (kink == PW_CLOSED || kink == PW_RESTING) {
      *of = PAWL_LAW_HELD;
    } else if (kink == PW_BELOW && *of == PAWL_LAW_OPEN) {
      *of = PAWL_LAW_BELOW;
    }
  }
}

static void energies(const pawl_sim *sim, double t, const double *y, double *energy) {
  const pw_stepper *s = &sim->stepper;
  pw_mech_energy(sim->mech, t, y, y + s->nq, s->side, energy);
}

/* Methods with forces of their own, means over the step, have one at both ends. */
static const double *forces(pawl_sim *sim, double *own) {
  if (sim->method->forces == NULL) {
    return sim->stepper.force;
  }
  int n = sim->model->rows.n;
  sim->method->forces(sim);
  pw_mech_forces(sim->mech, own);
  memcpy(own + n, own, (size_t)n * sizeof *own);
  return own;
}

int pw_sim_most_kicks(const pawl_sim *sim) {
  return sim->method == &pw_heap_method || sim->relay.on ? sim->heap.most : 0;
}

static int kicks(const pawl_sim *sim, double *to) {
  int n = 0;
  for (int i = 0; i < pawl_sim_meetings(sim); i++) {
    const pw_heap_known *k = &sim->heap.known[i];
    double h = *sim->heap.length;
    if (k->force[0] == 0 && k->force[1] == 0 && k->force[2] == 0) {
      continue;
    }
    double head[] = {k->shape[0], k->shape[1], k->point, k->pile};
    memcpy(to, head, sizeof head);
    memcpy(to + PW_KICK_PLACE, k->x, sizeof k->x);
    memcpy(to + PW_KICK_NORMAL, k->normal, sizeof k->normal);
    to[PW_KICK_ALONG] = h * k->force[0];
    for (int c = 0; c < 3; c++) {
      to[PW_KICK_ACROSS + c] =
          h * (k->force[1] * k->tangent[0][c] + k->force[2] * k->tangent[1][c]);
    }
    to += PW_KICK_REALS;
    n++;
  }
  return n;
}

static void place_nodes(pw_recorder *r, int nodes) {
  for (int j = 0; r->nodes != nodes && j < nodes; j++) {
    r->node[j] = pw_segment_node(j, nodes);
  }
  r->nodes = nodes;
}

pawl_status pw_sim_record_step(pawl_sim *sim) {
  pw_recorder *r = sim->recorder;
  pw_stepper *s = &sim->stepper;
  if (r == NULL) {
    return PAWL_OK;
  }
  pw_segment segment = {.from = s->rk.t, .to = s->t, .mode = r->mode, .value = r->value};
  segment.nodes = s->pass.on ? PW_PASS_ORDER + 1 : s->method->terms;
  place_nodes(r, segment.nodes);
  for (int j = 0; j < segment.nodes; j++) {
    double *y = r->value + (ptrdiff_t)j * (s->n + PW_ENERGIES);
    double part = r->node[j];
    pawl_status status = pw_stepper_at(s, part, y);
    if (status != PAWL_OK) {
      return status;
    }
    energies(sim, s->rk.t + part * s->rk.h, y, y + s->n);
  }
  modes(sim, r->mode);
  segment.force = forces(sim, r->force);
  segment.by_steps = sim->method == &pw_heap_method;
  segment.kick = r->kick;
  segment.n_kick = r->kick == NULL ? 0 : kicks(sim, r->kick);
  r->take(r->payload, &segment);
  return PAWL_OK;
}

void pw_sim_record_point(pawl_sim *sim, pawl_side side) {
  pw_recorder *r = sim->recorder;
  const pw_stepper *s = &sim->stepper;
  if (r == NULL) {
    return;
  }
  pawl_point point;
  int n = sim->model->rows.n;
  const double *y = side == PAWL_BEFORE && sim->at_contact ? sim->at.before : sim->y;
  memcpy(r->value, y, (size_t)s->n * sizeof *y);

  /* Forces of the point itself; where they cannot be had, those at the end of the step. */
  bool known = pawl_sim_point(sim, side, &point) == PAWL_OK;
  for (int end = 0; end < 2; end++) {
    memcpy(r->force + end * n, known ? point.force : s->force + n, (size_t)n * sizeof *r->force);
  }
  energies(sim, sim->t, r->value, r->value + s->n);
  modes(sim, r->mode);
  r->take(r->payload, &(pw_segment){.from = sim->t,
                                    .to = sim->t,
                                    .nodes = 1,
                                    .by_steps = sim->method == &pw_heap_method,
                                    .mode = r->mode,
                                    .force = r->force,
                                    .value = r->value});
}
