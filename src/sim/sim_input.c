// SPDX-License-Identifier: MIT
/* Inputs set from outside, at the current point: the step that reaches beyond it is cut there. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/sim_state.h"

/* Ends the last step at the current point; what was found behind it is forgotten. */
static pawl_status come_back(pawl_sim *sim) {
  pw_stepper *s = &sim->stepper;
  if (!(sim->t < s->t)) {
    return PAWL_OK;
  }
  pawl_status status = pw_stepper_cut(s, sim->t - s->rk.t);
  pw_contacts_forget(&sim->contacts);
  pw_surfaces_forget(&sim->surfaces);
  sim->contacts.pending = sim->must_seek = sim->ended = false;
  return status == PAWL_OK ? pw_events_step(&sim->events, true, false) : status;
}

pawl_status pawl_sim_input(pawl_sim *sim, int i, double value) {
  int slot = sim == NULL ? -1 : pawl_input_position(sim->system, i);
  if (slot < 0 || !isfinite(value)) {
    return PAWL_E_ARGUMENT;
  }
  if (sim->failed != PAWL_OK || sim->stopped || sim->start_jump) {
    return PAWL_E_STATE;
  }
  pw_stepper *s = &sim->stepper;
  pawl_status status = come_back(sim);
  if (status == PAWL_OK) {
    pw_stepper_set(s, slot, value);
    sim->y[slot] = value;
    sim->at.ready = false;
    status = pw_stepper_restart(s);
  }
  if (status == PAWL_OK && sim->sys->ni > 0) { /* laws may hold, or let go, from here on */
    sim->contacts.pending = sim->driven = true;
  }
  sim->surfaces.signals.broken = true;
  sim->jumped = true;
  return status;
}

/* ---- what is shown before the motion goes on ---- */

typedef struct shown { /* the numbers of a point, in one block */
  double *a, *force, *u, *output;
  unsigned char *unique, *closed;
} shown;

static shown shown_at(const pawl_sim *sim, double *at) {
  int nv = sim->stepper.nv, n = sim->model->rows.n;
  shown x = {.a = at, .force = at + nv, .u = at + nv + n, .output = at + 2 * nv + n};
  x.unique = (unsigned char *)(x.output + sim->sys->n_out);
  x.closed = x.unique + n;
  return x;
}

static size_t shown_size(const pawl_sim *sim) {
  size_t n = (size_t)sim->model->rows.n;
  return ((size_t)(2 * sim->stepper.nv) + n + (size_t)sim->sys->n_out) * sizeof(double) + 2 * n;
}

static void copy_shown(const pawl_sim *sim, shown to, shown from) {
  size_t nv = (size_t)sim->stepper.nv, n = (size_t)sim->model->rows.n;
  memcpy(to.a, from.a, nv * sizeof(double));
  memcpy(to.force, from.force, n * sizeof(double));
  memcpy(to.u, from.u, nv * sizeof(double));
  memcpy(to.output, from.output, (size_t)sim->sys->n_out * sizeof(double));
  memcpy(to.unique, from.unique, n);
  memcpy(to.closed, from.closed, n);
}

/* The instant is made, its numbers are taken and the simulation is put back: further inputs may be
 * set here, and to look changes nothing. Where velocities jump, or there is no motion, the point
 * is still the one before: going on tells what happens. */
static pawl_status try_instant(pawl_sim *sim, void *saved, unsigned long size, shown out) {
  const pw_stepper *s = &sim->stepper;
  size_t state = (size_t)(s->nq + s->nv) * sizeof *s->y;
  shown now = {sim->at.a,      sim->at.force,  sim->at.u_shown,
               sim->at.output, sim->at.unique, sim->at.closed};
  pawl_status status = pawl_sim_save(sim, saved, size);
  if (status != PAWL_OK) {
    return status;
  }
  bool same = pw_sim_instant(sim) == PAWL_OK && memcmp(sim->at.before, sim->y, state) == 0 &&
              pw_sim_ready(sim) == PAWL_OK;
  int dof = pawl_sim_dof(sim);
  if (same) {
    for (int i = 0; i < sim->model->rows.n; i++) {
      now.closed[i] = (unsigned char)pawl_sim_closed(sim, i);
    }
    copy_shown(sim, out, now);
  }
  status = pawl_sim_restore(sim, saved, size);
  if (same && status == PAWL_OK) {
    copy_shown(sim, now, out);
    sim->at.ready = sim->at.decided = true;
    sim->at.expects = -1;
    sim->at.dof = dof;
  }
  return status;
}

pawl_status pw_sim_show(pawl_sim *sim) {
  bool undecided = sim->driven && !sim->at.ready && sim->contacts.pending &&
                   sim->failed == PAWL_OK && sim->method->handle == NULL;
  pawl_status status = PAWL_OK;
  if (undecided) {
    unsigned long size = pawl_sim_save_size(sim);
    void *saved = malloc(size);
    double *numbers = malloc(shown_size(sim) + 1);
    status = saved == NULL || numbers == NULL
                 ? PAWL_E_MEMORY
                 : try_instant(sim, saved, size, shown_at(sim, numbers));
    free(numbers);
    free(saved);
  }
  return status == PAWL_OK ? pw_sim_ready(sim) : status;
}
