// SPDX-License-Identifier: MIT
/* Gauss' principle at the current point of a motion. At the instant of an impact the velocities
 * jump: the right accelerations belong to those after it (Glocker 1998, (3.20), (3.21)), which the
 * impact law of the model gives, so a simulation of the same system is started there and run to its
 * first event. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "law/scale_run.h"
#include "pawl/sim.h"
#include "pawl/static.h"

typedef struct instant {
  const pawl_system *system;
  pawl_gauss_opts opts;
  double *q, *u, *u_before, *force, *multiplier; /* copies */
  double *memory;
} instant;

static bool hold(instant *x) {
  int nq = pawl_system_positions(x->system), nv = pawl_system_velocities(x->system);
  int laws = pawl_system_laws(x->system);
  x->memory = calloc((size_t)nq + 2 * (size_t)nv + 2 * (size_t)laws + 1, sizeof *x->memory);
  if (x->memory != NULL) {
    x->q = x->memory;
    x->u = x->q + nq;
    x->u_before = x->u + nv;
    x->force = x->u_before + nv;
    x->multiplier = x->force + laws;
  }
  return x->memory != NULL;
}

static void copy(double *to, const double *from, int n) {
  memcpy(to, from, (size_t)n * sizeof *to);
}

static void take(instant *x, const pawl_point *p) {
  copy(x->q, p->q, pawl_system_positions(x->system));
  copy(x->u, p->u, pawl_system_velocities(x->system));
  copy(x->force, p->force, pawl_system_laws(x->system));
  x->opts.use_state = 1;
  x->opts.t = p->t;
  x->opts.q = x->q;
  x->opts.u = x->u;
  x->opts.force = x->force;
}

/* Where the motion is, and how fast it has been; the velocities before if it is at an impact. */
static pawl_status take_motion(instant *x, pawl_sim *sim) {
  pawl_point p;
  pawl_energy energy;
  int nv = pawl_system_velocities(x->system);
  pawl_status status = pawl_sim_energy(sim, &energy, NULL);
  if (status == PAWL_OK) {
    status = pawl_sim_point(sim, PAWL_BEFORE, &p);
  }
  if (status == PAWL_OK) {
    copy(x->u_before, p.u, nv);
    status = pawl_sim_point(sim, PAWL_AFTER, &p);
  }
  if (status == PAWL_OK) {
    take(x, &p);
    bool jumps = memcmp(x->u, x->u_before, (size_t)nv * sizeof *x->u) != 0;
    x->opts.u_before = jumps ? x->u_before : NULL;
    x->opts.speed = sqrt(2 * energy.scale);
    x->opts.span = p.t - pawl_start_time(x->system);
  }
  return status;
}

/* ---- the impact ---- */

static void take_start(instant *x) {
  copy(x->q, pawl_start_positions(x->system), pawl_system_positions(x->system));
  copy(x->u, pawl_start_velocities(x->system), pawl_system_velocities(x->system));
  x->opts.t = pawl_start_time(x->system);
}

/* Multipliers that are states, in the order of their laws. */
static void take_multipliers(instant *x) {
  int n = 0;
  for (int i = 0; i < pawl_system_laws(x->system); i++) {
    double start = pawl_law_get(x->system, i).start;
    if (!isnan(start)) {
      x->multiplier[n++] = x->opts.use_state ? x->force[i] : start;
    }
  }
}

static bool has_jumped(pawl_sim *sim) {
  for (int i = 0; i < pawl_sim_events(sim); i++) {
    if (pawl_sim_event(sim, i).n_impulse > 0) {
      return true;
    }
  }
  return false;
}

/* The event is the impact that begins here: its time and the velocities before it are ours. */
static bool is_ours(const instant *x, pawl_sim *sim) {
  pawl_point p;
  bool same = pawl_sim_point(sim, PAWL_BEFORE, &p) == PAWL_OK &&
              fabs(p.t - x->opts.t) <= PW_SCALE(INSTANT_SAME) * x->opts.span;
  double most = 0, far = 0;
  for (int i = 0; same && i < pawl_system_velocities(x->system); i++) {
    most = fmax(most, fabs(x->u[i]));
    far = fmax(far, fabs(p.u[i] - x->u[i]));
  }
  return same && far <= PW_SCALE(INSTANT_SAME) * most;
}

/* Advances to the impact. False: there is none here, for example because the method has no
 * events. */
static bool pass(instant *x, pawl_sim *sim) {
  pawl_stop why = PAWL_AT_EVENT;
  pawl_point p;
  double end = x->opts.t + PW_SCALE(INSTANT_SAME) * x->opts.span;
  while (why == PAWL_AT_EVENT) {
    if (pawl_sim_advance(sim, end, NULL, &why) != PAWL_OK) {
      return false;
    }
    if (why == PAWL_AT_EVENT && has_jumped(sim) && is_ours(x, sim)) {
      copy(x->u_before, x->u, pawl_system_velocities(x->system));
      bool ok = pawl_sim_point(sim, PAWL_AFTER, &p) == PAWL_OK;
      if (ok) {
        take(x, &p);
        x->opts.u_before = x->u_before;
      }
      return ok;
    }
  }
  return false;
}

/* From this state, or from the start of the model if rounding has put the state beyond the law. */
static bool pass_from(instant *x, bool here) {
  pawl_sim *sim = NULL;
  double from = here ? x->opts.t : pawl_start_time(x->system);
  pawl_sim_opts opts = {
      .use_span = 1, .from = from, .to = x->opts.t + x->opts.span, .start_impact = 1};
  bool ok = pawl_sim_new(x->system, &opts, NULL, &sim) == PAWL_OK &&
            (!here || pawl_sim_start_with(sim, from, x->q, x->u, x->multiplier, NULL) == PAWL_OK) &&
            pass(x, sim);
  pawl_sim_free(sim);
  return ok;
}

static bool pass_impact(instant *x) {
  if (!x->opts.use_state) {
    take_start(x);
  }
  take_multipliers(x);
  x->opts.span = x->opts.span > 0 ? x->opts.span : 1;
  return pass_from(x, true) || (x->opts.use_state && pass_from(x, false));
}

static pawl_status look(instant *x, pawl_sim *sim, pawl_diags *diags, pawl_gauss **out) {
  pawl_status status = sim == NULL ? PAWL_OK : take_motion(x, sim);
  if (status == PAWL_OK) {
    status = pawl_gauss_new(x->system, &x->opts, diags, out);
  }
  if (status == PAWL_OK && pawl_gauss_get(*out, PAWL_RIGHT).why == PAWL_GAUSS_IMPACT &&
      pass_impact(x)) {
    pawl_gauss *after = NULL;
    status = pawl_gauss_new(x->system, &x->opts, diags, &after);
    if (status == PAWL_OK) {
      pawl_gauss_free(*out);
      *out = after;
    }
  }
  return status;
}

pawl_status pawl_gauss_reached(const pawl_system *system, pawl_sim *sim,
                               const pawl_gauss_opts *opts, pawl_diags *diags, pawl_gauss **out) {
  if (out != NULL) {
    *out = NULL;
  }
  if (system == NULL || out == NULL || (opts != NULL && opts->use_state)) {
    return PAWL_E_ARGUMENT;
  }
  instant x = {.system = system};
  x.opts = opts == NULL ? x.opts : *opts;
  if (!hold(&x)) {
    return PAWL_E_MEMORY;
  }
  pawl_status status = look(&x, sim, diags, out);
  if (status != PAWL_OK) {
    pawl_gauss_free(*out);
    *out = NULL;
  }
  free(x.memory);
  return status;
}
